"""The notation of time controls: what is read, what is refused, what is said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.laws.time_controls import (
    UNTIMED,
    Bonus,
    Period,
    TimeControl,
    describe,
    parse_time,
    pgn_time_control,
    read_pgn_time,
)
from voicechess.messages import Duration, Failure, Ordinal, Phrase

MINUTE = 60_000


def both(*periods: Period) -> TimeControl:
    return TimeControl(periods, periods)


READ = {
    "": UNTIMED,
    " - ": UNTIMED,
    "5": both(Period(5 * MINUTE)),
    "5+3": both(Period(5 * MINUTE, None, Bonus.FISCHER, 3_000)),
    "5+0": both(Period(5 * MINUTE)),
    "1,5 + 1": both(Period(90_000, None, Bonus.FISCHER, 1_000)),
    "90s+0.5": both(Period(90_000, None, Bonus.FISCHER, 500)),
    "5d3": both(Period(5 * MINUTE, None, Bonus.DELAY, 3_000)),
    "5B3": both(Period(5 * MINUTE, None, Bonus.BRONSTEIN, 3_000)),
    "5h": both(Period(5 * MINUTE, None, Bonus.HOURGLASS)),
    "5h~3h": TimeControl((Period(5 * MINUTE, None, Bonus.HOURGLASS),), (Period(3 * MINUTE, None, Bonus.HOURGLASS),)),
    "90/40+30:15+30": both(
        Period(90 * MINUTE, 40, Bonus.FISCHER, 30_000), Period(15 * MINUTE, None, Bonus.FISCHER, 30_000)
    ),
    "120/40:60/20": both(Period(120 * MINUTE, 40), Period(60 * MINUTE, 20)),
    "5+3~3+2": TimeControl(
        (Period(5 * MINUTE, None, Bonus.FISCHER, 3_000),), (Period(3 * MINUTE, None, Bonus.FISCHER, 2_000),)
    ),
}


@pytest.mark.parametrize("text", READ)
def test_read(text: str) -> None:
    assert parse_time(text) == READ[text]


REFUSED = {
    "five": "notation",
    "5+": "notation",
    "5:": "notation",
    "-5": "notation",
    "5/0x": "notation",
    "٥+٣": "notation",
    "5²": "notation",
    "5|": "notation",
    "5+3|3~2": "sides",
    "0+3": "no_time",
    "0": "no_time",
    "1441": "long_period",
    "5+3601": "long_bonus",
    "90/0": "moves",
    "90/501": "moves",
    "90:30": "endless",
    "90/40:30:15": "endless",
    "5h:3h": "hourglass",
    "5/40h": "hourglass",
    "5h~5+3": "hourglass",
    ":".join(["5/5"] * 9): "periods",
    "5" * 300: "too_long",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused_with_its_reason(text: str) -> None:
    with pytest.raises(Failure) as refusal:
        parse_time(text)
    assert refusal.value.key == "timecontrol.error." + REFUSED[text]


def test_the_period_that_ends_too_early_is_named() -> None:
    with pytest.raises(Failure) as refusal:
        parse_time("90/40:30:15")
    assert refusal.value.slots == {"which": Ordinal(2)}


@pytest.mark.parametrize("text", READ)
def test_written_and_read_again(text: str) -> None:
    assert parse_time(READ[text].notation) == READ[text]


@settings(max_examples=60)
@given(st.text(alphabet="0123456789+:/|dbhs., x", max_size=24))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        control = parse_time(text)
    except Failure as refusal:
        assert refusal.key.startswith("timecontrol.error.")
    else:
        assert parse_time(control.notation) == control


def test_pgn_tag() -> None:
    assert pgn_time_control(UNTIMED) == "-"
    assert pgn_time_control(parse_time("5+3")) == "300+3"
    assert pgn_time_control(parse_time("90/40+30:15+30")) == "40/5400+30:900+30"
    assert pgn_time_control(parse_time("3h")) == "*180"
    assert pgn_time_control(parse_time("5d3~2+1"), False) == "120+1"
    assert pgn_time_control(parse_time("5d3")) == "300"


def test_described_as_players_say_it() -> None:
    forty = Phrase("timecontrol.moves", {"moves": 40, "time": Phrase("timecontrol.minutes", {"minutes": 90})})
    thirty = Phrase("timecontrol.minutes", {"minutes": 30})
    assert describe(parse_time("90/40+30:30+30")) == Phrase(
        "timecontrol.fischer",
        {"base": Phrase("timecontrol.then", {"first": forty, "rest": thirty}), "bonus": Duration(30_000)},
    )
    assert describe(UNTIMED) == Phrase("timecontrol.untimed")
    assert describe(parse_time("30s")) == Phrase("timecontrol.duration", {"duration": Duration(30_000)})


def test_different_bonuses_are_each_said_with_their_period() -> None:
    told = describe(parse_time("90/40:30+30"))
    assert told.key == "timecontrol.then"
    assert told.slots["rest"] == Phrase(
        "timecontrol.own.fischer", {"base": Phrase("timecontrol.minutes", {"minutes": 30}), "bonus": Duration(30_000)}
    )


def test_a_repeating_period_says_so() -> None:
    told = describe(parse_time("120/40:60/20"))
    rest = told.slots["rest"]
    assert isinstance(rest, Phrase)
    assert rest.key == "timecontrol.repeated"


@pytest.mark.parametrize(
    ("written", "meant"), [("3|2", "3+2"), ("10|0", "10"), ("1.5|1", "90s+1"), ("½+0", "30s"), ("1½|2", "90s+2")]
)
def test_times_as_sites_write_them(written: str, meant: str) -> None:
    assert parse_time(written) == parse_time(meant)


@pytest.mark.parametrize("written", ["1/2+0", "1/2", "1/4+0", "3/4+1"])
def test_half_a_minute_is_not_two_moves_in_a_minute(written: str) -> None:
    with pytest.raises(Failure, match="fraction"):
        parse_time(written)


@pytest.mark.parametrize("kept", ["5+3|3+2", "5b3|10", "90/40:30|5"])
def test_the_bar_of_earlier_versions_is_read_where_it_can_mean_nothing_else(kept: str) -> None:
    assert parse_time(kept) == parse_time(kept.replace("|", "~"))


@pytest.mark.parametrize(
    ("tag", "meant"),
    [
        ("600+5", "10+5"),
        ("300", "5"),
        ("180+0", "3"),
        ("40/7200:3600", "120/40:60"),
        ("40/9000+30:20/3600+30:900+30", "150/40+30:60/20+30:15+30"),
        ("*180", "3h"),
        ("1/86400", "1days"),
        ("10/4320000", "50days/10"),
        ("-", "-"),
    ],
)
def test_a_tag_of_pgn_counts_seconds(tag: str, meant: str) -> None:
    assert read_pgn_time(tag) == parse_time(meant)


@pytest.mark.parametrize(
    "tag", ["", "?", "15'/game & 10\"/move", "G/60", "0", "40/7200:", "x" * 300, "9" * 300, "0/86400", "٦٠٠"]
)
def test_a_tag_that_says_no_time(tag: str) -> None:
    assert read_pgn_time(tag) is None


@given(st.text(alphabet="0123456789/:+*.-", max_size=20))
def test_any_tag_is_a_time_or_none(tag: str) -> None:
    control = read_pgn_time(tag)
    assert control is None or read_pgn_time(pgn_time_control(control)) == control
