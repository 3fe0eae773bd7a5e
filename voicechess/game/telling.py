"""Descriptions of positions: in short, in full, and as changes since a position was last read.

The short one is for somebody who has followed the game: a castled king and pawns on their starting squares take one
word each. It contains as much as the full one, in fewer words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import chess

from voicechess.messages import File, Listing, Phrase, Piece, Rank, Side, Slot, Square

KINDS = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)

FEWEST_AT_HOME = 3
"""Fewest pawns on their starting squares that are summarised. Larger: they are named individually more often."""

_CASTLED = {"position.castled_short": (6, 5), "position.castled_long": (2, 3)}  # the files of king and rook


def sides_told(board: chess.BaseBoard) -> tuple[Phrase, ...]:
    """Both sides in full, piece by piece: White, then Black."""
    return tuple(side_told(board, colour) for colour in chess.COLORS)


def side_told(board: chess.BaseBoard, colour: chess.Color) -> Phrase:
    """One side in full, piece by piece."""
    pieces = [(kind, board.pieces(kind, colour)) for kind in KINDS]
    groups = tuple(
        group(kind, len(squares), Listing(tuple(_by_rank(squares, colour)), "")) for kind, squares in pieces if squares
    )
    if not groups:
        return Phrase("practice.no_pieces", {"side": Side(colour)})
    return Phrase("position.side", {"side": Side(colour), "pieces": Listing(groups, "groups")})


def sides_in_short(board: chess.BaseBoard) -> tuple[Phrase, ...]:
    """Both sides in short."""
    return tuple(side_in_short(board, colour) for colour in chess.COLORS)


def side_in_short(board: chess.BaseBoard, colour: chess.Color) -> Phrase:
    """One side in short."""
    left = {kind: board.pieces(kind, colour) for kind in KINDS}
    groups: list[Slot] = []
    first_rank = 0 if colour == chess.WHITE else 7
    for key, (king_file, rook_file) in _CASTLED.items():
        king, rook = chess.square(king_file, first_rank), chess.square(rook_file, first_rank)
        if king in left[chess.KING] and rook in left[chess.ROOK]:
            groups.append(Phrase(key))
            left[chess.KING].discard(king)
            left[chess.ROOK].discard(rook)
    pawns = left.pop(chess.PAWN)
    for kind, squares in left.items():
        if squares:
            groups.append(group(kind, len(squares), Listing(tuple(_by_rank(squares, colour)), "row")))
    if pawns:
        groups.append(_pawns_in_short(pawns, colour))
    return Phrase("position.short", {"side": Side(colour), "pieces": Listing(tuple(groups), "groups")})


def _pawns_in_short(pawns: chess.SquareSet, colour: chess.Color) -> Phrase:
    """The pawns; those on their starting squares are summarised only if every file has a pawn, so that the others
    identify them."""
    at_home = pawns & (chess.BB_RANK_2 if colour == chess.WHITE else chess.BB_RANK_7)
    every_file = len({chess.square_file(square) for square in pawns}) == 8
    if not every_file or len(at_home) < FEWEST_AT_HOME:
        return group(chess.PAWN, len(pawns), Listing(tuple(_by_rank(pawns, colour)), "row"))
    if len(at_home) == 8:
        return Phrase("position.pawns_at_home")
    away = Listing(tuple(_by_rank(pawns - at_home, colour)), "row")
    return Phrase("position.pawns_else_at_home", {"pawns": group(chess.PAWN, len(pawns - at_home), away)})


def group(kind: chess.PieceType, count: int, places: Listing) -> Phrase:
    """Pieces of one kind: "Türme Anna eins, Felix zwei"."""
    return Phrase("position.one" if count == 1 else "position.several", {"piece": Piece(kind), "places": places})


def _by_rank(squares: Iterable[chess.Square], colour: chess.Color) -> Iterator[Slot]:
    """Squares from a side's first rank on; those on one rank share its name: "Anna, Bella zwei"."""
    for rank in range(8) if colour == chess.WHITE else range(7, -1, -1):
        files = [chess.square_file(square) for square in squares if chess.square_rank(square) == rank]
        if len(files) == 1:
            yield Square(chess.square(files[0], rank))
        elif files:
            yield Phrase(
                "position.on_rank", {"files": Listing(tuple(map(File, sorted(files))), "row"), "rank": Rank(rank)}
            )


# --- what has changed ---


def changes_told(before: chess.Board, moves: Sequence[chess.Move]) -> tuple[Phrase, ...]:
    """Changes by `moves` to the position `before`, each piece with its route; () for none."""
    board, came_from = before.copy(stack=False), {square: square for square in before.piece_map()}
    for move in moves:
        _make(board, move, came_from)
    return tuple(
        Phrase("position.changed", {"side": Side(colour), "changes": Listing(changes, "groups")})
        for colour in chess.COLORS
        if (changes := tuple(_changes(before, board, came_from, colour)))
    )


def _make(board: chess.Board, move: chess.Move, came_from: dict[chess.Square, chess.Square]) -> None:
    """Make the move; `came_from`: original square of each piece."""
    old, castles = board.piece_map(), board.is_castling(move)
    board.push(move)
    new = board.piece_map()
    origins = dict(came_from)
    left = [square for square in old if new.get(square) != old[square]]
    for square in left:
        came_from.pop(square, None)
    for square, piece in new.items():
        if old.get(square) != piece:
            origin = next(one for one in left if old[one] == piece) if castles else move.from_square
            came_from[square] = origins[origin]


def _changes(
    before: chess.Board, after: chess.Board, came_from: dict[chess.Square, chess.Square], colour: chess.Color
) -> Iterator[Phrase]:
    for square, origin in came_from.items():
        piece = after.piece_at(square)
        first = before.piece_type_at(origin)
        if piece is None or first is None or piece.color != colour:
            continue
        if square == origin and piece.piece_type == first:  # otherwise a promoted pawn has come back
            continue
        way: dict[str, Slot] = {"piece": Piece(first), "start": Square(origin), "target": Square(square)}
        if piece.piece_type == first:
            yield Phrase("position.moved", way)
        else:
            yield Phrase("position.promoted", {**way, "became": Piece(piece.piece_type)})
    for square in sorted(set(chess.SquareSet(before.occupied_co[colour])) - set(came_from.values())):
        kind = before.piece_type_at(square)
        assert kind is not None
        yield Phrase("position.lost", {"piece": Piece(kind), "square": Square(square)})
