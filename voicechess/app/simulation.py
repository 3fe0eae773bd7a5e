"""Conversations without devices and without waiting: for `demo`, correspondence lines, measurements and tests.

It is the loop of a real game with simulated clock and voice, so it runs anywhere and at full speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from voicechess.app.around import Machine, Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox, Item, Line
from voicechess.app.loop import Loop
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, Say
from voicechess.game.session import Session
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, RecognisedUtterance
from voicechess.messages import Priority, Tone, Utterance, Whose
from voicechess.moves.decisions import Act, Ask, AskPromotion, Complete, NotUnderstood, Play, Refuse, Reply
from voicechess.moves.matching import candidates, decide
from voicechess.sound.model import SpeechModel
from voicechess.sound.pcm import converted
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.speech import Speech


class SimulatedClock(EventClock):
    """A clock that changes only when set. `ms`: its time; it never sleeps."""

    def __init__(self) -> None:
        super().__init__()
        self.ms = 0

    def now(self) -> int:
        """The time last set."""
        return self.ms

    def gap(self) -> int:
        """No sleep."""
        return 0


class _Noting:
    """A machine whose events and effects are logged in order."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.events: list[ev.Event] = []
        self.effects: list[Effect] = []
        self.utterances: dict[int, Utterance] = {}  # by number

    @property
    def expectation(self) -> Expectation:
        return self._machine.expectation

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        effects = self._machine.handle(event)
        self.events.append(event)
        self.effects += effects
        self.utterances |= {one.utterance.number: one.utterance for one in effects if isinstance(one, Say)}
        return effects


class _SimulatedVoice:
    """Performs each utterance when its turn comes. Speech during one is heard, as with headphones."""

    headphones = True

    def __init__(
        self, inbox: Inbox, clock: SimulatedClock, noted: _Noting, perform: Callable[[Utterance], int | None]
    ) -> None:
        self._inbox, self._clock, self._noted, self._perform = inbox, clock, noted, perform
        self._spoken_into: list[int] = []

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        utterance = self._noted.utterances.get(number)
        if utterance is None:
            return  # the loop's own utterance
        over_ms = self._perform(utterance)
        if over_ms is None:
            self._spoken_into.append(number)
        else:
            self._clock.ms = over_ms
            self._inbox.post(ev.Spoken(at_ms=over_ms, number=number))

    def hush(self) -> None:
        for number in self._spoken_into:
            self._inbox.post(ev.Spoken(at_ms=self._clock.ms, number=number, completed=False))
        self._spoken_into.clear()

    def tone(self, tone: Tone) -> bool:
        return True

    def adjust(self, rate: int, volume: int) -> object: ...

    def mute(self, on: bool) -> None: ...


class Simulation:
    """The loop with a clock that stands still between events, without keyboard, engine or server.

    `perform`: called with each utterance; returns the event time at which it was said, or None if somebody speaks
    during it. By default everything is said at once. `events`, `effects`: all of the machine's, in order.
    """

    def __init__(
        self, machine: Machine, hearing: Hearing, perform: Callable[[Utterance], int | None] | None = None
    ) -> None:
        noted, inbox, self._clock = _Noting(machine), Inbox(), SimulatedClock()
        self.events, self.effects = noted.events, noted.effects
        voice = None if perform is None else _SimulatedVoice(inbox, self._clock, noted, perform)
        wording = Wording(hearing.lexicon.code)
        self.loop = Loop(wording, hearing, self._clock, inbox=inbox, voice=voice, terminal=Terminal(lambda _: None))
        self.loop.give_floor(noted)

    def happen(self, event: ev.Event) -> tuple[Effect, ...]:
        """Handle an event and everything that follows once the reply was heard. All effects, in order."""
        return self._follow(event, event.at_ms)

    def hear(self, said: RecognisedUtterance, at_ms: int | None = None) -> tuple[Effect, ...]:
        """Somebody says this; it is handled at `at_ms`, by default at the end of its words."""
        return self._follow(said, said.ended_ms if at_ms is None else at_ms)

    def type(self, text: str, at_ms: int) -> tuple[Effect, ...]:
        """Somebody types this line."""
        return self._follow(Line(text), at_ms)

    def _follow(self, item: Item, at_ms: int) -> tuple[Effect, ...]:
        before, self._clock.ms = len(self.effects), at_ms
        self.loop.inbox.post(item)
        while not self.loop.waits_for_nothing:
            self.loop.step()
        return tuple(self.effects[before:])


def session_at(board: chess.Board, black: Player = Player.VOICE) -> Session:
    """A game in this position, White (and Black) at the microphone, its first announcements over."""
    session = Session(GameSettings(white=Player.VOICE, black=black, fen=board.fen()))
    for effect in session.handle(ev.Started(at_ms=0)):
        if isinstance(effect, Say):
            session.handle(ev.Spoken(at_ms=0, number=effect.utterance.number))
    return session


# --- A single utterance: what a game in a position would do about it ---

DECISIONS = {
    Play: "play",
    Ask: "ask",
    Complete: "ask",
    AskPromotion: "ask",
    Refuse: "refuse",
    Act: "command",
    Reply: "command",
    NotUnderstood: "unclear",
}

WAITED_MS = 60_000
"""Milliseconds for which the game has been listening when a recording starts, so that nothing in it is premature."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an utterance."""

    heard: str
    decision: str  # play, ask, refuse, command or unclear; `move` only when played
    move: chess.Move | None
    candidates: tuple[tuple[chess.Move, float], ...]  # legal moves with their costs, cheapest first
    say: str  # the game's answer


def outcome(utterance: RecognisedUtterance, board: chess.Board, hearing: Hearing, wording: Wording) -> Outcome:
    """What a game in this position does about the utterance."""
    session = session_at(board)
    recognised = utterance.shifted(WAITED_MS)
    heard = hearing.understood(recognised, session.expectation, recognised.ended_ms)
    decision = decide(board, heard.readings)
    said = [wording.say(effect.utterance) for effect in session.handle(heard) if isinstance(effect, Say)]
    return Outcome(
        heard=heard.words,
        decision=DECISIONS[type(decision)],
        move=decision.move if isinstance(decision, Play) else None,
        candidates=tuple(candidates(board, heard.readings)),
        say=" ".join(said),
    )


# --- A whole game aloud ---

RATE = 16_000
BEFORE_MS, AFTER_MS = 400, 1_200
"""Milliseconds of silence before and after a spoken sentence: longer than the longest endpoint timeout."""


class SimulationAloud(Simulation):
    """A synthetic voice plays against the real recogniser, and the game answers aloud.

    `wording` is the program's, `spoken` the player's, in the recogniser's language. `show(who, words)` gets every line:
    "player" or "program". `sound` is the conversation, 16 kHz mono, 16 bit.
    """

    def __init__(
        self,
        session: Session,
        hearing: Hearing,
        model: SpeechModel,
        wording: Wording,
        program: Speech,
        spoken: Wording,
        player: Speech,
        show: Callable[[str, str], None],
    ) -> None:
        super().__init__(session, hearing, self._said_aloud)
        self.session, self.hearing, self.spoken = session, hearing, spoken
        self._model, self._wording, self._program = model, wording, program
        self._player, self._show = player, show
        self.sound = bytearray()

    @property
    def now_ms(self) -> int:
        """Time within the conversation's sound."""
        return len(self.sound) * 1000 // (2 * RATE)

    def start(self) -> None:
        """The first announcements."""
        self.happen(ev.Started(at_ms=self.now_ms))

    def speak(self, words: str) -> None:
        """The player says this; the game's reply is rendered."""
        self._show("player", words)
        voice = self._player.sound(self.spoken.for_voice(words))
        pcm = _silence(BEFORE_MS) + converted(voice.pcm, voice.rate, RATE, 1) + _silence(AFTER_MS)
        recogniser = Recogniser(self._model, RATE)
        self.hearing.offer(recogniser, self.loop.expectation)
        began_ms = self.now_ms
        self.sound += pcm
        for utterance in recognise(recogniser, pcm, began_ms):
            self.hear(utterance, at_ms=max(self.now_ms, utterance.ended_ms))

    def answer(self, uci: str) -> None:
        """The opponent's move."""
        self.happen(ev.OpponentMoved(at_ms=self.now_ms, uci=uci))

    def _said_aloud(self, utterance: Utterance) -> int:
        text = self._wording.say(utterance)
        self._show("program", text)
        spoken = self._program.sound(self._wording.for_voice(text))
        self.sound += converted(spoken.pcm, spoken.rate, RATE, 1) + _silence(150)
        return self.now_ms


def _silence(ms: int) -> bytes:
    return bytes(2 * RATE * ms // 1000)
