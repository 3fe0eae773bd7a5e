"""Chooses the implementation of microphone and loudspeaker, and lists their names.

PortAudio (through sounddevice) if it is installed, otherwise miniaudio, whose wheels are self-contained: sounddevice's
Linux wheels lack PortAudio (python-sounddevice #130). A WAV or FLAC file can stand for either.
"""

from __future__ import annotations

import threading
from enum import Enum
from pathlib import Path

from voicechess.sound.devices import miniaudio, portaudio
from voicechess.sound.devices.files import FileLoudspeaker, FileMicrophone
from voicechess.sound.devices.interfaces import Clock, Handed, Loudspeaker, Microphone, Pace, monotonic_ms

SOUND_FILES = (".wav", ".flac", ".mp3", ".ogg", ".aif", ".aiff")


class Backend(Enum):
    """Which library drives the devices."""

    PORTAUDIO = "portaudio"
    MINIAUDIO = "miniaudio"


def available_backend() -> Backend:
    """PortAudio when its library is on the machine and can be started, else miniaudio."""
    return Backend.PORTAUDIO if portaudio.available() else Backend.MINIAUDIO


def prepare() -> None:
    """Load the library in the background: on Linux it is first tried in a child process (`trial`), which would delay
    the start."""

    def find_out() -> None:
        if available_backend() is Backend.MINIAUDIO:
            miniaudio.prepare()

    threading.Thread(target=find_out, name="sound library", daemon=True).start()


def open_microphone(
    choice: str | None = None,
    *,
    clock: Clock = monotonic_ms,
    pace: Pace = Pace.REAL_TIME,
    by_key: bool = False,
    backend: Backend | None = None,
) -> Microphone:
    """The system's microphone, one by (part of) its name, or a sound file. Raises `SoundError`.

    `by_key`: push-to-talk, which matters for a file (`FileMicrophone`).
    """
    if choice and (choice.lower().endswith(SOUND_FILES) or is_file(choice)):
        return FileMicrophone(Path(choice), clock=clock, pace=pace, by_key=by_key)
    if (backend or available_backend()) is Backend.PORTAUDIO:
        return portaudio.PortAudioMicrophone(choice, clock=clock)
    return miniaudio.MiniaudioMicrophone(choice, clock=clock)


def open_loudspeaker(
    choice: str | None = None,
    *,
    pace: Pace = Pace.REAL_TIME,
    backend: Backend | None = None,
    handed: Handed | None = None,
) -> Loudspeaker:
    """The system's loudspeaker, one by (part of) its name, or a WAV file to be written. Raises `SoundError`.

    `handed`: called with everything a device is handed; not for a file.
    """
    if choice and is_sound_output(choice):
        return FileLoudspeaker(Path(choice), pace=pace)
    if (backend or available_backend()) is Backend.PORTAUDIO:
        return portaudio.PortAudioLoudspeaker(choice, handed)
    return miniaudio.MiniaudioLoudspeaker(choice, handed)


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
        return portaudio.names(kind)
    return miniaudio.names(kind)


def is_file(choice: str) -> bool:
    """Whether a file of this name is there. A device's name may be longer than any file's."""
    try:
        return Path(choice).is_file()
    except (OSError, ValueError):
        return False
