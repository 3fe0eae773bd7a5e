"""Whether a side can still mate by some series of legal moves (Laws, Art. 5.2.2, 6.9).

Decided are:

- insufficient material, exactly: a bare king never mates; king and knight only with the help of an enemy rook, bishop,
  knight or pawn; bishops (of both sides) all on squares of one colour, without knights or pawns on the board, never;
- locked pawn walls: when no pawn can ever move, capture or be captured, the squares that each piece can ever reach are
  known, and often show that no mate is possible (`_locked_out`, after the idea of Ambrona's Chess Unwinnability
  Analyzer: over-estimates of the reachable squares);
- forced play: exhaustive search, if few positions can arise (`_search`).

Everything else counts as "can mate", the default when a flag falls. So no draw is given wrongly, but some blocked
positions with an opening that leads nowhere are missed.
"""

from __future__ import annotations

from collections import deque
from itertools import islice

import chess

FLAG_SEARCH = 600
"""Positions searched after a flag fall: some tenths of a second at worst. Larger: more draws found, slower."""
_DEAD_SEARCH = 24  # the same after every move
_FEW_MOVES = 2


def can_mate(board: chess.Board, colour: chess.Color, limit: int = FLAG_SEARCH) -> bool:
    """Whether `colour` can mate from `board` by some series of legal moves; False only if that is certain.

    `limit`: positions searched at most.
    """
    if _never(board, colour):
        return False
    return limit <= 0 or _search(board, colour, limit)


def is_dead(board: chess.Board) -> bool:
    """Whether neither side can mate (Laws, Art. 5.2.2). Fast enough to run after every move."""
    if _never(board, chess.WHITE) and _never(board, chess.BLACK):
        return True
    # A position from which play is forced into a dead one is dead; searched only if there are few moves.
    if sum(1 for _ in islice(board.generate_legal_moves(), _FEW_MOVES + 1)) > _FEW_MOVES:
        return False
    return not any(can_mate(board, colour, _DEAD_SEARCH) for colour in chess.COLORS)


def _never(board: chess.Board, colour: chess.Color) -> bool:
    return board.has_insufficient_material(colour) or _locked_out(board, colour)


def _search(board: chess.Board, colour: chess.Color, limit: int) -> bool:
    """Breadth-first search for a mate by `colour`: False if all lines end without one within `limit` positions."""
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
    """Whether all pawns are locked for good and `colour` therefore cannot mate.

    All sets of squares are over-estimates (movable pieces never block), so True is certain.
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
    """Whether every pawn is blocked by an enemy pawn, directly or behind own pawns that are."""
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
    stuck_white = white & black >> 8
    stuck_black = black & white << 8
    for _ in range(5):
        stuck_white |= white & stuck_white >> 8
        stuck_black |= black & stuck_black << 8
    return stuck_white == white and stuck_black == black


def _reach(board: chess.Board, start: chess.Square) -> chess.Bitboard | None:
    """All squares that the piece on `start` can reach while no pawn moves; None if it can capture a pawn."""
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
    """The squares attacked by a piece on `square` if only `walls` block it."""
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
    """Whether on some square the enemy king could be in check with every flight square covered or blocked.

    Each flight square is considered alone, as if every piece could help everywhere at once: an over-estimate.
    """
    king, prey = board.king(colour), board.king(not colour)
    if king is None or prey is None:
        return True
    pieces = [s for s in reach if board.color_at(s) == colour and s != king]
    helpers = chess.BB_EMPTY  # squares on which the enemy king's own pieces may block it
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
