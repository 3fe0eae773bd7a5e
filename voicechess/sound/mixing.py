"""Simulated acoustics and channels: rooms, noise, telephones, loudspeakers, wrong levels.

Samples are float32, mono, -1..1, at the rate of models. Levels are in decibels below full scale (dBFS), as the
root mean square over the active part of the speech, the idea of ITU-T P.56: pauses do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from voicechess.sound.model import MODEL_RATE as SAMPLE_RATE
from voicechess.sound.voices import resampled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

TELEPHONE_RATE = 8000
"""Samples per second of a telephone line and many a Bluetooth headset."""

NOMINAL_DBFS = -26.0
"""Nominal level of speech (ITU-T), dBFS."""

FLOOR_DBFS = -75.0
"""Noise floor of a quiet room and microphone, dBFS: no microphone gives exact zeros. Larger: more hiss."""

_FRAME = SAMPLE_RATE // 50
_ACTIVE_WITHIN_DB = 30.0  # frames further below the loudest one count as pause


def active_dbfs(samples: Samples) -> float:
    """The level of the active part, in dBFS; -120 for silence."""
    import numpy as np

    count = max(1, len(samples) // _FRAME)
    frames = np.array_split(samples.astype(np.float64), count)
    powers = np.array([float(np.mean(frame**2)) if len(frame) else 0.0 for frame in frames])
    loudest = float(powers.max(initial=0.0))
    if loudest <= 1e-12:
        return -120.0
    active = powers[powers >= loudest * 10 ** (-_ACTIVE_WITHIN_DB / 10)]
    return float(10 * np.log10(active.mean()))


def at_level(samples: Samples, dbfs: float) -> Samples:
    """`samples` with their active part at `dbfs`; peaks above full scale are cut off when they become integers."""
    return scaled(samples, dbfs - active_dbfs(samples)) if active_dbfs(samples) > -120.0 else samples


def scaled(samples: Samples, decibels: float) -> Samples:
    """`samples` louder by `decibels`."""
    import numpy as np

    louder: Samples = (samples * 10 ** (decibels / 20)).astype(np.float32)
    return louder


def padded(samples: Samples, before_s: float, after_s: float) -> Samples:
    """`samples` with silence before and after, in seconds."""
    import numpy as np

    zeros = (np.zeros(round(seconds * SAMPLE_RATE), dtype=np.float32) for seconds in (before_s, after_s))
    return np.concatenate([next(zeros), samples, next(zeros)])


def with_noise(speech: Samples, noise: Samples, snr_db: float, speech_dbfs: float, rng: np.random.Generator) -> Samples:
    """`speech` with a random stretch of `noise` under the whole of it.

    snr_db: speech level over noise level, in decibels; `speech_dbfs` is the speech level, that of its active part.
    """
    import numpy as np

    first = int(rng.integers(len(noise)))
    stretch = np.resize(np.roll(noise, -first), len(speech)).astype(np.float64)
    rms_db = 10 * np.log10(max(float(np.mean(stretch**2)), 1e-12))
    mixed: Samples = (speech + stretch * 10 ** ((speech_dbfs - snr_db - rms_db) / 20)).astype(np.float32)
    return mixed


def with_floor(samples: Samples, rng: np.random.Generator, dbfs: float = FLOOR_DBFS) -> Samples:
    """`samples` with the hiss of a quiet room."""
    import numpy as np

    return (samples + rng.standard_normal(len(samples)) * 10 ** (dbfs / 20)).astype(np.float32)


def reverberated(samples: Samples, rt60_s: float, rng: np.random.Generator, direct_db: float = 3.0) -> Samples:
    """`samples` in a room: the direct sound and a reverberant tail that decays by 60 dB in `rt60_s` seconds.

    direct_db: energy of the direct sound over that of the tail; 3 dB is an arm's length from a laptop in a living room.
    The tail is decaying Gaussian noise from 5 ms on (Polack's model of late reverberation).
    """
    import numpy as np

    length = round(rt60_s * SAMPLE_RATE)
    tail = rng.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    tail[: SAMPLE_RATE // 200] = 0.0
    tail *= 10 ** (-direct_db / 20) / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    size = len(samples) + length
    wet = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(tail, size), size)
    kept: Samples = wet[: len(samples) + length // 2].astype(np.float32)
    return kept


def through_loudspeaker(samples: Samples) -> Samples:
    """`samples` as a television plays them: band-limited to 150 to 5500 Hz, dynamics compressed."""
    import numpy as np

    spectrum = np.fft.rfft(samples)
    frequencies = np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)
    spectrum[(frequencies < 150) | (frequencies > 5500)] = 0
    narrow = np.fft.irfft(spectrum, len(samples))
    frames = np.ones(_FRAME * 5) / (_FRAME * 5)
    level = np.sqrt(np.convolve(narrow**2, frames, mode="same") + 1e-7)
    return at_level((narrow / level**0.5).astype(np.float32), NOMINAL_DBFS)


def telephone(samples: Samples) -> Samples:
    """`samples` over an 8 kHz line: 300 to 3400 Hz, eight-bit µ-law (ITU-T G.711), back at the usual rate."""
    import numpy as np

    narrow = resampled(samples, SAMPLE_RATE, TELEPHONE_RATE)
    spectrum = np.fft.rfft(narrow)
    frequencies = np.fft.rfftfreq(len(narrow), 1 / TELEPHONE_RATE)
    spectrum[(frequencies < 300) | (frequencies > 3400)] = 0
    line = np.clip(np.fft.irfft(spectrum, len(narrow)), -1, 1)
    companded = np.sign(line) * np.log1p(255 * np.abs(line)) / np.log(256)
    companded = np.round(companded * 127) / 127
    line = np.sign(companded) * (256 ** np.abs(companded) - 1) / 255
    return resampled(line.astype(np.float32), TELEPHONE_RATE, SAMPLE_RATE)


def as_int16(samples: Samples) -> NDArray[np.int16]:
    """16-bit samples; too loud ones are clipped, as by a microphone."""
    import numpy as np

    return np.clip(np.round(samples * 32767), -32768, 32767).astype(np.int16)
