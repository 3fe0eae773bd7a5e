"""An utterance going on: its sound, how loud it was when, and what it may be so far.

The decoder may end pieces of it by itself; an utterance is those parts and what follows them, joined.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from voicechess.meaning import Hypothesis, Word
from voicechess.sound.gate import FRAME_MS, Levels
from voicechess.sound.model import UNKNOWN, Decoded, DecodedWord
from voicechess.sound.pcm import peak, power

AS_LOUD_DB = 4.0
"""Sound that is less far below the words before it may be the same voice: at 5 dB of speech over noise, the noise
alone is 6 dB below both together."""

LESS_THAN_SILENCE = 4.0
"""Words whose score is further below that of silence were not said: every noise is a little like some word."""


@dataclass(frozen=True, slots=True)
class Frame:
    """20 ms of sound and its levels, as the gate measured them."""

    pcm: bytes
    levels: Levels


class GoingOn:
    """What has been heard since the gate opened. Times in milliseconds of the blocks."""

    def __init__(self, before: Sequence[Frame], offset_ms: int, now_ms: int, floor_db: float) -> None:
        """`before`: what led to the gate's opening. `offset_ms`: the time at the decoder's first sample. `now_ms`: the
        end of the last frame. `floor_db`: the level of the room's noise, below full scale."""
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
        self.decode_s = 0.0
        self.peak = 0.0
        self.power = 0.0
        self.loud_frames = 0
        self._levels = [frame.levels for frame in before]

    def take(self, frame: Frame, loud: bool, now_ms: int) -> None:
        """The next frame, `loud` if the gate finds it so."""
        self.now_ms = now_ms
        self.waiting += frame.pcm
        self._sound += frame.pcm
        self.silent_ms = 0 if loud else self.silent_ms + FRAME_MS
        self._levels.append(frame.levels)
        if loud:
            self.peak = max(self.peak, peak(frame.pcm))
            self.power += power(frame.pcm)
            self.loud_frames += 1

    def sound(self, from_ms: int, to_ms: int) -> tuple[bytes, int]:
        """What was heard between these times, and the time at its first sample."""
        frame_bytes = len(self._sound) // len(self._levels)
        first = max(0, from_ms - self._sound_from_ms) // FRAME_MS
        last = max(0, to_ms - self._sound_from_ms) // FRAME_MS
        return bytes(self._sound[first * frame_bytes : last * frame_bytes]), self._sound_from_ms + first * FRAME_MS

    def end_part(self) -> None:
        """The decoder has ended a part by itself: it has heard silence."""
        self.partial, self.piece, self.ended_itself = "", (), True

    @property
    def heard_so_far(self) -> str:
        """The words of the parts and those after them that the decoder has not finished with, without `[unk]`."""
        best = [word.text for part in self.parts if part for word in part[0].words] + self.partial.split()
        return " ".join(word for word in best if word != UNKNOWN)

    @property
    def words(self) -> list[Word]:
        """The best words, `[unk]` among them, when it was last looked at."""
        return [self._word(word) for part in (*self.parts, self.piece) if part for word in part[0].words]

    @property
    def text(self) -> str:
        """The words without `[unk]`."""
        return " ".join(word.text for word in self.words if word.text != UNKNOWN)

    @property
    def quiet_ms(self) -> int:
        """For how long nobody has been speaking, by what was found when it was last looked at.

        The decoder's opinion is when the last word ended. The gate's, when it closed within that word: decoders
        stretch a last word into the noise. It is worth nothing when it did not hear that word at all.
        """
        words = self.words
        known = [word for word in words if word.text != UNKNOWN] or words
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

    def _between(self, began_ms: int, ended_ms: int) -> list[Levels]:
        """The levels of a stretch of it."""
        last = len(self._levels) - (self.now_ms - ended_ms) // FRAME_MS
        first = len(self._levels) - (self.now_ms - began_ms) // FRAME_MS
        return self._levels[max(0, min(first, last - 1)) : max(1, last)]

    def hypotheses(self, most: int) -> tuple[Hypothesis, ...]:
        """The parts' alternatives joined, best sum of scores first, each text once. Where silence is the best of all,
        words that are much less likely (`LESS_THAN_SILENCE`) were not said."""
        parts = [part for part in (*self.parts, self.piece) if any(decoded.words for decoded in part)]
        if not parts:
            return ()
        joined = sorted(product(*_within(parts, 64)), key=lambda way: -sum(decoded.score for decoded in way))
        found: dict[str, Hypothesis] = {}
        silent = not any(decoded.words for decoded in joined[0])
        least = sum(decoded.score for decoded in joined[0]) - LESS_THAN_SILENCE if silent else -math.inf
        for way in joined:
            if sum(decoded.score for decoded in way) < least:
                break
            words = tuple(self._word(word) for decoded in way for word in decoded.words)
            hypothesis = Hypothesis(words, sum(decoded.score for decoded in way))
            found.setdefault(hypothesis.text, hypothesis)
        return tuple(hypothesis for hypothesis in found.values() if hypothesis.words)[:most]

    def _word(self, word: DecodedWord) -> Word:
        return Word(word.text, word.began_ms + self.offset_ms, word.ended_ms + self.offset_ms, word.confidence)


def _mean_db(levels_db: Sequence[float]) -> float:
    return 10 * math.log10(sum(10 ** (level / 10) for level in levels_db) / len(levels_db))


def _within(parts: list[tuple[Decoded, ...]], most: int) -> list[tuple[Decoded, ...]]:
    """The parts with so few alternatives each that their combinations stay below `most`."""
    each = max(1, int(most ** (1 / len(parts))))
    return [part[:each] for part in parts]
