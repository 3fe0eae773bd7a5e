"""Microphones and loudspeakers behind two small interfaces, and which implementation is taken.

PortAudio (through sounddevice) where it is there, else miniaudio, whose wheels bring everything along: pip's
sounddevice holds no PortAudio on Linux (python-sounddevice #130). A WAV or FLAC file can stand for either.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

Clock = Callable[[], int]
"""Milliseconds that never go back."""

Done = Callable[[bool], None]
"""Called once, with whether the sound was played to its end. On the device's thread: it must only enqueue."""

SOUND_FILES = (".wav", ".flac", ".mp3", ".ogg", ".aif", ".aiff")


def monotonic_ms() -> int:
    """The default clock: milliseconds of the system's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


class Pace(Enum):
    """How a file stands for a device: as slowly as a person speaks, or as fast as it is asked for."""

    REAL_TIME = "real_time"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of sound: 16-bit little-endian mono, and the clock's time at its last sample."""

    pcm: bytes
    ended_ms: int


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

    def skip(self, timeout_s: float) -> None:
        """Wait that long without listening: a device's blocks are dropped, a file stands still. Raises like `read`."""

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


class Backend(Enum):
    """Which library drives the devices."""

    PORTAUDIO = "portaudio"
    MINIAUDIO = "miniaudio"


def available_backend() -> Backend:
    """PortAudio when its library is on the machine and can be started, else miniaudio."""
    from voicechess.sound.devices import portaudio

    return Backend.PORTAUDIO if portaudio.available() else Backend.MINIAUDIO


def prepare() -> None:
    """Start the library in the background: on Linux it is tried out first (`trial`), which would hold up the start."""

    def find_out() -> None:
        if available_backend() is Backend.MINIAUDIO:
            from voicechess.sound.devices import miniaudio

            miniaudio.prepare()

    threading.Thread(target=find_out, name="sound library", daemon=True).start()


def open_microphone(
    choice: str | None = None,
    *,
    clock: Clock = monotonic_ms,
    pace: Pace = Pace.REAL_TIME,
    backend: Backend | None = None,
) -> Microphone:
    """The system's microphone, one by (part of) its name, or a sound file. Raises `SoundError`."""
    if choice and (choice.lower().endswith(SOUND_FILES) or is_file(choice)):
        from voicechess.sound.devices.files import FileMicrophone

        return FileMicrophone(Path(choice), clock=clock, pace=pace)
    if (backend or available_backend()) is Backend.PORTAUDIO:
        from voicechess.sound.devices.portaudio import PortAudioMicrophone

        return PortAudioMicrophone(choice, clock=clock)
    from voicechess.sound.devices.miniaudio import MiniaudioMicrophone

    return MiniaudioMicrophone(choice, clock=clock)


def open_loudspeaker(
    choice: str | None = None, *, pace: Pace = Pace.REAL_TIME, backend: Backend | None = None
) -> Loudspeaker:
    """The system's loudspeaker, one by (part of) its name, or a WAV file that is written. Raises `SoundError`."""
    if choice and is_sound_output(choice):
        from voicechess.sound.devices.files import FileLoudspeaker

        return FileLoudspeaker(Path(choice), pace=pace)
    if (backend or available_backend()) is Backend.PORTAUDIO:
        from voicechess.sound.devices.portaudio import PortAudioLoudspeaker

        return PortAudioLoudspeaker(choice)
    from voicechess.sound.devices.miniaudio import MiniaudioLoudspeaker

    return MiniaudioLoudspeaker(choice)


def is_sound_output(choice: str) -> bool:
    """Whether a loudspeaker of this name is a file that is written."""
    return choice.lower().endswith(".wav")


def microphone_names(backend: Backend | None = None) -> list[str]:
    """What `open_microphone` can be asked for, besides files."""
    return _names("input", backend)


def loudspeaker_names(backend: Backend | None = None) -> list[str]:
    """What `open_loudspeaker` can be asked for, besides files."""
    return _names("output", backend)


def _names(kind: str, backend: Backend | None) -> list[str]:
    if (backend or available_backend()) is Backend.PORTAUDIO:
        from voicechess.sound.devices import portaudio

        return portaudio.names(kind)
    from voicechess.sound.devices import miniaudio

    return miniaudio.names(kind)


def is_file(choice: str) -> bool:
    """Whether a file of this name is there. A device's name may be longer than any file's."""
    try:
        return Path(choice).is_file()
    except (OSError, ValueError):
        return False


def matching(choice: str, names: list[str]) -> int | None:
    """The index of the device a person means: its exact name, else the first one that holds the words given."""
    wanted = choice.casefold()
    folded = [name.casefold() for name in names]
    if wanted in folded:
        return folded.index(wanted)
    return next((index for index, name in enumerate(folded) if wanted in name), None)
