"""Distortions of the waveform by rooms, microphones and telephones. Noise and level are varied during training
(`augment`)."""

from __future__ import annotations

import numpy as np
from scipy import signal

from models.training.features import RATE, Floats

REFERENCE = 1000.0
"""Loudness (`loudness`) to which speech is scaled before features are computed."""


def room(samples: Floats, rng: np.random.Generator, *, longest: float = 0.7) -> Floats:
    """Reverberation: exponentially decaying noise after the direct sound, reverberation time 0.1 s to `longest`."""
    seconds = rng.uniform(0.1, longest)
    count = int(RATE * seconds)
    tail = rng.standard_normal(count) * np.exp(-6.9 * np.arange(count) / count)
    begin = int(RATE * rng.uniform(0.001, 0.02))
    tail[:begin] = 0
    # Walls absorb high frequencies first.
    pole = rng.uniform(0.0, 0.7)
    tail = signal.lfilter([1 - pole], [1, -pole], tail)
    ratio = 10 ** (rng.uniform(-3, 16) / 20)  # of direct to reflected sound
    response = tail / (np.sqrt((tail**2).sum()) + 1e-9) / ratio
    response[0] = 1
    return np.asarray(signal.fftconvolve(samples, response), np.float32)


def telephone(samples: Floats, rng: np.random.Generator) -> Floats:
    """A telephone line: 300 to 3400 Hz at 8000 samples per second, mu-law as in ITU-T G.711."""
    narrow = signal.sosfilt(signal.butter(4, (300, 3400), "band", fs=RATE, output="sos"), samples)
    slow = signal.resample_poly(narrow, 1, 2)
    peak = np.abs(slow).max() * rng.uniform(1, 6) + 1e-6
    curve = np.sign(slow) * np.log1p(255 * np.abs(slow) / peak) / np.log(256)
    coarse = np.round(curve * 127) / 127
    slow = np.sign(coarse) * np.expm1(np.abs(coarse) * np.log(256)) / 255 * peak
    return np.asarray(signal.resample_poly(slow, 2, 1)[: len(samples)], np.float32)


def clip(samples: Floats, rng: np.random.Generator) -> Floats:
    """Clipping, as by an overdriven amplifier."""
    limit = np.abs(samples).max() * rng.uniform(0.1, 0.6) + 1e-6
    return np.asarray(np.clip(samples, -limit, limit), np.float32)


def breath(count: int, rng: np.random.Generator) -> Floats:
    """A breath of `count` samples: noise that swells and fades."""
    white = rng.standard_normal(count)
    shaped = signal.sosfilt(signal.butter(1, (400, rng.uniform(2000, 6000)), "band", fs=RATE, output="sos"), white)
    return np.asarray(shaped * np.hanning(count), np.float32)


def loudness(samples: Floats) -> float:
    """Root mean square of the louder half of 25 ms blocks, so that silence does not count."""
    blocks = samples[: len(samples) // 400 * 400].reshape(-1, 400)
    if not len(blocks):
        return float(np.sqrt((samples**2).mean()) + 1e-6)
    powers = np.sort((blocks.astype(np.float64) ** 2).mean(1))
    return float(np.sqrt(powers[len(powers) // 2 :].mean()) + 1e-6)
