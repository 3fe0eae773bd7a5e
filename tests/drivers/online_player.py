"""A player at the keyboard of `voicechess online …`, which runs in its own process."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Self

PATIENCE_S = 120
"""Timeout for a sentence, seconds: enough on a busy machine."""


class OnlinePlayer:
    """The running command. `home`: its folder of games and logins; `said`: its output so far."""

    def __init__(self, home: Path, server: str, *arguments: str, input: str = "keyboard") -> None:
        self.said: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        command = [sys.executable, "-m", "voicechess", "online", *arguments, "--server", server]
        self._process = subprocess.Popen(
            [*command, "--input", input, "--output", "text"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"VOICECHESS_HOME": str(home)},
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdout is not None
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def _read(self, lines: IO[str]) -> None:
        for line in lines:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def heard(self) -> str:
        """The last lines so far, without waiting."""
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                break
            self.said.append(line)
        return "\n".join(self.said[-10:])

    def hears(self, *parts: str) -> str:
        """Wait for a line with all these parts; fails if the program ends, or after `PATIENCE_S`."""
        return self.until(lambda line: all(part in line for part in parts), " … ".join(parts))

    def until(self, wanted: Callable[[str], bool], what: str) -> str:
        """Wait for a line that is wanted; `what` describes it in a failure."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE_S)
            except queue.Empty:
                raise AssertionError(f"never heard {what!r}, but {self.said[-10:]}") from None
            assert line is not None, f"it has ended without {what!r}: {self.said[-10:]}"
            self.said.append(line)
            if wanted(line):
                return line

    def type(self, line: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """Kill the program, as a power cut does."""
        self._process.kill()
        self._process.wait()

    def ends(self) -> int:
        """Wait for its end; returns the exit status."""
        try:
            while (line := self._lines.get(timeout=PATIENCE_S)) is not None:
                self.said.append(line)
        except queue.Empty:
            raise AssertionError(f"it does not end: {self.said[-10:]}") from None
        return self._process.wait()
