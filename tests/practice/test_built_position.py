"""A side has no more promoted pieces than it lacks pawns."""

from __future__ import annotations

import chess
import pytest

from voicechess.messages import Side
from voicechess.practice.exercises.built_position import BuiltPosition, said

KINGS = {chess.E1: "K", chess.E8: "k"}
EIGHT = dict.fromkeys(chess.SquareSet(chess.BB_RANK_2), "P")
SEVEN = {square: piece for square, piece in EIGHT.items() if square != chess.A2}


@pytest.mark.parametrize(
    ("men", "promoted"),
    [
        (EIGHT | {chess.A3: "R", chess.B3: "R"}, False),
        (EIGHT | {chess.A3: "R", chess.B3: "R", chess.C3: "R"}, True),
        (SEVEN | {chess.A3: "R", chess.B3: "R", chess.C3: "R"}, False),
        (SEVEN | {chess.A3: "R", chess.B3: "R", chess.C3: "R", chess.D3: "Q", chess.F3: "Q"}, True),
        (EIGHT | {chess.A3: "Q", chess.B3: "Q"}, True),
        (EIGHT | {chess.A3: "N", chess.B3: "N", chess.C3: "N"}, True),
        (EIGHT | {chess.A3: "B", chess.B3: "B"}, False),
        (EIGHT | {chess.A3: "B", chess.C3: "B"}, True),  # both on dark squares: one of them was a pawn
    ],
)
def test_promoted_pieces_are_counted_against_missing_pawns(men: dict[chess.Square, str], promoted: bool) -> None:
    position = BuiltPosition()
    for square, piece in (KINGS | men).items():
        assert position.put(square, chess.Piece.from_symbol(piece)) is None
    assert position.faults() == ((said("promoted", {"side": Side(chess.WHITE)}),) if promoted else ())
    mirrored = BuiltPosition()
    for square, piece in (KINGS | men).items():
        assert mirrored.put(chess.square_mirror(square), chess.Piece.from_symbol(piece.swapcase())) is None
    assert mirrored.faults() == ((said("promoted", {"side": Side(chess.BLACK)}),) if promoted else ())
