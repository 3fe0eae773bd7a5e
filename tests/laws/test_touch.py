"""Touched pieces: what must move, what must be captured, which castling is forfeited."""

from __future__ import annotations

import chess

from voicechess.laws.editions import EDITIONS
from voicechess.laws.touch import after_illegal_castling, allowed_moves, unnamed_promotion
from voicechess.meaning import Castling


def allowed(fen: str, *touched: str) -> set[str]:
    board = chess.Board(fen)
    return {board.san(move) for move in allowed_moves(board, [chess.parse_square(name) for name in touched])}


CASTLING = "4k3/8/8/8/8/8/7P/R3K2R w KQ - 0 1"


def test_the_first_touched_piece_that_can_move_must() -> None:
    assert allowed(chess.STARTING_FEN, "a1", "b1", "e2") == {"Na3", "Nc3"}


def test_an_enemy_piece_must_be_captured_if_it_can() -> None:
    fen = "4k3/8/8/3p4/4P3/8/8/3QK3 w - - 0 1"
    assert allowed(fen, "d5") == {"exd5", "Qxd5"}
    assert allowed(fen, "d1", "d5") == {"Qxd5"}
    assert allowed(fen, "d5", "e1") == {"exd5", "Qxd5"}
    assert allowed(fen, "e1", "d5") == {"Kd2", "Ke2", "Kf2", "Kf1"}


def test_nothing_possible_leaves_every_move() -> None:
    assert len(allowed(chess.STARTING_FEN, "a1", "d8")) == 20
    assert len(allowed(chess.STARTING_FEN)) == 20


def test_en_passant_captures_the_touched_pawn() -> None:
    assert allowed("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5") == {"exd6"}


def test_king_then_rook_must_castle() -> None:
    assert allowed(CASTLING, "e1", "h1") == {"O-O"}
    assert allowed(CASTLING, "e1", "a1") == {"O-O-O"}


def test_a_piece_touched_before_king_and_rook_moves_first_if_it_can() -> None:
    fen = "4k3/8/8/8/8/8/p7/N3K2R w K - 0 1"
    assert allowed(fen, "a1", "e1", "h1") == {"Nb3", "Nc2"}
    blocked = "4k3/8/8/8/8/1P6/p1P5/N3K2R w K - 0 1"
    assert allowed(blocked, "a1", "e1", "h1") == {"O-O"}


def test_rook_then_king_forfeits_that_castling() -> None:
    assert allowed(CASTLING, "h1", "e1") == {"Rg1", "Rf1"}
    blocked = "4k3/8/8/8/8/8/7P/4KB1R w K - 0 1"
    assert allowed(blocked, "h1", "e1") == {"Rg1"}


def test_a_rook_that_cannot_move_still_forfeits_the_castling() -> None:
    board = chess.Board("4k3/8/8/8/8/8/6P1/5KRN w G - 0 1", chess960=True)
    castling = chess.Move.from_uci("f1g1")
    assert castling in board.legal_moves
    assert castling in allowed_moves(board, [chess.F1, chess.G1])
    forfeited = allowed_moves(board, [chess.G1, chess.F1])
    assert forfeited
    assert castling not in forfeited


def test_an_illegal_castling_asks_for_another_king_move() -> None:
    board = chess.Board("4kr2/8/8/8/8/8/7P/R3K2R w KQ - 0 1")
    moves = {board.san(move) for move in after_illegal_castling(board, Castling.KINGSIDE)}
    assert moves == {"Kd1", "Kd2", "Ke2", "O-O-O"}


def test_a_king_without_moves_leaves_any_move() -> None:
    board = chess.Board("4k3/8/8/8/8/8/3PPP2/3QKB1R w K - 0 1")
    moves = after_illegal_castling(board, Castling.KINGSIDE)
    assert moves == frozenset(board.legal_moves)


def test_promotion_without_a_piece_by_edition() -> None:
    ruled = unnamed_promotion(EDITIONS[2023], chess.E7, chess.E8)
    assert ruled.move == chess.Move.from_uci("e7e8q")
    assert ruled.illegal
    assert unnamed_promotion(EDITIONS[2009], chess.E7, chess.E8).illegal
    warned = unnamed_promotion(EDITIONS[1985], chess.E7, chess.E8)
    assert not warned.illegal
    assert warned.clock_back
