"""Positions in which somebody can or can no longer be mated, by hand; and python-chess' referee where it decides."""

from __future__ import annotations

import random

import chess
import pytest

from voicechess.laws.mating import can_mate, is_dead

W, B = chess.WHITE, chess.BLACK

# position: White can still mate, Black can still mate
POSITIONS = {
    "8/8/8/4k3/8/8/4K3/8 w - - 0 1": (False, False),
    "8/8/8/4k3/8/8/4K1N1/8 w - - 0 1": (False, False),
    # King and knight mate only with the help of an enemy piece.
    "8/8/8/4k1p1/8/8/4K1N1/8 w - - 0 1": (True, True),
    "8/8/8/4k1n1/8/8/4K1N1/8 w - - 0 1": (True, True),
    "8/8/8/4k1q1/8/8/4K1N1/8 w - - 0 1": (False, True),
    "8/8/8/4k1r1/8/8/4K1N1/8 w - - 0 1": (True, True),
    "8/8/8/4k3/8/8/4KNN1/8 w - - 0 1": (True, False),
    # Bishops: one colour of squares never mates, two may.
    "8/8/8/4k1b1/8/8/4K1B1/8 w - - 0 1": (True, True),
    "8/8/8/4k2b/8/8/4K1B1/8 w - - 0 1": (False, False),
    "8/8/8/4k3/8/8/4KBB1/8 w - - 0 1": (True, False),
    "8/8/8/4k3/8/8/3BKB2/8 w - - 0 1": (False, False),
    # A wall without a hole, kings only.
    "8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1": (False, False),
    "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1": (False, False),
    # The same with bishops that can never come to bear on the wall's other side, and with doubled pawns behind.
    "4kb2/8/8/p1p1p1p1/P1P1P1P1/2P5/8/4KB2 w - - 0 1": (False, False),
    # A hole on the h file lets the king through to a pawn.
    "k7/8/8/p1p1p3/P1P1P3/8/8/K7 w - - 0 1": (True, True),
    # A rook behind the wall can sacrifice itself against a pawn.
    "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K6R w - - 0 1": (True, True),
    # A pawn that can still move, or capture.
    "k7/8/p7/2p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1": (True, True),
    # Locked, but the bishop mates: Bg7. Without the helping bishop on g8 the king has a way out for ever.
    "5Bbk/5p1p/p1p1pP1P/PpPpP3/1P1P4/8/8/K7 w - - 0 1": (True, False),
    "5B1k/5p1p/p1p1pP1P/PpPpP3/1P1P4/8/8/K7 w - - 0 1": (False, False),
    # The only legal move takes the last piece.
    "8/8/8/8/8/5k2/6q1/7K w - - 0 1": (False, True),
    "8/8/8/8/8/4k3/6q1/7K w - - 0 1": (False, False),
}


@pytest.mark.parametrize("fen", POSITIONS)
def test_who_can_mate(fen: str) -> None:
    board = chess.Board(fen)
    white, black = POSITIONS[fen]
    assert (can_mate(board, W), can_mate(board, B)) == (white, black)
    assert board.fen() == fen


@pytest.mark.parametrize("fen", POSITIONS)
def test_dead_is_what_neither_can_win(fen: str) -> None:
    board = chess.Board(fen)
    if any(board.generate_legal_moves()):
        assert is_dead(board) == (POSITIONS[fen] == (False, False))


def test_a_position_with_a_mate_already_given() -> None:
    assert can_mate(chess.Board("R6k/8/6K1/8/8/8/8/8 b - - 0 1"), W)


def test_en_passant_opens_a_wall() -> None:
    closed = chess.Board("4k3/8/8/p1pPp1p1/P1P1P1P1/8/8/4K3 w - - 0 1")
    assert can_mate(closed, W)


def test_a_wall_seen_dead_is_never_mated_in() -> None:
    """Chance as a witness against the over-estimate: no check can even be given behind a wall called dead."""
    chance = random.Random(1)
    board = chess.Board("4kb2/8/8/p1p1p1p1/P1P1P1P1/2P5/8/4KB2 w - - 0 1")
    for _ in range(300):
        moves = list(board.legal_moves)
        assert moves
        board.push(chance.choice(moves))
        assert not board.is_checkmate()


def test_whoever_mates_in_a_random_game_could_mate_before() -> None:
    chance = random.Random(2)
    mates = 0
    for _ in range(60):
        board = chess.Board("8/5k2/8/8/3q4/8/2K1p3/8 w - - 0 1")
        seen: list[chess.Board] = []
        while not board.is_game_over() and len(seen) < 80:
            seen.append(board.copy(stack=False))
            board.push(chance.choice(list(board.legal_moves)))
        if board.is_checkmate():
            mates += 1
            assert all(can_mate(before, not board.turn, 0) for before in seen)
    assert mates > 0
