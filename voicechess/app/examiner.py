"""An engine that looks at positions one after another, in a thread of its own, and tells what it thinks by events."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Sequence

import chess

from voicechess.game.events import Event
from voicechess.opponents.discovery import EngineSpec
from voicechess.opponents.uci import EngineProcess, OpponentError, Patience
from voicechess.practice.effects import Examined, ExaminingFailed

log = logging.getLogger(__name__)

SECONDS = 0.3
"""For each position. A game of forty moves takes less than half a minute."""

_TABLE_ENTRIES = 100_000  # sunfish takes 300 MB with its default


class Examiner:
    """Looks at positions with a UCI engine. `post` gets `Examined` and `ExaminingFailed` from the engine's thread.

    `now`: event time in milliseconds. `seconds`: how long a position is looked at.
    """

    def __init__(
        self,
        spec: EngineSpec,
        post: Callable[[Event], None],
        now: Callable[[], int],
        *,
        seconds: float = SECONDS,
        patience: Patience | None = None,
    ) -> None:
        self._spec, self._post, self._now, self._seconds = spec, post, now, seconds
        self._patience = patience or Patience()
        self._thread: threading.Thread | None = None
        self._cancel = threading.Event()

    @property
    def busy(self) -> bool:
        """Whether positions are being looked at."""
        return self._thread is not None and self._thread.is_alive()

    def examine(self, boards: Sequence[chess.Board]) -> None:
        """Begins to look at these positions, in order; replaces what was asked before."""
        self.stop()
        self._cancel = threading.Event()
        arguments = (tuple(board.copy() for board in boards), self._cancel)
        self._thread = threading.Thread(target=self._run, args=arguments, name="examiner", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """No further answer is wanted. The engine ends within about a second; nothing is posted any more."""
        self._cancel.set()

    def close(self) -> None:
        """Ends the engine; may be called twice."""
        self.stop()
        if self._thread is not None:
            self._thread.join(2 * self._patience.end + self._seconds + 2)

    # -- in the thread --------------------------------------------------------------------------------------------

    def _run(self, boards: tuple[chess.Board, ...], cancel: threading.Event) -> None:
        try:
            asyncio.run(self._look(boards, cancel))
        except OpponentError as fault:
            log.info("examining: %s", fault.reason)
            if not cancel.is_set():
                self._post(ExaminingFailed(at_ms=self._now(), reason=fault.reason))

    async def _look(self, boards: tuple[chess.Board, ...], cancel: threading.Event) -> None:
        process = await EngineProcess.start(self._spec, self._patience)
        try:
            if "TABLE_SIZE" in process.offered:
                await process.configure({"TABLE_SIZE": _TABLE_ENTRIES})
            for index, board in enumerate(boards):
                if cancel.is_set():
                    return
                thought = await process.think(board, self._seconds, None, game=boards)
                if cancel.is_set():
                    return
                self._post(
                    Examined(
                        at_ms=self._now(), index=index, centipawns=thought.centipawns, best=board.uci(thought.move)
                    )
                )
        finally:
            with contextlib.suppress(OpponentError):
                await process.quit()
