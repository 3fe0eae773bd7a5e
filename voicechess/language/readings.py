"""What the recogniser heard, as readings for the game: each hypothesis understood, the likelier ones cheaper.

A reading's cost is -log of its share in everything that was heard. The recogniser's alternatives share one: words
clearly said leave next to nothing to others, while coughs and talk that is no chess make many alternatives that are
equally poor, and none of them comes near a whole share. That, not the recogniser's confidence, tells speech for us
from other speech. Beside these literal readings stand those with one word changed for what it is often taken for.

How sure is sure enough, `language.thresholds` tells.
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
from voicechess.language.thresholds import WRONG_MOVE_HARM, load_thresholds
from voicechess.language.tokens import tokenise
from voicechess.language.understanding import CASTLING_CHOICES, CHOICES, EDGE_WORD_COST, understand_all
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

BREATH_MS = 700
"""A pause between two words, in milliseconds, that people make between two sentences; larger: more is taken as one."""

MOST_CHANGED = 3
"""The number of best hypotheses in which words are changed for what they may have been taken for."""

NO_SENSE_LIKELIHOOD = 0.4
"""Weight of a line that makes no sense: people say such lines less often than the recogniser's grammar assumes."""

_WITHOUT_SENSE = frozenset({UnclearReason.NO_SENSE, UnclearReason.CHECK_ALONE})

FIT_COST = 0.2
"""Cost of speech per unit that its fit (`Hypothesis.fit`) is below the threshold."""

FAR_FROM_DB, FAR_COST = 7.5, 0.5
"""Words up to so much softer than the loudest may be the same voice's; the cost of each decibel more."""

REST_FROM_DB = 10.0
"""The same for what makes a whole move of a part of one: that is rather said by one person than by two."""

PART_COST = 4.0
"""What a part of a move costs that is a whole one with the softer words beside it."""

SOFTER_DB = 3.0
"""Words so much softer than the loudest may be somebody else's."""

NEARER_COST = 1.0
"""Of a whole move between words that make no sense with it."""

MOST_BESIDE = 4
"""The most softer words (`BYSTANDER_DB`) on either side of a command or a move that may be somebody else's."""

MOST_LOUD = 2
"""The same, in noise, of words that are as loud as the move that they stand beside."""

BEHIND_DB = 5.0
"""The same of words behind a move: a voice sinks at the end of what it says."""

BEFORE_ANSWER_DB, BEHIND_ANSWER_DB = 10.0, 6.0
"""The same of words before and behind "ja" or "nein": the article in "das Jahr" is softer too, but not by so much."""

ELSEWHERE_DB = 12.0
"""Words so much softer were not said by whoever answered, even if the answer was never heard without them."""

LOUDEST_DB = 1.0
"""A long word that is so much louder than all others may be a command by itself, whatever is beside it."""

DENIALS = (Answer(AnswerKind.NO), Answer(AnswerKind.NONE), Command("correct"))
"""However softly it was said, a move is not made that was taken back in the same breath."""

YES_OR_NO = tuple(Answer(kind) for kind in (AnswerKind.YES, AnswerKind.NO, AnswerKind.NONE))

ANSWERED_BY_PARTS = frozenset({QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE, QuestionKind.PROMOTION})
"""Questions that a word or two can answer."""

MOST_CHANGED_COST, MOST_CHANGED_MOVE_COST = 6.0, 4.0
"""Readings with a changed word that cost more are not worth a question: answers, and moves."""


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
    """The readings of one utterance, best first, never empty; never raises.

    A meaning that several hypotheses have is as likely as all of them together. What understanding charges (for a
    strange word beside a move) and what a changed word costs is added. Noise that scores best stays first: what is
    likelier than every announcement is not one. Moves outside the beam come last.

    `confusions` None: those measured for the language. The others None: the threshold of that name. `again`: the
    weight of each hearing at another speed, where the sound was heard again; the first hearing has 1. `fit`: the least
    fit that speech for us has; what fits its words less well costs more, since it may be any other sound. `alone`: how
    much above that an answer of a word or two must be; below, a reading beside it says that nothing was answered.
    `in_noise`: others may have said words as loud as the player's.
    """
    wider = [one for one in hypotheses if one.edge_below_db is not None]
    hypotheses = [one for one in hypotheses if one.edge_below_db is None]
    if not hypotheses:
        return (Reading(Unclear(UnclearReason.NOTHING)),)
    read: dict[str, Sequence[Reading]] = {
        one.text: _of_two_breaths(one, understand_all(one.text, lexicon, expectation, typed), lexicon)
        for one in hypotheses
    }
    chosen = load_thresholds()
    again = chosen.again if again is None else again
    fit = chosen.fit if fit is None else fit
    alone = chosen.alone if alone is None else alone
    answering = expectation.asked.kind in ANSWERED_BY_PARTS
    by_speed = _by_speed(hypotheses)
    hearings = {speed: hearing if answering else within_beam(hearing) for speed, hearing in by_speed.items()}
    heard = [one for hearing in hearings.values() for one in hearing]
    among = {} if typed else _among(heard, read, lexicon, expectation, in_noise)
    lines = _meant(_shares(hearings, read, again), among)
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
        _add_far(cheapest, by_speed.get(1.0, []), lines, read)
    if not typed and expectation.board is not None:
        if confusions is None:
            confusions = load_confusions(lexicon.heard.code)
        for line in list(lines)[:MOST_CHANGED]:
            _change_words(cheapest, line, -log(lines[line]), expectation, lexicon, confusions)
    _mark_between(cheapest, hypotheses[0], among, read)
    _add_wider(cheapest, wider, lexicon, expectation)
    if not typed and all(isinstance(meaning, Unclear) for meaning in cheapest):
        _add_nearer(cheapest, hypotheses[0], lexicon, expectation)
    fitting = hypotheses[0].fit
    if fitting is not None:
        cheapest = _unlike(cheapest, fitting - fit, alone if answering else None)
    return tuple(sorted(cheapest.values(), key=lambda one: (one.cost, isinstance(one.meaning, Unclear))))


def _of_two_breaths(hypothesis: Hypothesis, readings: Sequence[Reading], lexicon: Lexicon) -> Sequence[Reading]:
    """The readings, of which a move that goes through a long pause is worth a question where both sides of the pause
    are something by themselves: "(wo sind) meine Springer", and then "Cesar drei", is no knight's move.

    The plain beginning of an announcement is none: who says "Springer" and thinks about the rest has said one move.
    """
    words = hypothesis.words
    pauses = [later.began_ms - word.ended_ms for word, later in pairwise(words)]
    longest = max(pauses, default=0)
    if longest < BREATH_MS:
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


def _unlike(readings: Mapping[Meaning, Reading], above: float, alone: float | None) -> dict[Meaning, Reading]:
    """What may be any other sound is dearer; of short answers (`alone`), nothing having been said is the rival instead.

    So one that fits its words badly is read back, neither taken nor thrown away. "Ja" cannot be read back, but is
    hardly ever what other speech is taken for, while noise makes a single word fit badly.
    """
    dearer = FIT_COST * max(0.0, -above)
    # Where an answer fits just well enough, nothing having been said is as likely as an answer may be wrong.
    nothing = 50.0 if alone is None else max(-50.0, min(50.0, log(WRONG_MOVE_HARM) + FIT_COST * (above - alone)))
    shared = log1p(exp(-nothing))
    found = {
        meaning: replace(one, cost=one.cost + (shared if alone is not None and _is_short(meaning) else dearer))
        for meaning, one in readings.items()
    }
    if nothing < MOST_CHANGED_COST:
        _keep(found, Reading(Unclear(UnclearReason.NOTHING), log1p(exp(nothing))))
    return found


def _by_speed(hypotheses: Sequence[Hypothesis]) -> dict[float, list[Hypothesis]]:
    """Each hearing, the likeliest first."""
    hearings: dict[float, list[Hypothesis]] = {}
    for one in sorted(hypotheses, key=lambda one: -one.log_likelihood):
        hearings.setdefault(one.speed, []).append(one)
    return hearings


def _shares(
    hearings: Mapping[float, Sequence[Hypothesis]], read: Mapping[str, Sequence[Reading]], again: float
) -> dict[str, float]:
    """How much of everything that was heard each line has, the greatest share first, in all 1.

    Every hearing has its weight, shared out among its hypotheses: so words that are understood at one speed only have a
    part of it, however sure the recogniser was of them at that speed.
    """
    weight_of = {speed: 1.0 if speed == 1.0 else again for speed in hearings}
    lines: dict[str, float] = {}
    for speed, hearing in hearings.items():
        best = hearing[0].log_likelihood
        weights = [exp(max(-50.0, one.log_likelihood - best)) * _sense(read[one.text][0].meaning) for one in hearing]
        for one, weight in zip(hearing, weights, strict=True):
            lines[one.text] = lines.get(one.text, 0.0) + weight_of[speed] * weight / sum(weights)
    heard = sum(weight_of.values())
    return {line: share / heard for line, share in sorted(lines.items(), key=lambda item: -item[1]) if share > 0}


def _add_far(
    cheapest: dict[Meaning, Reading],
    hearing: Sequence[Hypothesis],
    lines: Mapping[str, float],
    read: Mapping[str, Sequence[Reading]],
) -> None:
    """Add the moves that no near hypothesis means, each by its likeliest: by how much less likely than the best."""
    first = len(within_beam(hearing))
    known = set(cheapest)
    top, share = next(iter(lines.items()))
    base = log(_sense(read[top][0].meaning)) - log(share)
    for one in hearing[first:]:
        for reading in read[one.text]:
            if isinstance(reading.meaning, SpokenMove) and reading.meaning not in known:
                cost = reading.cost + base + hearing[0].log_likelihood - one.log_likelihood
                _keep(cheapest, Reading(reading.meaning, max(0.0, cost), reading.words))


def _add_wider(
    cheapest: dict[Meaning, Reading], wider: Sequence[Hypothesis], lexicon: Lexicon, expectation: Expectation
) -> None:
    """Add the moves that are announced if softer words beside the near voice were its own after all: "Springer Gustav
    eins", and softer "Felix drei". A part of a move that is made whole by them is dearer by what they are cheaper, but
    not for what cannot be: of "Läufer Felix vier" a soft "sieben" may be left."""
    for one in wider:
        for reading in understand_all(one.text, lexicon, expectation):
            if not is_whole_move(reading.meaning) or one.edge_below_db is None:
                continue
            parts = [meaning for meaning in cheapest if is_partial_move(meaning)]
            doubt = FAR_COST * (one.edge_below_db - (REST_FROM_DB if parts else FAR_FROM_DB))
            for part in parts if _can_be(reading.meaning, expectation.board) else ():
                cheapest[part] = replace(cheapest[part], cost=cheapest[part].cost + max(0.0, PART_COST - doubt))
            _keep(cheapest, Reading(reading.meaning, reading.cost + max(0.0, doubt), reading.words))


def _can_be(move: SpokenMove, board: chess.Board | None) -> bool:
    """Whether something that can be named so may go there; where no position is known, anything."""
    if board is None or move.target is None:
        return True
    piece = chess.PAWN if move.piece is None and move.origin is None else move.piece
    to = board.generate_legal_moves(to_mask=chess.BB_SQUARES[move.target])
    return any(piece in (None, board.piece_type_at(legal.from_square)) for legal in to)


def _add_nearer(
    cheapest: dict[Meaning, Reading], hypothesis: Hypothesis, lexicon: Lexicon, expectation: Expectation
) -> None:
    """Add the whole move that is left of senseless words without softer ones, and sounds that are no words, at the
    edges: as few of them as can be. Others may have said those; so it is worth a question. From one square to another,
    and castling to a side, it may stand between words as loud as its own: talk hardly ever comes to that."""
    words = hypothesis.words
    soft = [word.below_db >= SOFTER_DB or _passed_over(word, lexicon) for word in words]
    loud = [not _denies(word, lexicon) for word in words]

    for beside, most, any_move in ((soft, len(words), True), (loud, MOST_BESIDE, False)):
        for line in _without_edges(words, beside, most):
            for reading in understand_all(line, lexicon, expectation):
                move = reading.meaning
                if not is_whole_move(move) or reading.cost:
                    continue
                sides = move.castling in (Castling.KINGSIDE, Castling.QUEENSIDE)
                if any_move or sides or move.origin is not None:
                    _keep(cheapest, replace(reading, cost=NEARER_COST))
                    return


def _without_edges(words: Sequence[Word], soft: Sequence[bool], most: int) -> Iterator[str]:
    """The words, and then what is left without soft ones at their edges, at most `most` on either side: as few of them
    as can be first."""
    left, right = (min(most, sum(1 for _ in takewhile(bool, side))) for side in (soft, reversed(soft)))
    for before, behind in sorted(product(range(left + 1), range(right + 1)), key=sum):
        kept = words[before : len(words) - behind]
        if kept:
            yield " ".join(word.text for word in kept)


def _meant(lines: Mapping[str, float], among: Mapping[str, str]) -> Mapping[str, float]:
    """Shares, in which a line that has something among words of others (`among`) counts to that, the greatest first."""
    meant: dict[str, float] = {}
    for line, share in lines.items():
        found = among.get(line, line)
        meant[found] = meant.get(found, 0.0) + share
    return dict(sorted(meant.items(), key=lambda item: -item[1]))


def _beside_soft_word(
    heard: Sequence[Hypothesis], read: Mapping[str, Sequence[Reading]], lexicon: Lexicon
) -> dict[str, str]:
    """The whole move in each line that makes no sense but without a softer word before or behind it, and never a
    "nein", where the move was heard without it as well: what was softly taken for "acht" in "acht Springer Eva fünf" is
    silence or noise then."""
    moves = {one.text for one in heard if is_whole_move(read[one.text][0].meaning) and not read[one.text][0].cost}
    found: dict[str, str] = {}
    for one in heard:
        if read[one.text][0].meaning == Unclear(UnclearReason.NO_SENSE):
            soft = [word.below_db >= SOFTER_DB and not _denies(word, lexicon) for word in one.words]
            if left := next((line for line in _without_edges(one.words, soft, 1) if line in moves), None):
                found[one.text] = left
    return found


def _among(
    heard: Sequence[Hypothesis],
    read: dict[str, Sequence[Reading]],
    lexicon: Lexicon,
    expectation: Expectation,
    in_noise: bool,
) -> dict[str, str]:
    """What is meant in each line that has words of others beside it. Where there are several, what comes last here."""
    found = _beside_soft_word(heard, read, lexicon)
    if in_noise:
        found |= _full_moves_among(heard, read, lexicon, expectation)
    found |= _among_others(heard, read, lexicon, expectation)
    found |= _among_talk(heard, read, lexicon, expectation)
    if expectation.asked.kind is not None:
        found |= _answers_among_others(heard, read, lexicon, expectation)
    return found


def _among_talk(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """The command, or choice that answers the question, in each line that makes sense only without softer words before
    and behind it, which others may have said: as few of them as can be; or the one long word that is louder than all
    others. What these mean is added to `read`."""
    found: dict[str, str] = {}
    asked = expectation.asked.kind
    obeyed = expectation.among_talk.union(CHOICES.get(asked, ()) if asked is not None else ())
    for one in heard if expectation.among_talk else ():
        if one.text in found or not isinstance(read[one.text][0].meaning, Unclear):
            continue
        soft = [word.below_db >= BYSTANDER_DB for word in one.words]
        loud = [word for word in one.words if word.below_db < LOUDEST_DB]
        alone = [word.text for word in loud if len(loud) == 1 and word.ended_ms - word.began_ms >= LONG_WORD_MS]
        for line in (*_without_edges(one.words, soft, MOST_BESIDE), *alone):
            meaning = _literal(line, read, lexicon, expectation)
            if isinstance(meaning, Command) and meaning.name in obeyed:
                found[one.text] = line
                break
    return found


def _mark_between(
    cheapest: dict[Meaning, Reading],
    best: Hypothesis,
    among: Mapping[str, str],
    read: Mapping[str, Sequence[Reading]],
) -> None:
    """Mark the commands that stand between words of others (`among`), where the best hypothesis is not that alone."""
    for line in set(among.values()) - {best.text}:
        meaning = read[line][0].meaning
        if isinstance(meaning, Command) and meaning in cheapest:
            cheapest[meaning] = replace(cheapest[meaning], trimmed=True)


def _among_others(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """The whole move in each line that makes no sense, or has a strange word, but for softer words before and behind
    it: as few of them as can be, and never a "nein". What the moves mean is added to `read`."""
    found: dict[str, str] = {}

    def others(word: Word, softer_db: float) -> bool:
        return word.below_db >= softer_db and not _denies(word, lexicon)

    for one in heard:
        literal = read[one.text][0]
        if one.text in found or not (isinstance(literal.meaning, Unclear) or literal.cost):
            continue
        before = list(takewhile(lambda word: others(word, BYSTANDER_DB), one.words))
        soft = [True] * len(before) + [
            others(word, BYSTANDER_DB if _passed_over(word, lexicon) else BEHIND_DB)
            for word in one.words[len(before) :]
        ]
        for line in _without_edges(one.words, soft, MOST_BESIDE):
            meaning = _literal(line, read, lexicon, expectation)
            if is_whole_move(meaning):
                found[one.text] = line
                break
    return found


def _full_moves_among(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """The legal move announced in full in each line that makes no sense but for a word or two before and behind it,
    however loud (`MOST_LOUD`): none that takes it back, and no other move or command. Nor a sound that is no word: the
    player may be talking about a move. Nor, right behind it, what names a file, a rank or a piece: it may go on so, or
    be corrected."""
    found: dict[str, str] = {}
    parts = _words_of((*lexicon.files, *lexicon.ranks, *lexicon.pieces.values()))
    for one in heard:
        if one.text in found or not isinstance(read[one.text][0].meaning, Unclear):
            continue
        others = [word.text != UNKNOWN_WORD and not _denies(word, lexicon) for word in one.words]
        for line in _without_edges(one.words, others, MOST_LOUD):
            move = _literal(line, read, lexicon, expectation)
            if not is_full_move(move) or not _can_be(move, expectation.board):
                continue
            before, _, behind = (side.strip() for side in f" {one.text} ".partition(f" {line} "))
            beside = [_literal(side, read, lexicon, expectation) for side in (before, behind) if side]
            otherwise = any(isinstance(other, Command) or is_whole_move(other) for other in beside)
            if not otherwise and behind.split(" ")[0] not in parts:
                found[one.text] = line
            break
    return found


def _answers_among_others(
    heard: Sequence[Hypothesis], read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> dict[str, str]:
    """The "ja" or "nein" in each line that makes no sense but for much softer words before and behind it, where it was
    heard alone as well; or that is left of any line without words that are softer still."""
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
        if left := next((line for line in _without_edges(one.words, soft, MOST_BESIDE) if line in alone), None):
            found[one.text] = left
    return found


def _literal(
    line: str, read: dict[str, Sequence[Reading]], lexicon: Lexicon, expectation: Expectation
) -> Meaning | None:
    """What a line means as it stands, which is added to `read`; None where something in it is strange."""
    if line not in read:
        read[line] = understand_all(line, lexicon, expectation)
    return None if read[line][0].cost else read[line][0].meaning


def _passed_over(word: Word, lexicon: Lexicon) -> bool:
    """Whether this is no word, or one that is heard in every room."""
    return word.text == UNKNOWN_WORD or word.text in lexicon.decoys or word.text in lexicon.fillers


def _denies(word: Word, lexicon: Lexicon) -> bool:
    return _is_denial(word.text, lexicon)


@lru_cache(maxsize=1024)
def _is_denial(word: str, lexicon: Lexicon) -> bool:
    return understand_all(word, lexicon, Expectation())[0].meaning in DENIALS


def _words_of(named: Iterable[Iterable[str]]) -> set[str]:
    return {word for words in named for word in words}


def _sense(meaning: Meaning) -> float:
    return NO_SENSE_LIKELIHOOD if isinstance(meaning, Unclear) and meaning.reason in _WITHOUT_SENSE else 1.0


def _change_words(
    cheapest: dict[Meaning, Reading],
    line: str,
    cost: float,
    expectation: Expectation,
    lexicon: Lexicon,
    confusions: Confusions,
) -> None:
    """Add the moves, and the answers about moves, that this line may stand for; never a command or "ja", which are
    taken at their word. "Nein" only where a move is offered: there it is often said, and seldom a rank alone."""
    words = line.split()
    variants = list(confusions.variants(words, MOST_CHANGED_MOVE_COST - cost))
    if answering := expectation.asked.kind in ANSWERED_BY_PARTS:
        variants += confusions.answers(words, MOST_CHANGED_COST - cost)
    for other, extra in variants:
        for reading in understand_all(other, lexicon, expectation):
            denied = reading.meaning == Answer(AnswerKind.NO) and expectation.asked.kind is QuestionKind.WHICH_MOVE
            if is_whole_move(reading.meaning) or denied or (answering and names_a_part(reading.meaning)):
                _keep(cheapest, Reading(reading.meaning, cost + extra + reading.cost, reading.words))


def _is_short(meaning: Meaning) -> bool:
    """Whether this is a word or two that answer a question."""
    return isinstance(meaning, Answer) or names_a_part(meaning)


def is_full_move(meaning: Meaning | None) -> TypeGuard[SpokenMove]:
    """Whether this is a whole move that says more than the square it goes to: hardly anything but an announcement comes
    to one that is legal, while of noise and of others' words many squares are left."""
    return is_whole_move(meaning) and not names_a_part(meaning)


def names_a_part(meaning: Meaning) -> bool:
    """Whether this is less than a move but says which one: what distinguishes it, be it its square, or its number."""
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
