"""Positions in FEN as people and programs write it, with the castling letters of Chess960 (X-FEN and Shredder-FEN).

Impossible castling rights and en passant squares are dropped, since editors leave "KQkq" with kings off their squares;
never silently.
"""

from __future__ import annotations

import chess

from voicechess.messages import Failure, Phrase, Side

MAX_FEN = 200
"""Longest FEN in characters. The longest placement has 71, the other fields together less than 30."""

MAX_MOVES = 9_999

_PLAIN = {
    "K": (chess.E1, chess.H1),
    "Q": (chess.E1, chess.A1),
    "k": (chess.E8, chess.H8),
    "q": (chess.E8, chess.A8),
}
"""The squares of king and rook for each castling letter in standard chess."""


def read_position(text: str, chess960: bool = False) -> tuple[chess.Board, tuple[Phrase, ...]]:
    """The position of a FEN, and a sentence for each impossible part that was dropped.

    The board is a Chess960 board if `chess960`, or if its castling rights have no other interpretation. Raises
    `Failure` with the reason for an impossible position, and ValueError for malformed FEN and counters beyond
    `MAX_MOVES`: the longest possible game has less than nine thousand moves, unbounded numbers would be read aloud for
    minutes, and parsing them takes quadratic time.
    """
    if len(text) > MAX_FEN:
        raise ValueError("longer than any FEN")
    fields = text.strip().rstrip(";").split()
    letters = ""
    if len(fields) > 2:
        letters = "".join(dict.fromkeys(letter for letter in fields[2] if letter not in "-–—"))
        fields[2] = "".join(sorted(letters)) or "-"
    if len(fields) > 3 and fields[3] in ("–", "—"):
        fields[3] = "-"
    board = chess.Board(" ".join(fields), chess960=True)
    board.castling_rights, board.chess960 = _rights(board, letters, chess960)
    dropped = []
    if board.castling_rights.bit_count() < len(letters):
        dropped.append(Phrase("fen.castling_dropped"))
    if board.ep_square is not None and board.status() & (
        chess.STATUS_INVALID_EP_SQUARE | chess.STATUS_IMPOSSIBLE_CHECK
    ):
        board.ep_square = None
        dropped.append(Phrase("fen.en_passant_dropped"))
    if not board.is_valid():
        raise _impossible(board)
    if board.fullmove_number > MAX_MOVES or board.halfmove_clock > MAX_MOVES:
        raise ValueError(f"more than {MAX_MOVES} moves")
    return board, tuple(dropped)


_KINGS, _PAWNS, _MEN = 1, 8, 16
"""Largest numbers of a side: kings, pawns, pieces and pawns together."""


def _impossible(board: chess.Board) -> Failure:
    """The first reason why the position is impossible."""
    for colour in chess.COLORS:
        kings = len(board.pieces(chess.KING, colour))
        counts = (
            ("no_king", kings < _KINGS),
            ("kings", kings > _KINGS),
            ("pawns", len(board.pieces(chess.PAWN, colour)) > _PAWNS),
            ("men", chess.popcount(board.occupied_co[colour]) > _MEN),
        )
        for key, wrong in counts:
            if wrong:
                return Failure(f"fen.{key}", {"side": Side(colour)})
    if board.pawns & chess.BB_BACKRANKS:
        return Failure("fen.back_rank")
    if board.was_into_check():
        return Failure("fen.check", {"side": Side(not board.turn)})
    return Failure("fen.otherwise")


def _rights(board: chess.Board, letters: str, chess960: bool) -> tuple[chess.Bitboard, bool]:
    """The possible castling rights, and whether they are those of Chess960.

    "K" is the outermost rook on the kingside in X-FEN, and the rook on h1 in standard chess. The letters are read as
    X-FEN if every one has its rook and a king is off the e-file or the position is a Chess960 starting position.
    """
    of_960 = board.clean_castling_rights()
    plain = chess.BB_EMPTY
    for king, rook in (_PLAIN[letter] for letter in letters if letter in _PLAIN):
        colour = chess.square_rank(king) == 0
        at_home = board.king(colour) == king and board.piece_at(rook) == chess.Piece(chess.ROOK, colour)
        plain |= chess.BB_SQUARES[rook] if at_home else chess.BB_EMPTY
    if chess960:
        return of_960, True
    if not set(letters) <= set(_PLAIN):  # Shredder's letters; in chess they are A and H
        return of_960, board.has_chess960_castling_rights()
    kings = {board.king(colour) for colour in chess.COLORS if of_960 & chess.BB_BACKRANKS & _rank(colour)}
    elsewhere = not kings <= {chess.E1, chess.E8} or board.chess960_pos() is not None
    if of_960 != plain and of_960.bit_count() == len(letters) and elsewhere:
        return of_960, True
    return plain, False


def _rank(colour: chess.Color) -> chess.Bitboard:
    return chess.BB_RANK_1 if colour == chess.WHITE else chess.BB_RANK_8
