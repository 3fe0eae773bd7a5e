"""How the program ends when somebody wants it to: by Control-C, Control-\\, a closed terminal window or `kill`.

The first such signal raises KeyboardInterrupt in the main thread, and the program ends in order: the game is on disk,
a sentence says so, devices and terminal are given back. A second one, while it ends, ends it at once. What is imported
here is imported before signals are under control: as little as possible.
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
"""The exit status of a program that was interrupted, as shells have it."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK")


class Interruption:
    """Takes over the signals that end a program. `hold` and `allow` in this order, on the main thread.

    A signal that was ignored when the program began stays ignored (`nohup`, a shell's background jobs).
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._restore: Callable[[], None] = lambda: None
        self._allowed = False
        self._came = False
        self._raised = False

    def hold(self) -> None:
        """From now on a signal is only noted: an import that is interrupted leaves half a module."""
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._before[number] = signal.signal(number, self._signalled)
        self._restore = _terminal()

    def allow(self) -> None:
        """From now on a signal raises KeyboardInterrupt; at once, when one has come."""
        self._allowed = True
        if self._came and not self._raised:
            self._raised = True
            raise KeyboardInterrupt

    def over(self) -> None:
        """The program has ended; from now on a signal does not interrupt what Python has to do at its end."""
        self._raised = True
        self._restore()

    def release(self) -> None:
        """Give the signals back."""
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
            # with our pipes.
            self._restore()
            os._exit(INTERRUPTED)
        if self._allowed:
            self._raised = True
            raise KeyboardInterrupt


def nobody_reads(error: BaseException) -> bool:
    """Whether output has failed because its reader has gone: a closed pipe, or a closed terminal (EIO)."""
    return isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == errno.EIO)


def takes_no_more(error: BaseException) -> bool:
    """Whether output has failed because its disk is full. Of files it is told which: those errors have a name."""
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if hasattr(errno, "EDQUOT") else (errno.ENOSPC, errno.EFBIG)
    return isinstance(error, OSError) and error.filename is None and error.errno in full


def leave_output(only_dead_terminals: bool = False) -> None:
    """What is printed from now on goes nowhere: it is not read, and Python would complain of it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            descriptor = stream.fileno()
            if only_dead_terminals:
                a_device = stat.S_ISCHR(os.fstat(descriptor).st_mode)
                if not a_device or os.isatty(descriptor):  # a terminal that has been closed says that it is none
                    continue
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, descriptor)
            os.close(nowhere)
        except (AttributeError, OSError, ValueError):  # there is none, or a test's
            continue


def _terminal() -> Callable[[], None]:
    """What gives the terminal at standard input back as it is now."""
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
