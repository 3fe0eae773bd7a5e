"""Practice over the network: a server's puzzles, and its running games, requested and streamed on other threads.

Somebody who is playing there follows no game: other games with the same position would be help. Games with days per
move do not count, since books and databases are allowed in them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing

from voicechess.game.events import Event
from voicechess.messages import Failure
from voicechess.opponents.lichess.login import TokenStore, system_keyring
from voicechess.practice.effects import (
    FetchPuzzles,
    FindLive,
    FollowLive,
    LiveFound,
    LiveGame,
    LiveLink,
    LiveOffer,
    PuzzlesFetched,
    RequestFailed,
)
from voicechess.storage.places import token_file


class PracticeServer:
    """`server`: its address. `post` is called with all events, on other threads. `now`: event time in milliseconds."""

    def __init__(self, server: str, post: Callable[[Event], None], now: Callable[[], int]) -> None:
        self._server, self._post, self._now = server, post, now
        self._stop: Callable[[], None] = lambda: None

    def ask(self, wanted: FetchPuzzles | FindLive) -> None:
        """Start requesting puzzles, or games to follow; the answer is posted."""
        threading.Thread(target=self._answer, args=(wanted,), name="practice server", daemon=True).start()

    def _answer(self, wanted: FetchPuzzles | FindLive) -> None:
        number = wanted.number
        try:
            if isinstance(wanted, FetchPuzzles):
                lines = self._puzzles(wanted.theme)
                self._post(PuzzlesFetched(at_ms=self._now(), number=number, lines=lines))
            else:
                offers = self._offers(wanted.address)
                self._post(LiveFound(at_ms=self._now(), number=number, offers=offers))
        except Failure as failure:
            self._post(RequestFailed(at_ms=self._now(), number=number, reason=failure.phrase))

    # The client is imported on demand in what follows: that takes a tenth of a second.

    def _puzzles(self, theme: str) -> tuple[str, ...]:
        from voicechess.opponents.lichess.puzzle_answers import fetched

        return fetched(self._server, theme)

    def _offers(self, address: str) -> tuple[LiveOffer, ...]:
        from voicechess.opponents.lichess.live_games import on_now
        from voicechess.opponents.lichess.transport import ServerFault, Transport, failure

        self._must_not_play()
        if address:
            return (LiveOffer(address, ""),)
        with closing(Transport(self._server)) as transport:
            try:
                found = on_now(transport)
            except ServerFault as fault:
                raise failure(fault) from None
        return tuple(LiveOffer(one.address, one.title, one.player) for one in found)

    def _must_not_play(self) -> None:
        """Raises Failure if this player has a game with a running clock there, or that cannot be determined."""
        from voicechess.opponents.lichess.matchmaking import games_in_progress
        from voicechess.opponents.lichess.transport import ServerFault, Transport, failure
        from voicechess.opponents.lichess.wire import plays_by_the_clock

        token = TokenStore(self._server, token_file(), system_keyring()).read()
        if token is None:
            return
        with closing(Transport(self._server, token)) as transport:
            try:
                found = games_in_progress(transport)
            except ServerFault as fault:
                if fault.reason in ("token", "scope"):  # this login cannot play there
                    return
                raise failure(fault) from None
        if any(plays_by_the_clock(game) for game in found):
            raise Failure("practice.live.playing")

    def follow(self, wanted: FollowLive) -> None:
        """Follow this game or round instead of any other; none if it has no address."""
        self._stop()
        self._stop = lambda: None
        if not wanted.address:
            return
        from voicechess.opponents.lichess.live_games import GameTold, LiveFeed
        from voicechess.opponents.lichess.transport import Transport, refusal_reason

        number = wanted.number

        def tell(game: GameTold) -> None:
            told = LiveGame(at_ms=self._now(), number=number, key=game.key, title=game.title, pgn=game.pgn)
            self._post(told)

        def link(up: bool, reason: str) -> None:
            self._post(LiveLink(at_ms=self._now(), number=number, up=up, reason=refusal_reason(reason)))

        transport = Transport(self._server)
        feed = LiveFeed(transport, wanted.address, tell, link, time.monotonic)

        def stop() -> None:
            feed.stop()
            transport.close()

        self._stop = stop
        feed.start()

    def close(self) -> None:
        """Stop following."""
        self._stop()
