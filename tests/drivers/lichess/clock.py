"""The stand-in's time: that of the wall, faster than it, or moved by hand; and what is to happen at a given time."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Protocol

DAY_MS = 24 * 60 * 60 * 1000


class Clock(Protocol):
    """Milliseconds since 1970, and how long to sleep until some of them have passed."""

    def now_ms(self) -> int: ...

    def seconds_until(self, at_ms: int) -> float | None:
        """Seconds of the wall's time until `at_ms`; None: it does not come by itself."""


class WallClock:
    """The real time, or one that runs `speed` times as fast."""

    def __init__(self, speed: float = 1) -> None:
        self._speed = speed
        self._since = time.monotonic()
        self._start = time.time()

    def now_ms(self) -> int:
        return int((self._start + (time.monotonic() - self._since) * self._speed) * 1000)

    def seconds_until(self, at_ms: int) -> float | None:
        return max(0.0, (at_ms - self.now_ms()) / 1000 / self._speed)


class HandClock:
    """A time that stands still until a test moves it (`StandIn.advance`)."""

    def __init__(self, start_ms: int = 1_790_000_000_000) -> None:
        self._now = start_ms

    def now_ms(self) -> int:
        return self._now

    def seconds_until(self, at_ms: int) -> float | None:
        return 0.0 if at_ms <= self._now else None

    def set(self, at_ms: int) -> None:
        """Time never goes back."""
        self._now = max(self._now, at_ms)


class Timetable:
    """What is to be done when. Belongs to one event loop; `run` is its task."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._entries: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._changed = asyncio.Event()

    def after(self, ms: int, act: Callable[[], None]) -> None:
        """Do it in so many milliseconds. Nothing is taken back: what is no longer due sees that for itself."""
        heapq.heappush(self._entries, (self.clock.now_ms() + ms, next(self._numbers), act))
        self._changed.set()

    async def run(self) -> None:
        while True:
            self._changed.clear()
            self._do_what_is_due()
            wait = self.clock.seconds_until(self._entries[0][0]) if self._entries else None
            try:
                await asyncio.wait_for(self._changed.wait(), wait)
            except TimeoutError:
                continue

    def advance(self, ms: int) -> None:
        """Move a clock that is moved by hand, through everything that falls due on the way, in its order."""
        assert isinstance(self.clock, HandClock), "only a clock moved by hand can be advanced"
        until = self.clock.now_ms() + ms
        while self._entries and self._entries[0][0] <= until:
            self.clock.set(self._entries[0][0])
            self._do_what_is_due()
        self.clock.set(until)

    def _do_what_is_due(self) -> None:
        while self._entries and self._entries[0][0] <= self.clock.now_ms():
            heapq.heappop(self._entries)[2]()
