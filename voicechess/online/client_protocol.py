"""A server as the program meets it: an account there, and the games of it that are entered.

`opponents.lichess` has the one that there is. It posts what happens as events (`online.lobby`, `game.events`), from
threads of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from voicechess.game.effects import LobbyRequest, ServerRequest
from voicechess.game.events import Event
from voicechess.online.lobby import OnlineGame


class Served(Protocol):
    """A game at a server: begun when it is played, told what the player does, asked again after sleep, left at last."""

    def begin(self) -> None:
        """Post how the game stands, and from now on what happens in it."""

    def renew(self) -> None:
        """Ask how the game stands: nobody knows what was missed."""

    def send(self, request: ServerRequest) -> None:
        """Send it after what was asked before; the next `ServerState` or `ServerRefused` answers it."""

    def close(self) -> None:
        """Leave the game, after what was asked before."""

    def leave(self) -> None:
        """The same without waiting."""


class ServerAccount(Protocol):
    """Who the player is there."""

    @property
    def name(self) -> str:
        """As others see it."""


class ServerClient(Protocol):
    """One account at one server."""

    def connect(self) -> ServerAccount:
        """Be there: from now on what happens to the account is posted. Raises Failure."""

    def ask(self, request: LobbyRequest) -> None:
        """Perform it after what was asked before; the answer is posted."""

    def enter(self, game_id: str, post: Callable[[Event], None] | None = None) -> tuple[OnlineGame, Served]:
        """Be at this game. `post` gets what happens in it, where that goes elsewhere than the rest. Raises Failure."""

    def close(self) -> None:
        """Leave everything."""
