"""Whether a side can still mate by any series of legal moves, however badly the other plays (Laws, Art. 5.2.2, 6.9).

What is decided:

- exactly by material: a bare king never mates; king and knight only with the help of an enemy rook, bishop, knight or
  pawn; bishops that all (both sides') stand on squares of one colour, without knights or pawns on the board, never;
- locked pawn walls: when no pawn can ever move, capture or be captured, the squares that each piece can ever reach are
  known, and often show that no mate can be given (`_locked_out`, after the idea of Ambrona's Chess Unwinnability
  Analyzer: sets of squares that are certainly not too small);
- forced play: all positions that can come about, when these are few (`_search`).

What is not: everything else counts as "can mate", which is what a fallen flag presumes. So a draw is never given
wrongly, but some blocked positions with a way through that leads nowhere are missed.
"""

from __future__ import annotations

from collections import deque
from itertools import islice

import chess

FLAG_SEARCH = 600
"""Positions searched when a flag has fallen: some tenths of a second at worst. Larger: more draws are found."""
_DEAD_SEARCH = 24  # the same after every move
_FEW_MOVES = 2


def can_mate(board: chess.Board, colour: chess.Color, limit: int = FLAG_SEARCH) -> bool:
    """Whether `colour` may still mate from `board` by some series of legal moves; False only if it certainly cannot.

    `limit` bounds the search, in positions.
    """
    if _never(board, colour):
        return False
    return limit <= 0 or _search(board, colour, limit)


def is_dead(board: chess.Board) -> bool:
    """Whether neither side can mate any more (Laws, Art. 5.2.2). Quick enough for every move."""
    if _never(board, chess.WHITE) and _never(board, chess.BLACK):
        return True
    # Play that is forced into a dead position makes it dead already; only few moves make looking cheap.
    if sum(1 for _ in islice(board.generate_legal_moves(), _FEW_MOVES + 1)) > _FEW_MOVES:
        return False
    return not any(can_mate(board, colour, _DEAD_SEARCH) for colour in chess.COLORS)


def _never(board: chess.Board, colour: chess.Color) -> bool:
    return board.has_insufficient_material(colour) or _locked_out(board, colour)


def _search(board: chess.Board, colour: chess.Color, limit: int) -> bool:
    """Whether mate by `colour` is found, or not excluded, within `limit` positions; False if all lines are closed."""
    waiting = deque([board.copy(stack=False)])
    seen = {_key(board)}
    while waiting:
        position = waiting.popleft()
        moves = list(position.generate_legal_moves())
        if not moves and position.is_check() and position.turn != colour:
            return True
        for move in moves:
            after = position.copy(stack=False)
            after.push(move)
            key = _key(after)
            if key in seen or _never(after, colour):
                continue
            if len(seen) >= limit:
                return True
            seen.add(key)
            waiting.append(after)
    return False


def _key(board: chess.Board) -> tuple[object, ...]:
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


# Locked pawns.


def _locked_out(board: chess.Board, colour: chess.Color) -> bool:
    """Whether the pawns are locked for ever and `colour` can therefore not mate.

    Every set of squares is an over-estimate (pieces that can move never stand in the way), so True is certain.
    """
    if not board.pawns or not _face_to_face(board) or board.castling_rights or board.is_check():
        return False
    if board.ep_square is not None and board.has_legal_en_passant():
        return False
    reach = {square: _reach(board, square) for square in chess.scan_forward(board.occupied & ~board.pawns)}
    if any(squares is None for squares in reach.values()):
        return False
    known = {square: squares for square, squares in reach.items() if squares is not None}
    for pawn in chess.scan_forward(board.pawns):
        owner = bool(board.occupied_co[chess.WHITE] & chess.BB_SQUARES[pawn])
        prey = chess.BB_PAWN_ATTACKS[owner][pawn]
        for square, squares in known.items():
            if square != board.king(not owner) and board.color_at(square) != owner and squares & prey:
                return False
        if prey & board.pawns & board.occupied_co[not owner]:
            return False
    return not _mate_imaginable(board, colour, known)


def _face_to_face(board: chess.Board) -> bool:
    """Whether every pawn stands before another piece's pawn, or behind an own one that does."""
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
    stuck_white = white & black >> 8
    stuck_black = black & white << 8
    for _ in range(5):
        stuck_white |= white & stuck_white >> 8
        stuck_black |= black & stuck_black << 8
    return stuck_white == white and stuck_black == black


def _reach(board: chess.Board, start: chess.Square) -> chess.Bitboard | None:
    """All squares that the piece on `start` may ever stand on while no pawn moves; None if it may capture a pawn."""
    kind = board.piece_type_at(start)
    owner = bool(board.color_at(start))
    foes = board.pawns & board.occupied_co[not owner]
    guarded = _pawn_attacks(board, not owner)
    found = chess.BB_SQUARES[start]
    waiting = [start]
    while waiting:
        square = waiting.pop()
        steps = _steps(kind, square, board.pawns)
        if kind == chess.KING:
            steps &= ~guarded
        if steps & foes:
            return None
        fresh = steps & ~board.pawns & ~found
        found |= fresh
        waiting.extend(chess.scan_forward(fresh))
    return found


def _steps(kind: chess.PieceType | None, square: chess.Square, walls: chess.Bitboard) -> chess.Bitboard:
    """Where a piece on `square` attacks when only `walls` stand in its way."""
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    attacks = chess.BB_EMPTY
    if kind in (chess.BISHOP, chess.QUEEN):
        attacks |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & walls]
    if kind in (chess.ROOK, chess.QUEEN):
        attacks |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & walls]
        attacks |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & walls]
    return attacks


def _pawn_attacks(board: chess.Board, colour: chess.Color) -> chess.Bitboard:
    attacks = chess.BB_EMPTY
    for pawn in chess.scan_forward(board.pawns & board.occupied_co[colour]):
        attacks |= chess.BB_PAWN_ATTACKS[colour][pawn]
    return attacks


def _mate_imaginable(board: chess.Board, colour: chess.Color, reach: dict[chess.Square, chess.Bitboard]) -> bool:
    """Whether on some square of the enemy king a check and a cover or block of every flight square is imaginable.

    Each flight square is judged by itself, as if all helpers could stand ready at once: too generous, never too strict.
    """
    king, prey = board.king(colour), board.king(not colour)
    if king is None or prey is None:
        return True
    pieces = [s for s in reach if board.color_at(s) == colour and s != king]
    helpers = chess.BB_EMPTY  # where the prey's own pieces may block it
    for square, squares in reach.items():
        if board.color_at(square) != colour and square != prey:
            helpers |= squares
    helpers |= board.pawns & board.occupied_co[not colour]
    attacked = _pawn_attacks(board, colour)
    for piece in pieces:
        kind = board.piece_type_at(piece)
        for square in chess.scan_forward(reach[piece]):
            attacked |= _steps(kind, square, board.pawns)
    for square in chess.scan_forward(reach[prey] & attacked):
        flights = chess.BB_KING_ATTACKS[square] & ~helpers & ~attacked
        near = chess.BB_KING_ATTACKS[square] | chess.BB_SQUARES[square]
        if all(chess.BB_KING_ATTACKS[flight] & reach[king] & ~near for flight in chess.scan_forward(flights)):
            return True
    return False
