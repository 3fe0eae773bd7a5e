"""What a microphone and a loudspeaker are to the rest of the program: two small interfaces, and what passes over them.

`choice` opens one of the implementations: PortAudio, miniaudio, or a file that stands for a device.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

Clock = Callable[[], int]
"""Milliseconds that never go back."""

Done = Callable[[bool], None]
"""Called once, with whether the sound was played to its end. On the device's thread: it must only enqueue."""


Handed = Callable[[bytes, int, int], None]
"""Called with all that a loudspeaker is handed, silence as well: 16-bit mono, samples per second, and the clock's time.
With nothing: it forgets what it held. On the device's thread: it must only enqueue."""


def monotonic_ms() -> int:
    """The default clock: milliseconds of the system's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


class Pace(Enum):
    """How a file stands for a device: as slowly as a person speaks, or as fast as it is asked for."""

    REAL_TIME = "real_time"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a microphone's sound."""

    pcm: bytes  # 16-bit little-endian mono
    ended_ms: int  # the clock's time at its last sample
    gap: bool = False  # sound was lost right before it: an overflow of the device, or of what waited to be read


class Microphone(Protocol):
    """Where speech comes from."""

    @property
    def name(self) -> str:
        """What a person would call it."""

    @property
    def rate(self) -> int:
        """Samples per second of the blocks."""

    def read(self, timeout_s: float) -> Block | None:
        """The next block, or None when none came in time.

        Raises `SoundError` when the device does not deliver any more (within two seconds), `EndOfSound` after a file.
        """

    def skip(self, timeout_s: float) -> bool:
        """Wait that long without listening, where nothing is lost by that: a file stands still. False, at once: a
        device goes on, and what it hears is to be read. Raises like `read`."""

    def close(self) -> None:
        """Give the device back. May be called twice."""


class Playback(Protocol):
    """A sound being played."""

    @property
    def played(self) -> int:
        """Samples handed to the device so far, counted in the sound's own rate."""

    def stop(self) -> None:
        """End it now (within about 20 ms); its `done` is called with False, unless it had ended already."""


class Loudspeaker(Protocol):
    """Where speech goes to. One sound at a time: a new one ends the one before."""

    @property
    def name(self) -> str:
        """What a person would call it."""

    def play(self, pcm: bytes, rate: int, done: Done) -> Playback:
        """Play 16-bit mono `pcm` of `rate` samples per second; returns at once. Raises `SoundError` when it is lost."""

    def check(self) -> None:
        """Raises `SoundError` when the device has stopped taking sound (noticed within two seconds)."""

    def close(self) -> None:
        """Give the device back. May be called twice."""


def matching(choice: str, names: list[str]) -> int | None:
    """The index of the device a person means: its exact name, else the first one that holds the words given."""
    wanted = choice.casefold()
    folded = [name.casefold() for name in names]
    if wanted in folded:
        return folded.index(wanted)
    return next((index for index, name in enumerate(folded) if wanted in name), None)
