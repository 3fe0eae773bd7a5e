"""From hypotheses to readings: each hypothesis is understood, and every meaning gets a cost.

A cost is minus the logarithm of a posterior: the hypotheses of a decoding pass share a probability of 1. Clearly spoken
words leave next to nothing to their rivals; coughs and talk give many equally poor hypotheses, none of which comes near
1. That, and not the recogniser's confidence, separates speech to the program from other speech. Besides these literal
readings there are readings with one word substituted by a likely confusion (`confusions`).

Words of bystanders around a command, a move or an answer are trimmed off by their level.

How certain is certain enough is decided by `thresholds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product, takewhile
from math import exp, log, log1p
from typing import TypeGuard

import chess

from voicechess.language.announcements import announced_moves
from voicechess.language.confusions import Confusions, load_confusions
from voicechess.language.lexicon import Lexicon
from voicechess.language.natural import ANSWERED_BY_PARTS
from voicechess.language.thresholds import WRONG_MOVE_HARM, load_thresholds
from voicechess.language.tokens import tokenise
from voicechess.language.understanding import CASTLING_CHOICES, EDGE_WORD_COST, choices_of, understand_all
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
    QuestionKind,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
    is_partial_move,
    is_whole_move,
    within_beam,
)

SENTENCE_PAUSE_MS = 700
"""Pause between two words, milliseconds, that may separate two sentences. Larger: more words are joined into one
sentence."""

MAX_CONFUSED = 3
"""Best hypotheses in which confusions are tried. Larger: more rivals, more computing."""

NO_SENSE_PRIOR = 0.4
"""Prior of a hypothesis without a meaning, relative to one with: people say such lines less often than the recogniser's
grammar assumes. Larger: more is not understood."""

_WITHOUT_SENSE = frozenset({UnclearReason.NO_SENSE, UnclearReason.CHECK_ALONE})

FIT_COST = 0.2
"""Cost per unit of `Hypothesis.fit` below the threshold. Larger: more that fits badly is asked about or ignored."""

EDGE_FREE_DB, EDGE_COST_PER_DB = 7.5, 0.5
"""Decibels below the loudest word up to which words at the edges may be the player's own for free, and cost per further
decibel. Larger threshold, smaller cost: soft words count more."""

REST_FREE_DB = 10.0
"""The same threshold where those words complete a partial move: that is more likely one voice than two. Larger: more
moves are completed."""

PART_COST = 4.0
"""Cost of a partial move that soft words beside it would complete, minus what these cost. Larger: the whole move is
preferred."""

SOFTER_DB = 3.0
"""Decibels below the loudest word at which a word at the edge of a senseless line may be trimmed off. Larger: fewer
are."""

TRIMMED_COST = 1.0
"""Cost of a whole move trimmed out of a senseless line: low enough to be asked about. Larger: it is ignored."""

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

MAX_CONFUSION_COST, MAX_CONFUSION_MOVE_COST = 6.0, 4.0
"""Highest costs of readings with a confusion: of answers, and of moves. Larger: more rivals."""


def interpret(
    hypotheses: Sequence[Hypothesis],
    expectation: Expectation,
    lexicon: Lexicon,
    typed: bool = False,
    confusions: Confusions | None = None,
    again: float | None = None,
    fit: float | None = None,
    alone: float | None = None,
    in_noise: bool = False,
) -> tuple[Reading, ...]:
    """The readings of an utterance, lowest cost first, never empty; never raises.

    Hypotheses with the same meaning add up. The costs of understanding (for an unknown word beside a move) and of a
    confusion are added. If noise is likelier than every announcement it stays first. Moves outside the beam come last.

    `confusions`: None for those measured for the language. `again`, `fit`, `alone`: override the thresholds of these
    names. `in_noise`: bystanders may be as loud as the player.
    """
    with_edges = [one for one in hypotheses if one.edge_below_db is not None]
    hypotheses = [one for one in hypotheses if one.edge_below_db is None]
    if not hypotheses:
        return (Reading(Unclear(UnclearReason.NOTHING)),)
    read: dict[str, Sequence[Reading]] = {
        one.text: _across_a_pause(one, understand_all(one.text, lexicon, expectation, typed), lexicon)
        for one in hypotheses
    }
    chosen = load_thresholds()
    again = chosen.again if again is None else again
    fit = chosen.fit if fit is None else fit
    alone = chosen.alone if alone is None else alone
    answering = expectation.asked.kind in ANSWERED_BY_PARTS
    by_speed = _by_speed(hypotheses)
    passes = {speed: one_pass if answering else within_beam(one_pass) for speed, one_pass in by_speed.items()}
    heard = [one for one_pass in passes.values() for one in one_pass]
    among = {} if typed else _trimmed(heard, read, lexicon, expectation, in_noise)
    lines = _merged(_posteriors(passes, read, again), among)
    shares: dict[tuple[Meaning, float], float] = {}
    words: dict[tuple[Meaning, float], str] = {}
    for line, share in lines.items():
        for reading in read[line]:
            key = (reading.meaning, reading.cost)
            shares[key] = shares.get(key, 0.0) + share
            words.setdefault(key, reading.words)
    cheapest: dict[Meaning, Reading] = {}
    for key, share in shares.items():
        _keep(cheapest, Reading(key[0], key[1] + max(0.0, -log(share)), words[key]))
    if not answering:
        _add_beyond_beam(cheapest, by_speed.get(1.0, []), lines, read)
    if not typed and expectation.board is not None:
        if confusions is None:
            confusions = load_confusions(lexicon.heard.code)
        for line in list(lines)[:MAX_CONFUSED]:
            _add_confused(cheapest, line, -log(lines[line]), expectation, lexicon, confusions)
    _mark_trimmed(cheapest, hypotheses[0], among, read)
    _add_with_edges(cheapest, with_edges, lexicon, expectation)
    if not typed and all(isinstance(meaning, Unclear) for meaning in cheapest):
        _add_trimmed_moves(cheapest, hypotheses[0], lexicon, expectation)
    fitting = hypotheses[0].fit
    if fitting is not None:
        cheapest = _with_fit(cheapest, fitting - fit, alone if answering else None)
    return tuple(sorted(cheapest.values(), key=lambda one: (one.cost, isinstance(one.meaning, Unclear))))


def _across_a_pause(hypothesis: Hypothesis, readings: Sequence[Reading], lexicon: Lexicon) -> Sequence[Reading]:
    """The readings without moves across a long pause, unless one side of the pause has a meaning of its own, which is
    then asked about: "(wo sind) meine Springer" followed by "Cesar drei" is no knight's move.

    The plain beginning of an announcement is kept: "Springer", a pause for thought, and the rest are one move.
    """
    words = hypothesis.words
    pauses = [later.began_ms - word.ended_ms for word, later in pairwise(words)]
    longest = max(pauses, default=0)
    if longest < SENTENCE_PAUSE_MS:
        return readings
    at = pauses.index(longest) + 1
    before, behind = ([word.text for word in half] for half in (words[:at], words[at:]))
    if announced_moves(tokenise(before[0], lexicon, False), lexicon):
        return readings
    alone = [
        move for move in announced_moves(tokenise(" ".join(behind), lexicon, False), lexicon) if is_whole_move(move)
    ]
    return [
        replace(one, cost=max(one.cost, EDGE_WORD_COST))
        if alone and is_whole_move(one.meaning) and one.meaning not in alone and one.meaning.castling is None
        else one
        for one in readings
    ]


def _with_fit(readings: Mapping[Meaning, Reading], above: float, alone: float | None) -> dict[Meaning, Reading]:
    """Add the cost of a fit below the threshold; short answers (`alone`) get "nothing was said" as a rival instead.

    So an answer that fits badly is read back, neither accepted nor ignored. "Ja" cannot be read back, but other speech
    is hardly ever mistaken for it, while noise makes any single word fit badly. `above`: fit minus the threshold.
    """
    penalty = FIT_COST * max(0.0, -above)
    # At the threshold, silence is as likely as an accepted answer may be wrong.
    nothing = 50.0 if alone is None else max(-50.0, min(50.0, log(WRONG_MOVE_HARM) + FIT_COST * (above - alone)))
    shared = log1p(exp(-nothing))
    found = {
        meaning: replace(one, cost=one.cost + (shared if alone is not None and _is_short(meaning) else penalty))
        for meaning, one in readings.items()
    }
    if nothing < MAX_CONFUSION_COST:
        _keep(found, Reading(Unclear(UnclearReason.NOTHING), log1p(exp(nothing))))
    return found


def _by_speed(hypotheses: Sequence[Hypothesis]) -> dict[float, list[Hypothesis]]:
    """Hypotheses by decoding pass (speed), likeliest first."""
    passes: dict[float, list[Hypothesis]] = {}
    for one in sorted(hypotheses, key=lambda one: -one.log_likelihood):
        passes.setdefault(one.speed, []).append(one)
    return passes


def _posteriors(
    passes: Mapping[float, Sequence[Hypothesis]], read: Mapping[str, Sequence[Reading]], again: float
) -> dict[str, float]:
    """The posterior of each line, highest first, summing to 1.

    Every pass has a weight that its hypotheses share: words found at one speed only have a limited posterior, however
    certain the recogniser was at that speed.
    """
    weight_of = {speed: 1.0 if speed == 1.0 else again for speed in passes}
    lines: dict[str, float] = {}
    for speed, one_pass in passes.items():
        best = one_pass[0].log_likelihood
        weights = [exp(max(-50.0, one.log_likelihood - best)) * _prior(read[one.text][0].meaning) for one in one_pass]
        for one, weight in zip(one_pass, weights, strict=True):
            lines[one.text] = lines.get(one.text, 0.0) + weight_of[speed] * weight / sum(weights)
    heard = sum(weight_of.values())
    return {line: share / heard for line, share in sorted(lines.items(), key=lambda item: -item[1]) if share > 0}


def _add_beyond_beam(
    cheapest: dict[Meaning, Reading],
    one_pass: Sequence[Hypothesis],
    lines: Mapping[str, float],
    read: Mapping[str, Sequence[Reading]],
) -> None:
    """Add moves found only outside the beam, with their log-likelihood below the best as cost."""
    first = len(within_beam(one_pass))
    known = set(cheapest)
    top, share = next(iter(lines.items()))
    base = log(_prior(read[top][0].meaning)) - log(share)
    for one in one_pass[first:]:
        for reading in read[one.text]:
            if isinstance(reading.meaning, SpokenMove) and reading.meaning not in known:
                cost = reading.cost + base + one_pass[0].log_likelihood - one.log_likelihood
                _keep(cheapest, Reading(reading.meaning, max(0.0, cost), reading.words))


def _add_with_edges(
    cheapest: dict[Meaning, Reading], with_edges: Sequence[Hypothesis], lexicon: Lexicon, expectation: Expectation
) -> None:
    """Add moves that include soft words at the edges as the player's own: "Springer Gustav eins" and a softer "Felix
    drei". The partial move they complete then costs more, the more so the less they cost; unless the whole is
    impossible: "Läufer Felix vier" may be left of a soft "sieben"."""
    for one in with_edges:
        for reading in understand_all(one.text, lexicon, expectation):
            if not is_whole_move(reading.meaning) or one.edge_below_db is None:
                continue
            parts = [meaning for meaning in cheapest if is_partial_move(meaning)]
            doubt = EDGE_COST_PER_DB * (one.edge_below_db - (REST_FREE_DB if parts else EDGE_FREE_DB))
            for part in parts if _can_be(reading.meaning, expectation.board) else ():
                cheapest[part] = replace(cheapest[part], cost=cheapest[part].cost + max(0.0, PART_COST - doubt))
            _keep(cheapest, Reading(reading.meaning, reading.cost + max(0.0, doubt), reading.words))


def _can_be(move: SpokenMove, board: chess.Board | None) -> bool:
    """Whether a piece of that name may go there; True without a position."""
    if board is None or move.target is None:
        return True
    piece = chess.PAWN if move.piece is None and move.origin is None else move.piece
    to = board.generate_legal_moves(to_mask=chess.BB_SQUARES[move.target])
    return any(piece in (None, board.piece_type_at(legal.from_square)) for legal in to)


def _add_trimmed_moves(
    cheapest: dict[Meaning, Reading], hypothesis: Hypothesis, lexicon: Lexicon, expectation: Expectation
) -> None:
    """Add the whole move that remains of a senseless line after trimming as little as possible: softer words, and
    sounds that are no words. Bystanders may have said those, so it is asked about. A move from square to square, or
    castling to a named side, may stand between equally loud words: talk hardly ever contains one."""
    words = hypothesis.words
    soft = [word.below_db >= SOFTER_DB or _is_no_word(word, lexicon) for word in words]
    loud = [not _denies(word, lexicon) for word in words]

    for beside, most, any_move in ((soft, len(words), True), (loud, MAX_BYSTANDER_WORDS, False)):
        for line in _trimmings(words, beside, most):
            for reading in understand_all(line, lexicon, expectation):
                move = reading.meaning
                if not is_whole_move(move) or reading.cost:
                    continue
                sides = move.castling in (Castling.KINGSIDE, Castling.QUEENSIDE)
                if any_move or sides or move.origin is not None:
                    _keep(cheapest, replace(reading, cost=TRIMMED_COST))
                    return


def _trimmings(words: Sequence[Word], soft: Sequence[bool], most: int) -> Iterator[str]:
    """The line, and what remains with up to `most` soft words trimmed off on either side, longest first."""
    left, right = (min(most, sum(1 for _ in takewhile(bool, side))) for side in (soft, reversed(soft)))
    for before, behind in sorted(product(range(left + 1), range(right + 1)), key=sum):
        kept = words[before : len(words) - behind]
        if kept:
            yield " ".join(word.text for word in kept)


def _merged(lines: Mapping[str, float], among: Mapping[str, str]) -> Mapping[str, float]:
    """Posteriors in which a line counts as what was trimmed out of it (`among`), highest first."""
    meant: dict[str, float] = {}
    for line, share in lines.items():
        found = among.get(line, line)
        meant[found] = meant.get(found, 0.0) + share
    return dict(sorted(meant.items(), key=lambda item: -item[1]))


def _one_soft_word_off(
    heard: Sequence[Hypothesis], read: Mapping[str, Sequence[Reading]], lexicon: Lexicon
) -> dict[str, str]:
    """For each senseless line, the whole move that remains without one soft word at its edge, if another hypothesis is
    that move: the soft "acht" in "acht Springer Eva fünf" is then silence or noise. A "nein" is never trimmed."""
    moves = {one.text for one in heard if is_whole_move(read[one.text][0].meaning) and not read[one.text][0].cost}
    found: dict[str, str] = {}
    for one in heard:
        if read[one.text][0].meaning == Unclear(UnclearReason.NO_SENSE):
            soft = [word.below_db >= SOFTER_DB and not _denies(word, lexicon) for word in one.words]
            left = next((line for line in _trimmings(one.words, soft, 1) if line in moves), None)
            if left is not None and not _of_another_piece(one, left, lexicon):
                found[one.text] = left
    return found


def _trimmed(
    heard: Sequence[Hypothesis],
    read: dict[str, Sequence[Reading]],
    lexicon: Lexicon,
    expectation: Expectation,
    in_noise: bool,
) -> dict[str, str]:
    """Line -> what remains without the words of bystanders. Later rules override earlier ones."""
    found = _one_soft_word_off(heard, read, lexicon)
    if in_noise:
        found |= _full_moves_trimmed(heard, read, lexicon, expectation)
    found |= _moves_trimmed(heard, read, lexicon, expectation)
    found |= _commands_trimmed(heard, read, lexicon, expectation)
    if expectation.asked.kind is not None:
        found |= _answers_trimmed(heard, read, lexicon, expectation)
    return found


def _commands_trimmed(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """For each senseless line, the command (or choice answering the question) that remains with the fewest soft words
    trimmed off; or the one long word louder than all others. Its meaning is added to `read`."""
    found: dict[str, str] = {}
    asked = expectation.asked.kind
    obeyed = expectation.among_talk.union(choices_of(asked) if asked is not None else ())
    for one in heard if expectation.among_talk else ():
        if one.text in found or not isinstance(read[one.text][0].meaning, Unclear):
            continue
        soft = [word.below_db >= BYSTANDER_DB for word in one.words]
        loud = [word for word in one.words if word.below_db < LONE_WORD_DB]
        alone = [word.text for word in loud if len(loud) == 1 and word.ended_ms - word.began_ms >= LONG_WORD_MS]
        for line in (*_trimmings(one.words, soft, MAX_BYSTANDER_WORDS), *alone):
            meaning = _literal(line, read, lexicon, expectation)
            if isinstance(meaning, Command) and meaning.name in obeyed:
                found[one.text] = line
                break
    return found


def _mark_trimmed(
    cheapest: dict[Meaning, Reading],
    best: Hypothesis,
    among: Mapping[str, str],
    read: Mapping[str, Sequence[Reading]],
) -> None:
    """Mark commands that were trimmed out of a line (`among`), unless the best hypothesis is that command alone."""
    for line in set(among.values()) - {best.text}:
        meaning = read[line][0].meaning
        if isinstance(meaning, Command) and meaning in cheapest:
            cheapest[meaning] = replace(cheapest[meaning], trimmed=True)


def _moves_trimmed(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """For each line that is senseless or has an unknown word, the whole move that remains with the fewest soft words
    trimmed off, never a "nein". Its meaning is added to `read`."""
    found: dict[str, str] = {}

    def others(word: Word, softer_db: float) -> bool:
        return word.below_db >= softer_db and not _denies(word, lexicon)

    for one in heard:
        literal = read[one.text][0]
        if one.text in found or not (isinstance(literal.meaning, Unclear) or literal.cost):
            continue
        before = list(takewhile(lambda word: others(word, BYSTANDER_DB), one.words))
        soft = [True] * len(before) + [
            others(word, BYSTANDER_DB if _is_no_word(word, lexicon) else BEHIND_MOVE_DB)
            for word in one.words[len(before) :]
        ]
        for line in _trimmings(one.words, soft, MAX_BYSTANDER_WORDS):
            meaning = _literal(line, read, lexicon, expectation)
            if is_whole_move(meaning):
                if not _of_another_piece(one, line, lexicon):
                    found[one.text] = line
                break
    return found


def _of_another_piece(one: Hypothesis, line: str, lexicon: Lexicon) -> bool:
    """Whether a different piece was named right before this move ("König Springer David drei"): one of the two was
    misrecognised, or the player started over, so the first need not be a bystander's."""
    before, (first, *_) = one.text.partition(line)[0].split()[-1:], line.split()
    return any(set(before) & set(words) and first not in words for words in lexicon.pieces.values())


def _full_moves_trimmed(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """For each senseless line, the legal move announced in full that remains without a word or two on either side,
    however loud (`MAX_LOUD_WORDS`). These must not retract it, be another move or command, or be a sound that is no
    word, since the player may be talking about a move; nor, right after it, a file, rank or piece, which may continue
    or correct it."""
    found: dict[str, str] = {}
    parts = _words_of((*lexicon.files, *lexicon.ranks, *lexicon.pieces.values()))
    for one in heard:
        if one.text in found or not isinstance(read[one.text][0].meaning, Unclear):
            continue
        others = [word.text != UNKNOWN_WORD and not _denies(word, lexicon) for word in one.words]
        for line in _trimmings(one.words, others, MAX_LOUD_WORDS):
            move = _literal(line, read, lexicon, expectation)
            if not is_full_move(move) or not _can_be(move, expectation.board):
                continue
            before, _, behind = (side.strip() for side in f" {one.text} ".partition(f" {line} "))
            beside = [_literal(side, read, lexicon, expectation) for side in (before, behind) if side]
            otherwise = any(isinstance(other, Command) or is_whole_move(other) for other in beside)
            if not otherwise and behind.split(" ")[0] not in parts and not _of_another_piece(one, line, lexicon):
                found[one.text] = line
            break
    return found


def _answers_trimmed(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """For each senseless line, the "ja" or "nein" that remains without much softer words, if another hypothesis is that
    answer alone; or what remains of any line without even softer words (`ELSEWHERE_DB`)."""
    alone = {one.text for one in heard if read[one.text][0].meaning in YES_OR_NO and not read[one.text][0].cost}
    found: dict[str, str] = {}
    for one in heard:
        if one.text in found:
            continue
        own = " ".join(word.text for word in one.words if word.below_db < ELSEWHERE_DB or _denies(word, lexicon))
        if own != one.text and _literal(own, read, lexicon, expectation) in YES_OR_NO:
            found[one.text] = own
            continue
        if not isinstance(read[one.text][0].meaning, Unclear):
            continue
        before = sum(1 for _ in takewhile(lambda word: word.below_db >= BEFORE_ANSWER_DB, one.words))
        soft = [True] * before + [
            at > before and word.below_db >= BEHIND_ANSWER_DB and not _denies(word, lexicon)
            for at, word in enumerate(one.words[before:], before)
        ]
        if left := next((line for line in _trimmings(one.words, soft, MAX_BYSTANDER_WORDS) if line in alone), None):
            found[one.text] = left
    return found


def _literal(
    line: str, read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> Meaning | None:
    """The literal meaning of a line, added to `read`; None if it has an unknown word."""
    if line not in read:
        read[line] = understand_all(line, lexicon, expectation)
    return None if read[line][0].cost else read[line][0].meaning


def _is_no_word(word: Word, lexicon: Lexicon) -> bool:
    """Whether this is noise, or a decoy."""
    return word.text == UNKNOWN_WORD or word.text in lexicon.decoys or word.text in lexicon.fillers


def _denies(word: Word, lexicon: Lexicon) -> bool:
    return _is_denial(word.text, lexicon)


@lru_cache(maxsize=1024)
def _is_denial(word: str, lexicon: Lexicon) -> bool:
    return understand_all(word, lexicon, Expectation())[0].meaning in DENIALS


def _words_of(named: Iterable[Iterable[str]]) -> set[str]:
    return {word for words in named for word in words}


def _prior(meaning: Meaning) -> float:
    return NO_SENSE_PRIOR if isinstance(meaning, Unclear) and meaning.reason in _WITHOUT_SENSE else 1.0


def _add_confused(
    cheapest: dict[Meaning, Reading],
    line: str,
    cost: float,
    expectation: Expectation,
    lexicon: Lexicon,
    confusions: Confusions,
) -> None:
    """Add moves, and answers about moves, that this line may be with one confusion; never a command or "ja", which are
    taken literally. "Nein" only where a move is offered: there it is likelier than a lone rank."""
    words = line.split()
    variants = list(confusions.variants(words, MAX_CONFUSION_MOVE_COST - cost))
    if answering := expectation.asked.kind in ANSWERED_BY_PARTS:
        variants += confusions.answers(words, MAX_CONFUSION_COST - cost)
    for other, extra in variants:
        for reading in understand_all(other, lexicon, expectation):
            denied = reading.meaning == Answer(AnswerKind.NO) and expectation.asked.kind is QuestionKind.WHICH_MOVE
            if is_whole_move(reading.meaning) or denied or (answering and names_a_part(reading.meaning)):
                _keep(cheapest, Reading(reading.meaning, cost + extra + reading.cost, reading.words))


def _is_short(meaning: Meaning) -> bool:
    """Whether this is an answer of a word or two."""
    return isinstance(meaning, Answer) or names_a_part(meaning)


def is_full_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a whole move that names more than its target square. Noise and talk produce many squares, but
    hardly ever a legal move like that."""
    return is_whole_move(meaning) and not names_a_part(meaning)


def names_a_part(meaning: Meaning) -> bool:
    """Whether this is a partial move or another hint at one: a square, a file, a rank, a piece, a number, a side."""
    match meaning:
        case SpokenMove():
            return replace(meaning, to_file=None, to_rank=None) == SpokenMove() or not meaning.complete
        case Answer(kind):
            return kind is AnswerKind.CHOICE
        case Command(name):
            return name in ("file", "rank", *CASTLING_CHOICES)
    return False


def _keep(cheapest: dict[Meaning, Reading], reading: Reading) -> None:
    known = cheapest.get(reading.meaning)
    if known is None or reading.cost < known.cost:
        cheapest[reading.meaning] = reading
