"""What the loudspeaker plays is taken out of what the microphone hears: not in the program yet, measured by `echo`.

The way from one to the other is learnt by a Kalman filter over the spectrum (G. Enzner, P. Vary, "Frequency-domain
adaptive Kalman filter for acoustic echo control in hands-free telephones", 2006), in partitions, so that it reaches far
without waiting long (F. Kuech et al., "State-space architecture of the partitioned-block-based acoustic echo
controller", 2014). It learns little while the player speaks, and takes nothing of what they say away.

Two devices are two clocks, which differ by up to 200 parts in a million, so what was played is taken at a rate that
follows the microphone's.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import samplerate
from numpy.typing import NDArray

from voicechess.sound.devices.interfaces import Block
from voicechess.sound.model import MODEL_RATE

Samples = NDArray[np.float64]

# --- The filter ---

HOP = 256
"""Samples that are looked at at once: 16 ms."""

PARTITIONS = 40
"""It reaches 640 ms: delay, room and what is held."""

FORGETS = 0.9995
"""How far the way of the echo is the same one hop later."""

UNKNOWN = 0.1
"""The variance of a way of which nothing is known; gains of loudspeakers and microphones are about one."""

AUDIBLE = 1e-7
"""The power above which something is being played, full scale being 1."""

LOST_S, MOST_LEFT = 1.5, 0.8
"""After so long with such a share of the power left it is learnt anew: something has moved."""

SMOOTHED_S = 0.3


class Canceller:
    """Learns the way from a loudspeaker to a microphone, both at `MODEL_RATE`, and takes its sound out."""

    def __init__(self) -> None:
        shape = (PARTITIONS, HOP + 1)
        self._played = np.zeros(shape, complex)  # spectra of what was played, the newest first
        self._way = np.zeros(shape, complex)
        self._variance = np.full(shape, UNKNOWN)
        self._noise = np.zeros(HOP + 1)  # the power of what is no echo
        self._before = np.zeros(HOP)
        self._heard_power = self._left_power = 0.0
        self._lost_s = 0.0
        self.audible = False
        """Whether something is being played, or its echo may last."""

    def hop(self, heard: Samples, played: Samples) -> tuple[Samples, float]:
        """`HOP` samples, -1 to 1: those heard without what was played, and how many decibels louder what is left is
        than the echo that was found in them."""
        self._played = np.roll(self._played, 1, axis=0)
        self._played[0] = np.fft.rfft(np.concatenate([self._before, played]))
        self._before = played
        echo = np.fft.irfft((self._played * self._way).sum(axis=0))[HOP:]
        left = heard - echo
        powers = np.abs(self._played) ** 2
        self.audible = float(powers.mean()) > AUDIBLE * HOP
        if self.audible:
            self._learn(left, powers)
            self._notice(float((heard**2).mean()), float((left**2).mean()))
        echo_power = float((echo**2).mean())
        left_db = 10 * math.log10(max(1e-12, float((left**2).mean())) / max(1e-12, echo_power))
        return left, left_db

    def _learn(self, left: Samples, powers: Samples) -> None:
        spectrum = np.fft.rfft(np.concatenate([np.zeros(HOP), left]))
        self._noise = (self._noise + np.abs(spectrum) ** 2) / 2
        gain = self._variance * self._played.conj() / ((self._variance * powers).sum(axis=0) / 2 + self._noise + 1e-9)
        self._way += gain * spectrum
        kept = FORGETS**2
        self._variance *= kept * (1 - (gain * self._played).real / 2)
        self._variance += (1 - kept) * np.abs(self._way) ** 2
        way = np.fft.irfft(self._way, axis=1)
        way[:, HOP:] = 0.0  # each partition is HOP samples long
        self._way = np.fft.rfft(way, axis=1)

    def _notice(self, heard: float, left: float) -> None:
        """Begin anew where nothing is taken away any more."""
        share = HOP / MODEL_RATE / SMOOTHED_S
        self._heard_power += share * (heard - self._heard_power)
        self._left_power += share * (left - self._left_power)
        self._lost_s = self._lost_s + HOP / MODEL_RATE if self._left_power > MOST_LEFT * self._heard_power else 0.0
        if self._lost_s > LOST_S:
            self._lost_s = 0.0
            self._variance[:] = UNKNOWN


# --- What is left of it ---

TYPICAL_S = 5.0
"""What is left of the echo is typically so loud as it was for half of the last seconds in which something played."""

STANDS_OUT_DB = 10.0
"""Somebody who speaks is so much louder than that."""

UNLEARNT_DB = -3.0
"""Where typically so much is left, the echo is not known yet, and nobody is heard."""

LASTS_HOPS = 12
"""Words are heard so much longer: they have soft ends."""

SOFTER = 0.01
"""What is left of the echo alone is made so much softer."""


class Remainder:
    """Makes what is left of an echo soft while nobody speaks into it."""

    def __init__(self) -> None:
        self._lately: deque[float] = deque(maxlen=round(TYPICAL_S * MODEL_RATE / HOP))
        self._last: deque[float] = deque(maxlen=3)
        self._open = 0

    def factor(self, left_db: float, audible: bool) -> float:
        """By what the next hop is to be multiplied. `audible`: something is being played."""
        if not audible:
            self._last.clear()
            self._open = max(0, self._open - 1)
            return 1.0
        self._lately.append(left_db)
        self._last.append(left_db)
        typical = sorted(self._lately)[len(self._lately) // 2]
        if typical < UNLEARNT_DB and min(self._last) > typical + STANDS_OUT_DB and len(self._last) > 2:
            self._open = LASTS_HOPS
        else:
            self._open = max(0, self._open - 1)
        return 1.0 if self._open else SOFTER


# --- Two clocks ---

HELD_MS = 60
"""What was played waits so long, since loudspeakers ask for it in bursts; and what was heard waits as long, so that no
echo comes before what it is the echo of."""

MOST_ASTRAY_MS = 150
"""Where what was played is further from its place than that, a device has stood still: it begins anew."""

COMPARED_S = 60.0
"""Over so long the two clocks are compared: sound comes and goes in bursts of some twenty milliseconds."""

COMPARED_AFTER_S = 10.0
MOST_DRIFT = 0.001
LONGEST_S = 2.0
"""What was played and not asked for is forgotten after that."""


class _Resampler:
    """Sound of a device, piece by piece, at `MODEL_RATE`."""

    def __init__(self, rate: int) -> None:
        self._ratio = MODEL_RATE / rate
        self._resampler: Any = samplerate.Resampler("sinc_medium", channels=1)
        self._ahead = 0.0  # samples that went in and have not come out

    @property
    def lag_ms(self) -> float:
        return 1000 * self._ahead / MODEL_RATE

    def push(self, pcm: bytes, longer: float = 0.0) -> bytes:
        """The next sound, as far as it is known; `longer` by this share, since its device has another clock."""
        ratio = self._ratio * (1 + longer)
        floats = np.frombuffer(pcm, dtype="<i2").astype(np.float32)
        made = self._resampler.process(floats, ratio)
        self._ahead += len(floats) * ratio - len(made)
        return bytes(np.clip(np.rint(made), -32768, 32767).astype("<i2").tobytes())


class Drift:
    """By how much one clock is faster than another: the slope of the line through what it is ahead at each time."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._ahead = 0.0
        self._mean_s = self._mean = self._square = self._product = 0.0
        self._count = 0

    def take(self, seconds: float, more: float) -> None:
        """So much time has passed, in which the other has counted `more` seconds than this."""
        self._seconds += seconds
        self._ahead += more
        self._count += 1
        weight = max(1 / self._count, seconds / COMPARED_S)
        off_s, off = self._seconds - self._mean_s, self._ahead - self._mean
        self._mean_s += weight * off_s
        self._mean += weight * off
        self._square = (1 - weight) * (self._square + weight * off_s * off_s)
        self._product = (1 - weight) * (self._product + weight * off_s * off)

    @property
    def share(self) -> float:
        """What it is faster by, a small share of one; 0 while it is not known."""
        if self._seconds < COMPARED_AFTER_S or not self._square:
            return 0.0
        return max(-MOST_DRIFT, min(MOST_DRIFT, self._product / self._square))


@dataclass(frozen=True, slots=True)
class _Handed:
    """What a loudspeaker was handed: 16-bit mono, and when, in milliseconds of the microphone's clock."""

    pcm: bytes
    rate: int
    at_ms: int

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / self.rate


class Echo:
    """One loudspeaker, one microphone. `played` is for the loudspeaker's thread, all else for the microphone's."""

    def __init__(self) -> None:
        self._canceller, self._remainder = Canceller(), Remainder()
        self._lock = threading.Lock()
        self._handed: deque[_Handed] = deque()
        self._handed_s = 0.0
        self._microphone: _Resampler | None = None
        self._microphone_rate = 0
        self._loudspeaker: _Resampler | None = None
        self._loudspeaker_rate = 0
        self._near = b""  # of the microphone, at the model's rate, that waits
        self._far = bytearray()  # of the loudspeaker, at the same rate
        self._paired = (b"", b"")  # of both, less than a hop
        self._taken_s = self._place_s = 0.0  # of what was handed over, by the loudspeaker's clock
        self._last_ms, self._burst_s = 0, 0.0  # when the last burst was handed over, and how long it is
        self._drift = Drift()

    def played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """The loudspeaker has been handed this, silence as well."""
        with self._lock:
            self._handed.append(_Handed(pcm, rate, at_ms))
            self._handed_s += self._handed[-1].seconds
            while self._handed_s > LONGEST_S:
                self._handed_s -= self._handed.popleft().seconds

    def cleaned(self, block: Block, rate: int) -> Block:
        """The microphone's next block without what was played, at `MODEL_RATE`, a little late. To be asked for all of
        them: what has been learnt holds for sound without gaps."""
        if self._microphone is None or rate != self._microphone_rate:
            self._microphone, self._microphone_rate = _Resampler(rate), rate
            self._near, self._paired = bytes(2 * MODEL_RATE * HELD_MS // 1000), (b"", b"")
        heard = self._microphone.push(block.pcm)
        seconds = len(heard) / 2 / MODEL_RATE
        before_s = self._place_s
        self._take(block.ended_ms)
        self._drift.take(seconds, self._place_s - before_s - seconds)
        far = self._played_with(len(heard) // 2)
        self._near += heard
        near, self._near = self._near[: len(heard)], self._near[len(heard) :]
        clean = self._without(near, far)
        waiting_ms = 1000 * (len(self._paired[0]) // 2) // MODEL_RATE
        return Block(clean, block.ended_ms - HELD_MS - round(self._microphone.lag_ms) - waiting_ms)

    def _without(self, near: bytes, far: bytes) -> bytes:
        """As many whole hops as there are, without what was played."""
        near, far = self._paired[0] + near, self._paired[1] + far
        whole = len(near) // (2 * HOP) * 2 * HOP
        self._paired = near[whole:], far[whole:]
        heard = np.frombuffer(near[:whole], dtype="<i2") / 32768
        played = np.frombuffer(far[:whole], dtype="<i2") / 32768
        clean = []
        for first in range(0, whole // 2, HOP):
            left, left_db = self._canceller.hop(heard[first : first + HOP], played[first : first + HOP])
            clean.append(left * self._remainder.factor(left_db, self._canceller.audible))
        if not clean:
            return b""
        values = np.rint(32768 * np.concatenate(clean))
        return bytes(np.clip(values, -32768, 32767).astype("<i2").tobytes())

    def _take(self, until_ms: int) -> None:
        """Bring what was handed over by then to the model's rate."""
        with self._lock:
            taken: list[_Handed] = []
            while self._handed and self._handed[0].at_ms <= until_ms:
                taken.append(self._handed.popleft())
                self._handed_s -= taken[-1].seconds
        longer = -self._drift.share
        for one in taken:
            if self._loudspeaker is None or one.rate != self._loudspeaker_rate:
                self._loudspeaker, self._loudspeaker_rate = _Resampler(one.rate), one.rate
            self._far += self._loudspeaker.push(one.pcm, longer)
            self._taken_s, self._burst_s, self._last_ms = self._taken_s + one.seconds, one.seconds, one.at_ms
        # As if it were played while the next one is waited for: bursts come and go.
        self._place_s = self._taken_s - self._burst_s + min(self._burst_s, (until_ms - self._last_ms) / 1000)

    def _played_with(self, count: int) -> bytes:
        """What was played while the microphone heard so many samples."""
        wanted = 2 * MODEL_RATE * HELD_MS // 1000
        most = 2 * MODEL_RATE * MOST_ASTRAY_MS // 1000
        left = len(self._far) - 2 * count
        if left < 0 or left > wanted + most:
            # Nothing plays, or something has stood still.
            self._far[:0] = bytes(max(0, 2 * count + wanted - len(self._far)))
            del self._far[: len(self._far) - 2 * count - wanted]
            self._drift = Drift()
        far = bytes(self._far[: 2 * count])
        del self._far[: 2 * count]
        return far
