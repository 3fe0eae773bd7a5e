"""The chess clock by hand: each rule of Article 6 in a small game of presses."""

from __future__ import annotations

import chess
import pytest

from voicechess.game.agreement import GameSettings
from voicechess.game.session import Session
from voicechess.laws.clock import Clock, ClockError, crossed, half_of_base, period_entered
from voicechess.laws.editions import EDITIONS
from voicechess.laws.time_controls import parse_time

W, B = chess.WHITE, chess.BLACK


def started(time: str) -> Clock:
    return Clock.new(parse_time(time)).start(W, 0)


def test_time_runs_only_for_the_side_to_move() -> None:
    clock = started("5")
    assert clock.remaining(W, 1_000) == 299_000
    assert clock.remaining(B, 1_000) == 300_000
    clock = clock.press(2_000)
    assert clock.remaining(W, 9_000) == 298_000
    assert clock.remaining(B, 9_000) == 293_000
    assert (clock.moves(W), clock.moves(B)) == (1, 0)


def test_the_increment_is_added_before_each_move_the_first_included() -> None:
    """FIDE's glossary: "added from the start before each move"."""
    clock = started("5+3")
    assert (clock.remaining(W, 0), clock.remaining(B, 0)) == (303_000, 303_000)
    assert clock.press(1_000).remaining(W, 1_000) == 305_000


@pytest.mark.parametrize("edition", EDITIONS)
def test_so_in_every_edition(edition: int) -> None:
    session = Session(GameSettings(time="5+3", laws=edition))
    assert [session.clock.remaining(colour, 0) for colour in chess.COLORS] == [303_000, 303_000]


def test_a_period_begins_with_the_increment_of_its_first_move() -> None:
    assert started("10/1+5:3+7").press(60_000).remaining(W, 60_000) == 605_000 - 60_000 + 180_000 + 7_000
    assert started("10/1+5:3").press(60_000).remaining(W, 60_000) == 605_000 - 60_000 + 180_000
    assert started("10/1:3+7").press(60_000).remaining(W, 60_000) == 600_000 - 60_000 + 180_000 + 7_000


def test_with_an_increment_the_first_move_has_it_before_the_flag() -> None:
    assert started("1s+2").fell(W, 9_000) == 3_000
    assert started("1sb2").fell(W, 9_000) == started("1sd2").fell(W, 9_000) == 3_000


def test_simple_delay_costs_nothing_at_first_and_is_never_given() -> None:
    clock = started("5d3")
    assert clock.remaining(W, 3_000) == 300_000
    assert clock.remaining(W, 3_001) == 299_999
    assert clock.press(1_000).remaining(W, 1_000) == 300_000
    assert clock.press(5_000).remaining(W, 5_000) == 298_000


def test_a_pause_does_not_renew_the_delay() -> None:
    clock = started("5d3").pause(2_000).resume(60_000)
    assert clock.remaining(W, 61_000) == 300_000
    assert clock.remaining(W, 62_000) == 299_000


def test_bronstein_gives_back_what_was_used_at_most() -> None:
    assert started("5b3").remaining(W, 2_000) == 301_000
    assert started("5b3").press(2_000).remaining(W, 2_000) == 303_000
    assert started("5b3").press(5_000).remaining(W, 5_000) == 301_000


def test_hourglass_sand_goes_to_the_other() -> None:
    clock = started("5h")
    assert (clock.remaining(W, 10_000), clock.remaining(B, 10_000)) == (290_000, 310_000)
    clock = clock.press(10_000)
    assert (clock.remaining(W, 30_000), clock.remaining(B, 30_000)) == (310_000, 290_000)
    assert clock.remaining(W, 10_000 + 310_000 + 5_000) == 600_000  # no sand is left to fall


def test_the_flag_falls_in_the_millisecond_in_which_nothing_is_left() -> None:
    clock = started("1s")
    assert clock.flag(999) == ()
    assert clock.flag(1_000) == (W,)
    assert clock.fell(W, 5_000) == 1_000
    assert clock.remaining(W, 5_000) == 0


@pytest.mark.parametrize("time", ["1s+5", "1s/1+5:5", "1s/1:5", "1sb5", "1sh"])
def test_nothing_is_given_after_the_flag(time: str) -> None:
    clock = started(time)
    late = clock.press(10_000)
    assert late.remaining(W, 10_000) == 0
    assert late.flag(10_000) == (W,)
    assert late.moves(W) == 1


def test_both_flags_in_the_order_they_fell() -> None:
    clock = started("1s~2s").press(1_500)
    assert clock.flags(3_499) == (W,)
    assert clock.flags(3_500) == (W, B)
    assert clock.flag(3_500) == (W,)
    both = Clock.new(parse_time("5")).set(W, 0, 7).set(B, 0, 7)
    assert both.flag(8) == (W, B)


def test_periods_carry_saved_time_over() -> None:
    clock = started("10/2+5:3+5")
    clock = clock.press(60_000).press(61_000)
    before = clock
    clock = clock.press(62_000)
    entered = period_entered(before, clock)
    assert entered is not None
    assert (entered.colour, entered.number) == (W, 2)
    assert entered.left_ms == clock.remaining(W, 62_000) == 605_000 - 61_000 + 5_000 + 185_000
    assert not clock.last_period(B)
    assert clock.last_period(W)
    assert period_entered(clock, clock.press(63_000)) is not None
    assert clock.side(B).period == 0


def test_saved_time_lapses_under_delay() -> None:
    assert started("10/1d5:3d5").press(60_000).remaining(W, 60_000) == 180_000
    assert started("10/1b5:3b5").press(60_000).remaining(W, 60_000) == 185_000


def test_a_last_period_with_moves_repeats() -> None:
    clock = started("2/1:1/1")
    for at in range(1_000, 9_000, 1_000):
        clock = clock.press(at)
    assert clock.side(W).period == 4
    assert clock.remaining(W, 8_000) == 120_000 + 4 * 60_000 - 4_000
    assert not clock.last_period(W)


def test_pause_and_sleep_are_nobodys_time() -> None:
    clock = started("5").pause(1_000)
    assert clock.running is None
    assert clock.remaining(W, 99_000) == 299_000
    assert clock.resume(99_000).remaining(W, 100_000) == 298_000
    assert started("5").shift(50_000).remaining(W, 51_000) == 299_000


def test_a_press_can_lie_in_the_past_of_the_last_look() -> None:
    """A move's time is the end of its words, which were looked at later."""
    clock = started("5")
    assert clock.remaining(W, 4_000) == 296_000
    clock = clock.press(3_000)
    assert clock.remaining(W, 4_000) == 297_000
    assert clock.remaining(B, 4_000) == 299_000


def test_the_arbiter_sets_and_adjusts() -> None:
    clock = started("5").adjust(B, 120_000, 1_000).adjust(W, -60_000, 1_000)
    assert (clock.remaining(W, 2_000), clock.remaining(B, 2_000)) == (238_000, 420_000)
    clock = clock.adjust(W, -999_000, 2_000)
    assert clock.flag(2_000) == (W,)
    assert clock.set(W, 60_000, 3_000).flag(3_000) == ()


def test_after_both_flags_play_goes_on_in_the_next_period() -> None:
    clock = started("1s/40:30").press(2_000)
    assert clock.flags(9_000) == (W, B)
    clock = clock.play_on(9_000)
    assert clock.flags(9_000) == ()
    assert (clock.remaining(W, 9_000), clock.remaining(B, 9_000)) == (1_800_000, 1_800_000)
    down = started("1s").press(2_000).play_on(9_000)
    assert down.flags(9_000) == (W, B)


def test_a_snapshot_is_a_take_back() -> None:
    before = started("5+3").press(1_000)
    after = before.press(9_000).press(12_000)
    assert after != before
    assert before.pause(9_000).resume(20_000).remaining(B, 21_000) == 303_000 - 8_000 - 1_000


def test_untimed_counts_moves_and_time_but_limits_nothing() -> None:
    clock = started("").press(5_000).press(6_000)
    assert clock.remaining(W, 10**9) is None
    assert clock.flag(10**9) == ()
    assert (clock.moves(W), clock.side(W).spent_ms, clock.side(B).spent_ms) == (1, 5_000, 1_000)
    assert clock.adjust(W, 5_000, 7_000).remaining(W, 7_000) is None


def test_nobody_can_press_a_clock_that_stands() -> None:
    with pytest.raises(ClockError):
        Clock.new(parse_time("5")).press(0)
    with pytest.raises(ClockError):
        started("5").pause(5).press(6)


def test_the_announcement_of_a_move_runs_on_nobodys_time() -> None:
    clock = started("5").press(1_000).pause(1_000)
    assert clock.remaining(B, 3_000) == 300_000
    assert clock.resume(3_000).remaining(B, 4_000) == 299_000


def test_thresholds_are_crossed_once_however_time_is_cut() -> None:
    clock = started("2")
    marks = (60_000, 30_000, 10_000)
    assert crossed(clock, 0, 59_999, marks) == ()
    assert crossed(clock, 59_999, 60_000, marks) == (60_000,)
    assert crossed(clock, 60_000, 61_000, marks) == ()
    assert crossed(clock, 0, 111_000, marks) == (60_000, 30_000, 10_000)
    assert crossed(clock.pause(0), 0, 111_000, marks) == ()


def test_half_of_the_base_is_the_first_threshold() -> None:
    assert half_of_base(parse_time("5+3~3"), W) == 150_000
    assert half_of_base(parse_time("5+3~3"), B) == 90_000
    assert half_of_base(parse_time("5s"), B) == 2_000
    assert half_of_base(parse_time(""), W) is None
