"""Interface of a game server: an account, and the games that are entered.

Implemented in `opponents.lichess`. Events (`online.lobby`, `game.events`) are posted on its own threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from voicechess.game.effects import LobbyRequest, ServerRequest
from voicechess.game.events import Event
from voicechess.online.lobby import OnlineGame


class Served(Protocol):
    """A game at a server."""

    def begin(self) -> None:
        """Post the game's state, and everything that happens from now on."""

    def renew(self) -> None:
        """Request the state: something may have been missed."""

    def send(self, request: ServerRequest) -> None:
        """Send a request after the pending ones; answered by the next `ServerState` or `ServerRefused`."""

    def close(self) -> None:
        """Leave the game after the pending requests."""

    def leave(self) -> None:
        """Leave without waiting."""


class ServerAccount(Protocol):
    """The player's account."""

    @property
    def name(self) -> str:
        """Its name as others see it."""


class ServerClient(Protocol):
    """One account at one server."""

    def connect(self) -> ServerAccount:
        """Connect; the account's events are posted from now on. Raises Failure."""

    def ask(self, request: LobbyRequest) -> None:
        """Perform a request after the pending ones; the answer is posted."""

    def enter(self, game_id: str, post: Callable[[Event], None] | None = None) -> tuple[OnlineGame, Served]:
        """Enter this game. `post`: gets its events, if they go elsewhere. Raises Failure."""

    def close(self) -> None:
        """Disconnect."""
