"""Touched pieces (Laws, Art. 4): which moves are still allowed.

In speech, naming a piece is not touching it. With touch-move, a piece is touched when it was announced and heard
back as such; "j'adoube" announced before touches nothing. The session keeps the order of touching; here is what
follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import chess

from voicechess.laws.editions import Rules, UnnamedPromotion
from voicechess.meaning import Castling


def allowed_moves(board: chess.Board, touched: Sequence[chess.Square]) -> frozenset[chess.Move]:
    """The legal moves that are allowed after the pieces on `touched` were touched, in this order (Art. 4.3, 4.4).

    Own pieces: the first that can move must. Enemy pieces: the first that can be captured must be. Both: take the enemy
    piece with the own one, else the first touched that can be moved or captured. King and rook: castle on that side if
    that is legal; rook first, then king: that castling is forfeited. Nothing possible: any legal move.
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
    """The moves allowed after an announced castling that is not legal (Art. 4.4): another legal king move, castling on
    the other side included; if the king has none, any legal move."""
    legal = list(board.legal_moves)
    king = board.king(board.turn)
    moves = frozenset(move for move in legal if move.from_square == king and _side(board, move) is not announced)
    return moves or frozenset(legal)


def _castlings(board: chess.Board, legal: Iterable[chess.Move], rook: chess.Square) -> frozenset[chess.Move]:
    """The legal castling with the rook on `rook`, if there is one."""
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
    """Where the piece stands that `move`, a capture, takes."""
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square


@dataclass(frozen=True, slots=True)
class PromotionRuling:
    """What becomes of a pawn announced to the last rank without its new piece, the clock pressed."""

    move: chess.Move | None  # is played; None: the player must announce the piece, with the pawn that was touched
    illegal: bool  # it counts as an illegal move
    clock_back: bool  # the player's clock runs again


def unnamed_promotion(rules: Rules, from_square: chess.Square, to_square: chess.Square) -> PromotionRuling:
    """What the edition says of a promotion without a piece after the clock was pressed."""
    match rules.unnamed_promotion:
        case UnnamedPromotion.ILLEGAL_QUEEN:
            return PromotionRuling(chess.Move(from_square, to_square, chess.QUEEN), illegal=True, clock_back=False)
        case UnnamedPromotion.ILLEGAL:
            return PromotionRuling(None, illegal=True, clock_back=True)
        case UnnamedPromotion.CLOCK_BACK:
            return PromotionRuling(None, illegal=False, clock_back=True)
