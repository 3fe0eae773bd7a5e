"""A loudspeaker, a room and a microphone, of arithmetic: what the microphone hears of a program that speaks.

The loudspeaker may distort, the delay jumps, and the microphone's clock is another one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import samplerate

from models.bench.synthesis import SAMPLE_RATE
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.mixing import NOMINAL_DBFS, as_int16, at_level, reverberated, with_floor
from voicechess.sound.voices import resampled

if TYPE_CHECKING:
    from voicechess.sound.voices import Samples

DELAYS_MS = (20, 60, 120, 200, 300, 500)
DRIFTS_PPM = (-200, -50, 0, 50, 200)
ROOMS_S = (0.2, 0.4, 0.6)

LOUDSPEAKER_RATE = 44_100
BURST_MS, BLOCK_MS = 23, 30
JUMPS_S = 45
"""The delay jumps after so long."""


NO_ECHO_DB = -100.0
"""An echo so far below the player's voice is none: the player wears headphones."""


@dataclass(frozen=True)
class Way:
    """How an echo comes about. `above_db`: over the player's voice."""

    above_db: float
    delay_ms: int
    drift_ppm: int
    room_s: float
    distorted: bool

    @classmethod
    def drawn(cls, above_db: float, draw: random.Random) -> Way:
        """So loud, and as chance has it."""
        delay_ms, drift_ppm, room_s = draw.choice(DELAYS_MS), draw.choice(DRIFTS_PPM), draw.choice(ROOMS_S)
        return cls(above_db, delay_ms, drift_ppm, room_s, draw.random() < 0.5)


def microphone(far: Samples, near: Samples, way: Way, draw: random.Random) -> Samples:
    """What the microphone hears of both."""
    rng = np.random.default_rng(draw.getrandbits(32))
    loud = far / max(1e-6, float(np.abs(far).max()))
    if way.distorted:
        loud = np.tanh(2.5 * loud) / 2.5 + 0.05 * loud**2
    wet = at_level(reverberated(loud.astype(np.float32), way.room_s, rng), NOMINAL_DBFS + way.above_db)
    echo = np.zeros(len(far), np.float32)
    delay_ms = way.delay_ms
    for first in range(0, len(far), JUMPS_S * SAMPLE_RATE):
        last = min(len(far), first + JUMPS_S * SAMPLE_RATE)
        late = SAMPLE_RATE * delay_ms // 1000
        begin = max(0, first - late)
        echo[begin + late : last] = wet[begin : last - late]
        delay_ms = draw.choice(DELAYS_MS)
    heard: Samples = with_floor(echo + near, rng)
    if way.drift_ppm:
        heard = np.asarray(samplerate.resample(heard, 1 + way.drift_ppm / 1e6, "sinc_medium"), np.float32)
    return heard


def moments(far: Samples, heard: Samples, way: Way) -> Iterator[tuple[list[tuple[bytes, int, int]], Block]]:
    """The microphone's blocks, one after the other; with each what the loudspeaker has been handed since the one before
    it: 16-bit sound, its rate, and when, in milliseconds."""
    played = as_int16(resampled(far, SAMPLE_RATE, LOUDSPEAKER_RATE) * 0.5)
    bursts = _pieces(played, LOUDSPEAKER_RATE, BURST_MS)
    handed_ms, burst = next(bursts, (1 << 40, b""))
    for counted_ms, pcm in _pieces(as_int16(heard), SAMPLE_RATE, BLOCK_MS):
        at_ms = round(counted_ms / (1 + way.drift_ppm / 1e6))
        handed: list[tuple[bytes, int, int]] = []
        while handed_ms <= at_ms:
            handed.append((burst, LOUDSPEAKER_RATE, handed_ms))
            handed_ms, burst = next(bursts, (1 << 40, b""))
        yield handed, Block(pcm, at_ms + BLOCK_MS)


def _pieces(samples: np.ndarray, rate: int, length_ms: int) -> Iterator[tuple[int, bytes]]:
    """Pieces of 16-bit sound, each with the time at which it begins."""
    size = rate * length_ms // 1000
    for number, first in enumerate(range(0, len(samples) - size, size)):
        yield 1000 * number * size // rate, samples[first : first + size].astype("<i2").tobytes()
