"""The state shown by the page, shared between the game's thread and the page's.

The game only ever replaces the newest state here. Every browser reads what it has missed; one too far behind gets
everything. So nothing piles up, however slow or many they are.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import chess

from voicechess.game.sight import Sight

LONGEST_TRANSCRIPT = 200
"""Lines of the transcript kept for a browser that connects later."""

_LONGEST_LINE = 1_000


def for_page(sight: Sight) -> dict[str, Any]:
    """The game as JSON data for the page: squares by name, sides as "white" and "black", times in milliseconds,
    drawings as PGN writes them."""
    side = {chess.WHITE: "white", chess.BLACK: "black"}
    return {
        "fen": sight.fen,
        "last": [] if sight.last is None else [chess.square_name(square) for square in sight.last],
        "check": "" if sight.check is None else chess.square_name(sight.check),
        "turn": side[sight.turn],
        "names": {"white": sight.names[0], "black": sight.names[1]},
        "clocks": {"white": sight.clocks[0], "black": sight.clocks[1]},
        "running": "" if sight.running is None else side[sight.running],
        "moves": list(sight.moves),
        "below": side[sight.below],
        "here": sight.here,
        "result": sight.result,
        "board": sight.board,
        "drawn": list(sight.drawn),
    }


class Shown:
    """The newest state, with a version number that grows with every change. Written by the game's thread, read by any.

    `changed` is called after every change, on the thread that made it, and must only wake others.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.changed = changed
        self._lock = threading.Lock()
        self._number = 1  # 0 stands for a browser without any state
        self._sight: Sight | None = None
        self._sight_number = 0
        self.taken = 0  # lines taken by the game: typed, spoken or from the page
        self._lines: deque[tuple[int, str, str]] = deque(maxlen=LONGEST_TRANSCRIPT)

    @property
    def sight(self) -> Sight | None:
        """The game as last seen; None before there was one."""
        return self._sight

    def look(self, sight: Sight) -> None:
        """Replace the state of the game."""
        with self._lock:
            if sight == self._sight:
                return
            self._number += 1
            self._sight, self._sight_number = sight, self._number
        self.changed()

    def add(self, who: str, text: str) -> None:
        """Add a line to the transcript; `who`: "heard" or "said"."""
        with self._lock:
            self._number += 1
            self.taken += who == "heard"
            self._lines.append((self._number, who, text[:_LONGEST_LINE]))
        self.changed()

    def since(self, number: int) -> tuple[int, str] | None:
        """Changes after version `number` as JSON, with the current version; None if there are none. From 0, and for a
        browser that missed lines no longer kept, everything."""
        with self._lock:
            if number == self._number:
                return None
            missed = bool(self._lines) and self._lines[0][0] > number + 1 and len(self._lines) == LONGEST_TRANSCRIPT
            whole = number == 0 or missed
            number = 0 if whole else number
            told: dict[str, Any] = {"whole": whole}
            if self._sight is not None and self._sight_number > number:
                told["game"] = for_page(self._sight)
            told["lines"] = [{"who": who, "text": text} for at, who, text in self._lines if at > number]
            return self._number, json.dumps(told, ensure_ascii=False)
