"""How the program ends when asked to: by Control-C, Control-\\, a closed terminal window or `kill`.

The first such signal raises KeyboardInterrupt in the main thread, and the program shuts down: the game is on disk, a
sentence says so, devices and terminal are released. A second one ends it at once. Modules imported here are imported
before signals are handled: as few as possible.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

INTERRUPTED = 130
"""Exit status of an interrupted program, as in shells."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")


class Interruption:
    """Handles the signals that end a program. `hold` and `allow` in this order, on the main thread.

    A signal that was ignored at the start stays ignored (`nohup`, a shell's background jobs).
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._restore: Callable[[], None] = lambda: None
        self._allowed = False
        self._came = False
        self._raised = False

    def hold(self) -> None:
        """Only note signals: an interrupted import leaves half a module."""
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._before[number] = signal.signal(number, self._signalled)
        self._restore = _terminal()

    def allow(self) -> None:
        """Raise KeyboardInterrupt on signals; at once if one has come."""
        self._allowed = True
        if self._came and not self._raised:
            self._raised = True
            raise KeyboardInterrupt

    def over(self) -> None:
        """The program has ended: signals must not interrupt Python's shutdown."""
        self._raised = True
        self._restore()

    def release(self) -> None:
        """Restore the previous handlers."""
        self._restore()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        if number == getattr(signal, "SIGHUP", None):
            leave_output(only_dead_terminals=True)
        self._came = True
        if self._raised:
            # Nothing is lost: every event was on disk before anything followed from it, and engines and voices end
            # with their pipes.
            self._restore()
            os._exit(INTERRUPTED)
        if self._allowed:
            self._raised = True
            raise KeyboardInterrupt


def nobody_reads(error: BaseException) -> bool:
    """Whether output failed because its reader is gone: a closed pipe, or a closed terminal (EIO)."""
    return isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == errno.EIO)


def takes_no_more(error: BaseException) -> bool:
    """Whether output failed because the disk is full. Errors of other files have a file name."""
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if hasattr(errno, "EDQUOT") else (errno.ENOSPC, errno.EFBIG)
    return isinstance(error, OSError) and error.filename is None and error.errno in full


def leave_output(only_dead_terminals: bool = False) -> None:
    """Discard further output: nobody reads it, and Python would complain of it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            descriptor = stream.fileno()
            if only_dead_terminals:
                a_device = stat.S_ISCHR(os.fstat(descriptor).st_mode)
                if not a_device or os.isatty(descriptor):  # a closed terminal no longer reports to be one
                    continue
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
        except (AttributeError, OSError, ValueError):  # there is none, or a test's
            continue


def _terminal() -> Callable[[], None]:
    """Returns a function that restores the present state of the terminal at standard input."""
    if sys.platform == "win32":
        return lambda: None
    import termios

    try:
        descriptor = sys.stdin.fileno()
        mode = termios.tcgetattr(descriptor)
    except (AttributeError, OSError, ValueError, termios.error):  # there is none
        return lambda: None

    def restore() -> None:
        try:
            termios.tcsetattr(descriptor, termios.TCSANOW, mode)
        except (OSError, termios.error):  # it has been closed
            return

    return restore
