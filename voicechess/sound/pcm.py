"""Arithmetic on 16-bit little-endian sound: levels, channels, other rates. Full scale is 1.0."""

from __future__ import annotations

import math
import sys
from array import array
from operator import mul
from typing import Any

from voicechess.sound.libraries import find_runtime, not_loaded

SILENCE_DB = -96.0
"""Level of digital silence, decibels below full scale: less than the smallest step of 16 bits."""


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


def silenced(pcm: bytes, channels: int, index: int | None) -> bytes:
    """Interleaved sound without this channel; as it is for None, and where it is the only one."""
    if index is None or channels == 1 or not pcm:
        return pcm
    values = samples(pcm)
    values[index::channels] = array("h", bytes(len(values[index::channels]) * values.itemsize))
    return as_bytes(values)


def power(pcm: bytes) -> float:
    """Mean square without the DC offset (cheap cards have one), 0 to 1."""
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
    """Mono sound in another rate and number of channels, for a loudspeaker.

    Not for a recogniser of another rate than the sound's: the filter is so gentle that from 48 to 16 kHz 9 kHz comes
    out as 7 kHz, only 6 dB softer (`Resampler` does that).
    """
    if rate == to_rate and to_channels == 1:
        return pcm
    import miniaudio

    form = miniaudio.SampleFormat.SIGNED16
    return bytes(miniaudio.convert_frames(form, 1, rate, pcm, form, to_channels, to_rate)) if pcm else b""


class Resampler:
    """A stream of mono sound from one sample rate to another: from the microphone's to the model's.

    libsamplerate's band-limited interpolation (J. O. Smith, "Digital Audio Resampling"): flat up to nine tenths of the
    band, aliases at least 87 dB down, 3 to 20 ms of latency, one to four hundredths of a core (measured from 8 to 192
    kHz). soxr is twenty times cheaper, but has up to 120 ms of latency.
    """

    _QUALITY = "sinc_medium"

    def __init__(self, rate: int, to_rate: int, stretches: bool = False) -> None:
        """`stretches`: the ratio is adjusted with each push (clock drift). Raises `SoundError` when the library cannot
        be loaded; none is needed for equal rates that are not stretched."""
        self._ratio = to_rate / rate
        self._to_rate = to_rate
        self._resampler: Any = None
        self._numpy: Any = None
        self._ahead = 0.0  # samples of `to_rate` that went in and have not come out
        if rate != to_rate or stretches:
            find_runtime()
            try:
                import numpy
                import samplerate
            except (ImportError, OSError) as error:
                raise not_loaded("samplerate", "sound.recogniser.one_rate", error, rate=to_rate) from error
            self._numpy = numpy
            self._resampler = samplerate.Resampler(self._QUALITY, channels=1)

    @property
    def lag_ms(self) -> float:
        """Latency: how much of the sound has not come out yet."""
        return 1000 * self._ahead / self._to_rate

    def push(self, pcm: bytes, longer: float = 0.0) -> bytes:
        """Take the next sound; the resampled sound so far. `longer`: by which share it is stretched."""
        if self._resampler is None:
            return pcm
        numpy = self._numpy
        floats = numpy.frombuffer(pcm, dtype="<i2", count=len(pcm) // 2).astype(numpy.float32)
        ratio = self._ratio * (1 + longer)
        made = self._resampler.process(floats, ratio)
        self._ahead += len(floats) * ratio - len(made)
        return bytes(numpy.clip(numpy.rint(made), -32768, 32767).astype("<i2").tobytes())

    def reset(self) -> None:
        """Start anew: there is a gap here."""
        if self._resampler is not None:
            self._resampler.reset()
        self._ahead = 0.0
