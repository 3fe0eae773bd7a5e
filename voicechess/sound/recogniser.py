"""From blocks of sound to utterances: voice activity, endpointing, and the n-best list of what may have been said.

The endpoint is decided here, not by vosk: a seventh of a second of silence is enough where nothing can follow the
words, a quarter where they are complete, longer where they may go on. The VAD alone cannot tell silence, since it hears
the noise of a room as well. So when an utterance may be over it is checked: decoded to its last sample, and silence is
what follows the last word. A check is made when the decoder has new words or the VAD becomes inactive, and again when
the silence would be long enough.

The decoder gets sound only while the VAD is active, with a little before it (the pre-roll). What the decoder endpoints
by itself is one segment; an utterance is its segments joined.

No clock and no thread: times come with the blocks, so a recording gives the same result at any speed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from voicechess.meaning import UNKNOWN_WORD, Hypothesis, RecognisedUtterance, Word, level_of, within_beam
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.island import LEAST_WORDS
from voicechess.sound.model import MODEL_RATE, Decoded, Decoder, SpeechModel
from voicechess.sound.pcm import Resampler, converted
from voicechess.sound.utterance import Frame, OngoingUtterance
from voicechess.sound.vad import FLOOR_WINDOW_MS, FRAME_MS, VoiceActivityDetector

PRE_ROLL_MS = 160
"""Milliseconds of sound from before the onset that the decoder gets; 60 of them are the onset itself. Larger: noise has
time to become a word. Smaller: the beginning of a word is cut off (models/NOTES.md)."""

N_BEST = 16
"""Most hypotheses of an utterance: the likeliest are often spellings of one another, and what somebody meant whose like
the model has not heard may be far down the list. Larger: slower, more unlikely readings."""

# --- Decoding again ---

REDECODING_SPEEDS = (0.9, 1.1)
"""Few words are decoded again, this much slower and faster: a word that is understood at one speed only is doubtful."""

REDECODED_WORDS = 2
"""Most words that are decoded again: longer announcements make their words clear by each other."""

ISLAND_MARGIN_MS = 40
"""Milliseconds around the words of the near voice that are decoded with them: words are timed to 30 ms."""

REDECODING_MARGIN_MS = 500
"""Milliseconds around other words that are decoded again: noise can last for seconds. Larger: more computing."""

# --- Fit ---

EDGE_SCORE = 10.0
"""Log-likelihood that the edges of an utterance cost, added for `fit`, so that single words fit as well as longer
announcements. Larger: short words fit better."""

SHORTEST_FIT_S = 0.3
"""Seconds: shorter speech counts as this long for `fit`. Larger: short sounds fit worse."""

# --- Endpointing ---

MOST_DEFERRED_MS = 1200
"""Milliseconds by which new words defer a check at most: they may be those of somebody else. Larger: less computing,
later endpoints beside talk."""

DEFERRED_ACTIVE_MS = 80
"""Milliseconds by which new words defer it at least while the VAD is active: in a quiet room it becomes inactive
meanwhile."""

CHECK_HOLDS_MS = 150
"""Milliseconds for which a check made after the VAD became inactive holds: the silence since then is not decoded."""

RECHECK_MS = 300
"""Milliseconds until the next check where silence was long enough and something may follow all the same."""

# --- Background talk ---

WORDLESS_MS = 1500
"""Milliseconds of speech without a word of ours that is hardly meant for the program: it is decoded once, at its end.
Larger: talk costs more."""

LEVEL_KNOWN_MS = 300
"""Milliseconds after which the level of a voice is known: words begin softly."""

FAR_TALKER_DB = 8
"""Decibels below the player's level from which on a voice is hardly meant for the program (`game.company`). Larger:
more talk is decoded at once."""

FAR_TALK_MS, FAR_TALK_KEPT_MS = 4000, 2000
"""Of such talk longer than the first, in milliseconds, only the second is kept undecoded: it is no move."""

# --- Computing ---

COMPLETENESS_CACHE = 256
"""Texts of one expectation whose completeness is remembered: more than an utterance has."""

DECODING_STEP_MS = 100
"""Milliseconds of sound that the decoder is given at once. Vosk decodes in steps of 0.2 s; smaller ones cost time."""

FRAME_BYTES = 2 * (MODEL_RATE * FRAME_MS // 1000)

RENEW_AFTER_MS = 120_000
"""Milliseconds of sound after which a decoder is replaced, since its memory grows (vosk-api #209)."""


class Completeness(Enum):
    """How far words go towards something that can be answered."""

    CERTAIN = "certain"  # nothing that can be said here goes on from it
    COMPLETE = "complete"
    MAY_GO_ON = "may_go_on"
    INCOMPLETE = "incomplete"
    BEGUN = "begun"  # clearly the first words of something longer: the speaker is thinking about the rest


@dataclass(frozen=True, slots=True)
class EndpointTimeouts:
    """How much trailing silence ends an utterance, in milliseconds. Larger: later answers, fewer words cut off."""

    certain_ms: int = 140
    """After words from which nothing goes on, and only where the VAD has been inactive for `inactive_ms` of it: in
    noise the decoder alone tells where a word has ended, and is less exact."""
    inactive_ms: int = 100
    first_check_ms: int = 40
    """When the VAD has been inactive this long the words are checked, to be known when the silence is long enough."""
    complete_ms: int = 250
    may_go_on_ms: int = 500
    incomplete_ms: int = 900
    begun_ms: int = 2_500
    no_words_ms: int = 500
    near_ended_ms: int = 3_000
    """After the near voice, however long others go on, whatever was heard: longer than a pause in a move."""
    longest_ms: int = 12_000
    """Longest utterance, silence or not."""
    decoder_lag_ms: int = 450
    """How much later than it was said the decoder may find a word."""

    def silence_ms(self, completeness: Completeness) -> int:
        """The trailing silence that ends words of this completeness."""
        return {
            Completeness.CERTAIN: self.certain_ms,
            Completeness.COMPLETE: self.complete_ms,
            Completeness.MAY_GO_ON: self.may_go_on_ms,
            Completeness.INCOMPLETE: self.incomplete_ms,
            Completeness.BEGUN: self.begun_ms,
        }[completeness]


def always_complete(_text: str) -> Completeness:
    """For phrases none of which is the beginning of another."""
    return Completeness.COMPLETE


class Recogniser:
    """One stream of sound, recognised. Belongs to one thread."""

    def __init__(
        self, model: SpeechModel, rate: int, n_best: int = N_BEST, timeouts: EndpointTimeouts | None = None
    ) -> None:
        """`rate`: of the blocks' sound, any. `n_best`: hypotheses of an utterance. Raises `SoundError`."""
        self.rate = rate
        self._resampler = Resampler(rate, MODEL_RATE)
        self.unsayable: tuple[str, ...] = ()
        """Phrases left out because the model lacks a word."""
        self._model = model
        self._n_best = n_best
        self._timeouts = timeouts or EndpointTimeouts()
        self._phrases: tuple[str, ...] = ()
        self._completeness: Callable[[str], Completeness] = always_complete
        self.likely: Callable[[str], None] = lambda _words: None
        """Is told words that will be an utterance if no more come."""
        self.player_db: Callable[[], float | None] = lambda: None
        """Level of the player's words, decibels below full scale; None: not known."""
        self._decoder: Decoder | None = None
        self._decoder_ms = 0.0  # of sound that the decoder has been given
        self._vad = VoiceActivityDetector()
        self._rest = b""  # less than a frame
        self._pre_roll: deque[Frame] = deque(maxlen=PRE_ROLL_MS // FRAME_MS)
        self._utterance: OngoingUtterance | None = None
        self._room: deque[float] = deque(maxlen=FLOOR_WINDOW_MS // FRAME_MS)  # levels since the last utterance

    @property
    def hearing(self) -> bool:
        """Whether an utterance is going on."""
        return self._utterance is not None

    @property
    def since_ms(self) -> int | None:
        """The onset of the speech going on, in the blocks' time; None: it is quiet."""
        utterance = self._utterance  # on the recogniser's thread it may go at any moment
        return None if utterance is None else utterance.began_ms

    @property
    def speech_ms(self) -> int:
        """How much of the utterance going on has been speech by the VAD; 0: it is quiet."""
        utterance = self._utterance
        return 0 if utterance is None else utterance.speech.frames * FRAME_MS

    @property
    def is_background(self) -> bool:
        """Whether what is going on is hardly meant for the program: it has lasted for `WORDLESS_MS` without a word of
        ours, or is far softer than the player's words."""
        utterance = self._utterance
        return utterance is not None and (self._is_wordless(utterance) or self._is_far_talker(utterance))

    def _is_far_talker(self, utterance: OngoingUtterance) -> bool:
        player_db = self.player_db()
        known = player_db is not None and utterance.now_ms - utterance.began_ms >= LEVEL_KNOWN_MS
        return known and player_db is not None and utterance.voice_db < player_db - FAR_TALKER_DB

    @staticmethod
    def _is_wordless(utterance: OngoingUtterance) -> bool:
        return not utterance.text_so_far and utterance.now_ms - utterance.began_ms > WORDLESS_MS

    @property
    def floor_db(self) -> float:
        """Noise floor of the room, decibels below full scale."""
        return self._vad.floor_db

    def expect(
        self,
        phrases: Iterable[str],
        completeness: Callable[[str], Completeness] = always_complete,
        model: SpeechModel | None = None,
    ) -> None:
        """Recognise these phrases from now on; an utterance going on is dropped. Those with unknown words are left
        out.

        `model`: recognises from now on, as after a change of language; None: the same as before. The noise floor and
        the pre-roll stay.
        """
        if self._utterance is not None:
            self.reset()  # else the pre-roll is kept: somebody may just be beginning
        if model is not None and model is not self._model:
            self._model, self._phrases, self._decoder = model, (), None
        self._completeness = lru_cache(COMPLETENESS_CACHE)(completeness)  # the same words are judged again and again
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
        """Drop the utterance going on."""
        if self._utterance is not None and self._decoder is not None:
            self._decoder.discard()
        self._utterance = None
        self._vad.end()
        self._rest = b""
        self._resampler.reset()
        self._pre_roll.clear()
        self._room.clear()

    def feed(self, block: Block) -> RecognisedUtterance | None:
        """Take a block, half a second at most; the utterance that has ended in it, if any."""
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
        self._check(self._utterance)
        return self._finish(self._utterance)

    def _frame(self, frame: bytes, now_ms: int) -> RecognisedUtterance | None:
        speech = self._vad.push(frame)
        utterance = self._utterance
        if utterance is None:
            self._pre_roll.append(Frame(frame, self._vad.levels))
            self._room.append(self._vad.levels[0])
            if self._vad.active:
                self._utterance = self._begin(now_ms)
            return None
        utterance.take(Frame(frame, self._vad.levels), speech, now_ms)
        if len(utterance.undecoded) >= DECODING_STEP_MS // FRAME_MS * FRAME_BYTES:
            if self._is_far_talker(utterance):
                utterance.drop_undecoded(FAR_TALK_KEPT_MS, FAR_TALK_MS)  # decoded at its end, or when the player speaks
            else:
                self._decode(utterance)
        if self._just_inactive(utterance, self._timeouts.first_check_ms) and utterance.text_so_far:
            utterance.check_due_ms = now_ms
        if self._just_inactive(utterance, self._inactive_to_check_ms(utterance)) and not utterance.complete:
            utterance.check_due_ms, utterance.tail_is_known = now_ms, False
        return self._endpointed(utterance)

    @staticmethod
    def _just_inactive(utterance: OngoingUtterance, inactive_ms: int) -> bool:
        """Whether the VAD has been inactive for this long with this frame."""
        return utterance.inactive_ms - FRAME_MS < inactive_ms <= utterance.inactive_ms

    def _inactive_to_check_ms(self, utterance: OngoingUtterance) -> int:
        """How long the VAD is inactive when an utterance is checked, whatever was heard. Talk that has no word of ours
        is checked only when that silence ends it."""
        return self._timeouts.no_words_ms if self._is_wordless(utterance) else self._timeouts.certain_ms

    def _begin(self, now_ms: int) -> OngoingUtterance:
        if self._decoder is None or self._decoder_ms > RENEW_AFTER_MS:
            self._decoder = self._model.decoder(self._phrases or (UNKNOWN_WORD,), self._n_best)
            self._decoder_ms = 0.0
        pre_roll = tuple(self._pre_roll)
        self._pre_roll.clear()
        offset = now_ms - FRAME_MS * len(pre_roll) - self._decoder_ms
        room = tuple(self._room)[: -len(pre_roll)]
        self._room.clear()
        return OngoingUtterance(pre_roll, round(offset), now_ms, self._vad.floor_db, self._is_whole, room)

    def _is_whole(self, text: str) -> bool:
        return self._completeness(text) not in (Completeness.INCOMPLETE, Completeness.BEGUN)

    def _decode(self, utterance: OngoingUtterance) -> None:
        """Decode what is undecoded; schedule a check if the words have changed."""
        assert self._decoder is not None
        pcm, utterance.undecoded = utterance.undecoded, b""
        if not pcm:
            return
        self._decoder_ms += 1000 * (len(pcm) // 2) / MODEL_RATE
        began = time.perf_counter()
        ended = self._decoder.accept(pcm)
        if ended:
            utterance.segments.append(self._decoder.final())
        partial = self._decoder.partial()
        utterance.decode_s += time.perf_counter() - began
        if ended:
            utterance.end_segment()
            utterance.check_due_ms = utterance.now_ms
        elif partial != utterance.partial:
            utterance.partial = partial
            if utterance.has_new_words:
                after_ms = self._silence_ms(utterance.text_so_far) - self._timeouts.decoder_lag_ms
                self._schedule(utterance, after_ms if utterance.inactive_ms else max(DEFERRED_ACTIVE_MS, after_ms))
        if utterance.has_new_words and not utterance.inactive_ms:
            began = time.perf_counter()
            self._decoder.prepare()
            utterance.decode_s += time.perf_counter() - began

    def _schedule(self, utterance: OngoingUtterance, after_ms: int) -> None:
        """Check after this many milliseconds; not later where it was found complete before."""
        due_ms = utterance.now_ms + max(0, after_ms)
        if utterance.check_due_ms is None or not utterance.complete:
            utterance.check_due_ms = due_ms
        latest_ms = max(utterance.now_ms, utterance.checked_ms + MOST_DEFERRED_MS)
        utterance.check_due_ms = min(utterance.check_due_ms, due_ms, latest_ms)

    def _endpointed(self, utterance: OngoingUtterance) -> RecognisedUtterance | None:
        """The utterance, if this is its endpoint."""
        timeouts = self._timeouts
        lasts_ms, near_ended_ms = utterance.now_ms - utterance.began_ms, utterance.now_ms - utterance.near_ms
        if lasts_ms > timeouts.longest_ms or near_ended_ms > timeouts.near_ended_ms:
            self._last_check(utterance)
            return self._finish(utterance)
        if utterance.check_due_ms is None or utterance.now_ms < utterance.check_due_ms:
            return None
        if 0 < utterance.inactive_ms < timeouts.first_check_ms:
            return None  # the VAD has just become inactive: a moment later more is known
        if self._inactive_to_check_ms(utterance) == timeouts.no_words_ms <= utterance.inactive_ms:
            self._last_check(utterance)
            return self._finish(utterance)
        if not self._check_holds(utterance):
            self._check(utterance)
        wanted_ms = self._silence_ms(utterance.text)
        silence_ms = utterance.trailing_silence_ms
        left_ms = self._left_ms(utterance, wanted_ms, silence_ms)
        if left_ms <= 0:
            # The rest of what was begun may have begun, unseen by the decoder yet.
            may_follow = wanted_ms == timeouts.begun_ms and utterance.inactive_ms < timeouts.decoder_lag_ms
            if not may_follow or silence_ms >= wanted_ms + timeouts.decoder_lag_ms:
                return self._finish(utterance)
        utterance.complete = wanted_ms <= timeouts.complete_ms
        # If no word follows, this is the endpoint.
        utterance.check_due_ms = utterance.now_ms + (left_ms if left_ms > 0 else RECHECK_MS)
        if utterance.inactive_ms:
            if utterance.complete:
                self.likely(utterance.text)
        elif not utterance.text:
            # Somebody talks, or it is noise: nothing ends before a word of ours or silence.
            utterance.check_due_ms = None
        else:
            assert self._decoder is not None
            self._decoder.prepare()
        return None

    def _check_holds(self, utterance: OngoingUtterance) -> bool:
        """Whether the last check was made after the VAD became inactive, shortly before, and nothing has come since."""
        since_ms = utterance.now_ms - utterance.checked_ms
        inactive_then_ms = utterance.inactive_ms - since_ms
        fresh = since_ms <= CHECK_HOLDS_MS
        return utterance.tail_is_known and fresh and inactive_then_ms >= self._timeouts.first_check_ms

    def _left_ms(self, utterance: OngoingUtterance, wanted_ms: int, silence_ms: int) -> int:
        """How much of the wanted silence is still to come, after so much of it."""
        timeouts = self._timeouts
        if wanted_ms > timeouts.certain_ms:
            return wanted_ms - silence_ms
        later_ms = timeouts.complete_ms - silence_ms  # when the decoder alone says that it is over
        if not utterance.inactive_ms:
            return later_ms
        return min(later_ms, max(wanted_ms - silence_ms, timeouts.inactive_ms - utterance.inactive_ms))

    def _silence_ms(self, text: str) -> int:
        return self._timeouts.silence_ms(self._completeness(text)) if text else self._timeouts.no_words_ms

    def _check(self, utterance: OngoingUtterance) -> None:
        """Decode it to its last sample."""
        self._decode(utterance)
        assert self._decoder is not None
        began = time.perf_counter()
        utterance.note_check(self._decoder.so_far())
        utterance.decode_s += time.perf_counter() - began

    def _last_check(self, utterance: OngoingUtterance) -> None:
        """It ends, whatever it is. Without a word of ours the decoder's own result is enough."""
        if utterance.text_so_far:
            self._check(utterance)
            return
        self._decode(utterance)
        assert self._decoder is not None
        began = time.perf_counter()
        utterance.note_check(self._decoder.final())
        utterance.decode_s += time.perf_counter() - began

    def _finish(self, utterance: OngoingUtterance) -> RecognisedUtterance | None:
        assert self._decoder is not None
        hypotheses = utterance.hypotheses(self._n_best)
        hypotheses = tuple(map(utterance.with_levels, hypotheses))
        near_voice = self._near_voice(utterance, hypotheses)
        hypotheses = near_voice or hypotheses
        hypotheses = (*map(utterance.with_lead, hypotheses[:1]), *hypotheses[1:])
        shift = self._model.scaling.shift
        if shift is not None:
            hypotheses = tuple(replace(one, fit=fit(one, shift)) for one in hypotheses)
        known = [word for word in hypotheses[0].words if word.text != UNKNOWN_WORD] if hypotheses else []
        if len(known) <= REDECODED_WORDS:
            hypotheses = tuple(within_beam(hypotheses))  # of so few words every sound is a little like
        margin_ms = ISLAND_MARGIN_MS if near_voice else REDECODING_MARGIN_MS
        again = self._redecoded(utterance, known, margin_ms) if 0 < len(known) <= REDECODED_WORDS else ()
        self._decoder.discard()
        self._utterance = None
        self._vad.end()
        if not hypotheses:
            return None  # a noise without words
        words = known or list(hypotheses[0].words)
        utterance.measure_room(words)
        return RecognisedUtterance(
            hypotheses=(*hypotheses, *again),
            began_ms=words[0].began_ms,
            ended_ms=min(words[-1].ended_ms, utterance.now_ms),
            level=level_of(
                rms=round(utterance.speech.rms, 4),
                peak=round(utterance.speech.peak, 4),
                floor_db=round(utterance.floor_db, 1),
            ),
            voice_db=round(utterance.voice_db, 1),
            endpoint_ms=utterance.now_ms,
            decode_ms=round(1000 * utterance.decode_s, 1),
        )

    def _near_voice(self, utterance: OngoingUtterance, hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """The n-best list of the near voice by itself, where others spoke before or behind it; else nothing.

        It is decoded alone, so that scores and alternatives are those of its own words. A single word is not: by itself
        every sound is a little like one.
        """
        found = utterance.island(hypotheses[0].words) if hypotheses else None
        if found is None or sum(word.text != UNKNOWN_WORD for word in found.words) < LEAST_WORDS:
            return ()
        assert self._decoder is not None
        began = time.perf_counter()
        sound, from_ms = utterance.sound(
            found.words[0].began_ms - ISLAND_MARGIN_MS, found.words[-1].ended_ms + ISLAND_MARGIN_MS
        )
        decoded = [
            utterance.with_levels(_at_speed(one, 1.0, from_ms))
            for one in self._decoder.decode_alone(sound)
            if one.words
        ]
        utterance.decode_s += time.perf_counter() - began
        if not decoded or sum(word.text != UNKNOWN_WORD for word in decoded[0].words) < LEAST_WORDS:
            return ()
        utterance.raise_floor_to_talk(found.below_db)
        return (*decoded, *(wider for one in decoded[:1] for wider in found.wider(one)))

    def _redecoded(self, utterance: OngoingUtterance, words: Sequence[Word], margin_ms: int) -> tuple[Hypothesis, ...]:
        """What these words are slower and faster; a hypothesis without words where nothing is recognised then."""
        assert self._decoder is not None
        began = time.perf_counter()
        sound, from_ms = utterance.sound(words[0].began_ms - margin_ms, words[-1].ended_ms + margin_ms)
        found: list[Hypothesis] = []
        for speed in REDECODING_SPEEDS:
            decoded = self._decoder.decode_alone(converted(sound, MODEL_RATE, round(MODEL_RATE / speed), 1))
            heard = [utterance.with_levels(_at_speed(one, speed, from_ms)) for one in decoded or (Decoded(()),)]
            found += within_beam(heard)
        utterance.decode_s += time.perf_counter() - began
        return tuple(found)


def fit(hypothesis: Hypothesis, shift: float) -> float:
    """How much better these words explain the sound than free speech does, per second: a log-likelihood ratio.

    The score is the sum over frames of the log posterior less the log prior of each phone, so it grows with the length
    of speech; the silence and noise at the edges cost something (`EDGE_SCORE`). `shift`: of `LikelihoodScaling`.
    """
    words = hypothesis.words
    seconds = max(0.0, (words[-1].ended_ms - words[0].began_ms) / 1000) if words else 0.0
    return round((hypothesis.log_likelihood + EDGE_SCORE) / max(SHORTEST_FIT_S, seconds) + shift, 2)


def _at_speed(decoded: Decoded, speed: float, from_ms: int) -> Hypothesis:
    """What was decoded at another speed, with the times of the original sound, which began at `from_ms`."""
    words = (
        Word(word.text, from_ms + round(word.began_ms * speed), from_ms + round(word.ended_ms * speed), word.confidence)
        for word in decoded.words
    )
    return Hypothesis(tuple(words), decoded.log_likelihood, speed)


def utterances_in(recogniser: Recogniser, pieces: Iterable[bytes], began_ms: int = 0) -> Iterator[RecognisedUtterance]:
    """Every utterance in sound of the recogniser's rate, as soon as it has ended, with times from `began_ms` on.

    A piece is half a second long at most.
    """
    fed_samples = 0
    for piece in pieces:
        fed_samples += len(piece) // 2
        utterance = recogniser.feed(Block(piece, began_ms + 1000 * fed_samples // recogniser.rate))
        if utterance is not None:
            yield utterance
    utterance = recogniser.flush()
    if utterance is not None:
        yield utterance


def recognise(recogniser: Recogniser, pcm: bytes, began_ms: int = 0) -> list[RecognisedUtterance]:
    """Every utterance in a recording of the recogniser's rate, with times from `began_ms` on."""
    size = 2 * (recogniser.rate // 20)
    pieces = (pcm[start : start + size] for start in range(0, len(pcm), size))
    return list(utterances_in(recogniser, pieces, began_ms))
