"""Whose "zwei" and "drei" are taken for each other is told, once in a game, that there is another word for one of them.

The second and the third rank are the only ones whose names people are known to confuse in the language that is heard
(`alike.de.toml`) and for one of which there is another word.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import chess

from voicechess.game.state import Table
from voicechess.messages import Rank

TIMES = 2
"""So often in a game it happens to anybody."""

_ALIKE = frozenset((1, 2))


def doubted(table: Table, moves: Iterable[chess.Move]) -> None:
    """A question among these moves is about to be asked of somebody who spoke."""
    if any(_alike(table.board, one, other) for one, other in combinations(moves, 2)):
        _count(table)


def corrected(table: Table, move: chess.Move) -> None:
    """`move` was heard, but not meant."""
    table.corrected = move


def announced(table: Table, move: chess.Move) -> None:
    """`move` was announced: perhaps what had been meant with a corrected one."""
    before, table.corrected = table.corrected, None
    if before is not None and _alike(table.board, before, move):
        _count(table)


def _count(table: Table) -> None:
    table.rank_doubts += 1
    if table.rank_doubts == TIMES:
        two, three = sorted(_ALIKE)
        table.say("hint.other_word", {"rank": Rank(two), "other": Rank(three)})


def _alike(board: chess.Board, one: chess.Move, other: chess.Move) -> bool:
    """Whether only these two ranks, of the target or of the origin, tell the announcements apart."""
    if board.piece_type_at(one.from_square) != board.piece_type_at(other.from_square):
        return False
    if one.to_square == other.to_square:
        return _ranks_alike(one.from_square, other.from_square)
    return _ranks_alike(one.to_square, other.to_square)


def _ranks_alike(one: chess.Square, other: chess.Square) -> bool:
    same_file = chess.square_file(one) == chess.square_file(other)
    return same_file and {chess.square_rank(one), chess.square_rank(other)} == _ALIKE
