"""The listening thread: reads a microphone into a recogniser, except while the program itself can be heard.

Results go to callbacks on this thread, which must only enqueue. A microphone that is missing, fails or changes is
reported once and retried until it is back. `step` is one iteration of the thread, for tests.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from voicechess.meaning import UNKNOWN_WORD, RecognisedUtterance
from voicechess.sound.devices.interfaces import Block, Microphone, monotonic_ms
from voicechess.sound.errors import EndOfSound, SoundError
from voicechess.sound.history import History
from voicechess.sound.island import OTHER_TALKER_DB
from voicechess.sound.model import MODEL_RATE, SpeechModel
from voicechess.sound.pcm import SILENCE_DB, level_db
from voicechess.sound.recogniser import (
    N_BEST,
    Completeness,
    EndpointTimeouts,
    Recogniser,
    always_complete,
)

if TYPE_CHECKING:
    from voicechess.sound.overhearing import Overhearing

_LOG = logging.getLogger(__name__)

READ_S = 0.1
"""Timeout, seconds, for a block from the microphone."""

RETRY_S = 1.0
"""Interval, seconds, between attempts to open a microphone. Larger: it is back later once it is plugged in."""

BARGE_IN_MS = 120
"""Milliseconds of speech that count as a barge-in; a tap on the microphone is shorter. Larger: fewer false barge-ins,
later true ones."""

ONSET_MS = 240
"""Milliseconds after an onset during which a word may just be starting, with fewer than `BARGE_IN_MS` of speech so far.
Larger: a tap delays announcements for longer."""

ONSET_BELOW_DB = 2 * OTHER_TALKER_DB
"""Decibels by which the start of a word may be softer than the previous words ("Springer" begins with a hiss); breath
is softer still. Larger: announcements wait for more breaths."""

TORN_MS = 1_500
"""Milliseconds before the first recognised word in which a device overflow may have swallowed a word of the same
sentence. Larger: more moves are asked about after an overflow."""

SWALLOWED_MS = 300
"""Milliseconds after the endpoint of an utterance that was dropped as the program's own within which words may go on
that were dropped with it. Larger: more moves right behind an announcement are asked about."""

STALE_MS = 8_000
"""Milliseconds after its end at which an utterance is dropped, where the program's own speech may be heard. A machine
that cannot keep up loses sound in between, so that its own speech passes for that of the player, who has long gone on.
Larger: later words are still answered."""

ZEROS_MS = 3000
"""Milliseconds of exact zeros after which the microphone counts as blocked: macOS delivers them to a program without
permission. Larger: it is reported later."""


def _ignore(*_arguments: object) -> None:
    """The default callback."""


def _never(*_at_ms: int) -> bool:
    return False


def _unknown() -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class InputLevel:
    """Level at the microphone, decibels below full scale."""

    now_db: float = SILENCE_DB  # of the last block
    floor_db: float = SILENCE_DB  # noise floor of the room


@dataclass(frozen=True, slots=True)
class ListenerCallbacks:
    """Callbacks of a listener, called on its thread."""

    heard: Callable[[RecognisedUtterance], None]
    """An utterance."""
    overheard: Callable[[RecognisedUtterance], None] = _ignore
    """A barge-in during the program's own speech."""
    likely: Callable[[str], None] = _ignore
    """A preliminary result: the words of the utterance if silence follows."""
    lost: Callable[[SoundError], None] = _ignore
    """The microphone is missing or lost, with the reason."""
    found: Callable[[str], None] = _ignore
    """The microphone is back, with its name."""
    trouble: Callable[[SoundError], None] = _ignore
    """Any other failure: only zeros, a failing recogniser."""
    ended: Callable[[], None] = _ignore
    """A sound file that stands for the microphone has ended."""


class Attention:
    """Whether somebody is speaking to the program: updated by the listener, queried by the speaker and the loop."""

    def __init__(self) -> None:
        self.recogniser: Recogniser | None = None
        """The active recogniser; None: there is none."""
        self.player_db: Callable[[], float | None] = _unknown
        """Level of the player's words, as `voice_db`; None: unknown."""
        self._untold = False  # an utterance may have ended that was not reported yet
        self._voice_db: float | None = None  # of the last utterance with words; None: there was none
        self._loudest_db, self._lasts_ms = SILENCE_DB, 0  # since the onset of the present speech

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking, or has spoken and the utterance was not reported yet."""
        return self._untold or (self.recogniser is not None and self.recogniser.hearing)

    @property
    def awaited(self) -> bool:
        """Whether somebody is speaking (as in `hearing`) who may mean the program, so that it should wait."""
        recogniser = self.recogniser
        return self.hearing and (recogniser is None or not recogniser.is_background)

    @contextlib.contextmanager
    def until_told(self) -> Iterator[None]:
        """Context in which a player who was speaking still counts as speaking while the utterance is finished and
        reported."""
        self._untold = self.hearing
        try:
            yield
        finally:
            self._untold = False

    @property
    def since_ms(self) -> int | None:
        """Onset of the current speech in the time of the microphone's blocks; None: silence."""
        recogniser = self.recogniser
        return None if recogniser is None else recogniser.since_ms

    @property
    def barges_in(self) -> bool:
        """Whether the current speech has lasted long enough for a barge-in."""
        recogniser = self.recogniser
        return recogniser is not None and recogniser.speech_ms >= BARGE_IN_MS

    @property
    def near(self) -> bool:
        """Whether this may be the near voice: as loud as the last words and longer than a tap, or too short yet to
        tell."""
        recogniser = self.recogniser
        if recogniser is not None and recogniser.is_background:
            return False
        voice_db = SILENCE_DB if self._voice_db is None else self._voice_db
        if self._lasts_ms < ONSET_MS and not self.barges_in:
            return self._loudest_db >= voice_db - ONSET_BELOW_DB
        return self.barges_in and self._loudest_db >= voice_db - OTHER_TALKER_DB

    def note(self, block: Block, block_db: float, utterance: RecognisedUtterance | None) -> None:
        """Note that the recogniser was fed this block, of this level, with this result."""
        if (
            utterance is not None
            and utterance.level is not None
            and any(word.text != UNKNOWN_WORD for word in utterance.hypotheses[0].words)
        ):
            self._voice_db = utterance.level.speech_db
        since_ms = self.since_ms
        if since_ms is None:
            self._loudest_db, self._lasts_ms = SILENCE_DB, 0
        else:
            self._loudest_db = max(self._loudest_db, block_db)
            self._lasts_ms = block.ended_ms - since_ms


@dataclass(frozen=True, slots=True)
class _Expected:
    """What can be said now."""

    phrases: tuple[str, ...]
    completeness: Callable[[str], Completeness]
    model: SpeechModel  # that recognises them


@dataclass(slots=True)
class _Torn:
    """Where words may have been lost last, in the time of the blocks; None: nowhere."""

    at_ms: int | None = None  # an overflow of the device, or the end of the program's words in the same utterance
    dropped_ms: int | None = None  # endpoint of an utterance that was dropped as the program's own

    def may_lack(self, utterance: RecognisedUtterance) -> bool:
        """Whether the utterance may lack a word."""

        def within(at_ms: int | None, before_ms: int) -> bool:
            return at_ms is not None and utterance.began_ms - before_ms < at_ms < utterance.ended_ms

        return within(self.at_ms, TORN_MS) or within(self.dropped_ms, SWALLOWED_MS)


class Listener:
    """Listens while phrases are expected, the program itself cannot be heard, and with push-to-talk the key is held."""

    def __init__(
        self,
        open_microphone: Callable[[], Microphone],
        model: SpeechModel,
        callbacks: ListenerCallbacks,
        *,
        attention: Attention | None = None,
        speaking: Callable[[int], bool] = _never,
        push_to_talk: bool = False,
        n_best: int = N_BEST,
        timeouts: EndpointTimeouts | None = None,
        overhearing: Overhearing | None = None,
        leaks: Callable[[], bool] = _never,
        clock: Callable[[], int] | None = None,
    ) -> None:
        """`attention`: is updated with whether somebody speaks. `speaking`: whether the program could be heard at a
        time of the blocks (`Speaker.sounded`), which are read late on a busy machine. `timeouts`: None for the
        defaults. `overhearing`: barge-in without headphones, and whether sound is the program's own. `leaks`: whether
        the microphone picks up the program (no headphones, no screen reader). `clock`: the present in the time of the
        blocks, in milliseconds, by which utterances become stale; None: they never do (a file waits)."""
        self.level = InputLevel()
        self.unsayable: tuple[str, ...] = ()
        self._open = open_microphone
        self._model = model
        self._tell = callbacks
        self._speaking = speaking
        self._push_to_talk = push_to_talk
        self._n_best = n_best
        self._timeouts = timeouts
        self._overhearing = overhearing
        self._leaks = leaks
        self._clock = clock
        self._missed = True  # the last block was not recognised: the program spoke
        self._microphone: Microphone | None = None
        self._attention = attention or Attention()
        self._lost = False
        self._torn = _Torn()
        self._failing = False
        self._zeros_ms = 0
        self._lock = threading.Lock()
        self._expected: _Expected | None = None
        self._applied: _Expected | None = None
        self._pressed = History(False)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """Recognise these phrases from the next utterance on. `completeness` is called on the listener's thread."""
        with self._lock:
            self._expected = _Expected(tuple(phrases), completeness, self._model)

    def recognise_with(self, model: SpeechModel) -> None:
        """Recognise with this model from the next expectation on."""
        with self._lock:
            self._model = model

    def pause(self) -> None:
        """Stop listening until phrases are expected again."""
        with self._lock:
            self._expected = None

    def press(self) -> None:
        """The push-to-talk key is pressed: listen."""
        with self._lock:
            self._pressed.note(monotonic_ms(), True)

    def release(self) -> None:
        """The push-to-talk key is released: the utterance ends here."""
        with self._lock:
            self._pressed.note(monotonic_ms(), False)

    @property
    def pressed(self) -> bool:
        """Whether the push-to-talk key is held."""
        with self._lock:
            return self._pressed.at(monotonic_ms())

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking who may mean the program (`Attention.awaited`)."""
        return self._attention.awaited

    @property
    def rate(self) -> int:
        """Samples per second of the microphone, 0 while there is none."""
        return self._microphone.rate if self._microphone else 0

    def close(self) -> None:
        """End the thread and close the microphone."""
        self._closed.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(3.0)

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                self.step()
        finally:
            self._drop_microphone()

    def step(self) -> None:
        """One iteration: at most about a tenth of a second, or a second without a microphone."""
        try:
            self._round()
        except EndOfSound:
            self._flush()
            self._tell.ended()
            self._closed.set()
        except SoundError as error:
            self._drop_microphone()
            if not self._lost:
                self._lost = True
                self._tell.lost(error)
            self._closed.wait(RETRY_S)
        except Exception:  # vosk raises plain Exception; the recogniser is replaced
            self._attention.recogniser = None
            if not self._failing:
                self._failing = True
                self._tell.trouble(SoundError("sound.recogniser.failed"))
            self._closed.wait(RETRY_S)

    def _round(self) -> None:
        if self._microphone is None:
            self._microphone = self._open()
            self._zeros_ms = 0
        microphone = self._microphone
        recogniser = self._attention.recogniser
        rate = microphone.rate if self._overhearing is None else MODEL_RATE
        if recogniser is None or recogniser.rate != rate:
            recogniser = Recogniser(self._model, rate, self._n_best, self._timeouts)
            recogniser.likely = self._tell.likely
            recogniser.player_db = self._player_db
            recogniser.echo_ended_ms = self._echo_ended_ms
            self._attention.recogniser, self._applied = recogniser, None
        now_ms = monotonic_ms()
        if not self._may_listen(now_ms) and microphone.skip(READ_S / 2):
            self._give_up(recogniser, now_ms)
            return
        block = microphone.read(READ_S)
        if block is None:
            return
        if block.gap:
            self._torn.at_ms = block.ended_ms - block.lasts_ms(microphone.rate)
        self._overhear(block, microphone.rate)
        if self._lost:
            self._lost = False
            self._tell.found(microphone.name)
        self._measure(block, microphone.rate, recogniser.floor_db)
        if not self._may_listen(block.ended_ms):
            self._give_up(recogniser, block.ended_ms)
            return
        self._apply(recogniser)
        coming = deque(self._since(block, microphone.rate, recogniser))
        while coming:
            part = coming.popleft()
            with self._attention.until_told():
                utterance = recogniser.feed(part)
                if utterance is not None and self._overhearing is not None:
                    self._overhearing.told(utterance)
                    utterance, rest = self._players(utterance, self._overhearing)
                    if rest:
                        recogniser.reset()
                        coming = deque(rest)
                self._attention.note(part, level_db(part.pcm), utterance)
                self._failing = False
                if utterance is not None:
                    self._report(utterance)

    def _report(self, utterance: RecognisedUtterance) -> None:
        """Report the utterance, marked as `torn` where a word of it may have been lost: by the device, or with the
        program's own words."""
        if self._torn.may_lack(utterance):
            utterance = replace(utterance, torn=True)
        _LOG.debug("heard: %s", utterance)
        self._tell.heard(utterance)

    def _since(self, block: Block, rate: int, recogniser: Recogniser) -> list[Block]:
        """The blocks to recognise now; after the program has spoken, from where the player started to speak into its
        end."""
        if self._overhearing is None:
            return [block] if recogniser.rate == rate else []  # the next iteration makes one of that rate
        missed, self._missed = self._missed, False
        return self._overhearing.since(missed)

    def _players(
        self, utterance: RecognisedUtterance, overhearing: Overhearing
    ) -> tuple[RecognisedUtterance | None, list[Block]]:
        """What of this the player said, and the sound to be recognised again: the program's own speech must become
        neither a move, a command, an answer nor a tone. A move that cannot be told from it by its sound, or that
        follows it in the same utterance, is asked about (`torn`)."""
        if not self._leaks():
            return utterance, []
        if self._is_stale(utterance):
            _LOG.debug("too late: %s", utterance)
            return None, []
        is_own = overhearing.is_own(utterance) is True
        if is_own and overhearing.is_strange(utterance):
            return replace(utterance, torn=True), []
        rest = overhearing.rest(utterance) if is_own or overhearing.begins_as_own(utterance) else []
        if rest:
            self._torn.at_ms = rest[0].ended_ms - rest[0].lasts_ms(MODEL_RATE)
        elif is_own:
            self._torn.dropped_ms = utterance.endpoint_ms
        if is_own or rest:
            _LOG.debug("own words%s: %s", ", and what follows them" if rest else "", utterance)
            return None, rest
        return utterance, []

    def _is_stale(self, utterance: RecognisedUtterance) -> bool:
        return self._clock is not None and self._clock() - utterance.ended_ms > STALE_MS

    def _echo_ended_ms(self) -> float:
        if self._overhearing is None or not self._leaks():
            return -math.inf
        return self._overhearing.echo_ended_ms()

    def _player_db(self) -> float | None:
        return self._attention.player_db()

    def _overhear(self, block: Block, rate: int) -> None:
        """Recognise barge-ins. The canceller needs every block."""
        if self._overhearing is None:
            return
        with self._lock:
            listens = self._expected is not None
        try:
            utterance = self._overhearing.feed(block, rate, listens and self._speaking(block.ended_ms))
        except Exception:  # vosk raises plain Exception
            self._overhearing = None  # go on without barge-in
            self._tell.trouble(SoundError("sound.recogniser.deaf"))
            return
        if utterance is not None and not self._is_stale(utterance):
            self._tell.overheard(utterance)

    def _may_listen(self, at_ms: int) -> bool:
        """Whether sound of that time (of the blocks) is to be recognised."""
        with self._lock:
            wanted = self._expected is not None and (not self._push_to_talk or self._pressed.at(at_ms))
        return wanted and not self._speaking(at_ms)

    def _give_up(self, recogniser: Recogniser, at_ms: int) -> None:
        """Stop listening at that time. What was said while the key was held is reported."""
        with self._lock:
            released = self._push_to_talk and not self._pressed.at(at_ms)
        if released and not self._speaking(at_ms):
            self._flush()
        recogniser.reset()
        self._missed = True

    def _apply(self, recogniser: Recogniser) -> None:
        """Pass the expected phrases to the recogniser, but not during an utterance."""
        with self._lock:
            expected = self._expected
        if expected is None or expected is self._applied or recogniser.hearing:
            return
        recogniser.expect(expected.phrases, expected.completeness, expected.model)
        self._applied = expected
        self.unsayable = recogniser.unsayable

    def _flush(self) -> None:
        recogniser = self._attention.recogniser
        with self._attention.until_told():
            utterance = recogniser.flush() if recogniser is not None else None
            if utterance is not None:
                self._report(utterance)

    def _measure(self, block: Block, rate: int, floor_db: float) -> None:
        self.level = InputLevel(level_db(block.pcm), floor_db)
        if block.pcm.count(0) < len(block.pcm):
            self._zeros_ms = 0
            return
        before = self._zeros_ms
        self._zeros_ms += block.lasts_ms(rate)
        if before < ZEROS_MS <= self._zeros_ms:
            self._tell.trouble(SoundError("sound.microphone.zeros"))

    def _drop_microphone(self) -> None:
        microphone, self._microphone = self._microphone, None
        recogniser = self._attention.recogniser
        if recogniser is not None:
            with contextlib.suppress(Exception):
                recogniser.reset()
        if microphone is not None:
            microphone.close()
