"""A simulated echo path: loudspeaker, room and microphone of a program that speaks.

The loudspeaker may distort, the delay jumps, and the microphone's clock drifts against the loudspeaker's.
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
"""Delays of the echo, drawn at each jump."""

DRIFTS_PPM = (-200, -50, 0, 50, 200)
"""Clock drifts, parts per million; above 0 the microphone's clock is faster."""

ROOMS_S = (0.2, 0.4, 0.6)
"""Reverberation times (RT60), seconds."""

LOUDSPEAKER_RATE = 44_100
"""Samples per second."""

BURST_MS, BLOCK_MS = 23, 30
"""Milliseconds of sound that the loudspeaker requests at a time, and of the microphone's blocks."""

JUMPS_S = 45
"""Seconds between two jumps of the delay."""

NO_ECHO_DB = -100.0
"""Echo level, over the player's voice, that is no echo: the player wears headphones."""


@dataclass(frozen=True)
class EchoPath:
    """From loudspeaker to microphone."""

    echo_db: float  # level of the echo over the player's voice, decibels
    delay_ms: int  # before the first jump
    drift_ppm: int  # clock drift
    room_s: float  # RT60
    distorted: bool  # whether the loudspeaker distorts

    @classmethod
    def drawn(cls, echo_db: float, draw: random.Random) -> EchoPath:
        """One of this echo level, all else drawn."""
        delay_ms, drift_ppm, room_s = draw.choice(DELAYS_MS), draw.choice(DRIFTS_PPM), draw.choice(ROOMS_S)
        return cls(echo_db, delay_ms, drift_ppm, room_s, draw.random() < 0.5)


def microphone_signal(far: Samples, near: Samples, path: EchoPath, draw: random.Random) -> Samples:
    """The microphone's signal of far end and near end."""
    rng = np.random.default_rng(draw.getrandbits(32))
    loud = far / max(1e-6, float(np.abs(far).max()))
    if path.distorted:
        loud = np.tanh(2.5 * loud) / 2.5 + 0.05 * loud**2
    wet = at_level(reverberated(loud.astype(np.float32), path.room_s, rng), NOMINAL_DBFS + path.echo_db)
    echo = np.zeros(len(far), np.float32)
    delay_ms = path.delay_ms
    for first in range(0, len(far), JUMPS_S * SAMPLE_RATE):
        last = min(len(far), first + JUMPS_S * SAMPLE_RATE)
        late = SAMPLE_RATE * delay_ms // 1000
        begin = max(0, first - late)
        echo[begin + late : last] = wet[begin : last - late]
        delay_ms = draw.choice(DELAYS_MS)
    heard: Samples = with_floor(echo + near, rng)
    if path.drift_ppm:
        heard = np.asarray(samplerate.resample(heard, 1 + path.drift_ppm / 1e6, "sinc_medium"), np.float32)
    return heard


def blocks_with_far_end(
    far: Samples, heard: Samples, path: EchoPath
) -> Iterator[tuple[list[tuple[bytes, int, int]], Block]]:
    """The microphone's blocks, each with what was sent to the loudspeaker since the previous one: 16-bit sound, its
    sample rate, and the time, milliseconds."""
    played = as_int16(resampled(far, SAMPLE_RATE, LOUDSPEAKER_RATE) * 0.5)
    bursts = _pieces(played, LOUDSPEAKER_RATE, BURST_MS)
    handed_ms, burst = next(bursts, (1 << 40, b""))
    for counted_ms, pcm in _pieces(as_int16(heard), SAMPLE_RATE, BLOCK_MS):
        at_ms = round(counted_ms / (1 + path.drift_ppm / 1e6))
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
