"""What was heard meets the position: play it, ask, refuse it with the reason, obey, or say that it was not understood.

`decide` is the only place where that choice is made. Readings come ranked by cost. A move is played only when its
reading is the best one and every reading of another meaning costs at least `MARGIN` more; whatever comes closer is a
rival, and with a rival near a question is asked. Playing a move that was not meant is far worse than any question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import chess

from voicechess.game.decisions import (
    Act,
    Ask,
    AskPromotion,
    Complete,
    Decision,
    NotUnderstood,
    Play,
    Refuse,
    Reply,
)
from voicechess.game.fitting import Missing, answers_question, fits, merge, missing_part, without
from voicechess.game.messages import Man, Square
from voicechess.game.reasons import Refusal, one_or_many, why_illegal
from voicechess.language.meaning import (
    Answer,
    Castling,
    CheckWord,
    Command,
    Meaning,
    Question,
    Reading,
    SpokenMove,
    Unclear,
    UnclearReason,
)
from voicechess.language.thresholds import THRESHOLDS, Thresholds

MARGIN = THRESHOLDS.margin
"""How much dearer than the best reading every reading of another meaning must be, or a question is asked."""

__all__ = [
    "Act",
    "Ask",
    "AskPromotion",
    "Complete",
    "Context",
    "Decision",
    "NotUnderstood",
    "Play",
    "Refuse",
    "Reply",
    "candidates",
    "decide",
]

MOST_CHOICES = 3
"""So many moves at a time can be kept in mind by somebody who only hears them."""


@dataclass(frozen=True, slots=True)
class Context:
    """The open question: what was asked, about which moves, what is known already and which part is wanted."""

    question: Question | None = None
    candidates: tuple[chess.Move, ...] = ()
    partial: SpokenMove | None = None
    missing: Missing | None = None
    typed: bool = False


NO_CONTEXT = Context()


def decide(
    board: chess.Board,
    readings: Sequence[Reading],
    context: Context = NO_CONTEXT,
    thresholds: Thresholds = THRESHOLDS,
) -> Decision:
    """What to do about `readings` on `board`, which is not changed."""
    if not readings:
        return NotUnderstood(UnclearReason.NOTHING)
    ranked = sorted(readings, key=lambda reading: reading.cost)
    cost = ranked[0].cost
    # Readings that say the same in other words support each other; they are no rivals.
    close: dict[Meaning, float] = {}
    for reading in ranked:
        if reading.cost < cost + thresholds.margin:
            close.setdefault(reading.meaning, reading.cost - cost)
    decided = [(_decide_one(board, meaning, context), above) for meaning, above in close.items()]
    # What is not legal is a rival only when it comes nearer: noise makes many of those.
    decisions = [
        one for one, above in decided if above < thresholds.senseless or not isinstance(one, Refuse | NotUnderstood)
    ]
    if context.typed and len(decisions) > 1:
        # Letters that mean two things ("Bb4") are not misheard: what the position rules out is no rival.
        decisions = [decision for decision in decisions if not isinstance(decision, Refuse)] or decisions[:1]
    best, rivals = decisions[0], [decision for decision in decisions[1:] if decision != decisions[0]]
    match best:
        case Act():
            acting = any(not isinstance(rival, NotUnderstood) for rival in rivals)
            return NotUnderstood(UnclearReason.NO_SENSE) if acting or cost > thresholds.command else best
        case Reply():
            # "Ja" that may have been something else closes no question.
            return NotUnderstood(UnclearReason.NO_SENSE) if rivals or cost > thresholds.command else best
        case Refuse() | NotUnderstood():
            return _perhaps_another(board, ranked, best, context, thresholds)
    moves = tuple(dict.fromkeys(move for decision in decisions for move in _moves(decision)))
    if (rivals and moves) or cost > thresholds.clean:
        if cost > thresholds.ask:
            return NotUnderstood(UnclearReason.NO_SENSE)
        if isinstance(best, AskPromotion) and set(moves) == set(best.moves):
            return best
        return Ask(moves[:MOST_CHOICES]) if moves else best
    return best


def _perhaps_another(
    board: chess.Board,
    ranked: Sequence[Reading],
    best: Refuse | NotUnderstood,
    context: Context,
    thresholds: Thresholds,
) -> Decision:
    """What was heard is not legal, or makes no sense. A legal move that sounds much like it is asked about, no more."""
    cost = ranked[0].cost
    if isinstance(best, NotUnderstood) and best.reason is UnclearReason.NOTHING:
        return best
    near: dict[chess.Move, float] = {}
    for reading in ranked[1:]:
        if reading.cost < cost + thresholds.neighbour and isinstance(reading.meaning, SpokenMove):
            one = _decide_one(board, reading.meaning, context)
            for move in () if isinstance(one, Ask) and one.doubt else _moves(one):
                near.setdefault(move, reading.cost)
    if near and cost <= thresholds.ask:
        # As likely as the illegal one, it needs no reason: that is for what was rather heard than not.
        told = isinstance(best, Refuse) and min(near.values()) >= cost + thresholds.margin
        return Ask(tuple(near)[:MOST_CHOICES], best.refusal if told and isinstance(best, Refuse) else None)
    if isinstance(best, Refuse) and cost > thresholds.refuse:
        return NotUnderstood(UnclearReason.NO_SENSE)
    return best


def candidates(board: chess.Board, readings: Iterable[Reading]) -> list[tuple[chess.Move, float]]:
    """Every legal move that some reading fits, with the lowest cost of such a reading, cheapest first."""
    costs: dict[chess.Move, float] = {}
    for reading in readings:
        if isinstance(reading.meaning, SpokenMove):
            for move in fits(board, reading.meaning):
                costs[move] = min(reading.cost, costs.get(move, reading.cost))
    return sorted(costs.items(), key=lambda item: item[1])


def _moves(decision: Decision) -> tuple[chess.Move, ...]:
    match decision:
        case Play(move):
            return (move,)
        case Ask(moves) | AskPromotion(moves):
            return moves
    return ()


def _decide_one(board: chess.Board, meaning: Meaning, context: Context) -> Decision:
    match meaning:
        case Unclear(reason):
            return NotUnderstood(reason)
        case Command():
            part = _part_named(meaning, context)
            return Act(meaning) if part is None else _decide_one(board, part, context)
        case Answer():
            return Reply(meaning)
        case SpokenMove():
            return _in_question(board, meaning, context) or _decide_move(board, meaning)


def _part_named(command: Command, context: Context) -> SpokenMove | None:
    """ "Reihe eins" asks for a rank to be read out, but not as the answer to "Turm von der Reihe eins oder …?"."""
    if context.question not in (Question.WHICH_MOVE, Question.COMPLETE):
        return None
    file, rank = command.slot("file"), command.slot("rank")
    if command.name == "file" and isinstance(file, int):
        return SpokenMove(to_file=file)
    if command.name == "rank" and isinstance(rank, int):
        return SpokenMove(to_rank=rank)
    return None


def _in_question(board: chess.Board, spoken: SpokenMove, context: Context) -> Decision | None:
    """`spoken` as an answer to the open question; None when it is none and stands for itself."""
    if context.question is Question.PROMOTION:
        named = spoken.promotion or (spoken.piece if spoken.to_file is None and spoken.to_rank is None else None)
        chosen = tuple(move for move in context.candidates if move.promotion == named)
        if named is not None:
            return Play(chosen[0]) if chosen else NotUnderstood(UnclearReason.NO_SENSE)
    elif context.question is Question.COMPLETE and context.partial is not None:
        if not _whole(spoken):
            return _decide_move(board, merge(context.partial, spoken, context.missing))
    elif context.candidates:
        chosen = answers_question(board, context.candidates, spoken)
        if chosen:
            elsewhere = (
                [move for move in fits(board, spoken) if move not in context.candidates] if _whole(spoken) else []
            )
            if elsewhere:
                # The words are also another move, whole: which of the two?
                return Ask((*chosen, *elsewhere)[:MOST_CHOICES])
            return Play(chosen[0]) if len(chosen) == 1 else _narrowed(chosen)
        if _whole(spoken) and spoken.piece is None and spoken.castling is None and spoken.from_file is None:
            # A lone square after a question is rather a misheard answer than a new pawn move: ask.
            whole = _decide_move(board, spoken)
            return Ask((whole.move,)) if isinstance(whole, Play) else whole
        if not spoken.complete:
            return NotUnderstood(UnclearReason.NO_SENSE)
    return None


def _whole(spoken: SpokenMove) -> bool:
    """Whether this stands for itself: with a target, and more than a bare square."""
    return spoken.castling is not None or (spoken.complete and (spoken.piece or spoken.from_file) is not None)


def _decide_move(board: chess.Board, spoken: SpokenMove) -> Decision:
    found = fits(board, spoken)
    if not spoken.complete:
        return _half(board, spoken, found)
    if spoken.castling is Castling.UNSPECIFIED and len(found) == 1:
        return Ask(found)
    if found:
        return _several(spoken, found)
    return _contradiction(board, spoken) or _other_men(board, spoken) or Refuse(why_illegal(board, spoken), spoken)


def _several(spoken: SpokenMove, found: tuple[chess.Move, ...]) -> Decision:
    if len(found) == 1:
        return Play(found[0])
    if len({(move.from_square, move.to_square) for move in found}) == 1:
        return AskPromotion(found)
    if any(move.promotion for move in found):
        # Which pawn first; the new piece is asked for when that is known.
        return Complete(spoken, Missing.FROM_FILE)
    if len(found) <= MOST_CHOICES:
        return Ask(found)
    # No more than three men on one file reach one square, so the file leaves few enough.
    return Complete(spoken, Missing.FROM_FILE)


def _narrowed(chosen: tuple[chess.Move, ...]) -> Decision:
    """What an answer has left of the moves that were asked about."""
    same = len({(move.from_square, move.to_square) for move in chosen}) == 1
    return AskPromotion(chosen) if same else Ask(chosen)


def _half(board: chess.Board, spoken: SpokenMove, found: tuple[chess.Move, ...]) -> Decision:
    """A part of a move. Even if only one legal move has that part, it is asked about and not guessed."""
    if not found and spoken.to_file is not None and spoken.from_file is None:
        # "Dame Anna" can also name the queen that stands there.
        origin = replace(spoken, from_file=spoken.to_file, to_file=None)
        if fits(board, origin):
            return Complete(origin, Missing.TO_FILE)
    if not found and spoken.to_rank is not None and spoken.from_rank is None:
        origin = replace(spoken, from_rank=spoken.to_rank, to_rank=None)
        if fits(board, origin):
            return Complete(origin, Missing.TO_FILE)
    if not found:
        if spoken.piece is not None:
            if not board.pieces_mask(spoken.piece, board.turn):
                return Refuse(Refusal("no_such_piece", {"man": Man(spoken.piece)}), spoken)
            key = one_or_many("cannot_move_like_that", board, spoken.piece)
            return Refuse(Refusal(key, {"man": Man(spoken.piece)}), spoken)
        return NotUnderstood(UnclearReason.NO_SENSE)
    if len(found) == 1:
        return Ask(found)
    return Complete(spoken, missing_part(spoken))


def _contradiction(board: chess.Board, spoken: SpokenMove) -> Decision | None:
    """A legal move is there but for what was said with it: "schlägt", "Schach", "matt", a promotion."""
    target = (
        chess.square(spoken.to_file, spoken.to_rank)
        if spoken.to_file is not None and spoken.to_rank is not None
        else None
    )
    for said, dropped in (
        (spoken.check is CheckWord.MATE, "no_mate"),
        (spoken.check is CheckWord.CHECK, "no_check"),
        (spoken.en_passant, "no_en_passant"),
        (spoken.captures, "nothing_to_capture"),
        (spoken.promotion is not None, "promotion_too_early"),
    ):
        if not said:
            continue
        plainer = without(spoken, dropped)
        found = fits(board, plainer)
        if found:
            slots = {"square": Square(target)} if dropped == "nothing_to_capture" and target is not None else {}
            decision = _several(plainer, found)
            moves = _moves(decision)
            return Ask(moves[:MOST_CHOICES], Refusal(dropped, slots)) if moves else decision
        if plainer != spoken:
            deeper = _contradiction(board, plainer)
            if deeper is not None:
                return deeper
    return None


def _other_men(board: chess.Board, spoken: SpokenMove) -> Decision | None:
    """A square alone means a pawn. If none can go there but others can, they are asked about, never taken for granted.

    So with "König Gustav eins" where that is the castled king's place.
    """
    assert spoken.to_file is not None or spoken.castling is not None
    if spoken.piece == chess.KING and spoken.castling is None and spoken.from_file is None and spoken.from_rank is None:
        castling = tuple(
            move
            for side in (Castling.KINGSIDE, Castling.QUEENSIDE)
            for move in fits(board, SpokenMove(castling=side))
            if chess.square_file(6 if side is Castling.KINGSIDE else 2) == spoken.to_file
        )
        if castling and spoken.to_rank == (0 if board.turn == chess.WHITE else 7):
            return Ask(castling)
    if spoken.piece is not None or spoken.castling is not None or spoken.to_file is None or spoken.to_rank is None:
        return None
    others = tuple(
        move
        for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)
        for move in fits(board, replace(spoken, piece=kind))
    )
    target = chess.square(spoken.to_file, spoken.to_rank)
    if not others or len(others) > MOST_CHOICES:
        return None
    return Ask(others, Refusal("no_pawn", {"square": Square(target)}))
