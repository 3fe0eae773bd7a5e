"""Chess960 (Laws 2023, Guidelines II; 2009, Appendix F): starting positions by number, lot or hand; castling.

python-chess numbers the 960 positions and implements castling in them. Castling is announced by its own words ("ich
rochiere"), so that it cannot be taken for a king move; the repetition names both pieces' squares, since one of them may
stay where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from voicechess.messages import Failure, File, Listing, Phrase, Piece, Slot, Square
from voicechess.moves.saying import said_move

POSITIONS = 960
CLASSICAL = 518
_BACK_RANK = {chess.KING: 1, chess.QUEEN: 1, chess.ROOK: 2, chess.BISHOP: 2, chess.KNIGHT: 2}


def by_number(number: int) -> chess.Board:
    """Starting position `number`, 0 to 959; 518 is the classical one. Raises `Failure` for other numbers."""
    if not 0 <= number < POSITIONS:
        raise Failure("chess960.error.number", {"last": POSITIONS - 1})
    return chess.Board.from_chess960_pos(number)


def by_lot(random_number: int) -> int:
    """A starting position's number drawn by `random_number`, which should be uniform over a range far above 960."""
    return random_number % POSITIONS


def by_hand(pieces: Sequence[chess.PieceType]) -> chess.Board:
    """The starting position whose back rank is `pieces` from the a-file on. Raises `Failure` with the reason if there
    is none."""
    if len(pieces) != 8:
        raise Failure("chess960.error.eight")
    for kind, count in _BACK_RANK.items():
        if pieces.count(kind) != count:
            raise Failure("chess960.error.count", {"piece": Piece(kind), "count": count})
    bishops = [file for file, kind in enumerate(pieces) if kind == chess.BISHOP]
    if bishops[0] % 2 == bishops[1] % 2:
        raise Failure("chess960.error.bishops")
    rooks = [file for file, kind in enumerate(pieces) if kind == chess.ROOK]
    if not rooks[0] < pieces.index(chess.KING) < rooks[1]:
        raise Failure("chess960.error.king")
    rank = "".join(chess.piece_symbol(kind) for kind in pieces)
    return chess.Board(f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()} w KQkq - 0 1", chess960=True)


def number_of(board: chess.Board) -> int | None:
    """The number of the starting position on `board`; None for any other position."""
    return board.chess960_pos()


def as_chess(board: chess.Board) -> chess.Board | None:
    """The position as a board of standard chess; None if castling in it differs from standard chess.

    Without castling rights, or with kings and rooks on their usual squares, Chess960 is standard chess.
    """
    plain = chess.Board(board.fen(en_passant="fen"))
    if plain.castling_rights != board.castling_rights or plain.status() & chess.STATUS_BAD_CASTLING_RIGHTS:
        return None
    return plain if plain.clean_castling_rights() == board.clean_castling_rights() else None


def announcement(board: chess.Board) -> Phrase:
    """White's back rank file by file, and the number if it is a starting position."""
    items: list[Slot] = []
    for file in range(8):
        kind = board.piece_type_at(chess.square(file, 0))
        if kind is not None:
            items.append(Phrase("chess960.file", {"file": File(file), "piece": Piece(kind)}))
    number = number_of(board)
    pieces = Listing(tuple(items), "")
    if number is None:
        return Phrase("chess960.unnumbered", {"pieces": pieces})
    return Phrase("chess960.position", {"number": number, "pieces": pieces})


@dataclass(frozen=True, slots=True)
class CastlingSteps:
    """Origin and target of king and rook in a castling move; they are equal for a piece that stays."""

    king_from: chess.Square
    king_to: chess.Square
    rook_from: chess.Square
    rook_to: chess.Square


def castling_steps(board: chess.Board, move: chess.Move) -> CastlingSteps:
    """The squares of the castling `move`, which must be legal on `board`, in either of python-chess' encodings."""
    kingside = board.is_kingside_castling(move)
    rank = chess.square_rank(move.from_square)
    rook = move.to_square
    if board.piece_at(rook) != chess.Piece(chess.ROOK, board.turn):
        rook = chess.square(7 if kingside else 0, rank)
    return CastlingSteps(
        move.from_square,
        chess.square(6 if kingside else 2, rank),
        rook,
        chess.square(5 if kingside else 3, rank),
    )


def castling_told(board: chess.Board, move: chess.Move) -> Phrase:
    """A legal castling move with the squares of king and rook; sentences of their own if one stays or they swap."""
    steps = castling_steps(board, move)
    slots: dict[str, Slot] = {
        "move": said_move(board, move),
        "king_from": Square(steps.king_from),
        "king_to": Square(steps.king_to),
        "rook_from": Square(steps.rook_from),
        "rook_to": Square(steps.rook_to),
    }
    if steps.king_from == steps.king_to:
        return Phrase(
            "chess960.castling.king_stays", {name: slots[name] for name in ("move", "king_to", "rook_from", "rook_to")}
        )
    if steps.rook_from == steps.rook_to:
        return Phrase(
            "chess960.castling.rook_stays", {name: slots[name] for name in ("move", "king_from", "king_to", "rook_to")}
        )
    if (steps.king_from, steps.rook_from) == (steps.rook_to, steps.king_to):
        return Phrase("chess960.castling.change_places", {name: slots[name] for name in ("move", "king_to", "rook_to")})
    return Phrase("chess960.castling.both", slots)
