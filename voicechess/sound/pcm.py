"""Arithmetic on 16-bit little-endian sound: levels, channels, other rates. Full scale is 1.0."""

from __future__ import annotations

import math
import sys
from array import array
from operator import mul

SILENCE_DB = -96.0
"""The level of nothing: below the smallest step of 16 bits."""


def samples(pcm: bytes) -> array[int]:
    """The samples as integers of this machine's byte order; an odd last byte is dropped."""
    values = array("h")
    values.frombytes(pcm[: len(pcm) // 2 * 2])
    if sys.byteorder == "big":
        values.byteswap()
    return values


def as_bytes(values: array[int]) -> bytes:
    """The reverse of `samples`."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def channel(pcm: bytes, channels: int, index: int = 0) -> bytes:
    """One channel of interleaved sound."""
    return pcm if channels == 1 else as_bytes(samples(pcm)[index::channels])


def power(pcm: bytes) -> float:
    """Mean square without the mean (a cheap card's constant offset is no sound), 0 to 1."""
    values = samples(pcm)
    if not values:
        return 0.0
    mean = sum(values) / len(values)
    square: float = sum(map(mul, values, values)) / len(values)
    return max(0.0, square - mean * mean) / 32768.0**2


def level_db(pcm: bytes) -> float:
    """The level in decibels below full scale, at least `SILENCE_DB`."""
    value = power(pcm)
    return max(SILENCE_DB, 10 * math.log10(value)) if value > 0 else SILENCE_DB


def peak(pcm: bytes) -> float:
    """The largest sample, 0 to 1."""
    values = samples(pcm)
    return max(map(abs, values), default=0) / 32768


def scaled(pcm: bytes, volume: float) -> bytes:
    """The sound at this volume, 0 to 1."""
    if volume >= 1:
        return pcm
    return as_bytes(array("h", [int(value * volume) for value in samples(pcm)]))


def converted(pcm: bytes, rate: int, to_rate: int, to_channels: int) -> bytes:
    """Mono sound in another rate and number of channels (in C, with a low-pass filter)."""
    if rate == to_rate and to_channels == 1:
        return pcm
    import miniaudio

    form = miniaudio.SampleFormat.SIGNED16
    return bytes(miniaudio.convert_frames(form, 1, rate, pcm, form, to_channels, to_rate)) if pcm else b""
