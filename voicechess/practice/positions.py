"""Positions for practice: generated with few pieces around one legal move that trains a skill; and any position in
words, every piece with its square, White first, kings before pawns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import chess

from voicechess.game.telling import sides_in_short
from voicechess.messages import Listing, Phrase, Piece, Slot, Square
from voicechess.practice.schedule import about, kind_of

# --- Positions generated for one move ---

Maker = Callable[[Random, str], tuple[chess.Board, chess.Move] | None]

_OFFICERS = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def position_for(skill: str, random: Random) -> tuple[chess.Board, chess.Move]:
    """A legal position, White or Black to move, and a legal move that trains `skill`."""
    make = _MAKERS[kind_of(skill)]
    while True:
        made = make(random, about(skill))
        if made is None:
            continue
        board, move = made
        if not board.is_valid() or move not in board.legal_moves:
            continue
        if random.random() < 0.5:
            return board.mirror(), _mirrored(move)
        return board, move


def _mirrored(move: chess.Move) -> chess.Move:
    return chess.Move(chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion)


def _board(random: Random, pieces: Mapping[chess.Square, chess.Piece], keep_free: chess.Bitboard = 0) -> chess.Board:
    """A board with these pieces, and missing kings on random squares outside `keep_free`."""
    board = chess.Board(None)
    for square, piece in pieces.items():
        board.set_piece_at(square, piece)
    for colour in chess.COLORS:
        if board.king(colour) is None:
            free = [s for s in chess.SQUARES if not (board.occupied | keep_free) & chess.BB_SQUARES[s]]
            board.set_piece_at(random.choice(free), chess.Piece(chess.KING, colour))
    return board


def _simple(random: Random, piece: chess.PieceType, target: chess.Square) -> tuple[chess.Board, chess.Move] | None:
    """A white piece and its move to `target`; None for a pawn on an unsuitable rank."""
    if piece == chess.PAWN:
        rank = chess.square_rank(target)
        if not 2 <= rank <= 6:
            return None
        origin = target - 8 if rank != 3 or random.random() < 0.5 else target - 16
    else:
        origin = _origin(random, piece, target)
    board = _board(random, {origin: chess.Piece(piece, chess.WHITE)}, chess.BB_SQUARES[target])
    return (board, chess.Move(origin, target))


def _origin(random: Random, piece: chess.PieceType, target: chess.Square) -> chess.Square:
    """A random square from which `piece` reaches `target` on an empty board."""
    board = chess.BaseBoard(None)
    board.set_piece_at(target, chess.Piece(piece, chess.WHITE))
    return random.choice(list(board.attacks(target)))


def _to_file(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    return _simple(random, random.choice(chess.PIECE_TYPES), chess.square(int(what), random.randrange(8)))


def _to_rank(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    return _simple(random, random.choice(chess.PIECE_TYPES), chess.square(random.randrange(8), int(what)))


def _piece(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    return _simple(random, int(what), random.choice(chess.SQUARES))


def _captures(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    target = random.choice(chess.SQUARES)
    piece = random.choice(chess.PIECE_TYPES)
    if piece == chess.PAWN:
        sources = list(chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.BLACK][target]))
        if not sources or chess.square_rank(target) == 7:
            return None
        origin = random.choice(sources)
    else:
        origin = _origin(random, piece, target)
    victim = chess.Piece(random.choice((chess.PAWN, *_OFFICERS)), chess.BLACK)
    board = _board(random, {origin: chess.Piece(piece, chess.WHITE), target: victim})
    return (board, chess.Move(origin, target))


def _origin_needed(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    """A move of one of two pieces of a kind that both reach the target."""
    target = random.choice(chess.SQUARES)
    kind = random.choice((chess.KNIGHT, chess.ROOK, chess.QUEEN))
    one, other = _origin(random, kind, target), _origin(random, kind, target)
    if one == other:
        return None
    piece = chess.Piece(kind, chess.WHITE)
    board = _board(random, {one: piece, other: piece}, chess.BB_SQUARES[target])
    if chess.Move(other, target) not in board.legal_moves:
        return None
    return board, chess.Move(one, target)


def _castling(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    kingside = what == "kingside"
    pieces = {
        chess.E1: chess.Piece(chess.KING, chess.WHITE),
        (chess.H1 if kingside else chess.A1): chess.Piece(chess.ROOK, chess.WHITE),
    }
    board = _board(random, pieces, chess.BB_RANK_1)
    board.castling_rights = chess.BB_H1 if kingside else chess.BB_A1
    return board, chess.Move(chess.E1, chess.G1 if kingside else chess.C1)


def _promotion(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    origin = chess.square(random.randrange(8), 6)
    pieces = {origin: chess.Piece(chess.PAWN, chess.WHITE)}
    target = origin + 8
    if random.random() < 0.4:
        target = random.choice(list(chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.WHITE][origin])))
        pieces[target] = chess.Piece(random.choice(_OFFICERS), chess.BLACK)
    board = _board(random, pieces, chess.BB_SQUARES[target])
    return (board, chess.Move(origin, target, random.choice(_OFFICERS)))


def _en_passant(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    file = random.randrange(8)
    origin = chess.square(file, 4)
    victim = chess.square(random.choice([f for f in (file - 1, file + 1) if 0 <= f < 8]), 4)
    target = victim + 8
    pieces = {origin: chess.Piece(chess.PAWN, chess.WHITE), victim: chess.Piece(chess.PAWN, chess.BLACK)}
    board = _board(random, pieces, chess.BB_SQUARES[target] | chess.BB_SQUARES[target + 8])
    board.ep_square = target
    return board, chess.Move(origin, target)


def _check(random: Random, what: str) -> tuple[chess.Board, chess.Move] | None:
    made = _simple(random, random.choice(_OFFICERS), random.choice(chess.SQUARES))
    if made is None or made[1] not in made[0].legal_moves or not made[0].gives_check(made[1]):
        return None
    return made


_MAKERS: Mapping[str, Maker] = {
    "file": _to_file,
    "rank": _to_rank,
    "piece": _piece,
    "captures": _captures,
    "origin": _origin_needed,
    "castling": _castling,
    "promotion": _promotion,
    "en_passant": _en_passant,
    "check": _check,
}


# --- Positions in words ---


def piece_on(kind: chess.PieceType, square: chess.Square) -> Phrase:
    """ "Turm Anna eins"."""
    return Phrase("practice.piece_on", {"piece": Piece(kind), "square": Square(square)})


def side_told(board: chess.BaseBoard, colour: chess.Color) -> Listing:
    """All pieces of one side with their squares."""
    pieces: list[Slot] = []
    for kind in reversed(chess.PIECE_TYPES):
        pieces += [piece_on(kind, square) for square in sorted(board.pieces(kind, colour))]
    return Listing(tuple(pieces), "")


def position_told(board: chess.BaseBoard) -> tuple[Phrase, ...]:
    """Both sides' pieces, a sentence each."""
    return (
        Phrase("practice.white_pieces", {"pieces": side_told(board, chess.WHITE)}),
        Phrase("practice.black_pieces", {"pieces": side_told(board, chess.BLACK)}),
    )


def position_in_short(board: chess.BaseBoard) -> tuple[Phrase, ...]:
    """Both sides' pieces in few words, spoken at normal speed, since the listener does not know the position."""
    return tuple(Phrase("position.side", told.slots) for told in sides_in_short(board))
