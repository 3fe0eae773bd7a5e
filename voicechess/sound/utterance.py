"""An utterance in progress: its sound, its levels over time, and its hypotheses so far.

The decoder may endpoint by itself; an utterance is those segments and what follows them (the tail), concatenated.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from voicechess.meaning import UNKNOWN_WORD, Hypothesis, Word
from voicechess.sound.island import OTHER_TALKER_DB, Island, island
from voicechess.sound.model import Decoded, DecodedWord
from voicechess.sound.pcm import SILENCE_DB, peak, power
from voicechess.sound.vad import FRAME_MS, FrameLevels

VOICE_CONTINUES_DB = 4.0
"""Decibels below the words before it within which sound may be the same voice. At an SNR of 5 dB noise alone is 6 dB
below speech and noise together. Larger: more noise is taken for a voice that continues."""

RESUMED_MS, RESUMED_BELOW_DB = 60, 8.0
"""Milliseconds up to now whose mean level tells that the voice goes on, and decibels below the words from which it
does: words start softly. Larger: later endpoints, the first beside short sounds, the second in noise."""

FADE_ALLOWANCE_MS = 250
"""Extra milliseconds of trailing silence before an endpoint where softer words follow: a voice may trail off in
mid-sentence. Larger: later endpoints beside talk."""

WORD_MARGIN_MS, REVERB_MS = 100, 200
"""Milliseconds before the first word and after the last that may belong to them or be their reverberation, and are left
out of the noise floor. Larger: less sound to measure it on."""

WORD_FRAMES = 15
"""Frames (0.3 s, about a word) over which a level is averaged; a voice is as loud as its loudest word. Larger: short
words count as softer."""

LEAD_MS = 500
"""Milliseconds before the first word in which a preceding sound may belong to the same sentence. Larger: the lead-in is
averaged over more."""

FLOOR_QUANTILE, FEWEST_FLOOR_FRAMES = 0.75, 25
"""Quantile of the frame levels outside the words that is taken for the noise floor (knocks are rarer than that, talk is
not), and fewest frames (half a second) for it. Larger quantile: higher floors, more is asked about."""

SILENCE_MARGIN = 4.0
"""Log-likelihood by which words may be worse than silence and still be a hypothesis; every noise resembles some word a
little. Larger: more words, and more of them from noise."""


@dataclass(frozen=True, slots=True)
class Frame:
    """`FRAME_MS` of sound."""

    pcm: bytes  # 16-bit mono at `MODEL_RATE`
    levels: FrameLevels


@dataclass(slots=True)
class SpeechLevel:
    """Level of an utterance's speech over the frames that the VAD marks as speech; full scale is 1."""

    peak: float = 0.0  # largest sample
    power: float = 0.0  # sum of the frames' mean powers
    frames: int = 0  # number of frames

    def take(self, pcm: bytes) -> None:
        """Add a frame with speech."""
        self.peak = max(self.peak, peak(pcm))
        self.power += power(pcm)
        self.frames += 1

    @property
    def rms(self) -> float:
        """Root mean square, 0 to 1; 0 before the first frame."""
        return math.sqrt(self.power / max(1, self.frames))


class OngoingUtterance:
    """What was heard since voice activity began. Times are those of the blocks, in milliseconds."""

    def __init__(
        self,
        pre_roll: Sequence[Frame],
        decoder_offset_ms: int,
        now_ms: int,
        floor_db: float,
        is_whole: Callable[[str], bool] = lambda _: False,
        room: Sequence[float] = (),
    ) -> None:
        """`pre_roll`: the frames up to the onset. `decoder_offset_ms`: time of the decoder's first sample. `now_ms`:
        end of the last frame. `floor_db`: noise floor, decibels below full scale. `is_whole`: whether words are a
        complete utterance. `room`: levels of the frames before the pre-roll, as far as they are known."""
        self._is_whole = is_whole
        self._room = room
        self.floor_db = floor_db
        self.undecoded = b"".join(frame.pcm for frame in pre_roll)
        """Sound not yet passed to the decoder."""
        self._sound = bytearray(self.undecoded)  # all of it
        self._sound_from_ms = now_ms - FRAME_MS * len(pre_roll)
        self.decoder_offset_ms = decoder_offset_ms
        self.began_ms = self.now_ms = now_ms
        self.inactive_ms = 0
        """Milliseconds since the VAD last found speech."""
        self.segments: list[tuple[Decoded, ...]] = []
        """N-best list of each segment that the decoder has endpointed itself."""
        self.tail: tuple[Decoded, ...] = ()
        """N-best list of what follows the segments, from the last check."""
        self.decoder_ended = False
        """The decoder has endpointed, and has found no word since."""
        self.partial = ""
        """The decoder's partial result since the last segment, a little behind the sound."""
        self.complete = False
        """Whether it was a complete utterance at the last check."""
        self.check_due_ms: int | None = None
        """When to check next for an endpoint; None: not before something changes."""
        self.checked_ms = now_ms
        self._checked_text = ""  # `text_so_far` at the last check
        self.tail_is_known = False
        """Whether `tail` is up to date since the last check."""
        self.decode_s = 0.0
        self.speech = SpeechLevel()
        self._levels = [frame.levels for frame in pre_roll]
        self._last_powers = deque((10 ** (levels[0] / 10) for levels in self._levels), WORD_FRAMES)
        self.voice_db = SILENCE_DB
        """Level of its loudest word, or of other sound as long, in decibels below full scale."""
        self.near_ms = now_ms
        """When it was last about as loud as that."""

    def take(self, frame: Frame, speech: bool, now_ms: int) -> None:
        """Add a frame, which the VAD marks as `speech` or not."""
        self.now_ms = now_ms
        self.undecoded += frame.pcm
        self._sound += frame.pcm
        self.inactive_ms = 0 if speech else self.inactive_ms + FRAME_MS
        self._levels.append(frame.levels)
        self._last_powers.append(10 ** (frame.levels[0] / 10))
        level_db = _rms_db(sum(self._last_powers), WORD_FRAMES)
        self.voice_db = max(self.voice_db, level_db)
        if level_db >= self.voice_db - OTHER_TALKER_DB:
            self.near_ms = now_ms
        if speech:
            self.speech.take(frame.pcm)

    def drop_undecoded(self, kept_ms: int, most_ms: int) -> None:
        """If more than `most_ms` of sound waits for the decoder, keep the last `kept_ms` of it."""
        bytes_per_ms = len(self._sound) // len(self._levels) // FRAME_MS
        if len(self.undecoded) > most_ms * bytes_per_ms:
            dropped = len(self.undecoded) - kept_ms * bytes_per_ms
            self.undecoded = self.undecoded[dropped:]
            self.decoder_offset_ms += dropped // bytes_per_ms

    def sound(self, from_ms: int, to_ms: int) -> tuple[bytes, int]:
        """The sound between these times, and the time of its first sample."""
        frame_bytes = len(self._sound) // len(self._levels)
        first = max(0, from_ms - self._sound_from_ms) // FRAME_MS
        last = max(0, to_ms - self._sound_from_ms) // FRAME_MS
        return bytes(self._sound[first * frame_bytes : last * frame_bytes]), self._sound_from_ms + first * FRAME_MS

    def note_check(self, tail: tuple[Decoded, ...]) -> None:
        """Note a check: decoded to the last sample, with `tail` after the segments."""
        self.tail, self.checked_ms, self.tail_is_known, self._checked_text = tail, self.now_ms, True, self.text_so_far

    @property
    def has_new_words(self) -> bool:
        """Whether the decoder has found words since the last check."""
        return self.text_so_far != self._checked_text

    def end_segment(self) -> None:
        """The decoder has endpointed by itself: it has found silence."""
        self.partial, self.tail, self.decoder_ended, self.tail_is_known = "", (), True, False

    def raise_floor_to_talk(self, below_db: float) -> None:
        """Raise the noise floor to the level of a bystander who talks this much softer."""
        self.floor_db = max(self.floor_db, _rms_db(self.speech.power, self.speech.frames) - below_db)

    def measure_room(self, words: Sequence[Word]) -> None:
        """Include sound before and after the words in the noise floor, if there is enough of it: talk has pauses, in
        which the VAD's floor is as low as in a quiet room."""
        last = self.now_ms - words[-1].ended_ms - REVERB_MS
        first = len(self._levels) - (self.now_ms - words[0].began_ms + WORD_MARGIN_MS) // FRAME_MS
        behind = self._levels[len(self._levels) - last // FRAME_MS :] if last > 0 else []
        levels = [*self._room, *(one[0] for one in (*self._levels[: max(0, first)], *behind))]
        if len(levels) >= FEWEST_FLOOR_FRAMES:
            self.floor_db = max(self.floor_db, sorted(levels)[int(FLOOR_QUANTILE * len(levels))])

    @property
    def text_so_far(self) -> str:
        """The words of the segments and the decoder's partial result, without `[unk]`."""
        best = [word.text for segment in self.segments if segment for word in segment[0].words] + self.partial.split()
        return " ".join(word for word in best if word != UNKNOWN_WORD)

    @property
    def words(self) -> list[Word]:
        """The best words at the last check, `[unk]` included."""
        return [self._word(word) for part in (*self.segments, self.tail) if part for word in part[0].words]

    def island(self, words: Sequence[Word]) -> Island | None:
        """The near voice's island in these words, if others were heard beside it."""
        return island(words, lambda some: self._is_whole(" ".join(w.text for w in some if w.text != UNKNOWN_WORD)))

    @property
    def near_words(self) -> Sequence[Word]:
        """The words of the near voice."""
        words = self.with_levels(Hypothesis(tuple(self.words))).words
        found = self.island(words) if words else None
        return words if found is None else found.words

    @property
    def text(self) -> str:
        """The near voice's words without `[unk]`."""
        return " ".join(word.text for word in self.near_words if word.text != UNKNOWN_WORD)

    @property
    def trailing_silence_ms(self) -> int:
        """Trailing silence in milliseconds, by the last check.

        By the decoder, silence starts where the last word ended; by the VAD, where it became inactive, which counts if
        that was within this word, since decoders stretch a last word into the noise. A VAD that missed the word
        altogether does not count. Bystanders who go on talking are a kind of silence too, but one that has to last
        longer.
        """
        words = self.near_words
        if words and words[-1].ended_ms < self.words[-1].ended_ms:
            return max(0, self.now_ms - words[-1].ended_ms - FADE_ALLOWANCE_MS)
        known = [word for word in words if word.text != UNKNOWN_WORD] or words
        if not known:
            return self.now_ms - self.began_ms if self.decoder_ended else self.inactive_ms
        last = known[-1]
        inactive_from_ms = self.now_ms - self.inactive_ms
        ended_ms = min(last.ended_ms, inactive_from_ms) if inactive_from_ms > last.began_ms else last.ended_ms
        if words[-1] is not last and self._is_same_voice(known[0].began_ms, ended_ms, words[-1].ended_ms):
            ended_ms = words[-1].ended_ms
        return max(0, self.now_ms - ended_ms)

    @property
    def voice_goes_on(self) -> bool:
        """Whether there is speech now, behind the last word, that may be the voice of the words."""
        words = [word for word in self.near_words if word.text != UNKNOWN_WORD]
        if self.inactive_ms or not words or self.now_ms <= words[-1].ended_ms:
            return False
        spoken = _mean_db([levels[0] for levels in self._between(words[0].began_ms, words[-1].ended_ms)])
        now = _mean_db([levels[0] for levels in self._between(self.now_ms - RESUMED_MS, self.now_ms)])
        return now >= spoken - RESUMED_BELOW_DB

    def _is_same_voice(self, began_ms: int, ended_ms: int, until_ms: int) -> bool:
        """Whether the sound from `ended_ms` to `until_ms` may be the voice before it: at most `VOICE_CONTINUES_DB`
        softer, in level and in level of the first difference."""
        before, after = self._between(began_ms, ended_ms), self._between(ended_ms, until_ms)
        return all(
            _mean_db([levels[measure] for levels in before]) - _mean_db([levels[measure] for levels in after])
            < VOICE_CONTINUES_DB
            for measure in (0, 1)
        )

    def with_levels(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis with each word's level below the loudest one (`Word.below_db`)."""
        levels = [_mean_db([levels[0] for levels in self._between(w.began_ms, w.ended_ms)]) for w in hypothesis.words]
        loudest = max(levels, default=0.0)
        words = (replace(w, below_db=round(loudest - db, 1)) for w, db in zip(hypothesis.words, levels, strict=True))
        return replace(hypothesis, words=tuple(words))

    def with_lead(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis with the level of what precedes its first word (`Hypothesis.lead_in_below_db`)."""
        began_ms = hypothesis.words[0].began_ms
        if began_ms - LEAD_MS < self.now_ms - FRAME_MS * len(self._levels):
            return hypothesis
        spoken = [one[0] for word in hypothesis.words for one in self._between(word.began_ms, word.ended_ms)]
        before = [one[0] for one in self._between(began_ms - LEAD_MS, began_ms - WORD_MARGIN_MS)]
        return replace(hypothesis, lead_in_below_db=round(_mean_db(spoken) - _mean_db(before), 1))

    def _between(self, began_ms: int, ended_ms: int) -> list[FrameLevels]:
        """The frame levels of a stretch, at least one frame."""
        last = len(self._levels) - max(0, self.now_ms - ended_ms) // FRAME_MS
        first = len(self._levels) - (self.now_ms - began_ms) // FRAME_MS
        return self._levels[max(0, min(first, last - 1)) : max(1, last)]

    def hypotheses(self, most: int) -> tuple[Hypothesis, ...]:
        """N-best list of the whole utterance: the segments' lists combined, best total log-likelihood first, each text
        once. Where silence is best, words more than `SILENCE_MARGIN` below it are dropped."""
        parts = [part for part in (*self.segments, self.tail) if any(decoded.words for decoded in part)]
        if not parts:
            return ()
        joined = sorted(product(*_pruned(parts, 64)), key=lambda way: -sum(decoded.log_likelihood for decoded in way))
        found: dict[str, Hypothesis] = {}
        silent = not any(decoded.words for decoded in joined[0])
        least = sum(decoded.log_likelihood for decoded in joined[0]) - SILENCE_MARGIN if silent else -math.inf
        for way in joined:
            if sum(decoded.log_likelihood for decoded in way) < least:
                break
            words = tuple(self._word(word) for decoded in way for word in decoded.words)
            hypothesis = Hypothesis(words, sum(decoded.log_likelihood for decoded in way))
            found.setdefault(hypothesis.text, hypothesis)
        return tuple(hypothesis for hypothesis in found.values() if hypothesis.words)[:most]

    def _word(self, word: DecodedWord) -> Word:
        offset_ms = self.decoder_offset_ms
        return Word(word.text, word.began_ms + offset_ms, word.ended_ms + offset_ms, word.confidence)


def _rms_db(power_sum: float, frames: int) -> float:
    mean = power_sum / max(1, frames)
    return 10 * math.log10(mean) if mean > 0 else SILENCE_DB


def _mean_db(levels_db: Sequence[float]) -> float:
    return 10 * math.log10(sum(10 ** (level / 10) for level in levels_db) / len(levels_db))


def _pruned(parts: list[tuple[Decoded, ...]], most: int) -> list[tuple[Decoded, ...]]:
    """The lists cut so short that their combinations stay below `most`."""
    each = max(1, int(most ** (1 / len(parts))))
    return [part[:each] for part in parts]
