"""Rules that trim bystanders' words off a line by their level, so that what the player said remains.

Every rule has one signature (`Trimming`) and one place in `TRIMMINGS`. It looks at one recognised line and returns what
remains of it, or None. A "nein" or "Korrektur" is never trimmed off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product, takewhile

import chess

from voicechess.language.lexicon import Lexicon
from voicechess.language.understanding import choices_of, understand_all
from voicechess.meaning import (
    BYSTANDER_DB,
    LONG_WORD_MS,
    UNKNOWN_WORD,
    Answer,
    AnswerKind,
    Castling,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
    is_full_move,
    is_whole_move,
)

SOFTER_DB = 3.0
"""Decibels below the loudest word at which a word at the edge of a senseless line may be trimmed off. Larger: fewer
are."""

MAX_BYSTANDER_WORDS = 4
"""Softer words (`BYSTANDER_DB`) trimmed off on either side, at most. Larger: more is found within talk."""

MAX_LOUD_WORDS = 2
"""The same in noise, for words as loud as the move. Larger: more is found within talk."""

BEHIND_MOVE_DB = 5.0
"""`BYSTANDER_DB` for words after a move: a voice trails off at the end of a sentence. Larger: fewer words are trimmed
off."""

BEFORE_ANSWER_DB, BEHIND_ANSWER_DB = 10.0, 6.0
"""The same before and after "ja" or "nein": the article in "das Jahr" is softer too, but not by as much. Larger: fewer
answers are found within talk."""

ELSEWHERE_DB = 12.0
"""Decibels below the loudest word at which a word is never the answering voice, even if no hypothesis is the answer
alone. Larger: fewer answers are found within talk."""

LONE_WORD_DB = 1.0
"""Decibels by which a long word must exceed all others to be a command by itself, whatever is beside it. Larger: fewer
are."""

DENIALS = (Answer(AnswerKind.NO), Answer(AnswerKind.NONE), Command("correct"))
"""Meanings that are never trimmed off, however soft: a move retracted in the same sentence is not played."""

YES_OR_NO = tuple(Answer(kind) for kind in (AnswerKind.YES, AnswerKind.NO, AnswerKind.NONE))


@dataclass(frozen=True)
class Lines:
    """The recognised lines of one utterance and their readings: all that a rule looks at."""

    hypotheses: Sequence[Hypothesis]  # those that have a share of the probability
    read: dict[str, Sequence[Reading]]  # readings by line, lowest cost first; lines that were tried are added
    lexicon: Lexicon
    expectation: Expectation
    in_noise: bool  # bystanders may be as loud as the player

    def best(self, one: Hypothesis) -> Reading:
        """The best reading of a whole line."""
        return self.read[one.text][0]

    def meaning(self, line: str) -> Meaning | None:
        """The literal meaning of a line; None if it has an unknown word."""
        if line not in self.read:
            self.read[line] = understand_all(line, self.lexicon, self.expectation)
        return None if self.read[line][0].cost else self.read[line][0].meaning

    @cached_property
    def whole_moves(self) -> frozenset[str]:
        """The lines that are whole moves, word for word."""
        return self._exactly(is_whole_move)

    @cached_property
    def answers(self) -> frozenset[str]:
        """The lines that are yes or no, word for word."""
        return self._exactly(YES_OR_NO.__contains__)

    def _exactly(self, wanted: Callable[[Meaning], bool]) -> frozenset[str]:
        readings = ((one.text, self.best(one)) for one in self.hypotheses)
        return frozenset(text for text, best in readings if wanted(best.meaning) and not best.cost)

    def denies(self, word: Word) -> bool:
        """Whether this word alone is one of `DENIALS`."""
        return _is_denial(word.text, self.lexicon)


Trimming = Callable[[Lines, Hypothesis], str | None]
"""A rule: what remains of this line without the words of bystanders; None if the rule does not apply."""


def _move_without_a_soft_word(lines: Lines, one: Hypothesis) -> str | None:
    """Of a senseless line, the whole move that remains without one soft word at its edge, if another line is that move:
    the soft "acht" in "acht Springer Eva fünf" is then silence or noise."""
    if lines.best(one).meaning != Unclear(UnclearReason.NO_SENSE):
        return None
    soft = [word.below_db >= SOFTER_DB and not lines.denies(word) for word in one.words]
    left = next((line for line in _trimmings(one.words, soft, 1) if line in lines.whole_moves), None)
    return None if left is None or _of_another_piece(one, left, lines.lexicon) else left


def _full_move_in_noise(lines: Lines, one: Hypothesis) -> str | None:
    """In noise, of a senseless line: the legal move announced in full that remains without a word or two on either
    side, however loud (`MAX_LOUD_WORDS`). These must not retract it, be another move or command, or be a sound that is
    no word or a word of a question, since the player may be talking about a move ("was macht der Springer auf Felix
    drei"); nor, right after it, a file, rank or piece, which may continue or correct it."""
    if not lines.in_noise or not isinstance(lines.best(one).meaning, Unclear):
        return None
    lexicon = lines.lexicon
    frames = lexicon.typed.frames
    asked = frames.asking | frames.opening_questions | frames.holding | {UNKNOWN_WORD}
    others = [word.text not in asked and not lines.denies(word) for word in one.words]
    for line in _trimmings(one.words, others, MAX_LOUD_WORDS):
        move = lines.meaning(line)
        if not is_full_move(move) or not can_be(move, lines.expectation.board):
            continue
        beside = [lines.meaning(side) for side in _sides(one, line) if side]
        otherwise = any(isinstance(other, Command) or is_whole_move(other) for other in beside)
        return None if otherwise or _goes_on(one, line, lexicon) or _of_another_piece(one, line, lexicon) else line
    return None


def _move(lines: Lines, one: Hypothesis) -> str | None:
    """Of a line that is senseless or has an unknown word, the whole move that remains with the fewest soft words
    trimmed off."""
    literal = lines.best(one)
    if not (isinstance(literal.meaning, Unclear) or literal.cost):
        return None

    def others(word: Word, softer_db: float) -> bool:
        return word.below_db >= softer_db and not lines.denies(word)

    before = list(takewhile(lambda word: others(word, BYSTANDER_DB), one.words))
    soft = [True] * len(before) + [
        others(word, BYSTANDER_DB if _is_no_word(word, lines.lexicon) else BEHIND_MOVE_DB)
        for word in one.words[len(before) :]
    ]
    tried = _trimmings(one.words, soft, MAX_BYSTANDER_WORDS)
    left = next((line for line in tried if is_whole_move(lines.meaning(line))), None)
    return None if left is None or _of_another_piece(one, left, lines.lexicon) else left


def _command(lines: Lines, one: Hypothesis) -> str | None:
    """Of a senseless line, the command (or choice answering the question) that remains with the fewest soft words
    trimmed off; or the one long word louder than all others."""
    expectation, asked = lines.expectation, lines.expectation.asked.kind
    if not expectation.among_talk or not isinstance(lines.best(one).meaning, Unclear):
        return None
    obeyed = expectation.among_talk.union(choices_of(asked) if asked is not None else ())
    soft = [word.below_db >= BYSTANDER_DB for word in one.words]
    loud = [word for word in one.words if word.below_db < LONE_WORD_DB]
    alone = [word.text for word in loud if len(loud) == 1 and word.ended_ms - word.began_ms >= LONG_WORD_MS]
    for line in (*_trimmings(one.words, soft, MAX_BYSTANDER_WORDS), *alone):
        meaning = lines.meaning(line)
        if isinstance(meaning, Command) and meaning.name in obeyed:
            return line
    return None


def _answer(lines: Lines, one: Hypothesis) -> str | None:
    """While a question is open: of a senseless line, the "ja" or "nein" that remains without much softer words, if
    another line is that answer alone; or what remains of any line without even softer words (`ELSEWHERE_DB`)."""
    if lines.expectation.asked.kind is None:
        return None
    own = " ".join(word.text for word in one.words if word.below_db < ELSEWHERE_DB or lines.denies(word))
    if own != one.text and lines.meaning(own) in YES_OR_NO:
        return own
    if not isinstance(lines.best(one).meaning, Unclear):
        return None
    before = sum(1 for _ in takewhile(lambda word: word.below_db >= BEFORE_ANSWER_DB, one.words))
    soft = [True] * before + [
        at > before and word.below_db >= BEHIND_ANSWER_DB and not lines.denies(word)
        for at, word in enumerate(one.words[before:], before)
    ]
    tried = _trimmings(one.words, soft, MAX_BYSTANDER_WORDS)
    return next((line for line in tried if line in lines.answers), None)


TRIMMINGS: tuple[Trimming, ...] = (_move_without_a_soft_word, _full_move_in_noise, _move, _command, _answer)
"""All rules. Of several that apply to a line the last one counts."""


def trimmed(lines: Lines) -> dict[str, str]:
    """Line -> what remains of it without the words of bystanders, of those lines to which a rule applies."""
    found: dict[str, str] = {}
    for rule in TRIMMINGS:
        by_rule: dict[str, str] = {}
        for one in lines.hypotheses:
            if one.text not in by_rule and (left := rule(lines, one)) is not None:
                by_rule[one.text] = left
        found |= by_rule
    return found


TRIMMED_COST = 1.0
"""Cost of a whole move trimmed out of a senseless line: low enough to be asked about. Larger: it is ignored."""


def move_in_a_senseless_line(
    hypothesis: Hypothesis, lexicon: Lexicon, expectation: Expectation, in_noise: bool = False
) -> Reading | None:
    """The whole move that remains of a senseless line after trimming as little as possible: softer words, and sounds
    that are no words. Bystanders may have said those, so it is asked about (`TRIMMED_COST`). A move from square to
    square, or castling to a named side, may stand between equally loud words: talk hardly ever contains one. In noise a
    legal move announced in full may, too."""
    words = hypothesis.words
    soft = [word.below_db >= SOFTER_DB or _is_no_word(word, lexicon) for word in words]
    loud = [not _is_denial(word.text, lexicon) for word in words]

    for beside, most, any_move in ((soft, len(words), True), (loud, MAX_BYSTANDER_WORDS, False)):
        for line in _trimmings(words, beside, most):
            for reading in understand_all(line, lexicon, expectation):
                move = reading.meaning
                if not is_whole_move(move) or reading.cost:
                    continue
                sides = move.castling in (Castling.KINGSIDE, Castling.QUEENSIDE)
                goes_on = _goes_on(hypothesis, line, lexicon)
                in_full = in_noise and is_full_move(move) and can_be(move, expectation.board) and not goes_on
                if any_move or sides or in_full or move.origin is not None:
                    return Reading(move, TRIMMED_COST, reading.words)
    return None


def _trimmings(words: Sequence[Word], soft: Sequence[bool], most: int) -> Iterator[str]:
    """The line, and what remains with up to `most` soft words trimmed off on either side, longest first."""
    left, right = (min(most, sum(1 for _ in takewhile(bool, side))) for side in (soft, reversed(soft)))
    for before, behind in sorted(product(range(left + 1), range(right + 1)), key=sum):
        kept = words[before : len(words) - behind]
        if kept:
            yield " ".join(word.text for word in kept)


def _sides(one: Hypothesis, line: str) -> tuple[str, str]:
    """The words before and behind these."""
    before, _, behind = f" {one.text} ".partition(f" {line} ")
    return before.strip(), behind.strip()


def _goes_on(one: Hypothesis, line: str, lexicon: Lexicon) -> bool:
    """Whether a file, a rank or a piece right behind this move may continue or correct it."""
    named = (*lexicon.files, *lexicon.ranks, *lexicon.pieces.values())
    return any(_sides(one, line)[1].split(" ")[0] in words for words in named)


def _of_another_piece(one: Hypothesis, line: str, lexicon: Lexicon) -> bool:
    """Whether a different piece was named right before this move ("König Springer David drei"): one of the two was
    misrecognised, or the player started over, so the first need not be a bystander's."""
    before, (first, *_) = one.text.partition(line)[0].split()[-1:], line.split()
    return any(set(before) & set(words) and first not in words for words in lexicon.pieces.values())


def can_be(move: SpokenMove, board: chess.Board | None) -> bool:
    """Whether a piece of that name may go there; True without a position."""
    if board is None or move.target is None:
        return True
    piece = chess.PAWN if move.piece is None and move.origin is None else move.piece
    to = board.generate_legal_moves(to_mask=chess.BB_SQUARES[move.target])
    return any(piece in (None, board.piece_type_at(legal.from_square)) for legal in to)


def _is_no_word(word: Word, lexicon: Lexicon) -> bool:
    """Whether this is noise, or a decoy."""
    return word.text == UNKNOWN_WORD or word.text in lexicon.decoys or word.text in lexicon.fillers


@lru_cache(maxsize=1024)
def _is_denial(word: str, lexicon: Lexicon) -> bool:
    return understand_all(word, lexicon, Expectation())[0].meaning in DENIALS
