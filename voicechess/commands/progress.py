"""How far a download is: a bar on a terminal, and a call at each quarter."""

from __future__ import annotations

import sys
from collections.abc import Callable

WIDTH = 40


class Bar:
    """Draws on standard error when that is a terminal; `quarter` is called with 25, 50, 75 and 100 in any case."""

    def __init__(self) -> None:
        self.quarter: Callable[[int], None] = lambda _percent: None
        self._told = 0
        self._drawn = False

    def update(self, received: int, whole: int | None) -> None:
        """So many bytes of so many are here (None: unknown)."""
        if not whole:
            return
        share = min(1.0, received / whole)
        if sys.stderr.isatty():
            filled = int(WIDTH * share)
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {int(100 * share)} %")
            sys.stderr.flush()
            self._drawn = True
        percent = int(4 * share) * 25
        if percent > self._told:
            self._told = percent
            self.quarter(percent)

    def line(self, text: str) -> None:
        """A line of its own beside the bar."""
        self.close()
        print(text, flush=True)

    def close(self) -> None:
        """Leave the bar's line."""
        if self._drawn:
            sys.stderr.write("\n")
            self._drawn = False
