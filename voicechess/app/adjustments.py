"""What changes the costs of spoken readings: word order, a bad fit, letters, masked words, and the speech model.

Every rule has one signature (`Adjustment`) and one place in `ADJUSTMENTS`. It looks at one utterance and returns the
readings as they are from then on, lowest cost first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

import chess

from voicechess.app.turn_taking import INTERJECTED
from voicechess.language.beside import moves_beside
from voicechess.language.lexicon import Lexicon
from voicechess.language.natural import MIN_WORDS_OF_COMMAND, heard_in_any_order, move_in_a_sentence
from voicechess.language.readings import EDGE_FREE_DB
from voicechess.language.thresholds import load_thresholds
from voicechess.language.tokens import piece_types, tokenise
from voicechess.language.trimming import ELSEWHERE_DB
from voicechess.language.understanding import EDGE_WORD_COST, choices
from voicechess.meaning import (
    UNKNOWN_WORD,
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    QuestionKind,
    Reading,
    RecognisedUtterance,
    SpokenMove,
    Unclear,
    UnclearReason,
    is_full_move,
    is_noisy,
    is_whole_move,
    names_a_part,
)
from voicechess.moves.fitting import fits
from voicechess.moves.letter_rivals import mixes_alphabets, with_letters, with_names
from voicechess.sound.utterance import VOICE_CONTINUES_DB

BAD_FIT = 2.0
"""Fit below which a room does not count as quiet: the noise floor does not show a bystander who begins to talk together
with the player. Larger: more rooms count as noisy, and more is asked about."""

MAY_POINT = frozenset({UnclearReason.UNKNOWN_WORDS, UnclearReason.NO_SENSE})
"""The kinds of meaningless words that may still suggest a command."""


@dataclass(frozen=True)
class SpokenWords:
    """An utterance in its context: all that a rule looks at."""

    said: RecognisedUtterance
    expectation: Expectation
    lexicon: Lexicon
    doubt: float = 0.0  # of the speech model (`LikelihoodScaling`)
    _read: dict[tuple[str, str, bool], Meaning | None] = field(default_factory=dict)

    @property
    def first(self) -> Hypothesis | None:
        """The 1-best hypothesis; None if nothing was recognised."""
        return self.said.hypotheses[0] if self.said.hypotheses else None

    @property
    def of_first_pass(self) -> Sequence[Hypothesis]:
        """The 1-best hypothesis and those of the same decoding pass without softer words at the edges."""
        found = self.said.hypotheses
        return [one for one in found if one.speed == found[0].speed and one.edge_below_db is None]

    @property
    def has_distant_words(self) -> bool:
        """Whether a bystander may have said the first or last word of the 1-best hypothesis (`ELSEWHERE_DB`): nobody
        interrupts in the middle, where "it" may be as soft."""
        words = self.first.words if self.first is not None else ()
        return any(word.below_db >= ELSEWHERE_DB for word in (*words[:1], *words[-1:]))

    @property
    def with_soft_edges(self) -> Hypothesis | None:
        """The 1-best hypothesis with all softer words at its edges, if it has any."""
        return max(
            (one for one in self.said.hypotheses if one.edge_below_db is not None),
            key=lambda one: len(one.words),
            default=None,
        )

    def fits_less(self, fit: float) -> bool:
        """Whether the 1-best hypothesis has a fit below `fit`."""
        fitting = self.first.fit if self.first else None
        return fitting is not None and fitting < fit

    @property
    def noisy(self) -> bool:
        """Whether the room is noisy, by the signal-to-noise ratio."""
        return is_noisy(self.said.snr_db)

    @property
    def fits_badly(self) -> bool:
        """Whether the words fit the sound badly (`BAD_FIT`)."""
        return self.fits_less(BAD_FIT)

    @property
    def in_noise(self) -> bool:
        """Whether bystanders may be as loud as the player."""
        return self.fits_badly or self.noisy

    def in_any_order(self, words: str, lexicon: Lexicon, least: int = MIN_WORDS_OF_COMMAND) -> Meaning | None:
        """The meaning of these words in any order, each line read once; a command only if there are at least so many
        words."""
        tokens = tokenise(words, lexicon, False)
        line = words, lexicon.code, len(tokens) >= least
        if line not in self._read:
            asked = self.expectation
            self._read[line] = heard_in_any_order(tokens, lexicon, asked, choices(asked), commands=line[2])
        return self._read[line]

    def legal_in_a_sentence(self, words: str, lexicon: Lexicon) -> SpokenMove | None:
        """The move amid other words that exactly one legal move fits; None if there is none."""
        board = self.expectation.board
        move = None if board is None else move_in_a_sentence(tokenise(words, lexicon, False), lexicon)
        return move if board is not None and move is not None and len(fits(board, move)) == 1 else None

    def legal_beside(self, words: str, lexicon: Lexicon) -> SpokenMove | None:
        """The move of a piece that is left without the words that belong to none, as in typed lines, if exactly one
        legal move fits; None if there is none."""
        board = self.expectation.board
        left = moves_beside(tokenise(words, lexicon, False), lexicon, least=0)
        if board is None or len(left) != 1 or not left[0].piece:
            return None
        return left[0] if len(fits(board, left[0])) == 1 else None


Readings = tuple[Reading, ...]
Adjustment = Callable[[SpokenWords, Readings], Readings]
"""A rule: the readings of this utterance, adjusted; the same ones if the rule does not apply."""


def _costlier(readings: Readings, cost: float, doubted: Callable[[Meaning], bool]) -> Readings:
    """The readings with a cost added to those whose meaning is doubted, lowest cost first."""
    costlier = (replace(one, cost=one.cost + cost) if doubted(one.meaning) else one for one in readings)
    return tuple(sorted(costlier, key=lambda one: one.cost))


# --- Words in any order ---


ANY_ORDER_FIT = -6.0
"""Least fit (`Hypothesis.fit`) of a sentence whose words may come in any order. Smaller: more sentences are
understood, and more talk in the room is obeyed. Of 404 tuning sentences 203 were understood at once without this, 275
with it; from -3 on a few less, from -12 on a few more. Of 233 sentences of talk 15 were obeyed without it, 16 with it,
from -12 on 19."""

MAX_IN_ANY_ORDER = 5
"""Number of hypotheses that are read in any word order. Larger: more computing for rivals that hardly matter."""

SENTENCE_FIT = 0.0
"""Least fit of a spoken sentence in which a move is looked for amid other words, as in typed ones, if exactly one legal
move fits. Larger: fewer moves in sentences are understood or asked about, and fewer in sentences about something
else."""


def _in_any_order(spoken: SpokenWords, readings: Readings) -> Readings:
    """In a quiet room: if the utterance has no meaning in the usual word order, or only a part of it has, preceded by
    what the 1-best hypothesis means in any word order. Rivals add to its cost: hypotheses with another meaning or with
    `[unk]` in them; if it is a move, all others. Not if a bystander may have said part of it."""
    best, first = readings[0].meaning, spoken.first
    if first is None or spoken.noisy:
        return readings
    # A single softer word beside a command is a bystander's; in a sentence several are softer.
    a_part = readings[0].trimmed and len(first.words) > len(readings[0].words.split()) + 1
    if not (a_part or (isinstance(best, Unclear) and best.reason in MAY_POINT)) or spoken.fits_less(ANY_ORDER_FIT):
        return readings
    if spoken.has_distant_words:
        return readings
    for language in dict.fromkeys((spoken.lexicon.heard, spoken.lexicon)):
        meaning = spoken.in_any_order(first.text, language)
        if meaning is None and not spoken.fits_less(SENTENCE_FIT):
            meaning = spoken.legal_in_a_sentence(first.text, language)
        if meaning is None:
            continue
        same, other = 1.0, 0.0  # likelihoods with and without this meaning, relative to the 1-best hypothesis
        for one in spoken.of_first_pass[1:MAX_IN_ANY_ORDER]:
            rival = spoken.in_any_order(one.text, language) or spoken.legal_in_a_sentence(one.text, language)
            share = math.exp(one.log_likelihood - first.log_likelihood)
            if rival == meaning:
                same += share
            elif rival is None and _move_words(one.text, language) == _move_words(first.text, language):
                continue  # it differs only in words that carry no meaning
            elif rival is not None or isinstance(meaning, SpokenMove) or UNKNOWN_WORD in one.text:
                other += share
        return (Reading(meaning, math.log1p(other / same), first.text), *_with_sense(readings))
    return readings


def _with_sense(readings: Readings) -> Iterator[Reading]:
    """Those with a meaning, of all the words: a reading of some of them is no rival of a reading of all."""
    return (one for one in readings if not (isinstance(one.meaning, Unclear) or one.trimmed))


def _beside_other_words(spoken: SpokenWords, readings: Readings) -> Readings:
    """In a quiet room: a clear sentence without a meaning that names a piece and where it can go ("Läufer für ist auf
    Cesar zwei") is asked about as that move, rather than as a command that a word of it suggests."""
    best, first = readings[0].meaning, spoken.first
    unclear = isinstance(best, Unclear) and best.reason in MAY_POINT
    if first is None or not unclear or spoken.noisy or spoken.has_distant_words or spoken.fits_less(SENTENCE_FIT):
        return readings
    for language in dict.fromkeys((spoken.lexicon.heard, spoken.lexicon)):
        if (move := spoken.legal_beside(first.text, language)) is not None:
            return (Reading(move, EDGE_WORD_COST, first.text), *_with_sense(readings))
    return readings


def _move_words(words: str, lexicon: Lexicon) -> Sequence[str]:
    """The words that affect which move is meant, or whether one is."""
    names = {word for table in (lexicon.pieces, lexicon.plurals) for ones in table.values() for word in ones}
    names |= {word for ones in (*lexicon.files, *lexicon.ranks) for word in ones} | lexicon.links
    names |= lexicon.wordings.negations | lexicon.wordings.pieces.keys() | {UNKNOWN_WORD}
    said = (lexicon.typed.spellings.get(word, word) for word in words.split())
    return [word for word in said if word in names]


# --- Words that fit the sound badly ---


LONE_WORD_FIT, LONG_YES_FIT = -3.0, -6.0
"""Fit below which a single short word is no command, and a long free-form answer no yes. Larger: more commands get the
tone before they are obeyed, and more questions are asked again; smaller: more talk in the room is obeyed."""

BRIEF_MS = 500
"""Duration in milliseconds below which a word is short ("Uhr", "was"). Larger: more words are held to
`LONE_WORD_FIT`."""

MIN_WORDS_OF_LONG_YES = 3
"""Least number of words of a free-form yes. Larger: fewer answers are held to `LONG_YES_FIT`."""

BAD_FIT_COST = 1.0
"""Cost added to such a word or answer, above `Thresholds.command`. Larger: it is obeyed less often when said twice."""


def _doubted_for_its_fit(spoken: SpokenWords, readings: Readings) -> Readings:
    """In a quiet room: a cost for commands of one short word and free-form yeses that fit the sound badly, since talk
    is full of sounds like "Uhr" and "was". In noise every word fits badly. What is awaited is exempt."""
    if spoken.noisy or spoken.first is None:
        return readings
    words = [word for word in spoken.first.words if word.text != UNKNOWN_WORD]
    brief = len(words) <= 2 and sum(word.ended_ms - word.began_ms for word in words) < BRIEF_MS

    def is_doubted(meaning: Meaning) -> bool:
        match meaning:
            case Command(name):
                return brief and name not in _awaited(spoken.expectation) and spoken.fits_less(LONE_WORD_FIT)
            case Answer(AnswerKind.YES):
                return len(words) >= MIN_WORDS_OF_LONG_YES and spoken.fits_less(LONG_YES_FIT)
        return False

    return _costlier(readings, BAD_FIT_COST, is_doubted) if is_doubted(readings[0].meaning) else readings


def _awaited(expectation: Expectation) -> frozenset[str]:
    """The commands that answer the open question, and those that are obeyed however badly they fit."""
    asks_for_a_part = expectation.asked.kind in (QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE)
    return INTERJECTED.union(choices(expectation), ("file", "rank") if asks_for_a_part else ())


# --- Letters that sound alike ---


def _with_rival_letters(spoken: SpokenWords, readings: Readings) -> Readings:
    """Moves whose file was said as a letter, followed by those with letters that sound like it."""
    board = spoken.expectation.board
    return readings if board is None else with_letters(readings, board, spoken.lexicon, spoken.in_noise)


def _with_rival_names(spoken: SpokenWords, readings: Readings) -> Readings:
    """In noise: moves whose file has a name that noise makes of another, followed by those with the other one."""
    board = spoken.expectation.board
    return readings if board is None or not spoken.in_noise else with_names(readings, board, spoken.lexicon)


def _marked_if_mixed(spoken: SpokenWords, readings: Readings) -> Readings:
    """Moves with one file said as a letter and another as a name are marked (`Reading.suspect`)."""
    lexicon = spoken.lexicon.heard
    return tuple(replace(one, suspect=True) if mixes_alphabets(one, lexicon) else one for one in readings)


# --- Words that noise may have masked ---


MASKED_FIT, MASKED_FULL_FIT = -4.0, -8.0
"""Fit below which a move is asked about in a noisy room, however few rivals it has. The first is for a move that does
not name its origin, since its last word may be noise; the second for a move announced in full, of which 2 in 100 were
wrong below it (tuning rooms). Larger: more questions."""

MASKED_COST = 0.1
"""Cost that takes such a move just above `Thresholds.clean`, so that it is asked about."""


def _asked_if_incomplete(spoken: SpokenWords, readings: Readings) -> Readings:
    """A cost for whole moves if a word of the best one may be missing, so that it is asked about."""
    best = readings[0].meaning
    if _is_masked(spoken, best) or _may_be_a_rest(spoken, best):
        return _costlier(readings, load_thresholds().clean + MASKED_COST, is_whole_move)
    return readings


def _is_masked(spoken: SpokenWords, meaning: Meaning) -> bool:
    """Whether noise may have masked a word of this move."""
    if is_whole_move(meaning) and meaning.origin is None and spoken.noisy:
        return spoken.fits_less(MASKED_FIT)
    return is_full_move(meaning) and spoken.fits_less(MASKED_FULL_FIT)


def _may_be_a_rest(spoken: SpokenWords, meaning: Meaning) -> bool:
    """Whether this may be the end of an announcement: a bare square (a pawn move) after speech that was not recognised.
    Of "Bella eins Cesar drei" perhaps only "Cesar drei" was recognised."""
    lead_db = spoken.first.lead_in_below_db if spoken.first else None
    unheard = lead_db is not None and lead_db < VOICE_CONTINUES_DB and spoken.expectation.asked.kind is None
    return unheard and _is_bare_square(meaning)


def _is_bare_square(meaning: Meaning) -> bool:
    """Whether this names a target square and nothing else, as a pawn move does."""
    return is_whole_move(meaning) and names_a_part(meaning)


def _marked_behind_a_piece(spoken: SpokenWords, readings: Readings) -> Readings:
    """A bare square is marked (`Reading.suspect`) if it stands behind the name of a piece in the 1-best hypothesis, or
    in one with softer words that may be the player's own as far as their level tells (`EDGE_FREE_DB`): "rook to Hector
    three" was recognised as "rook of Hector three", and the first words, 9 dB softer, made no sense. Talk in the room
    hardly ever has such a name; those of files it has."""
    best, first = readings[0], spoken.first
    if first is None or not first.words or not _is_bare_square(best.meaning):
        return readings
    types = piece_types(spoken.lexicon.heard)
    before = [f" {first.text} ".rpartition(f" {best.words} ")[0].split()]
    for one in spoken.said.hypotheses:
        if one.edge_below_db is not None and one.edge_below_db < EDGE_FREE_DB:
            before.append([word.text for word in takewhile(first.words[0].__ne__, one.words)])
    if all(types.get(word, chess.PAWN) == chess.PAWN for some in before for word in some):
        return readings
    return tuple(replace(one, suspect=True) if _is_bare_square(one.meaning) else one for one in readings)


def _marked_if_doubled(spoken: SpokenWords, readings: Readings) -> Readings:
    """A pawn's move straight on whose file was recognised twice ("Hector Hector three") is marked (`Reading.suspect`):
    nobody says that, and the first one is what was recognised of another piece ("rook to Hector three")."""

    def is_doubled(move: Meaning) -> bool:
        if not is_whole_move(move) or move.piece is not None or move.from_rank is not None:
            return False
        return move.from_file is not None and move.from_file == move.to_file

    return tuple(replace(one, suspect=True) if is_doubled(one.meaning) else one for one in readings)


# --- All rules ---


def _doubted_model(spoken: SpokenWords, readings: Readings) -> Readings:
    """A cost for every reading of a speech model that is less reliable than the included one."""
    return _costlier(readings, spoken.doubt, lambda _: True) if spoken.doubt else readings


ADJUSTMENTS: tuple[Adjustment, ...] = (
    _in_any_order,
    _beside_other_words,
    _doubted_for_its_fit,
    _with_rival_letters,
    _with_rival_names,
    _marked_if_mixed,
    _asked_if_incomplete,
    _marked_behind_a_piece,
    _marked_if_doubled,
    _doubted_model,
)
"""All rules, in the order in which they apply."""


def adjusted(spoken: SpokenWords, readings: Readings) -> Readings:
    """The readings of speech after all rules. `readings`: lowest cost first, not empty."""
    for rule in ADJUSTMENTS:
        readings = rule(spoken, readings)
    return readings
