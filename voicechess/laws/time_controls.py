"""Time controls: the notation of `--time`, and its description in words (Laws, Art. 6).

The notation, the same for the command line, the settings file and the journal::

    ""  or "-"          no clock
    5                   five minutes for all moves
    5+3                 five minutes, three seconds added after each move (Fischer)
    1.5+1               a minute and a half; "90s+1" is the same
    5d3                 five minutes, the first three seconds of every move are free (simple delay)
    5b3                 five minutes, up to three seconds of a move's time are given back (Bronstein)
    5h                  hourglass: time used by one side is added to the other
    90/40+30:15+30      40 moves in 90 minutes, then 15 minutes for the rest, 30 seconds added after every move
    120/40:60/20        40 moves in two hours, then 20 moves in each further hour (a last period with moves repeats)
    5+3~3+2             White's before the tilde, Black's after it
    3|2                 the same as 3+2, as some sites write it
    50days/10           correspondence: ten moves in fifty days; saved days carry over to the next ten
    3days               correspondence: three days for every move; nothing carries over

A period is MINUTES[/MOVES][+SECONDS|dSECONDS|bSECONDS]; ":" begins the next one. "s" after the first number makes it
seconds. Blanks and case do not matter; a comma is accepted as a decimal point, and ½ is 0.5. Earlier versions had a bar
between White and Black ("5+3|3+2"), which is still read unless a side is a bare number.

Days are counted by the calendar (`reflection`), not by a clock, and are the same for both sides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

import chess

from voicechess.messages import Duration, Failure, Ordinal, Phrase, Text

MINUTE_MS = 60_000
DAY_S = 24 * 60 * 60
# Upper limits of a time control:
MAX_PERIOD_MS = 24 * 60 * MINUTE_MS
MAX_BONUS_MS = 60 * MINUTE_MS
MAX_MOVES = 500  # of a period
MAX_PERIODS = 8
MAX_DAYS = 365
_MAX_CHARACTERS = 200  # of its notation

_PERIOD = re.compile(
    r"(?P<base>\d{1,6}(?:[.,]\d{1,3})?)(?P<seconds>s)?(?:/(?P<moves>\d{1,4}))?"
    r"(?:(?P<kind>[+db])(?P<bonus>\d{1,5}(?:[.,]\d{1,3})?)s?|(?P<hourglass>h))?"
)
_OF_SITES = re.compile(r"(\d{1,6}(?:[.,]\d{1,3})?)\|(\d{1,5})")
_FRACTION = re.compile(r"[13]/[24](?:\+\d{1,5})?")
"""Fractions of a minute as sites write them; in this notation "1/2" would be two moves a minute, repeated for ever."""
_VULGAR = {"½": "5", "¼": "25", "¾": "75"}
_OF_PGN = re.compile(
    r"(?:(?P<moves>\d{1,4})/)?(?P<hourglass>\*)?(?P<base>\d{1,6})(?:\+(?P<bonus>\d{1,5}(?:\.\d{1,3})?))?"
)
_DAYS = re.compile(r"(?P<days>\d{1,6})days?(?:/(?P<moves>\d{1,6}))?")


SIDES = "~"
"""Separator between White's time control and Black's."""


class Bonus(Enum):
    """How time is added or not charged for each move."""

    NONE = ""
    FISCHER = "+"  # increment, added before each move including the first
    DELAY = "d"  # simple (US) delay: the first seconds of each move are free
    BRONSTEIN = "b"  # increment of at most the time that the move took
    HOURGLASS = "h"  # the time of a move is added to the opponent


@dataclass(frozen=True, slots=True)
class Period:
    """One period of a side's time control."""

    base_ms: int
    moves: int | None = None  # moves to be made in it; None: the rest of the game
    bonus: Bonus = Bonus.NONE
    bonus_ms: int = 0  # increment or delay a move

    @property
    def first_ms(self) -> int:
        """Milliseconds granted when the period begins: the base, and the increment of the first move.

        FIDE's glossary (2023): an increment is added "from the start before each move". A simple delay is never granted
        as time, and hourglass has no increment.
        """
        return self.base_ms + (self.bonus_ms if self.bonus in (Bonus.FISCHER, Bonus.BRONSTEIN) else 0)


@dataclass(frozen=True, slots=True)
class Days:
    """The time control of a correspondence game."""

    days: int
    moves: int | None = None  # to be made in each `days` days; None: `days` for every move


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control. Periods are in order; the last one repeats if it has `moves`."""

    white: tuple[Period, ...] = ()  # () for both sides: no clock
    black: tuple[Period, ...] = ()
    days: Days | None = None  # reflection time by the calendar, instead of clocks

    @property
    def untimed(self) -> bool:
        """Whether there is no clock."""
        return not self.white

    def periods(self, colour: chess.Color) -> tuple[Period, ...]:
        """The periods of one side."""
        return self.white if colour == chess.WHITE else self.black

    def with_increment(self, bonus_ms: int) -> TimeControl:
        """The same control with an increment of `bonus_ms` for both sides, in all periods."""
        white, black = (
            tuple(replace(period, bonus=Bonus.FISCHER, bonus_ms=bonus_ms) for period in periods)
            for periods in (self.white, self.black)
        )
        return replace(self, white=white, black=black)

    def period(self, colour: chess.Color, index: int) -> Period:
        """The period of a timed side at `index`, from 0; past the end the last one, repeated."""
        periods = self.periods(colour)
        return periods[min(index, len(periods) - 1)]

    @property
    def notation(self) -> str:
        """This control in the notation of `parse_time`: `parse_time(control.notation) == control`."""
        if self.days is not None:
            return f"{self.days.days}days" + (f"/{self.days.moves}" if self.days.moves is not None else "")
        white = ":".join(_written(period) for period in self.white)
        black = ":".join(_written(period) for period in self.black)
        return white if white == black else f"{white}{SIDES}{black}"


UNTIMED = TimeControl()


def parse_time(text: str) -> TimeControl:
    """Parse a time control; the module documents the notation.

    Raises `Failure` with the reason if `text` is not in the notation or exceeds a limit.
    """
    squeezed = "".join(text.split()).lower()
    if squeezed in ("", "-"):
        return UNTIMED
    if len(squeezed) > _MAX_CHARACTERS:
        raise Failure("timecontrol.error.too_long")
    squeezed = re.sub(r"(\d*)([½¼¾])", lambda part: f"{part[1] or 0}.{_VULGAR[part[2]]}", squeezed)
    squeezed = _OF_SITES.sub(r"\1+\2", squeezed) if _OF_SITES.fullmatch(squeezed) else squeezed
    if _FRACTION.fullmatch(squeezed):
        raise Failure("timecontrol.error.fraction", {"text": Text(squeezed)})
    days = _DAYS.fullmatch(squeezed)
    if days is not None and squeezed.isascii():
        return TimeControl(days=_days(int(days["days"]), int(days["moves"]) if days["moves"] else None))
    sides = re.split(r"[|~]", squeezed)
    if len(sides) > 2:
        raise Failure("timecontrol.error.sides")
    parsed = [_side(side) for side in sides]
    control = TimeControl(parsed[0], parsed[-1])
    if len({period.bonus is Bonus.HOURGLASS for period in control.white + control.black}) > 1:
        raise Failure("timecontrol.error.hourglass")
    return control


def _days(days: int, moves: int | None) -> Days:
    if not 1 <= days <= MAX_DAYS:
        raise Failure("timecontrol.error.days", {"most": MAX_DAYS})
    if moves is not None and not 1 <= moves <= MAX_MOVES:
        raise Failure("timecontrol.error.moves", {"most": MAX_MOVES})
    return Days(days, moves)


def _side(text: str) -> tuple[Period, ...]:
    parts = text.split(":")
    if len(parts) > MAX_PERIODS:
        raise Failure("timecontrol.error.periods", {"most": MAX_PERIODS})
    periods = tuple(_period(part) for part in parts)
    if len(periods) > 1 and any(period.bonus is Bonus.HOURGLASS for period in periods):
        raise Failure("timecontrol.error.hourglass")
    for number, period in enumerate(periods[:-1], start=1):
        if period.moves is None:
            raise Failure("timecontrol.error.endless", {"which": Ordinal(number)})
    return periods


def _period(text: str) -> Period:
    found = _PERIOD.fullmatch(text)
    # Digits of other scripts match \d but not this notation.
    if not found or not text.isascii():
        raise Failure("timecontrol.error.notation", {"text": Text(text[:40])})
    base_ms = _milliseconds(found["base"], 1_000 if found["seconds"] else MINUTE_MS)
    if base_ms == 0:
        raise Failure("timecontrol.error.no_time", {"text": Text(text)})
    if base_ms > MAX_PERIOD_MS:
        raise Failure("timecontrol.error.long_period", {"longest": Duration(MAX_PERIOD_MS)})
    moves = int(found["moves"]) if found["moves"] else None
    if moves is not None and not 1 <= moves <= MAX_MOVES:
        raise Failure("timecontrol.error.moves", {"most": MAX_MOVES})
    if found["hourglass"]:
        if moves is not None:
            raise Failure("timecontrol.error.hourglass")
        return Period(base_ms, None, Bonus.HOURGLASS)
    bonus_ms = _milliseconds(found["bonus"], 1_000) if found["kind"] else 0
    if bonus_ms > MAX_BONUS_MS:
        raise Failure("timecontrol.error.long_bonus", {"longest": Duration(MAX_BONUS_MS)})
    return Period(base_ms, moves, Bonus(found["kind"]) if bonus_ms else Bonus.NONE, bonus_ms)


def _milliseconds(number: str, unit_ms: int) -> int:
    """`number` of units, with at most three decimals, as whole milliseconds, without floating point."""
    whole, _, decimals = number.replace(",", ".").partition(".")
    return int(whole) * unit_ms + int(decimals.ljust(3, "0")) * unit_ms // 1_000


def _written(period: Period) -> str:
    minutes, rest = divmod(period.base_ms, MINUTE_MS)
    base = _seconds(period.base_ms) + "s" if rest else str(minutes)
    moves = f"/{period.moves}" if period.moves else ""
    bonus = _seconds(period.bonus_ms) if period.bonus_ms else ""
    return base + moves + period.bonus.value + bonus


def _seconds(ms: int) -> str:
    whole, rest = divmod(ms, 1_000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def pgn_time_control(control: TimeControl, colour: chess.Color = chess.WHITE) -> str:
    """The value of the PGN tag TimeControl (PGN standard 9.6): "-", "300+3", "40/5400+30:900+30", "*300" (hourglass).

    PGN has neither delays nor different times for the sides: delays are left out and only one side is given. A score
    also has `TimeControl.notation`, in a tag of its own.
    """
    if control.days is not None:
        return f"{control.days.moves or 1}/{control.days.days * DAY_S}"
    if control.untimed:
        return "-"
    return ":".join(_pgn_period(period) for period in control.periods(colour))


def _pgn_period(period: Period) -> str:
    moves = f"{period.moves}/" if period.moves else ""
    if period.bonus is Bonus.HOURGLASS:
        return "*" + _seconds(period.base_ms)
    increment = "+" + _seconds(period.bonus_ms) if period.bonus is Bonus.FISCHER else ""
    return moves + _seconds(period.base_ms) + increment


def read_pgn_time(text: str) -> TimeControl | None:
    """Parse the PGN tag TimeControl, whose bases are seconds: "600+5", "40/7200:3600", "*180", "1/86400".

    None if it is not a supported time control.
    """
    days = re.fullmatch(r"(\d{1,3})/(\d{1,9})", text)
    if days is not None and int(days[2]) and int(days[2]) % DAY_S == 0:
        notation = f"{int(days[2]) // DAY_S}days" + ("" if days[1] == "1" else f"/{days[1]}")
    elif text == "-":
        return UNTIMED
    else:
        periods = [_OF_PGN.fullmatch(period) for period in text.split(":")]
        if not all(periods):
            return None
        notation = ":".join(
            period["base"]
            + "s"
            + (f"/{period['moves']}" if period["moves"] else "")
            + ("h" if period["hourglass"] else f"+{period['bonus'] or 0}")
            for period in periods
            if period is not None
        )
    try:
        return parse_time(notation)
    except Failure:
        return None


def describe(control: TimeControl) -> Phrase:
    """The control in words ("vierzig Züge in neunzig Minuten, dann dreißig Minuten, dreißig Sekunden je Zug")."""
    if control.days is not None:
        return _described_days(control.days)
    if control.untimed:
        return Phrase("timecontrol.untimed")
    if control.white == control.black:
        return _described(control.white)
    return Phrase("timecontrol.sides", {"white": _described(control.white), "black": _described(control.black)})


def _described_days(given: Days) -> Phrase:
    if given.moves is None:
        return (
            Phrase("timecontrol.day_each") if given.days == 1 else Phrase("timecontrol.days_each", {"days": given.days})
        )
    if given.days == 1:
        return Phrase("timecontrol.day_moves", {"moves": given.moves})
    return Phrase("timecontrol.days_moves", {"moves": given.moves, "days": given.days})


def _described(periods: tuple[Period, ...]) -> Phrase:
    """One side's periods in words; a bonus shared by all is said once, at the end."""
    shared = len({(period.bonus, period.bonus_ms) for period in periods}) == 1
    told = [_base(period) if shared else _with_bonus(_base(period), period, "own.") for period in periods]
    if periods[-1].moves is not None:
        told[-1] = Phrase("timecontrol.repeated", {"period": told[-1]})
    whole = told[-1]
    for earlier in reversed(told[:-1]):
        whole = Phrase("timecontrol.then", {"first": earlier, "rest": whole})
    return _with_bonus(whole, periods[-1]) if shared else whole


def _base(period: Period) -> Phrase:
    minutes, rest = divmod(period.base_ms, MINUTE_MS)
    # "neunzig Minuten" is what players say; a Duration would be "eine Stunde dreißig Minuten".
    exact = bool(rest or minutes < 2)
    time = Phrase("timecontrol.minutes", {"minutes": minutes})
    if exact:
        time = Phrase("timecontrol.duration", {"duration": Duration(period.base_ms)})
    if period.moves is None:
        return time
    if period.moves == 1:
        return Phrase("timecontrol.one_move", {"time": time})
    return Phrase("timecontrol.moves_exact" if exact else "timecontrol.moves", {"moves": period.moves, "time": time})


def _with_bonus(base: Phrase, period: Period, own: str = "") -> Phrase:
    """The period with its bonus; `own`: key prefix of the sentence for a bonus of this period only."""
    if period.bonus is Bonus.NONE:
        return base
    if period.bonus is Bonus.HOURGLASS:
        return Phrase("timecontrol.hourglass", {"base": base})
    key = f"timecontrol.{own}{period.bonus.name.lower()}"
    return Phrase(key, {"base": base, "bonus": Duration(period.bonus_ms)})
