"""The far end: what a loudspeaker was handed, resampled to the microphone's clock and aligned with its sound.

Two devices are two clocks, which differ by up to 200 ppm. The loudspeaker's is followed by a regression over how far it
is ahead (`Drift`), and its sound is stretched by that; a device that has stalled has the far end aligned anew.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from dataclasses import dataclass

from voicechess.sound.model import MODEL_RATE
from voicechess.sound.pcm import Resampler

HELD_MS = 60
"""Milliseconds for which the far end is buffered, since loudspeakers ask for it in bursts; the microphone's sound waits
as long, so that no echo comes before its far end. Larger: safer, later barge-ins."""

HELD = MODEL_RATE * HELD_MS // 1000
"""The same in samples."""

LATEST_MS = 400
"""Milliseconds that the microphone's sound waits longer for the far end, at most: on a busy machine loudspeakers ask
for it late. Larger: later barge-ins on such a machine."""

REALIGN_S = 0.5
"""Seconds for which the far end has to be late, or early, to be realigned: a device has stalled. What comes in bursts
is in time at some moment meanwhile. Larger: fewer false realignments, longer without cancellation."""

SPARE = MODEL_RATE * 15 // 1000
"""Samples by which the far end may be early: the air and the devices alone delay an echo by more."""

GONE_MS = 1_000
"""Milliseconds after which a loudspeaker that has asked for nothing plays nothing."""

DRIFT_MEMORY_S = 60.0
"""Time constant, seconds, of the drift estimate: sound comes and goes in bursts of some 20 ms. Larger: finer,
slower."""

SETTLES_S = 10.0
"""Seconds before which it does not begin: devices that have just begun ask for more than they play (PulseAudio: 8 ms in
6 s)."""

FIRST_DRIFT_S, DRIFT_MEAN_S = 8.0, 1.0
"""Seconds before the first estimate, and over which one point of it is averaged, for bursts come and go much faster."""

DRIFT_SIGMAS, LEAST_CORRECTION = 3.0, 300e-6
"""What a new drift needs to be believed: so many standard deviations from the old one, and so large a difference, as a
share of one, that the canceller could not follow it; what that finds itself is far nearer. Larger: fewer
corrections."""

MOST_DRIFT = 0.001
"""Largest drift, as a share of one."""

LONGEST_S = 60.0
"""Seconds of far end that are kept until the microphone's sound is read: on a busy machine that is late, and where its
far end is not known any more, the program's own words pass for the player's."""


MOST_REALIGNED = 20
"""Realignments whose times are kept; each takes `REALIGN_S` at least."""


class Drift:
    """Clock drift: the slope of the regression line through how far one clock is ahead at each time."""

    def __init__(self, known: float = 0.0) -> None:
        """`known`: the drift until another is known."""
        self.share = known
        """By how much it is faster, as a share of one; 0 while nothing is known."""
        self._seconds = -SETTLES_S
        self._ahead = 0.0
        self._averaged: list[tuple[float, float]] = []  # seconds, and how far ahead, since the last point
        self._mean_s = self._mean = self._square = self._product = self._spread = 0.0
        self._points = 0

    def take(self, seconds: float, more: float) -> None:
        """`seconds` have passed on the clock that counts, and `more` than that on the one that is measured."""
        self._seconds += seconds
        if self._seconds < 0:
            return
        self._ahead += more
        self._averaged.append((self._seconds, self._ahead))
        if self._seconds - self._averaged[0][0] >= DRIFT_MEAN_S:
            self._point(*(sum(values) / len(values) for values in zip(*self._averaged, strict=True)))
            self._averaged.clear()
            if self._seconds > FIRST_DRIFT_S:
                self._estimate()

    def _point(self, at_s: float, ahead: float) -> None:
        self._points += 1
        weight = max(1 / self._points, DRIFT_MEAN_S / DRIFT_MEMORY_S)
        off_s, off = at_s - self._mean_s, ahead - self._mean
        self._mean_s += weight * off_s
        self._mean += weight * off
        self._square = (1 - weight) * (self._square + weight * off_s * off_s)
        self._product = (1 - weight) * (self._product + weight * off_s * off)
        self._spread = (1 - weight) * (self._spread + weight * off * off)

    def _estimate(self) -> None:
        slope = self._product / self._square
        residual = max(0.0, self._spread - slope * self._product)
        deviation = math.sqrt(residual / self._square / min(self._points, DRIFT_MEMORY_S / DRIFT_MEAN_S))
        if abs(slope - self.share) > max(LEAST_CORRECTION, DRIFT_SIGMAS * deviation):
            self.correct(slope - self.share)

    def correct(self, by: float) -> None:
        """It is larger by this than what was known."""
        self.share = max(-MOST_DRIFT, min(MOST_DRIFT, self.share + by))


@dataclass(frozen=True, slots=True)
class _Handed:
    """What a loudspeaker was handed."""

    pcm: bytes  # 16-bit mono
    rate: int  # samples per second
    at_ms: int  # when, by the microphone's clock

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / self.rate


class FarEnd:
    """What one loudspeaker plays. `played` is for its thread, all else for the microphone's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handed: deque[_Handed] = deque()  # what was not resampled yet
        self._handed_s = 0.0  # its length in seconds
        self._flushed = False  # the device has dropped what it had been handed
        self._resampler: Resampler | None = None  # from `_rate` to `MODEL_RATE`
        self._rate = 0  # samples per second of the loudspeaker
        self._waiting = bytearray()  # resampled, and not due yet
        self._ahead: list[int] = []  # by how many samples it was early, since it was judged last
        self._judged = 0  # samples since then
        self._taken_s = self._place_s = 0.0  # how much was resampled, and how much of that was played by now
        self._last_ms, self._burst_s = 0, 0.0  # the last burst: when it was handed over, and its length
        self.drift = Drift()
        """Of the loudspeaker's clock against the microphone's."""
        self.realigned_ms: deque[int] = deque(maxlen=MOST_REALIGNED)
        """Times of realignments, by the microphone's blocks."""

    def played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """The loudspeaker has been handed this, silence as well: 16-bit mono. Nothing: it drops what it held."""
        with self._lock:
            if not pcm:
                self._flushed = True
                return
            self._handed.append(_Handed(pcm, rate, at_ms))
            self._handed_s += self._handed[-1].seconds
            while self._handed_s > LONGEST_S:
                self._handed_s -= self._handed.popleft().seconds

    def take(self, until_ms: int, seconds: float) -> None:
        """Resample what was handed over by then, `seconds` after the last call by the microphone's clock."""
        before_s = self._place_s
        self._resample(until_ms)
        self.drift.take(seconds, self._place_s - before_s - seconds)

    def _resample(self, until_ms: int) -> None:
        with self._lock:
            taken: list[_Handed] = []
            while self._handed and self._handed[0].at_ms <= until_ms:
                taken.append(self._handed.popleft())
                self._handed_s -= taken[-1].seconds
            flushed, self._flushed = self._flushed, False
        if flushed:
            self.drift = Drift(self.drift.share)
        longer = -self.drift.share
        for one in taken:
            if self._resampler is None or one.rate != self._rate:
                self._resampler = Resampler(one.rate, MODEL_RATE, stretches=True)
                self._rate = one.rate
            self._waiting += self._resampler.push(one.pcm, longer)
            self._taken_s, self._burst_s, self._last_ms = self._taken_s + one.seconds, one.seconds, one.at_ms
        # As if a burst were played while the next one is waited for.
        self._place_s = self._taken_s - self._burst_s + min(self._burst_s, (until_ms - self._last_ms) / 1000)

    def aligned(self, near: int, count: int, begins: bool, now_ms: int) -> bytes:
        """The far end of the microphone's sound that is due, as far as it is known: 16-bit mono at `MODEL_RATE`.

        `near`: samples of the microphone that wait for their far end; `count`: how many of them are new. `begins`: the
        microphone has just begun, so nothing from before is waited for.

        The far end is never later than it was handed over: no echo comes before its far end, and the program's speech
        would be taken for somebody else's.
        """
        due = near - HELD
        ahead = len(self._waiting) // 2 - due
        self._ahead.append(ahead)
        self._judged += count
        judged = self._judged >= REALIGN_S * MODEL_RATE
        late = ahead < 0 and (now_ms - self._last_ms > GONE_MS or ahead < -MODEL_RATE * LATEST_MS // 1000)
        if begins or late or (judged and (max(self._ahead) < 0 or min(self._ahead) > HELD + SPARE)):
            wanted = HELD if begins else HELD // 2 + max(0, ahead - min(self._ahead))
            missing = 2 * (due + wanted) - len(self._waiting)
            self._waiting[:0] = bytes(max(0, missing))
            del self._waiting[: max(0, -missing)]
            self.drift = Drift(self.drift.share)
            judged = True
            if not begins and now_ms - self._last_ms <= GONE_MS:
                self.realigned_ms.append(now_ms - 1000 * near // MODEL_RATE)
        if judged:
            self._ahead.clear()
            self._judged = 0
        count = max(0, min(due, len(self._waiting) // 2))
        far = bytes(self._waiting[: 2 * count])
        del self._waiting[: 2 * count]
        return far
