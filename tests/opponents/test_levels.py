"""Levels, thinking time, and the temper of engines, as plain values."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicechess.opponents.levels import (
    LEVELS,
    Temper,
    accepts_draw,
    can_claim,
    careless_move,
    describe,
    engine_options,
    material,
    thinking_seconds,
)

STOCKFISH_15 = {
    "Threads": (1, 1024),
    "Hash": (1, 33554432),
    "Skill Level": (0, 20),
    "UCI_LimitStrength": (None, None),
    "UCI_Elo": (1350, 2850),
}
HOPELESS = "k7/8/8/8/8/8/QQ6/K7 b - - 0 1"


def test_levels_grow() -> None:
    assert sorted(LEVELS) == list(range(1, 11))
    levels = [LEVELS[number] for number in range(1, 11)]
    for weaker, stronger in pairwise(levels):
        assert weaker.blunder >= stronger.blunder
        assert (weaker.elo or 0) <= (stronger.elo or 9999)
        assert (weaker.depth or 99) <= (stronger.depth or 99)
        assert weaker.seconds <= stronger.seconds
    assert describe(0) is LEVELS[1]
    assert describe(99) is LEVELS[10]


@given(st.integers(1, 10), st.integers(-1000, 10_000_000), st.integers(0, 60_000))
def test_a_move_never_takes_the_whole_clock(number: int, clock_ms: int, increment_ms: int) -> None:
    seconds = thinking_seconds(describe(number), clock_ms, increment_ms)
    assert 0.05 <= seconds <= describe(number).seconds
    assert seconds <= max(0.05, clock_ms / 4000)


def test_untimed_moves_take_what_the_level_says() -> None:
    assert thinking_seconds(describe(10), None) == describe(10).seconds


@given(st.integers(1, 10), st.integers(1000, 2000), st.integers(0, 2000))
def test_options_stay_within_what_the_engine_offers(number: int, low: int, span: int) -> None:
    offered = {**STOCKFISH_15, "UCI_Elo": (low, low + span), "Skill Level": (3, 7)}
    options = engine_options(describe(number), offered)
    assert set(options) <= set(offered)
    assert 3 <= options["Skill Level"] <= 7
    assert low <= options.get("UCI_Elo", low) <= low + span


def test_stockfish_is_free_at_the_highest_level_and_held_below() -> None:
    assert engine_options(describe(10), STOCKFISH_15) == {
        "Threads": 1,
        "Hash": 16,
        "UCI_LimitStrength": False,
        "Skill Level": 20,
    }
    assert engine_options(describe(1), STOCKFISH_15)["Skill Level"] == 0
    assert engine_options(describe(7), STOCKFISH_15)["UCI_Elo"] == 1600
    assert engine_options(describe(5), {}) == {}


def test_a_careless_move_is_legal_and_promotes_to_a_queen() -> None:
    board = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    moves = {careless_move(board, Random(seed)) for seed in range(50)}
    assert chess.Move.from_uci("a7a8q") in moves
    assert chess.Move.from_uci("a7a8n") not in moves
    assert moves <= set(board.legal_moves)
    assert careless_move(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Random(1)) is None


@pytest.mark.parametrize(
    ("fen", "centipawns", "accepts"),
    [
        (chess.STARTING_FEN, 0, False),
        (chess.STARTING_FEN, -60, True),
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", 0, True),
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", 90, False),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 45", 10, True),
        (HOPELESS, None, True),
    ],
)
def test_accepting_a_draw(fen: str, centipawns: int | None, accepts: bool) -> None:
    board = chess.Board(fen)
    assert accepts_draw(board, board.turn, centipawns) is accepts


def test_resigning_needs_several_bad_scores_material_and_a_level_for_it() -> None:
    board = chess.Board(HOPELESS)
    assert material(board, chess.BLACK) == -1800
    assert Temper(5, [-3000, -3000, -3000]).wants_to_resign(board)
    assert not Temper(4, [-3000, -3000, -3000]).wants_to_resign(board)
    assert not Temper(5, [-3000, -100, -3000]).wants_to_resign(board)
    assert not Temper(5, [-3000, -3000]).wants_to_resign(board)
    assert not Temper(5, [-3000, -3000, -3000]).wants_to_resign(chess.Board())


def test_an_even_late_and_simple_game_is_offered_as_a_draw_once() -> None:
    board = chess.Board("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 50")
    temper = Temper(5, [0, 5, -5, 0, 10, -10])
    assert temper.wants_to_offer(board)
    assert not temper.wants_to_offer(board)
    assert not Temper(5, [0, 5, -5, 0, 10, -100]).wants_to_offer(board)
    assert not Temper(5, [0] * 6).wants_to_offer(chess.Board())


def test_what_was_thought_of_a_position_that_did_not_come_about_counts_for_nothing() -> None:
    """A move that was corrected while the machine thought about it, or one that was taken back."""
    board = chess.Board("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 50")
    temper = Temper(5)
    for move in ("e7e6", "e2e3", "e6e5", "e3e4", "e8e7", "e1e2", "e7e6", "e2e3", "e6e7", "e3e2"):
        if board.turn == chess.BLACK:
            temper.note(board, 0)
        board.push_uci(move)
    temper.note(board, 0)
    assert temper.wants_to_offer(board)
    temper.note(board, -3000)
    assert temper.scores == [0, 0, 0, 0, 0, -3000]
    temper.note(board, 0)
    assert temper.wants_to_offer(board), "it has not offered here"
    board.pop()
    board.pop()
    temper.note(board, 20)
    assert temper.scores == [0, 0, 0, 0, 20]


def test_claims_with_the_move_that_repeats_and_not_when_winning() -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        board.push_uci(move)
    back = chess.Move.from_uci("f6g8")
    assert can_claim(board, back)
    assert not can_claim(board, chess.Move.from_uci("e7e5"))
    assert Temper(5, [0]).wants_to_claim(board, back)
    assert not Temper(5, [500]).wants_to_claim(board, back)
    fifty = chess.Board("4k3/8/8/8/8/8/4R3/4K3 w - - 99 90")
    assert can_claim(fifty, chess.Move.from_uci("e2e3"))
    assert not can_claim(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 90"), chess.Move.from_uci("d1d8"))
