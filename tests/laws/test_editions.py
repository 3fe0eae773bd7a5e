"""Editions, penalties, flags and endings against the table of the laws."""

from __future__ import annotations

import chess
import pytest

from voicechess.laws.editions import (
    EDITIONS,
    Category,
    UnnamedPromotion,
    after_move,
    category,
    fallen_flag,
    finished,
    illegal_move,
    resigned,
)
from voicechess.laws.results import RESULTS, TABLE, Ending, Way, by_points
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Side

W, B = chess.WHITE, chess.BLACK
BARE_BLACK_KING = "8/8/8/4k3/8/8/4K2R/8 b - - 0 1"
BARE_WHITE_KING = "8/8/8/4k3/8/8/4K3/7r b - - 0 1"


@pytest.mark.parametrize(
    ("edition", "time", "kind"),
    [
        (2023, "", "standard"),
        (2023, "10", "blitz"),
        (2023, "3+2", "blitz"),
        (2023, "10+1", "rapid"),
        (2023, "15+10", "rapid"),
        (2023, "59", "rapid"),
        (2023, "60", "standard"),
        (2023, "30+30", "standard"),
        (2023, "90/40+30:15+30", "standard"),
        (2023, "5+3~15+10", "rapid"),
        (2023, "10h", "blitz"),
        (2023, "2/10:1/10", "blitz"),
        (2023, "8/20", "rapid"),  # eight minutes three times in sixty moves
        (2023, "6/60", "blitz"),
        (2009, "14", "blitz"),
        (2009, "15", "rapid"),
        (1985, "12", "blitz"),
        (2009, "60", "standard"),
    ],
)
def test_categories(edition: int, time: str, kind: str) -> None:
    assert category(parse_time(time), EDITIONS[edition]) is Category(kind)


def penalties(edition: int, kind: Category, board: chess.Board) -> list[int | str]:
    """What the first three illegal moves cost: milliseconds, or how the game ends, or what may be claimed."""
    told: list[int | str] = []
    for number in (1, 2, 3):
        penalty = illegal_move(EDITIONS[edition], kind, board, number)
        costs = penalty.ending.result if penalty.ending else penalty.opponent_ms
        told.append(f"claim {costs}" if penalty.on_claim else costs)
    return told


def test_illegal_moves_by_edition() -> None:
    board = chess.Board()
    assert penalties(2023, Category.STANDARD, board) == [120_000, "0-1", "0-1"]
    assert penalties(2023, Category.RAPID, board) == [60_000, "0-1", "0-1"]
    assert penalties(2023, Category.BLITZ, board) == [60_000, "0-1", "0-1"]
    for edition in (2009, 1985):
        assert penalties(edition, Category.STANDARD, board) == [120_000, 120_000, "0-1"]
        assert penalties(edition, Category.RAPID, board) == ["claim 120000", "claim 120000", "claim 0-1"]
        assert penalties(edition, Category.BLITZ, board) == ["claim 0-1"] * 3


def test_no_loss_to_a_side_that_cannot_mate() -> None:
    board = chess.Board("8/8/8/4k3/8/8/4K2R/8 w - - 0 1")
    assert penalties(2023, Category.STANDARD, board) == [120_000, "1/2-1/2", "1/2-1/2"]
    assert penalties(2009, Category.BLITZ, board)[0] == "claim 1/2-1/2"


def test_wrong_claims_and_promotions_by_edition() -> None:
    assert [EDITIONS[2023].claim_penalty_ms(kind) for kind in Category] == [120_000, 60_000, 60_000]
    for edition in (2009, 1985):
        assert [EDITIONS[edition].claim_penalty_ms(kind) for kind in Category] == [180_000] * 3
    assert {year: rules.unnamed_promotion for year, rules in EDITIONS.items()} == {
        2023: UnnamedPromotion.ILLEGAL_QUEEN,
        2009: UnnamedPromotion.ILLEGAL,
        1985: UnnamedPromotion.CLOCK_BACK,
    }


def test_a_fallen_flag_loses() -> None:
    ending = fallen_flag(chess.Board(), (W,), last_period=True)
    assert ending == Ending(Way.TIME, B)
    assert ending.result == "0-1"
    assert ending.termination == "time forfeit"
    assert ending.words.slots == {"winner": Side(B), "loser": Side(W)}


def test_a_fallen_flag_draws_against_a_bare_king() -> None:
    assert fallen_flag(chess.Board(BARE_BLACK_KING), (W,), True) == Ending(Way.TIME_NO_MATE)
    assert fallen_flag(chess.Board(BARE_BLACK_KING), (B,), True) == Ending(Way.TIME, W)
    assert fallen_flag(chess.Board(BARE_WHITE_KING), (B,), True) == Ending(Way.TIME_NO_MATE)


def test_both_flags() -> None:
    assert fallen_flag(chess.Board(), (W, B), last_period=False) is None
    assert fallen_flag(chess.Board(), (W, B), last_period=True) == Ending(Way.BOTH_FLAGS)
    assert fallen_flag(chess.Board(), (), last_period=True) is None


def test_mate_and_stalemate_come_before_any_flag() -> None:
    fools_mate = chess.Board()
    for move in ("f3", "e5", "g4", "Qh4#"):
        fools_mate.push_san(move)
    assert fallen_flag(fools_mate, (B,), True) == Ending(Way.CHECKMATE, B)
    assert fallen_flag(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), (W,), True) == Ending(Way.STALEMATE)
    assert fallen_flag(chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1"), (W,), True) == Ending(Way.DEAD_POSITION)


def shuffled(times: int) -> chess.Board:
    board = chess.Board()
    for _ in range(times):
        for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
            board.push_san(move)
    return board


def test_fivefold_and_seventy_five_only_where_the_edition_has_them() -> None:
    assert after_move(shuffled(3), EDITIONS[2023]) is None
    assert after_move(shuffled(4), EDITIONS[2023]) == Ending(Way.FIVEFOLD)
    assert after_move(shuffled(4), EDITIONS[2009]) is None
    long = chess.Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 150 100")
    assert after_move(long, EDITIONS[2023]) == Ending(Way.SEVENTY_FIVE_MOVES)
    assert after_move(long, EDITIONS[1985]) is None


def test_mate_on_the_last_of_the_seventy_five_moves_wins() -> None:
    board = chess.Board("7k/R7/6K1/8/8/8/8/8 w - - 149 100")
    board.push_san("Ra8#")
    assert after_move(board, EDITIONS[2023]) == Ending(Way.CHECKMATE, W)


def test_nothing_is_finished_at_the_start() -> None:
    assert finished(chess.Board()) is None


@pytest.mark.parametrize("way", Way)
def test_every_ending_has_a_result_and_a_tag(way: Way) -> None:
    score, termination = TABLE[way]
    if score.has_winner:
        assert (Ending(way, W).result, Ending(way, B).result) == (score.value, "-".join(score.value.split("-")[::-1]))
        with pytest.raises(ValueError, match=way.value):
            Ending(way)
    else:
        assert Ending(way).result == score.value
        with pytest.raises(ValueError, match=way.value):
            Ending(way, W)
    assert termination in {
        "normal",
        "rules infraction",
        "time forfeit",
        "adjudication",
        "abandoned",
        "unterminated",
    }


@pytest.mark.parametrize("white", [0, 0.5, 1])
@pytest.mark.parametrize("black", [0, 0.5, 1])
def test_an_arbiter_can_give_each_side_any_points(white: float, black: float) -> None:
    assert by_points(white, black).result == "-".join({0: "0", 0.5: "1/2", 1: "1"}[one] for one in (white, black))
    assert by_points(white, black).result in RESULTS


def test_both_can_lose() -> None:
    assert Ending(Way.BOTH_LOSE).result == "0-0"
    assert Ending(Way.BOTH_LOSE).pgn_result == "*"


def test_resigning_against_a_side_that_cannot_mate_is_a_draw_only_in_2023() -> None:
    board = chess.Board(BARE_BLACK_KING)
    assert resigned(board, W, EDITIONS[2023]) == Ending(Way.RESIGNATION_NO_MATE)
    assert resigned(board, B, EDITIONS[2023]) == Ending(Way.RESIGNATION, W)
    for edition in (2009, 1985):
        assert resigned(board, W, EDITIONS[edition]) == Ending(Way.RESIGNATION, B)
    assert all(resigned(chess.Board(), W, rules) == Ending(Way.RESIGNATION, B) for rules in EDITIONS.values())
