"""Acoustic echo: cancelled from the microphone's signal, and told apart from the near end.

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
from voicechess.sound.far_end import BUFFER_SAMPLES, FarEnd
from voicechess.sound.model import MODEL_RATE
from voicechess.sound.pcm import Resampler

# --- Near end or echo ---
# Excess is the share of a word's power, 0 to 1, above the predicted echo (`Coupling.excess`). The player's words have 1
# without an echo and 0.4 at 5 dB above it.

SURE_EXCESS, CLEAR_EXCESS = 0.4, 0.2
"""Excess at which sound is certainly near-end speech (none of 3298 stretches of the program's own speech reach it), and
excess at which a word counts as clear (9 of those do; models/NOTES.md). Larger: fewer barge-ins, less echo let
through."""

GARBLED_EXCESS = 0.5
"""Excess up to which sound that fits no known words (`overhearing.GARBLED_FIT`) is echo, whatever the residual: all of
30 tuning words at 10 dB above the echo have more; few as loud as the echo fit so badly. Larger: as above."""

REPEATED_EXCESS = 0.65
"""The same for words that the program is saying. A player repeating them 10 dB above the echo has 0.66 to 0.86."""

FAR_OVER_USUAL_DB = 15.0
"""Decibels above the usual level during far-end activity at which nothing is echo, whatever the words. Larger: more is
taken for echo."""

AS_USUAL_DB = 6.0
"""Decibels above that level up to which garbled or repeated words are echo, whatever their excess. It is the only sign
of an echo later than the largest delay searched: a busy machine may hold sound for a second. Larger: more is taken for
echo."""

REPEATED_CORRELATION = 0.7
"""Correlation of the microphone's envelopes with the far end's, at any delay, at which garbled or repeated words are
echo however loud: a loudspeaker just turned up is far above its usual echo. Larger: less is taken for echo."""

MISALIGNED_EXCESS, MISALIGNED_MS = 0.9, 1_000
"""Milliseconds before a realignment in which the far end was misaligned and excess tells little; there, words that the
program was saying, and sound `AS_USUAL_DB` below the usual echo, are echo unless their excess is above the first value.
Larger: more is taken for echo after a stall."""

LEAST_RESIDUAL_DB, OVER_TYPICAL_DB = -13.0, 3.0
"""Least residual of a near-end word, in decibels: relative to the microphone, and above the echo's typical residual.
Echo leaves -50 to -15 dB where the path is well known, -5 in a room that rings longer than the filter. Larger: fewer
barge-ins, less echo let through."""

ECHO_CORRELATION_MIC = 0.85
"""Correlation of the microphone's envelopes with the far end's at which sound is echo, for an unknown path that leaves
all of it in the residual. Larger: more is taken for the player's."""

CLEAR_CORRELATION = 0.42
"""Correlation of the residual's envelopes with the far end's below which a clear word no louder than the typical
residual is near-end speech. Larger: more is taken for the player's."""

UNCLEAR_DB, UNCLEAR_CORRELATION = 8.0, 0.6
"""Decibels above the typical residual up to which an unclear word is echo if its envelopes have this correlation with
the far end's: a loudspeaker's distortion follows its signal. Larger: the first takes more for echo, the second less."""

LEAST_MS = 80
"""Shortest sound that is judged, milliseconds; anything shorter resembles everything and counts as echo."""

REVERB_MS = 300
"""Milliseconds of reverberation after the far end has ended: half of an RT60 of 0.6 s, 30 dB down. Larger: cancellation
lasts longer, at its latency."""

MOST_JUMPS = 20
"""Delay jumps that are remembered; each takes 0.4 s at least."""


def _samples(pcm: bytes | bytearray) -> Samples:
    """16-bit PCM as floats from -1 to 1."""
    values: Samples = np.frombuffer(pcm, dtype="<i2") / 32768
    return values


def _mean_db(loudness: Samples) -> float:
    """Mean level in decibels over all bands and steps."""
    return 10 * math.log10(float((10 ** (loudness / 10)).mean()))


def _correlation(one: Samples, other: Samples) -> float:
    """Correlation of two sets of envelopes, -1 to 1, over all bands; 0 where one is constant."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / size if size else 0.0


def _best_correlation(one: Samples, before: Samples) -> float:
    """The largest correlation with an equally long stretch of `before`; 1 where that is shorter."""
    return max((_correlation(one, before[at : at + len(one)]) for at in range(len(before) - len(one) + 1)), default=1.0)


class Echo:
    """The echo of one loudspeaker in one microphone. `played` is for the loudspeaker's thread, all else for the
    microphone's."""

    def __init__(self) -> None:
        self._canceller, self._suppressor, self._coupling = Canceller(), ResidualSuppressor(), Coupling()
        self._far_end = FarEnd()
        self._microphone: Resampler | None = None
        self._microphone_rate = 0
        self._near = b""  # microphone samples waiting for their far end, at `MODEL_RATE`
        self._paired = (b"", b"")  # microphone and far end, aligned, less than a hop
        # Microphone, far end and residual; the residual lags by `LATENCY`.
        self._history = (bytearray(2 * LATENCY), bytearray(2 * LATENCY), bytearray())
        self._ended_ms = self._heard_ms = 0  # times of the last sample of residual and microphone
        self.heard = 0
        """Microphone samples so far, at `MODEL_RATE`: the end of what `recent` can return."""
        self._echo_end = 0  # sample at which the last echo ended
        self._hops = 0  # total
        self._jumps: deque[tuple[int, int]] = deque(maxlen=MOST_JUMPS)  # first and last hop of a wrong path

    def played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """Called with each buffer handed to the loudspeaker, silence included: 16-bit mono. Empty: the device discards
        what it held."""
        self._far_end.played(pcm, rate, at_ms)

    def cleaned(self, block: Block, rate: int) -> Block:
        """The next microphone block with the echo cancelled, at `MODEL_RATE` and delayed. It needs every block, since
        the filter adapts to continuous sound. Raises `SoundError` where a library is missing."""
        begins = rate != self._microphone_rate
        if self._microphone is None or begins:
            self._microphone, self._microphone_rate = Resampler(rate, MODEL_RATE), rate
            self._near, self._paired = bytes(2 * BUFFER_SAMPLES), (b"", b"")
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
        """Sample up to which echo has been cancelled."""
        return self.heard - len(self._near) // 2 - len(self._paired[0]) // 2 - LATENCY

    def sample_at(self, at_ms: int) -> int:
        """The microphone sample at that time."""
        return self.heard - MODEL_RATE * (self._heard_ms - at_ms) // 1000

    def time_of(self, sample: int) -> int:
        """The time of this sample of the microphone, milliseconds."""
        return self._heard_ms - 1000 * (self.heard - sample) // MODEL_RATE

    @property
    def echo_end(self) -> int:
        """Sample at which the far end's echo ended, by the estimated delay."""
        return self._echo_end

    @property
    def may_echo(self) -> bool:
        """Whether there may be echo at `cleaned_to`."""
        return self.cleaned_to < self._reverb_end

    @property
    def ended_ms(self) -> int:
        """When the echo has died away, by the estimated delay; milliseconds in the blocks' time."""
        return self.time_of(self._reverb_end)

    @property
    def _reverb_end(self) -> int:
        return self._echo_end + MODEL_RATE * REVERB_MS // 1000

    def recent(self, first: int, clean: bool) -> Block:
        """The microphone from this sample on; `clean`: with the echo cancelled."""
        heard, _, left = self._history
        sound, end = (left, self.cleaned_to) if clean else (heard + self._paired[0] + self._near, self.heard)
        ended_ms = self.time_of(end)
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
        occurs: bool = False,
    ) -> bool | None:
        """Whether a word between these times (of the blocks) is the program's own speech; None: undecided, since the
        far end has been active for too short a time.

        `clear`: the residual fits its words well. `garbled`: it fits no words. `repeats`: the program was saying these
        words. `occurs`: a single word that occurs in what it was saying, and which a player may say as well.
        """
        if ended_ms - began_ms < LEAST_MS:
            return True
        now_ms = self._ended_ms + 1000 * LATENCY // MODEL_RATE  # the time up to which both have been compared
        excess = self._coupling.excess(now_ms - began_ms, now_ms - ended_ms)
        if excess is None:
            return None if self._is_residual_echo(began_ms, ended_ms, clear) else False
        misaligned = any(began_ms < at_ms and ended_ms > at_ms - MISALIGNED_MS for at_ms in self._far_end.realigned_ms)
        over_usual_db = self._coupling.over_usual_db(now_ms - began_ms, now_ms - ended_ms)
        own = (
            (garbled and excess < GARBLED_EXCESS)
            or (misaligned and excess < MISALIGNED_EXCESS and (repeats or occurs or over_usual_db < -AS_USUAL_DB))
            or ((repeats or occurs) and excess < REPEATED_EXCESS)
            or ((repeats or (garbled and excess < 1)) and over_usual_db < AS_USUAL_DB)
        )
        may_repeat = repeats or garbled or (occurs and over_usual_db < AS_USUAL_DB)
        if may_repeat and self._coupling.correlation(now_ms - began_ms, now_ms - ended_ms) > REPEATED_CORRELATION:
            return True
        if own and over_usual_db <= FAR_OVER_USUAL_DB:  # headset users repeat a question's words at once
            return True
        return excess < SURE_EXCESS and self._is_residual_echo(began_ms, ended_ms, clear or excess >= CLEAR_EXCESS)

    def _is_residual_echo(self, began_ms: int, ended_ms: int, clear: bool) -> bool:
        """Whether the residual is within what echo leaves, or the delay jumped within it."""
        heard, played, left = self._history
        count = len(left) // 2
        first, last = (count - MODEL_RATE * (self._ended_ms - at_ms) // 1000 for at_ms in (began_ms, ended_ms))
        if first < 0 or last > count:
            return True
        first_hop, last_hop = ((self._hops * HOP - len(heard) // 2 + at) // HOP for at in (first, last))
        if any(first_hop <= found and last_hop >= lost for lost, found in self._jumps):
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
        """Cancel the echo in all whole hops available."""
        near, far = self._paired[0] + near, self._paired[1] + far
        whole = len(near) // (2 * HOP) * 2 * HOP
        self._paired = near[whole:], far[whole:]
        heard, played = _samples(near[:whole]), _samples(far[:whole])
        self._coupling.take(heard, played)
        loud = np.flatnonzero((played**2).reshape(-1, HOP).mean(axis=1) > FAR_END_ACTIVE)
        if len(loud):
            end = self.heard - len(self._near) // 2 - len(self._paired[0]) // 2 - whole // 2 + HOP * (int(loud[-1]) + 1)
            self._echo_end = end + self._coupling.delay_steps * STEP
        clean = []
        for first in range(0, whole // 2, HOP):
            left, echo = self._canceller.hop(heard[first : first + HOP], played[first : first + HOP])
            self._far_end.drift.correct(-self._canceller.drift)
            self._far_end.drift.is_followed = self._canceller.follows
            clean.append(self._suppressor.hop(left, echo, self._canceller.far_end_active))
            self._hops += 1
            if self._canceller.diverged_hops:
                self._jumps.append((self._hops - self._canceller.diverged_hops, self._hops))
        values = np.rint(32768 * np.concatenate([np.zeros(0), *clean]))
        made = bytes(np.clip(values, -32768, 32767).astype("<i2").tobytes())
        for history, new in zip(self._history, (near[:whole], far[:whole], made), strict=True):
            history.extend(new)
        old = max(0, len(self._history[2]) - 2 * round(REMEMBERED_S * MODEL_RATE))
        for history in self._history:
            del history[:old]
        return made
