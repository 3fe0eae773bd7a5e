"""Acoustic echo cancellation: the loudspeaker's signal (far end) is removed from the microphone's.

The echo path is estimated by a partitioned-block frequency-domain adaptive Kalman filter (G. Enzner, P. Vary,
"Frequency-domain adaptive Kalman filter for acoustic echo control in hands-free telephones", 2006; F. Kuech et al.,
"State-space architecture of the partitioned-block-based acoustic echo controller", 2014): long tails at low latency.
Its step size drops by itself in double-talk, so the near end is left as it is.

A linear filter cannot model a loudspeaker's distortion. That residual echo is suppressed: band by band where it
dominates, and as a whole while the near end is silent.
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import numpy.typing as npt

from voicechess.sound.model import MODEL_RATE

Samples = npt.NDArray[np.float64]

# --- The filter ---

HOP = 256
"""Samples a block, 16 ms at `MODEL_RATE`. Larger: less computing, more latency."""

PARTITIONS = 40
"""Blocks of the filter: a tail of 640 ms for device latency and reverberation. Larger: longer tails, more computing."""

FORGETTING_FACTOR = 0.9995
"""Forgetting factor of the echo path per hop, 0 to 1. Smaller: it tracks changes faster and converges less far."""

INITIAL_VARIANCE = 0.1
"""Variance of each tap before anything was learnt; device gains are about one. Larger: larger first steps."""

FAR_END_ACTIVE = 1e-7
"""Power, full scale being 1, above which the far end counts as active. Larger: soft passages teach nothing."""

POWER_SMOOTHING_S = 0.1
"""Time constant in seconds of the powers of microphone, error and echo. Larger: divergence is noticed later."""

DIVERGED_S, DIVERGED_RATIO = 1.5, 0.8
"""An error above this share of the microphone's power means that the path has changed; after so many seconds of it the
filter starts again. Larger: fewer restarts, longer without cancellation."""

DOUBLE_TALK_RATIO, DOUBLE_TALK_S = 0.3, 3.0
"""An estimated echo below this share of the microphone's power is double-talk rather than a changed path; then the
filter starts again only after so many seconds."""

CONVERGED_RATIO, SNAPSHOT_HOPS = 0.3, 16
"""An error below this share of the microphone's power means convergence; after so many hops the path is kept as the
snapshot that `_realign` shifts. Larger share: worse snapshots, sooner."""

FOLLOWS_S = 5.0
"""Seconds of far-end activity since the last convergence for which the path still counts as followed: the player speaks
meanwhile, or a device stalls. Larger: a drift that sets in later is noticed later."""

CORRELATED_HOPS, CORRELATION_INTERVAL_HOPS = 24, 6
"""After divergence: how many hops are correlated with the snapshot's echo, and how many hops lie between two tries."""

PEAK_OVER_PRESENT = 2.0
"""Ratio of the correlation's peak to its value at the present delay that a new delay needs. Larger: fewer of them."""

PEAK_OVER_MEDIAN = 20.0
"""Ratio of the peak to the median of the correlation that a new delay needs. Larger: fewer false realignments."""

LEAST_JUMP = 16
"""Samples: a smaller change of delay is left to the filter itself."""

# --- Two clocks ---

DRIFT_INTERVAL_HOPS = 62
"""Hops between two drift estimates, a second. Larger: finer estimates, later."""

MOST_DRIFT, OVERSAMPLING = 10, 32
"""Samples of drift per interval at most, and the fraction of a sample in which it is measured."""

LEAST_COHERENCE = 0.9
"""Coherence, 0 to 1, of the shift over the bands that an estimate needs. Larger: fewer, surer estimates."""

DRIFT_BANDS = slice(3, 64)
"""Bins used for drift, 94 to 2,000 Hz: there the filter follows a drifting path."""

FAR_END_SMOOTHING = 0.99
"""Smoothing per hop, 0 to 1, of the far end's power in each band."""


class Canceller:
    """Estimates the echo path from loudspeaker to microphone, both at `MODEL_RATE`, and subtracts the echo."""

    def __init__(self) -> None:
        shape = (PARTITIONS, HOP + 1)
        self._far_spectra = np.zeros(shape, complex)  # of the far end, the newest first
        self._path = np.zeros(shape, complex)
        self._variance = np.full(shape, INITIAL_VARIANCE)
        self._noise = np.zeros(HOP + 1)  # power of the error in each bin
        self._mic_power = self._error_power = self._echo_power = 0.0
        self._diverged_hops = self._converged_hops = 0
        self._unconverged_hops = round(FOLLOWS_S * MODEL_RATE / HOP)  # of far-end activity since the last snapshot
        self._snapshot = np.zeros(PARTITIONS * HOP)  # the impulse response at the last convergence
        self._recent_mic: deque[Samples] = deque(maxlen=CORRELATED_HOPS)
        self._recent_far: deque[Samples] = deque([np.zeros(HOP)], maxlen=CORRELATED_HOPS + PARTITIONS)
        self.far_end_active = False
        """Whether the far end is active, or its echo may still ring."""
        self.diverged_hops = 0
        """How many hops the estimated path has been wrong at most, where the last hop has shown that it is; else 0."""
        self._drift = _DriftEstimate()
        self.drift = 0.0
        """Clock drift in samples per sample, measured at the last hop: above 0 the microphone's clock is faster. 0: it
        was not measured."""

    @property
    def follows(self) -> bool:
        """Whether the path is known, so that a large clock drift is out of the question: it would have been lost."""
        return self._unconverged_hops * HOP < FOLLOWS_S * MODEL_RATE

    def hop(self, mic: Samples, far: Samples) -> tuple[Samples, Samples]:
        """One block, (HOP,) each, -1 to 1: the error (the microphone without echo) and the estimated echo."""
        self._far_spectra = np.roll(self._far_spectra, 1, axis=0)
        self._far_spectra[0] = np.fft.rfft(np.concatenate([self._recent_far[-1], far]))
        self._recent_far.append(far)
        self._recent_mic.append(mic)
        echo = np.fft.irfft((self._far_spectra * self._path).sum(axis=0))[HOP:]
        error = mic - echo
        powers = np.abs(self._far_spectra) ** 2
        self.far_end_active = float(powers.mean()) > FAR_END_ACTIVE * HOP
        self.diverged_hops = 0
        if self.far_end_active:
            self._learn(error, powers)
            self._watch_convergence(*(float((one**2).mean()) for one in (mic, error, echo)))
        self.drift = self._drift.hop(self._path, powers[0])
        # Where subtracting makes it louder the path is unknown, or there is no echo (headphones).
        return (mic, np.zeros(HOP)) if self._error_power > self._mic_power else (error, echo)

    def _learn(self, error: Samples, powers: Samples) -> None:
        spectrum = np.fft.rfft(np.concatenate([np.zeros(HOP), error]))
        self._noise = (self._noise + np.abs(spectrum) ** 2) / 2
        expected = (self._variance * powers).sum(axis=0) / 2 + self._noise + 1e-9
        gain = self._variance / expected * self._far_spectra.conj()
        self._path += gain * spectrum
        kept = FORGETTING_FACTOR**2
        self._variance *= kept * (1 - (gain * self._far_spectra).real / 2)
        self._variance += (1 - kept) * np.abs(self._path) ** 2
        self._set_path(self._impulse_response())  # each partition is HOP samples long

    def _impulse_response(self) -> Samples:
        found: Samples = np.fft.irfft(self._path, axis=1)[:, :HOP].ravel()
        return found

    def _set_path(self, path: Samples) -> None:
        self._path = np.fft.rfft(path.reshape(PARTITIONS, HOP), 2 * HOP, axis=1)

    def _watch_convergence(self, mic: float, error: float, echo: float) -> None:
        """Keep a snapshot of the path while converged; after divergence realign it, or start again."""
        share = HOP / MODEL_RATE / POWER_SMOOTHING_S
        self._mic_power += share * (mic - self._mic_power)
        self._error_power += share * (error - self._error_power)
        self._echo_power += share * (echo - self._echo_power)
        double_talk = self._echo_power < DOUBLE_TALK_RATIO * self._mic_power
        self._diverged_hops = self._diverged_hops + 1 if self._error_power > DIVERGED_RATIO * self._mic_power else 0
        self._converged_hops = self._converged_hops + 1 if self._error_power < CONVERGED_RATIO * self._mic_power else 0
        self._unconverged_hops += 1
        if self._converged_hops and self._converged_hops % SNAPSHOT_HOPS == 0:
            self._snapshot = self._impulse_response()
            self._unconverged_hops = 0
        if self._diverged_hops * HOP > (DOUBLE_TALK_S if double_talk else DIVERGED_S) * MODEL_RATE:
            self._path_changed()
            self._variance[:] = INITIAL_VARIANCE
        elif self._diverged_hops and self._diverged_hops % CORRELATION_INTERVAL_HOPS == 0 and not double_talk:
            self._realign()

    def _realign(self) -> None:
        """Shift the snapshot in time where that explains the microphone: a device has stalled.

        By generalized cross-correlation with phase transform (C. Knapp, G. Carter, "The generalized correlation method
        for estimation of time delay", 1976), the whitening exponent 0.7 instead of 1.
        """
        if not self._snapshot.any() or len(self._recent_mic) < CORRELATED_HOPS:
            return
        far, mic = np.concatenate(self._recent_far), np.concatenate(self._recent_mic)
        size = 1 << (len(far) + len(self._snapshot)).bit_length()
        echo = np.fft.irfft(np.fft.rfft(far, size) * np.fft.rfft(self._snapshot, size))[: len(far)][-len(mic) :]
        size = 4 * len(mic)
        cross = np.fft.rfft(mic, size) * np.fft.rfft(echo, size).conj()
        correlation = np.abs(np.fft.irfft(cross / (np.abs(cross) + 1e-12) ** 0.7))
        furthest = PARTITIONS * HOP // 2
        correlation = np.concatenate([correlation[-furthest:], correlation[:furthest]])
        median = np.median(correlation)
        first = int(np.abs(self._snapshot).argmax())  # an echo never comes before the far end
        correlation[: max(0, furthest - first)] = 0
        here = correlation[furthest - LEAST_JUMP : furthest + LEAST_JUMP + 1].max()
        shift, peak = int(correlation.argmax()) - furthest, correlation.max()
        if abs(shift) <= LEAST_JUMP or peak < PEAK_OVER_PRESENT * here or peak < PEAK_OVER_MEDIAN * median:
            return
        shifted = np.zeros_like(self._snapshot)
        if shift > 0:
            shifted[shift:] = self._snapshot[:-shift]
        else:
            shifted[:shift] = self._snapshot[-shift:]
        self._set_path(shifted)
        self._variance = np.maximum(self._variance, 0.3 * np.abs(self._path) ** 2)
        self._path_changed()
        self._recent_mic.clear()

    def _path_changed(self) -> None:
        """Note that the path has changed, and for how long the old one may have been wrong."""
        self.diverged_hops, self._diverged_hops = self._diverged_hops + CORRELATED_HOPS, 0
        self._drift.reset()


class _DriftEstimate:
    """Clock drift between loudspeaker and microphone, from how the path's phase moves.

    The filter tracks drift slowly, in the high bands not at all, and cancels little meanwhile: 2 dB at 200 ppm, 30 dB
    without drift. The movement of its phase tells the drift far better than the devices' sample counts, which come in
    bursts.
    """

    def __init__(self) -> None:
        self._before: npt.NDArray[np.complex128] | None = None
        self._hops = 0
        self._far_spectra = np.zeros(DRIFT_BANDS.stop - DRIFT_BANDS.start)

    def hop(self, path: npt.NDArray[np.complex128], far: Samples) -> float:
        """Drift in samples per sample, 0 while unknown. `path`: after this hop, (PARTITIONS, HOP + 1), complex; `far`:
        the far end's power in each bin, (HOP + 1,)."""
        self._far_spectra = FAR_END_SMOOTHING * self._far_spectra + far[DRIFT_BANDS]
        self._hops += 1
        if self._hops % DRIFT_INTERVAL_HOPS:
            return 0.0
        before, self._before = self._before, path[:, DRIFT_BANDS].copy()
        if before is None:
            return 0.0
        cross = np.zeros(HOP + 1, complex)
        cross[DRIFT_BANDS] = (self._before * before.conj()).sum(axis=0) * self._far_spectra
        correlation = np.fft.irfft(cross, 2 * HOP * OVERSAMPLING) * HOP * OVERSAMPLING
        peak = MOST_DRIFT * OVERSAMPLING
        correlation = np.concatenate([correlation[-peak:], correlation[: peak + 1]])
        if correlation.max() <= LEAST_COHERENCE * np.abs(cross).sum():
            return 0.0
        return (int(correlation.argmax()) - peak) / OVERSAMPLING / (DRIFT_INTERVAL_HOPS * HOP)

    def reset(self) -> None:
        """The path has jumped: its movement is no drift."""
        self._before = None


# --- Residual echo suppression ---

OVERSUBTRACTION, GAIN_FLOOR = 1.0, 0.3
"""Share of a band's typical residual that is subtracted, and the lowest gain. Larger share: less echo, more damage."""

REVERB_DECAY = 0.6
"""Share of the echo's power that still rings one hop later, 0 to 1. Larger: longer suppression after loud echo."""

RESIDUAL_SMOOTHING = 0.98
"""Smoothing per hop, 0 to 1, of the typical residual. Larger: it adapts more slowly."""


class _BandSuppressor:
    """Attenuates the bands in which residual echo dominates, by spectral subtraction. One hop of latency."""

    def __init__(self) -> None:
        self._window = np.sqrt(np.hanning(2 * HOP + 1)[:-1])
        self._error, self._echo, self._over = np.zeros(HOP), np.zeros(HOP), np.zeros(HOP)
        self._reverb = np.zeros(HOP + 1)
        self._error_power, self._echo_power = np.full(HOP + 1, 1e-9), np.full(HOP + 1, 1e-7)

    def hop(self, error: Samples, echo: Samples, alone: bool) -> Samples:
        """`alone`: the near end is silent, so that the residual can be learnt."""
        spectrum = np.fft.rfft(np.concatenate([self._error, error]) * self._window)
        power = np.abs(spectrum) ** 2
        echo_power = np.abs(np.fft.rfft(np.concatenate([self._echo, echo]) * self._window)) ** 2
        self._error, self._echo = error, echo
        self._reverb = np.maximum(echo_power, REVERB_DECAY * self._reverb)
        if alone:
            self._error_power = RESIDUAL_SMOOTHING * self._error_power + power
            self._echo_power = RESIDUAL_SMOOTHING * self._echo_power + self._reverb + 1e-9
        expected = OVERSUBTRACTION * self._error_power / self._echo_power * self._reverb
        gain = np.sqrt(np.clip(1 - expected / (power + 1e-12), GAIN_FLOOR**2, 1.0))
        made = np.fft.irfft(spectrum * gain) * self._window
        done: Samples = self._over + made[:HOP]
        self._over = made[HOP:]
        return done


RESIDUAL_WINDOW_S = 5.0
"""Seconds of far-end activity over which the typical residual is the median. Larger: it adapts more slowly."""

NEAR_END_DB, NEAR_END_HOPS = 10.0, 3
"""Decibels above the typical residual, and for how many hops, that make near-end speech. Larger: soft words go."""

OVER_NOISE_DB = 8.0
"""Decibels above the quietest moment of those seconds that near-end speech needs too: between two sentences only the
noise of the room is left."""

NOT_CONVERGED_DB = -3.0
"""Typical residual over the echo, in decibels, above which the filter has not converged or there is no echo: nothing is
suppressed."""

HANGOVER_HOPS, LOOKAHEAD_HOPS = 24, 8
"""Hops for which the gate stays open behind near-end speech, and opens before it: words begin and end softly."""

SUPPRESSED_GAIN = 0.01
"""Gain while the near end is silent. Smaller: less residual echo, and soft words are lost altogether."""

LATENCY = (LOOKAHEAD_HOPS + 1) * HOP
"""Latency of `ResidualSuppressor.hop` in samples."""


class ResidualSuppressor:
    """Suppresses residual echo: band by band, and as a whole while the near end is silent."""

    def __init__(self) -> None:
        self._bands = _BandSuppressor()
        self._residuals_db: deque[float] = deque(maxlen=round(RESIDUAL_WINDOW_S * MODEL_RATE / HOP))
        self._levels_db: deque[float] = deque(maxlen=self._residuals_db.maxlen)  # of the error, dB below full scale
        self._active_hops = 0  # of far-end activity so far
        self._open = 0
        self._waiting: deque[tuple[Samples, float]] = deque()

    def hop(self, error: Samples, echo: Samples, far_end_active: bool) -> Samples:
        """The near end, `LATENCY` samples later, (HOP,). `far_end_active`: as in `Canceller`."""
        level_db, echo_db = (10 * math.log10(max(1e-12, float((one**2).mean()))) for one in (error, echo))
        factor = self.factor(level_db, echo_db, far_end_active)
        if factor == 1.0:
            self._waiting = deque((one, 1.0) for one, _ in self._waiting)
        self._waiting.append((self._bands.hop(error, echo, factor < 1.0), factor))
        if len(self._waiting) <= LOOKAHEAD_HOPS:
            return np.zeros(HOP)
        one, factor = self._waiting.popleft()
        return one * factor

    @property
    def typical_db(self) -> float:
        """Typical level of the residual over the echo, in decibels; minus infinity before any."""
        return sorted(self._residuals_db)[len(self._residuals_db) // 2] if self._residuals_db else -math.inf

    def factor(self, level_db: float, echo_db: float, far_end_active: bool) -> float:
        """The gain of a hop, from the levels of the error and of the estimated echo, in decibels below full scale."""
        self._levels_db.append(level_db)
        self._active_hops = self._active_hops + 1 if far_end_active else 0
        if not far_end_active:
            self._open = max(0, self._open - 1)
            return 1.0
        self._residuals_db.append(level_db - echo_db)
        typical_db = self.typical_db
        least_left_db, least_db = typical_db + NEAR_END_DB, min(self._levels_db) + OVER_NOISE_DB
        speaks = self._active_hops >= NEAR_END_HOPS and all(
            self._residuals_db[-back] > least_left_db and self._levels_db[-back] > least_db
            for back in range(1, NEAR_END_HOPS + 1)
        )
        self._open = HANGOVER_HOPS if speaks else max(0, self._open - 1)
        return 1.0 if self._open or typical_db >= NOT_CONVERGED_DB else SUPPRESSED_GAIN
