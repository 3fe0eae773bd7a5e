"""The chess clock (Laws, Art. 6), in integer milliseconds; the current time is always an argument.

A `Clock` is an immutable snapshot: every action returns a new one, so a takeback or a replay just restores an earlier
snapshot. Reading stores nothing, so results cannot depend on how often the clock is read.

Times `at_ms` must come from one monotonic clock; a time before the last action's counts as that one. Remaining times
never fall below 0. A flag falls in the millisecond in which nothing is left; after that a move earns nothing
(increment, delay, the opponent's sand).
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
    """An action that is impossible now, such as a press on a stopped clock. The clock is unchanged."""


@dataclass(frozen=True, slots=True)
class SideTime:
    """One side's time in milliseconds as of the last action, without the time running since."""

    bank_ms: int = 0  # remaining; always granted_ms - spent_ms
    granted_ms: int = 0  # sum of bases, increments, sand and the arbiter's changes, less what lapsed
    spent_ms: int = 0  # charged for moves, without free delay and time after the flag fell
    moves: int = 0  # completed
    period_moves: int = 0  # completed in the current period
    period: int = 0  # index of the current one
    fell_ms: int | None = None  # time at which the flag fell; None: it is up

    def granted(self, ms: int) -> SideTime:
        """This time with `ms` added; negative values subtract, down to 0."""
        change = max(ms, -self.bank_ms)
        return replace(self, bank_ms=self.bank_ms + change, granted_ms=self.granted_ms + change)


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time. Created by `Clock.new`."""

    control: TimeControl
    white: SideTime
    black: SideTime
    turn: chess.Color = chess.WHITE  # side to move
    since_ms: int | None = None  # up to when its time is charged; None: stopped (before the start, in a pause)
    turn_ms: int = 0  # time of the current move before `since_ms`

    @classmethod
    def new(cls, control: TimeControl = UNTIMED, turn: chess.Color = chess.WHITE) -> Clock:
        """A stopped clock with the first period's time on both sides."""
        given = [0 if control.untimed else control.period(colour, 0).first_ms for colour in chess.COLORS]
        white, black = (SideTime(bank_ms=ms, granted_ms=ms) for ms in given)
        return cls(control, white, black, turn)

    def side(self, colour: chess.Color) -> SideTime:
        """One side's time as of the last action, without the time running since."""
        return self.white if colour == chess.WHITE else self.black

    @property
    def running(self) -> chess.Color | None:
        """The side whose time runs; None if the clock is stopped."""
        return None if self.since_ms is None else self.turn

    def moves(self, colour: chess.Color) -> int:
        """The number of moves that a side has completed."""
        return self.side(colour).moves

    # Asking.

    def remaining(self, colour: chess.Color, at_ms: int) -> int | None:
        """A side's remaining time at `at_ms` in milliseconds; 0 if its flag is down; None if untimed."""
        return None if self.control.untimed else self._settled(at_ms).side(colour).bank_ms

    def fell(self, colour: chess.Color, at_ms: int) -> int | None:
        """The time at which a side's flag fell; None if it is up at `at_ms`."""
        return self._settled(at_ms).side(colour).fell_ms

    def flags(self, at_ms: int) -> tuple[chess.Color, ...]:
        """The sides whose flag is down at `at_ms`, in the order in which they fell."""
        settled = self._settled(at_ms)
        times = [
            (fell, not colour, colour) for colour in chess.COLORS if (fell := settled.side(colour).fell_ms) is not None
        ]
        return tuple(colour for _, _, colour in sorted(times))

    def flag(self, at_ms: int) -> tuple[chess.Color, ...]:
        """The side whose flag fell first; both if in the same millisecond; () if none is down."""
        down = self.flags(at_ms)
        settled = self._settled(at_ms)
        return tuple(colour for colour in down if settled.side(colour).fell_ms == settled.side(down[0]).fell_ms)

    def last_period(self, colour: chess.Color) -> bool:
        """Whether a side is in its last period; a repeating one is never the last."""
        periods = self.control.periods(colour)
        return not periods or (self.side(colour).period >= len(periods) - 1 and periods[-1].moves is None)

    # Acting.

    def start(self, colour: chess.Color, at_ms: int) -> Clock:
        """Start a side's time for a new move; the other side's stops without counting a move."""
        settled = self._settled(at_ms)
        return replace(settled, turn=colour, since_ms=max(at_ms, settled.since_ms or at_ms), turn_ms=0)

    def press(self, at_ms: int) -> Clock:
        """Complete the current move at `at_ms`: the mover's time stops, the opponent's starts.

        Adds the increment, or after a period's last move the next period's time; neither if the flag is down (then
        only the move is counted, and the laws decide the game). Raises `ClockError` on a stopped clock.
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
        """Stop the clock within a move, until `resume`. No effect on a stopped clock."""
        return replace(self._settled(at_ms), since_ms=None)

    def resume(self, at_ms: int) -> Clock:
        """Start the time of the side to move again. No effect on a running clock."""
        return self if self.since_ms is not None else replace(self, since_ms=at_ms)

    def shift(self, gap_ms: int) -> Clock:
        """Charge nobody for `gap_ms` during which the computer slept since the last action."""
        return self if self.since_ms is None else replace(self, since_ms=self.since_ms + max(0, gap_ms))

    def adjust(self, colour: chess.Color, by_ms: int, at_ms: int) -> Clock:
        """Add time by the arbiter or as a penalty; negative values subtract. With time left the flag is up again."""
        left = self._settled(at_ms).side(colour).bank_ms
        return self.set(colour, left + by_ms, at_ms)

    def set(self, colour: chess.Color, ms: int, at_ms: int) -> Clock:
        """Set a side's remaining time, by the arbiter. At 0 or less the flag falls. No effect if untimed."""
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
        """Add `bonus_ms` after every move of both sides from now on."""
        settled = self._settled(at_ms)
        return replace(settled, control=settled.control.with_increment(bonus_ms))

    def play_on(self, at_ms: int) -> Clock:
        """Continue after both flags fell in a period that is not the last: each side that is down enters its next
        period."""
        clock = self._settled(at_ms)
        for colour in chess.COLORS:
            side = clock.side(colour)
            if side.fell_ms is not None and not clock.last_period(colour):
                clock = clock._with(colour, clock._next_period(colour, replace(side, fell_ms=None)))
        return clock

    # Accounting.

    def _period(self, colour: chess.Color) -> Period:
        return self.control.period(colour, self.side(colour).period)

    def _free_ms(self) -> int:
        """Milliseconds of the current move still free of charge (simple delay)."""
        period = self._period(self.turn)
        return max(0, period.bonus_ms - self.turn_ms) if period.bonus is Bonus.DELAY else 0

    def _settled(self, at_ms: int) -> Clock:
        """The same clock with the time up to `at_ms` charged."""
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
        """The mover's time after a move of `took_ms` completed in time: its period's bonus, or the next period."""
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
        """The side's time in its next period. What is left carries over, but lapses under delay (2009: 6.3b)."""
        ended = self.control.period(colour, side.period)
        if ended.bonus in (Bonus.DELAY, Bonus.BRONSTEIN):
            side = side.granted(-side.bank_ms)
        following = self.control.period(colour, side.period + 1)
        return replace(side, period=side.period + 1, period_moves=0).granted(following.first_ms)

    def _with(self, colour: chess.Color, side: SideTime) -> Clock:
        return replace(self, white=side) if colour == chess.WHITE else replace(self, black=side)


@dataclass(frozen=True, slots=True)
class PeriodEntered:
    """A side has entered its next period."""

    colour: chess.Color
    number: int  # of the new period, from 1
    period: Period
    left_ms: int  # remaining time, including what was carried over


def period_entered(before: Clock, after: Clock) -> PeriodEntered | None:
    """The period that a press or `play_on` has begun; None if none."""
    for colour in chess.COLORS:
        side = after.side(colour)
        if side.period > before.side(colour).period:
            return PeriodEntered(colour, side.period + 1, after.control.period(colour, side.period), side.bank_ms)
    return None


def crossed(clock: Clock, from_ms: int, to_ms: int, thresholds: Iterable[int]) -> tuple[int, ...]:
    """The thresholds, in milliseconds, that the running side's time reached or passed after `from_ms` up to `to_ms`.

    Largest first. Over adjacent spans, however they are cut, each crossing is reported exactly once; a threshold is
    crossed again only after the time has risen above it.
    """
    if clock.running is None:
        return ()
    before, after = clock.remaining(clock.running, from_ms), clock.remaining(clock.running, to_ms)
    if before is None or after is None:
        return ()
    return tuple(sorted((ms for ms in set(thresholds) if before > ms >= after), reverse=True))


def half_of_base(control: TimeControl, colour: chess.Color) -> int | None:
    """Half of the first period's base, rounded down to whole seconds: the first time announced. None if untimed."""
    return None if control.untimed else control.period(colour, 0).base_ms // 2_000 * 1_000
