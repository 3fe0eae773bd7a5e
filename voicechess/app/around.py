"""What the loop knows of the rooms around it, as protocols: a machine (a game, the conversation before it, an
exercise), a voice, an ear, an opponent, an onlooker; and what holds in one conversation (`Hooks`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import chess

from voicechess.app.envelopes import Envelopes
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import ModelReady
from voicechess.app.mailbox import Mailbox
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import LobbyRequest
from voicechess.game.session import Session
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.messages import Phrase, Priority, Tone


class Machine(Protocol):
    """A game or the conversation before it: `Session`, `Welcome`. `expectation`: what can be said to it now."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]: ...


class Nobody:
    """Who has the floor before the first machine."""

    expectation = Expectation()

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        """Nothing comes of it."""
        return ()


class Voice(Protocol):
    """What speaks: numbers come back in `Spoken` when a text has been said. `tone`: whether tones like it are heard.
    `headphones`: the player is heard while it speaks.

    A text that changes while it waits is asked for when its turn has come, on the voice's thread.
    """

    @property
    def headphones(self) -> bool: ...
    def say(self, number: int, text: str | Callable[[], str], priority: Priority, quick: bool = False) -> None: ...
    def tone(self, tone: Tone) -> bool: ...
    def hush(self) -> None: ...
    def adjust(self, rate: int, volume: int) -> object: ...
    def mute(self, on: bool) -> None: ...


class Ear(Protocol):
    """What listens: told what can be said now. `hearing`: somebody is speaking at this moment."""

    @property
    def hearing(self) -> bool: ...
    def expect(self, expectation: Expectation, hearing: Hearing) -> None: ...


class Opponent(Protocol):
    """What answers requests by events with their numbers."""

    def ask(self, request: ef.Request) -> bool:
        """Whether there is anybody to answer."""

    def stop(self, game: int = 0) -> None:
        """No answer to this game is wanted any more."""


class Onlooker(Protocol):
    """Shows the game to sighted spectators. Its methods must not block; its own failures end nothing else."""

    def said(self, text: str) -> None: ...
    def heard(self, words: str) -> None: ...
    def look(self, game: Session | None, now_ms: int, idle: bool) -> None:
        """Something may have happened in the game; `idle`: nothing but time has passed. None: none is played."""

    def show(self, wanted: bool) -> Phrase:
        """Show it, or no longer; what is to be said about that."""


@dataclass
class Terminal:
    """The lines that are printed, and those that are typed. The loop changes the last two."""

    show: Callable[[str], None] = print
    """Prints a line."""
    hide: Callable[[bool], None] = lambda private: None
    """Is told whether what is typed is to be hidden."""
    paced: bool = False
    """Whether lines come from a pipe: each of them then waits until nothing is being said or thought."""
    ends_with_input: bool = False
    """Whether nobody can speak: the end of the lines is the end of the program."""
    lines: deque[str] = field(default_factory=deque)
    """Typed lines that were not answered yet."""
    ended: bool = False
    """Whether there will be no more of them."""


@dataclass(frozen=True)
class Switches:
    """How the program changes what it speaks and listens with while the loop runs."""

    language: Callable[[str], tuple[Wording, Hearing]] | None = None
    """The words of a language, to speak and to hear; None: there is only one language."""
    model: Callable[[ModelReady], tuple[Hearing, tuple[Phrase, ...]]] | None = None
    """What is heard with a speech model that was loaded, and what is to be told about that; None: there is no ear."""
    reader: Callable[[bool], Phrase] = lambda on: Phrase("sound.reader.no_voice")
    """Has the screen reader read what is said, or our own voice speak, and tells what comes of it."""
    headphones: Callable[[bool], None] = lambda on: None
    """From now on the player wears headphones, or does not."""


@dataclass(frozen=True)
class Hooks:
    """What the loop calls during one conversation, besides its machine."""

    keep: Callable[[ev.Event], None] | None = None  # writes an event that has been handled
    ended: Callable[[ef.GameEnded], None] | None = None  # is told the result
    envelopes: Envelopes = field(default_factory=Envelopes)
    saved: Callable[[], bool] | None = None
    """Whether what is played is on disk at this moment. None: the answer of the conversation before still counts, since
    goodbyes come after the game."""
    busy: Callable[[], bool] = lambda: False
    """Whether the machine waits for something that is neither said nor asked of the opponent."""
    remaining: Callable[[chess.Color], int | None] = lambda _: None
    """What a side's clock shows, milliseconds; None: it has none."""
    send: Callable[[ef.ServerRequest], None] | None = None
    """Takes requests to a server, which answers by events; None: there is no server."""
    lobby: Callable[[LobbyRequest], None] = lambda _: None  # the same outside a game
    mailbox: Mailbox | None = None  # takes the lines of a correspondence game out of what is typed
    game: Callable[[], Session | None] = lambda: None  # what is looked at now; None: no game
    tells_speakers: bool = False
    """Whether the machine itself tells who speaks (`Company`), and what was said before its sentence could be heard
    (`Heard.ahead`); else the loop does, and only commands count ahead."""


NO_HOOKS = Hooks()
