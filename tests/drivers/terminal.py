"""A program at its own pseudo-terminal, as in a terminal window."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

AT_ITS_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Makes standard input the controlling terminal, as in a new terminal window, restores the default actions of signals,
which may be ignored where the tests run (by nohup), and runs the program."""


class Terminal:
    """A terminal window with a program. `shown`: its output so far."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        import pty

        self._master, slave = pty.openpty()
        self._shown = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_ITS_TERMINAL, *command],
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    @property
    def shown(self) -> str:
        return self._shown.decode("utf-8", "replace")

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def read_until(self, words: str) -> None:
        """Read output until it contains this, or the program has ended."""
        while words not in self.shown and self._read():
            pass

    def read_to_the_end(self) -> None:
        """Read output until the program has ended."""
        while self._read():
            pass

    def _read(self) -> bool:
        """Read a block; returns False if no process has the terminal open any more."""
        try:
            block = os.read(self._master, 4096)
        except OSError:
            block = b""
        self._shown += block
        return bool(block)

    def echoes(self) -> bool:
        import termios

        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def close(self) -> None:
        if self._master >= 0:
            os.close(self._master)
        self._master = -1

    def wait(self) -> int:
        return self.process.wait(120)
