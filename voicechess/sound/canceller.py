"""What a loudspeaker plays is taken out of what a microphone hears.

The way from one to the other is learnt by a Kalman filter over the spectrum (G. Enzner, P. Vary, "Frequency-domain
adaptive Kalman filter for acoustic echo control in hands-free telephones", 2006), in partitions, so that it reaches far
without waiting long (F. Kuech et al., "State-space architecture of the partitioned-block-based acoustic echo
controller", 2014). It learns little while the player speaks, and takes nothing of what they say away.

What a loudspeaker distorts cannot be learnt so, and is left. It is made soft: band by band where it is most of what is
left, and altogether while nobody speaks into it.
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
"""Samples that are looked at at once: 16 ms."""

PARTITIONS = 40
"""It reaches 640 ms: delay, room and what is held."""

FORGETS = 0.9995
"""How far the way of the echo is the same one hop later."""

UNKNOWN = 0.1
"""The variance of a way of which nothing is known; gains of loudspeakers and microphones are about one."""

AUDIBLE = 1e-7
"""The power above which something is being played, full scale being 1."""

SMOOTHED_S = 0.1
"""Over so long it is looked how much is left."""

LOST_S, MOST_LEFT = 1.5, 0.8
"""Where such a share of the power is left the way is another one; after so long it is learnt anew."""

LEAST_ECHO, LONG_LOST_S = 0.3, 3.0
"""Unless the echo that was expected is a smaller share of what is heard: then somebody speaks more loudly, and only so
long after it is learnt anew."""

KNOWN_LEFT, KNOWN_HOPS = 0.3, 16
"""Where no more is left the way is known, and after so many hops it is remembered."""

COMPARED_HOPS, COMPARED_EVERY = 24, 6
"""When it is lost: how much is compared with the way that was known, and after how many hops again."""

LATER = 2.0
"""So much more alike what is heard must be to the echo by that way when this comes later or sooner than it did."""

STANDS_OUT = 20.0
"""And so much more than at any other time."""

SAME_WAY = 16
"""Fewer samples later or sooner are no jump: the filter follows them."""

# --- Two clocks ---

WANDERS_HOPS = 62
"""So often it is looked whether the way becomes longer or shorter: once a second."""

WANDERS_MOST, WANDERS_PARTS = 10, 32
"""By so many samples at most, and in such parts of one."""

SURELY_WANDERS = 0.9
"""So much of it must have moved alike."""

FOLLOWED = slice(3, 64)
"""The bands, 94 to 2,000 Hz, in which the filter follows well."""

HEARD_HOPS = 0.99
"""How far what is played in each band is what was played one hop before."""


class Canceller:
    """Learns the way from a loudspeaker to a microphone, both at `MODEL_RATE`, and takes its sound out."""

    def __init__(self) -> None:
        shape = (PARTITIONS, HOP + 1)
        self._played = np.zeros(shape, complex)  # spectra of what was played, the newest first
        self._way = np.zeros(shape, complex)
        self._variance = np.full(shape, UNKNOWN)
        self._noise = np.zeros(HOP + 1)  # the power of what is no echo
        self._heard_power = self._left_power = self._echo_power = 0.0
        self._lost_hops = self._known_hops = 0
        self._known = np.zeros(PARTITIONS * HOP)  # the way when it was last known, sample by sample
        self._heard_lately: deque[Samples] = deque(maxlen=COMPARED_HOPS)
        self._played_lately: deque[Samples] = deque([np.zeros(HOP)], maxlen=COMPARED_HOPS + PARTITIONS)
        self.audible = False
        """Whether something is being played, or its echo may last."""
        self.astray_hops = 0
        """The last hop has shown that the way has been another one than was believed, for so many hops at most."""
        self._wandering = _Wandering()
        self.longer = 0.0
        """The last hop has shown that the way becomes longer by so much of a sample with each: the microphone's clock
        is faster by that share."""

    def hop(self, heard: Samples, played: Samples) -> tuple[Samples, Samples]:
        """`HOP` samples, -1 to 1: those heard without what was played, and the echo that was found in them."""
        self._played = np.roll(self._played, 1, axis=0)
        self._played[0] = np.fft.rfft(np.concatenate([self._played_lately[-1], played]))
        self._played_lately.append(played)
        self._heard_lately.append(heard)
        echo = np.fft.irfft((self._played * self._way).sum(axis=0))[HOP:]
        left = heard - echo
        powers = np.abs(self._played) ** 2
        self.audible = float(powers.mean()) > AUDIBLE * HOP
        self.astray_hops = 0
        if self.audible:
            self._learn(left, powers)
            self._notice(*(float((one**2).mean()) for one in (heard, left, echo)))
        self.longer = self._wandering.hop(self._way, powers[0])
        # What makes it louder is no echo: the way is not known, or there is none (headphones).
        return (heard, np.zeros(HOP)) if self._left_power > self._heard_power else (left, echo)

    def _learn(self, left: Samples, powers: Samples) -> None:
        spectrum = np.fft.rfft(np.concatenate([np.zeros(HOP), left]))
        self._noise = (self._noise + np.abs(spectrum) ** 2) / 2
        expected = (self._variance * powers).sum(axis=0) / 2 + self._noise + 1e-9
        gain = self._variance / expected * self._played.conj()
        self._way += gain * spectrum
        kept = FORGETS**2
        self._variance *= kept * (1 - (gain * self._played).real / 2)
        self._variance += (1 - kept) * np.abs(self._way) ** 2
        self._take(self._by_sample())  # each partition is HOP samples long

    def _by_sample(self) -> Samples:
        found: Samples = np.fft.irfft(self._way, axis=1)[:, :HOP].ravel()
        return found

    def _take(self, way: Samples) -> None:
        self._way = np.fft.rfft(way.reshape(PARTITIONS, HOP), 2 * HOP, axis=1)

    def _notice(self, heard: float, left: float, echo: float) -> None:
        """Remember the way while it is known; where nothing is taken away any more, look for it, or begin anew."""
        share = HOP / MODEL_RATE / SMOOTHED_S
        self._heard_power += share * (heard - self._heard_power)
        self._left_power += share * (left - self._left_power)
        self._echo_power += share * (echo - self._echo_power)
        louder = self._echo_power < LEAST_ECHO * self._heard_power
        self._lost_hops = self._lost_hops + 1 if self._left_power > MOST_LEFT * self._heard_power else 0
        self._known_hops = self._known_hops + 1 if self._left_power < KNOWN_LEFT * self._heard_power else 0
        if self._known_hops and self._known_hops % KNOWN_HOPS == 0:
            self._known = self._by_sample()
        if self._lost_hops * HOP > (LONG_LOST_S if louder else LOST_S) * MODEL_RATE:
            self._found()
            self._variance[:] = UNKNOWN
        elif self._lost_hops and self._lost_hops % COMPARED_EVERY == 0 and not louder:
            self._follow()

    def _follow(self) -> None:
        """Take the way that was known, but later or sooner, where it explains what is heard: a device has stood still.

        By the phase of the cross spectrum (C. Knapp, G. Carter, "The generalized correlation method for estimation of
        time delay", 1976), of which a little of the power is left in.
        """
        if not self._known.any() or len(self._heard_lately) < COMPARED_HOPS:
            return
        played, heard = np.concatenate(self._played_lately), np.concatenate(self._heard_lately)
        size = 1 << (len(played) + len(self._known)).bit_length()
        echo = np.fft.irfft(np.fft.rfft(played, size) * np.fft.rfft(self._known, size))[: len(played)][-len(heard) :]
        size = 4 * len(heard)
        cross = np.fft.rfft(heard, size) * np.fft.rfft(echo, size).conj()
        alike = np.abs(np.fft.irfft(cross / (np.abs(cross) + 1e-12) ** 0.7))
        furthest = PARTITIONS * HOP // 2
        alike = np.concatenate([alike[-furthest:], alike[:furthest]])
        usual = np.median(alike)
        first = int(np.abs(self._known).argmax())  # and never sooner than it is played
        alike[: max(0, furthest - first)] = 0
        here = alike[furthest - SAME_WAY : furthest + SAME_WAY + 1].max()
        later, most = int(alike.argmax()) - furthest, alike.max()
        if abs(later) <= SAME_WAY or most < LATER * here or most < STANDS_OUT * usual:
            return
        moved = np.zeros_like(self._known)
        if later > 0:
            moved[later:] = self._known[:-later]
        else:
            moved[:later] = self._known[-later:]
        self._take(moved)
        self._variance = np.maximum(self._variance, 0.3 * np.abs(self._way) ** 2)
        self._found()
        self._heard_lately.clear()

    def _found(self) -> None:
        """The way is another one, and has been for a little longer than anything was lost."""
        self.astray_hops, self._lost_hops = self._lost_hops + COMPARED_HOPS, 0
        self._wandering.jumped()


class _Wandering:
    """By how much a way becomes longer while time goes by.

    The filter follows two clocks slowly, in the high bands not at all, and takes little away meanwhile: of 200 parts in
    a million 2 dB, of none 30. Where it moves it tells by how much they differ, far better than what each of them
    counts, which comes in bursts.
    """

    def __init__(self) -> None:
        self._before: npt.NDArray[np.complex128] | None = None
        self._hops = 0
        self._played = np.zeros(FOLLOWED.stop - FOLLOWED.start)

    def hop(self, way: npt.NDArray[np.complex128], played: Samples) -> float:
        """By how many samples it becomes longer with each of them, 0 while that is not known. `way`: as it is after
        this hop, (PARTITIONS, HOP + 1); `played`: the power of each of its bands."""
        self._played = HEARD_HOPS * self._played + played[FOLLOWED]
        self._hops += 1
        if self._hops % WANDERS_HOPS:
            return 0.0
        before, self._before = self._before, way[:, FOLLOWED].copy()
        if before is None:
            return 0.0
        cross = np.zeros(HOP + 1, complex)
        cross[FOLLOWED] = (self._before * before.conj()).sum(axis=0) * self._played
        alike = np.fft.irfft(cross, 2 * HOP * WANDERS_PARTS) * HOP * WANDERS_PARTS
        most = WANDERS_MOST * WANDERS_PARTS
        alike = np.concatenate([alike[-most:], alike[: most + 1]])
        if alike.max() <= SURELY_WANDERS * np.abs(cross).sum():
            return 0.0
        return (int(alike.argmax()) - most) / WANDERS_PARTS / (WANDERS_HOPS * HOP)

    def jumped(self) -> None:
        """The way is another one; that it has moved tells nothing."""
        self._before = None


# --- What is left of it ---

MOST_OF_IT, SOFTEST = 1.0, 0.3
"""A band loses so much of what is typically left there of the echo, and is never softer than that."""

LINGERS = 0.6
"""The share of an echo's power that a room still has one hop later."""

LEARNT = 0.98
"""How far it is the same one hop later what is typically left."""


class _Bands:
    """Makes the bands soft in which what is left of the echo is most of what is heard; a hop late."""

    def __init__(self) -> None:
        self._window = np.sqrt(np.hanning(2 * HOP + 1)[:-1])
        self._left, self._echo, self._over = np.zeros(HOP), np.zeros(HOP), np.zeros(HOP)
        self._lingering = np.zeros(HOP + 1)
        self._left_power, self._echo_power = np.full(HOP + 1, 1e-9), np.full(HOP + 1, 1e-7)

    def hop(self, left: Samples, echo: Samples, alone: bool) -> Samples:
        """`alone`: nobody speaks, so that what is left can be learnt."""
        spectrum = np.fft.rfft(np.concatenate([self._left, left]) * self._window)
        power = np.abs(spectrum) ** 2
        echo_power = np.abs(np.fft.rfft(np.concatenate([self._echo, echo]) * self._window)) ** 2
        self._left, self._echo = left, echo
        self._lingering = np.maximum(echo_power, LINGERS * self._lingering)
        if alone:
            self._left_power = LEARNT * self._left_power + power
            self._echo_power = LEARNT * self._echo_power + self._lingering + 1e-9
        expected = MOST_OF_IT * self._left_power / self._echo_power * self._lingering
        gain = np.sqrt(np.clip(1 - expected / (power + 1e-12), SOFTEST**2, 1.0))
        made = np.fft.irfft(spectrum * gain) * self._window
        done: Samples = self._over + made[:HOP]
        self._over = made[HOP:]
        return done


TYPICAL_S = 5.0
"""What is left of the echo is typically so loud as it was for half of the last seconds in which something played."""

SPEAKS_DB, SPEAKS_HOPS = 10.0, 3
"""Somebody who speaks is so much louder than that, for so long."""

OVER_ROOM_DB = 8.0
"""And so much louder than the quietest moment of those seconds: between two sentences nothing is played, and all that
is left is the noise of the room."""

UNLEARNT_DB = -3.0
"""Where typically so much is left, the echo is not known, or there is none: then nothing is made softer."""

LASTS_HOPS, AHEAD_HOPS = 24, 8
"""Words are heard so much longer and sooner: they begin and end softly."""

SOFTER = 0.01
"""What is left of the echo alone is made so much softer."""

LATE = (AHEAD_HOPS + 1) * HOP
"""By so many samples `Remainder.hop` is late."""


class Remainder:
    """Makes what is left of an echo soft: in its bands, and altogether while nobody speaks into it."""

    def __init__(self) -> None:
        self._bands = _Bands()
        self._lately: deque[float] = deque(maxlen=round(TYPICAL_S * MODEL_RATE / HOP))
        self._levels_db: deque[float] = deque(maxlen=self._lately.maxlen)  # of what is left, below full scale
        self._audible_hops = 0  # since the last one that was not
        self._open = 0
        self._waiting: deque[tuple[Samples, float]] = deque()

    def hop(self, left: Samples, echo: Samples, audible: bool) -> Samples:
        """What is to be heard, `LATE` samples later. `audible`: something is being played."""
        level_db, echo_db = (10 * math.log10(max(1e-12, float((one**2).mean()))) for one in (left, echo))
        factor = self.factor(level_db, echo_db, audible)
        if factor == 1.0:
            self._waiting = deque((one, 1.0) for one, _ in self._waiting)
        self._waiting.append((self._bands.hop(left, echo, factor < 1.0), factor))
        if len(self._waiting) <= AHEAD_HOPS:
            return np.zeros(HOP)
        one, factor = self._waiting.popleft()
        return one * factor

    @property
    def typical_db(self) -> float:
        """How many decibels louder than the echo what is left of it typically is."""
        return sorted(self._lately)[len(self._lately) // 2] if self._lately else -math.inf

    def factor(self, level_db: float, echo_db: float, audible: bool) -> float:
        """By what a hop is to be multiplied: how loud is what is left, and how loud the echo was."""
        self._levels_db.append(level_db)
        self._audible_hops = self._audible_hops + 1 if audible else 0
        if not audible:
            self._open = max(0, self._open - 1)
            return 1.0
        self._lately.append(level_db - echo_db)
        typical_db = self.typical_db
        least_left_db, least_db = typical_db + SPEAKS_DB, min(self._levels_db) + OVER_ROOM_DB
        speaks = self._audible_hops >= SPEAKS_HOPS and all(
            self._lately[-back] > least_left_db and self._levels_db[-back] > least_db
            for back in range(1, SPEAKS_HOPS + 1)
        )
        self._open = LASTS_HOPS if speaks else max(0, self._open - 1)
        return 1.0 if self._open or typical_db >= UNLEARNT_DB else SOFTER
