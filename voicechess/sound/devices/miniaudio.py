"""Microphone and loudspeaker through miniaudio, whose wheels need nothing from the system.

miniaudio converts channels itself, and the rates of what is played; a microphone is opened at a rate that it has,
since miniaudio's filter lets through what a recogniser must not get (see `pcm`). Its backends are named here one by
one, because its own list ends in a null device that swallows everything and reports success.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Generator, Iterable
from typing import Any

from voicechess.sound.devices.interfaces import Block, Clock, Done, Ear, Handed, Playback, matching, monotonic_ms
from voicechess.sound.devices.streams import Intake, Outlet
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import Trial, find_runtime, not_loaded
from voicechess.sound.model import MODEL_RATE
from voicechess.sound.pcm import converted, silenced

LOUDSPEAKER_RATE, CHANNELS = 44100, 2
BUFFER_MS = 40

_ON_LINUX = ("PULSEAUDIO", "ALSA", "JACK", "SNDIO", "OSS")

_trial = Trial(f"import miniaudio; miniaudio.Devices([miniaudio.Backend[name] for name in {_ON_LINUX}]).get_captures()")


def _library() -> Any:
    if not _trial.survived():
        raise SoundError("sound.library.dead")
    find_runtime()
    try:
        import miniaudio
    except (ImportError, OSError) as error:
        raise not_loaded("miniaudio", "sound.library.missing", error) from error
    return miniaudio


def _backends(miniaudio: Any) -> list[Any]:
    backend = miniaudio.Backend
    if sys.platform == "darwin":
        return [backend.COREAUDIO]
    if sys.platform == "win32":
        return [backend.WASAPI, backend.DSOUND, backend.WINMM]
    return [backend[name] for name in _ON_LINUX]


def _devices(kind: str) -> list[dict[str, Any]]:
    miniaudio = _library()
    try:
        devices = miniaudio.Devices(_backends(miniaudio))
        return list(devices.get_captures() if kind == "input" else devices.get_playbacks())
    except miniaudio.MiniaudioError:
        return []


def prepare() -> None:
    """Try the library out now, so that the first device need not wait for it."""
    _trial.survived()


def names(kind: str) -> list[str]:
    """Devices of a kind ("input", "output")."""
    return [str(device["name"]) for device in _devices(kind)]


def own_rate(rates: Iterable[int]) -> int:
    """The rate to open a microphone at, of those it has by itself: the model's, else the next above, else the highest.

    0 stands for any.
    """
    known = sorted(set(rates) - {0})
    if not known or MODEL_RATE in known:
        return MODEL_RATE
    return next((rate for rate in known if rate > MODEL_RATE), known[-1])


class _Device:
    """One device, opened by name."""

    def __init__(self, kind: str, key: str, choice: str | None) -> None:
        self.name = choice or ""
        self._miniaudio = _library()
        self._device: Any = None
        found = _devices(kind)
        if not found:
            raise SoundError(f"sound.{key}.none")
        self._id: Any = None
        index: int | None = None
        if choice is not None:
            index = matching(choice, [str(device["name"]) for device in found])
            if index is None:
                raise SoundError(f"sound.{key}.unknown", name=choice)
            self._id = found[index]["id"]
        self._found = found[index or 0]
        self.name = str(self._found["name"])

    def _start(self, key: str, make: Any, generator: Generator[bytes, Any, None]) -> None:
        next(generator)
        try:
            self._device = make()
            self._device.start(generator)
        except self._miniaudio.MiniaudioError as error:
            self.close()
            raise SoundError(f"sound.{key}.refused", name=self.name, reason=str(error)) from error

    def close(self) -> None:
        device, self._device = self._device, None
        if device is None:
            return

        def close() -> None:
            with contextlib.suppress(Exception):
                device.close()

        closing = threading.Thread(target=close, daemon=True)  # a dead device can hang in closing
        closing.start()
        closing.join(1.0)


class MiniaudioMicrophone(_Device):
    """`devices.Microphone` through miniaudio."""

    def __init__(self, choice: str | None = None, clock: Clock = monotonic_ms) -> None:
        super().__init__("input", "microphone", choice)
        self.rate = own_rate(one["samplerate"] for one in self._found["formats"])
        self._intake = Intake(self.rate, clock)

        def take() -> Generator[bytes, Any, None]:
            while True:
                data = yield b""
                self._intake.put(bytes(data))

        def make() -> Any:
            return self._miniaudio.CaptureDevice(
                input_format=self._miniaudio.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=self.rate,
                buffersize_msec=BUFFER_MS,
                device_id=self._id,
                backends=_backends(self._miniaudio),
                app_name="voicechess",
            )

        self._start("microphone", make, take())
        self._intake.restarted()

    def read(self, timeout_s: float) -> Block | None:
        return self._intake.read(timeout_s)

    def skip(self, timeout_s: float) -> bool:
        return False


class MiniaudioLoudspeaker(_Device):
    """`devices.Loudspeaker` through miniaudio; runs all the time, silent in between."""

    def __init__(self, choice: str | None = None, handed: Handed | None = None) -> None:
        super().__init__("output", "loudspeaker", choice)
        self._outlet = Outlet(LOUDSPEAKER_RATE, CHANNELS, tail_s=BUFFER_MS / 1000, handed=handed)

        def give() -> Generator[bytes, Any, None]:
            frames = yield b""
            while True:
                frames = yield self._outlet.pull(frames)

        def make() -> Any:
            return self._miniaudio.PlaybackDevice(
                output_format=self._miniaudio.SampleFormat.SIGNED16,
                nchannels=CHANNELS,
                sample_rate=LOUDSPEAKER_RATE,
                buffersize_msec=BUFFER_MS,
                device_id=self._id,
                backends=_backends(self._miniaudio),
                app_name="voicechess",
            )

        self._start("loudspeaker", make, give())
        self._outlet.restarted()

    def play(self, pcm: bytes, rate: int, done: Done, ear: Ear = Ear.BOTH) -> Playback:
        self.check()
        frames = silenced(converted(pcm, rate, LOUDSPEAKER_RATE, CHANNELS), CHANNELS, ear.value)
        return self._outlet.play(frames, len(pcm) // 2, done)

    def check(self) -> None:
        self._outlet.check()

    def close(self) -> None:
        self._outlet.close()
        super().close()
