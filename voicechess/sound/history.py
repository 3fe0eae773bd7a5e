"""A value with its recent history: on a busy machine sound is read late, and what counts is the value at the time it
was heard."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")

REMEMBERED_MS = 60_000
"""Milliseconds of history: twice the longest unread sound (`devices.streams.LONGEST_QUEUE_S`). Larger: more memory."""


class History(Generic[T]):
    """A value that changes, and its history over the last minute. Not thread-safe: the owner locks it."""

    def __init__(self, first: T) -> None:
        self._values: deque[tuple[int, T]] = deque([(-(1 << 62), first)])

    def note(self, at_ms: int, value: T) -> None:
        """Set the value from that time on. Times never decrease."""
        if value == self._values[-1][1]:
            return
        self._values.append((at_ms, value))
        while len(self._values) > 1 and self._values[1][0] < at_ms - REMEMBERED_MS:
            self._values.popleft()

    def at(self, at_ms: int) -> T:
        """The value at that time; before the history begins, the oldest value."""
        return next((value for since_ms, value in reversed(self._values) if since_ms <= at_ms), self._values[0][1])

    def within(self, from_ms: int, to_ms: int) -> list[tuple[T, int]]:
        """All values between these times, oldest first, each with the time until which it was the value, which is at
        most `to_ms`."""
        ends_ms = [*(since_ms for since_ms, _ in list(self._values)[1:]), to_ms + 1]
        spans = zip(self._values, ends_ms, strict=True)
        return [
            (value, min(end_ms, to_ms)) for (since_ms, value), end_ms in spans if since_ms < to_ms and end_ms > from_ms
        ]
