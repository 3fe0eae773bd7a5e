"""Moves in algebraic notation with English or German letters (Laws, Appendix C), written and read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

import chess

from voicechess.score.score import Score, sheet_time

LONGEST_FEN = 200
"""Characters. The longest position has 71, the rest of the fields less than 30."""

MOST_MOVES = 9_999


class Letters(Enum):
    """Whose letters: the value maps king, queen, rook, bishop, knight."""

    ENGLISH = "KQRBN"
    GERMAN = "KDTLS"

    def letter(self, piece: chess.PieceType) -> str:
        """The letter of a piece; a pawn has none."""
        order = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
        return self.value[order.index(piece)] if piece in order else ""


_TO_GERMAN = str.maketrans(Letters.ENGLISH.value, Letters.GERMAN.value)
# B is no German letter of a piece, so both alphabets can be read at once.
_TO_ENGLISH = str.maketrans(Letters.GERMAN.value, Letters.ENGLISH.value)
_TRIMMED = re.compile(r"(?:[+#†‡]+|e\.?p\.?)+$")


def san(board: chess.Board, move: chess.Move, letters: Letters = Letters.ENGLISH) -> str:
    """A legal move in short algebraic notation. German: "Sf3", "e8D", "0-0" (Laws, C.2, C.11, C.13)."""
    english = board.san(move)
    if letters is Letters.ENGLISH:
        return english
    return english.translate(_TO_GERMAN).replace("=", "").replace("O", "0")


def parse_san(board: chess.Board, text: str) -> chess.Move:
    """The legal move written in English or German letters. Raises ValueError (python-chess' three kinds) otherwise.

    Null moves are illegal here.
    """
    trimmed = _TRIMMED.sub("", text.strip()).replace(":", "x")
    if trimmed.replace("0", "O") in ("O-O", "O-O-O"):
        return board.parse_san(trimmed)
    english = trimmed[:1].translate(_TO_ENGLISH) + trimmed[1:]
    promoted = re.fullmatch(r"(.*[18])=?\(?([QRBNDTLSqrbndtls])\)?", english)
    if promoted and english[0] in "abcdefgh":
        english = f"{promoted[1]}={promoted[2].upper().translate(_TO_ENGLISH)}"
    move = board.parse_san(english)
    if not move:
        raise chess.IllegalMoveError("a null move is no move")
    return move


def move_list(score: Score, letters: Letters = Letters.ENGLISH) -> tuple[str, ...]:
    """The game, one line for each move number: "1. e4 (4:58) e5 (=) (4:52)"; (=) is a draw offer, then comes the time
    that whoever moved had left, where it is known."""
    lines: list[str] = []
    for board, made in score.positions():
        written = san(board, made.move, letters) + (" (=)" if made.draw_offered else "")
        left_ms = made.left_ms(board.turn)
        if left_ms is not None:
            written += f" ({sheet_time(left_ms)})"
        if board.turn == chess.WHITE:
            lines.append(f"{board.fullmove_number}. {written}")
        elif lines:
            lines[-1] += " " + written
        else:
            lines.append(f"{board.fullmove_number}. … {written}")
    return tuple(lines)


def read_fen(text: str, chess960: bool = False) -> chess.Board:
    """The position in FEN. Raises ValueError for anything else, and for counters that no game comes to.

    The longest game possible has less than nine thousand moves; numbers without a limit are read aloud for minutes, and
    their digits cost time with the square of their length.
    """
    if len(text) > LONGEST_FEN:
        raise ValueError("longer than any FEN")
    board = chess.Board(text, chess960=chess960)
    if board.fullmove_number > MOST_MOVES or board.halfmove_clock > MOST_MOVES:
        raise ValueError(f"more than {MOST_MOVES} moves")
    return board


def piece_list(board: chess.Board, colour: chess.Color) -> Sequence[tuple[chess.PieceType, chess.Square]]:
    """A side's men as a position is listed: king, queens, rooks, bishops, knights, pawns, each by files from a1."""
    order = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
    return [
        (kind, square)
        for kind in order
        for square in sorted(board.pieces(kind, colour), key=lambda s: (chess.square_file(s), s))
    ]
