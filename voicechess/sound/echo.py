"""Two devices, one sound: what a loudspeaker was handed is laid under what a microphone hears, and taken out of it.

Two devices are two clocks, which differ by up to 200 parts in a million, so what was played is taken at a rate that
follows the microphone's. And what is heard can be told to be the program's own: it swells and fades in all bands as
what was played did, or most of it went with the echo and what is left is no clear word that swells in its own way.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from dataclasses import dataclass

import numpy as np

from voicechess.sound.canceller import FAR_END_ACTIVE, HOP, LATENCY, Canceller, ResidualSuppressor, Samples
from voicechess.sound.coupling import LATEST_STEPS, REMEMBERED_S, STEP, Coupling, loudness_db
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.model import MODEL_RATE
from voicechess.sound.pcm import Resampler

# --- Two clocks ---

HELD_MS = 60
"""What was played waits so long, since loudspeakers ask for it in bursts; and what was heard waits as long, so that no
echo comes before what it is the echo of."""

HELD = MODEL_RATE * HELD_MS // 1000
"""The same in samples."""

LATEST_MS = 400
"""What was heard waits so much longer at most for what was played: on a busy machine loudspeakers ask for it late."""

JUDGED_S = 0.5
"""Where what was played has been too late, or too soon, for so long, a device has stood still: it is put in its place.
What comes and goes in bursts is there in time at some moment meanwhile."""

SPARE = MODEL_RATE * 15 // 1000
"""Samples by which it may be too soon: an echo comes later than that, by the air and what the devices hold alone."""

GONE_MS = 1_000
"""A loudspeaker that has asked for nothing for so long plays nothing."""

COMPARED_S = 60.0
"""Over so long the two clocks are compared: sound comes and goes in bursts of some twenty milliseconds."""

SETTLES_S = 10.0
"""Before that they are not: devices that have just begun ask for more than they play (PulseAudio: 8 ms in 6 s)."""

COMPARED_AFTER_S, TOGETHER_S = 8.0, 1.0
"""So long it takes at least, and over so long what is ahead is averaged, for bursts come and go much faster."""

SURELY, FAR_OFF = 3.0, 300e-6
"""Another difference than was known is believed where it is so many times as large as it may be by chance, and so large
that the canceller could not follow: what it finds itself is far nearer."""

MOST_DRIFT = 0.001
LONGEST_S = 60.0
"""What was played and not asked for is forgotten after that: on a busy machine what was heard is looked at late, and
where it is not known any more what was played then, the program's own words pass for the player's (issue 49)."""


class Drift:
    """By how much one clock is faster than another: the slope of the line through what it is ahead at each time."""

    def __init__(self, known: float = 0.0) -> None:
        """`known`: the share that holds until another is known."""
        self.share = known
        """What it is faster by, a small share of one; 0 while nothing is known."""
        self._seconds = -SETTLES_S
        self._ahead = 0.0
        self._together: list[tuple[float, float]] = []  # seconds, and what was ahead then, since the last point
        self._mean_s = self._mean = self._square = self._product = self._spread = 0.0
        self._points = 0

    def take(self, seconds: float, more: float) -> None:
        """So much time has passed, in which the other has counted `more` seconds than this."""
        self._seconds += seconds
        if self._seconds < 0:
            return
        self._ahead += more
        self._together.append((self._seconds, self._ahead))
        if self._seconds - self._together[0][0] >= TOGETHER_S:
            self._point(*(sum(values) / len(values) for values in zip(*self._together, strict=True)))
            self._together.clear()
            if self._seconds > COMPARED_AFTER_S:
                self._judge()

    def _point(self, at_s: float, ahead: float) -> None:
        self._points += 1
        weight = max(1 / self._points, TOGETHER_S / COMPARED_S)
        off_s, off = at_s - self._mean_s, ahead - self._mean
        self._mean_s += weight * off_s
        self._mean += weight * off
        self._square = (1 - weight) * (self._square + weight * off_s * off_s)
        self._product = (1 - weight) * (self._product + weight * off_s * off)
        self._spread = (1 - weight) * (self._spread + weight * off * off)

    def _judge(self) -> None:
        slope = self._product / self._square
        astray = max(0.0, self._spread - slope * self._product)
        by_chance = math.sqrt(astray / self._square / min(self._points, COMPARED_S / TOGETHER_S))
        if abs(slope - self.share) > max(FAR_OFF, SURELY * by_chance):
            self.correct(slope - self.share)

    def correct(self, by: float) -> None:
        """It differs by so much from what was known."""
        self.share = max(-MOST_DRIFT, min(MOST_DRIFT, self.share + by))


@dataclass(frozen=True, slots=True)
class _Handed:
    """What a loudspeaker was handed: 16-bit mono, and when, in milliseconds of the microphone's clock."""

    pcm: bytes
    rate: int
    at_ms: int

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / self.rate


# --- Whose a word is ---

SURELY_NONE, HARDLY_ALL = 0.4, 0.2
"""Of a word of the player's such a share is no echo of what was played (`Coupling.excess`), however late: all of it
without any echo, 0.4 where they speak 5 dB over it; of 3298 stretches of the program's own speech none. A word of which
the smaller share is none counts as clear: 9 of those (models/NOTES.md)."""

HALF = 0.5
"""Of what fits no words of ours (`overhearing.GARBLED_FIT`) more than that is no echo, or it is one, whatever the
canceller has left of it: of 30 tuning words 10 dB over the echo all have more; of those as loud as it few fit so."""

MOST_OF_IT = 0.65
"""Of a player who repeats what the program is saying more than that is no echo: at 10 dB over it 0.66 to 0.86."""

FAR_OVER_USUAL_DB = 15.0
"""What is so many decibels louder than what is usually heard while the program speaks is no echo of it, whatever the
words are; larger: more is taken for the program's own."""

AS_USUAL_DB = 6.0
"""And they are so much louder than what is usually heard while it speaks. An echo that comes later than any that is
looked for is not: where a busy machine holds sound for a second, that is all that tells it."""

ALL_OF_IT, MISPLACED_MS = 0.9, 1_000
"""What was heard so shortly before what was played was found in the wrong place (`Echo._played_with`) tells nothing,
unless nearly all of it is no echo, as where there is none; words that the program was saying are its own then."""

LEAST_LEFT_DB, TYPICAL_DB = -13.0, 3.0
"""Of a word of the player's there is no less left than that, and so much more than what is typically left of the echo:
15 to 50 dB less than was heard where its way is known well, 5 dB in a room that lasts longer than the filter."""

ALIKE = 0.85
"""What swells and fades so much as what was played is that. Where the way of the echo is not known, all of it is
left."""

UNLIKE = 0.42
"""A clear word of the player's may be no louder than what is typically left: it swells and fades as they spoke, and
less than so much as what was played."""

HARDLY_DB, SWELLS_ALIKE = 8.0, 0.6
"""A word that is not clear, of which no more than that over what is typical is left, is the program's where that swells
so much as what was played: a loudspeaker's distortion comes and goes with it."""

LEAST_MS = 80
"""What is shorter can be like anything."""

LINGERS_MS = 300
"""So long a room goes on sounding when what was played is over: 30 dB softer after it in one of 0.6 s."""

MOST_ASTRAY = 20
"""So many jumps of the delay are remembered; each takes 0.4 s at least."""


def _samples(pcm: bytes | bytearray) -> Samples:
    """16-bit sound as numbers from -1 to 1."""
    values: Samples = np.frombuffer(pcm, dtype="<i2") / 32768
    return values


def _mean_db(loudness: Samples) -> float:
    """The level of all bands and steps together."""
    return 10 * math.log10(float((10 ** (loudness / 10)).mean()))


def _likeness(one: Samples, other: Samples) -> float:
    """How much both swell and fade together, -1 to 1."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / size if size else 0.0


def _most_alike(one: Samples, before: Samples) -> float:
    """The greatest likeness to as many steps of `before`; 1 where it has fewer."""
    return max((_likeness(one, before[at : at + len(one)]) for at in range(len(before) - len(one) + 1)), default=1.0)


class Echo:
    """One loudspeaker, one microphone. `played` is for the loudspeaker's thread, all else for the microphone's."""

    def __init__(self) -> None:
        self._canceller, self._remainder, self._coupling = Canceller(), ResidualSuppressor(), Coupling()
        self._lock = threading.Lock()
        self._handed: deque[_Handed] = deque()
        self._handed_s = 0.0
        self._forgotten = False  # by the device, what it had been handed
        self._microphone: Resampler | None = None
        self._microphone_rate = 0
        self._loudspeaker: Resampler | None = None
        self._loudspeaker_rate = 0
        self._near = b""  # of the microphone, at the model's rate, that waits
        self._ahead: list[int] = []  # how many samples of what was played were there too soon, lately
        self._judged = 0  # samples heard since then
        self._placed_ms: deque[int] = deque(maxlen=MOST_ASTRAY)  # when it was put in its place
        self._far = bytearray()  # of the loudspeaker, at the same rate
        self._paired = (b"", b"")  # of both, less than a hop
        self._taken_s = self._place_s = 0.0  # of what was handed over, by the loudspeaker's clock
        self._last_ms, self._burst_s = 0, 0.0  # when the last burst was handed over, and how long it is
        self._drift = Drift()
        # Heard, played, and what is left, which is late.
        self._lately = (bytearray(2 * LATENCY), bytearray(2 * LATENCY), bytearray())
        self._ended_ms = self._heard_ms = 0  # of the last that is left, and of the last that was heard
        self.heard = 0
        """How many samples have been heard, at `MODEL_RATE`: the end of all that `kept` knows."""
        self._over = 0  # the sample at which the last thing played was heard to its end
        self._hops = 0  # in all
        self._astray: deque[tuple[int, int]] = deque(maxlen=MOST_ASTRAY)  # from which to which the way was another one

    def played(self, pcm: bytes, rate: int, at_ms: int) -> None:
        """The loudspeaker has been handed this, silence as well: 16-bit mono. Nothing: it forgets what it held."""
        with self._lock:
            if not pcm:
                self._forgotten = True
                return
            self._handed.append(_Handed(pcm, rate, at_ms))
            self._handed_s += self._handed[-1].seconds
            while self._handed_s > LONGEST_S:
                self._handed_s -= self._handed.popleft().seconds

    def cleaned(self, block: Block, rate: int) -> Block:
        """The microphone's next block without what was played, at `MODEL_RATE`, a little late. To be asked for all of
        them: what has been learnt holds for sound without gaps. Raises `SoundError` where a library is missing."""
        begins = rate != self._microphone_rate
        if self._microphone is None or begins:
            self._microphone, self._microphone_rate = Resampler(rate, MODEL_RATE), rate
            self._near, self._paired = bytes(2 * HELD), (b"", b"")
        heard = self._microphone.push(block.pcm)
        self.heard += len(heard) // 2
        seconds = len(heard) / 2 / MODEL_RATE
        before_s = self._place_s
        self._take(block.ended_ms)
        self._drift.take(seconds, self._place_s - before_s - seconds)
        self._near += heard
        far = self._played_with(len(heard) // 2, begins, block.ended_ms)
        near, self._near = self._near[: len(far)], self._near[len(far) :]
        clean = self._without(near, far)
        self._heard_ms = block.ended_ms - round(self._microphone.lag_ms)
        self._ended_ms = self._heard_ms - 1000 * (self.heard - self.cleaned_to) // MODEL_RATE
        return Block(clean, self._ended_ms)

    # --- what was heard lately, counted in samples at `MODEL_RATE` ---

    @property
    def cleaned_to(self) -> int:
        """Up to which sample the echo has been taken out."""
        return self.heard - len(self._near) // 2 - len(self._paired[0]) // 2 - LATENCY

    def sample_at(self, at_ms: int) -> int:
        """The sample that was heard then."""
        return self.heard - MODEL_RATE * (self._heard_ms - at_ms) // 1000

    @property
    def over(self) -> int:
        """The sample at which what was played has been heard to its end, as far as it is known how late that is."""
        return self._over

    @property
    def lasts(self) -> bool:
        """Whether an echo may be left at `cleaned_to`."""
        return self.cleaned_to < self._over + MODEL_RATE * LINGERS_MS // 1000

    def kept(self, first: int, clean: bool) -> Block:
        """All that was heard from this sample on; `clean`: without what was played."""
        heard, _, left = self._lately
        sound, end = (left, self.cleaned_to) if clean else (heard + self._paired[0] + self._near, self.heard)
        ended_ms = self._heard_ms - 1000 * (self.heard - end) // MODEL_RATE
        count = max(0, min(end - first, len(sound) // 2))
        return Block(bytes(sound[len(sound) - 2 * count :]), ended_ms)

    # --- whose it is ---

    def is_own(
        self, began_ms: int, ended_ms: int, clear: bool = False, garbled: bool = False, repeats: bool = False
    ) -> bool | None:
        """Whether what was heard in that time, by the clock of the blocks, is what was played; None: it may be, but too
        little was played before to tell. `clear`: what was left fits the words well that were heard in it; `garbled`:
        it fits none; `repeats`: these words stand in what the program was saying."""
        if ended_ms - began_ms < LEAST_MS:
            return True
        now_ms = self._ended_ms + 1000 * LATENCY // MODEL_RATE  # to which both have been compared
        excess = self._coupling.excess(now_ms - began_ms, now_ms - ended_ms)
        if excess is None:
            return None if self._stays(began_ms, ended_ms, clear) else False
        misplaced = any(began_ms < at_ms and ended_ms > at_ms - MISPLACED_MS for at_ms in self._placed_ms)
        over_usual_db = self._coupling.over_usual_db(now_ms - began_ms, now_ms - ended_ms)
        own = (
            (garbled and excess < HALF)
            or (misplaced and repeats and excess < ALL_OF_IT)
            or (repeats and excess < MOST_OF_IT)
            or ((repeats or (garbled and excess < 1)) and over_usual_db < AS_USUAL_DB)
        )
        if own and over_usual_db <= FAR_OVER_USUAL_DB:  # with a headset the question's words are repeated at once
            return True
        return excess < SURELY_NONE and self._stays(began_ms, ended_ms, clear or excess >= HARDLY_ALL)

    def _stays(self, began_ms: int, ended_ms: int, clear: bool) -> bool:
        """Whether nothing is left of it where the echo is taken out, or no more than may be left of an echo, or it was
        heard when the delay has jumped."""
        heard, played, left = self._lately
        count = len(left) // 2
        first, last = (count - MODEL_RATE * (self._ended_ms - at_ms) // 1000 for at_ms in (began_ms, ended_ms))
        if first < 0 or last > count:
            return True
        begun, over = ((self._hops * HOP - len(heard) // 2 + at) // HOP for at in (first, last))
        if any(begun <= found and over >= lost for lost, found in self._astray):
            return True
        all_of_it, rest = (loudness_db(_samples(one[2 * first : 2 * last])) for one in (heard, left))
        left_db = _mean_db(rest) - _mean_db(all_of_it)
        over_db = left_db - self._remainder.typical_db
        if left_db < LEAST_LEFT_DB or (over_db < TYPICAL_DB and not clear):
            return True
        earliest = max(0, first - LATEST_STEPS * STEP)
        before = loudness_db(_samples(played[2 * earliest : 2 * last]))
        if _most_alike(all_of_it, before) > ALIKE:
            return True
        if over_db < TYPICAL_DB:
            return _most_alike(rest, before) >= UNLIKE
        return over_db < HARDLY_DB and not clear and _most_alike(rest, before) >= SWELLS_ALIKE

    def _without(self, near: bytes, far: bytes) -> bytes:
        """As many whole hops as there are, without what was played."""
        near, far = self._paired[0] + near, self._paired[1] + far
        whole = len(near) // (2 * HOP) * 2 * HOP
        self._paired = near[whole:], far[whole:]
        heard, played = _samples(near[:whole]), _samples(far[:whole])
        self._coupling.take(heard, played)
        loud = np.flatnonzero((played**2).reshape(-1, HOP).mean(axis=1) > FAR_END_ACTIVE)
        if len(loud):
            end = self.heard - len(self._near) // 2 - len(self._paired[0]) // 2 - whole // 2 + HOP * (int(loud[-1]) + 1)
            self._over = end + self._coupling.late_steps * STEP
        clean = []
        for first in range(0, whole // 2, HOP):
            left, echo = self._canceller.hop(heard[first : first + HOP], played[first : first + HOP])
            self._drift.correct(-self._canceller.drift)
            clean.append(self._remainder.hop(left, echo, self._canceller.far_end_active))
            self._hops += 1
            if self._canceller.diverged_hops:
                self._astray.append((self._hops - self._canceller.diverged_hops, self._hops))
        values = np.rint(32768 * np.concatenate([np.zeros(0), *clean]))
        made = bytes(np.clip(values, -32768, 32767).astype("<i2").tobytes())
        for kept, new in zip(self._lately, (near[:whole], far[:whole], made), strict=True):
            kept.extend(new)
        old = max(0, len(self._lately[2]) - 2 * round(REMEMBERED_S * MODEL_RATE))
        for kept in self._lately:
            del kept[:old]
        return made

    def _take(self, until_ms: int) -> None:
        """Bring what was handed over by then to the model's rate."""
        with self._lock:
            taken: list[_Handed] = []
            while self._handed and self._handed[0].at_ms <= until_ms:
                taken.append(self._handed.popleft())
                self._handed_s -= taken[-1].seconds
            forgotten, self._forgotten = self._forgotten, False
        if forgotten:
            self._drift = Drift(self._drift.share)
        longer = -self._drift.share
        for one in taken:
            if self._loudspeaker is None or one.rate != self._loudspeaker_rate:
                self._loudspeaker = Resampler(one.rate, MODEL_RATE, stretches=True)
                self._loudspeaker_rate = one.rate
            self._far += self._loudspeaker.push(one.pcm, longer)
            self._taken_s, self._burst_s, self._last_ms = self._taken_s + one.seconds, one.seconds, one.at_ms
        # As if it were played while the next one is waited for: bursts come and go.
        self._place_s = self._taken_s - self._burst_s + min(self._burst_s, (until_ms - self._last_ms) / 1000)

    def _played_with(self, count: int, begins: bool, now_ms: int) -> bytes:
        """What was played with the sound that is due, as far as it is known by now: the microphone has heard `count`
        samples more. `begins`: what was before is not waited for.

        It is never later than it was handed over: no echo comes before it is played, and what the program says would
        be taken for somebody else's (issue 49).
        """
        due = len(self._near) // 2 - HELD
        ahead = len(self._far) // 2 - due
        self._ahead.append(ahead)
        self._judged += count
        judged = self._judged >= JUDGED_S * MODEL_RATE
        late = ahead < 0 and (now_ms - self._last_ms > GONE_MS or ahead < -MODEL_RATE * LATEST_MS // 1000)
        if begins or late or (judged and (max(self._ahead) < 0 or min(self._ahead) > HELD + SPARE)):
            wanted = HELD if begins else HELD // 2 + max(0, ahead - min(self._ahead))
            missing = 2 * (due + wanted) - len(self._far)
            self._far[:0] = bytes(max(0, missing))
            del self._far[: max(0, -missing)]
            self._drift = Drift(self._drift.share)
            judged = True
            if not begins and now_ms - self._last_ms <= GONE_MS:
                self._placed_ms.append(now_ms - 1000 * len(self._near) // 2 // MODEL_RATE)
        if judged:
            self._ahead.clear()
            self._judged = 0
        count = max(0, min(due, len(self._far) // 2))
        far = bytes(self._far[: 2 * count])
        del self._far[: 2 * count]
        return far
