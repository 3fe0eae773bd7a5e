"""The clock that stamps events, in integer milliseconds since a game began, and detects sleep of the computer.

Every system has a clock that runs on while the computer sleeps and one that stops. Their difference grows by the time
slept and by nothing else: a busy processor, a slow disk, or a library that takes seconds to load delays both alike.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

SLEEP_MS = 3_000
"""Shortest sleep, milliseconds, that is left uncharged and announced. Larger: short sleeps are charged to the clock."""

STOPPED_MS = 30_000
"""Length in milliseconds of a wait, usually a tenth of a second, after which the program is taken to have been stopped
(Ctrl-Z in a shell), which counts as sleep. Larger: a stop costs the player time; far smaller: a delay on a busy machine
is taken for a stop."""


def _running_s() -> float:
    """Seconds on a clock that also runs while the computer sleeps, where the system has one."""
    try:
        # Apple's monotonic clock runs on in sleep; Linux has BOOTTIME for that. A browser names it and refuses it.
        return time.clock_gettime(time.CLOCK_MONOTONIC if sys.platform == "darwin" else time.CLOCK_BOOTTIME)
    except (AttributeError, OSError):
        return time.monotonic()


def _awake_s() -> float:
    """Seconds on a clock that stops while the computer sleeps, where the system has one."""
    if sys.platform == "win32":
        ticks = ctypes.c_ulonglong()  # of 100 ns
        return ticks.value / 1e7 if ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(ticks)) else 0.0
    return time.monotonic()


def _slept_s() -> float:
    """Lag of the clock that stops in sleep behind the other; only its growth is meaningful."""
    return _running_s() - _awake_s()


class EventClock:
    """`now()` in milliseconds since `offset_ms` before its construction; decreases only on a restart. It runs on while
    the computer sleeps, and `gap` returns how much of it was sleep, so that the game need not charge it."""

    def __init__(self, offset_ms: int = 0) -> None:
        self.restart(offset_ms)

    def restart(self, at_ms: int) -> None:
        """Stamp events with times from `at_ms` on."""
        self._origin_s = _running_s() - at_ms / 1000
        self._waited_ms = 0
        self._slept_before_s = _slept_s()

    def now(self) -> int:
        """Milliseconds since the game began."""
        return int((_running_s() - self._origin_s) * 1000)

    def gap(self) -> int:
        """Milliseconds slept or stopped since the last call; 0 if none. To be called in every iteration of the loop."""
        slept_s, waited_ms = _slept_s(), self._waited_ms
        slept_ms = int((slept_s - self._slept_before_s) * 1000)
        self._slept_before_s, self._waited_ms = slept_s, 0
        if waited_ms >= STOPPED_MS:
            return max(slept_ms, waited_ms)
        return slept_ms if slept_ms >= SLEEP_MS else 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Context in which the loop waits for an item."""
        began = self.now()
        yield
        self._waited_ms = self.now() - began
