"""From blocks of sound to utterances: who may be speaking, when they have ended, and what they may have said.

The end is decided here, not by vosk: a seventh of a second of silence is enough when nothing can follow what was heard,
a quarter when it is complete, and longer when it can go on. Whether it is silent is not for the gate to say, which
hears the noise of a room as well: when the utterance may be over, it is decoded to its last sample, and silence is what
follows the last word. That is done when the decoder has new words, or the gate has closed, and again when the silence
would be long enough.

Sound goes to the decoder only while the gate is open, with a little before it. When the decoder finds an end of its
own, that is one part; an utterance is the parts joined.

No clock and no thread: times come with the blocks, so a recording gives the same result at any speed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from voicechess.meaning import UNKNOWN_WORD, Hypothesis, SpeakingLevel, Word, level_of, within_beam
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.island import LEAST_WORDS
from voicechess.sound.model import MODEL_RATE, Decoded, Decoder, SpeechModel
from voicechess.sound.pcm import SILENCE_DB, Resampler, converted
from voicechess.sound.utterance import FRAME_MS, WINDOW_MS, Frame, Gate, GoingOn

PRE_ROLL_MS = 160
"""Sound from before the gate's opening that the decoder gets; 60 ms of it are the opening itself.

Less cuts the beginning of a word off, more gives noise before it the time to become a word (models/NOTES.md).
"""

AGAIN_SPEEDS = (0.9, 1.1)
"""What is heard again is heard this much slower and faster: a word understood only at one speed is a doubtful one."""

AGAIN_WORDS = 2
"""The most words that are heard again: longer announcements make their words clear by each other."""

ISLAND_BESIDE_MS = 40
"""Sound before and behind the words of the near voice that is heard with them: words are timed to 30 ms."""

AGAIN_BESIDE_MS = 500
"""Sound before and behind those words that is heard with them: noise can last for seconds, and decoding it costs."""

EDGES = 10.0
"""What single words of people, which fit as well as longer announcements, lack at their edges: a score, for `fit`."""
SHORTEST_S = 0.3  # speech shorter than this is taken for as long, for `fit`

ALTERNATIVES = 16
"""The most hypotheses of an utterance: the likeliest are often spellings of one another, and what was meant by
somebody the model has not heard the like of may be far behind."""

LOOK_MS = 1200
"""New words put off the look at how an utterance ends only so long: they may be those of somebody else."""

LOUD_MS = 80
"""While the gate is open new words put it off so long: in a quiet room it closes meanwhile, and the words are over."""

KNOWN_MS = 150
"""What was found when the gate had closed holds so long while it stays closed: the silence after it is not decoded."""

WORDLESS_MS = 1500
"""Speech that has gone on for so long without a word of ours is hardly meant for the program: it is decoded once."""

BEGUN_MS = 300
"""Before that nothing can be told: words begin softly, and a third of a second tells how loud they are."""

FAR_OFF_DB = 8
"""Who is so much softer than the player hardly speaks to the program (`game.company`)."""

FAR_MOST_MS, FAR_KEPT_MS = 4000, 2000
"""Of talk so far off that has gone on for longer than the first, only so much is kept, undecoded: it is no move."""

LATER_MS = 300
"""Where silence is long enough and something may follow all the same, it is looked at again after this time."""

MOST_TEXTS = 256
"""So many texts of one expectation are remembered with how complete they are: more than an utterance has."""

FEED_MS = 100  # vosk decodes in steps of 0.2 s; smaller pieces only cost time
FRAME_BYTES = 2 * (MODEL_RATE * FRAME_MS // 1000)
RENEW_AFTER_MS = 120_000  # sound after which a decoder is replaced, since it grows (vosk-api #209)


class Completeness(Enum):
    """How far words go towards something that can be answered."""

    CERTAIN = "certain"  # nothing that can be said here goes on from it
    COMPLETE = "complete"
    MAY_GO_ON = "may_go_on"
    INCOMPLETE = "incomplete"
    BEGUN = "begun"  # clearly the first words of something longer: the speaker is thinking about the rest


@dataclass(frozen=True, slots=True)
class Patience:
    """How long silence must last to end an utterance, in milliseconds, by what was heard; and its longest length.

    `certain_ms` is enough only where the gate has been closed for `closed_ms` of it: in noise the decoder alone tells
    when a word has ended, and is less exact. `glimpse_ms`: when the gate has been closed for so long the words are
    looked at, so that they are known when the silence is long enough. `faded_ms`: how long others may go on talking,
    whatever was heard, when the near voice has ended: longer than a pause in a move. `lag_ms`: how much later than it
    was said the decoder may come upon a word.
    """

    certain_ms: int = 140
    closed_ms: int = 100
    glimpse_ms: int = 40
    complete_ms: int = 250
    may_go_on_ms: int = 500
    incomplete_ms: int = 900
    begun_ms: int = 2_500
    nothing_ms: int = 500
    faded_ms: int = 3_000
    longest_ms: int = 12_000
    lag_ms: int = 450

    def silence_ms(self, completeness: Completeness) -> int:
        """The silence that ends words of this completeness."""
        return {
            Completeness.CERTAIN: self.certain_ms,
            Completeness.COMPLETE: self.complete_ms,
            Completeness.MAY_GO_ON: self.may_go_on_ms,
            Completeness.INCOMPLETE: self.incomplete_ms,
            Completeness.BEGUN: self.begun_ms,
        }[completeness]


@dataclass(frozen=True, slots=True)
class RecognisedUtterance:
    """What was said. Times are those of the blocks.

    `hypotheses`: best first, never empty, texts all different; `[unk]` stands for speech that is no phrase. Where
    others talk, they are what the near voice said by itself, then the likeliest with softer words beside it
    (`Hypothesis.edge_below_db`). After them come those of the same sound heard again, a little slower and faster, where
    there were few words.
    `began_ms`, `ended_ms`: the words of the best one. `closed_ms`: when its end was decided.
    `decode_ms`: time spent decoding. `peak`, `rms`: levels, 0 to 1. `floor_db`: the room's level before
    and after it. `voice_db`: the level of its loudest word. `torn`: whether sound was lost within it or shortly before,
    so that words may be missing.
    """

    hypotheses: tuple[Hypothesis, ...]
    began_ms: int
    ended_ms: int
    closed_ms: int
    decode_ms: float
    peak: float
    rms: float
    floor_db: float = SILENCE_DB
    voice_db: float = SILENCE_DB
    torn: bool = False

    @property
    def level(self) -> SpeakingLevel:
        """How loud it was, over how loud a room."""
        return level_of(self.rms, self.peak, self.floor_db)


def always_complete(_text: str) -> Completeness:
    """For phrases none of which is the beginning of another."""
    return Completeness.COMPLETE


class Recogniser:
    """One stream of sound, recognised. Belongs to one thread."""

    def __init__(
        self, model: SpeechModel, rate: int, alternatives: int = ALTERNATIVES, patience: Patience | None = None
    ) -> None:
        """`rate`: of the blocks' sound, any. `alternatives`: hypotheses per utterance. Raises `SoundError`."""
        self.rate = rate
        self._resampler = Resampler(rate, MODEL_RATE)
        self.unsayable: tuple[str, ...] = ()  # phrases left out because the model lacks a word
        self._model = model
        self._alternatives = alternatives
        self._patience = patience or Patience()
        self._phrases: tuple[str, ...] = ()
        self._completeness: Callable[[str], Completeness] = always_complete
        self.likely: Callable[[str], None] = lambda _words: (
            None
        )  # is told words that will be an utterance if no more come
        self.player_db: Callable[[], float | None] = lambda: None  # how loud the player's words are, if that is known
        self._decoder: Decoder | None = None
        self._decoder_ms = 0.0  # sound the decoder has been fed
        self._gate = Gate()
        self._rest = b""
        self._pre_roll: deque[Frame] = deque(maxlen=PRE_ROLL_MS // FRAME_MS)
        self._utterance: GoingOn | None = None
        self._room: deque[float] = deque(maxlen=WINDOW_MS // FRAME_MS)  # levels since the last utterance

    @property
    def hearing(self) -> bool:
        """Whether an utterance is going on."""
        return self._utterance is not None

    @property
    def since_ms(self) -> int | None:
        """Since when somebody may be speaking, in the blocks' time; None: it is quiet."""
        utterance = self._utterance  # on the recogniser's thread it may go at any moment
        return None if utterance is None else utterance.began_ms

    @property
    def loud_ms(self) -> int:
        """How much of the utterance going on has been as loud as speech; 0: it is quiet."""
        utterance = self._utterance
        return 0 if utterance is None else utterance.loud_frames * FRAME_MS

    @property
    def is_nobodys(self) -> bool:
        """Whether what is going on is hardly meant for the program: it has lasted for `WORDLESS_MS` without a word of
        ours, or is far softer than the player's words."""
        utterance = self._utterance
        return utterance is not None and (self._talks_on(utterance) or self._is_far_off(utterance))

    def _is_far_off(self, utterance: GoingOn) -> bool:
        player_db = self.player_db()
        known = player_db is not None and utterance.now_ms - utterance.began_ms >= BEGUN_MS
        return known and player_db is not None and utterance.voice_db < player_db - FAR_OFF_DB

    @staticmethod
    def _talks_on(utterance: GoingOn) -> bool:
        return not utterance.heard_so_far and utterance.now_ms - utterance.began_ms > WORDLESS_MS

    @property
    def floor_db(self) -> float:
        """The level of the room's noise, below full scale."""
        return self._gate.floor_db

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """From now on these phrases; an utterance going on is given up. Phrases with unknown words are left out."""
        if self._utterance is not None:
            self.reset()  # else somebody may just be beginning, and what led to it is kept
        self._completeness = lru_cache(MOST_TEXTS)(completeness)  # the same words are judged again and again
        wanted = tuple(dict.fromkeys(" ".join(phrase.split()) for phrase in phrases))
        known = {word: self._model.knows(word) for phrase in wanted for word in phrase.split()}
        sayable = [phrase for phrase in wanted if phrase and all(known[word] for word in phrase.split())]
        self.unsayable = tuple(phrase for phrase in wanted if not all(known[word] for word in phrase.split()))
        if UNKNOWN_WORD not in sayable and (self._model.knows(UNKNOWN_WORD) or not sayable):
            sayable.append(UNKNOWN_WORD)
        if tuple(sayable) != self._phrases:
            self._phrases = tuple(sayable)
            self._decoder = None

    def reset(self) -> None:
        """Forget the utterance going on."""
        if self._utterance is not None and self._decoder is not None:
            self._decoder.forget()
        self._utterance = None
        self._gate.close()
        self._rest = b""
        self._resampler.reset()
        self._pre_roll.clear()
        self._room.clear()

    def feed(self, block: Block) -> RecognisedUtterance | None:
        """Take a block; an utterance when one has ended in it. Blocks are at most half a second long."""
        pcm = self._rest + self._resampler.push(block.pcm)
        ended_ms = block.ended_ms - round(self._resampler.lag_ms)
        whole = len(pcm) // FRAME_BYTES * FRAME_BYTES
        self._rest = pcm[whole:]
        heard = None
        for start in range(0, whole, FRAME_BYTES):
            left_bytes = len(pcm) - start - FRAME_BYTES
            now_ms = ended_ms - 1000 * (left_bytes // 2) // MODEL_RATE
            heard = self._frame(pcm[start : start + FRAME_BYTES], now_ms) or heard
        return heard

    def flush(self) -> RecognisedUtterance | None:
        """The sound has ended: what was being said."""
        if self._utterance is None:
            return None
        self._look(self._utterance)
        return self._finish(self._utterance)

    def _frame(self, frame: bytes, now_ms: int) -> RecognisedUtterance | None:
        loud = self._gate.push(frame)
        utterance = self._utterance
        if utterance is None:
            self._pre_roll.append(Frame(frame, self._gate.levels))
            self._room.append(self._gate.levels[0])
            if self._gate.open:
                self._utterance = self._begin(now_ms)
            return None
        utterance.take(Frame(frame, self._gate.levels), loud, now_ms)
        if len(utterance.waiting) >= FEED_MS // FRAME_MS * FRAME_BYTES:
            if self._is_far_off(utterance):
                utterance.keep_waiting(FAR_KEPT_MS, FAR_MOST_MS)  # decoded when it ends, or somebody near speaks
            else:
                self._decode(utterance)
        if self._just_silent(utterance, self._patience.glimpse_ms) and utterance.heard_so_far:
            utterance.due_ms = now_ms
        if self._just_silent(utterance, self._silence_to_look_ms(utterance)) and not utterance.complete:
            utterance.due_ms, utterance.seen = now_ms, False
        return self._ended(utterance)

    @staticmethod
    def _just_silent(utterance: GoingOn, silent_ms: int) -> bool:
        """Whether the gate has been closed for so long with this frame."""
        return utterance.silent_ms - FRAME_MS < silent_ms <= utterance.silent_ms

    def _silence_to_look_ms(self, utterance: GoingOn) -> int:
        """After how much silence it is looked at, whatever was heard. Of what has gone on for longer than the decoder
        lags without a word of ours, only when that much silence ends it."""
        return self._patience.nothing_ms if self._talks_on(utterance) else self._patience.certain_ms

    def _begin(self, now_ms: int) -> GoingOn:
        if self._decoder is None or self._decoder_ms > RENEW_AFTER_MS:
            self._decoder = self._model.decoder(self._phrases or (UNKNOWN_WORD,), self._alternatives)
            self._decoder_ms = 0.0
        before = tuple(self._pre_roll)
        self._pre_roll.clear()
        offset = now_ms - FRAME_MS * len(before) - self._decoder_ms
        room = tuple(self._room)[: -len(before)]
        self._room.clear()
        return GoingOn(before, round(offset), now_ms, self._gate.floor_db, self._whole, room)

    def _whole(self, text: str) -> bool:
        return self._completeness(text) not in (Completeness.INCOMPLETE, Completeness.BEGUN)

    def _decode(self, utterance: GoingOn) -> None:
        """Feed what waits; say when to look at it, if its words have changed."""
        assert self._decoder is not None
        pcm, utterance.waiting = utterance.waiting, b""
        if not pcm:
            return
        self._decoder_ms += 1000 * (len(pcm) // 2) / MODEL_RATE
        began = time.perf_counter()
        ended = self._decoder.accept(pcm)
        if ended:
            utterance.parts.append(self._decoder.final())
        partial = self._decoder.partial()
        utterance.decode_s += time.perf_counter() - began
        if ended:
            utterance.end_part()
            utterance.due_ms = utterance.now_ms
        elif partial != utterance.partial:
            utterance.partial = partial
            if utterance.has_new_words:
                after_ms = self._silence_ms(utterance.heard_so_far) - self._patience.lag_ms
                self._expect_end(utterance, after_ms if utterance.silent_ms else max(LOUD_MS, after_ms))
        if utterance.has_new_words and not utterance.silent_ms:
            began = time.perf_counter()
            self._decoder.prepare()
            utterance.decode_s += time.perf_counter() - began

    def _expect_end(self, utterance: GoingOn, after_ms: int) -> None:
        """Look at it after this many milliseconds; not later where it has already been found complete."""
        due_ms = utterance.now_ms + max(0, after_ms)
        if utterance.due_ms is None or not utterance.complete:
            utterance.due_ms = due_ms
        utterance.due_ms = min(utterance.due_ms, due_ms, max(utterance.now_ms, utterance.looked_ms + LOOK_MS))

    def _ended(self, utterance: GoingOn) -> RecognisedUtterance | None:
        lasts_ms, faded_ms = utterance.now_ms - utterance.began_ms, utterance.now_ms - utterance.near_ms
        if lasts_ms > self._patience.longest_ms or faded_ms > self._patience.faded_ms:
            self._last_look(utterance)
            return self._finish(utterance)
        if utterance.due_ms is None or utterance.now_ms < utterance.due_ms:
            return None
        if 0 < utterance.silent_ms < self._patience.glimpse_ms:
            return None  # the gate has just closed: in a moment more can be told
        if self._silence_to_look_ms(utterance) == self._patience.nothing_ms <= utterance.silent_ms:
            self._last_look(utterance)
            return self._finish(utterance)
        if not self._known(utterance):
            self._look(utterance)
        silence_ms = self._silence_ms(utterance.text)
        quiet_ms = utterance.quiet_ms
        left_ms = self._left_ms(utterance, silence_ms, quiet_ms)
        if left_ms <= 0:
            # The rest of what was begun may have begun, and the decoder not have come upon it.
            may_follow = silence_ms == self._patience.begun_ms and utterance.silent_ms < self._patience.lag_ms
            if not may_follow or quiet_ms >= silence_ms + self._patience.lag_ms:
                return self._finish(utterance)
        utterance.complete = silence_ms <= self._patience.complete_ms
        # If no word follows, this is when it ends.
        utterance.due_ms = utterance.now_ms + (left_ms if left_ms > 0 else LATER_MS)
        if utterance.silent_ms:
            if utterance.complete:
                self.likely(utterance.text)
        elif not utterance.text:
            utterance.due_ms = (
                None  # somebody talks, or it is noise: until a word of ours or silence comes nothing ends
            )
        else:
            assert self._decoder is not None
            self._decoder.prepare()
        return None

    def _known(self, utterance: GoingOn) -> bool:
        """Whether it has been looked at when the gate had closed, shortly before, and nothing has come since."""
        since_ms = utterance.now_ms - utterance.looked_ms
        silent_ms = utterance.silent_ms - since_ms  # when it was looked at
        return utterance.seen and since_ms <= KNOWN_MS and silent_ms >= self._patience.glimpse_ms

    def _left_ms(self, utterance: GoingOn, silence_ms: int, quiet_ms: int) -> int:
        """How much of the silence is still to come, after so much of it."""
        patience = self._patience
        if silence_ms > patience.certain_ms:
            return silence_ms - quiet_ms
        later_ms = patience.complete_ms - quiet_ms  # when the decoder alone says that it is over
        if not utterance.silent_ms:
            return later_ms
        return min(later_ms, max(silence_ms - quiet_ms, patience.closed_ms - utterance.silent_ms))

    def _silence_ms(self, text: str) -> int:
        return self._patience.silence_ms(self._completeness(text)) if text else self._patience.nothing_ms

    def _look(self, utterance: GoingOn) -> None:
        """Decode it to its last sample."""
        self._decode(utterance)
        assert self._decoder is not None
        began = time.perf_counter()
        utterance.looked(self._decoder.so_far())
        utterance.decode_s += time.perf_counter() - began

    def _last_look(self, utterance: GoingOn) -> None:
        """It ends whatever it is. Without a word of ours nothing but the decoder's own opinion is asked for."""
        if utterance.heard_so_far:
            self._look(utterance)
            return
        self._decode(utterance)
        assert self._decoder is not None
        began = time.perf_counter()
        utterance.looked(self._decoder.final())
        utterance.decode_s += time.perf_counter() - began

    def _finish(self, utterance: GoingOn) -> RecognisedUtterance | None:
        assert self._decoder is not None
        hypotheses = utterance.hypotheses(self._alternatives)
        hypotheses = tuple(map(utterance.with_levels, hypotheses))
        alone = self._alone(utterance, hypotheses)
        hypotheses = alone or hypotheses
        hypotheses = (*map(utterance.led, hypotheses[:1]), *hypotheses[1:])
        shift = self._model.scaling.shift
        if shift is not None:
            hypotheses = tuple(replace(one, fit=fit(one, shift)) for one in hypotheses)
        known = [word for word in hypotheses[0].words if word.text != UNKNOWN_WORD] if hypotheses else []
        if len(known) <= AGAIN_WORDS:
            hypotheses = tuple(within_beam(hypotheses))  # of so few words every sound is a little like
        beside_ms = ISLAND_BESIDE_MS if alone else AGAIN_BESIDE_MS
        again = self._heard_again(utterance, known, beside_ms) if 0 < len(known) <= AGAIN_WORDS else ()
        self._decoder.forget()
        self._utterance = None
        self._gate.close()
        if not hypotheses:
            return None  # a noise without words
        words = known or list(hypotheses[0].words)
        utterance.in_room(words)
        return RecognisedUtterance(
            hypotheses=(*hypotheses, *again),
            began_ms=words[0].began_ms,
            ended_ms=min(words[-1].ended_ms, utterance.now_ms),
            closed_ms=utterance.now_ms,
            decode_ms=round(1000 * utterance.decode_s, 1),
            peak=round(utterance.peak, 4),
            rms=round((utterance.power / max(1, utterance.loud_frames)) ** 0.5, 4),
            floor_db=round(utterance.floor_db, 1),
            voice_db=round(utterance.voice_db, 1),
        )

    def _alone(self, utterance: GoingOn, hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """What the near voice said by itself, where others spoke before or behind it; else nothing.

        It is decoded apart from what the others said, so that its score and its alternatives are of its own words. Not
        so a single word: by itself every sound is a little like one.
        """
        found = utterance.island(hypotheses[0].words) if hypotheses else None
        if found is None or sum(word.text != UNKNOWN_WORD for word in found.words) < LEAST_WORDS:
            return ()
        assert self._decoder is not None
        began = time.perf_counter()
        sound, from_ms = utterance.sound(
            found.words[0].began_ms - ISLAND_BESIDE_MS, found.words[-1].ended_ms + ISLAND_BESIDE_MS
        )
        decoded = [
            utterance.with_levels(_at_speed(one, 1.0, from_ms)) for one in self._decoder.apart(sound) if one.words
        ]
        utterance.decode_s += time.perf_counter() - began
        if not decoded or sum(word.text != UNKNOWN_WORD for word in decoded[0].words) < LEAST_WORDS:
            return ()
        utterance.beside(found.below_db)
        return (*decoded, *(wider for one in decoded[:1] for wider in found.wider(one)))

    def _heard_again(self, utterance: GoingOn, words: Sequence[Word], beside_ms: int) -> tuple[Hypothesis, ...]:
        """What these words are slower and faster; a hypothesis without words where nothing is heard then."""
        assert self._decoder is not None
        began = time.perf_counter()
        sound, from_ms = utterance.sound(words[0].began_ms - beside_ms, words[-1].ended_ms + beside_ms)
        found: list[Hypothesis] = []
        for speed in AGAIN_SPEEDS:
            decoded = self._decoder.apart(converted(sound, MODEL_RATE, round(MODEL_RATE / speed), 1))
            heard = [utterance.with_levels(_at_speed(one, speed, from_ms)) for one in decoded or (Decoded(()),)]
            found += within_beam(heard)
        utterance.decode_s += time.perf_counter() - began
        return tuple(found)


def fit(hypothesis: Hypothesis, shift: float) -> float:
    """How much rather the sound is these words than any sound, a second of speech.

    The score is a sum over the sound of how much likelier the net finds each moment's speech sound than it is in
    general, so it grows with the speech; less what the silence and the noise at its edges cost. `shift`: of
    `LikelihoodScaling`.
    """
    words = hypothesis.words
    seconds = max(0.0, (words[-1].ended_ms - words[0].began_ms) / 1000) if words else 0.0
    return round((hypothesis.log_likelihood + EDGES) / max(SHORTEST_S, seconds) + shift, 2)


def _at_speed(decoded: Decoded, speed: float, from_ms: int) -> Hypothesis:
    """What was decoded at another speed, in the times of the sound as it was, which began at `from_ms`."""
    words = (
        Word(word.text, from_ms + round(word.began_ms * speed), from_ms + round(word.ended_ms * speed), word.confidence)
        for word in decoded.words
    )
    return Hypothesis(tuple(words), decoded.log_likelihood, speed)


def overheard(recogniser: Recogniser, pieces: Iterable[bytes], began_ms: int = 0) -> Iterator[RecognisedUtterance]:
    """Every utterance in sound of the recogniser's rate, as soon as it has ended, with times from `began_ms` on.

    A piece is at most half a second long.
    """
    heard_samples = 0
    for piece in pieces:
        heard_samples += len(piece) // 2
        utterance = recogniser.feed(Block(piece, began_ms + 1000 * heard_samples // recogniser.rate))
        if utterance is not None:
            yield utterance
    utterance = recogniser.flush()
    if utterance is not None:
        yield utterance


def recognise(recogniser: Recogniser, pcm: bytes, began_ms: int = 0) -> list[RecognisedUtterance]:
    """Every utterance in a recording of the recogniser's rate, with times from `began_ms` on."""
    size = 2 * (recogniser.rate // 20)
    pieces = (pcm[start : start + size] for start in range(0, len(pcm), size))
    return list(overheard(recogniser, pieces, began_ms))
