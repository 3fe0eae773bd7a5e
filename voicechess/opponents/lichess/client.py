"""One account at one server: the event stream, the lobby's requests, and the games in progress."""

from __future__ import annotations

import time
from collections.abc import Callable

from voicechess.game.effects import LobbyRequest
from voicechess.game.events import Event
from voicechess.online.lobby import ChallengeGone, GameClosed, GameOpened, LobbyLink, OnlineGame
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.board_game import BoardGame
from voicechess.opponents.lichess.feeds import Contact, Errands, Feed, Pause, real_pause
from voicechess.opponents.lichess.fields import is_id
from voicechess.opponents.lichess.login import AccessToken
from voicechess.opponents.lichess.matchmaking import Matchmaking
from voicechess.opponents.lichess.transport import (
    LineStream,
    ServerFault,
    Transport,
    failure,
    refusal_reason,
)
from voicechess.opponents.lichess.wire import Account

_LAST_REQUESTS_S = 3.0
_IS_THERE_S = 5.0
"""Seconds that requests wait for the event stream while it is being opened. Larger: later failures."""


class LichessClient:
    """One account at one server.

    `post` gets all events, on threads of this class: those of `online.lobby` and, from games in progress, those of
    `game.events`. `now_ms` stamps them. `transport`, `now_s` and `pause` are for tests.
    """

    def __init__(
        self,
        server: str,
        token: AccessToken,
        post: Callable[[Event], None],
        now_ms: Callable[[], int],
        *,
        transport: Transport | None = None,
        now_s: Callable[[], float] = time.monotonic,
        pause: Pause = real_pause,
    ) -> None:
        self._post, self._now_ms, self._now_s, self._pause = post, now_ms, now_s, pause
        self._transport = transport or Transport(server, token, now=now_s)
        self._errands = Errands()
        self._games: dict[str, BoardGame] = {}
        self._account: Account | None = None
        self._feed = Feed("events", self._open, self._take, link=Contact(self._tell_link), now=now_s, pause=pause)
        self._lobby = Matchmaking(self._transport, self._errands, post, now_ms, self._is_there)

    def connect(self) -> Account:
        """Connect; returns the account, whose events are posted from now on. Raises Failure: no network, an invalid
        token."""
        try:
            found = wire.account(self._transport.ask("GET", "/api/account"))
            if found is None:
                raise ServerFault("garbage")
        except ServerFault as fault:
            raise failure(fault) from None
        self._account = found
        self._errands.start()
        self._feed.start()
        return found

    def ask(self, request: LobbyRequest) -> None:
        """Perform a request after the pending ones; the answer is posted."""
        self._lobby.ask(request)

    def enter(self, game_id: str, post: Callable[[Event], None] | None = None) -> tuple[OnlineGame, BoardGame]:
        """Open a game's stream, so that the player counts as present; its `begin` posts the state.

        `post`: gets this game's events, if they go elsewhere. Raises Failure.
        """
        assert self._account is not None, "connect first"
        if not is_id(game_id):
            raise failure(ServerFault("gone"))
        game = BoardGame(
            game_id,
            self._account.id,
            self._transport,
            self._errands,
            post or self._post,
            self._now_ms,
            now_s=self._now_s,
            pause=self._pause,
        )
        try:
            told = game.enter()
        except ServerFault as fault:
            raise failure(fault) from None
        self._games[game_id] = game
        return told, game

    def close(self) -> None:
        """Disconnect; pending requests are still sent if that is quick."""
        self._errands.close(_LAST_REQUESTS_S)
        for game in self._games.values():
            game.leave()
        self._feed.stop()
        self._lobby.close()
        self._transport.close()
        self._feed.join(1.0)

    # --- the event stream -----------------------------------------------------------------------------------------

    def _open(self) -> LineStream:
        return self._transport.stream("GET", "/api/stream/event")

    def _is_there(self) -> bool:
        return self._feed.is_open.wait(_IS_THERE_S)

    def _tell_link(self, up: bool, reason: str) -> None:
        self._post(LobbyLink(at_ms=self._now_ms(), up=up, reason=refusal_reason(reason)))

    def _take(self, line: bytes, first: bool) -> bool:
        assert self._account is not None
        found = wire.event_line(line, self._now_ms(), self._account.id, self._transport.server)
        match found:
            case wire.NoEvent.GARBAGE:
                return False
            case wire.GameFinished(id=identity):
                game = self._games.get(identity)
                if game is not None:
                    game.rated(found)
                self._post(GameClosed(at_ms=self._now_ms(), id=identity))
            case GameOpened():
                self._lobby.settled(found.game.id)
                self._post(found)
            case ChallengeGone():
                self._lobby.settled(found.id)
                self._post(found)
            case Event():
                self._post(found)
        return True
