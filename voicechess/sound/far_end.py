"""The far-end signal: what the loudspeaker was handed, resampled to the microphone's clock and aligned with its sound.

The two devices run on separate clocks that differ by up to 200 ppm. `Drift` estimates the difference by linear
regression over the loudspeaker's lead, and the far end is resampled accordingly. After a device has stalled the far end
is aligned anew.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from dataclasses import dataclass

from voicechess.sound.model import MODEL_RATE
from voicechess.sound.pcm import Resampler

BUFFER_MS = 60
"""Jitter buffer of the far end, milliseconds, since loudspeakers ask for sound in bursts. The microphone's signal is
delayed by as much, so that no echo precedes its far end. Larger: safer against bursts, later barge-ins."""

BUFFER_SAMPLES = MODEL_RATE * BUFFER_MS // 1000
"""The same in samples at `MODEL_RATE`."""

MOST_LATE_MS = 400
"""Extra milliseconds that the microphone's signal waits for a late far end, at most: on a busy machine loudspeakers ask
for sound late. Larger: later barge-ins on such a machine."""

REALIGN_S = 0.5
"""Seconds for which the far end has to stay late, or early, before it is realigned because a device has stalled; mere
bursts are on time at some moment of that. Larger: fewer false realignments, longer without cancellation."""

FLUSHED_REALIGN_S, FLUSHED_S = 0.1, 1.0
"""The same seconds after a device has discarded its buffer, which makes the far end early by as much, and the seconds
for which that may still show. Larger: the next word is cancelled later."""

MOST_EARLY = MODEL_RATE * 15 // 1000
"""Samples by which the far end may be early without a realignment: air and devices delay every echo by more. Larger:
fewer realignments, less of the filter's tail left for the room."""

INACTIVE_MS = 1_000
"""Milliseconds without a request after which a loudspeaker counts as playing nothing. Larger: a stalled device is
waited for longer."""

DRIFT_TIME_CONSTANT_S = 60.0
"""Time constant of the drift regression, seconds; sound comes and goes in bursts of some 20 ms. Larger: more precise,
slower to follow."""

SETTLING_S = 10.0
"""Seconds after a start that are left out of the regression: devices that have just started ask for more than they play
(PulseAudio: 8 ms in 6 s). Larger: a later first estimate."""

FIRST_DRIFT_S, DRIFT_POINT_S = 8.0, 1.0
"""Seconds before the first estimate, and seconds averaged into one point of the regression, since bursts are much
shorter. Larger: less jitter in the estimate, later."""

DRIFT_SIGMAS, LEAST_CORRECTION = 3.0, 300e-6
"""What a new estimate needs to be adopted: its distance from the old one in standard deviations, and in samples per
sample. A smaller drift is followed by the canceller's own estimate, which is far more precise. Larger: fewer
corrections."""

MOST_DRIFT = 0.001
"""Largest drift that is believed, samples per sample."""

LONGEST_S = 60.0
"""Seconds of far end kept until the microphone's sound is read, which is late on a busy machine. Without its far end
the program's own speech would pass for the player's. Larger: more memory."""


MOST_REALIGNED = 20
"""Realignments whose times are kept; each takes `REALIGN_S` at least."""


class Drift:
    """Clock drift: the slope of a linear regression over one clock's lead against time."""

    def __init__(self, known: float = 0.0) -> None:
        """`known`: initial drift in samples per sample."""
        self.ratio = known
        """Samples per sample by which the measured clock is faster than the reference; 0 while unknown."""
        self.is_followed = False
        """Whether the canceller knows the echo path, which it would have lost by a large drift: then no estimate from
        bursts is adopted. One of 800 ppm between clocks without drift ended cancellation for 20 seconds."""
        self._seconds = -SETTLING_S
        self._lead = 0.0
        self._averaged: list[tuple[float, float]] = []  # (seconds, lead in seconds) since the last point
        self._mean_s = self._mean = self._square = self._product = self._spread = 0.0
        self._points = 0

    def take(self, seconds: float, lead: float) -> None:
        """`seconds` have passed on the reference clock, and `lead` more than that on the measured one."""
        self._seconds += seconds
        if self._seconds < 0:
            return
        self._lead += lead
        self._averaged.append((self._seconds, self._lead))
        if self._seconds - self._averaged[0][0] >= DRIFT_POINT_S:
            self._point(*(sum(values) / len(values) for values in zip(*self._averaged, strict=True)))
            self._averaged.clear()
            if self._seconds > FIRST_DRIFT_S:
                self._estimate()

    def _point(self, at_s: float, ahead: float) -> None:
        self._points += 1
        weight = max(1 / self._points, DRIFT_POINT_S / DRIFT_TIME_CONSTANT_S)
        off_s, off = at_s - self._mean_s, ahead - self._mean
        self._mean_s += weight * off_s
        self._mean += weight * off
        self._square = (1 - weight) * (self._square + weight * off_s * off_s)
        self._product = (1 - weight) * (self._product + weight * off_s * off)
        self._spread = (1 - weight) * (self._spread + weight * off * off)

    def _estimate(self) -> None:
        slope = self._product / self._square
        residual = max(0.0, self._spread - slope * self._product)
        deviation = math.sqrt(residual / self._square / min(self._points, DRIFT_TIME_CONSTANT_S / DRIFT_POINT_S))
        if not self.is_followed and abs(slope - self.ratio) > max(LEAST_CORRECTION, DRIFT_SIGMAS * deviation):
            self.correct(slope - self.ratio)

    def correct(self, by: float) -> None:
        """Add this to the estimate, within `MOST_DRIFT`."""
        self.ratio = max(-MOST_DRIFT, min(MOST_DRIFT, self.ratio + by))


@dataclass(frozen=True, slots=True)
class _Handed:
    """A buffer that the loudspeaker was handed."""

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
        self._handed: deque[_Handed] = deque()  # not yet resampled
        self._handed_s = 0.0  # its total length in seconds
        self._flushed = False  # the device has discarded its buffer
        self._flushed_left = 0  # microphone samples left of `FLUSHED_S`
        self._resampler: Resampler | None = None  # from `_rate` to `MODEL_RATE`
        self._rate = 0  # samples per second of the loudspeaker
        self._waiting = bytearray()  # resampled, not yet due
        self._early: list[int] = []  # samples by which it was early, since the alignment was last checked
        self._since_check = 0  # microphone samples since then
        self._taken_s = self._played_s = 0.0  # seconds resampled, and seconds of those played by now
        self._last_ms, self._burst_s = 0, 0.0  # the last burst: time and length
        self.drift = Drift()
        """Drift of the loudspeaker's clock against the microphone's."""
        self.realigned_ms: deque[int] = deque(maxlen=MOST_REALIGNED)
        """Times of the latest realignments, in the time of the microphone's blocks."""

    def played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """Called with each buffer handed to the loudspeaker, silence included: 16-bit mono. Empty: the device discards
        what it held."""
        with self._lock:
            if not pcm:
                self._flushed = True
                return
            self._handed.append(_Handed(pcm, rate, at_ms))
            self._handed_s += self._handed[-1].seconds
            while self._handed_s > LONGEST_S:
                self._handed_s -= self._handed.popleft().seconds

    def take(self, until_ms: int, seconds: float) -> None:
        """Resample what was handed over up to that time; `seconds` of microphone sound have come since the last
        call."""
        before_s = self._played_s
        self._resample(until_ms)
        self.drift.take(seconds, self._played_s - before_s - seconds)

    def _resample(self, until_ms: int) -> None:
        with self._lock:
            taken: list[_Handed] = []
            while self._handed and self._handed[0].at_ms <= until_ms:
                taken.append(self._handed.popleft())
                self._handed_s -= taken[-1].seconds
            flushed, self._flushed = self._flushed, False
        if flushed:
            self.drift = Drift(self.drift.ratio)
            self._flushed_left = round(FLUSHED_S * MODEL_RATE)
        stretch = -self.drift.ratio
        for one in taken:
            if self._resampler is None or one.rate != self._rate:
                self._resampler = Resampler(one.rate, MODEL_RATE, stretches=True)
                self._rate = one.rate
            self._waiting += self._resampler.push(one.pcm, stretch)
            self._taken_s, self._burst_s, self._last_ms = self._taken_s + one.seconds, one.seconds, one.at_ms
        # A burst is taken to play evenly until the next one is due.
        self._played_s = self._taken_s - self._burst_s + min(self._burst_s, (until_ms - self._last_ms) / 1000)

    def aligned(self, near: int, count: int, begins: bool, now_ms: int) -> bytes:
        """The far end for as much of the microphone's waiting sound as it is known for: 16-bit mono at `MODEL_RATE`.

        `near`: microphone samples waiting for their far end; `count`: how many of them are new. `begins`: the
        microphone has just started, so no earlier far end is waited for.

        The far end is never delayed beyond its handover: an echo that preceded it would pass for near-end speech.
        """
        due = near - BUFFER_SAMPLES
        ahead = len(self._waiting) // 2 - due
        self._early.append(ahead)
        self._since_check += count
        due_check = self._since_check >= (FLUSHED_REALIGN_S if self._flushed_left > 0 else REALIGN_S) * MODEL_RATE
        self._flushed_left -= count
        late = ahead < 0 and (now_ms - self._last_ms > INACTIVE_MS or ahead < -MODEL_RATE * MOST_LATE_MS // 1000)
        if begins or late or (due_check and (max(self._early) < 0 or min(self._early) > BUFFER_SAMPLES + MOST_EARLY)):
            wanted = BUFFER_SAMPLES if begins else BUFFER_SAMPLES // 2 + max(0, ahead - min(self._early))
            missing = 2 * (due + wanted) - len(self._waiting)
            self._waiting[:0] = bytes(max(0, missing))
            del self._waiting[: max(0, -missing)]
            self.drift = Drift(self.drift.ratio)
            due_check = True
            if not begins and now_ms - self._last_ms <= INACTIVE_MS:
                self.realigned_ms.append(now_ms - 1000 * near // MODEL_RATE)
        if due_check:
            self._early.clear()
            self._since_check = 0
        count = max(0, min(due, len(self._waiting) // 2))
        far = bytes(self._waiting[: 2 * count])
        del self._waiting[: 2 * count]
        return far
