"""Walking over a board by keys, square by square and from piece to piece, and the line of a move made so.

The page walks alike (`app/page/board.js`); in a terminal `app.board_keys` has the keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import chess

STEPS: Mapping[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
"""Arrow keys: files and ranks to go, as White sits at the board."""


@dataclass(frozen=True, slots=True)
class WalkedBoard:
    """A position that may be walked over. `below`: the side that sits before it; `here`: moves may be made by keys."""

    board: chess.Board
    below: chess.Color = chess.WHITE
    here: bool = True


def stepped(square: chess.Square, arrow: str, below: chess.Color) -> chess.Square | None:
    """The square to which an arrow key leads; None: the edge of the board."""
    turned = 1 if below else -1
    files, ranks = STEPS[arrow]
    file, rank = chess.square_file(square) + turned * files, chess.square_rank(square) + turned * ranks
    return chess.square(file, rank) if 0 <= file <= 7 and 0 <= rank <= 7 else None


def next_piece(board: chess.BaseBoard, square: chess.Square, kind: chess.PieceType, step: int) -> chess.Square | None:
    """The next (`step` 1) or previous (-1) piece of this kind, of either side, in the order a1, b1 to h8, round again
    behind the last one; None: there is none."""
    found = chess.scan_forward(board.pieces_mask(kind, chess.WHITE) | board.pieces_mask(kind, chess.BLACK))
    return min(found, key=lambda one: (step * (one - square)) % 64 or 64, default=None)


def move_line(board: chess.Board, source: chess.Square, target: chess.Square, promotion: str = "") -> str | None:
    """A move from square to square as a typed line.

    It names the piece's square, so that it can never be a move of the other side, whatever happens before the game
    takes it. Castling is the king's move to its target or onto the rook; in Chess960 it has to be announced (None),
    since two squares do not tell the side. Legality is for the game to judge.
    """
    if board.piece_type_at(source) == chess.KING:
        ways = board.copy(stack=False)
        ways.chess960 = True  # castling is king onto rook
        for move in ways.generate_castling_moves():
            short = move.to_square > move.from_square
            king_goes = chess.square(6 if short else 2, chess.square_rank(source))
            far = abs(chess.square_file(source) - chess.square_file(target)) > 1
            if move.from_square == source and (move.to_square == target or (far and king_goes == target)):
                return None if board.chess960 else chess.square_name(source) + chess.square_name(king_goes)
    return chess.square_name(source) + chess.square_name(target) + promotion
