"""Matches spoken moves and partial moves with legal ones: candidates, missing parts, and the order of candidates.

The order only prefers recaptures in questions, so that the likelier move is offered first (and, of more than three,
offered at all): no move is played or dropped for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import log

import chess

from voicechess.meaning import Castling, CheckWord, Missing, SpokenMove
from voicechess.moves.saying import captured_by, check_given

# --- Moves that fit ---


def fits(board: chess.Board, spoken: SpokenMove) -> tuple[chess.Move, ...]:
    """The legal moves that agree with every part that was said.

    Without a piece: a pawn, unless the captured piece was named ("schlage den Turm auf David acht": by any piece), the
    origin's rank was (then any piece there: pawns are never told apart by rank, so it is the rest of a square), or the
    target is missing too, so that the piece may still follow. Castling needs its own words, or both of the king's
    squares.
    """
    if spoken.colour not in (None, board.turn):
        return ()
    found = _fitting(board, spoken)
    return tuple(found if spoken.castling is not None else sorted(found, key=_order))


def _order(move: chess.Move) -> tuple[int, int, int, int, int]:
    """Sort key: origin, then target, from the a-file to the h-file; the queen before the other promotions."""
    origin, target = move.from_square, move.to_square
    files = (chess.square_file(origin), chess.square_rank(origin), chess.square_file(target), chess.square_rank(target))
    return (*files, -(move.promotion or 0))


def _fitting(board: chess.Board, spoken: SpokenMove) -> list[chess.Move]:
    if spoken.castling is not None:
        return [move for move in _castling_moves(board, spoken.castling) if _check_fits(board, move, spoken.check)]
    found = []
    for move in board.generate_legal_moves(_origins(board, spoken), _targets(spoken)):
        if board.is_castling(move):
            continue
        if spoken.promotion is not None and move.promotion != spoken.promotion:
            continue
        if spoken.captures and not board.is_capture(move):
            continue
        if spoken.captured is not None and spoken.captured != captured_by(board, move):
            continue
        if spoken.en_passant and not board.is_en_passant(move):
            continue
        if _check_fits(board, move, spoken.check):
            found.append(move)
    return found + _castling_by_squares(board, spoken)


def _origins(board: chess.Board, spoken: SpokenMove) -> chess.Bitboard:
    mask = board.occupied_co[board.turn]
    if spoken.piece is not None:
        mask &= board.pieces_mask(spoken.piece, board.turn)
    elif spoken.complete and spoken.from_rank is None and (spoken.captured is None or spoken.from_file is not None):
        mask &= board.pawns
    if spoken.from_file is not None:
        mask &= chess.BB_FILES[spoken.from_file]
    if spoken.from_rank is not None:
        mask &= chess.BB_RANKS[spoken.from_rank]
    return mask


def _targets(spoken: SpokenMove) -> chess.Bitboard:
    mask = chess.BB_ALL
    if spoken.to_file is not None:
        mask &= chess.BB_FILES[spoken.to_file]
    if spoken.to_rank is not None:
        mask &= chess.BB_RANKS[spoken.to_rank]
    return mask


def _castling_moves(board: chess.Board, side: Castling) -> list[chess.Move]:
    # Kingside first: that is how it is asked about.
    castlings = sorted(board.generate_castling_moves(), key=lambda move: -move.to_square)
    return [
        move
        for move in castlings
        if side is Castling.UNSPECIFIED or board.is_kingside_castling(move) == (side is Castling.KINGSIDE)
    ]


def _castling_by_squares(board: chess.Board, spoken: SpokenMove) -> list[chess.Move]:
    """Castling by the king's squares, "Eva eins Gustav eins"; not in Chess960, where a king's move may look the
    same."""
    squares = (spoken.from_file, spoken.from_rank, spoken.to_file, spoken.to_rank)
    if None in squares or spoken.captures or spoken.piece not in (None, chess.KING) or board.chess960:
        return []
    return [
        move
        for move in board.generate_castling_moves()
        if squares
        == (
            chess.square_file(move.from_square),
            chess.square_rank(move.from_square),
            chess.square_file(move.to_square),
            chess.square_rank(move.to_square),
        )
        and _check_fits(board, move, spoken.check)
    ]


def _check_fits(board: chess.Board, move: chess.Move, said: CheckWord | None) -> bool:
    """Whether "Schach" or "matt", if said, is true of the move. Mate counts as check."""
    if said is None:
        return True
    given = check_given(board, move)
    return given is CheckWord.MATE or (given is CheckWord.CHECK and said is CheckWord.CHECK)


def without(spoken: SpokenMove, contradiction: str) -> SpokenMove:
    """`spoken` without the part that contradicts the position. `contradiction` is a refusal's key; raises ValueError
    for keys that are none."""
    match contradiction:
        case "no_mate" | "no_check":
            return replace(spoken, check=None)
        case "no_en_passant":
            return replace(spoken, en_passant=False)
        case "other_piece":
            return replace(spoken, captured=None)
        case "nothing_to_capture":
            return replace(spoken, captures=False, captured=None, en_passant=False)
        case "promotion_too_early":
            return replace(spoken, promotion=None)
    raise ValueError(contradiction)


def missing_part(spoken: SpokenMove) -> Missing:
    """The part to ask for next: the piece if nothing is known, then the target's file, then its rank."""
    if spoken.to_file is not None:
        return Missing.TO_RANK
    if spoken.to_rank is not None or spoken.piece is not None or spoken.from_file is not None:
        return Missing.TO_FILE
    return Missing.PIECE


def merge(partial: SpokenMove, said: SpokenMove, missing: Missing | None) -> SpokenMove:
    """Combine a partial move with the answer to the question for `missing`; the answer wins where both name a part."""
    file, rank = said.to_file, said.to_rank
    whole = replace(
        partial,
        piece=said.piece if said.piece is not None else partial.piece,
        captures=partial.captures or said.captures,
        en_passant=partial.en_passant or said.en_passant,
        promotion=said.promotion if said.promotion is not None else partial.promotion,
        check=said.check if said.check is not None else partial.check,
    )
    if missing is Missing.FROM_FILE:
        if (file, rank) == (partial.to_file, partial.to_rank):
            file = rank = None  # the target once more: it says nothing of the origin
        origin_file = said.from_file if said.from_file is not None else file
        origin_rank = said.from_rank if said.from_rank is not None else rank
        return replace(
            whole,
            from_file=origin_file if origin_file is not None else partial.from_file,
            from_rank=origin_rank if origin_rank is not None else partial.from_rank,
        )
    return replace(
        whole,
        from_file=said.from_file if said.from_file is not None else partial.from_file,
        from_rank=said.from_rank if said.from_rank is not None else partial.from_rank,
        to_file=file if file is not None else partial.to_file,
        to_rank=rank if rank is not None else partial.to_rank,
    )


def answers_question(
    board: chess.Board, candidates: tuple[chess.Move, ...], said: SpokenMove
) -> tuple[chess.Move, ...]:
    """The `candidates` that an answer names, by the part in which they differ or by the whole move; () if none.

    A lone file, rank or square stands for the part in which the candidates differ: the origin first ("Springer von
    Bella oder von Gustav?" – "Bella"), then the target. A part that fits all of them decides nothing.
    """
    if said.castling is not None:
        return tuple(move for move in candidates if move in fits(board, said))
    kin = [move for move in candidates if said.piece in (None, board.piece_type_at(move.from_square))]
    kin = [move for move in kin if said.promotion is None or move.promotion in (None, said.promotion)]
    square_said = said.to_file is not None or said.to_rank is not None
    groups = []
    if said.from_file is None and said.from_rank is None and square_said:
        groups.append([move for move in kin if _at(move.from_square, said.to_file, said.to_rank)])
    if said.from_file is not None or said.from_rank is not None or square_said or len(candidates) > 1:
        kin = [move for move in kin if _at(move.from_square, said.from_file, said.from_rank)]
        groups.append([move for move in kin if _at(move.to_square, said.to_file, said.to_rank)])
    if len(candidates) == 1:
        # "Did you mean …?" can be answered by the target. Piece and file may as well begin another move.
        return candidates if said.to_rank is not None and groups[-1] else ()
    narrowing = [group for group in groups if 0 < len(group) < len(candidates)]
    # Words that narrow the candidates both as an origin and as a target leave those in both.
    return tuple(m for m in candidates if all(m in group for group in narrowing)) if narrowing else ()


def _at(square: chess.Square, file: int | None, rank: int | None) -> bool:
    return file in (None, chess.square_file(square)) and rank in (None, chess.square_rank(square))


# --- The order of questions ---

RECAPTURE = log(2)
"""Cost subtracted from a recapture when candidates are ordered: a factor of two in probability, so that what was heard
decides wherever it differs by more. Larger: recaptures are offered earlier."""


def recaptures(board: chess.Board, move: chess.Move) -> bool:
    """Whether `move` captures the piece that has just captured. False if the last move is unknown."""
    if not board.move_stack or not board.is_capture(move):
        return False
    last = board.peek()
    before = board.copy(stack=1)
    before.pop()
    return move.to_square == last.to_square and before.is_capture(last)


def in_order(board: chess.Board, costs: Mapping[chess.Move, float]) -> tuple[chess.Move, ...]:
    """The candidates of a question, likeliest first: by cost, less `RECAPTURE` for a recapture."""
    return tuple(sorted(costs, key=lambda move: costs[move] - RECAPTURE * recaptures(board, move)))
