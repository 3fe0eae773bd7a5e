"""The two halves of a sound device that no library knows: what its callback fills, and what its callback plays.

A device's callback runs on a thread that must not wait or raise: an exception there stops the stream unseen. So it
only hands bytes to an `Intake` or takes them from an `Outlet`. Both remember when they were last called, because an
unplugged device gives no other signal (python-sounddevice #125).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Lock

from voicechess.sound.devices.interfaces import Block, Clock, Done, Handed, monotonic_ms
from voicechess.sound.errors import SoundError
from voicechess.sound.pcm import channel

SILENT_DEVICE_S = 1.5
"""Seconds without a callback after which a device is lost; with the listener's own period that stays under two."""

FIRST_CALL_S = 3.0
"""The same for a device that has just been opened (a virtual sink takes up to two seconds)."""

TIMING_S = 3
"""Seconds over which the earliest arrival is taken. Larger: steadier times, and more clock drift in them."""

LONGEST_QUEUE_S = 30.0
"""Seconds of unread sound that are kept; more is dropped, oldest first (an overflow)."""


class Intake:
    """Blocks from a microphone's callback, for one reader.

    A block's time is when it could have come at the earliest: samples are counted, and the quickest arrivals of the
    last seconds say when the count began. So a callback that is late does not make a word late. What sound interfaces
    report as the time of a sample is not used (PortAudio on PulseAudio: wrong by up to half a second, seen).
    """

    def __init__(self, rate: int, clock: Clock) -> None:
        self.rate = rate
        self.overflows = 0  # blocks the device or we have dropped
        self._called = False
        self._clock = clock
        self._blocks: deque[Block] = deque()
        self._queued_bytes = 0
        self._changed = Condition()
        self._samples = 0
        self._begins_ms: deque[tuple[int, float]] = deque()  # (second of the clock, earliest begin of the count in it)
        self._dead_at = time.monotonic() + FIRST_CALL_S

    def put(self, pcm: bytes, overflow: bool = False) -> None:
        """Called by the device, with the next sound; `overflow`: some was lost before it."""
        now_ms = self._clock()
        with self._changed:
            if overflow:
                self._begins_ms.clear()
            self._called = True
            block = Block(pcm, self._time_of(pcm, now_ms), overflow)
            self._dead_at = max(self._dead_at, time.monotonic() + SILENT_DEVICE_S)
            self.overflows += overflow
            self._blocks.append(block)
            self._queued_bytes += len(pcm)
            dropped = self.overflows
            while self._queued_bytes > LONGEST_QUEUE_S * self.rate * 2:
                self._queued_bytes -= len(self._blocks.popleft().pcm)
                self.overflows += 1
            if self.overflows > dropped and self._blocks:
                self._blocks[0] = replace(self._blocks[0], gap=True)
            self._changed.notify()

    def restarted(self) -> None:
        """The device was opened (again): it gets its time to call."""
        with self._changed:
            self._dead_at = time.monotonic() + FIRST_CALL_S
            self._begins_ms.clear()

    def _time_of(self, pcm: bytes, now_ms: int) -> int:
        self._samples += len(pcm) // 2
        counted_ms = 1000 * self._samples / self.rate
        begin_ms, second = now_ms - counted_ms, now_ms // 1000
        if self._begins_ms and self._begins_ms[-1][0] == second:
            begin_ms = min(begin_ms, self._begins_ms.pop()[1])
        self._begins_ms.append((second, begin_ms))
        while self._begins_ms[0][0] < second - TIMING_S:
            self._begins_ms.popleft()
        return round(min(begin for _, begin in self._begins_ms) + counted_ms)

    def read(self, timeout_s: float) -> Block | None:
        """The next block or None. Raises `SoundError` when the device has been silent for too long."""
        with self._changed:
            if not self._blocks:
                self._changed.wait(timeout_s)
            if self._blocks:
                block = self._blocks.popleft()
                self._queued_bytes -= len(block.pcm)
                return block
            if time.monotonic() > self._dead_at:
                raise SoundError("sound.microphone.lost" if self._called else "sound.microphone.silent")
            return None


class OutletPlayback:
    """One sound in an `Outlet`. Its frames are in the device's own format already."""

    def __init__(self, outlet: Outlet, frames: bytes, samples: int, done: Done) -> None:
        self._outlet = outlet
        self.frames = memoryview(frames)
        self.position = 0  # bytes handed over
        self.done = done
        self.ended = False
        self._samples = samples

    @property
    def played(self) -> int:
        """Samples handed to the device, in the rate the sound was given in."""
        return self._samples * self.position // max(1, len(self.frames))

    def stop(self) -> None:
        """End it now, and take back what the device already holds where that can be done."""
        self._outlet.end(self)


class Outlet:
    """What a loudspeaker's callback plays next: the sound of the moment, else silence.

    `tail_s`: how long the device needs to sound what it was handed (its latency); `done` waits for that.
    `flush`: makes the device forget that, where it can. `handed` is told all of it.
    """

    def __init__(
        self,
        rate: int,
        channels: int,
        tail_s: float = 0.0,
        flush: Callable[[], None] | None = None,
        handed: Handed | None = None,
    ) -> None:
        self.rate = rate
        self.channels = channels
        self.tail_s = tail_s
        self.called = False  # by the device, ever
        self._flush = flush
        self._handed = handed
        self._current: OutletPlayback | None = None
        self._tail_left = 0
        self._lock = Lock()
        self._dead_at = time.monotonic() + FIRST_CALL_S

    @property
    def idle(self) -> bool:
        """Whether nothing is being played."""
        return self._current is None

    def play(self, frames: bytes, samples: int, done: Done) -> OutletPlayback:
        """Play frames of the device's format from the next callback on; `samples` is their length for `played`."""
        playback = OutletPlayback(self, frames, samples, done)
        with self._lock:
            before, self._current = self._current, playback
            self._tail_left = int(self.tail_s * self.rate)
        if before is not None:
            self._finish(before, False)
        return playback

    def end(self, playback: OutletPlayback) -> None:
        """Take a sound out; its `done` is called once."""
        with self._lock:
            cut = self._current is playback
            if cut:
                self._current = None
        if cut and self._flush is not None:
            self._flush()
            self._tell(b"")
        self._finish(playback, False)

    def pull(self, frames: int) -> bytes:
        """Called by the device: exactly that many frames."""
        size = frames * self.channels * 2
        finished = None
        with self._lock:
            self.called = True
            self._dead_at = max(self._dead_at, time.monotonic() + SILENT_DEVICE_S)
            current = self._current
            data = b""
            if current is not None:
                data = bytes(current.frames[current.position : current.position + size])
                current.position += len(data)
                if len(data) < size:
                    self._tail_left -= (size - len(data)) // (2 * self.channels)
                    if self._tail_left <= 0:
                        finished, self._current = current, None
        if finished is not None:
            self._finish(finished, True)
        data += bytes(size - len(data))
        self._tell(data)
        return data

    def _tell(self, frames: bytes) -> None:
        if self._handed is not None:
            self._handed(channel(frames, self.channels), self.rate, monotonic_ms())

    def restarted(self) -> None:
        """The device was opened (again): it gets its time to call."""
        self._dead_at = time.monotonic() + FIRST_CALL_S

    def check(self) -> None:
        """Raises `SoundError` when the device has not asked for sound for too long."""
        if time.monotonic() > self._dead_at:
            raise SoundError("sound.loudspeaker.lost" if self.called else "sound.loudspeaker.silent")

    def close(self) -> None:
        """End what is being played."""
        with self._lock:
            current, self._current = self._current, None
        if current is not None:
            self._finish(current, False)

    def _finish(self, playback: OutletPlayback, completed: bool) -> None:
        with self._lock:
            if playback.ended:
                return
            playback.ended = True
        playback.done(completed)
