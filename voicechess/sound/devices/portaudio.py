"""Microphone and loudspeaker through PortAudio (the sounddevice package), as raw streams without NumPy.

A device is opened at its own rate: 16 kHz or mono are refused by many (python-sounddevice #244). PortAudio's list of
devices is frozen when the library starts (#125, #601) and indices shift (#427), so devices are kept by name, and
`refresh` starts the library anew, taking every open stream down and up again.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
import time
import weakref
from typing import Any

from voicechess.sound.devices.interfaces import Block, Clock, Done, Ear, Handed, Playback, matching, monotonic_ms
from voicechess.sound.devices.streams import Intake, Outlet
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import Trial
from voicechess.sound.pcm import channel, converted, silenced

BLOCK_S = 0.03
INPUT_LATENCY_S = 0.05
OUTPUT_LATENCY_S = 0.07  # with 0.05 a busy machine stutters
LARGEST_LATENCY_S = 0.5  # some host interfaces report nonsense

LEFT_TO_END_S = 0.1
"""Output latency, seconds, up to which a sound that is stopped ends in the device's buffer. Discarding it shifts the
far end by as much, so that the next word ("Gestoppt.") is not cancelled from the microphone's signal. Larger: the
program stops later."""

REFRESH_S = 10.0

_library_lock = threading.RLock()
_refreshed_at = -REFRESH_S
_streams: weakref.WeakSet[_Stream] = weakref.WeakSet()

_trial = Trial("import sounddevice")
_stuck = False  # closing a device hangs
_watched = False  # `_at_exit` is in place
_unusable = False  # PortAudio could not be loaded: not tried again, since devices are looked for every second


def _sounddevice() -> Any:
    global _unusable, _watched
    with _library_lock:
        if _unusable or not _trial.survived():
            raise SoundError("sound.library.missing")
        try:
            import sounddevice
        except Exception as error:
            # OSError: there is no PortAudio (python-sounddevice #130). PortAudioError, which cannot be named without
            # the module: it does not start, as with a spoilt ~/.asoundrc (seen).
            _unusable = True
            raise SoundError("sound.library.missing") from error
        if not _watched:
            _watched = True
            atexit.register(_at_exit)
        return sounddevice


def _at_exit() -> None:
    """Runs before sounddevice's own exit handler, which hangs while an opening or closing does."""
    if _stuck or not _library_lock.acquire(blocking=False):
        import sounddevice

        atexit.unregister(sounddevice._exit_handler)
    else:
        _library_lock.release()


def available() -> bool:
    """Whether PortAudio is on this machine and can be started."""
    try:
        _sounddevice()
    except SoundError:
        return False
    return True


def names(kind: str) -> list[str]:
    """Devices of a kind ("input", "output") as "name, host interface"."""
    return [name for name, _ in _devices(kind)]


def _devices(kind: str) -> list[tuple[str, int]]:
    sounddevice = _sounddevice()
    hosts = [host["name"] for host in sounddevice.query_hostapis()]
    return [
        (f"{device['name']}, {hosts[device['hostapi']]}", index)
        for index, device in enumerate(sounddevice.query_devices())
        if device[f"max_{kind}_channels"] > 0
    ]


def refresh() -> None:
    """Make PortAudio look for devices again; rarely, and not while something plays, since open streams stutter."""
    global _refreshed_at
    with _library_lock:
        sounddevice = _sounddevice()
        streams = list(_streams)
        early = time.monotonic() - _refreshed_at < REFRESH_S
        if streams and (early or any(stream.busy for stream in streams)):
            return
        _refreshed_at = time.monotonic()
        for stream in streams:
            stream.shut()
        with contextlib.suppress(sounddevice.PortAudioError):
            sounddevice._terminate()
        with contextlib.suppress(sounddevice.PortAudioError):  # then no device can be opened, and that is reported
            sounddevice._initialize()
        for stream in streams:
            with contextlib.suppress(SoundError):  # its owner notices by the missing callbacks
                stream.start()


class _Stream:
    """One device, opened by name, that can be closed and reopened."""

    kind = ""

    def __init__(self, choice: str | None) -> None:
        self.choice = choice
        self.name = choice or ""
        self.rate = 0
        self.channels = 1
        self._stream: Any = None

    @property
    def busy(self) -> bool:
        return False

    def start(self) -> None:
        """Open the device. Raises `SoundError`."""
        with _library_lock:
            sounddevice = _sounddevice()
            try:
                index = self._index()
                info = sounddevice.query_devices(index, self.kind)
            except (sounddevice.PortAudioError, ValueError) as error:
                raise SoundError(f"sound.{self._key}.none") from error
            self.name = info["name"]
            rate = int(info["default_samplerate"])
            most = int(info[f"max_{self.kind}_channels"])
            problem: Exception | None = None
            for channels in [count for count in self._channel_counts if count <= most] or [most]:
                try:
                    self._stream = self._open(sounddevice, index, rate, channels)
                    self._stream.start()
                except sounddevice.PortAudioError as error:
                    problem = error
                    self.shut()
                    continue
                self.rate, self.channels = rate, channels
                _streams.add(self)
                return
        raise SoundError(f"sound.{self._key}.refused", name=self.name, reason=str(problem)) from problem

    def shut(self) -> None:
        """Close the device; never raises and never blocks for long (a dead device can hang in closing)."""
        global _stuck
        stream, self._stream = self._stream, None
        if stream is None:
            return

        def close() -> None:
            with contextlib.suppress(Exception):
                stream.abort(ignore_errors=True)
                stream.close(ignore_errors=True)

        closing = threading.Thread(target=close, daemon=True)
        closing.start()
        closing.join(1.0)
        if closing.is_alive():
            _stuck = True

    def close(self) -> None:
        _streams.discard(self)
        self.shut()

    def _index(self) -> int | None:
        if self.choice is None:
            return None
        devices = _devices(self.kind)
        found = matching(self.choice, [name for name, _ in devices])
        if found is None:
            raise SoundError(f"sound.{self._key}.unknown", name=self.choice)
        return devices[found][1]

    _key = ""
    _channel_counts: tuple[int, ...] = ()

    def _open(self, sounddevice: Any, index: int | None, rate: int, channels: int) -> Any:
        raise NotImplementedError


def _start_refreshed(stream: _Stream) -> None:
    """Open; when it is not there, look for devices again and try once more."""
    try:
        stream.start()
    except SoundError:
        refresh()
        stream.start()


class PortAudioMicrophone(_Stream):
    """`devices.Microphone` through PortAudio."""

    kind = "input"
    _key = "microphone"
    _channel_counts = (1, 2, 4, 8, 16, 32)

    def __init__(self, choice: str | None = None, clock: Clock = monotonic_ms) -> None:
        super().__init__(choice)
        self._clock = clock
        self._intake: Intake | None = None
        _start_refreshed(self)

    @property
    def overflows(self) -> int:
        """Blocks that were lost."""
        return self._intake.overflows if self._intake else 0

    def read(self, timeout_s: float) -> Block | None:
        return self._intake.read(timeout_s) if self._intake else None

    def skip(self, timeout_s: float) -> bool:
        return False

    def _open(self, sounddevice: Any, index: int | None, rate: int, channels: int) -> Any:
        if self._intake is None or self._intake.rate != rate:
            self._intake = Intake(rate, self._clock)
        intake = self._intake
        intake.restarted()

        def callback(data: Any, frames: int, at: Any, status: Any) -> None:
            intake.put(channel(bytes(data), channels), bool(status.input_overflow))

        return sounddevice.RawInputStream(
            samplerate=rate,
            blocksize=int(rate * BLOCK_S),
            device=index,
            channels=channels,
            dtype="int16",
            latency=INPUT_LATENCY_S,
            callback=callback,
        )


class PortAudioLoudspeaker(_Stream):
    """`devices.Loudspeaker` through PortAudio. The stream runs all the time, silent in between: so the first sound
    comes at once, its beginning is not cut, and a device that dies in silence is noticed."""

    kind = "output"
    _key = "loudspeaker"
    _channel_counts = (2, 1, 4, 8, 16, 32)

    def __init__(self, choice: str | None = None, handed: Handed | None = None) -> None:
        super().__init__(choice)
        self._handed = handed
        self._outlet = Outlet(44100, 2)
        converted(bytes(2), 22050, 44100, 2)  # loads the library in advance
        _start_refreshed(self)

    @property
    def busy(self) -> bool:
        return not self._outlet.idle

    def play(self, pcm: bytes, rate: int, done: Done, ear: Ear = Ear.BOTH) -> Playback:
        self.check()
        frames = silenced(converted(pcm, rate, self.rate, self.channels), self.channels, ear.value)
        return self._outlet.play(frames, len(pcm) // 2, done)

    def _restart(self) -> None:
        """Discard the device's buffer (in about a millisecond) and go on."""
        with _library_lock, contextlib.suppress(_sounddevice().PortAudioError):
            if self._stream is not None:
                self._stream.abort()
                self._outlet.restarted()
                self._stream.start()

    def check(self) -> None:
        self._outlet.check()

    def close(self) -> None:
        super().close()
        self._outlet.close()

    def _open(self, sounddevice: Any, index: int | None, rate: int, channels: int) -> Any:
        self._outlet.close()
        called = self._outlet.called  # a device that is opened again was there before

        def callback(data: Any, frames: int, at: Any, status: Any) -> None:
            data[:] = outlet.pull(frames)

        stream = sounddevice.RawOutputStream(
            samplerate=rate,
            blocksize=0,
            device=index,
            channels=channels,
            dtype="int16",
            latency=OUTPUT_LATENCY_S,
            callback=callback,
        )
        latency_s = float(stream.latency)
        self._outlet = outlet = Outlet(
            rate,
            channels,
            tail_s=min(latency_s, LARGEST_LATENCY_S),
            flush=self._restart if latency_s > LEFT_TO_END_S else None,
            handed=self._handed,
        )
        outlet.called = called
        outlet.restarted()
        return stream
