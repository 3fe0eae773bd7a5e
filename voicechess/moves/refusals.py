"""The reason why an announced move is illegal: pinned, blocked, castling right lost …

`why_illegal` considers the piece most probably meant and gives one reason: a key in [sentences.refuse], with the
squares and pieces as slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import chess

from voicechess.meaning import Castling, SpokenMove
from voicechess.messages import File, Listing, Phrase, Piece, Rank, Side, Slot, Square
from voicechess.moves.saying import castled_king_square


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason; `key` is in [sentences.refuse]."""

    key: str
    slots: Mapping[str, Slot] = field(default_factory=dict)

    @property
    def phrase(self) -> Phrase:
        """The reason as a sentence of its own."""
        return Phrase(f"refuse.{self.key}", self.slots)


_UNTOLD: Mapping[str, str] = {
    **dict.fromkeys(("pinned", "exposes_king", "into_check"), "leaves_check"),
    "still_in_check": "stays_in_check",
    "castling_out_of_check": "castling_in_check",
    **dict.fromkeys(
        (
            "castling_rook_gone",
            "castling_between",
            "castling_through_check",
            "castling_into_check",
            "castling_neither",
        ),
        "castling_impossible",
    ),
    **{
        key: key
        for key in (
            "castling_king_moved",
            "castling_right_lost",
            "no_check",
            "no_en_passant",
            "no_mate",
            "other_side_to_move",
            "promotion_only_pawns",
            "promotion_piece",
            "promotion_too_early",
        )
    },
}
"""Reason -> the reason given in strict blind play; all others become "not possible", since they reveal where pieces
are, so that illegal moves could be used to learn the position."""


def untold(refusal: Refusal) -> Refusal:
    """The refusal without any information about the position."""
    key = _UNTOLD.get(refusal.key, "not_possible")
    return refusal if key == refusal.key else Refusal(key)


def why_illegal(board: chess.Board, spoken: SpokenMove) -> Refusal:
    """The reason why `spoken`, a complete announcement that fits no legal move on `board`, cannot be played."""
    if spoken.colour not in (None, board.turn):
        return Refusal("other_side_to_move", {"side": Side(board.turn)})
    if spoken.castling is not None:
        return _why_not_castling(board, spoken.castling)
    target, origin = spoken.target, spoken.origin
    assert target is not None, "half a move has no reason, it is completed"
    if origin is not None:
        wrong = _wrong_origin(board, origin, spoken.piece)
        if wrong is not None:
            return wrong
    kind = _kind(board, spoken, origin)
    pieces = [
        square
        for square in board.pieces(kind, board.turn)
        if spoken.from_file in (None, chess.square_file(square))
        and spoken.from_rank in (None, chess.square_rank(square))
    ]
    if not pieces:
        return _no_such_piece(board, kind, spoken)
    if spoken.promotion is not None:
        wrong = _wrong_promotion(board, kind, target, spoken.promotion)
        if wrong is not None:
            return wrong
    occupant = board.piece_type_at(target)
    if board.occupied_co[board.turn] & chess.BB_SQUARES[target] and occupant is not None:
        return Refusal("own_piece", {"square": Square(target), "piece": Piece(occupant)})
    movement = _movement(board, spoken, kind, pieces, target)
    found = [(square, _why_not(board, square, target, kind, movement)) for square in pieces]
    # The piece closest to being able to make the move is taken to be the one meant.
    return min(found, key=lambda one: (_NEARNESS.index(one[1].key), *_distance(board, one[0], target)))[1]


def _distance(board: chess.Board, origin: chess.Square, target: chess.Square) -> tuple[int, int]:
    """Number of pieces between origin and target, and their distance in king's moves."""
    between = chess.SquareSet.between(origin, target) & board.occupied
    return len(between), chess.square_distance(origin, target)


# From "legal except for the king's safety" to "no such piece moves like that".
_NEARNESS = (
    "pinned",
    "exposes_king",
    "still_in_check",
    "into_check",
    "en_passant_late",
    "en_passant_one_step",
    "nothing_to_capture",
    "blocked",
    "pawn_two_steps",
    "captures_only_diagonally",
    "movement",
    "movement_of_one",
    "movement_from",
    "movement_from_file",
    "movement_from_rank",
)


def _kind(board: chess.Board, spoken: SpokenMove, origin: chess.Square | None) -> chess.PieceType:
    if spoken.piece is not None:
        return spoken.piece
    standing = board.piece_type_at(origin) if origin is not None else None
    return standing if standing is not None else chess.PAWN


def _wrong_origin(board: chess.Board, origin: chess.Square, said: chess.PieceType | None) -> Refusal | None:
    standing = board.piece_at(origin)
    if standing is None:
        return Refusal("empty_square", {"square": Square(origin)})
    slots: dict[str, Slot] = {"square": Square(origin), "piece": Piece(standing.piece_type)}
    if standing.color != board.turn:
        return Refusal("opponents_piece", slots)
    if said not in (None, standing.piece_type):
        return Refusal("other_piece", slots)
    return None


def _no_such_piece(board: chess.Board, kind: chess.PieceType, spoken: SpokenMove) -> Refusal:
    piece = Piece(kind)
    if not board.pieces_mask(kind, board.turn):
        return Refusal("no_such_piece", {"piece": piece})
    if spoken.from_file is not None:
        return Refusal("no_such_piece_on_file", {"piece": piece, "file": File(spoken.from_file)})
    assert spoken.from_rank is not None
    return Refusal("no_such_piece_on_rank", {"piece": piece, "rank": Rank(spoken.from_rank)})


def _wrong_promotion(
    board: chess.Board, kind: chess.PieceType, target: chess.Square, promotion: chess.PieceType
) -> Refusal | None:
    if kind != chess.PAWN:
        return Refusal("promotion_only_pawns")
    if chess.square_rank(target) != (7 if board.turn == chess.WHITE else 0):
        return Refusal("promotion_too_early")
    if promotion in (chess.KING, chess.PAWN):
        return Refusal("promotion_piece", {"piece": Piece(promotion)})
    return None


def _movement(
    board: chess.Board, spoken: SpokenMove, kind: chess.PieceType, pieces: list[chess.Square], target: chess.Square
) -> Refusal:
    """The refusal that no piece of this type moves like that, restricted to the origin said, since others may."""
    slots: dict[str, Slot] = {"piece": Piece(kind), "square": Square(target)}
    if len(pieces) == len(board.pieces(kind, board.turn)):
        return Refusal(one_or_many("movement", board, kind), slots)
    if len(pieces) == 1:
        return Refusal("movement_from", {**slots, "origin": Square(pieces[0])})
    if spoken.from_file is not None:
        return Refusal("movement_from_file", {**slots, "file": File(spoken.from_file)})
    assert spoken.from_rank is not None, "without an origin all pieces of a kind are named"
    return Refusal("movement_from_rank", {**slots, "rank": Rank(spoken.from_rank)})


def _why_not(
    board: chess.Board, origin: chess.Square, target: chess.Square, kind: chess.PieceType, movement: Refusal
) -> Refusal:
    to_target = board.generate_pseudo_legal_moves(chess.BB_SQUARES[origin], chess.BB_SQUARES[target])
    pseudo = [move for move in to_target if not board.is_castling(move)]
    if pseudo:
        return _king_in_danger(board, pseudo[0], kind)
    if kind == chess.PAWN:
        return _why_not_pawn(board, origin, target, movement)
    empty = chess.Board(None)
    empty.set_piece_at(origin, chess.Piece(kind, board.turn))
    if target in empty.attacks(origin):
        obstacle = _first_obstacle(board, chess.SquareSet.between(origin, target), origin)
        if obstacle is not None:
            return obstacle
    return movement


def one_or_many(key: str, board: chess.Board, kind: chess.PieceType) -> str:
    """The key for the only piece of its type ("the king cannot …") or for several ("no rook can …")."""
    return f"{key}_of_one" if len(board.pieces(kind, board.turn)) == 1 else key


def _first_obstacle(board: chess.Board, between: chess.SquareSet, origin: chess.Square) -> Refusal | None:
    for square in sorted(between, key=lambda s: chess.square_distance(origin, s)):
        standing = board.piece_at(square)
        if standing is not None:
            return Refusal("blocked", {"square": Square(square), "piece": Piece(standing.piece_type, standing.color)})
    return None


def _king_in_danger(board: chess.Board, move: chess.Move, kind: chess.PieceType) -> Refusal:
    before = board.checkers()
    after = board.copy(stack=False)
    after.push(move)
    king = after.king(board.turn)
    assert king is not None, "without a king every pseudo-legal move is legal"
    attackers = after.attackers(after.turn, king)
    if kind == chess.KING:
        return Refusal("into_check", {"square": Square(king), "attackers": attackers_listing(after, attackers)})
    still = [square for square in attackers if square in before]
    if still:
        return Refusal("still_in_check", {"attackers": attackers_listing(after, still)})
    if board.is_en_passant(move):
        # Two pawns leave the rank at the same time, so neither alone was pinned.
        return Refusal("exposes_king", {"attackers": attackers_listing(after, attackers)})
    return Refusal(
        "pinned",
        {
            "piece": Piece(kind),
            "origin": Square(move.from_square),
            "attackers": attackers_listing(after, attackers),
        },
    )


def attackers_listing(board: chess.Board, squares: Iterable[chess.Square]) -> Listing:
    """The pieces on these squares: "Turm Eva acht und Dame Anna fünf"."""
    items: list[Slot] = []
    for square in squares:
        kind = board.piece_type_at(square)
        assert kind is not None
        items.append(Phrase("position.piece_on", {"piece": Piece(kind), "square": Square(square)}))
    return Listing(tuple(items))


def _why_not_pawn(board: chess.Board, origin: chess.Square, target: chess.Square, movement: Refusal) -> Refusal:
    forward = 1 if board.turn == chess.WHITE else -1
    steps = (chess.square_rank(target) - chess.square_rank(origin)) * forward
    sideways = abs(chess.square_file(target) - chess.square_file(origin))
    if sideways == 1 and steps == 1:
        passed = chess.square(chess.square_file(target), chess.square_rank(origin))
        enemy = board.piece_at(passed)
        fifth = 4 if board.turn == chess.WHITE else 3
        if enemy == chess.Piece(chess.PAWN, not board.turn) and chess.square_rank(origin) == fifth:
            late = _went_two_steps(board, passed)
            return Refusal("en_passant_late" if late else "en_passant_one_step", {"square": Square(target)})
        return Refusal("nothing_to_capture", {"square": Square(target)})
    if sideways or steps not in (1, 2):
        return movement
    if steps == 2 and chess.square_rank(origin) != (1 if board.turn == chess.WHITE else 6):
        return Refusal("pawn_two_steps", {"origin": Square(origin)})
    way = [
        chess.square(chess.square_file(origin), chess.square_rank(origin) + forward * n) for n in range(1, steps + 1)
    ]
    for square in way:
        standing = board.piece_at(square)
        if standing is None:
            continue
        slots: dict[str, Slot] = {"square": Square(square), "piece": Piece(standing.piece_type, standing.color)}
        return Refusal("captures_only_diagonally" if square == target else "blocked", slots)
    return movement


def _went_two_steps(board: chess.Board, pawn: chess.Square) -> bool:
    """Whether the pawn on this square has made a double step; True if its moves are not on the stack."""
    for made in reversed(board.move_stack):
        if made.to_square == pawn:
            return abs(made.from_square - pawn) == 16
    return True


def _why_not_castling(board: chess.Board, side: Castling) -> Refusal:
    if side is not Castling.UNSPECIFIED:
        return _why_not_castling_to(board, side)
    short = _why_not_castling_to(board, Castling.KINGSIDE)
    long = _why_not_castling_to(board, Castling.QUEENSIDE)
    if short == long:
        return short
    return Refusal("castling_neither", {"kingside": short.phrase, "queenside": long.phrase})


def _why_not_castling_to(board: chess.Board, side: Castling) -> Refusal:
    back = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
    king = board.king(board.turn)
    if king is None or not chess.BB_SQUARES[king] & back:
        return Refusal("castling_king_moved")
    kingside = side is Castling.KINGSIDE
    towards = [s for s in chess.SquareSet(back) if (s > king) == kingside and s != king]
    rights = [s for s in towards if board.clean_castling_rights() & chess.BB_SQUARES[s]]
    if not rights:
        corner = chess.square(7 if kingside else 0, chess.square_rank(king))
        if not board.chess960 and board.piece_at(corner) != chess.Piece(chess.ROOK, board.turn):
            return Refusal("castling_rook_gone", {"square": Square(corner)})
        return Refusal("castling_right_lost")
    if board.is_check():
        return Refusal("castling_out_of_check", {"attackers": attackers_listing(board, board.checkers())})
    rook = rights[-1] if kingside else rights[0]
    goal = castled_king_square(board, side)
    rook_goal = goal - 1 if kingside else goal + 1
    way = chess.SquareSet.between(king, goal) | chess.SquareSet.between(rook, rook_goal)
    way |= chess.SquareSet.between(king, rook) | chess.SquareSet([goal, rook_goal])
    for square in sorted(way - chess.SquareSet([king, rook]), key=lambda s: chess.square_distance(king, s)):
        standing = board.piece_at(square)
        if standing is not None:
            return Refusal("castling_between", {"square": Square(square), "piece": Piece(standing.piece_type)})
    for square in sorted(chess.SquareSet.between(king, goal), key=lambda s: chess.square_distance(king, s)):
        if board.is_attacked_by(not board.turn, square):
            return Refusal("castling_through_check", {"square": Square(square)})
    return Refusal("castling_into_check", {"square": Square(goal)})
