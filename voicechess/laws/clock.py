"""The chess clock (Laws, Art. 6): integer milliseconds, and the time is always an argument.

A `Clock` is a snapshot that never changes: every act gives a new one, so taking back a move or replaying a journal is
putting an earlier snapshot in its place. Nothing is ever stored by asking, so results cannot depend on how often the
clock is looked at.

Times `at_ms` must come from one clock that never goes back; an earlier time than the last act's counts as that one.
Remaining times never fall below 0. A flag falls in the millisecond in which nothing is left; what is given for a move
(increment, delay, the other's sand) is never given after that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import chess

from voicechess.laws.time_controls import UNTIMED, Bonus, Period, TimeControl, describe, parse_time

__all__ = [
    "UNTIMED",
    "Clock",
    "ClockError",
    "PeriodEntered",
    "SideTime",
    "TimeControl",
    "crossed",
    "describe",
    "half_of_base",
    "parse_time",
    "period_entered",
]


class ClockError(ValueError):
    """An act that is not possible now, such as a press while nobody's time runs. The clock is unchanged."""


@dataclass(frozen=True, slots=True)
class SideTime:
    """One side's time as of the last act, without what is running; in milliseconds."""

    bank_ms: int = 0  # what is left; always granted_ms - spent_ms
    granted_ms: int = 0  # everything given: bases, increments, sand, the arbiter's changes, less what lapsed
    spent_ms: int = 0  # what moves have cost, without free delay time and what ran on after the flag
    moves: int = 0  # completed
    period_moves: int = 0  # completed in the current period
    period: int = 0  # the current one, from 0
    fell_ms: int | None = None  # when the flag fell; None: it is up

    def granted(self, ms: int) -> SideTime:
        """With `ms` more (or less, if negative, but never below 0)."""
        change = max(ms, -self.bank_ms)
        return replace(self, bank_ms=self.bank_ms + change, granted_ms=self.granted_ms + change)


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time. Make one with `Clock.new`."""

    control: TimeControl
    white: SideTime
    black: SideTime
    turn: chess.Color = chess.WHITE  # whose move it is
    since_ms: int | None = None  # since when that side's time runs; None: nobody's does (before the start, in a pause)
    turn_ms: int = 0  # what the current move took before `since_ms`

    @classmethod
    def new(cls, control: TimeControl = UNTIMED, turn: chess.Color = chess.WHITE) -> Clock:
        """A clock not started yet, with the first period's time on both sides."""
        given = [0 if control.untimed else control.period(colour, 0).first_ms for colour in chess.COLORS]
        white, black = (SideTime(bank_ms=ms, granted_ms=ms) for ms in given)
        return cls(control, white, black, turn)

    def side(self, colour: chess.Color) -> SideTime:
        """One side's time as of the last act (not counting what is running)."""
        return self.white if colour == chess.WHITE else self.black

    @property
    def running(self) -> chess.Color | None:
        """Whose time runs."""
        return None if self.since_ms is None else self.turn

    def moves(self, colour: chess.Color) -> int:
        """How many moves a side has completed."""
        return self.side(colour).moves

    # Asking.

    def remaining(self, colour: chess.Color, at_ms: int) -> int | None:
        """What a side has left at `at_ms`; None without a time limit. 0 when its flag is down."""
        return None if self.control.untimed else self._settled(at_ms).side(colour).bank_ms

    def fell(self, colour: chess.Color, at_ms: int) -> int | None:
        """When a side's flag fell, None if it is still up at `at_ms`."""
        return self._settled(at_ms).side(colour).fell_ms

    def flags(self, at_ms: int) -> tuple[chess.Color, ...]:
        """The sides whose flag is down at `at_ms`, the first to fall first."""
        settled = self._settled(at_ms)
        times = [
            (fell, not colour, colour) for colour in chess.COLORS if (fell := settled.side(colour).fell_ms) is not None
        ]
        return tuple(colour for _, _, colour in sorted(times))

    def flag(self, at_ms: int) -> tuple[chess.Color, ...]:
        """The side whose flag fell first; both if they fell in the same millisecond (nobody can tell), () if none."""
        down = self.flags(at_ms)
        settled = self._settled(at_ms)
        return tuple(colour for colour in down if settled.side(colour).fell_ms == settled.side(down[0]).fell_ms)

    def last_period(self, colour: chess.Color) -> bool:
        """Whether a side is in the last of its periods (a repeating one is never the last)."""
        periods = self.control.periods(colour)
        return not periods or (self.side(colour).period >= len(periods) - 1 and periods[-1].moves is None)

    # Acting.

    def start(self, colour: chess.Color, at_ms: int) -> Clock:
        """Let a side's time run for a new move of its; the other side's time stops without a move."""
        settled = self._settled(at_ms)
        return replace(settled, turn=colour, since_ms=max(at_ms, settled.since_ms or at_ms), turn_ms=0)

    def press(self, at_ms: int) -> Clock:
        """The side to move has completed its move at `at_ms`: its time stops, the other's runs.

        Gives the next move's increment or, after a period's last move, the next period's time; neither when the flag
        has fallen (then only the move is counted, and it is the laws' business what becomes of the game).
        Raises `ClockError` when nobody's time runs.
        """
        if self.since_ms is None:
            raise ClockError("no time is running")
        settled = self._settled(at_ms)
        mover = settled.side(self.turn)
        if not self.control.untimed and mover.fell_ms is None:
            mover = self._rewarded(mover, settled.turn_ms)
        mover = replace(mover, moves=mover.moves + 1)
        turned = settled._with(self.turn, mover)
        return replace(turned, turn=not self.turn, turn_ms=0)

    def pause(self, at_ms: int) -> Clock:
        """Stop the time that runs; the move goes on after `resume`. Nothing happens if none runs."""
        return replace(self._settled(at_ms), since_ms=None)

    def resume(self, at_ms: int) -> Clock:
        """Let the time of the side to move run (again). Nothing happens if it runs."""
        return self if self.since_ms is not None else replace(self, since_ms=at_ms)

    def shift(self, gap_ms: int) -> Clock:
        """The computer slept for `gap_ms` since the last act: nobody is charged for it."""
        return self if self.since_ms is None else replace(self, since_ms=self.since_ms + max(0, gap_ms))

    def adjust(self, colour: chess.Color, by_ms: int, at_ms: int) -> Clock:
        """The arbiter or a penalty gives (or, negative, takes) time. A side that has time again has its flag up."""
        left = self._settled(at_ms).side(colour).bank_ms
        return self.set(colour, left + by_ms, at_ms)

    def set(self, colour: chess.Color, ms: int, at_ms: int) -> Clock:
        """The arbiter sets a side's remaining time. Set to 0 (or less), the flag falls."""
        if self.control.untimed:
            return self
        settled = self._settled(at_ms)
        side = settled.side(colour)
        side = side.granted(ms - side.bank_ms)
        if side.bank_ms > 0:
            side = replace(side, fell_ms=None)
        elif side.fell_ms is None:
            side = replace(side, fell_ms=at_ms)
        return settled._with(colour, side)

    def with_increment(self, bonus_ms: int, at_ms: int) -> Clock:
        """From now on so much is added after every move of both sides."""
        settled = self._settled(at_ms)
        return replace(settled, control=settled.control.with_increment(bonus_ms))

    def play_on(self, at_ms: int) -> Clock:
        """Both flags fell in a period that is not the last: each side that is down gets its next period's time."""
        clock = self._settled(at_ms)
        for colour in chess.COLORS:
            side = clock.side(colour)
            if side.fell_ms is not None and not clock.last_period(colour):
                clock = clock._with(colour, clock._next_period(colour, replace(side, fell_ms=None)))
        return clock

    # The sums.

    def _period(self, colour: chess.Color) -> Period:
        return self.control.period(colour, self.side(colour).period)

    def _free_ms(self) -> int:
        """How much of the current move is still free (simple delay)."""
        period = self._period(self.turn)
        return max(0, period.bonus_ms - self.turn_ms) if period.bonus is Bonus.DELAY else 0

    def _settled(self, at_ms: int) -> Clock:
        """The same clock with everything that has run until `at_ms` written down."""
        if self.since_ms is None:
            return self
        elapsed = max(0, at_ms - self.since_ms)
        passed = replace(self, since_ms=self.since_ms + elapsed, turn_ms=self.turn_ms + elapsed)
        side = self.side(self.turn)
        if self.control.untimed:
            return passed._with(self.turn, replace(side, spent_ms=side.spent_ms + elapsed))
        cost = min(max(0, elapsed - self._free_ms()), side.bank_ms)
        fell = side.fell_ms
        if fell is None and cost == side.bank_ms:
            fell = self.since_ms + self._free_ms() + cost
        passed = passed._with(
            self.turn, replace(side, bank_ms=side.bank_ms - cost, spent_ms=side.spent_ms + cost, fell_ms=fell)
        )
        if self._period(self.turn).bonus is Bonus.HOURGLASS:
            other = self.side(not self.turn)
            # A flag that is down stays down: sand does not set it up again.
            passed = passed._with(not self.turn, other.granted(cost if other.fell_ms is None else 0))
        return passed

    def _rewarded(self, side: SideTime, took_ms: int) -> SideTime:
        """The side to move after a move of `took_ms` that was completed in time."""
        period = self.control.period(self.turn, side.period)
        side = replace(side, period_moves=side.period_moves + 1)
        if side.period_moves == period.moves:
            return self._next_period(self.turn, side)
        if period.bonus is Bonus.FISCHER:
            side = side.granted(period.bonus_ms)
        elif period.bonus is Bonus.BRONSTEIN:
            side = side.granted(min(period.bonus_ms, took_ms))
        return side

    def _next_period(self, colour: chess.Color, side: SideTime) -> SideTime:
        """Time saved carries over, except under delay (Laws, Art. 6.3b of 2009): there it lapses."""
        ended = self.control.period(colour, side.period)
        if ended.bonus in (Bonus.DELAY, Bonus.BRONSTEIN):
            side = side.granted(-side.bank_ms)
        following = self.control.period(colour, side.period + 1)
        return replace(side, period=side.period + 1, period_moves=0).granted(following.first_ms)

    def _with(self, colour: chess.Color, side: SideTime) -> Clock:
        return replace(self, white=side) if colour == chess.WHITE else replace(self, black=side)


@dataclass(frozen=True, slots=True)
class PeriodEntered:
    """A side has completed a period's moves and entered the next one."""

    colour: chess.Color
    number: int  # of the new period, from 1
    period: Period
    left_ms: int  # in all


def period_entered(before: Clock, after: Clock) -> PeriodEntered | None:
    """The period that a press (or `play_on`) has begun, None if there is none."""
    for colour in chess.COLORS:
        side = after.side(colour)
        if side.period > before.side(colour).period:
            return PeriodEntered(colour, side.period + 1, after.control.period(colour, side.period), side.bank_ms)
    return None


def crossed(clock: Clock, from_ms: int, to_ms: int, thresholds: Iterable[int]) -> tuple[int, ...]:
    """The thresholds that the running side's time went down to (or below) after `from_ms` and until `to_ms`.

    Longest first. Asked over adjacent spans of time, however cut, each crossing is told exactly once; a threshold is
    crossed again only after the time has grown above it.
    """
    if clock.running is None:
        return ()
    before, after = clock.remaining(clock.running, from_ms), clock.remaining(clock.running, to_ms)
    if before is None or after is None:
        return ()
    return tuple(sorted((ms for ms in set(thresholds) if before > ms >= after), reverse=True))


def half_of_base(control: TimeControl, colour: chess.Color) -> int | None:
    """Half of the first period's time, rounded down to whole seconds: the first threshold. None when untimed."""
    return None if control.untimed else control.period(colour, 0).base_ms // 2_000 * 1_000
