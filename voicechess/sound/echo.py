"""Acoustic echo: cancelled from the microphone's sound, and told from the near end.

The far end comes aligned with the microphone (`far_end`). Sound is the program's own speech where its envelopes are the
far end's, or where most of it was cancelled and the residual holds no clear word with envelopes of its own.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from voicechess.sound.canceller import FAR_END_ACTIVE, HOP, LATENCY, Canceller, ResidualSuppressor, Samples
from voicechess.sound.coupling import LATEST_STEPS, REMEMBERED_S, STEP, Coupling, band_levels_db
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.far_end import HELD, FarEnd
from voicechess.sound.model import MODEL_RATE
from voicechess.sound.pcm import Resampler

# --- Near end or echo ---
# An excess is the share of a word's power, 0 to 1, that is no echo whatever its delay (`Coupling.excess`). Of the
# player's words all is excess without an echo, 0.4 at 5 dB over it.

SURE_EXCESS, CLEAR_EXCESS = 0.4, 0.2
"""Excess that no echo has (none of 3298 stretches of the program's own speech), and one from which on a word counts as
clear (9 of those; models/NOTES.md). Larger: fewer barge-ins, fewer of the program's words."""

GARBLED_EXCESS = 0.5
"""Excess up to which sound that fits no words of ours (`overhearing.GARBLED_FIT`) is echo, whatever the canceller has
left: all of 30 tuning words at 10 dB over the echo have more; few as loud as the echo fit so badly. Larger: as
above."""

REPEATED_EXCESS = 0.65
"""The same for words that the program is saying: of a player who repeats them, at 10 dB over the echo, 0.66 to 0.86."""

FAR_OVER_USUAL_DB = 15.0
"""Decibels above what is usually heard during far-end activity from which on nothing is echo, whatever the words are.
Larger: more is taken for the program's own."""

AS_USUAL_DB = 6.0
"""Decibels above that up to which garbled or repeated words are echo, whatever their excess. An echo later than any
that is looked for tells itself by this alone: a busy machine may hold sound for a second. Larger: as above."""

REPEATED_CORRELATION = 0.7
"""Correlation of the microphone's envelopes with the far end's, at one delay, from which on garbled or repeated words
are the program's own however loud they are: a loudspeaker that was turned up is far over its usual echo. Larger: fewer
of the program's words."""

MISALIGNED_EXCESS, MISALIGNED_MS = 0.9, 1_000
"""In so many milliseconds before a realignment the alignment was wrong and excess tells little: words that the program
was saying, and what is `AS_USUAL_DB` softer than the usual echo, are its own unless theirs is above this. Larger: more
is taken for the program's own after a stall."""

LEAST_RESIDUAL_DB, OVER_TYPICAL_DB = -13.0, 3.0
"""Residual that a word of the player's has at least: over the microphone, in decibels, and over the typical residual of
the echo: -15 to -50 dB where the echo path is known well, -5 in a room that rings longer than the filter. Larger: fewer
barge-ins, fewer of the program's words."""

ECHO_CORRELATION_MIC = 0.85
"""Correlation of the microphone's envelopes with the far end's that makes an echo, where the path is not known and all
of it is left. Larger: more is taken for the player's."""

CLEAR_CORRELATION = 0.42
"""Correlation of the residual's envelopes with the far end's below which a clear word no louder than the typical
residual is the player's. Larger: more is taken for the player's."""

UNCLEAR_DB, UNCLEAR_CORRELATION = 8.0, 0.6
"""Decibels over the typical residual up to which a word that is not clear is echo if its envelopes correlate this much
with the far end's: a loudspeaker's distortion comes and goes with it."""

LEAST_MS = 80
"""Milliseconds: anything shorter may resemble anything, and counts as the program's."""

REVERB_MS = 300
"""Milliseconds for which a room rings when the far end is over: by then 30 dB are gone where 60 take 0.6 s."""

MOST_JUMPS = 20
"""Jumps of the delay that are remembered; each takes 0.4 s at least."""


def _samples(pcm: bytes | bytearray) -> Samples:
    """16-bit sound as numbers from -1 to 1."""
    values: Samples = np.frombuffer(pcm, dtype="<i2") / 32768
    return values


def _mean_db(loudness: Samples) -> float:
    """The mean level of all bands and steps."""
    return 10 * math.log10(float((10 ** (loudness / 10)).mean()))


def _correlation(one: Samples, other: Samples) -> float:
    """Correlation of two envelopes, -1 to 1, over all bands; 0 where one is constant."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / size if size else 0.0


def _best_correlation(one: Samples, before: Samples) -> float:
    """The largest correlation with as many steps of `before`; 1 where it has fewer."""
    return max((_correlation(one, before[at : at + len(one)]) for at in range(len(before) - len(one) + 1)), default=1.0)


class Echo:
    """One loudspeaker, one microphone. `played` is for the loudspeaker's thread, all else for the microphone's."""

    def __init__(self) -> None:
        self._canceller, self._suppressor, self._coupling = Canceller(), ResidualSuppressor(), Coupling()
        self._far_end = FarEnd()
        self._microphone: Resampler | None = None
        self._microphone_rate = 0
        self._near = b""  # the microphone's sound that waits, at `MODEL_RATE`
        self._paired = (b"", b"")  # both, aligned, less than a hop
        # The microphone, the far end, and the residual, which is late by `LATENCY`.
        self._lately = (bytearray(2 * LATENCY), bytearray(2 * LATENCY), bytearray())
        self._ended_ms = self._heard_ms = 0  # times of the last sample of the residual, and of the microphone
        self.heard = 0
        """Samples of the microphone so far, at `MODEL_RATE`: the end of all that `kept` knows."""
        self._over = 0  # the sample at which the echo of the last far end was over
        self._hops = 0  # in all
        self._jumps: deque[tuple[int, int]] = deque(maxlen=MOST_JUMPS)  # from and to which hop the path was wrong

    def played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """The loudspeaker has been handed this, silence as well: 16-bit mono. Nothing: it drops what it held."""
        self._far_end.played(pcm, rate, at_ms)

    def cleaned(self, block: Block, rate: int) -> Block:
        """The microphone's next block without echo, at `MODEL_RATE`, a little late. Every block is wanted: the filter
        adapts to sound without gaps. Raises `SoundError` where a library is missing."""
        begins = rate != self._microphone_rate
        if self._microphone is None or begins:
            self._microphone, self._microphone_rate = Resampler(rate, MODEL_RATE), rate
            self._near, self._paired = bytes(2 * HELD), (b"", b"")
        heard = self._microphone.push(block.pcm)
        self.heard += len(heard) // 2
        self._far_end.take(block.ended_ms, len(heard) / 2 / MODEL_RATE)
        self._near += heard
        far = self._far_end.aligned(len(self._near) // 2, len(heard) // 2, begins, block.ended_ms)
        near, self._near = self._near[: len(far)], self._near[len(far) :]
        clean = self._cancelled(near, far)
        self._heard_ms = block.ended_ms - round(self._microphone.lag_ms)
        self._ended_ms = self._heard_ms - 1000 * (self.heard - self.cleaned_to) // MODEL_RATE
        return Block(clean, self._ended_ms)

    # --- The last seconds, counted in samples at `MODEL_RATE` ---

    @property
    def cleaned_to(self) -> int:
        """The sample up to which echo has been cancelled."""
        return self.heard - len(self._near) // 2 - len(self._paired[0]) // 2 - LATENCY

    def sample_at(self, at_ms: int) -> int:
        """The sample that was heard then."""
        return self.heard - MODEL_RATE * (self._heard_ms - at_ms) // 1000

    @property
    def over(self) -> int:
        """The sample at which the echo of the far end was over, as far as its delay is known."""
        return self._over

    @property
    def lasts(self) -> bool:
        """Whether echo may last at `cleaned_to`."""
        return self.cleaned_to < self._over + MODEL_RATE * REVERB_MS // 1000

    def kept(self, first: int, clean: bool) -> Block:
        """The microphone from this sample on; `clean`: without echo."""
        heard, _, left = self._lately
        sound, end = (left, self.cleaned_to) if clean else (heard + self._paired[0] + self._near, self.heard)
        ended_ms = self._heard_ms - 1000 * (self.heard - end) // MODEL_RATE
        count = max(0, min(end - first, len(sound) // 2))
        return Block(bytes(sound[len(sound) - 2 * count :]), ended_ms)

    # --- Near end or echo ---

    def is_own(
        self,
        began_ms: int,
        ended_ms: int,
        clear: bool = False,
        garbled: bool = False,
        repeats: bool = False,
        stands: bool = False,
    ) -> bool | None:
        """Whether a word between these times, of the blocks, is the program's own; None: it may be, but the far end was
        active for too short a time to tell. `clear`: the residual fits its words well; `garbled`: it fits none;
        `repeats`: the program was saying these words; `stands`: this one, which a player may say as well."""
        if ended_ms - began_ms < LEAST_MS:
            return True
        now_ms = self._ended_ms + 1000 * LATENCY // MODEL_RATE  # to which both have been compared
        excess = self._coupling.excess(now_ms - began_ms, now_ms - ended_ms)
        if excess is None:
            return None if self._is_residual_echo(began_ms, ended_ms, clear) else False
        misaligned = any(began_ms < at_ms and ended_ms > at_ms - MISALIGNED_MS for at_ms in self._far_end.realigned_ms)
        over_usual_db = self._coupling.over_usual_db(now_ms - began_ms, now_ms - ended_ms)
        own = (
            (garbled and excess < GARBLED_EXCESS)
            or (misaligned and excess < MISALIGNED_EXCESS and (repeats or stands or over_usual_db < -AS_USUAL_DB))
            or ((repeats or stands) and excess < REPEATED_EXCESS)
            or ((repeats or (garbled and excess < 1)) and over_usual_db < AS_USUAL_DB)
        )
        may_repeat = repeats or garbled or (stands and over_usual_db < AS_USUAL_DB)
        if may_repeat and self._coupling.correlation(now_ms - began_ms, now_ms - ended_ms) > REPEATED_CORRELATION:
            return True
        if own and over_usual_db <= FAR_OVER_USUAL_DB:  # with a headset a question's words are repeated at once
            return True
        return excess < SURE_EXCESS and self._is_residual_echo(began_ms, ended_ms, clear or excess >= CLEAR_EXCESS)

    def _is_residual_echo(self, began_ms: int, ended_ms: int, clear: bool) -> bool:
        """Whether its residual is no more than an echo's may be, or the delay has jumped within it."""
        heard, played, left = self._lately
        count = len(left) // 2
        first, last = (count - MODEL_RATE * (self._ended_ms - at_ms) // 1000 for at_ms in (began_ms, ended_ms))
        if first < 0 or last > count:
            return True
        begun, over = ((self._hops * HOP - len(heard) // 2 + at) // HOP for at in (first, last))
        if any(begun <= found and over >= lost for lost, found in self._jumps):
            return True
        mic_db, rest_db = (band_levels_db(_samples(one[2 * first : 2 * last])) for one in (heard, left))
        residual_db = _mean_db(rest_db) - _mean_db(mic_db)
        over_db = residual_db - self._suppressor.typical_db
        if residual_db < LEAST_RESIDUAL_DB or (over_db < OVER_TYPICAL_DB and not clear):
            return True
        earliest = max(0, first - LATEST_STEPS * STEP)
        before = band_levels_db(_samples(played[2 * earliest : 2 * last]))
        if _best_correlation(mic_db, before) > ECHO_CORRELATION_MIC:
            return True
        if over_db < OVER_TYPICAL_DB:
            return _best_correlation(rest_db, before) >= CLEAR_CORRELATION
        return over_db < UNCLEAR_DB and not clear and _best_correlation(rest_db, before) >= UNCLEAR_CORRELATION

    def _cancelled(self, near: bytes, far: bytes) -> bytes:
        """As many whole hops as there are, without echo."""
        near, far = self._paired[0] + near, self._paired[1] + far
        whole = len(near) // (2 * HOP) * 2 * HOP
        self._paired = near[whole:], far[whole:]
        heard, played = _samples(near[:whole]), _samples(far[:whole])
        self._coupling.take(heard, played)
        loud = np.flatnonzero((played**2).reshape(-1, HOP).mean(axis=1) > FAR_END_ACTIVE)
        if len(loud):
            end = self.heard - len(self._near) // 2 - len(self._paired[0]) // 2 - whole // 2 + HOP * (int(loud[-1]) + 1)
            self._over = end + self._coupling.delay_steps * STEP
        clean = []
        for first in range(0, whole // 2, HOP):
            left, echo = self._canceller.hop(heard[first : first + HOP], played[first : first + HOP])
            self._far_end.drift.correct(-self._canceller.drift)
            clean.append(self._suppressor.hop(left, echo, self._canceller.far_end_active))
            self._hops += 1
            if self._canceller.diverged_hops:
                self._jumps.append((self._hops - self._canceller.diverged_hops, self._hops))
        values = np.rint(32768 * np.concatenate([np.zeros(0), *clean]))
        made = bytes(np.clip(values, -32768, 32767).astype("<i2").tobytes())
        for kept, new in zip(self._lately, (near[:whole], far[:whole], made), strict=True):
            kept.extend(new)
        old = max(0, len(self._lately[2]) - 2 * round(REMEMBERED_S * MODEL_RATE))
        for kept in self._lately:
            del kept[:old]
        return made
