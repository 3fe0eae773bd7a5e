"""Searching for games on a separate thread, so that waiting is never silent."""

from __future__ import annotations

import threading
from collections.abc import Callable

from voicechess.app.game_archive import GameArchive, Stopped
from voicechess.game.events import Event
from voicechess.messages import Failure
from voicechess.practice.effects import GamesFound, RequestFailed, SearchedSoFar, SearchGames
from voicechess.score.known_games import KnownGame


class GameSearch:
    """Searches `archive`.

    post: called with the resulting events, on the search thread.
    now: returns the event time in milliseconds.
    beside: False: search on the caller's thread, since a journal in memory can only be read there.
    """

    def __init__(
        self, archive: GameArchive, post: Callable[[Event], None], now: Callable[[], int], beside: bool = True
    ) -> None:
        self._archive, self._post, self._now, self._beside = archive, post, now, beside
        self._cancel = threading.Event()
        self._thread: threading.Thread | None = None

    def search(self, wanted: SearchGames) -> None:
        """Begin a search, cancelling one in progress."""
        self.stop()
        self._cancel = threading.Event()
        if not self._beside:
            self._run(wanted, self._cancel)
            return
        self._thread = threading.Thread(target=self._run, args=(wanted, self._cancel), name="search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel the search and wait for its thread."""
        self._cancel.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self, wanted: SearchGames, cancel: threading.Event) -> None:
        def progress(percent: int) -> bool:
            self._post(SearchedSoFar(at_ms=self._now(), number=wanted.number, percent=min(percent, 99)))
            return not cancel.is_set()

        try:
            games = self._found(wanted, progress)
        except Stopped:
            return
        except Failure as failure:
            self._post(RequestFailed(at_ms=self._now(), number=wanted.number, reason=failure.phrase))
            return
        if not cancel.is_set():
            told = () if wanted.position else self._archive.told
            self._post(GamesFound(at_ms=self._now(), number=wanted.number, games=games, told=told))

    def _found(self, wanted: SearchGames, progress: Callable[[int], bool]) -> tuple[KnownGame, ...]:
        if wanted.position:
            return self._archive.holding(wanted.position, wanted.among, progress)
        return self._archive.games(progress)
