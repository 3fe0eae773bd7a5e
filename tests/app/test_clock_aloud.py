"""What the clock announces is true when it is heard, however long something else was being said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from voicechess.app.around import Hooks, Terminal
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.app.simulation import SimulatedClock
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Hypothesis, RecognisedUtterance, Word
from voicechess.messages import Priority, Tone, Whose

START_MS = 1_000
"""When the first clock begins to run."""


@dataclass
class Voice:
    """Notes what it is to say, and when it must go."""

    said: list[tuple[str | Callable[[], str], Priority]] = field(default_factory=list)
    quick: list[bool] = field(default_factory=list)
    inbox: Inbox = field(default_factory=Inbox)

    headphones = False

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        self.said.append((text, priority))
        self.quick.append(quick)
        self.inbox.post(ev.Spoken(at_ms=0, number=number))

    def tone(self, tone: Tone) -> bool:
        return True

    def hush(self) -> None: ...

    def adjust(self, rate: int, volume: int) -> None: ...

    def mute(self, on: bool) -> None: ...

    def last(self) -> str:
        """The last text, as it is when it is said now."""
        text, _ = self.said[-1]
        return text if isinstance(text, str) else text()


@dataclass
class Game:
    """A game of five minutes whose first announcement has been said."""

    clock: SimulatedClock = field(default_factory=SimulatedClock)
    voice: Voice = field(default_factory=Voice)
    shown: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.session = Session(GameSettings(black=Player.VOICE, time="5"))
        self.loop = Loop(
            Wording("de"),
            Hearing(load("de")),
            self.clock,
            inbox=self.voice.inbox,
            voice=self.voice,
            terminal=Terminal(self.shown.append),
        )
        effects = self.session.handle(ev.Started(at_ms=0))
        self.clock.ms = START_MS
        for number in range(1, len(effects) + 1):
            self.session.handle(ev.Spoken(at_ms=START_MS, number=number))

    def until(self, ms: int, *items: RecognisedUtterance) -> None:
        """Time passes to `ms`, and something is heard."""
        self.clock.ms = ms
        inbox = self.loop.inbox
        for item in items or (ev.Tick(at_ms=ms),):
            inbox.post(item)
        hooks = Hooks(remaining=lambda colour: self.session.clock.remaining(colour, self.clock.now()))
        self.loop.converse(self.session, ev.Tick(at_ms=ms), lambda: inbox.empty, hooks)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr("voicechess.app.loop.TICK_S", 0.001)
    monkeypatch.setattr(Loop, "_drain", lambda self: None)
    return Game()


@pytest.mark.parametrize(
    ("late_ms", "text"),
    [
        (0, "Weiß noch zwei Minuten dreißig."),
        (1_900, "Weiß noch zwei Minuten dreißig."),
        (11_000, "Weiß noch zwei Minuten neunzehn."),
    ],
)
def test_an_announcement_that_had_to_wait_tells_the_time_of_now(game: Game, late_ms: int, text: str) -> None:
    game.until(START_MS + 150_000)
    assert game.shown[-1] == "Weiß noch zwei Minuten dreißig."
    assert game.voice.said[-1][1] is Priority.NEXT, "it does not wait for all of what is being read"
    game.clock.ms += late_ms
    assert game.voice.last() == text


def test_so_does_the_answer_to_how_much_time_is_left(game: Game) -> None:
    began_ms = START_MS + 60_000
    word = Word("zeit", began_ms, began_ms)
    game.until(began_ms, RecognisedUtterance((Hypothesis((word,)),), began_ms, began_ms))
    assert game.shown[-1].startswith("Weiß vier Minuten")
    game.clock.ms += 30_000
    assert game.voice.last().startswith("Weiß drei Minuten dreißig, Schwarz fünf Minuten.")


def test_a_position_in_short_is_said_quickly_and_nothing_else(game: Game) -> None:
    game.until(START_MS + 1000, RecognisedUtterance.typed("stellung", START_MS + 1000))
    assert game.voice.quick[-3:] == [True, True, False]
    game.until(START_MS + 2000, RecognisedUtterance.typed("ganze stellung", START_MS + 2000))
    assert game.voice.quick[-3:] == [False] * 3
