"""Positions with everything that makes announcing and understanding moves difficult."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import chess

from voicechess.meaning import Castling, CheckWord, SpokenMove
from voicechess.messages import SaidMove
from voicechess.moves.saying import said_move

POSITIONS = {
    "start": chess.STARTING_FEN,
    "most moves": "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "castling both ways": "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "en passant twice": "4k3/8/8/2pPpP2/8/8/8/4K3 w - c6 0 1",
    "en passant gives check": "8/8/8/2k5/3Pp3/8/8/4K2R b - d3 0 1",
    "promotion pushing and capturing": "r1b5/1P1P1P2/7k/8/8/8/8/4K3 w - - 0 1",
    "black promotes": "4k3/8/8/8/7K/8/1p1p4/R1B5 b - - 0 1",
    "knights on file and rank": "4k3/8/2N1N3/8/2N1N3/8/8/4K3 w - - 0 1",
    "three queens, both parts needed": "8/2k5/8/8/Q6Q/8/8/Q3K3 w - - 0 1",
    "rooks on one rank": "4k3/8/8/8/8/8/4K3/R6R w - - 0 1",
    "rooks on one file": "R7/7k/8/8/8/8/4K3/R7 w - - 0 1",
    "pinned twin": "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
    "bishop and b-pawn": "4k3/8/8/p7/8/P7/1P2K3/2B5 w - - 0 1",
    "mates to choose from": "6k1/5ppp/8/8/8/8/8/R2QK2R w KQ - 0 1",
    "in check": "4k3/8/8/8/4r3/8/3PBP2/4K3 w - - 0 1",
    "both capture": "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1",
}


@dataclass(frozen=True)
class Truth:
    """Properties of a legal move, computed without the code under test."""

    move: chess.Move
    piece: chess.PieceType
    captured: chess.PieceType | None
    en_passant: bool
    castling: Castling | None
    check: bool
    mate: bool


def every_move() -> Iterator[tuple[str, chess.Board, chess.Move, SaidMove]]:
    """Each legal move of each position, with its announcement."""
    for name, fen in POSITIONS.items():
        board = chess.Board(fen)
        assert board.is_valid() or name == "most moves", name
        for move in board.legal_moves:
            yield name, board, move, said_move(board, move)


@cache
def truths(fen: str) -> tuple[Truth, ...]:
    """The properties of all legal moves of a position."""
    board = chess.Board(fen)
    found = []
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        side = Castling.KINGSIDE if board.is_kingside_castling(move) else Castling.QUEENSIDE
        found.append(
            Truth(
                move,
                board.piece_type_at(move.from_square) or 0,
                chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square),
                board.is_en_passant(move),
                side if board.is_castling(move) else None,
                after.is_check(),
                after.is_checkmate(),
            )
        )
    return tuple(found)


def fitting(board: chess.Board, spoken: SpokenMove) -> list[chess.Move]:
    """The legal moves that fit an announcement; a target without a piece is a pawn's.

    An independent implementation on purpose: the game's own is under test.
    """
    return [truth.move for truth in truths(board.fen()) if _fits(truth, spoken)]


def _fits(truth: Truth, spoken: SpokenMove) -> bool:
    move = truth.move
    if spoken.castling is not None or truth.castling is not None:
        return truth.castling is not None and spoken.castling in (truth.castling, Castling.UNSPECIFIED)
    if spoken.to_file not in (None, chess.square_file(move.to_square)):
        return False
    said_and_true: list[tuple[object, object]] = [
        (spoken.piece or (chess.PAWN if spoken.from_rank is None else None), truth.piece),
        (spoken.from_file, chess.square_file(move.from_square)),
        (spoken.from_rank, chess.square_rank(move.from_square)),
        (spoken.to_rank, chess.square_rank(move.to_square)),
        (spoken.promotion, move.promotion),
        (spoken.captured, truth.captured),
        (spoken.captures or None, truth.captured is not None),
        (spoken.en_passant or None, truth.en_passant),
        (True if spoken.check is CheckWord.CHECK else None, truth.check),
        (True if spoken.check is CheckWord.MATE else None, truth.mate),
    ]
    return all(said is None or said == true for said, true in said_and_true)
