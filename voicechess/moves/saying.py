"""A legal move as data for its announcement (Laws, Appendix D.2)."""

from __future__ import annotations

import chess

from voicechess.meaning import Castling, CheckWord
from voicechess.messages import SaidMove


def said_move(board: chess.Board, move: chess.Move, names_captured: bool = False) -> SaidMove:
    """The announcement of `move`, which must be legal on `board`; `names_captured`: include the captured piece.

    The origin is given as in SAN: the file if it disambiguates, else the rank, else both; always the file of a pawn
    that captures.
    """
    piece = board.piece_type_at(move.from_square)
    assert piece is not None, "only legal moves are announced"
    castling = castling_side(board, move)
    if castling is not None:
        needs_file = needs_rank = False
        captured = None
    else:
        captured = captured_by(board, move)
        needs_file, needs_rank = _origin_needed(board, move, piece, captured is not None)
    return SaidMove(
        colour=board.turn,
        piece=piece,
        from_square=move.from_square,
        to_square=move.to_square if castling is None else castled_king_square(board, castling),
        captured=captured,
        en_passant=board.is_en_passant(move),
        promotion=move.promotion,
        castling=castling,
        check=check_given(board, move),
        needs_file=needs_file,
        needs_rank=needs_rank,
        uci=board.uci(move),
        names_captured=names_captured,
    )


def captured_by(board: chess.Board, move: chess.Move) -> chess.PieceType | None:
    """The type of the piece that `move` captures; None if none. Not for castling, whose target may be the own rook."""
    return chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)


def castling_side(board: chess.Board, move: chess.Move) -> Castling | None:
    """The side to which `move` castles; None for other moves."""
    if not board.is_castling(move):
        return None
    return Castling.KINGSIDE if board.is_kingside_castling(move) else Castling.QUEENSIDE


def castled_king_square(board: chess.Board, side: Castling) -> chess.Square:
    """The target square of the castling king of the side to move; the same in every starting position."""
    return chess.square(6 if side is Castling.KINGSIDE else 2, 0 if board.turn == chess.WHITE else 7)


def check_given(board: chess.Board, move: chess.Move) -> CheckWord | None:
    """Whether a legal `move` gives check or mate; None if neither."""
    if not board.gives_check(move):
        return None
    after = board.copy(stack=False)
    after.push(move)
    return CheckWord.MATE if after.is_checkmate() else CheckWord.CHECK


def _origin_needed(board: chess.Board, move: chess.Move, piece: chess.PieceType, captures: bool) -> tuple[bool, bool]:
    if piece == chess.PAWN:
        return captures, False
    if piece == chess.KING:
        return False, False
    kin = board.pieces_mask(piece, board.turn) & ~chess.BB_SQUARES[move.from_square]
    others = {other.from_square for other in board.generate_legal_moves(kin, chess.BB_SQUARES[move.to_square])}
    if not others:
        return False, False
    same_file = any(chess.square_file(o) == chess.square_file(move.from_square) for o in others)
    same_rank = any(chess.square_rank(o) == chess.square_rank(move.from_square) for o in others)
    if not same_file:
        return True, False
    return same_rank, True
