"""Answers from the player's collection of games and endgame tables about a position in an analysis.

The lookup is done outside, behind `Consulted`. Neither is consulted while a game is in progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import chess

from voicechess.messages import Failure, Listing, Phrase, Side, Slot
from voicechess.moves.saying import said_move
from voicechess.score.opening_moves import PlayedMove

MOVES_TOLD = 3  # most frequent moves told. Larger: a longer answer

CONSULTS = frozenset({"played_here", "endgame_table"})
"""The commands answered here."""


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """The endgame tables' verdict on a position, for the side to move."""

    value: int  # WDL: 2 win, 1 win but drawn by the fifty-move rule, 0 draw, -1 loss but drawn by it, -2 loss
    best: chess.Move | None  # None: unknown
    plies: int | None = None  # DTZ: at most this many until mate, a capture or a pawn move; None: unknown or drawn


class Consulted(Protocol):
    """The player's collection and tables. Both methods raise `Failure` with the reason if there is no answer."""

    def played(self, board: chess.Board) -> tuple[PlayedMove, ...]:
        """The moves played in this position, most frequent first; () if it is not in the collection."""

    def verdict(self, board: chess.Board) -> TableVerdict:
        """The tables' verdict on the position."""


def consulted(command: str, board: chess.Board, library: Consulted) -> tuple[Phrase, ...]:
    """The answer to one of `CONSULTS`. `board` needs its move stack, to find the last position in the collection."""
    try:
        return _played(board, library) if command == "played_here" else _verdict(board, library)
    except Failure as failure:
        return (failure.phrase,)


def _played(board: chess.Board, library: Consulted) -> tuple[Phrase, ...]:
    found = library.played(board)
    if found:
        told = tuple(_told(board, one) for one in found[:MOVES_TOLD])
        games = sum(one.count for one in found)
        slots: dict[str, Slot] = {"side": Side(board.turn), "moves": Listing(told, "")}
        return (Phrase("openings.played", slots | {"count": games}) if games > 1 else Phrase("openings.once", slots),)
    before = board.copy()
    while before.move_stack:
        left = before.pop()
        found = library.played(before)
        if found:
            slots = {
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
