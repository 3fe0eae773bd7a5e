"""The decision on an utterance in a position: play, ask, refuse with the reason, obey, or not understood.

`decide` is the only place where that choice is made, on readings ranked by cost. A move is played only if its reading
is the best and no reading of another meaning is a rival, within `Thresholds.margin` of it; with a rival it asks. For a
legal move announced in full only legal ones are rivals, up to `Thresholds.full`. Playing a move that was not meant is
far worse than any question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, log

import chess

from voicechess.language.natural import ANSWERED_BY_PARTS
from voicechess.language.readings import is_full_move, names_a_part
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
    is_partial_move,
    is_whole_move,
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
    thresholds = thresholds or load_thresholds()
    if not readings:
        return NotUnderstood(UnclearReason.NOTHING)
    ranked = sorted(readings, key=lambda reading: reading.cost)
    decision = _decide(board, ranked, asked, thresholds, typed)
    # Who was asked something speaks to the program.
    expected = typed or asked.kind is not None
    to_nobody = not expected and _is_talk(decision, ranked, thresholds)
    return NotUnderstood(UnclearReason.NOTHING) if to_nobody else decision


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


def _is_talk(decision: Decision, ranked: Sequence[Reading], thresholds: Thresholds) -> bool:
    """Whether this is probably noise or talk in the room, which is not answered by a sentence.

    Nearly all readings of an announcement, however unclear, are moves; of other sounds many have no meaning, and a
    supposed part of a move fits several.
    """
    cost = ranked[0].cost
    if isinstance(ranked[0].meaning, Unclear) and cost <= thresholds.refuse:
        return False  # clearly recognised without a meaning: said so, or a similar move is asked about
    match decision:
        case Complete() if cost > thresholds.part:
            return True
        case Ask() | AskPromotion() | Complete() | Refuse():
            senseless = sum(exp(-one.cost) for one in ranked if isinstance(one.meaning, Unclear))
            return senseless > 1 - exp(-(thresholds.whole if is_whole_move(ranked[0].meaning) else thresholds.sense))
        case NotUnderstood(UnclearReason.NO_SENSE | UnclearReason.CHECK_ALONE | UnclearReason.UNKNOWN_WORDS):
            return cost > thresholds.refuse
    return False


def _decide(
    board: chess.Board, ranked: Sequence[Reading], asked: Question, thresholds: Thresholds, typed: bool
) -> Decision:
    """The decision if a player has spoken; `ranked`: lowest cost first, not empty."""
    if asked.kind is not None and (denied := _denied(board, ranked, asked)) is not None:
        return Reply(denied)  # it plays nothing: at worst a move has to be said again
    cost = ranked[0].cost
    in_full = not typed and _is_played_in_full(board, ranked, asked, thresholds)
    # Readings of the same meaning support each other and are no rivals.
    meanings: dict[Meaning, float] = {}
    for reading in contenders(ranked, thresholds.full if in_full else thresholds.margin, thresholds.half).readings:
        meanings.setdefault(reading.meaning, reading.cost - cost)
    decided = [(decide_one(board, meaning, asked), above) for meaning, above in meanings.items()]
    decisions = [one for one, above in decided if _may_be_meant(one) or (not in_full and above < thresholds.margin)]
    if typed and len(decisions) > 1:
        # Ambiguous letters ("Bb4") are no recognition error, so a meaning ruled out by the position is no rival.
        decisions = [decision for decision in decisions if not isinstance(decision, Refuse)] or decisions[:1]
    best, rivals = decisions[0], [decision for decision in decisions[1:] if not _same(decision, decisions[0])]
    match best:
        case Act():
            acting = any(not isinstance(rival, NotUnderstood) for rival in rivals)
            if acting or cost > thresholds.command:
                return NotUnderstood(UnclearReason.NO_SENSE)
            return replace(best, trimmed=ranked[0].trimmed)
        case Reply():
            # A doubtful "ja" closes no question.
            if rivals or cost > thresholds.command:
                return NotUnderstood(UnclearReason.NO_SENSE)
            return best if typed else _read_back(board, ranked, best, asked)
        case Refuse() | NotUnderstood():
            return _perhaps_another(board, ranked, best, asked, thresholds)
    costs: dict[chess.Move, float] = {}
    for one, above in decided:
        for move in moves_of(one) if one in decisions else ():
            costs.setdefault(move, above)
    moves = in_order(board, costs)
    cost -= log(sum(exp(-above) for one, above in decided if _same(one, best)))
    if in_full:
        cost += log(_probability_meant(board, ranked, asked, thresholds.senseless))
    if (rivals and moves) or cost > thresholds.clean:
        if cost > thresholds.ask:
            return NotUnderstood(UnclearReason.NO_SENSE)
        if isinstance(best, AskPromotion) and set(moves) == set(best.moves):
            return best
        half = any(isinstance(rival, Complete) for rival in rivals)  # the same noise may complete it twice
        if isinstance(best, Play) and not half and _says_again(board, moves, ranked[0], asked, rivals):
            return best
        letters = all(one.letter for one in ranked if one.meaning in meanings and one.meaning != ranked[0].meaning)
        if moves and not typed and (_short_answer(ranked[0], asked) or (rivals and letters)):
            return Ask(moves[:1], rest=moves[1:MAX_CHOICES])  # an unclear word is not asked for once more
        return Ask(moves[:MAX_CHOICES]) if moves else best
    return best if typed else _read_back(board, ranked, best, asked)


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


def _denied(board: chess.Board, ranked: Sequence[Reading], asked: Question) -> Answer | None:
    """The "nein" to a question if its posterior exceeds `MIN_DENIAL`; None otherwise.

    A single proposed move is not answered by a part of another one, so the probability of that is discounted.
    """
    likeliest = next((one.meaning for one in ranked if one.meaning in NO_ANSWERS), None)
    best = ranked[0].meaning
    if not isinstance(likeliest, Answer) or not (best in NO_ANSWERS or _relevance(board, best, asked) < 1):
        return None
    unlikely = sum(exp(-one.cost) * (1 - _relevance(board, one.meaning, asked)) for one in ranked)
    no = sum(exp(-one.cost) for one in ranked if one.meaning in NO_ANSWERS)
    return likeliest if no > MIN_DENIAL * (1 - unlikely) else None


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


def _perhaps_another(
    board: chess.Board,
    ranked: Sequence[Reading],
    best: Refuse | NotUnderstood,
    asked: Question,
    thresholds: Thresholds,
) -> Decision:
    """The decision on an illegal or meaningless best reading: ask about similar-sounding legal moves if there are
    any."""
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
    return asked.whole and len(near) == 1 and near == asked.candidates and not half


def candidates(board: chess.Board, readings: Iterable[Reading]) -> list[tuple[chess.Move, float]]:
    """All legal moves that fit some reading, each with the lowest cost of such a reading, in order of cost."""
    costs: dict[chess.Move, float] = {}
    for reading in readings:
        if isinstance(reading.meaning, SpokenMove):
            for move in fits(board, reading.meaning):
                costs[move] = min(reading.cost, costs.get(move, reading.cost))
    return sorted(costs.items(), key=lambda item: item[1])
