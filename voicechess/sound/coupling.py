"""The coupling of loudspeaker and microphone: how loud, and how late, an echo is, band by band.

No canceller is needed for it: jumps of the delay, distortion and clock drift hardly matter to envelopes (C. Faller,
C. Tournery, "Robust acoustic echo control using a simple echo path model", 2006). It cancels nothing, but tells what
cannot be echo: sound louder than any echo of the far end just before (issue 49).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voicechess.sound.model import MODEL_RATE

Samples = npt.NDArray[np.float64]

WINDOW, STEP, BANDS = 512, 160, 16
"""Samples of an analysis window and between two, and the number of bands."""

STEP_MS = 1000 * STEP // MODEL_RATE

LOWEST_HZ, HIGHEST_HZ = 100.0, 7000.0
"""Range of the bands."""

REMEMBERED_S = 16.0
"""Seconds of sound that are kept: the longest utterance, and the silence that ends it."""

LATEST_STEPS = 80
"""Largest delay of an echo, in steps of 10 ms: sound servers hold up to half a second. Larger: later echoes are found,
more of the player's words look like one."""

DECAY_DB = 1.0
"""Decibels by which reverberation decays in a step, at most: 60 dB in 0.6 s. Smaller: more is taken for echo."""

SILENT_DB, AUDIBLE_DB = -60.0, -55.0
"""Levels of a band, of which a full-scale sine has about 40: the lowest, and the one below which the far end leaves no
echo."""

CHUNK = 50
"""Steps over which one delay is estimated. Larger: surer, later after a jump."""

CHUNKS = 10
"""Chunks with far-end activity from which the gain is estimated. Larger: a loudspeaker that was turned down is
forgotten later."""

LEAST_CHUNKS = 3
"""Chunks before which no gain is known: the first may lie before a late echo."""

LOUD_PERCENTILE, GAIN_PERCENTILE = 60.0, 70.0
"""Percentiles: of a band's far-end levels, above which its gain is measured; and of those gains, the one taken. A
larger gain: more of the player's words are taken for the program's; a smaller one: some of the program's pass."""

USUAL_PERCENTILE = 90.0
"""Percentile of the levels heard during far-end activity: about that of its words. Larger: more of the player's words
are taken for the program's."""

ECHO_CORRELATION = 0.6
"""Correlation of the envelopes, -1 to 1, that makes an echo. Larger: delays are found more rarely."""

OVER_ECHO_DB = 6.0
"""Decibels above the expected echo from which on sound is none. Smaller: the fluctuations of a room are taken for
somebody."""


def _bands() -> Samples:
    """The weight of each bin in each band, mel-like triangles, (BANDS, WINDOW // 2 + 1)."""
    hertz = np.fft.rfftfreq(WINDOW, 1 / MODEL_RATE)
    edges = 700 * np.expm1(np.linspace(np.log1p(LOWEST_HZ / 700), np.log1p(HIGHEST_HZ / 700), BANDS + 2))
    rising = (hertz - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - hertz) / np.diff(edges)[1:, None]
    weights: Samples = np.clip(np.minimum(rising, falling), 0, None)
    return weights


_WEIGHTS = _bands()
_SHAPE = np.hanning(WINDOW)


def band_levels_db(values: Samples) -> Samples:
    """The level of each band of these samples, -1 to 1, in each step, decibels, (steps, BANDS)."""
    if len(values) < WINDOW:
        return np.zeros((0, BANDS))
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW)[::STEP] * _SHAPE
    found: Samples = 10 * np.log10(np.abs(np.fft.rfft(windows)) ** 2 @ _WEIGHTS.T + 10 ** (SILENT_DB / 10))
    return found


def _level_db(bands_db: Samples, percentile: float) -> float:
    """A percentile of the levels of these steps over all bands, (steps, BANDS)."""
    return float(np.percentile(10 * np.log10((10 ** (bands_db / 10)).sum(axis=1)), percentile))


@dataclass(frozen=True)
class _Chunk:
    """`CHUNK` steps with far-end activity, or its echo."""

    last: int  # number of its last step
    far_db: Samples  # (CHUNK, BANDS): the far end, at the delay that fits best
    gain_db: Samples  # (CHUNK, BANDS): the microphone over that
    active_db: Samples  # (up to CHUNK, BANDS): the microphone in those steps in which the far end was active


class Coupling:
    """One loudspeaker, one microphone, both at `MODEL_RATE`, aligned so that no echo comes before its far end."""

    def __init__(self) -> None:
        self._rest = np.zeros((2, 0))
        kept = round(REMEMBERED_S * MODEL_RATE / STEP) + LATEST_STEPS
        silence = [np.full(BANDS, SILENT_DB)] * (LATEST_STEPS + CHUNK)
        self._mic: deque[Samples] = deque(silence, kept)  # band levels, step by step
        self._far: deque[Samples] = deque(silence, kept)  # the same, decaying as slowly as a room lets it
        self._far_active: deque[bool] = deque([False] * CHUNK, CHUNK)  # in the last steps
        self._steps = 0
        # The chunks before the longest utterance are still wanted.
        self._chunks: deque[_Chunk] = deque(maxlen=CHUNKS + kept // CHUNK)
        self.delay_steps = 0
        """Delay of the echo when it was last clear; 0: there is none."""
        self._unclear = 0  # chunks in a row without a clear delay

    def take(self, mic: Samples, far: Samples) -> None:
        """The next samples of both, as many of each."""
        self._rest = np.concatenate([self._rest, (mic, far)], axis=1)
        count = max(0, (self._rest.shape[1] - WINDOW) // STEP + 1)
        if not count:
            return
        both = self._rest[:, : (count - 1) * STEP + WINDOW]
        self._rest = self._rest[:, count * STEP :]
        for mic_db, far_db in zip(band_levels_db(both[0]), band_levels_db(both[1]), strict=True):
            self._mic.append(mic_db)
            self._far.append(np.maximum(far_db, self._far[-1] - DECAY_DB))
            self._far_active.append(bool(far_db.max() > AUDIBLE_DB))
            self._steps += 1
            if self._steps % CHUNK == 0:
                self._compare()

    def excess(self, began_ms: int, ended_ms: int) -> float | None:
        """The share of the sound's power, 0 to 1, that is no echo whatever its delay; None: it is too long ago.

        `began_ms`, `ended_ms`: before now; what is not known yet is left out. While the gain is not known: all of it,
        or nothing where its envelope is the far end's."""
        first, last = (self._steps - max(0, before_ms // STEP_MS) for before_ms in (began_ms, ended_ms))
        begin = first - (self._steps - len(self._mic))
        end = begin + last - first
        if begin < LATEST_STEPS or end > len(self._mic) or end <= begin:
            return None
        far = np.array([self._far[at] for at in range(begin - LATEST_STEPS, end)])
        if far.max() <= AUDIBLE_DB:
            return 1.0
        gain_db = self._gain_db(first)
        if gain_db is None:
            return 0.0 if self._best_correlation(begin, end) > ECHO_CORRELATION else 1.0
        power = 10 ** (np.array([self._mic[at] for at in range(begin, end)]) / 10)
        expected = 10 ** ((far + gain_db + OVER_ECHO_DB) / 10)
        delayed = np.lib.stride_tricks.sliding_window_view(expected, end - begin, axis=0).transpose(0, 2, 1)
        over = np.cumsum(np.where(power > delayed, power, 0.0).sum(axis=2), axis=1)  # by delay, step by step
        # The delay may jump within it: one until then, another from then on.
        least = over.min(axis=0) + (over[:, -1:] - over).min(axis=0)
        return float(least.min() / power.sum())

    def over_usual_db(self, began_ms: int, ended_ms: int) -> float:
        """How much louder the sound is, in decibels, than what is usually heard during far-end activity, at any delay:
        an echo is as loud. What is heard after it is left out, for then the player answers (issue 49). Both times as in
        `excess`; infinity before any far-end activity."""
        first, last = (len(self._mic) - max(0, before_ms // STEP_MS) for before_ms in (began_ms, ended_ms))
        mic = [self._mic[at] for at in range(max(0, first), max(0, last))]
        known = [chunk for chunk in self._chunks if chunk.last <= self._steps - began_ms // STEP_MS][-CHUNKS:]
        usual = np.concatenate([np.zeros((0, BANDS)), *(chunk.active_db for chunk in known)])
        if not mic or not len(usual):
            return np.inf
        return _level_db(np.array(mic), GAIN_PERCENTILE) - _level_db(usual, USUAL_PERCENTILE)

    def correlation(self, began_ms: int, ended_ms: int) -> float:
        """How much the envelopes of the sound, and of what was heard just before it, are those of the far end at one
        delay, -1 to 1, however loud both are. Both times as in `excess`."""
        first, last = (len(self._mic) - max(0, before_ms // STEP_MS) for before_ms in (began_ms, ended_ms))
        return self._best_correlation(first, last) if last > LATEST_STEPS else 0.0

    def _compare(self) -> None:
        """Estimate the delay of the last chunk, and its gain at that delay."""
        end = len(self._mic)
        correlations, delayed = self._correlations(end - CHUNK, end)
        if delayed.max() <= AUDIBLE_DB:
            return
        best = int(correlations.argmax())
        if correlations[best] > ECHO_CORRELATION:
            self.delay_steps, self._unclear = LATEST_STEPS - best, 0
        else:  # a jump, or somebody speaks; after `CHUNKS` of those it is somebody's headphones
            self._unclear += 1
            self.delay_steps = self.delay_steps if self._unclear < CHUNKS else 0
        mic = np.array([self._mic[at] for at in range(end - CHUNK, end)])
        active = mic[np.array(self._far_active)]
        self._chunks.append(_Chunk(self._steps, delayed[best], mic - delayed[best], active))

    def _correlations(self, begin: int, end: int) -> tuple[Samples, Samples]:
        """For each delay, the largest first: the correlation of the microphone's envelopes in these steps with the far
        end's, -1 to 1, and the far end's levels."""
        mic = np.array([self._mic[at] for at in range(begin, end)])
        far = np.array([self._far[at] for at in range(begin - LATEST_STEPS, end)])
        delayed = np.lib.stride_tricks.sliding_window_view(far, end - begin, axis=0).transpose(0, 2, 1)
        far_swing, mic_swing = delayed - delayed.mean(axis=1, keepdims=True), mic - mic.mean(axis=0)
        size = np.sqrt((far_swing**2).sum(axis=(1, 2)) * (mic_swing**2).sum() + 1e-9)
        return (far_swing * mic_swing).sum(axis=(1, 2)) / size, delayed

    def _best_correlation(self, begin: int, end: int) -> float:
        """The largest of these correlations, of what was heard then and just before."""
        correlations, _ = self._correlations(max(LATEST_STEPS, begin - CHUNK), end)
        return float(correlations.max())

    def _gain_db(self, before: int) -> Samples | None:
        """The gain of each band from far end to microphone, by the chunks that ended before this step; None: not
        known."""
        known = [chunk for chunk in self._chunks if chunk.last <= before][-CHUNKS:]
        if len(known) < LEAST_CHUNKS:
            return None
        far = np.concatenate([chunk.far_db for chunk in known])
        gains = np.concatenate([chunk.gain_db for chunk in known])
        loud = far >= np.maximum(np.percentile(far, LOUD_PERCENTILE, axis=0), AUDIBLE_DB)
        return np.array(
            [
                np.percentile(gains[loud[:, band], band], GAIN_PERCENTILE) if loud[:, band].any() else -np.inf
                for band in range(BANDS)
            ]
        )
