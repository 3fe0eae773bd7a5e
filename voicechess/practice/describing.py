"""A position told in words: every man with its square, White first, kings before pawns."""

from __future__ import annotations

import chess

from voicechess.messages import Listing, Man, Phrase, Slot, Square


def man_on(kind: chess.PieceType, square: chess.Square) -> Phrase:
    """ "Turm Anna eins"."""
    return Phrase("practice.man_on", {"man": Man(kind), "square": Square(square)})


def side_told(board: chess.BaseBoard, colour: chess.Color) -> Listing:
    """All men of one side."""
    men: list[Slot] = []
    for kind in reversed(chess.PIECE_TYPES):
        men += [man_on(kind, square) for square in sorted(board.pieces(kind, colour))]
    return Listing(tuple(men), "")


def position_told(board: chess.BaseBoard) -> tuple[Phrase, ...]:
    """Both sides, a sentence each."""
    return (
        Phrase("practice.white_men", {"men": side_told(board, chess.WHITE)}),
        Phrase("practice.black_men", {"men": side_told(board, chess.BLACK)}),
    )
