"""Days of a correspondence game: what moves cost, what leave saves, when the limit is overstepped."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from voicechess.language.wording import Wording
from voicechess.laws.reflection import Leave, Replied, account, charged, leave_left, take_leave, taken
from voicechess.laws.time_controls import Days, TimeControl, describe, parse_time, pgn_time_control
from voicechess.messages import Failure

FIRST = date(2026, 11, 1)
FIFTY = Days(50, 10)


def after(days: int) -> date:
    return FIRST + timedelta(days=days)


def moves(*days: int, colour: bool = True) -> list[Replied]:
    """Moves that took so many days each, one after the other; the other side answers on the same day."""
    found, at = [], 0
    for one in days:
        found.append(Replied(colour, after(at), after(at + one)))
        at += one
        found.append(Replied(not colour, after(at), after(at)))
    return found


@pytest.mark.parametrize(
    ("notation", "days", "german", "english", "pgn"),
    [
        ("50days/10", Days(50, 10), "zehn Züge in fünfzig Tagen", "ten moves in fifty days", "10/4320000"),
        ("3days", Days(3), "drei Tage je Zug", "three days a move", "1/259200"),
        ("1days", Days(1), "ein Tag je Zug", "one day a move", "1/86400"),
        ("1days/2", Days(1, 2), "zwei Züge an einem Tag", "two moves in a day", "2/86400"),
    ],
)
def test_time_in_days_is_written_said_and_exported(
    notation: str, days: Days, german: str, english: str, pgn: str
) -> None:
    control = parse_time(notation)
    assert control == TimeControl(days=days)
    assert control.notation == notation
    assert control.untimed, "no clock runs"
    assert Wording("de").say(describe(control)).lower() == german.lower()
    assert Wording("en").say(describe(control)).lower() == english
    assert pgn_time_control(control) == pgn


@pytest.mark.parametrize("text", ["0days", "366days", "50days/0", "50days/501", "50days/", "days", "-3days", "٣days"])
def test_what_is_no_time_in_days_is_a_sentence(text: str) -> None:
    with pytest.raises(Failure) as failed:
        parse_time(text)
    assert Wording("de", strict=True).say(failed.value.phrase)


def test_an_answer_on_the_same_day_costs_nothing_and_a_clock_that_goes_back_neither() -> None:
    assert [taken(after(3), after(day), True) for day in (3, 4, 10, 1)] == [0, 1, 7, 0]


def test_beyond_twenty_days_a_single_move_counts_twice() -> None:
    """ICCF 2.4.2 has the example: who uses 23 days is charged 26."""
    assert [charged(days) for days in (0, 20, 21, 23)] == [0, 20, 22, 26]


def test_what_is_saved_is_carried_forward() -> None:
    ten = account(FIFTY, moves(*[3] * 10), True)
    assert (ten.left, ten.used, ten.moves_left, ten.overstepped) == (70, 30, 10, False)
    assert account(FIFTY, moves(*[3] * 9), True).left == 23


def test_the_limit_is_overstepped_by_the_first_day_too_many() -> None:
    played = moves(*[5] * 9)
    last = played[-1].sent
    for thinking, left, over in ((0, 5, False), (5, 0, False), (6, -1, True)):
        found = account(FIFTY, played, True, (), last, last + timedelta(days=thinking))
        assert (found.left, found.used, found.overstepped) == (left, 45 + thinking, over)
    assert account(FIFTY, moves(*[5] * 9, 6), True).overstepped
    assert not account(FIFTY, moves(*[5] * 10), True).overstepped
    assert account(FIFTY, moves(*[5] * 9, 6, *[0] * 9), True).overstepped, "what was overstepped once stays so"


def test_days_for_every_move_save_nothing() -> None:
    three = Days(3)
    assert account(three, moves(0, 0, 3), True).left == 3
    assert not account(three, moves(3, 3, 3), True).overstepped
    assert account(three, moves(0, 4), True).overstepped
    late = account(three, moves(0, 1), True, (), after(1), after(5))
    assert (late.left, late.used, late.overstepped) == (-1, 5, True)


def test_the_other_sides_days_cost_nothing() -> None:
    assert account(FIFTY, moves(40, 40), False).used == 0


def test_leave_is_not_counted() -> None:
    leaves = [Leave(True, after(2), after(5))]
    assert taken(after(0), after(7), True, leaves) == 3
    assert taken(after(0), after(7), False, leaves) == 7
    assert taken(after(3), after(4), True, leaves) == 0
    assert taken(after(0), after(3), True, [*leaves, Leave(True, after(1), after(3))]) == 0, "a day is free once"


def test_leave_has_its_days_in_each_calendar_year() -> None:
    first = take_leave((), True, date(2026, 12, 22), 20)
    assert (first.first, first.last) == (date(2026, 12, 22), date(2027, 1, 10))
    assert [leave_left([first], True, year) for year in (2026, 2027, 2028)] == [35, 35, 45]
    assert leave_left([first], False, 2026) == 45
    with pytest.raises(Failure, match="too_much"):
        take_leave([first], True, date(2027, 3, 1), 36)
    for days in (0, 46, -1):
        with pytest.raises(Failure, match="days"):
            take_leave((), True, FIRST, days)


def test_a_conditional_move_costs_nothing() -> None:
    promised = [Replied(True, after(0), after(9), promised=True)]
    assert account(FIFTY, promised, True).used == 0
