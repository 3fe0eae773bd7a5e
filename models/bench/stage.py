"""The program with its wiring in a simulated room, faster than real time.

Listener, canceller, loop and session are those of the program; devices, echo path, speaker queue and time are
simulated."""

from __future__ import annotations

import queue
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from models.bench.loudspeaker import NO_ECHO_DB
from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise
from voicechess.app.around import Hooks, Terminal
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox, Item
from voicechess.app.loop import Loop
from voicechess.app.simulation import SimulatedClock
from voicechess.app.turn_taking import INTERJECTIONS
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect
from voicechess.game.session import Session
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Unclear
from voicechess.messages import Priority, Tone, Whose
from voicechess.sound.devices.interfaces import Block
from voicechess.sound.history import History
from voicechess.sound.listener import Attention, Listener, ListenerCallbacks
from voicechess.sound.mixing import FLOOR_DBFS, NOMINAL_DBFS, active_dbfs, as_int16
from voicechess.sound.model import SpeechModel
from voicechess.sound.overhearing import Overhearing
from voicechess.sound.queued import PlayedText, played_of
from voicechess.sound.speaker import AFTER_SPEECH_S, AFTER_TONE_S, LOUDSPEAKER_WAIT_S, SETTLED_S, SILENCE
from voicechess.sound.speech import parts
from voicechess.sound.tones import TONE_RATE, tone_pcm
from voicechess.sound.voices import resampled

if TYPE_CHECKING:
    from voicechess.sound.voices import Samples

BLOCK_MS = 30
"""Duration of the microphone's blocks, milliseconds."""

BLOCK = SAMPLE_RATE * BLOCK_MS // 1000
"""The same in samples."""

TAIL_MS = 70
"""Latency of the loudspeaker, milliseconds."""

DELAYS_MS = (50, 100, 150, 200, 300, 400, 500)
"""Delays of the echo, drawn at each jump."""

JUMPS_S = (6.0, 45.0)
"""Range of the seconds between two jumps of the delay."""

ROOMS_S = (0.2, 0.4, 0.6)
"""Reverberation times (RT60), seconds."""


def echo_name(echo_db: float) -> str:
    """The echo level as tables name it."""
    return "none" if echo_db == NO_ECHO_DB else f"{echo_db:+.0f} dB"


# --- Time, the loudspeaker, the room and the microphone ---


class _Inbox(Inbox):
    """An inbox that never waits, since time stands still meanwhile."""

    def take(self, timeout_s: float) -> Item | None:
        try:
            return self._queue.get_nowait()
        except queue.Empty:
            return None


class _Clock(SimulatedClock):
    """Simulated time, advanced by one block in each iteration of the loop."""

    def __init__(self, passes: Callable[[], None]) -> None:
        super().__init__()
        self._passes = passes

    def gap(self) -> int:
        self._passes()
        return 0


@dataclass
class _Item:
    sound: Samples
    priority: Priority
    number: int | None  # None: a tone
    parts: dict[int, PlayedText] = field(default_factory=dict)  # by the sample at which each begins
    waits_until_ms: int | None = None
    quiet_from_ms: int = 0
    at: int = 0


class _Voice:
    """Plays its queue as `Speaker` does with a loudspeaker."""

    headphones = False

    def __init__(self, clock: _Clock, inbox: Inbox, attention: Attention, sound_of: Callable[[str], Samples]) -> None:
        self._clock, self._inbox, self._attention, self._sound_of = clock, inbox, attention, sound_of
        self._items: list[_Item] = []
        self._over: list[tuple[int, _Item]] = []  # and when the device has played them
        self._quiet_ms = 0
        self._saying = History(SILENCE)
        self.tones: list[int] = []
        self.began_ms: int | None = None

    def said(self, began_ms: int, ended_ms: int) -> list[PlayedText]:
        """As `Speaker.said`."""
        return played_of(self._saying.within(began_ms, ended_ms))

    @property
    def sounding(self) -> bool:
        begun = bool(self._items) and self._items[0].at > 0
        return begun or bool(self._over) or self._clock.ms < self._quiet_ms

    @property
    def silent(self) -> bool:
        return not self._items and not self._over

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        sounds, said, first = [np.zeros(0, np.float32)], dict[int, PlayedText](), 0
        for part in parts(text if isinstance(text, str) else text()):
            sound = self._sound_of(part)
            said[first] = PlayedText(part, lasts_ms=1000 * len(sound) // SAMPLE_RATE)
            sounds.append(np.pad(sound, (0, -len(sound) % BLOCK)))
            first += len(sounds[-1])
        self._put(_Item(np.concatenate(sounds), priority, number, said))

    def tone(self, tone: Tone) -> bool:
        self.tones.append(self._clock.ms)
        pcm = (np.frombuffer(tone_pcm(tone), "<i2") / 32768).astype(np.float32)
        self._put(_Item(resampled(pcm, TONE_RATE, SAMPLE_RATE), Priority.NEXT, None))
        return True

    def hush(self) -> None:
        items, self._items = self._items, []
        for item in items:
            self._end(item, completed=False)

    def adjust(self, rate: int, volume: int) -> None: ...

    def mute(self, on: bool) -> None: ...

    def _put(self, item: _Item) -> None:
        if item.priority is Priority.NOW and self._items and self._items[0].at:
            self._end(self._items.pop(0), completed=False)
        begun = 1 if self._items and self._items[0].at else 0
        place = begun + sum(1 for other in self._items[begun:] if other.priority >= item.priority)
        self._items.insert(place, item)

    def _end(self, item: _Item, completed: bool) -> None:
        after_s = AFTER_TONE_S if item.number is None else AFTER_SPEECH_S
        self._saying.note(self._clock.ms, SILENCE)
        if item.at:
            self._quiet_ms = self._clock.ms + round(1000 * after_s)
        if item.number is not None:
            self._inbox.post(ev.Spoken(at_ms=self._clock.ms, number=item.number, completed=completed))

    def _waits(self, item: _Item) -> bool:
        now_ms = self._clock.ms
        if item.at or item.priority is Priority.NOW:
            return False
        if item.waits_until_ms is None:
            item.waits_until_ms = now_ms + round(1000 * LOUDSPEAKER_WAIT_S)
        if self._attention.since_ms is not None and self._attention.near:
            item.quiet_from_ms = now_ms + round(1000 * SETTLED_S)
        return now_ms < min(item.waits_until_ms, item.quiet_from_ms)

    @property
    def left_ms(self) -> int | None:
        """Remaining milliseconds of the current item; None: there is none."""
        item = self._items[0] if self._items else None
        return None if item is None or not item.at else 1000 * (len(item.sound) - item.at) // SAMPLE_RATE

    def pull(self) -> Samples:
        """The sound sent to the loudspeaker during one block."""
        while self._over and self._over[0][0] <= self._clock.ms:
            self._end(self._over.pop(0)[1], completed=True)
        made = np.zeros(BLOCK, np.float32)
        if not self._items or self._over or self._waits(self._items[0]):
            self.began_ms = None
            return made
        item = self._items[0]
        self.began_ms = self._clock.ms if self.began_ms is None else self.began_ms
        begins = item.parts.get(item.at)
        if begins is not None:
            self._saying.note(self._clock.ms, replace(begins, began_ms=self._clock.ms))
        piece = item.sound[item.at : item.at + BLOCK]
        made[: len(piece)] = piece
        item.at += BLOCK
        if item.at >= len(item.sound):
            self._items.pop(0)
            self._over.append((self._clock.ms + TAIL_MS, item))
        return made


class Air:
    """The acoustic paths from loudspeaker and player to the microphone."""

    def __init__(self, echo_db: float, draw: random.Random, reference: Samples) -> None:
        self._rng, self._draw = np.random.default_rng(draw.getrandbits(32)), draw
        room_s = draw.choice(ROOMS_S)
        length = round(room_s * SAMPLE_RATE)
        self._tail = self._rng.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
        self._tail[: SAMPLE_RATE // 200] = 0
        self._tail *= 10 ** (-3 / 20) / np.sqrt(np.sum(self._tail**2))
        self._tail[0] = 1.0
        self._distorts = draw.random() < 0.5
        wet = np.convolve(self._driven(reference[: 3 * SAMPLE_RATE]), self._tail).astype(np.float32)
        self._gain = 10 ** ((NOMINAL_DBFS + echo_db - active_dbfs(wet)) / 20)
        self._coming = np.zeros(SAMPLE_RATE * 3)
        self._near = np.zeros(0)
        self._around, self._round = np.zeros((1, BLOCK)), 0
        self._size = 1 << (BLOCK + length).bit_length()
        self._spectrum = np.fft.rfft(self._tail, self._size)
        self._jump()
        self.description = f"{echo_name(echo_db)}, {room_s} s{', distorting' if self._distorts else ''}"

    def _jump(self) -> None:
        self.late_ms = self._draw.choice(DELAYS_MS)
        self._next = round(self._draw.uniform(*JUMPS_S) * SAMPLE_RATE / BLOCK)

    def stay(self, late_ms: int) -> None:
        """Fix the delay from now on."""
        self.late_ms, self._next = late_ms, 1 << 40

    def _driven(self, sound: Samples) -> Samples:
        loud: Samples = 2 * sound
        if self._distorts:
            loud = (np.tanh(2.5 * loud) / 2.5 + 0.05 * loud**2).astype(np.float32)
        return loud

    def say(self, sound: Samples) -> None:
        """The player begins to say this."""
        self._near = sound.astype(float)

    def surround(self, sound: Samples) -> None:
        """From now on this sounds in the room, in a loop."""
        self._around, self._round = sound[: len(sound) // BLOCK * BLOCK].reshape(-1, BLOCK).astype(float), 0

    def heard(self, played: Samples) -> Samples:
        """The microphone's signal of one block."""
        self._next -= 1
        if self._next <= 0:
            self._jump()
        if played.any():
            wet = np.fft.irfft(np.fft.rfft(self._driven(played), self._size) * self._spectrum, self._size)
            first = SAMPLE_RATE * self.late_ms // 1000
            last = min(len(self._coming), first + len(wet))
            self._coming[first:last] += self._gain * wet[: last - first]
        made = self._coming[:BLOCK] + self._rng.standard_normal(BLOCK) * 10 ** (FLOOR_DBFS / 20)
        near, self._near = self._near[:BLOCK], self._near[BLOCK:]
        made[: len(near)] += near
        made += self._around[self._round]
        self._round = (self._round + 1) % len(self._around)
        self._coming = np.concatenate([self._coming[BLOCK:], np.zeros(BLOCK)])
        heard: Samples = made.astype(np.float32)
        return heard


class _Microphone:
    name, rate = "arithmetic", SAMPLE_RATE

    def __init__(self) -> None:
        self.block: Block | None = None

    def read(self, timeout_s: float) -> Block | None:
        block, self.block = self.block, None
        return block

    def skip(self, timeout_s: float) -> bool:
        return False

    def close(self) -> None: ...


# --- The game ---


class _Ear:
    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    @property
    def hearing(self) -> bool:
        return self._listener.hearing

    def expect(self, expectation: Expectation, hearing: Hearing) -> None:
        hearing.offer(self._listener, expectation)


@dataclass
class _Watched:
    """A session, and the spoken utterances that it took for a player's."""

    session: Session
    clock: _Clock
    heard: list[tuple[int, ev.Heard]] = field(default_factory=list)

    @property
    def expectation(self) -> Expectation:
        return self.session.expectation

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        at_ms, effects = self.clock.ms, self.session.handle(event)
        if not isinstance(event, ev.Heard) or event.source is not ev.Source.VOICE:
            return effects
        # An unclear utterance without an effect was not taken for a player's.
        if effects or not isinstance(event.readings[0].meaning, Unclear):
            self.heard.append((at_ms, event))
        return effects


class Stage:
    """The program with its wiring, in a simulated room. `after`: called after each block."""

    def __init__(
        self, model: SpeechModel, hearing: Hearing, sounds: Sounds, echo_db: float, draw: random.Random
    ) -> None:
        wording, said_by = Wording("de"), Voice(rate=175)
        self.air = Air(echo_db, draw, sounds("Springer Gustav eins Felix drei. Schwarz am Zug.", said_by))
        self.inbox, self.clock, attention = _Inbox(), _Clock(self._pass), Attention()
        self._overhearing, self._microphone = Overhearing(model), _Microphone()
        self.voice = _Voice(self.clock, self.inbox, attention, lambda text: sounds(wording.for_voice(text), said_by))
        self._overhearing.said = self.voice.said
        self.listener = Listener(
            lambda: self._microphone,
            model,
            ListenerCallbacks(
                heard=self.inbox.post,
                overheard=lambda found: self.inbox.post(replace(found, overheard=True)),
            ),
            attention=attention,
            speaking=lambda _at_ms: self.voice.sounding,
            overhearing=self._overhearing,
            leaks=lambda: True,
        )
        hearing.offer(self._overhearing, INTERJECTIONS)
        ear = _Ear(self.listener)
        self.loop = Loop(
            wording,
            hearing,
            self.clock,
            inbox=self.inbox,
            voice=self.voice,
            speech_input=ear,
            terminal=Terminal(self._told),
        )
        attention.player_db = lambda: self.loop.player_db
        self.game = _Watched(Session(GameSettings(white=Player.VOICE, black=Player.VOICE)), self.clock)
        self.told: list[str] = []
        self.spoke_s = 0.0
        self.listening_s = 0.0  # processor time
        self.after: Callable[[], None] = lambda: None

    @property
    def silent(self) -> bool:
        """Whether nothing is being said or recognised."""
        return self.voice.silent and not self.listener.hearing and self.inbox.empty

    def play(self, over: Callable[[], bool]) -> None:
        """Play a game until it is `over`."""
        hooks = Hooks(game=lambda: self.game.session, tells_speakers=True)
        self.loop.converse(self.game, ev.Started(at_ms=0), over, hooks)

    def _told(self, text: str) -> None:
        self.told.append(text)

    def _pass(self) -> None:
        self.clock.ms += BLOCK_MS
        played = self.voice.pull()
        self.spoke_s += bool(played.any()) * BLOCK_MS / 1000
        self._overhearing.played(as_int16(0.5 * played).tobytes(), SAMPLE_RATE, self.clock.ms - BLOCK_MS)
        self._microphone.block = Block(as_int16(self.air.heard(played)).tobytes(), self.clock.ms)
        began_s = time.thread_time()
        self.listener.step()
        self.listening_s += time.thread_time() - began_s
        self.after()


class Sounds:
    """Synthetic speech, cached by text and voice."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, Voice], Samples] = {}

    def __call__(self, text: str, voice: Voice) -> Samples:
        if (text, voice) not in self._made:
            self._made[text, voice] = synthesise(text, voice)
        return self._made[text, voice]
