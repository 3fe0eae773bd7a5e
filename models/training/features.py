"""The recogniser's own features: 40 logarithms of mel energies, and the cepstra that Vosk computes from them.

The net learns from mel energies, because noise, rooms and voices can be changed there while training; the matrix
`CEPSTRA` (all 40 of 40, hence invertible) is folded into its first layer when the model is written. Frames and filters
are those of Kaldi's feature-fbank.cc and feature-window.cc with the options in `MFCC_CONF`.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

RATE = 16000
SHIFT, LENGTH, PADDED = 160, 400, 512
BINS = 40
LOW, HIGH = 20.0, RATE / 2 - 400.0
PREEMPHASIS, LIFTER = 0.97, 22
FLOOR = float(np.finfo(np.float32).eps)
LOG_FLOOR = float(np.log(FLOOR))
"""What digital silence comes out as in every bin."""
MFCC_CONF = "--use-energy=false\n--num-mel-bins=40\n--num-ceps=40\n--low-freq=20\n--high-freq=-400\n--dither=0\n"

Floats = npt.NDArray[np.float32]


def _mel(hertz: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))


@functools.cache
def filters() -> Floats:
    """Kaldi's triangular filters, (257, 40)."""
    edges = np.linspace(_mel(LOW), _mel(HIGH), BINS + 2)
    at = _mel(np.arange(PADDED // 2 + 1) * RATE / PADDED)[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    weights = np.minimum((at - left) / (centre - left), (right - at) / (right - centre))
    weights[-1] = 0  # Kaldi leaves the Nyquist bin out
    return np.maximum(weights, 0).astype(np.float32)


@functools.cache
def centres() -> Floats:
    """The middle of each filter in hertz, (40,)."""
    mel = np.linspace(_mel(LOW), _mel(HIGH), BINS + 2)[1:-1]
    return np.asarray(700.0 * np.expm1(mel / 1127.0), np.float32)


def _dct() -> npt.NDArray[np.float64]:
    row = np.arange(BINS)[:, None]
    matrix = np.sqrt(2 / BINS) * np.cos(np.pi / BINS * (np.arange(BINS) + 0.5) * row)
    matrix[0] = np.sqrt(1 / BINS)
    return np.asarray((1 + 0.5 * LIFTER * np.sin(np.pi * row / LIFTER)) * matrix)


CEPSTRA = _dct()
"""Cepstra = CEPSTRA @ mel, (40, 40)."""
MEL = np.linalg.inv(CEPSTRA)
"""Mel = MEL @ cepstra, (40, 40)."""


def log_mel(samples: npt.NDArray[np.floating]) -> Floats:
    """Logarithms of mel energies.

    Args:
        samples: 1-D, 16 kHz, full scale 32768.

    Returns:
        (frames, 40), a frame every 10 ms, none for less than 25 ms.
    """
    from scipy import fft  # only training asks for it; new words are written without it

    count = 1 + (len(samples) - LENGTH) // SHIFT if len(samples) >= LENGTH else 0
    if not count:
        return np.zeros((0, BINS), np.float32)
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(LENGTH) / (LENGTH - 1))) ** 0.85
    source = np.ascontiguousarray(samples, np.float32)
    out = np.empty((count, BINS), np.float32)
    views = np.lib.stride_tricks.sliding_window_view(source, LENGTH)[::SHIFT]
    for begin in range(0, count, 512):
        frames = views[begin : begin + 512] - views[begin : begin + 512].mean(1, keepdims=True)
        frames[:, 1:] -= np.float32(PREEMPHASIS) * frames[:, :-1]
        frames[:, 0] *= np.float32(1 - PREEMPHASIS)
        spectrum = fft.rfft(frames * window.astype(np.float32), PADDED, axis=1)
        energies = (spectrum.real**2 + spectrum.imag**2) @ filters()
        out[begin : begin + 512] = np.log(np.maximum(energies, FLOOR))
    return out
