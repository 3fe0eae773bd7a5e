"""Buffers between a sound device's callbacks and the rest of the program, independent of the library.

A callback runs on a thread that must not block or raise: an exception there stops the stream unnoticed. So it only
passes bytes to an `Intake` or takes them from an `Outlet`. Both remember their last call, because an unplugged device
gives no other signal (python-sounddevice #125).
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
"""Seconds without a callback after which a device counts as lost; with the listener's own interval that stays under
two. Larger: noticed later, fewer false alarms."""

FIRST_CALL_S = 3.0
"""The same right after opening (a virtual sink takes up to two seconds)."""

TIMING_S = 3
"""Seconds over which the earliest arrival is taken. Larger: steadier times, more clock drift in them."""

LONGEST_QUEUE_S = 30.0
"""Seconds of unread sound kept; more is dropped, oldest first (an overflow). Larger: more memory."""


class Intake:
    """Blocks from a microphone's callback, for one reader.

    A block's time is the earliest at which it could have arrived: samples are counted, and the quickest arrivals of the
    last seconds give the time of sample zero, so a late callback does not make a word late. The sample times that sound
    interfaces report are not used (PortAudio on PulseAudio: up to half a second off).
    """

    def __init__(self, rate: int, clock: Clock) -> None:
        self.rate = rate
        self.overflows = 0  # blocks dropped by the device or here
        self._called = False
        self._clock = clock
        self._blocks: deque[Block] = deque()
        self._queued_bytes = 0
        self._changed = Condition()
        self._samples = 0
        self._begins_ms: deque[tuple[int, float]] = deque()  # (second, earliest time of sample zero in it)
        self._dead_at = time.monotonic() + FIRST_CALL_S

    def put(self, pcm: bytes, overflow: bool = False) -> None:
        """Called by the device with the next sound; `overflow`: some was lost before it."""
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
    """One sound in an `Outlet`, in the device's own format."""

    def __init__(self, outlet: Outlet, frames: bytes, samples: int, done: Done) -> None:
        self._outlet = outlet
        self.frames = memoryview(frames)
        self.position = 0  # bytes handed to the device
        self.done = done
        self.ended = False
        self._samples = samples

    @property
    def played(self) -> int:
        """Samples handed to the device, counted at the sound's original rate."""
        return self._samples * self.position // max(1, len(self.frames))

    def stop(self) -> None:
        """End it now, and have the device discard it where it can."""
        self._outlet.end(self)


class Outlet:
    """Feeds a loudspeaker's callback: the current sound, else silence.

    `tail_s`: the device's output latency in seconds; `done` waits for it. `flush`: makes the device discard its buffer,
    where it can. `handed`: is called with everything handed over.
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
        self.called = False  # whether the device has ever called
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
        """Remove a sound; its `done` is called once."""
        with self._lock:
            cut = self._current is playback
            if cut:
                self._current = None
        if cut and self._flush is not None:
            self._flush()
            self._tell(b"")
        self._finish(playback, False)

    def pull(self, frames: int) -> bytes:
        """Called by the device for exactly that many frames."""
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
        """Raises `SoundError` when the device has not called for too long."""
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
