"""What a collection of games and endgame tables say of a position in an analysis, in sentences.

Both are the player's own and are looked up outside: `Consulted`. Neither is asked while a game lasts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import chess

from voicechess.messages import Failure, Listing, Phrase, Side, Slot
from voicechess.moves.saying import said_move
from voicechess.score.opening_moves import PlayedMove

MOVES_TOLD = 3

CONSULTS = frozenset({"played_here", "endgame_table"})
"""The commands that ask."""


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """What endgame tables say of a position, for the side to move."""

    value: int  # 2 won, 1 won but drawn by the fifty-move rule, 0 drawn, -1 lost but drawn by it, -2 lost
    best: chess.Move | None  # None: the tables do not tell
    plies: int | None = None  # until mate, a capture or a pawn's move at the latest; None: unknown, or drawn


class Consulted(Protocol):
    """Where it is looked up. Both raise `Failure` that says why nothing can be told."""

    def played(self, board: chess.Board) -> tuple[PlayedMove, ...]:
        """The moves that were played in this position, most often first; () where it did not come."""

    def verdict(self, board: chess.Board) -> TableVerdict:
        """What the tables say."""


def consulted(command: str, board: chess.Board, library: Consulted) -> tuple[Phrase, ...]:
    """The answer to one of `CONSULTS` in this position; its moves lead back to where the collection goes on."""
    try:
        return _played(board, library) if command == "played_here" else _verdict(board, library)
    except Failure as failure:
        return (failure.phrase,)


def _played(board: chess.Board, library: Consulted) -> tuple[Phrase, ...]:
    found = library.played(board)
    if found:
        told = tuple(_told(board, one) for one in found[:MOVES_TOLD])
        games = sum(one.count for one in found)
        return (Phrase("openings.played", {"count": games, "side": Side(board.turn), "moves": Listing(told, "")}),)
    before = board.copy()
    while before.move_stack:
        left = before.pop()
        found = library.played(before)
        if found:
            slots: dict[str, Slot] = {
                "number": before.fullmove_number,
                "side": Side(before.turn),
                "move": said_move(before, left),
                "usual": said_move(before, found[0].move),
            }
            known = any(one.move == left for one in found)
            return (Phrase("openings.last_known" if known else "openings.left", slots),)
    return (Phrase("openings.unknown"),)


def _told(board: chess.Board, one: PlayedMove) -> Phrase:
    points = one.points(board.turn)
    return Phrase("openings.move", {"move": said_move(board, one.move), "count": one.count, "percent": points})


def _verdict(board: chess.Board, library: Consulted) -> tuple[Phrase, ...]:
    if board.is_checkmate():
        return (Phrase("practice.analysis.mated", {"side": Side(board.turn)}),)
    if board.is_stalemate():
        return (Phrase("practice.analysis.stalemate"),)
    found = library.verdict(board)
    winner = Side(board.turn == (found.value > 0))
    key = {0: "drawn", 1: "cursed", 2: "won"}[abs(found.value)]
    told = [Phrase(f"tables.{key}", {} if key == "drawn" else {"side": winner})]
    if found.best is not None:
        told.append(Phrase("tables.best", {"move": said_move(board, found.best)}))
    if found.plies is not None and key == "won":
        told.append(Phrase("tables.within", {"count": max(1, (found.plies + 1) // 2)}))
    return tuple(told)
