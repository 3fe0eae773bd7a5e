"""Interfaces of microphones and loudspeakers, and the data that passes through them.

`choice` opens an implementation: PortAudio, miniaudio, or a file that stands for a device.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

Clock = Callable[[], int]
"""A monotonic clock, milliseconds."""

Done = Callable[[bool], None]
"""Called once, with whether the sound was played to its end. On the device's thread: it must only enqueue."""


Handed = Callable[[bytes, int, int], None]
"""Called with every buffer handed to a loudspeaker, silence included: 16-bit mono, samples per second, and the clock's
time. Empty: the device discards what it held. On the device's thread: it must only enqueue."""


def monotonic_ms() -> int:
    """The default clock: the system's monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Pace(Enum):
    """Speed of a file that stands for a device: real time, or as fast as it is read."""

    REAL_TIME = "real_time"
    FAST = "fast"


class Ear(Enum):
    """For which ear a sound is; its value is the silent channel of a device with two."""

    BOTH = None
    LEFT = 1
    RIGHT = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a microphone's sound."""

    pcm: bytes  # 16-bit little-endian mono
    ended_ms: int  # time of its last sample
    gap: bool = False  # sound was lost right before it: an overflow of the device or of the unread blocks

    def lasts_ms(self, rate: int) -> int:
        """Its duration at so many samples per second, whole milliseconds."""
        return 1000 * (len(self.pcm) // 2) // rate


class Microphone(Protocol):
    """Where speech comes from."""

    @property
    def name(self) -> str:
        """What a person would call it."""

    @property
    def rate(self) -> int:
        """Samples per second of the blocks."""

    def read(self, timeout_s: float) -> Block | None:
        """The next block, or None on a timeout.

        Raises `SoundError` when the device no longer delivers (within two seconds), `EndOfSound` after a file.
        """

    def skip(self, timeout_s: float) -> bool:
        """Wait that long without reading, if nothing is lost by it: a file pauses. False at once for a device, which
        goes on and has to be read. Raises like `read`."""

    def close(self) -> None:
        """Give the device back. May be called twice."""


class Playback(Protocol):
    """A sound being played."""

    @property
    def played(self) -> int:
        """Samples handed to the device so far, counted in the sound's own rate."""

    def stop(self) -> None:
        """Stop it within about 20 ms; its `done` is called with False unless it has ended already."""


class Loudspeaker(Protocol):
    """Plays one sound at a time; a new one ends the previous one."""

    @property
    def name(self) -> str:
        """What a person would call it."""

    def play(self, pcm: bytes, rate: int, done: Done, ear: Ear = Ear.BOTH) -> Playback:
        """Play 16-bit mono `pcm` of `rate` samples per second; returns at once. Raises `SoundError` when it is lost.

        `ear`: for both where the device has one channel.
        """

    def check(self) -> None:
        """Raises `SoundError` when the device no longer takes sound (within two seconds)."""

    def close(self) -> None:
        """Give the device back. May be called twice."""


def matching(choice: str, names: list[str]) -> int | None:
    """Index of the device a person means: the exact name, otherwise the first that contains the words given."""
    wanted = choice.casefold()
    folded = [name.casefold() for name in names]
    if wanted in folded:
        return folded.index(wanted)
    return next((index for index, name in enumerate(folded) if wanted in name), None)
