"""The clock that events are stamped with: integer milliseconds since a game began, and sleep noticed.

The monotonic clock stands still while a laptop sleeps on Linux and runs on elsewhere. This clock runs on everywhere,
and `gap` says how much of it was sleep, so that the game can leave it uncharged.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SLEEP_MS = 3_000
"""A hole at least this long is taken for sleep: the loop looks every tenth of a second."""


def _running_s() -> float:
    """Seconds on a clock that also runs while the machine sleeps, where the system has one."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class EventClock:
    """`now()` in milliseconds since `offset_ms` before its making; never goes back."""

    def __init__(self, offset_ms: int = 0) -> None:
        self._origin_s = _running_s() - offset_ms / 1000
        self._last_look_ms = offset_ms
        self._worked_ms = 0

    def now(self) -> int:
        """Milliseconds since the game began."""
        return int((_running_s() - self._origin_s) * 1000)

    def from_monotonic(self, monotonic_s: float) -> int:
        """The event time of a moment on `time.monotonic`, of the recent past."""
        return self.now() - int((time.monotonic() - monotonic_s) * 1000)

    def gap(self) -> int:
        """Milliseconds slept since the last call, 0 when none. To be called all the time."""
        now = self.now()
        passed = now - self._last_look_ms - self._worked_ms
        self._last_look_ms, self._worked_ms = now, 0
        return passed if passed >= SLEEP_MS else 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """What this takes is no sleep: a disk may be slow, and another program may hold the file with the games."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._worked_ms += int((time.monotonic() - began) * 1000)
