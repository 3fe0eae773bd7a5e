"""Random events against a naive clock that counts single milliseconds.

VOICECHESS_CLOCK_SEQUENCES sets how many sequences are tried (default 1500; a million take about a quarter of an hour).
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.laws.clock import Clock, crossed
from voicechess.laws.time_controls import Bonus, Period, TimeControl

SEQUENCES = int(os.environ.get("VOICECHESS_CLOCK_SEQUENCES", "1500"))
W, B = chess.WHITE, chess.BLACK


@dataclass
class NaiveSide:
    bank: int
    period: int = 0
    period_moves: int = 0
    moves: int = 0
    fell: int | None = None


@dataclass
class NaiveClock:
    """Article 6 by counting: one call of `tick` is one millisecond of the running side."""

    control: TimeControl
    sides: dict[chess.Color, NaiveSide] = field(init=False)
    turn: chess.Color = W
    running: bool = False
    took: int = 0
    now: int = 0

    def __post_init__(self) -> None:
        self.sides = {colour: NaiveSide(0) for colour in chess.COLORS}
        for colour in chess.COLORS:
            self.begin(colour)

    def begin(self, colour: chess.Color) -> None:
        """A period begins, and with it the increment of its first move."""
        side = self.sides[colour]
        period = self.control.period(colour, side.period)
        side.bank += period.base_ms
        if period.bonus in (Bonus.FISCHER, Bonus.BRONSTEIN):
            side.bank += period.bonus_ms

    def go(self, until: int) -> None:
        while self.now < until:
            self.now += 1
            if self.running:
                self.tick()

    def tick(self) -> None:
        side, other = self.sides[self.turn], self.sides[not self.turn]
        period = self.control.period(self.turn, side.period)
        self.took += 1
        if side.fell is not None or (period.bonus is Bonus.DELAY and self.took <= period.bonus_ms):
            return
        side.bank -= 1
        if period.bonus is Bonus.HOURGLASS and other.fell is None:
            other.bank += 1
        if side.bank == 0:
            side.fell = self.now

    def press(self) -> None:
        side = self.sides[self.turn]
        period = self.control.period(self.turn, side.period)
        side.moves += 1
        if side.fell is None:
            side.period_moves += 1
            if side.period_moves == period.moves:
                if period.bonus in (Bonus.DELAY, Bonus.BRONSTEIN):
                    side.bank = 0
                side.period, side.period_moves = side.period + 1, 0
                self.begin(self.turn)
            elif period.bonus is Bonus.FISCHER:
                side.bank += period.bonus_ms
            elif period.bonus is Bonus.BRONSTEIN:
                side.bank += min(period.bonus_ms, self.took)
        self.turn, self.took = not self.turn, 0


def random_control(chance: random.Random) -> TimeControl:
    """Periods of some ten milliseconds, so that flags fall and periods change within a few events."""
    if chance.random() < 0.15:
        return TimeControl(
            (Period(chance.randrange(1, 60), None, Bonus.HOURGLASS),),
            (Period(chance.randrange(1, 60), None, Bonus.HOURGLASS),),
        )
    sides = []
    for _ in chess.COLORS:
        count = chance.randrange(1, 4)
        periods = []
        for index in range(count):
            bonus = chance.choice((Bonus.NONE, Bonus.FISCHER, Bonus.DELAY, Bonus.BRONSTEIN))
            last = index == count - 1
            moves = None if last and chance.random() < 0.7 else chance.randrange(1, 4)
            bonus_ms = 0 if bonus is Bonus.NONE else chance.randrange(1, 12)
            periods.append(Period(chance.randrange(1, 60), moves, bonus, bonus_ms))
        sides.append(tuple(periods))
    return TimeControl(sides[0], sides[1])


def agree(clock: Clock, naive: NaiveClock, at: int) -> None:
    for colour in chess.COLORS:
        side = naive.sides[colour]
        assert clock.remaining(colour, at) == side.bank
        assert clock.fell(colour, at) == side.fell
        assert clock.moves(colour) == side.moves
        assert clock.side(colour).period == side.period
        stored = clock.side(colour)
        assert stored.bank_ms == stored.granted_ms - stored.spent_ms >= 0
    assert clock.running == (naive.turn if naive.running else None)
    down = sorted((side.fell, not colour) for colour, side in naive.sides.items() if side.fell is not None)
    assert [not black for _, black in down] == list(clock.flags(at))


def test_random_sequences_agree_to_the_millisecond_with_counting() -> None:
    chance = random.Random(20)
    fell = changed = 0
    for _ in range(SEQUENCES):
        control = random_control(chance)
        clock, naive = Clock.new(control).start(W, 0), NaiveClock(control)
        naive.running = True
        at = 0
        for _ in range(chance.randrange(1, 16)):
            at += chance.randrange(25)
            event = chance.choice(("press", "press", "press", "pause", "resume", "look", "adjust"))
            naive.go(at)
            agree(clock, naive, at)
            if event == "press" and naive.running:
                clock = clock.press(at)
                naive.press()
            elif event == "pause":
                clock, naive.running = clock.pause(at), False
            elif event == "resume":
                clock, naive.running = clock.resume(at), True
            elif event == "look":
                clock = clock.pause(at).resume(at) if naive.running else clock
            elif event == "adjust" and chance.random() < 0.3:
                colour, by = chance.choice(chess.COLORS), chance.randrange(-20, 30)
                clock = clock.adjust(colour, by, at)
                side = naive.sides[colour]
                side.bank = max(0, side.bank + by)
                side.fell = None if side.bank else (at if side.fell is None else side.fell)
            agree(clock, naive, at)
        fell += bool(clock.flags(at))
        changed += any(side.period for side in naive.sides.values())
    assert fell > SEQUENCES // 20
    assert changed > SEQUENCES // 20


@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(0, 70), max_size=6),
    st.integers(1, 70),
    st.sets(st.integers(1, 60), max_size=5),
)
def test_looking_changes_nothing(seed: int, looks: list[int], end: int, marks: set[int]) -> None:
    """Nothing depends on how often the clock is asked; thresholds are told once however the time is cut."""
    clock = Clock.new(random_control(random.Random(seed))).start(W, 0)
    looked, before = clock, 0
    told: list[int] = []
    for look in sorted(min(look, end) for look in looks):
        told += crossed(looked, before, look, marks)
        looked = looked.pause(look).resume(look)
        before = look
    told += crossed(looked, before, end, marks)
    assert tuple(told) == crossed(clock, 0, end, marks)
    # Written down or not, the times are the same; only where they are kept differs.
    for colour in chess.COLORS:
        assert looked.remaining(colour, end) == clock.remaining(colour, end)
    assert looked.flags(end) == clock.flags(end)
    assert looked.press(end) == clock.press(end)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(0, 60), st.integers(0, 10_000))
def test_sleep_is_nobodys_time(seed: int, at: int, gap: int) -> None:
    clock = Clock.new(random_control(random.Random(seed))).start(W, 0)
    slept = clock.shift(gap)
    for colour in chess.COLORS:
        assert slept.remaining(colour, at + gap) == clock.remaining(colour, at)
