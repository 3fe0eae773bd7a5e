"""One utterance: where speech may begin and end, its sound, its level over time, and what it may be so far.

Silence is kept from the recogniser because its memory grows with endless audio (vosk-api #209, #526, #1970) and
because it hears words in noise. The noise floor is the quietest piece of the last seconds (minimum statistics: R.
Martin, "Noise power spectral density estimation based on optimal smoothing and minimum statistics", 2001): speech has
pauses, the hum of a room has none. A piece without speech counts with its mean, so that steady noise is known well
enough to notice speech five decibels above it. The level of the sound itself shows speech over hiss, the level of its
differences shows it over what rumbles: either is enough.

The decoder may end pieces of an utterance by itself; the utterance is those parts and what follows them, joined.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import mul, sub

from voicechess.meaning import UNKNOWN_WORD, Hypothesis, Word
from voicechess.sound.island import FAR_DB, Island, island
from voicechess.sound.model import Decoded, DecodedWord
from voicechess.sound.pcm import SILENCE_DB, level_db, peak, power, samples

# --- The gate ---

FRAME_MS = 20
WINDOW_MS = 3000
PIECE_MS = 300  # the floor's window moves in pieces of this length
SMOOTHED_FRAMES = 3  # single frames of noise differ by several decibels
OPENS_DB = 5.0
STAYS_DB = 3.5
OPENING_FRAMES = 3  # a click is shorter
NOISE_OVER_MINIMUM_DB = 2.0  # while somebody speaks, only the quietest frame can be noise; its mean lies so much higher


class Loudness:
    """One measure of the last frames, and its floor: at least `lowest_db`; `first_db` until the room is known."""

    def __init__(self, first_db: float, lowest_db: float) -> None:
        self.floor_db = first_db
        self._lowest_db = lowest_db  # digital silence is no measure of anything
        self._pieces: deque[float] = deque([first_db], maxlen=WINDOW_MS // PIECE_MS)
        self._piece: list[float] = []
        self._last: deque[float] = deque(maxlen=SMOOTHED_FRAMES)
        self._speech = False

    def above_db(self, frame_db: float) -> float:
        """Take the next frame's level; the decibels by which the last frames stand out of the floor."""
        self._last.append(10 ** (frame_db / 10))
        level_db = 10 * math.log10(sum(self._last) / len(self._last))
        self._piece.append(level_db)
        return level_db - self.floor_db

    def follow(self, speech: bool) -> None:
        """Let the floor follow the frame just taken, which was `speech` or not."""
        self._speech = self._speech or speech
        if len(self._piece) * FRAME_MS >= PIECE_MS:
            self._pieces.append(self._piece_floor())
            self._piece.clear()
            self._speech = False
            self.floor_db = max(self._lowest_db, min(self._pieces))

    def _piece_floor(self) -> float:
        if self._speech:
            return min(self._piece) + NOISE_OVER_MINIMUM_DB
        return 10 * math.log10(sum(10 ** (level / 10) for level in self._piece) / len(self._piece))


Levels = tuple[float, float]
"""Of a frame, in decibels below full scale: its own level and that of its differences."""


class Gate:
    """Tells for each frame, of sound at `MODEL_RATE`, whether somebody may be speaking."""

    def __init__(self) -> None:
        self.open = False
        self.levels: Levels = (SILENCE_DB, SILENCE_DB)  # of the last frame
        self._level = Loudness(-50.0, -65.0)
        self._differences = Loudness(-60.0, -75.0)
        self._loud_run = 0

    @property
    def floor_db(self) -> float:
        """The level of the room's noise, below full scale."""
        return self._level.floor_db

    def push(self, frame: bytes) -> bool:
        """Take the next 20 ms; True when they are part of speech (or of a noise as loud)."""
        level, differences = self.levels = (level_db(frame), self._differences_db(frame))
        over = (level - self._level.floor_db, differences - self._differences.floor_db)
        above = (self._level.above_db(level), self._differences.above_db(differences))
        # Smoothing draws a click out: to open, this very frame has to be loud as well.
        loud = max(above) > STAYS_DB if self.open else max(above) > OPENS_DB and max(over) > STAYS_DB
        self._loud_run = self._loud_run + 1 if loud else 0
        if self._loud_run >= OPENING_FRAMES:
            self.open = True
        speech = loud and self.open
        self._level.follow(speech)
        self._differences.follow(speech)
        return speech

    def close(self) -> None:
        """The utterance is over: a new one needs a new opening."""
        self.open = False
        self._loud_run = 0

    def _differences_db(self, frame: bytes) -> float:
        """The level of the differences from sample to sample: hum and engines are low in it, speech is not."""
        values = samples(frame)
        differences = list(map(sub, values[1:], values))
        square = sum(map(mul, differences, differences)) / max(1, len(differences)) / 32768.0**2
        return 10 * math.log10(square) if square > 0 else SILENCE_DB


# --- The utterance ---

AS_LOUD_DB = 4.0
"""Sound that is less far below the words before or behind it may be the same voice: at 5 dB of speech over noise, the
noise alone is 6 dB below both together."""

SINKING_MS = 250
"""So much more quiet is wanted where softer words follow."""

EDGE_MS, ECHO_MS = 100, 200
"""Sound so shortly before the first word and behind the last may be part of it, or its echo."""

VOICE_FRAMES = 15
"""A third of a second, a word's length: who speaks among others who talk is as loud as their loudest word."""

LED_MS = 500
"""A word so long before others belongs to them."""

ROOM_SHARE, ROOM_FRAMES = 0.75, 25
"""The room is as loud as a quarter of what is heard beside the words: knocks are rarer, others who talk are not. Less
than half a second of it tells nothing."""

LESS_THAN_SILENCE = 4.0
"""Words whose score is further below that of silence were not said: every noise is a little like some word."""


@dataclass(frozen=True, slots=True)
class Frame:
    """20 ms of sound and its levels, as the gate measured them."""

    pcm: bytes
    levels: Levels


class GoingOn:
    """What has been heard since the gate opened. Times in milliseconds of the blocks."""

    def __init__(
        self,
        before: Sequence[Frame],
        offset_ms: int,
        now_ms: int,
        floor_db: float,
        whole: Callable[[str], bool] = lambda _: False,
        room: Sequence[float] = (),
    ) -> None:
        """`before`: what led to the gate's opening. `offset_ms`: the time at the decoder's first sample. `now_ms`: the
        end of the last frame. `floor_db`: the level of the room's noise, below full scale. `whole`: whether words can
        be answered as they are. `room`: the levels of the frames before all that, as far as they are known."""
        self._whole = whole
        self._room = room
        self.floor_db = floor_db
        self.waiting = b"".join(frame.pcm for frame in before)  # for the decoder
        self._sound = bytearray(self.waiting)  # all of it
        self._sound_from_ms = now_ms - FRAME_MS * len(before)
        self.offset_ms = offset_ms
        self.began_ms = self.now_ms = now_ms
        self.silent_ms = 0  # since the gate last heard somebody
        self.parts: list[tuple[Decoded, ...]] = []
        self.piece: tuple[Decoded, ...] = ()  # what follows them, when it was last looked at
        self.ended_itself = False  # the decoder has heard the end of a part, and no word since
        self.partial = ""  # the decoder's words since those parts, a little late
        self.complete = False  # whether it could be answered when it was last looked at
        self.due_ms: int | None = None  # when to look at it again
        self.looked_ms = now_ms
        self._seen_words = ""  # `heard_so_far` then
        self.seen = False  # whether `piece` is what was found then
        self.decode_s = 0.0
        self.peak = 0.0
        self.power = 0.0
        self.loud_frames = 0
        self._levels = [frame.levels for frame in before]
        self._lately = deque((10 ** (levels[0] / 10) for levels in self._levels), VOICE_FRAMES)  # powers of frames
        self.voice_db = SILENCE_DB  # the level of its loudest word, or of other sound as long
        self.near_ms = now_ms  # when it last was about as loud as that

    def take(self, frame: Frame, loud: bool, now_ms: int) -> None:
        """The next frame, `loud` if the gate finds it so."""
        self.now_ms = now_ms
        self.waiting += frame.pcm
        self._sound += frame.pcm
        self.silent_ms = 0 if loud else self.silent_ms + FRAME_MS
        self._levels.append(frame.levels)
        self._lately.append(10 ** (frame.levels[0] / 10))
        lately_db = _rms_db(sum(self._lately), VOICE_FRAMES)
        self.voice_db = max(self.voice_db, lately_db)
        if lately_db >= self.voice_db - FAR_DB:
            self.near_ms = now_ms
        if loud:
            self.peak = max(self.peak, peak(frame.pcm))
            self.power += power(frame.pcm)
            self.loud_frames += 1

    def keep_waiting(self, kept_ms: int, most_ms: int) -> None:
        """Of more than `most_ms` of sound that waits for the decoder it gets the last `kept_ms` only."""
        bytes_per_ms = len(self._sound) // len(self._levels) // FRAME_MS
        if len(self.waiting) > most_ms * bytes_per_ms:
            dropped = len(self.waiting) - kept_ms * bytes_per_ms
            self.waiting = self.waiting[dropped:]
            self.offset_ms += dropped // bytes_per_ms

    def sound(self, from_ms: int, to_ms: int) -> tuple[bytes, int]:
        """What was heard between these times, and the time at its first sample."""
        frame_bytes = len(self._sound) // len(self._levels)
        first = max(0, from_ms - self._sound_from_ms) // FRAME_MS
        last = max(0, to_ms - self._sound_from_ms) // FRAME_MS
        return bytes(self._sound[first * frame_bytes : last * frame_bytes]), self._sound_from_ms + first * FRAME_MS

    def looked(self, piece: tuple[Decoded, ...]) -> None:
        """It has been decoded to its last sample: that is what follows the parts."""
        self.piece, self.looked_ms, self.seen, self._seen_words = piece, self.now_ms, True, self.heard_so_far

    @property
    def has_new_words(self) -> bool:
        """Whether the decoder has come upon words since it was last looked at."""
        return self.heard_so_far != self._seen_words

    def end_part(self) -> None:
        """The decoder has ended a part by itself: it has heard silence."""
        self.partial, self.piece, self.ended_itself, self.seen = "", (), True, False

    def beside(self, below_db: float) -> None:
        """Somebody talks in the room, so much softer: that is its noise, if it is not louder by itself."""
        self.floor_db = max(self.floor_db, _rms_db(self.power, self.loud_frames) - below_db)

    def in_room(self, words: Sequence[Word]) -> None:
        """These are the words that somebody said: what sounds before and behind them is the room's noise as well, if it
        lasts. Others who talk leave pauses, in which it is as quiet as if they were not there."""
        last = self.now_ms - words[-1].ended_ms - ECHO_MS
        first = len(self._levels) - (self.now_ms - words[0].began_ms + EDGE_MS) // FRAME_MS
        behind = self._levels[len(self._levels) - last // FRAME_MS :] if last > 0 else []
        levels = [*self._room, *(one[0] for one in (*self._levels[: max(0, first)], *behind))]
        if len(levels) >= ROOM_FRAMES:
            self.floor_db = max(self.floor_db, sorted(levels)[int(ROOM_SHARE * len(levels))])

    @property
    def heard_so_far(self) -> str:
        """The words of the parts and those after them that the decoder has not finished with, without `[unk]`."""
        best = [word.text for part in self.parts if part for word in part[0].words] + self.partial.split()
        return " ".join(word for word in best if word != UNKNOWN_WORD)

    @property
    def words(self) -> list[Word]:
        """The best words, `[unk]` among them, when it was last looked at."""
        return [self._word(word) for part in (*self.parts, self.piece) if part for word in part[0].words]

    def island(self, words: Sequence[Word]) -> Island | None:
        """Those that the near voice said, where others were heard beside it."""
        return island(
            words, lambda some: self._whole(" ".join(word.text for word in some if word.text != UNKNOWN_WORD))
        )

    @property
    def near_words(self) -> Sequence[Word]:
        """Those of them that the near voice said."""
        words = self.with_levels(Hypothesis(tuple(self.words))).words
        found = self.island(words) if words else None
        return words if found is None else found.words

    @property
    def text(self) -> str:
        """What the near voice said, without `[unk]`."""
        return " ".join(word.text for word in self.near_words if word.text != UNKNOWN_WORD)

    @property
    def quiet_ms(self) -> int:
        """For how long it has been quiet, by what was found when it was last looked at.

        The decoder's opinion is when the last word ended. The gate's, when it closed within that word: decoders
        stretch a last word into the noise. It is worth nothing when it did not hear that word at all. That others go on
        talking is a kind of quiet, but one that is waited for longer: a voice can sink in the middle of what it says.
        """
        words = self.near_words
        if words and words[-1].ended_ms < self.words[-1].ended_ms:
            return max(0, self.now_ms - words[-1].ended_ms - SINKING_MS)
        known = [word for word in words if word.text != UNKNOWN_WORD] or words
        if not known:
            return self.now_ms - self.began_ms if self.ended_itself else self.silent_ms
        last = known[-1]
        closed_ms = self.now_ms - self.silent_ms
        ended_ms = min(last.ended_ms, closed_ms) if closed_ms > last.began_ms else last.ended_ms
        if words[-1] is not last and self._as_loud(known[0].began_ms, ended_ms, words[-1].ended_ms):
            ended_ms = words[-1].ended_ms
        return max(0, self.now_ms - ended_ms)

    def _as_loud(self, began_ms: int, ended_ms: int, until_ms: int) -> bool:
        """Whether what came from `ended_ms` to `until_ms` may be the voice that spoke before it."""
        before, after = self._between(began_ms, ended_ms), self._between(ended_ms, until_ms)
        return all(
            _mean_db([levels[measure] for levels in before]) - _mean_db([levels[measure] for levels in after])
            < AS_LOUD_DB
            for measure in (0, 1)
        )

    def with_levels(self, hypothesis: Hypothesis) -> Hypothesis:
        """The same words, each with how much softer it is than the loudest of them."""
        levels = [_mean_db([levels[0] for levels in self._between(w.began_ms, w.ended_ms)]) for w in hypothesis.words]
        loudest = max(levels, default=0.0)
        words = (replace(w, below_db=round(loudest - db, 1)) for w, db in zip(hypothesis.words, levels, strict=True))
        return replace(hypothesis, words=tuple(words))

    def led(self, hypothesis: Hypothesis) -> Hypothesis:
        """The same words, with how much softer than they what sounds right before them is."""
        began_ms = hypothesis.words[0].began_ms
        if began_ms - LED_MS < self.now_ms - FRAME_MS * len(self._levels):
            return hypothesis
        spoken = [one[0] for word in hypothesis.words for one in self._between(word.began_ms, word.ended_ms)]
        before = [one[0] for one in self._between(began_ms - LED_MS, began_ms - EDGE_MS)]
        return replace(hypothesis, lead_in_below_db=round(_mean_db(spoken) - _mean_db(before), 1))

    def _between(self, began_ms: int, ended_ms: int) -> list[Levels]:
        """The levels of a stretch of it."""
        last = len(self._levels) - max(0, self.now_ms - ended_ms) // FRAME_MS
        first = len(self._levels) - (self.now_ms - began_ms) // FRAME_MS
        return self._levels[max(0, min(first, last - 1)) : max(1, last)]

    def hypotheses(self, most: int) -> tuple[Hypothesis, ...]:
        """The parts' alternatives joined, best sum of scores first, each text once. Where silence is the best of all,
        words that are much less likely (`LESS_THAN_SILENCE`) were not said."""
        parts = [part for part in (*self.parts, self.piece) if any(decoded.words for decoded in part)]
        if not parts:
            return ()
        joined = sorted(product(*_within(parts, 64)), key=lambda way: -sum(decoded.log_likelihood for decoded in way))
        found: dict[str, Hypothesis] = {}
        silent = not any(decoded.words for decoded in joined[0])
        least = sum(decoded.log_likelihood for decoded in joined[0]) - LESS_THAN_SILENCE if silent else -math.inf
        for way in joined:
            if sum(decoded.log_likelihood for decoded in way) < least:
                break
            words = tuple(self._word(word) for decoded in way for word in decoded.words)
            hypothesis = Hypothesis(words, sum(decoded.log_likelihood for decoded in way))
            found.setdefault(hypothesis.text, hypothesis)
        return tuple(hypothesis for hypothesis in found.values() if hypothesis.words)[:most]

    def _word(self, word: DecodedWord) -> Word:
        return Word(word.text, word.began_ms + self.offset_ms, word.ended_ms + self.offset_ms, word.confidence)


def _rms_db(power_sum: float, frames: int) -> float:
    mean = power_sum / max(1, frames)
    return 10 * math.log10(mean) if mean > 0 else SILENCE_DB


def _mean_db(levels_db: Sequence[float]) -> float:
    return 10 * math.log10(sum(10 ** (level / 10) for level in levels_db) / len(levels_db))


def _within(parts: list[tuple[Decoded, ...]], most: int) -> list[tuple[Decoded, ...]]:
    """The parts with so few alternatives each that their combinations stay below `most`."""
    each = max(1, int(most ** (1 / len(parts))))
    return [part[:each] for part in parts]
