"""Puzzles of a server, asked for on a thread of its own: nobody waits in silence for a network."""

from __future__ import annotations

import threading
from collections.abc import Callable

from voicechess.game.events import Event
from voicechess.messages import Failure
from voicechess.practice.effects import FetchPuzzles, PuzzlesFetched, PuzzlesNotFetched


class PuzzleServer:
    """`server`: its address. `post` gets what comes, from that thread. `now`: event time in milliseconds."""

    def __init__(self, server: str, post: Callable[[Event], None], now: Callable[[], int]) -> None:
        self._server, self._post, self._now = server, post, now

    def fetch(self, wanted: FetchPuzzles) -> None:
        """Begins to ask for them; what comes is posted."""
        threading.Thread(target=self._fetch, args=(wanted,), name="puzzles", daemon=True).start()

    def _fetch(self, wanted: FetchPuzzles) -> None:
        # What sends is loaded when it is wanted: it takes a tenth of a second of every start otherwise.
        from voicechess.opponents.lichess.puzzle_answers import fetched

        try:
            lines = fetched(self._server, wanted.theme)
        except Failure as failure:
            self._post(PuzzlesNotFetched(at_ms=self._now(), number=wanted.number, reason=failure.phrase))
        else:
            self._post(PuzzlesFetched(at_ms=self._now(), number=wanted.number, lines=lines))
