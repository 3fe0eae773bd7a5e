"""How loudly, and how late, a microphone hears what a loudspeaker plays: both swell and fade alike in their bands.

It needs no canceller: a delay that jumps, a loudspeaker that distorts and two clocks are nothing to it (C. Faller,
C. Tournery, "Robust acoustic echo control using a simple echo path model", 2006). It does not take the echo out, but
tells what cannot be an echo: sound that is louder than any echo of what was played just before (issue 49).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voicechess.sound.model import MODEL_RATE

Samples = npt.NDArray[np.float64]

WINDOW, STEP, BANDS = 512, 160, 16
STEP_MS = 1000 * STEP // MODEL_RATE
LOWEST_HZ, HIGHEST_HZ = 100.0, 7000.0

REMEMBERED_S = 16.0
"""So much of what was heard is kept: the longest utterance, and the silence that ends it."""

LATEST_STEPS = 80
"""The latest that an echo may come after it was played, in steps of 10 ms: sound servers hold up to half a second."""

FADES_DB = 1.0
"""A room's echo fades by no more than that each step: 60 dB in 0.6 s."""

SILENT_DB, AUDIBLE_DB = -60.0, -55.0
"""Of a band, of which a full-scale sine has about 40: the least, and what is played no more loudly leaves no echo."""

CHUNK = 50
"""The delay is looked for in pieces of so many steps: it may be another one in the next."""

CHUNKS = 10
"""By so many of the last pieces in which something was played it is known how loud the echo is; more forget a louder
loudspeaker later."""

LEAST_CHUNKS = 3
"""Before so many nothing is known: the first may lie before a late echo."""

LOUD, HIGH = 60.0, 70.0
"""Percentiles: the moments at which a band is played loudly, and of the gains at these the one taken. A higher one
takes more of a player's words for the program's, a lower one lets some of the program's pass."""

LOUDEST = 90.0
"""Percentile of the levels heard while something is played: about the level of its words. A higher one takes more of a
player's words for the program's."""

ALIKE = 0.6
"""What swells so much as what was played is its echo."""

OVER_DB = 6.0
"""What is so much louder than the echo expected is none: less takes the ups and downs of a room for somebody."""


def _bands() -> Samples:
    """The weight of each frequency in each of the bands, as wide as the ear has them, (BANDS, WINDOW // 2 + 1)."""
    hertz = np.fft.rfftfreq(WINDOW, 1 / MODEL_RATE)
    edges = 700 * np.expm1(np.linspace(np.log1p(LOWEST_HZ / 700), np.log1p(HIGHEST_HZ / 700), BANDS + 2))
    rising = (hertz - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - hertz) / np.diff(edges)[1:, None]
    weights: Samples = np.clip(np.minimum(rising, falling), 0, None)
    return weights


_WEIGHTS = _bands()
_SHAPE = np.hanning(WINDOW)


def loudness_db(values: Samples) -> Samples:
    """How loud each band of these samples, -1 to 1, is in each 10 ms, (steps, BANDS)."""
    if len(values) < WINDOW:
        return np.zeros((0, BANDS))
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW)[::STEP] * _SHAPE
    found: Samples = 10 * np.log10(np.abs(np.fft.rfft(windows)) ** 2 @ _WEIGHTS.T + 10 ** (SILENT_DB / 10))
    return found


def _level_db(bands_db: Samples, percentile: float) -> float:
    """How loud the louder of these steps are, (steps, BANDS)."""
    return float(np.percentile(10 * np.log10((10 ** (bands_db / 10)).sum(axis=1)), percentile))


@dataclass(frozen=True)
class _Chunk:
    """A piece of what was heard while something was played or its echo faded."""

    last: int  # its last step
    played_db: Samples  # (CHUNK, BANDS): what was played, at the delay that fits best
    gain_db: Samples  # (CHUNK, BANDS): how much louder the microphone heard it
    sounding_db: Samples  # (up to CHUNK, BANDS): heard in those steps in which something was just being played


class Coupling:
    """One loudspeaker, one microphone, both at `MODEL_RATE`, laid under one another so that no echo comes too early."""

    def __init__(self) -> None:
        self._rest = np.zeros((2, 0))
        kept = round(REMEMBERED_S * MODEL_RATE / STEP) + LATEST_STEPS
        silence = [np.full(BANDS, SILENT_DB)] * (LATEST_STEPS + CHUNK)
        self._heard: deque[Samples] = deque(silence, kept)  # in decibels by band, step by step
        self._played: deque[Samples] = deque(silence, kept)  # the same, fading as slowly as a room lets it
        self._sounding: deque[bool] = deque([False] * CHUNK, CHUNK)  # whether anything was played in the last steps
        self._steps = 0
        # Of an utterance as long as may be, those before it are still wanted.
        self._chunks: deque[_Chunk] = deque(maxlen=CHUNKS + kept // CHUNK)
        self.late_steps = 0
        """How much later than it was played the echo came lately, when that was last clear; 0 where there is none."""
        self._unclear = 0  # so many pieces in a row

    def take(self, heard: Samples, played: Samples) -> None:
        """The next samples of both, as many of each."""
        self._rest = np.concatenate([self._rest, (heard, played)], axis=1)
        count = max(0, (self._rest.shape[1] - WINDOW) // STEP + 1)
        if not count:
            return
        both = self._rest[:, : (count - 1) * STEP + WINDOW]
        self._rest = self._rest[:, count * STEP :]
        for heard_db, played_db in zip(loudness_db(both[0]), loudness_db(both[1]), strict=True):
            self._heard.append(heard_db)
            self._played.append(np.maximum(played_db, self._played[-1] - FADES_DB))
            self._sounding.append(bool(played_db.max() > AUDIBLE_DB))
            self._steps += 1
            if self._steps % CHUNK == 0:
                self._compare()

    def excess(self, began_ms: int, ended_ms: int) -> float | None:
        """Which share of what was heard then is no echo, whatever its delay: 0 to 1. `began_ms`, `ended_ms`: before
        now; what is not known yet is left out. Before the first pieces have told how loud an echo is: all, or nothing
        where it swells as what was played. None: it is too long ago."""
        first, last = (self._steps - max(0, before_ms // STEP_MS) for before_ms in (began_ms, ended_ms))
        begin = first - (self._steps - len(self._heard))
        end = begin + last - first
        if begin < LATEST_STEPS or end > len(self._heard) or end <= begin:
            return None
        played = np.array([self._played[at] for at in range(begin - LATEST_STEPS, end)])
        if played.max() <= AUDIBLE_DB:
            return 1.0
        gain_db = self._gain_db(first)
        if gain_db is None:
            return 0.0 if self._likeness(begin, end) > ALIKE else 1.0
        power = 10 ** (np.array([self._heard[at] for at in range(begin, end)]) / 10)
        expected = 10 ** ((played + gain_db + OVER_DB) / 10)
        late = np.lib.stride_tricks.sliding_window_view(expected, end - begin, axis=0).transpose(0, 2, 1)
        over = np.cumsum(np.where(power > late, power, 0.0).sum(axis=2), axis=1)  # by delay, step by step
        # The delay may jump within it: one until then, another from then on.
        least = over.min(axis=0) + (over[:, -1:] - over).min(axis=0)
        return float(least.min() / power.sum())

    def over_usual_db(self, began_ms: int, ended_ms: int) -> float:
        """How much louder what was heard then is than what is usually heard while something is being played, at any
        delay: an echo is as loud. What is heard when it is over is left out, for then the player answers (issue 49).
        Both times as in `excess`; infinity before anything was played."""
        first, last = (len(self._heard) - max(0, before_ms // STEP_MS) for before_ms in (began_ms, ended_ms))
        heard = [self._heard[at] for at in range(max(0, first), max(0, last))]
        known = [chunk for chunk in self._chunks if chunk.last <= self._steps - began_ms // STEP_MS][-CHUNKS:]
        usual = np.concatenate([np.zeros((0, BANDS)), *(chunk.sounding_db for chunk in known)])
        if not heard or not len(usual):
            return np.inf
        return _level_db(np.array(heard), HIGH) - _level_db(usual, LOUDEST)

    def _compare(self) -> None:
        """Lay the last piece over what was played before it."""
        end = len(self._heard)
        alike, late = self._over_played(end - CHUNK, end)
        if late.max() <= AUDIBLE_DB:
            return
        soonest = int(alike.argmax())
        if alike[soonest] > ALIKE:
            self.late_steps, self._unclear = LATEST_STEPS - soonest, 0
        else:  # a jump, or somebody speaks; after `CHUNKS` of those it is somebody's headphones
            self._unclear += 1
            self.late_steps = self.late_steps if self._unclear < CHUNKS else 0
        heard = np.array([self._heard[at] for at in range(end - CHUNK, end)])
        sounding = heard[np.array(self._sounding)]
        self._chunks.append(_Chunk(self._steps, late[soonest], heard - late[soonest], sounding))

    def _over_played(self, begin: int, end: int) -> tuple[Samples, Samples]:
        """How much what was heard in these steps swells as what was played, -1 to 1, and how loud that was: for each
        delay, the latest first."""
        heard = np.array([self._heard[at] for at in range(begin, end)])
        played = np.array([self._played[at] for at in range(begin - LATEST_STEPS, end)])
        late = np.lib.stride_tricks.sliding_window_view(played, end - begin, axis=0).transpose(0, 2, 1)
        swells, own = late - late.mean(axis=1, keepdims=True), heard - heard.mean(axis=0)
        size = np.sqrt((swells**2).sum(axis=(1, 2)) * (own**2).sum() + 1e-9)
        return (swells * own).sum(axis=(1, 2)) / size, late

    def _likeness(self, begin: int, end: int) -> float:
        """How much what was heard then and just before swells as what was played, at the delay that fits best."""
        alike, _ = self._over_played(max(LATEST_STEPS, begin - CHUNK), end)
        return float(alike.max())

    def _gain_db(self, before: int) -> Samples | None:
        """How much louder each band is heard than it was played, by the pieces that ended before this step."""
        known = [chunk for chunk in self._chunks if chunk.last <= before][-CHUNKS:]
        if len(known) < LEAST_CHUNKS:
            return None
        played = np.concatenate([chunk.played_db for chunk in known])
        gains = np.concatenate([chunk.gain_db for chunk in known])
        loud = played >= np.maximum(np.percentile(played, LOUD, axis=0), AUDIBLE_DB)
        return np.array(
            [
                np.percentile(gains[loud[:, band], band], HIGH) if loud[:, band].any() else -np.inf
                for band in range(BANDS)
            ]
        )
