"""The player's collection of games and endgame tables, for analyses; opened at the first query."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import chess
import chess.syzygy

from voicechess.app.opening_index import OpeningIndex
from voicechess.messages import Failure, Text
from voicechess.practice.exercises.consulting import TableVerdict
from voicechess.score.opening_moves import PlayedMove
from voicechess.storage.places import data_folder


def index_path() -> Path:
    """The path of the collection's index."""
    return data_folder() / "collection.index"


MOST_PIECES = 7
"""Most pieces of any Syzygy table."""


class Library:
    """Implements `Consulted`. `tables`: the folder of Syzygy tables; None: there is none."""

    def __init__(self, tables: Path | None) -> None:
        self._folder = tables

    @cached_property
    def _index(self) -> OpeningIndex:
        return OpeningIndex(index_path())

    @cached_property
    def _tables(self) -> chess.syzygy.Tablebase:
        if self._folder is None:
            raise Failure("tables.none")
        try:
            tables = chess.syzygy.open_tablebase(str(self._folder))
        except OSError as error:
            raise Failure("cli.unreadable", {"path": Text(str(self._folder))}) from error
        if not tables.wdl:
            raise Failure("tables.empty", {"path": Text(str(self._folder))})
        return tables

    def close(self) -> None:
        """Close the files that were opened."""
        opened = vars(self)
        for name in ("_index", "_tables"):
            if name in opened:
                opened[name].close()

    def played(self, board: chess.Board) -> tuple[PlayedMove, ...]:
        """As `Consulted`."""
        return self._index.played(board)

    def verdict(self, board: chess.Board) -> TableVerdict:
        """As `Consulted`."""
        tables = self._tables
        if board.castling_rights and chess.popcount(board.occupied) <= MOST_PIECES:
            raise Failure("tables.castling")
        try:
            value = tables.probe_wdl(board)
        except (KeyError, OSError, ValueError, AssertionError, IndexError) as error:
            pieces = chess.popcount(board.occupied)
            raise Failure("tables.missing", {"count": pieces}) from error
        ranked = []
        for move in board.legal_moves:
            try:
                ranked.append((_rank(tables, board, move), move))
            except (KeyError, OSError, ValueError, AssertionError, IndexError):
                return TableVerdict(value, None)  # a table for a following position is missing
        if value == 0 and all(kept == 0 for (kept, _), _ in ranked):
            return TableVerdict(value, None)  # every move draws
        (_, plies), best = max(ranked, key=lambda one: (one[0][0], -one[0][1] if one[0][0] > 0 else one[0][1]))
        return TableVerdict(value, best, plies if value else None)


def _rank(tables: chess.syzygy.Tablebase, board: chess.Board, move: chess.Move) -> tuple[int, int]:
    """The value of the position after the move (as `TableVerdict.value`, for the mover; 3: mate), and the plies until
    the next capture, pawn move or mate."""
    zeroing = board.is_zeroing(move)
    board.push(move)
    try:
        if board.is_checkmate():
            return 3, 1
        value = -tables.probe_wdl(board)
        return value, 1 if zeroing else 1 + abs(tables.probe_dtz(board))
    finally:
        board.pop()
