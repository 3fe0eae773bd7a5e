"""From blocks of sound to utterances: voice activity detection, endpointing, and n-best lists.

Endpoints are decided here, not by vosk: a seventh of a second of silence is enough where nothing can follow the words,
a quarter where they are complete, longer where they may continue. The VAD alone cannot detect silence, since it also
reacts to the noise of a room. So a possible endpoint is checked: the utterance is decoded to its last sample, and
silence is what follows the last word. A check is due when the decoder has new words or the VAD becomes inactive, and
again when the silence would be long enough.

The decoder gets sound only while the VAD is active, with a little before it (the pre-roll). What the decoder endpoints
by itself is a segment; an utterance is its segments concatenated.

No clock and no thread: times come with the blocks, so a recording gives the same result at any speed.
"""

from __future__ import annotations

import math
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
"""Milliseconds of sound before the onset is detected that the decoder gets; the onset itself takes 60 of them. Larger:
noise has time to become a word. Smaller: the start of a word is cut off (models/NOTES.md)."""

N_BEST = 16
"""Hypotheses of an utterance, at most: the likeliest are often variants of one another, and what a speaker unlike the
training data meant may be far down the list. Larger: slower, and more unlikely readings."""

# --- Decoding again ---

REDECODING_SPEEDS = (0.9, 1.1)
"""Speeds at which short utterances are decoded again: a word that is recognised at one speed only is doubtful."""

REDECODED_WORDS = 2
"""Words of an utterance that is decoded again, at most; in longer announcements the words support each other. Larger:
more computing."""

ISLAND_MARGIN_MS = 40
"""Milliseconds around the near voice's words that are decoded with them: word times are multiples of 30 ms. Larger:
more of a bystander is decoded too."""

REDECODING_MARGIN_MS = 500
"""Milliseconds around other words that are decoded again, since noise can last for seconds. Larger: more computing."""

# --- Fit ---

EDGE_LOG_LIKELIHOOD = 10.0
"""Log-likelihood lost to the silence at the edges of an utterance, added back in `fit` so that single words fit as well
as longer announcements. Larger: short words fit better."""

SHORTEST_FIT_S = 0.3
"""Shortest duration, seconds, that `fit` divides by. Larger: short sounds fit worse."""

# --- Endpointing ---

MOST_DEFERRED_MS = 1200
"""Milliseconds by which new words defer a check at most, since they may be a bystander's. Larger: less computing, later
endpoints beside talk."""

DEFERRED_ACTIVE_MS = 80
"""Milliseconds by which new words defer a check at least while the VAD is active: in a quiet room it becomes inactive
meanwhile. Larger: less computing, later endpoints in noise."""

CHECK_VALID_MS = 150
"""Milliseconds for which a check made after the VAD became inactive stays valid, without decoding the silence since
then. Larger: less computing; a soft word in it is found later."""

RECHECK_MS = 300
"""Milliseconds until the next check where the silence was long enough but more words may follow. Larger: less
computing, later endpoints."""

# --- Background talk ---

WORDLESS_MS = 1500
"""Milliseconds of speech without a known word after which it counts as background talk, which is decoded once, at its
end. Larger: talk costs more computing."""

LEVEL_KNOWN_MS = 300
"""Milliseconds after an onset until the level of a voice is known: words start softly. Larger: background talk is
recognised later."""

BACKGROUND_BELOW_DB = 8
"""Decibels below the player's level at which a voice counts as background talk (`game.company`). Larger: more talk is
decoded at once."""

BACKGROUND_MS, BACKGROUND_KEPT_MS = 4000, 2000
"""Milliseconds of such talk after which undecoded sound is discarded, and how much of its end is kept: it is no move.
Larger: more computing at its end."""

# --- Computing ---

COMPLETENESS_CACHE = 256
"""Texts per expectation whose completeness is cached: more than an utterance has."""

DECODING_STEP_MS = 100
"""Milliseconds of sound passed to the decoder at a time. Vosk decodes in steps of 0.2 s. Larger: less overhead, later
words."""

FRAME_BYTES = 2 * (MODEL_RATE * FRAME_MS // 1000)

RENEW_AFTER_MS = 120_000
"""Milliseconds of sound after which a decoder is replaced, since its memory grows (vosk-api #209). Larger: more
memory."""


class Completeness(Enum):
    """How complete a text is as an utterance that can be answered now."""

    CERTAIN = "certain"  # an utterance that nothing sayable here continues
    COMPLETE = "complete"  # an utterance, with rare continuations
    MAY_GO_ON = "may_go_on"  # an utterance that is often continued
    INCOMPLETE = "incomplete"  # no utterance yet, or one that is nearly always continued
    BEGUN = "begun"  # the first words of something longer, whose speaker is still thinking


@dataclass(frozen=True, slots=True)
class EndpointTimeouts:
    """Milliseconds of trailing silence that end an utterance, by its completeness. Larger: later answers, fewer words
    cut off."""

    certain_ms: int = 140
    """For `Completeness.CERTAIN`, and only where the VAD has been inactive for `inactive_ms` of it: in noise only the
    decoder tells where a word ended, and less precisely."""
    inactive_ms: int = 100
    """Inactivity of the VAD that `certain_ms` needs."""
    first_check_ms: int = 40
    """Inactivity of the VAD after which the words are checked, so that they are known when the silence is long
    enough."""
    complete_ms: int = 250
    """For `Completeness.COMPLETE`."""
    may_go_on_ms: int = 500
    """For `Completeness.MAY_GO_ON`."""
    incomplete_ms: int = 900
    """For `Completeness.INCOMPLETE`."""
    begun_ms: int = 2_500
    """For `Completeness.BEGUN`."""
    no_words_ms: int = 500
    """Where no known word was recognised."""
    near_ended_ms: int = 3_000
    """Since the near voice was last heard, whatever was recognised and however long others go on: longer than a pause
    within a move."""
    longest_ms: int = 12_000
    """Longest utterance, with or without silence."""
    decoder_lag_ms: int = 450
    """Lag of the decoder: how long after it was said a word may be found."""

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
    """For phrases of which none begins another."""
    return Completeness.COMPLETE


class Recogniser:
    """Recognises one stream of sound. Belongs to one thread."""

    def __init__(
        self, model: SpeechModel, rate: int, n_best: int = N_BEST, timeouts: EndpointTimeouts | None = None
    ) -> None:
        """`rate`: samples per second of the blocks, any. `n_best`: most hypotheses of an utterance. `timeouts`: None
        for the defaults. Raises `SoundError`."""
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
        """Called with the words of an utterance if silence follows (a preliminary result)."""
        self.player_db: Callable[[], float | None] = lambda: None
        """Level of the player's words, decibels below full scale; None: not known."""
        self.echo_ended_ms: Callable[[], float] = lambda: -math.inf
        """When the echo of what the program said last has died away, in the blocks' time; minus infinity: no echo."""
        self._decoder: Decoder | None = None
        self._decoder_ms = 0.0  # sound decoded by the present decoder
        self._vad = VoiceActivityDetector()
        self._rest = b""  # samples short of a frame
        self._pre_roll: deque[Frame] = deque(maxlen=PRE_ROLL_MS // FRAME_MS)
        self._utterance: OngoingUtterance | None = None
        self._room: deque[float] = deque(maxlen=FLOOR_WINDOW_MS // FRAME_MS)  # frame levels since the last utterance

    @property
    def hearing(self) -> bool:
        """Whether an utterance is in progress."""
        return self._utterance is not None

    @property
    def since_ms(self) -> int | None:
        """Onset of the current speech in the blocks' time; None: silence."""
        utterance = self._utterance  # the recogniser's thread may end it at any moment
        return None if utterance is None else utterance.began_ms

    @property
    def speech_ms(self) -> int:
        """Milliseconds of the current utterance that the VAD marks as speech; 0: silence."""
        utterance = self._utterance
        return 0 if utterance is None else utterance.speech.frames * FRAME_MS

    @property
    def is_background(self) -> bool:
        """Whether the current speech counts as background talk: `WORDLESS_MS` without a known word, or far softer than
        the player's words."""
        utterance = self._utterance
        return utterance is not None and (self._is_wordless(utterance) or self._is_softer_talker(utterance))

    def _is_softer_talker(self, utterance: OngoingUtterance) -> bool:
        player_db = self.player_db()
        known = player_db is not None and utterance.now_ms - utterance.began_ms >= LEVEL_KNOWN_MS
        return known and player_db is not None and utterance.voice_db < player_db - BACKGROUND_BELOW_DB

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
        """Recognise these phrases from now on, except those with words that the model lacks. An utterance in progress
        is dropped.

        `model`: replaces the model, as after a change of language; None: keep it. Noise floor and pre-roll stay.
        """
        if self._utterance is not None:
            self.reset()  # otherwise the pre-roll is kept: somebody may be starting to speak
        if model is not None and model is not self._model:
            self._model, self._phrases, self._decoder = model, (), None
        self._completeness = lru_cache(COMPLETENESS_CACHE)(completeness)  # the same texts come again and again
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
        """Drop the utterance in progress."""
        if self._utterance is not None and self._decoder is not None:
            self._decoder.discard()
        self._utterance = None
        self._vad.end()
        self._rest = b""
        self._resampler.reset()
        self._pre_roll.clear()
        self._room.clear()

    def feed(self, block: Block) -> RecognisedUtterance | None:
        """Take a block of at most half a second; the utterance that ended in it, if any."""
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
        """End of the sound: the utterance in progress, if any."""
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
            if self._is_softer_talker(utterance):
                utterance.drop_undecoded(BACKGROUND_KEPT_MS, BACKGROUND_MS)  # decoded at its end
            else:
                self._decode(utterance)
        if self._just_inactive(utterance, self._timeouts.first_check_ms) and utterance.text_so_far:
            utterance.check_due_ms = now_ms
        if self._just_inactive(utterance, self._inactive_to_check_ms(utterance)) and not utterance.complete:
            utterance.check_due_ms, utterance.tail_is_known = now_ms, False
        return self._endpointed(utterance)

    @staticmethod
    def _just_inactive(utterance: OngoingUtterance, inactive_ms: int) -> bool:
        """Whether this frame is the one with which the VAD has been inactive for this long."""
        return utterance.inactive_ms - FRAME_MS < inactive_ms <= utterance.inactive_ms

    def _inactive_to_check_ms(self, utterance: OngoingUtterance) -> int:
        """Inactivity of the VAD after which an utterance is checked. Background talk is checked only at the silence
        that ends it."""
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
        """Decode the pending sound; schedule a check if the words have changed."""
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
        """Schedule a check after this many milliseconds; never later than an earlier one if it was complete then."""
        due_ms = utterance.now_ms + max(0, after_ms)
        if utterance.check_due_ms is None or not utterance.complete:
            utterance.check_due_ms = due_ms
        latest_ms = max(utterance.now_ms, utterance.checked_ms + MOST_DEFERRED_MS)
        utterance.check_due_ms = min(utterance.check_due_ms, due_ms, latest_ms)

    def _endpointed(self, utterance: OngoingUtterance) -> RecognisedUtterance | None:
        """The utterance, if it ends here."""
        timeouts = self._timeouts
        lasts_ms, near_ended_ms = utterance.now_ms - utterance.began_ms, utterance.now_ms - utterance.near_ms
        if lasts_ms > timeouts.longest_ms or near_ended_ms > timeouts.near_ended_ms:
            self._last_check(utterance)
            return self._finish(utterance)
        if utterance.check_due_ms is None or utterance.now_ms < utterance.check_due_ms:
            return None
        if 0 < utterance.inactive_ms < timeouts.first_check_ms:
            return None  # the VAD has only just become inactive
        if self._inactive_to_check_ms(utterance) == timeouts.no_words_ms <= utterance.inactive_ms:
            self._last_check(utterance)
            return self._finish(utterance)
        if not self._check_is_valid(utterance):
            self._check(utterance)
        wanted_ms = self._silence_ms(utterance.text)
        silence_ms = utterance.trailing_silence_ms
        left_ms = self._left_ms(utterance, wanted_ms, silence_ms)
        if left_ms <= 0:
            # The speaker may have resumed, not yet seen by the decoder.
            thinks = wanted_ms == timeouts.begun_ms and utterance.inactive_ms < timeouts.decoder_lag_ms
            left_ms = wanted_ms + timeouts.decoder_lag_ms - silence_ms
            if left_ms <= 0 or not (thinks or self._goes_on(utterance)):
                return self._finish(utterance)
            left_ms = min(left_ms, RECHECK_MS)
        utterance.complete = wanted_ms <= timeouts.complete_ms
        # The endpoint unless a word follows.
        utterance.check_due_ms = utterance.now_ms + left_ms
        if utterance.inactive_ms:
            if utterance.complete:
                self.likely(utterance.text)
        elif not utterance.text:
            # Talk or noise: no endpoint before a known word or silence.
            utterance.check_due_ms = None
        else:
            assert self._decoder is not None
            self._decoder.prepare()
        return None

    def _goes_on(self, utterance: OngoingUtterance) -> bool:
        """Whether the voice of the words goes on. Never after words that may be an echo: they and the player's behind
        them would become one utterance, the program's own."""
        return utterance.began_ms > self.echo_ended_ms() and utterance.voice_goes_on

    def _check_is_valid(self, utterance: OngoingUtterance) -> bool:
        """Whether the last check is still valid: recent, made after the VAD became inactive, and nothing new since."""
        since_ms = utterance.now_ms - utterance.checked_ms
        inactive_then_ms = utterance.inactive_ms - since_ms
        fresh = since_ms <= CHECK_VALID_MS
        return utterance.tail_is_known and fresh and inactive_then_ms >= self._timeouts.first_check_ms

    def _left_ms(self, utterance: OngoingUtterance, wanted_ms: int, silence_ms: int) -> int:
        """Milliseconds missing from the wanted silence when there were `silence_ms` of it."""
        timeouts = self._timeouts
        if wanted_ms > timeouts.certain_ms:
            return wanted_ms - silence_ms
        later_ms = timeouts.complete_ms - silence_ms  # by the decoder alone
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
        """Final check of an utterance that ends regardless. Without a known word the decoder's own result is enough."""
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
            hypotheses = tuple(within_beam(hypotheses))  # every sound resembles so few words a little
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
        """N-best list of the near voice alone, if others spoke before or after it; otherwise empty.

        Its sound is decoded alone, so that log-likelihoods and alternatives are those of its own words. A single word
        is not: by itself every sound resembles one a little.
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
        """The hypotheses for these words at `REDECODING_SPEEDS`; one without words where nothing is recognised."""
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
    """Goodness of fit: how much better these words explain the sound than free speech does, a log-likelihood ratio per
    second.

    Vosk's log-likelihood sums log posterior minus log prior of each phone over the frames, so it grows with the length
    of speech; silence and noise at the edges cost something (`EDGE_LOG_LIKELIHOOD`). `shift`: from `LikelihoodScaling`.
    """
    words = hypothesis.words
    seconds = max(0.0, (words[-1].ended_ms - words[0].began_ms) / 1000) if words else 0.0
    return round((hypothesis.log_likelihood + EDGE_LOG_LIKELIHOOD) / max(SHORTEST_FIT_S, seconds) + shift, 2)


def _at_speed(decoded: Decoded, speed: float, from_ms: int) -> Hypothesis:
    """A result decoded at another speed, in the times of the original sound, which began at `from_ms`."""
    words = (
        Word(word.text, from_ms + round(word.began_ms * speed), from_ms + round(word.ended_ms * speed), word.confidence)
        for word in decoded.words
    )
    return Hypothesis(tuple(words), decoded.log_likelihood, speed)


def utterances_in(recogniser: Recogniser, pieces: Iterable[bytes], began_ms: int = 0) -> Iterator[RecognisedUtterance]:
    """Every utterance in sound of the recogniser's rate, yielded as it ends, with times from `began_ms` on. Pieces are
    at most half a second long."""
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
