"""What the loop knows of the rooms around it, as protocols: a machine (a game, the conversation before it, an
exercise), a voice, an ear, an opponent, an onlooker; and what holds in one conversation (`Terms`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import chess

from voicechess.app.envelopes import Envelopes
from voicechess.app.hearing import Hearing
from voicechess.app.mail import Mailbox
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import LobbyRequest
from voicechess.game.session import Session
from voicechess.meaning import Expectation
from voicechess.messages import Phrase, Priority, Tone


class Machine(Protocol):
    """A game or the conversation before it: `Session`, `Welcome`. `expectation`: what can be said to it now."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]: ...


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


@dataclass(frozen=True)
class Terms:
    """What holds in one conversation, besides what its machine says.

    `keep`: writes an event that has been handled. `ended`: is told the result. `saved`: whether what is played is on
    disk at this moment; None: that of the conversation before still counts, since goodbyes come after the game.
    `busy`: the machine waits for something that is neither said nor asked of the opponent. `remaining`: what a side's
    clock shows, in milliseconds; None: it has none. `send`: takes what a server is asked, which answers by events;
    None: there is no server. `lobby`: the same outside a game. `mailbox`: takes the
    lines of a correspondence game from what is typed. `game`: what is looked at now; None: no game. `judges`: the
    machine judges itself who speaks (`Company`), and what was said before something it says could be heard
    (`Heard.ahead`); else that is done here, and only commands count ahead.
    """

    keep: Callable[[ev.Event], None] | None = None
    ended: Callable[[ef.GameEnded], None] | None = None
    envelopes: Envelopes = field(default_factory=Envelopes)
    saved: Callable[[], bool] | None = None
    busy: Callable[[], bool] = lambda: False
    remaining: Callable[[chess.Color], int | None] = lambda _: None
    send: Callable[[ef.ServerRequest], None] | None = None
    lobby: Callable[[LobbyRequest], None] = lambda _: None
    mailbox: Mailbox | None = None
    game: Callable[[], Session | None] = lambda: None
    judges: bool = False


NO_TERMS = Terms()
