"""The decision on an utterance in a position: play, ask, refuse with the reason, obey, or not understood.

Every rule has one signature (`Rule`) and one place in `RULES`; the first that decides counts.
`decide` is the only place where that choice is made, on readings ranked by cost. A move is played only if its reading
is the best and no reading of another meaning is a rival, within `Thresholds.margin` of it; with a rival it asks. For a
legal move announced in full only legal ones are rivals, up to `Thresholds.full`. Playing a move that was not meant is
far worse than any question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log

import chess

from voicechess.language.natural import ANSWERED_BY_PARTS
from voicechess.language.thresholds import WRONG_MOVE_HARM, Thresholds, contenders, load_thresholds
from voicechess.meaning import (
    NO_QUESTION,
    Answer,
    AnswerKind,
    Command,
    Meaning,
    Question,
    QuestionKind,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
    is_full_move,
    is_partial_move,
    is_whole_move,
    names_a_part,
)
from voicechess.moves.decisions import (
    MAX_CHOICES,
    Act,
    Ask,
    AskPromotion,
    Complete,
    Decision,
    NotUnderstood,
    Play,
    Refuse,
    Reply,
    decide_one,
    moves_of,
)
from voicechess.moves.fitting import fits, in_order

UNREPEATED_LIKELIHOOD = 0.25
"""Likelihood of a meaning that was not among the previous readings, relative to one that was. Larger: a repetition
helps less."""

MAX_COST_BEFORE = 3.0
"""Highest cost of a previous reading that counts in a repetition. Larger: more repetitions count."""

MIN_DENIAL = 0.5
"""Posterior of "nein", 0 to 1, above which it answers a question. Tuned on the sets (c), (i), (k). Larger: fewer do."""

UNRELATED_LIKELIHOOD = 0.1
"""Likelihood, relative to "nein", that the single move offered is answered by a number or a part of another move: in
noise "nein" is recognised as "eins". If recognised with certainty, it is kept. Tuned on the set (k). Larger: fewer
"nein"."""

__all__ = [
    "NO_ANSWERS",
    "Act",
    "Ask",
    "AskPromotion",
    "Complete",
    "Decision",
    "NotUnderstood",
    "Play",
    "Refuse",
    "Reply",
    "candidates",
    "decide",
    "is_likely_command",
    "weighed",
]


def decide(
    board: chess.Board,
    readings: Sequence[Reading],
    asked: Question = NO_QUESTION,
    thresholds: Thresholds | None = None,
    typed: bool = False,
) -> Decision:
    """The decision on `readings` on `board`, which is not changed. `thresholds`: None for those loaded."""
    if not readings:
        return NotUnderstood(UnclearReason.NOTHING)
    ranked = sorted(readings, key=lambda reading: reading.cost)
    case = Case(board, ranked, asked, thresholds or load_thresholds(), typed)
    decision = next(decision for rule in RULES if (decision := rule(case)) is not None)
    return NotUnderstood(UnclearReason.NOTHING) if _is_talk(decision, case) else decision


def is_likely_command(readings: Sequence[Reading]) -> bool:
    """Whether the best reading is a command sure enough to be obeyed, rivals aside."""
    if not readings:
        return False
    best = readings[0]
    return isinstance(best.meaning, Command) and not best.trimmed and best.cost <= load_thresholds().command


def weighed(
    board: chess.Board, readings: Sequence[Reading], before: Sequence[Reading], asked: Question = NO_QUESTION
) -> Sequence[Reading]:
    """The readings with their posteriors updated by those `before`, an utterance that was not understood, since it is
    probably repeated now: a move heard both times becomes more probable, all others less.

    Two doubtful readings of one move with different rivals remove the doubt; with the same rivals they do not, nor do
    they decide between a whole move and a part with noise behind it. A command or an answer of a word or two counts as
    no repetition.
    """
    heard: set[chess.Move | Meaning] = set()
    for one in before:
        if one.cost < MAX_COST_BEFORE and isinstance(one.meaning, SpokenMove):
            heard |= set((one.meaning.complete and fits(board, one.meaning)) or (one.meaning,))
    best = min(readings, key=lambda one: one.cost).meaning if readings and heard else None
    if best is None or isinstance(best, Command | Answer):
        return readings
    if asked.kind in ANSWERED_BY_PARTS and not asked.whole and names_a_part(best):
        return readings

    def likelihood(meaning: Meaning) -> float:
        again = isinstance(meaning, SpokenMove) and not heard.isdisjoint((meaning, *fits(board, meaning)))
        return 1.0 if again else UNREPEATED_LIKELIHOOD

    weights = [likelihood(one.meaning) for one in readings]
    shares = [exp(-one.cost) for one in readings]
    left = sum(share * weight for share, weight in zip(shares, weights, strict=True)) / sum(shares)
    return [
        replace(one, cost=max(0.0, one.cost + log(left / weight)))
        for one, weight in zip(readings, weights, strict=True)
    ]


@dataclass(frozen=True)
class Case:
    """An utterance to be decided on: all that a rule looks at."""

    board: chess.Board
    ranked: Sequence[Reading]  # lowest cost first, not empty
    asked: Question
    thresholds: Thresholds
    typed: bool

    @cached_property
    def in_full(self) -> bool:
        """Whether a legal move was announced in full, so that only legal ones are rivals."""
        return not self.typed and _is_played_in_full(self.board, self.ranked, self.asked, self.thresholds)

    @cached_property
    def meanings(self) -> Mapping[Meaning, float]:
        """The meanings near the best one, and how much costlier each is. Readings of the same meaning support each
        other and are no rivals."""
        found: dict[Meaning, float] = {}
        margin = self.thresholds.full if self.in_full else self.thresholds.margin
        for reading in contenders(self.ranked, margin, self.thresholds.half).readings:
            found.setdefault(reading.meaning, reading.cost - self.ranked[0].cost)
        return found

    @cached_property
    def decided(self) -> Sequence[tuple[Decision, float]]:
        """The decision on each of these meanings, and how much costlier it is."""
        return [(decide_one(self.board, meaning, self.asked), above) for meaning, above in self.meanings.items()]

    @cached_property
    def decisions(self) -> Sequence[Decision]:
        """Those of them that count: the best one, then its rivals."""
        near = self.thresholds.margin
        found = [one for one, above in self.decided if _may_be_meant(one) or (not self.in_full and above < near)]
        if self.typed and len(found) > 1:
            # Ambiguous letters ("Bb4") are no recognition error, so a meaning ruled out by the position is no rival.
            found = [decision for decision in found if not isinstance(decision, Refuse)] or found[:1]
        return found

    @property
    def best(self) -> Decision:
        """The decision on the best reading."""
        return self.decisions[0]

    @cached_property
    def rivals(self) -> Sequence[Decision]:
        """Decisions about other moves than the best one's."""
        return [decision for decision in self.decisions[1:] if not _same(decision, self.best)]

    @cached_property
    def moves(self) -> tuple[chess.Move, ...]:
        """The moves of all decisions that count, likeliest first."""
        costs: dict[chess.Move, float] = {}
        for one, above in self.decided:
            for move in moves_of(one) if one in self.decisions else ():
                costs.setdefault(move, above)
        return in_order(self.board, costs)

    @cached_property
    def cost(self) -> float:
        """Minus the logarithm of the probability that the best move was meant, over all readings that mean it."""
        cost = self.ranked[0].cost - log(sum(exp(-above) for one, above in self.decided if _same(one, self.best)))
        if self.in_full:
            cost += log(_probability_meant(self.board, self.ranked, self.asked, self.thresholds.senseless))
        return cost

    @property
    def doubtful(self) -> bool:
        """Whether the best move has rivals, or a cost too high to be played, or hints at an error."""
        return bool(self.rivals and self.moves) or self.cost > self.thresholds.clean or self.suspect

    @property
    def suspect(self) -> bool:
        """Whether the best reading hints at an error that would recur (`Reading.suspect`)."""
        return self.ranked[0].suspect


Rule = Callable[[Case], Decision | None]
"""A rule: the decision; None if the rule does not apply."""


def _is_talk(decision: Decision, case: Case) -> bool:
    """Whether this is probably noise or talk in the room, which is not answered by a sentence. Who typed, or was asked
    something, speaks to the program.

    Nearly all readings of an announcement, however unclear, are moves; of other sounds many have no meaning, and a
    supposed part of a move fits several.
    """
    best, cost, thresholds = case.ranked[0].meaning, case.ranked[0].cost, case.thresholds
    if case.typed or case.asked.kind is not None:
        return False
    if isinstance(best, Unclear) and cost <= thresholds.refuse:
        return False  # clearly recognised without a meaning: said so, or a similar move is asked about
    match decision:
        case Complete() if cost > thresholds.part:
            return True
        case Ask() | AskPromotion() | Complete() | Refuse():
            senseless = sum(exp(-one.cost) for one in case.ranked if isinstance(one.meaning, Unclear))
            return senseless > 1 - exp(-(thresholds.whole if is_whole_move(best) else thresholds.sense))
        case NotUnderstood(UnclearReason.NO_SENSE | UnclearReason.CHECK_ALONE | UnclearReason.UNKNOWN_WORDS):
            return cost > thresholds.refuse
    return False


def _command(case: Case) -> Decision | None:
    """A command is obeyed if it is sure enough and nothing else may be done."""
    best = case.best
    if not isinstance(best, Act):
        return None
    acting = any(not isinstance(rival, NotUnderstood) for rival in case.rivals)
    if acting or case.ranked[0].cost > case.thresholds.command:
        return NotUnderstood(UnclearReason.NO_SENSE)
    return replace(best, trimmed=case.ranked[0].trimmed)


def _reply(case: Case) -> Decision | None:
    """An answer counts if it is sure enough: a doubtful "ja" closes no question."""
    if not isinstance(case.best, Reply):
        return None
    if case.rivals or case.ranked[0].cost > case.thresholds.command:
        return NotUnderstood(UnclearReason.NO_SENSE)
    return _clear(case)


def _too_unlikely(case: Case) -> Decision | None:
    """A doubtful move is not even asked about if it is too unlikely."""
    too_unlikely = case.doubtful and case.cost > case.thresholds.ask
    return NotUnderstood(UnclearReason.NO_SENSE) if too_unlikely else None


def _promotion(case: Case) -> Decision | None:
    """Only the piece of a promotion is doubtful: it is asked for."""
    best = case.best
    only_piece = case.doubtful and not case.suspect
    return best if only_piece and isinstance(best, AskPromotion) and set(case.moves) == set(best.moves) else None


def _said_again(case: Case) -> Decision | None:
    """The single proposed move was announced again, which counts as yes however doubtful."""
    half = any(isinstance(rival, Complete) for rival in case.rivals)  # the same noise may complete it twice
    again = case.doubtful and isinstance(case.best, Play) and not half and not case.suspect
    return case.best if again and _says_again(case.board, case.moves, case.ranked[0], case.asked, case.rivals) else None


def _which(case: Case) -> Decision | None:
    """A doubtful move is asked about, with its rivals; an unclear word is not asked for once more."""
    if not case.doubtful:
        return None
    if not case.moves:
        return case.best
    best, *others = case.ranked
    letters = all(one.letter for one in others if one.meaning in case.meanings and one.meaning != best.meaning)
    if not case.typed and (_short_answer(best, case.asked) or (case.rivals and letters) or case.suspect):
        return Ask(case.moves[:1], rest=case.moves[1:MAX_CHOICES])
    return Ask(case.moves[:MAX_CHOICES])


def _clear(case: Case) -> Decision:
    """Anything else is clear; a short answer may be read back."""
    return case.best if case.typed else _read_back(case.board, case.ranked, case.best, case.asked)


def _is_played_in_full(board: chess.Board, ranked: Sequence[Reading], asked: Question, thresholds: Thresholds) -> bool:
    """Whether the best reading is a legal move announced in full. Misrecognised words rarely make a legal move, so only
    other legal moves can have been said instead. But "Dame Bella vier" may be an origin if "Dame Bella vier auf" is a
    contender."""
    best, move = ranked[0], ranked[0].meaning
    if not is_full_move(move) or not isinstance(decide_one(board, move, asked), Play):
        return False
    longer = [one for one in contenders(ranked, thresholds.full).readings if one.words.startswith(f"{best.words} ")]
    return move.origin is not None or all(_may_be_meant(decide_one(board, one.meaning, asked)) for one in longer)


def _may_be_meant(decision: Decision) -> bool:
    return not isinstance(decision, Refuse | NotUnderstood)


def _probability_meant(board: chess.Board, ranked: Sequence[Reading], asked: Question, senseless: float) -> float:
    """The probability that remains if illegal and meaningless readings get the weight `senseless`, 0 to 1."""
    shares = [(exp(-one.cost), _may_be_meant(decide_one(board, one.meaning, asked))) for one in ranked]
    return sum(share if meant else senseless * share for share, meant in shares) / sum(share for share, _ in shares)


def _same(decision: Decision, best: Decision) -> bool:
    """Whether this decision is about the moves of `best`, even with a doubt.

    "Springer mal Felix drei" with f3 empty is the same move as "Springer nach Felix drei".
    """
    moves = moves_of(decision)
    return decision == best or (bool(moves) and set(moves) <= set(moves_of(best)))


def _short_answer(reading: Reading, asked: Question) -> bool:
    """Whether the decision rests on a word or two, without context."""
    return asked.kind in ANSWERED_BY_PARTS and names_a_part(reading.meaning)


def _says_again(
    board: chess.Board,
    moves: tuple[chess.Move, ...],
    reading: Reading,
    asked: Question,
    rivals: Sequence[Decision],
) -> bool:
    """Whether the single proposed move was announced again, which counts as yes.

    Unless the question asked for that, it may be another move in place of the proposal: then the piece must be named (a
    square alone names a pawn), and there must be no rival, legal or illegal.
    """
    if asked.whole or len(moves) != 1 or moves != asked.candidates:
        return _confirms(moves, reading, asked)
    said, denied = reading.meaning, any(not isinstance(rival, NotUnderstood) for rival in rivals)
    pawn = board.piece_type_at(moves[0].from_square) == chess.PAWN
    return is_whole_move(said) and (pawn or not names_a_part(said)) and not denied


def _confirms(moves: tuple[chess.Move, ...], reading: Reading, asked: Question) -> bool:
    """Whether the single proposed move was announced again, at least its target, as the question required.

    Two independent utterances then agree on it, though in noise neither may be certain enough alone.
    """
    return asked.whole and is_whole_move(reading.meaning) and len(moves) == 1 and moves == asked.candidates


NO_ANSWERS = (Answer(AnswerKind.NO), Answer(AnswerKind.NONE))


def _denied(case: Case) -> Decision | None:
    """The "nein" to a question if its posterior exceeds `MIN_DENIAL`: it plays nothing, so that at worst a move has to
    be said again.

    A single proposed move is not answered by a part of another one, so the probability of that is discounted.
    """
    board, ranked, asked = case.board, case.ranked, case.asked
    if asked.kind is None:
        return None
    likeliest = next((one.meaning for one in ranked if one.meaning in NO_ANSWERS), None)
    best = ranked[0].meaning
    if not isinstance(likeliest, Answer) or not (best in NO_ANSWERS or _relevance(board, best, asked) < 1):
        return None
    unlikely = sum(exp(-one.cost) * (1 - _relevance(board, one.meaning, asked)) for one in ranked)
    no = sum(exp(-one.cost) for one in ranked if one.meaning in NO_ANSWERS)
    return Reply(likeliest) if no > MIN_DENIAL * (1 - unlikely) else None


def _relevance(board: chess.Board, meaning: Meaning, asked: Question) -> float:
    """Likelihood of `meaning` as an answer to a single proposed move: below 1 if it is no part of that move."""
    if asked.kind is not QuestionKind.WHICH_MOVE or len(asked.candidates) != 1 or not names_a_part(meaning):
        return 1.0
    of_none = isinstance(meaning, Answer) or isinstance(decide_one(board, meaning, asked), NotUnderstood)
    return UNRELATED_LIKELIHOOD if of_none else 1.0


def _read_back(board: chess.Board, ranked: Sequence[Reading], best: Decision, asked: Question) -> Decision:
    """`best`, or a question that reads a short answer back if the odds of another one, or none, exceed 1 in
    `WRONG_MOVE_HARM`.

    "Meinten Sie …?" is answered by "ja" or "nein", which are not confused with short answers.
    """
    chosen = _closing(best, asked)
    if chosen is None or not _short_answer(ranked[0], asked) or _confirms((chosen,), ranked[0], asked):
        return best
    odds: dict[chess.Move, float] = {}
    denied = 0.0
    for reading in ranked[1:]:
        decision = decide_one(board, reading.meaning, asked)
        other = _closing(decision, asked)
        if other is not None and other != chosen:
            odds.setdefault(other, exp(ranked[0].cost - reading.cost))
        elif reading.meaning in NO_ANSWERS or isinstance(reading.meaning, Unclear):
            denied += exp(ranked[0].cost - reading.cost)
    if (sum(odds.values()) + denied) * WRONG_MOVE_HARM < 1:
        return best
    return Ask((chosen,), rest=tuple(sorted(odds, key=lambda move: -odds[move]))[: MAX_CHOICES - 1])


def _closing(decision: Decision, asked: Question) -> chess.Move | None:
    """The move that this decision settles on, by name or by its number among the candidates; None if none."""
    match decision:
        case Play(move):
            return move
        case Reply(Answer(AnswerKind.CHOICE, int(number))) if asked.kind is QuestionKind.WHICH_MOVE:
            return asked.candidates[number - 1] if 1 <= number <= len(asked.candidates) else None
    return None


def _perhaps_another(case: Case) -> Decision | None:
    """An illegal or meaningless best reading: similar-sounding legal moves are asked about if there are any."""
    board, ranked, asked, thresholds = case.board, case.ranked, case.asked, case.thresholds
    best = case.best
    if not isinstance(best, Refuse | NotUnderstood):
        return None
    cost = ranked[0].cost
    if isinstance(best, NotUnderstood) and best.reason is UnclearReason.NOTHING:
        return best
    near: dict[chess.Move, float] = {}
    for reading in ranked[1:]:
        if reading.cost < cost + thresholds.neighbour and isinstance(reading.meaning, SpokenMove):
            one = decide_one(board, reading.meaning, asked)
            for move in () if isinstance(one, Ask) and one.doubt else moves_of(one):
                near.setdefault(move, reading.cost)
    if near and cost <= thresholds.ask:
        nearest = min(near.values())
        # The reason is told only if the illegal move was clearly said.
        told = isinstance(best, Refuse) and nearest >= cost + thresholds.margin
        ordered = in_order(board, near)
        rivals = [move for move in ordered if near[move] < nearest + thresholds.margin][:MAX_CHOICES]
        rest = [move for move in ordered if move not in rivals][: MAX_CHOICES - len(rivals)]
        if isinstance(best, NotUnderstood) and _is_repeated_among_talk(tuple(near), ranked, asked, thresholds):
            return Play(rivals[0])
        return Ask(tuple(rivals), best.refusal if told and isinstance(best, Refuse) else None, rest=tuple(rest))
    if isinstance(best, Refuse) and cost > thresholds.refuse:
        return NotUnderstood(UnclearReason.NO_SENSE)
    if isinstance(best, Refuse) and any(_is_beginning_of(board, move, best.spoken) for move in asked.candidates):
        return Ask(asked.candidates, rest=asked.rest)  # the rest of the announcement was lost
    return best


def _is_beginning_of(board: chess.Board, move: chess.Move, spoken: SpokenMove) -> bool:
    """Whether an announcement of `move` may begin with these words: the piece and its origin."""
    unsaid = spoken.from_file is None and spoken.from_rank is None and spoken.target == move.from_square
    return unsaid and spoken.piece in (None, board.piece_type_at(move.from_square))


def _is_repeated_among_talk(
    near: tuple[chess.Move, ...], ranked: Sequence[Reading], asked: Question, thresholds: Thresholds
) -> bool:
    """Whether the single proposed move was announced again as the question required, amid words of bystanders, and is
    not a partial move completed by such words."""
    half = any(is_partial_move(one.meaning) for one in contenders(ranked, thresholds.half).readings)
    suspect = any(one.suspect for one in ranked)
    return asked.whole and len(near) == 1 and near == asked.candidates and not half and not suspect


RULES: tuple[Rule, ...] = (
    _denied,
    _command,
    _reply,
    _perhaps_another,
    _too_unlikely,
    _promotion,
    _said_again,
    _which,
    _clear,
)
"""All rules; the last one always decides."""


def candidates(board: chess.Board, readings: Iterable[Reading]) -> list[tuple[chess.Move, float]]:
    """All legal moves that fit some reading, each with the lowest cost of such a reading, in order of cost."""
    costs: dict[chess.Move, float] = {}
    for reading in readings:
        if isinstance(reading.meaning, SpokenMove):
            for move in fits(board, reading.meaning):
                costs[move] = min(reading.cost, costs.get(move, reading.cost))
    return sorted(costs.items(), key=lambda item: item[1])
