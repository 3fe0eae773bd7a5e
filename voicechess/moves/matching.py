"""What was heard meets the position: play it, ask, refuse it with the reason, obey, or say that it was not understood.

`decide` is the only place where that choice is made. Readings come ranked by cost. A move is played only when its
reading is the best one and every reading of another meaning costs at least `Thresholds.margin` more; what is closer is
a rival, and with a rival near a question is asked. Beside a legal move announced in full only what can be done as well
is one, up to `Thresholds.full`. Playing a move that was not meant is far worse than any question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, log

import chess

from voicechess.language.natural import ANSWERED_BY_PARTS
from voicechess.language.readings import is_full_move, names_a_part
from voicechess.language.thresholds import WRONG_MOVE_HARM, Thresholds, close, load_thresholds
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
    MOST_CHOICES,
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

UNHEARD = 0.25
"""How much less likely it is that something is said now that was not among what was heard the time before."""

MOST_BEFORE = 3.0
"""What costs more was hardly heard."""

LIKELIER_THAN_NOT = 0.5
"""Above that a "nein" to a question is one, whatever else it may have been. Chosen on the tuning sets (c), (i), (k)."""

PART_OF_NONE = 0.1
"""How much less likely than "nein" it is that one move is offered and answered by a number, or by a part of a move that
it is not: in noise "nein" is heard as "eins". Surely heard it stays that. Chosen on the tuning set (k)."""

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
    """What to do about `readings` on `board`, which is not changed. `typed`: they were not heard but written.

    `thresholds` None: those that were chosen.
    """
    thresholds = thresholds or load_thresholds()
    if not readings:
        return NotUnderstood(UnclearReason.NOTHING)
    ranked = sorted(readings, key=lambda reading: reading.cost)
    decision = _decide(board, ranked, asked, thresholds, typed)
    # An answer is expected where something was asked.
    expected = typed or asked.kind is not None
    to_nobody = not expected and _is_to_nobody(decision, ranked, thresholds)
    return NotUnderstood(UnclearReason.NOTHING) if to_nobody else decision


def is_likely_command(readings: Sequence[Reading]) -> bool:
    """Whether the likeliest is a command that is sure enough to be obeyed, were it not for its rivals."""
    if not readings:
        return False
    best = readings[0]
    return isinstance(best.meaning, Command) and not best.trimmed and best.cost <= load_thresholds().command


def weighed(
    board: chess.Board, readings: Sequence[Reading], before: Sequence[Reading], asked: Question = NO_QUESTION
) -> Sequence[Reading]:
    """The readings, of which moves that were heard `before` as well, and not surely enough, are the likelier for it,
    and all others less: the same is likely to be said once more (issue 22).

    Two doubtful hearings of one move whose rivals differ leave no doubt; two with the same rivals leave it, and that it
    is whole, and not a half with noise behind it, is as doubtful as it was. A command, and a word or two that answer a
    question, are no second hearing.
    """
    heard: set[chess.Move | Meaning] = set()
    for one in before:
        if one.cost < MOST_BEFORE and isinstance(one.meaning, SpokenMove):
            heard |= set((one.meaning.complete and fits(board, one.meaning)) or (one.meaning,))
    best = min(readings, key=lambda one: one.cost).meaning if readings and heard else None
    if best is None or isinstance(best, Command | Answer):
        return readings
    if asked.kind in ANSWERED_BY_PARTS and not asked.whole and names_a_part(best):
        return readings

    def likelihood(meaning: Meaning) -> float:
        again = isinstance(meaning, SpokenMove) and not heard.isdisjoint((meaning, *fits(board, meaning)))
        return 1.0 if again else UNHEARD

    weights = [likelihood(one.meaning) for one in readings]
    shares = [exp(-one.cost) for one in readings]
    left = sum(share * weight for share, weight in zip(shares, weights, strict=True)) / sum(shares)
    return [
        replace(one, cost=max(0.0, one.cost + log(left / weight)))
        for one, weight in zip(readings, weights, strict=True)
    ]


def _is_to_nobody(decision: Decision, ranked: Sequence[Reading], thresholds: Thresholds) -> bool:
    """Whether a sentence about what was heard would rather answer noise, or talk in the room, than a player.

    Of a move, however unclearly announced, nearly everything that may have been said is a move. Of other sounds a good
    part makes no sense at all, and what is taken for a part of a move may be a part of several.
    """
    cost = ranked[0].cost
    if isinstance(ranked[0].meaning, Unclear) and cost <= thresholds.refuse:
        return False  # clearly heard, if without a sense: a mistake is told, or a neighbour asked about
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
    """What to do if somebody has spoken to the game; `ranked` cheapest first, never empty."""
    if asked.kind is not None and (denied := _denied(board, ranked, asked)) is not None:
        return Reply(denied)  # it plays nothing, so nothing is wrong but that a move has to be said again
    cost = ranked[0].cost
    in_full = not typed and _is_played_in_full(board, ranked, asked, thresholds)
    # Readings that say the same in other words support each other; they are no rivals.
    meanings: dict[Meaning, float] = {}
    for reading in close(ranked, thresholds.full if in_full else thresholds.margin, thresholds.half).readings:
        meanings.setdefault(reading.meaning, reading.cost - cost)
    decided = [(decide_one(board, meaning, asked), above) for meaning, above in meanings.items()]
    decisions = [one for one, above in decided if _may_be_meant(one) or (not in_full and above < thresholds.margin)]
    if typed and len(decisions) > 1:
        # Letters that mean two things ("Bb4") are not misheard: what the position rules out is no rival.
        decisions = [decision for decision in decisions if not isinstance(decision, Refuse)] or decisions[:1]
    best, rivals = decisions[0], [decision for decision in decisions[1:] if not _same(decision, decisions[0])]
    match best:
        case Act():
            acting = any(not isinstance(rival, NotUnderstood) for rival in rivals)
            if acting or cost > thresholds.command:
                return NotUnderstood(UnclearReason.NO_SENSE)
            return replace(best, between=ranked[0].trimmed)
        case Reply():
            # "Ja" that may have been something else closes no question.
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
        cost += log(_share_meant(board, ranked, asked, thresholds.senseless))
    if (rivals and moves) or cost > thresholds.clean:
        if cost > thresholds.ask:
            return NotUnderstood(UnclearReason.NO_SENSE)
        if isinstance(best, AskPromotion) and set(moves) == set(best.moves):
            return best
        half = any(isinstance(rival, Complete) for rival in rivals)  # noise behind it makes the same whole of it twice
        if isinstance(best, Play) and not half and _says_again(board, moves, ranked[0], asked, rivals):
            return best
        if moves and not typed and _short_answer(ranked[0], asked):
            return Ask(moves[:1], rest=moves[1:MOST_CHOICES])  # a word that was unclear once is not asked for again
        return Ask(moves[:MOST_CHOICES]) if moves else best
    return best if typed else _read_back(board, ranked, best, asked)


def _is_played_in_full(board: chess.Board, ranked: Sequence[Reading], asked: Question, thresholds: Thresholds) -> bool:
    """Whether the likeliest is a legal move announced in full. Then it is hardly ever wrong, but for another legal one:
    words by chance seldom come to a move that can be made. But "Dame Bella vier" may be where the queen comes from, if
    perhaps "Dame Bella vier auf" was said."""
    best, move = ranked[0], ranked[0].meaning
    if not is_full_move(move) or not isinstance(decide_one(board, move, asked), Play):
        return False
    longer = [one for one in close(ranked, thresholds.full).readings if one.words.startswith(f"{best.words} ")]
    return move.origin is not None or all(_may_be_meant(decide_one(board, one.meaning, asked)) for one in longer)


def _may_be_meant(decision: Decision) -> bool:
    return not isinstance(decision, Refuse | NotUnderstood)


def _share_meant(board: chess.Board, ranked: Sequence[Reading], asked: Question, senseless: float) -> float:
    """How much is left of everything that was heard when what is not legal, or makes no sense, counts so much less."""
    shares = [(exp(-one.cost), _may_be_meant(decide_one(board, one.meaning, asked))) for one in ranked]
    return sum(share if meant else senseless * share for share, meant in shares) / sum(share for share, _ in shares)


def _same(decision: Decision, best: Decision) -> bool:
    """Whether what was heard comes to the very move of `best`, be it with a doubt.

    "Springer mal Felix drei" where nothing stands on f3 is no other move than "Springer nach Felix drei".
    """
    moves = moves_of(decision)
    return decision == best or (bool(moves) and set(moves) <= set(moves_of(best)))


def _short_answer(reading: Reading, asked: Question) -> bool:
    """Whether only a word or two of speech decide, which nothing beside them makes clear."""
    return asked.kind in ANSWERED_BY_PARTS and names_a_part(reading.meaning)


def _says_again(
    board: chess.Board,
    moves: tuple[chess.Move, ...],
    reading: Reading,
    asked: Question,
    rivals: Sequence[Decision],
) -> bool:
    """Whether the one move that was proposed has been said once more: that is a yes.

    Where the question did not ask for that, a move may be said against what was proposed: there the piece has to be
    named (a square alone names a pawn), and nothing else may be near that was perhaps said, be it no legal move.
    """
    if asked.whole or len(moves) != 1 or moves != asked.candidates:
        return _confirms(moves, reading, asked)
    said, denied = reading.meaning, any(not isinstance(rival, NotUnderstood) for rival in rivals)
    pawn = board.piece_type_at(moves[0].from_square) == chess.PAWN
    return is_whole_move(said) and (pawn or not names_a_part(said)) and not denied


def _confirms(moves: tuple[chess.Move, ...], reading: Reading, asked: Question) -> bool:
    """Whether the one move that was proposed has been said once more as the question wanted it, its square at least.

    Then two utterances, apart from each other, come to this move and to no other; single ones in noise often do so
    without being sure enough.
    """
    return asked.whole and is_whole_move(reading.meaning) and len(moves) == 1 and moves == asked.candidates


NO_ANSWERS = (Answer(AnswerKind.NO), Answer(AnswerKind.NONE))


def _denied(board: chess.Board, ranked: Sequence[Reading], asked: Question) -> Answer | None:
    """The "nein" to a question, where of everything that may have been said that is likelier than not; or None.

    To one move that was offered nobody answers with what is no part of it, so of that "nein" may be left.
    """
    likeliest = next((one.meaning for one in ranked if one.meaning in NO_ANSWERS), None)
    best = ranked[0].meaning
    if not isinstance(likeliest, Answer) or not (best in NO_ANSWERS or _answers_nothing(board, best, asked) < 1):
        return None
    unlikely = sum(exp(-one.cost) * (1 - _answers_nothing(board, one.meaning, asked)) for one in ranked)
    no = sum(exp(-one.cost) for one in ranked if one.meaning in NO_ANSWERS)
    return likeliest if no > LIKELIER_THAN_NOT * (1 - unlikely) else None


def _answers_nothing(board: chess.Board, meaning: Meaning, asked: Question) -> float:
    """How much less likely this is than a "nein", to one move that was offered, because it says nothing of it; or 1."""
    if asked.kind is not QuestionKind.WHICH_MOVE or len(asked.candidates) != 1 or not names_a_part(meaning):
        return 1.0
    of_none = isinstance(meaning, Answer) or isinstance(decide_one(board, meaning, asked), NotUnderstood)
    return PART_OF_NONE if of_none else 1.0


def _read_back(board: chess.Board, ranked: Sequence[Reading], best: Decision, asked: Question) -> Decision:
    """`best`; but a short answer that is likelier than 1 in `WRONG_MOVE_HARM` to have been another one, or none (a
    rhyme said in the room, no answer at all), is read back first.

    "Meinten Sie …?" is answered by "ja" or "nein", which sound like none of the answers.
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
    return Ask((chosen,), rest=tuple(sorted(odds, key=lambda move: -odds[move]))[: MOST_CHOICES - 1])


def _closing(decision: Decision, asked: Question) -> chess.Move | None:
    """The move that this decision makes, by name or as the n-th choice."""
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
    """What was heard is not legal, or makes no sense. A legal move that sounds much like it is asked about, no more."""
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
        # As likely as the illegal one, it needs no reason: that is for what was rather heard than not.
        told = isinstance(best, Refuse) and nearest >= cost + thresholds.margin
        ordered = in_order(board, near)
        rivals = [move for move in ordered if near[move] < nearest + thresholds.margin][:MOST_CHOICES]
        rest = [move for move in ordered if move not in rivals][: MOST_CHOICES - len(rivals)]
        if isinstance(best, NotUnderstood) and _between_others(tuple(near), ranked, asked, thresholds):
            return Play(rivals[0])
        return Ask(tuple(rivals), best.refusal if told and isinstance(best, Refuse) else None, rest=tuple(rest))
    if isinstance(best, Refuse) and cost > thresholds.refuse:
        return NotUnderstood(UnclearReason.NO_SENSE)
    if isinstance(best, Refuse) and any(_begins(board, move, best.spoken) for move in asked.candidates):
        return Ask(asked.candidates, rest=asked.rest)  # what followed was lost
    return best


def _begins(board: chess.Board, move: chess.Move, spoken: SpokenMove) -> bool:
    """Whether an announcement of `move` begins so: with the piece where it stands, where no move goes to."""
    unsaid = spoken.from_file is None and spoken.from_rank is None and spoken.target == move.from_square
    return unsaid and spoken.piece in (None, board.piece_type_at(move.from_square))


def _between_others(
    near: tuple[chess.Move, ...], ranked: Sequence[Reading], asked: Question, thresholds: Thresholds
) -> bool:
    """Whether the one move that was proposed has been said once more, as the question wanted it, among words of others,
    without which it is the only move there is. Nor is it half a move, made whole by such words."""
    half = any(is_partial_move(one.meaning) for one in close(ranked, thresholds.half).readings)
    return asked.whole and len(near) == 1 and near == asked.candidates and not half


def candidates(board: chess.Board, readings: Iterable[Reading]) -> list[tuple[chess.Move, float]]:
    """Every legal move that some reading fits, with the lowest cost of such a reading, cheapest first."""
    costs: dict[chess.Move, float] = {}
    for reading in readings:
        if isinstance(reading.meaning, SpokenMove):
            for move in fits(board, reading.meaning):
                costs[move] = min(reading.cost, costs.get(move, reading.cost))
    return sorted(costs.items(), key=lambda item: item[1])
