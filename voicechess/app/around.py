"""What the loop knows of its surroundings, as protocols: a machine (a game, a conversation, an exercise), a voice,
speech input, an opponent, an onlooker; and the hooks of one conversation (`Hooks`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import chess

from voicechess.app.board_keys import BoardKeys
from voicechess.app.envelopes import Envelopes
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import ModelReady
from voicechess.app.mailbox import Mailbox
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import LobbyRequest
from voicechess.game.session import Session
from voicechess.game.sight import Scene
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.messages import Phrase, Priority, Tone, Whose


class Machine(Protocol):
    """What has the floor: a game, a conversation or an exercise. `expectation`: what can be said to it now."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]: ...


class Nobody:
    """Placeholder before the first machine."""

    expectation = Expectation()

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        """Ignores the event."""
        return ()


class Voice(Protocol):
    """Speech output; a number comes back in `Spoken` when its text was said. `tone`: whether such tones are switched
    on. `headphones`: the microphone is active while it speaks.

    A text that depends on the time is computed when its turn comes, on the voice's thread.
    """

    @property
    def headphones(self) -> bool: ...
    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None: ...
    def tone(self, tone: Tone) -> bool: ...
    def hush(self) -> None: ...
    def adjust(self, rate: int, volume: int) -> object: ...
    def mute(self, on: bool) -> None: ...


class SpeechInput(Protocol):
    """Speech input, given what can be said now. `hearing`: somebody is speaking at the moment."""

    @property
    def hearing(self) -> bool: ...
    def expect(self, expectation: Expectation, hearing: Hearing) -> None: ...


class Opponent(Protocol):
    """Answers requests with events that carry their numbers."""

    def ask(self, request: ef.Request) -> bool:
        """Take a request; False if there is no opponent."""

    def stop(self, game: int = 0) -> None:
        """Cancel this game's requests."""


class Onlooker(Protocol):
    """Shows the game to sighted spectators. Its methods must not block; its own failures end nothing else."""

    def said(self, text: str) -> None: ...
    def heard(self, words: str) -> None: ...
    def look(self, game: Session | Scene | None, now_ms: int, idle: bool) -> None:
        """Called after every step of the game; `idle`: only time has passed. None: there is nothing to see."""

    def show(self, wanted: bool) -> Phrase:
        """Show or hide the board; returns what to say about it."""


@dataclass
class Terminal:
    """Printed and typed lines. The loop changes `lines` and `ended`."""

    show: Callable[[str], None] = print
    """Prints a line."""
    hide: Callable[[bool], None] = lambda private: None
    """Called with whether typed characters are to be hidden."""
    paced: bool = False
    """Whether lines come from a pipe: each then waits until nothing is being said or computed."""
    ends_with_input: bool = False
    """Whether there is no speech input, so that the end of the lines ends the program."""
    lines: deque[str] = field(default_factory=deque)
    """Typed lines not handled yet."""
    ended: bool = False
    """Whether the input has ended."""
    keys: BoardKeys | None = None
    """The keys that walk over the board; None: it is no terminal."""


@dataclass(frozen=True)
class Switches:
    """How the loop changes languages and devices while it runs."""

    language: Callable[[str], tuple[Wording, Hearing]] | None = None
    """Wording and understanding of a language; None: there is only one language."""
    model: Callable[[ModelReady], tuple[Hearing, tuple[Phrase, ...]]] | None = None
    """Understanding with a speech model just loaded, and messages about it; None: there is no speech input."""
    reader: Callable[[bool], Phrase] = lambda on: Phrase("sound.reader.no_voice")
    """Switches between screen reader (`on`) and the program's own voice; returns the message about it."""
    headphones: Callable[[bool], None] = lambda on: None
    """Sets whether the player wears headphones."""
    choose: Callable[[Mapping[str, object]], None] = lambda values: None
    """Takes over settings chosen by voice (`KeepChoice`)."""


@dataclass(frozen=True)
class Hooks:
    """What the loop calls during one conversation, besides its machine."""

    keep: Callable[[ev.Event], None] | None = None  # writes a handled event to the journal
    ended: Callable[[ef.GameEnded], None] | None = None  # called with the result
    envelopes: Envelopes = field(default_factory=Envelopes)
    saved: Callable[[], bool] | None = None
    """Whether the game in progress is on disk. None: as in the previous conversation, since goodbyes come after the
    game."""
    busy: Callable[[], bool] = lambda: False
    """Whether the machine waits for something other than speech or the opponent."""
    remaining: Callable[[chess.Color], int | None] = lambda _: None
    """A side's clock in milliseconds; None: it has none."""
    send: Callable[[ef.ServerRequest], None] | None = None
    """Sends requests to a server, which answers with events; None: there is no server."""
    lobby: Callable[[LobbyRequest], None] = lambda _: None  # the same outside a game
    mailbox: Mailbox | None = None  # extracts correspondence lines from typed input
    game: Callable[[], Session | None] = lambda: None  # the game in progress; None: none
    scene: Callable[[], Scene | None] = lambda: None  # what is seen where there is no game; None: nothing
    tells_speakers: bool = False
    """Whether the machine itself tells speakers apart (`Company`) and judges words said before its announcement was
    heard (`Heard.ahead`); otherwise the loop does, and only commands count ahead."""


NO_HOOKS = Hooks()
