"""Moves announced before their turn: their meaning in a position that is not on the board."""

from __future__ import annotations

import chess

from voicechess.game import questions
from voicechess.game.state import Table
from voicechess.meaning import Command, Reading, SpokenMove
from voicechess.messages import Side, Slot
from voicechess.moves.decisions import Play, Refuse
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move

Conditional = tuple[chess.Move, chess.Move]
"""A move of one side, and the other's reply."""


def meant(table: Table, board: chess.Board, spoken: SpokenMove) -> chess.Move | None:
    """The one legal move meant on `board`; otherwise says what the problem is."""
    decision = decide(board, (Reading(spoken),), typed=True)
    if isinstance(decision, Play):
        return decision.move
    if isinstance(decision, Refuse):
        reason = table.reason(decision.refusal)
        table.say("post.suppose_refused", {"side": Side(board.turn), "reason": reason})
    else:
        table.say("post.suppose_unclear", {"side": Side(board.turn)})
    return None


def tell_back(table: Table, command: Command) -> None:
    """Read back "Falls Eva fünf, dann Springer Felix drei" and ask whether it is right."""
    if len(command.moves) != 2:
        table.say("post.suppose_how")
        return
    first = meant(table, table.board, command.moves[0])
    if first is None:
        return
    after = table.board.copy()
    after.push(first)
    answer = meant(table, after, command.moves[1])
    if answer is not None:
        questions.confirm(table, command, told_conditional(table.board, (first, answer)))


def told_conditional(board: chess.Board, conditional: Conditional) -> dict[str, Slot]:
    """Slots for reading both moves back. `board`: before the first."""
    after = board.copy()
    after.push(conditional[0])
    return {"move": said_move(board, conditional[0]), "answer": said_move(after, conditional[1])}


def as_said(board: chess.Board, moves: tuple[SpokenMove, ...]) -> Conditional | None:
    """Both moves as read back; None if anything has happened since."""
    first = decide(board, (Reading(moves[0]),), typed=True)
    if not isinstance(first, Play):
        return None
    after = board.copy()
    after.push(first.move)
    answer = decide(after, (Reading(moves[1]),), typed=True)
    return (first.move, answer.move) if isinstance(answer, Play) else None
