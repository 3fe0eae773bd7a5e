"""Middlegame positions of our own: games played out by a seeded player that is sensible, not strong."""

from __future__ import annotations

import random
from functools import cache

import chess

_VALUES = {chess.PAWN: 1.0, chess.KNIGHT: 3.0, chess.BISHOP: 3.1, chess.ROOK: 5.0, chess.QUEEN: 9.0, chess.KING: 0.0}
_FIRST_PLY, _LAST_PLY, _EVERY = 16, 72, 7  # from each game a position is taken every seventh ply of these
_LEAST_MOVES = 12


@cache
def middlegames(count: int, seed: str) -> tuple[tuple[chess.Board, chess.Move], ...]:
    """`count` positions that occurred in the playouts, with the move that was played; the same for the same seed.

    The boards are shared: copy one before making moves on it.
    """
    draw = random.Random(seed)
    found: list[tuple[chess.Board, chess.Move]] = []
    while len(found) < count:
        board = chess.Board()
        for ply in range(_LAST_PLY):
            if board.is_game_over(claim_draw=True):
                break
            move = _sensible(board, draw)
            wanted = ply >= _FIRST_PLY and (ply - _FIRST_PLY) % _EVERY == 0
            if wanted and board.legal_moves.count() >= _LEAST_MOVES and len(found) < count:
                found.append((board.copy(stack=False), move))
            board.push(move)
    return tuple(found)


def _sensible(board: chess.Board, draw: random.Random) -> chess.Move:
    """A move that wins what can be won, hangs little and tends to the centre, with chance to vary the games."""
    return max(board.legal_moves, key=lambda move: (_worth(board, move) + draw.gauss(0, 0.7), move.uci()))


def _worth(board: chess.Board, move: chess.Move) -> float:
    piece = board.piece_type_at(move.from_square) or chess.PAWN
    taken = board.piece_type_at(move.to_square)
    worth = _VALUES[taken] if taken else 0.0
    if move.promotion:
        worth += _VALUES[move.promotion] - 1
    enemy = not board.turn
    if board.is_attacked_by(enemy, move.to_square) and piece != chess.KING:
        guarded = len(board.attackers(board.turn, move.to_square)) > 1
        cheapest = min(_VALUES[board.piece_type_at(s) or chess.PAWN] for s in board.attackers(enemy, move.to_square))
        worth -= max(0.0, _VALUES[piece] - cheapest) if guarded else _VALUES[piece]
    if board.is_attacked_by(enemy, move.from_square):
        worth += 0.5 * _VALUES[piece]
    centre = 3.5 - max(abs(chess.square_file(move.to_square) - 3.5), abs(chess.square_rank(move.to_square) - 3.5))
    worth += 0.15 * centre + (1.0 if board.is_castling(move) else 0.0) + (0.3 if board.gives_check(move) else 0.0)
    return worth - (0.4 if piece == chess.KING and not board.is_castling(move) else 0.0)
