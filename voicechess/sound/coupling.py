"""Acoustic coupling of loudspeaker and microphone: gain and delay of the echo, band by band.

It is estimated from band envelopes and needs no canceller: jumps of the delay, distortion and clock drift hardly matter
to envelopes (C. Faller, C. Tournery, "Robust acoustic echo control using a simple echo path model", 2006). It cancels
nothing, but sound louder than any echo the recent far end can cause is near-end speech (issue 49).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voicechess.sound.model import MODEL_RATE

Samples = npt.NDArray[np.float64]

WINDOW, STEP, BANDS = 512, 160, 16
"""Samples of an analysis window, samples between two windows (10 ms), and the number of frequency bands."""

STEP_MS = 1000 * STEP // MODEL_RATE

LOWEST_HZ, HIGHEST_HZ = 100.0, 7000.0
"""Frequency range of the bands."""

REMEMBERED_S = 16.0
"""Seconds of sound that are kept: the longest utterance and the silence that ends it. Larger: more memory."""

LATEST_STEPS = 80
"""Largest delay of an echo, in steps of 10 ms: sound servers hold up to half a second. Larger: later echoes are found,
more of the player's words look like one."""

DECAY_DB = 1.0
"""Decibels by which reverberation decays in a step, at most: 60 dB in 0.6 s. Smaller: more is taken for echo."""

SILENT_DB, AUDIBLE_DB = -60.0, -55.0
"""Band levels in decibels, where a full-scale sine has about 40: the floor, and the level below which the far end
leaves no audible echo. Larger: softer passages are ignored."""

CHUNK = 50
"""Steps (of 10 ms) over which one delay is estimated. Larger: more reliable, later after a jump."""

CHUNKS = 10
"""Chunks with far-end activity from which the gain is estimated. Larger: a loudspeaker that was turned down is
forgotten later."""

LEAST_CHUNKS = 3
"""Fewest chunks for a gain estimate: the first may precede a late echo. Larger: a later first estimate."""

LOUD_PERCENTILE, GAIN_PERCENTILE = 60.0, 70.0
"""Percentiles: of a band's far-end levels, above which its gain is measured; and of those gains, the one that is taken.
A larger gain takes more of the player's words for echo; a smaller one lets more echo through."""

USUAL_PERCENTILE = 90.0
"""Percentile of the microphone's levels during far-end activity, about that of the words in it. Larger: more of the
player's words are taken for echo."""

ECHO_CORRELATION = 0.6
"""Correlation of the envelopes, -1 to 1, at which a delay is accepted as that of an echo. Larger: fewer delays are
found."""

OVER_ECHO_DB = 6.0
"""Decibels above the predicted echo at which sound is near-end speech. Smaller: fluctuations of the room's response are
taken for speech."""


def _bands() -> Samples:
    """Weight of each frequency bin in each band, triangles on a mel-like scale, (BANDS, WINDOW // 2 + 1)."""
    hertz = np.fft.rfftfreq(WINDOW, 1 / MODEL_RATE)
    edges = 700 * np.expm1(np.linspace(np.log1p(LOWEST_HZ / 700), np.log1p(HIGHEST_HZ / 700), BANDS + 2))
    rising = (hertz - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - hertz) / np.diff(edges)[1:, None]
    weights: Samples = np.clip(np.minimum(rising, falling), 0, None)
    return weights


_WEIGHTS = _bands()
_SHAPE = np.hanning(WINDOW)


def band_levels_db(values: Samples) -> Samples:
    """Band levels in decibels of these samples (-1 to 1), (steps, BANDS)."""
    if len(values) < WINDOW:
        return np.zeros((0, BANDS))
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW)[::STEP] * _SHAPE
    found: Samples = 10 * np.log10(np.abs(np.fft.rfft(windows)) ** 2 @ _WEIGHTS.T + 10 ** (SILENT_DB / 10))
    return found


def _level_db(bands_db: Samples, percentile: float) -> float:
    """A percentile over the steps of the total level, from band levels of shape (steps, BANDS)."""
    return float(np.percentile(10 * np.log10((10 ** (bands_db / 10)).sum(axis=1)), percentile))


@dataclass(frozen=True)
class _Chunk:
    """`CHUNK` steps with far-end activity, or with its echo."""

    last: int  # index of its last step
    far_db: Samples  # (CHUNK, BANDS): far end at the best delay
    gain_db: Samples  # (CHUNK, BANDS): microphone minus that
    active_db: Samples  # (up to CHUNK, BANDS): microphone while the far end was active


class Coupling:
    """One loudspeaker, one microphone, both at `MODEL_RATE`, aligned so that no echo comes before its far end."""

    def __init__(self) -> None:
        self._rest = np.zeros((2, 0))
        kept = round(REMEMBERED_S * MODEL_RATE / STEP) + LATEST_STEPS
        silence = [np.full(BANDS, SILENT_DB)] * (LATEST_STEPS + CHUNK)
        self._mic: deque[Samples] = deque(silence, kept)  # band levels, one row a step
        self._far: deque[Samples] = deque(silence, kept)  # the same, with the slow decay of reverberation
        self._far_active: deque[bool] = deque([False] * CHUNK, CHUNK)  # in the last `CHUNK` steps
        self._steps = 0
        # The chunks before the longest utterance are still wanted.
        self._chunks: deque[_Chunk] = deque(maxlen=CHUNKS + kept // CHUNK)
        self.delay_steps = 0
        """Delay of the echo in steps, from the last reliable estimate; 0: no echo."""
        self._unclear = 0  # consecutive chunks without a reliable delay

    def take(self, mic: Samples, far: Samples) -> None:
        """Take the next samples of both signals, equally many."""
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
        """The share of the sound's power, 0 to 1, that exceeds the predicted echo at every delay; None: it is too long
        ago.

        `began_ms`, `ended_ms`: milliseconds before now; steps not analysed yet are left out. While the gain is unknown
        the share is 1, or 0 where the envelopes correlate with the far end's.
        """
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
        over = np.cumsum(np.where(power > delayed, power, 0.0).sum(axis=2), axis=1)  # (delays, steps)
        # The delay may jump once within the sound: one delay up to the jump, another from there on.
        least = over.min(axis=0) + (over[:, -1:] - over).min(axis=0)
        return float(least.min() / power.sum())

    def over_usual_db(self, began_ms: int, ended_ms: int) -> float:
        """Decibels by which the sound is louder than what is usually heard during far-end activity, at any delay, which
        is how loud echo is. Sound after it is left out, since then the player answers (issue 49). Times as in `excess`;
        infinity before any far-end activity."""
        first, last = (len(self._mic) - max(0, before_ms // STEP_MS) for before_ms in (began_ms, ended_ms))
        mic = [self._mic[at] for at in range(max(0, first), max(0, last))]
        known = [chunk for chunk in self._chunks if chunk.last <= self._steps - began_ms // STEP_MS][-CHUNKS:]
        usual = np.concatenate([np.zeros((0, BANDS)), *(chunk.active_db for chunk in known)])
        if not mic or not len(usual):
            return np.inf
        return _level_db(np.array(mic), GAIN_PERCENTILE) - _level_db(usual, USUAL_PERCENTILE)

    def correlation(self, began_ms: int, ended_ms: int) -> float:
        """Largest correlation, -1 to 1 over all delays, of the far end's envelopes with those of the sound and of what
        was heard just before it, regardless of level. Times as in `excess`."""
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
        else:  # a jump or double-talk; after `CHUNKS` of them, headphones
            self._unclear += 1
            self.delay_steps = self.delay_steps if self._unclear < CHUNKS else 0
        mic = np.array([self._mic[at] for at in range(end - CHUNK, end)])
        active = mic[np.array(self._far_active)]
        self._chunks.append(_Chunk(self._steps, delayed[best], mic - delayed[best], active))

    def _correlations(self, begin: int, end: int) -> tuple[Samples, Samples]:
        """For each delay, largest first: the correlation of the microphone's envelopes in these steps with the far
        end's, -1 to 1, and the far end's levels at that delay."""
        mic = np.array([self._mic[at] for at in range(begin, end)])
        far = np.array([self._far[at] for at in range(begin - LATEST_STEPS, end)])
        delayed = np.lib.stride_tricks.sliding_window_view(far, end - begin, axis=0).transpose(0, 2, 1)
        far_swing, mic_swing = delayed - delayed.mean(axis=1, keepdims=True), mic - mic.mean(axis=0)
        size = np.sqrt((far_swing**2).sum(axis=(1, 2)) * (mic_swing**2).sum() + 1e-9)
        return (far_swing * mic_swing).sum(axis=(1, 2)) / size, delayed

    def _best_correlation(self, begin: int, end: int) -> float:
        """The largest of these correlations, over these steps and those just before them."""
        correlations, _ = self._correlations(max(LATEST_STEPS, begin - CHUNK), end)
        return float(correlations.max())

    def _gain_db(self, before: int) -> Samples | None:
        """Gain of each band from far end to microphone in decibels, from the chunks that ended before this step; None:
        unknown."""
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
