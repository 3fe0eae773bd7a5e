"""Touched pieces (Laws, Art. 4): the moves that are still allowed.

Naming a piece does not touch it. With touch-move, a piece is touched by announcing a move of it that is read back; with
"j'adoube" announced first, nothing is touched. The session records the order in which pieces were touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import chess

from voicechess.laws.editions import Rules, UnnamedPromotion
from voicechess.meaning import Castling


def allowed_moves(board: chess.Board, touched: Sequence[chess.Square]) -> frozenset[chess.Move]:
    """The legal moves allowed after touching the pieces on `touched`, in this order (Art. 4.3, 4.4).

    Own pieces: the first that can move must move. Enemy pieces: the first that can be captured must be. Both: capture
    the enemy piece with the own one, otherwise move or capture the first one possible. King, then rook: castle on that
    side if legal. Rook, then king: that castling is forfeited. Nothing possible: any legal move.
    """
    legal = list(board.legal_moves)
    own = [square for square in touched if board.color_at(square) == board.turn]
    foes = [square for square in touched if board.color_at(square) == (not board.turn)]
    king = board.king(board.turn)
    rooks = [square for square in own if board.piece_type_at(square) == chess.ROOK]
    first = next((square for square in own if square in (king, *rooks) or _from(legal, square)), None)
    if king in own and rooks and not foes and first in (king, rooks[0]):
        if own.index(king) < own.index(rooks[0]):
            castlings = _castlings(board, legal, rooks[0])
            if castlings:
                return castlings
        else:
            forfeited = _castlings(board, legal, rooks[0])
            legal = [move for move in legal if move not in forfeited] or legal
    if own and foes:
        captures = _from(legal, own[0]) & _capturing(board, legal, foes[0])
        if captures:
            return captures
    for square in touched:
        possible = _from(legal, square) if square in own else _capturing(board, legal, square)
        if possible:
            return possible
    return frozenset(legal)


def after_illegal_castling(board: chess.Board, announced: Castling) -> frozenset[chess.Move]:
    """The moves allowed after announcing an illegal castling (Art. 4.4): any other legal king move, including castling
    on the other side; if the king has none, any legal move."""
    legal = list(board.legal_moves)
    king = board.king(board.turn)
    moves = frozenset(move for move in legal if move.from_square == king and _side(board, move) is not announced)
    return moves or frozenset(legal)


def _castlings(board: chess.Board, legal: Iterable[chess.Move], rook: chess.Square) -> frozenset[chess.Move]:
    """The legal castling move with the rook on `rook`; at most one."""
    king = board.king(board.turn)
    if king is None or chess.square_rank(rook) != chess.square_rank(king):
        return frozenset()
    side = Castling.KINGSIDE if rook > king else Castling.QUEENSIDE
    return frozenset(move for move in legal if _side(board, move) is side)


def _side(board: chess.Board, move: chess.Move) -> Castling | None:
    if not board.is_castling(move):
        return None
    return Castling.KINGSIDE if board.is_kingside_castling(move) else Castling.QUEENSIDE


def _from(legal: Iterable[chess.Move], square: chess.Square) -> frozenset[chess.Move]:
    return frozenset(move for move in legal if move.from_square == square)


def _capturing(board: chess.Board, legal: Iterable[chess.Move], square: chess.Square) -> frozenset[chess.Move]:
    return frozenset(move for move in legal if board.is_capture(move) and victim(board, move) == square)


def victim(board: chess.Board, move: chess.Move) -> chess.Square:
    """The square of the piece captured by `move`, which must be a capture."""
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square


@dataclass(frozen=True, slots=True)
class PromotionRuling:
    """The ruling on a pawn moved to the last rank with the clock pressed and no piece named."""

    move: chess.Move | None  # played; None: the player must announce the piece, bound to the touched pawn
    illegal: bool  # counts as an illegal move
    clock_back: bool  # the player's clock is started again


def unnamed_promotion(rules: Rules, from_square: chess.Square, to_square: chess.Square) -> PromotionRuling:
    """The edition's ruling on a promotion without a piece after the press."""
    match rules.unnamed_promotion:
        case UnnamedPromotion.ILLEGAL_QUEEN:
            return PromotionRuling(chess.Move(from_square, to_square, chess.QUEEN), illegal=True, clock_back=False)
        case UnnamedPromotion.ILLEGAL:
            return PromotionRuling(None, illegal=True, clock_back=True)
        case UnnamedPromotion.CLOCK_BACK:
            return PromotionRuling(None, illegal=False, clock_back=True)
