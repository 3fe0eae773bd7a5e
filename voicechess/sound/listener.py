"""The thread that listens: a microphone and a recogniser joined, deaf while the program itself is heard.

Everything it finds goes to callbacks on its own thread; they must only enqueue. A microphone that is missing, dies or
changes is told once and tried again until it is back. `step` is one round of the thread, for tests.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from voicechess.meaning import UNKNOWN_WORD, RecognisedUtterance
from voicechess.sound.devices.interfaces import Block, Microphone, monotonic_ms
from voicechess.sound.errors import EndOfSound, SoundError
from voicechess.sound.island import FAR_DB
from voicechess.sound.lately import Lately
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

READ_S = 0.1
"""Seconds that a block is waited for."""

RETRY_S = 1.0
"""Seconds between two tries to open a microphone."""

BARGE_IN_MS = 120
"""Milliseconds of speech that make a barge-in: a tap on the microphone is shorter. Larger: later, fewer false ones."""

ONSET_MS = 240
"""Milliseconds: what has lasted less may be a word that has just begun, with more than `BARGE_IN_MS` of speech to come.
Larger: taps hold announcements up for longer."""

ONSET_BELOW_DB = 2 * FAR_DB
"""Decibels by which the beginning of a word may be softer than the words before ("Springer" begins with a hiss); breath
is softer still. Larger: more breath is waited for."""

TORN_MS = 1_500
"""Milliseconds: sound that was lost this long before the first word that was heard may have held a word of the same
sentence. Larger: more moves are asked about after a gap."""

ZEROS_MS = 3000
"""Milliseconds of exact zeros that are no room: macOS gives them to a program without permission."""


def _ignore(*_arguments: object) -> None:
    """The default callback."""


def _never(*_at_ms: int) -> bool:
    return False


def _unknown() -> float | None:
    return None


@dataclass(frozen=True, slots=True)
class InputLevel:
    """How loud it is at the microphone, decibels below full scale."""

    now_db: float = SILENCE_DB  # the last block
    floor_db: float = SILENCE_DB  # noise floor of the room


@dataclass(frozen=True, slots=True)
class ListenerCallbacks:
    """What a listener tells. Called on its thread."""

    heard: Callable[[RecognisedUtterance], None]
    """An utterance."""
    overheard: Callable[[RecognisedUtterance], None] = _ignore
    """An utterance said into the program's own speech."""
    likely: Callable[[str], None] = _ignore
    """Words that will be an utterance if silence follows."""
    lost: Callable[[SoundError], None] = _ignore
    """The microphone is missing or gone, with the reason."""
    found: Callable[[str], None] = _ignore
    """It is there now, with its name."""
    trouble: Callable[[SoundError], None] = _ignore
    """Anything else: zeros only, a failing recogniser."""
    ended: Callable[[], None] = _ignore
    """A file is at its end."""


class Attention:
    """Whether somebody is speaking to the program: told by the listener, asked by the speaker and the loop."""

    def __init__(self) -> None:
        self.recogniser: Recogniser | None = None
        """The one that listens at this moment; None: there is none."""
        self.player_db: Callable[[], float | None] = _unknown
        """Level of the player's words, as `voice_db`; None: not known."""
        self._untold = False  # an utterance may have ended that was not told yet
        self._voice_db: float | None = None  # of the last words; None: there were none
        self._loudest_db, self._lasts_ms = SILENCE_DB, 0  # since the onset of the present speech

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking right now, or has spoken and the utterance was not told yet."""
        return self._untold or (self.recogniser is not None and self.recogniser.hearing)

    @property
    def awaited(self) -> bool:
        """Whether somebody is speaking, as in `hearing`, who may be speaking to the program: they are waited for."""
        recogniser = self.recogniser
        return self.hearing and (recogniser is None or not recogniser.is_background)

    @contextlib.contextmanager
    def until_told(self) -> Iterator[None]:
        """A player who is speaking counts as speaking until this is over, in which their utterance may end."""
        self._untold = self.hearing
        try:
            yield
        finally:
            self._untold = False

    @property
    def since_ms(self) -> int | None:
        """The onset of the present speech, in the time of the microphone's blocks; None: it is quiet."""
        recogniser = self.recogniser
        return None if recogniser is None else recogniser.since_ms

    @property
    def barges_in(self) -> bool:
        """Whether the present speech has lasted long enough for a barge-in."""
        recogniser = self.recogniser
        return recogniser is not None and recogniser.speech_ms >= BARGE_IN_MS

    @property
    def near(self) -> bool:
        """Whether the near voice may be speaking: as loud as the last words, and for too long to be a tap; or for so
        short a time that this is not known yet."""
        recogniser = self.recogniser
        if recogniser is not None and recogniser.is_background:
            return False
        voice_db = SILENCE_DB if self._voice_db is None else self._voice_db
        if self._lasts_ms < ONSET_MS and not self.barges_in:
            return self._loudest_db >= voice_db - ONSET_BELOW_DB
        return self.barges_in and self._loudest_db >= voice_db - FAR_DB

    def note(self, block: Block, block_db: float, utterance: RecognisedUtterance | None) -> None:
        """The recogniser has been fed this block, of this level, with this result."""
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
    """What can be said."""

    phrases: tuple[str, ...]
    completeness: Callable[[str], Completeness]
    model: SpeechModel  # by which they are recognised


class Listener:
    """Listens while phrases are expected, the program itself is not heard, and the key of push-to-talk is down."""

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
    ) -> None:
        """`attention`: where it tells whether somebody speaks; None: only `hearing` does.

        `speaking`: whether the program would have heard itself at a time of the blocks (`Speaker.sounded`): on a busy
        machine they are read late. `overhearing`: barge-in through a loudspeaker, and what the program has said.
        `leaks`: whether the microphone hears the program (no headphones, no screen reader).
        """
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
        self._missed = True  # the last sound was not listened to: the program spoke
        self._microphone: Microphone | None = None
        self._attention = attention or Attention()
        self._lost = False
        self._gap_ms: int | None = None  # the last overflow, in the time of the blocks
        self._failing = False
        self._zeros_ms = 0
        self._lock = threading.Lock()
        self._expected: _Expected | None = None
        self._applied: _Expected | None = None
        self._pressed = Lately(False)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def expect(self, phrases: Iterable[str], completeness: Callable[[str], Completeness] = always_complete) -> None:
        """Recognise these phrases from the next utterance on. `completeness` is called on the listener's thread."""
        with self._lock:
            self._expected = _Expected(tuple(phrases), completeness, self._model)

    def recognise_with(self, model: SpeechModel) -> None:
        """What is expected from now on is recognised by this model."""
        with self._lock:
            self._model = model

    def pause(self) -> None:
        """Do not listen until phrases are expected again."""
        with self._lock:
            self._expected = None

    def press(self) -> None:
        """The key of push-to-talk is down: listen."""
        with self._lock:
            self._pressed.note(monotonic_ms(), True)

    def release(self) -> None:
        """The key is up: what was said until now is the utterance."""
        with self._lock:
            self._pressed.note(monotonic_ms(), False)

    @property
    def pressed(self) -> bool:
        """Whether the key is down."""
        with self._lock:
            return self._pressed.at(monotonic_ms())

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking right now, who may be speaking to the program."""
        return self._attention.awaited

    @property
    def rate(self) -> int:
        """The microphone's samples per second, 0 while there is none."""
        return self._microphone.rate if self._microphone else 0

    def close(self) -> None:
        """End the thread and give the microphone back."""
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
        """One round: at most about a tenth of a second, a second when there is no microphone."""
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
        except Exception:  # vosk raises plain Exception; a decoder of its own is made anew
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
            self._attention.recogniser, self._applied = recogniser, None
        now_ms = monotonic_ms()
        if not self._may_listen(now_ms) and microphone.skip(READ_S / 2):
            self._give_up(recogniser, now_ms)
            return
        block = microphone.read(READ_S)
        if block is None:
            return
        if block.gap:
            self._gap_ms = block.ended_ms - 1000 * (len(block.pcm) // 2) // microphone.rate
        self._overhear(block, microphone.rate)
        if self._lost:
            self._lost = False
            self._tell.found(microphone.name)
        self._measure(block, microphone.rate, recogniser.floor_db)
        if not self._may_listen(block.ended_ms):
            self._give_up(recogniser, block.ended_ms)
            return
        self._apply(recogniser)
        for part in self._since(block, microphone.rate, recogniser):
            with self._attention.until_told():
                utterance = recogniser.feed(part)
                if utterance is not None and self._is_own(utterance):
                    utterance = None
                self._attention.note(part, level_db(part.pcm), utterance)
                self._failing = False
                if utterance is not None:
                    self._tell.heard(self._with_gap(utterance))

    def _with_gap(self, utterance: RecognisedUtterance) -> RecognisedUtterance:
        """The utterance, marked where the device may have lost a word of it."""
        gap_ms = self._gap_ms
        torn = gap_ms is not None and utterance.began_ms - TORN_MS < gap_ms < utterance.ended_ms
        return replace(utterance, torn=True) if torn else utterance

    def _since(self, block: Block, rate: int, recogniser: Recogniser) -> list[Block]:
        """What is to be recognised now; where the program has just spoken, from where the player began into its end."""
        if self._overhearing is None:
            return [block] if recogniser.rate == rate else []  # in the next round there is one of that rate
        missed, self._missed = self._missed, False
        return self._overhearing.since(missed)

    def _is_own(self, utterance: RecognisedUtterance) -> bool:
        """Whether the program said this itself: no word of it becomes a move, a command, an answer or a tone."""
        return self._overhearing is not None and self._leaks() and self._overhearing.is_own(utterance) is True

    def _player_db(self) -> float | None:
        return self._attention.player_db()

    def _overhear(self, block: Block, rate: int) -> None:
        """Recognise what the player says into the program's speech. The canceller wants every block."""
        if self._overhearing is None:
            return
        with self._lock:
            listens = self._expected is not None
        try:
            utterance = self._overhearing.feed(block, rate, listens and self._speaking(block.ended_ms))
        except Exception:  # vosk raises plain Exception
            self._overhearing = None  # everything else is as without it
            self._tell.trouble(SoundError("sound.recogniser.deaf"))
            return
        if utterance is not None:
            self._tell.overheard(utterance)

    def _may_listen(self, at_ms: int) -> bool:
        """Whether sound of this time of the blocks is recognised."""
        with self._lock:
            wanted = self._expected is not None and (not self._push_to_talk or self._pressed.at(at_ms))
        return wanted and not self._speaking(at_ms)

    def _give_up(self, recogniser: Recogniser, at_ms: int) -> None:
        """Do not listen from then on. What was said while the key was down is told."""
        with self._lock:
            released = self._push_to_talk and not self._pressed.at(at_ms)
        if released and not self._speaking(at_ms):
            self._flush()
        recogniser.reset()
        self._missed = True

    def _apply(self, recogniser: Recogniser) -> None:
        """Hand the expected phrases to the recogniser, but not in the middle of an utterance."""
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
                self._tell.heard(self._with_gap(utterance))

    def _measure(self, block: Block, rate: int, floor_db: float) -> None:
        self.level = InputLevel(level_db(block.pcm), floor_db)
        if block.pcm.count(0) < len(block.pcm):
            self._zeros_ms = 0
            return
        before = self._zeros_ms
        self._zeros_ms += 1000 * (len(block.pcm) // 2) // rate
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
