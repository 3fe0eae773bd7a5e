"""The keyboard: typed lines, and single keys that stop speech.

At a terminal every key is seen immediately, so that any key interrupts speech and the space bar can be held to talk;
prompt_toolkit reads the keys of every system's terminal. Its own prompt is not used: it redraws the line at each key,
which a screen reader reads again. From a pipe or file come plain lines. Nothing here interprets a line.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from prompt_toolkit.input import Input

MAXIMUM_LINE = 4_000
"""Most characters of a line; the rest is dropped, and what is left is refused as too long."""

MOST_EARLIER = 50
"""Size of the history of typed lines. Larger: arrow up goes further back."""

ESCAPE_S = 0.05
"""Seconds after which an escape character is the escape key and not the start of an arrow key. Larger: the escape key
responds later."""

PIPE_S = 0.05
"""Polling interval of a pipe on Windows, seconds. Larger: input is handled later."""

END_OF_LINE, RUB_OUT = ("\r", "\n"), ("\x7f", "\b")
END_OF_INPUT = ("\x04", "\x1a")
INTERRUPT = "\x03"
UP, DOWN = "up", "down"


class Keyboard:
    """Reads standard input on its own thread.

    `on_line` is called with each line; `on_key` with each key pressed at a terminal, before it becomes part of a line,
    and with whether a line was begun: it returns whether the key is taken and becomes part of none. `on_end` is called
    once at the end of input. All three are called on the keyboard's thread and must only enqueue; while `on_line`
    blocks, nothing more is read.
    """

    def __init__(
        self,
        on_line: Callable[[str], None],
        on_key: Callable[[str, bool], bool | None],
        on_end: Callable[[], None],
        stream: BinaryIO | None = None,
    ) -> None:
        self._on_line, self._on_key, self._on_end = on_line, on_key, on_end
        self._stream = stream if stream is not None else _standard_input()
        self._restore: Callable[[], None] | None = None
        self._hidden = False
        self.interactive = self._stream is not None and _is_terminal(self._stream)

    def start(self) -> None:
        """Start reading. The thread ends with the program."""
        if self._stream is None:
            self._on_end()
            return
        work = self._read_keys if self.interactive else self._read_lines
        threading.Thread(target=self._guarded, args=(work,), name="keyboard", daemon=True).start()

    def hide(self, hidden: bool) -> None:
        """Set whether further typed characters are hidden at a terminal (a move for an envelope)."""
        self._hidden = hidden

    def close(self) -> None:
        """Restore the terminal."""
        if self._restore is not None:
            self._restore()
            self._restore = None

    def _guarded(self, work: Callable[[], None]) -> None:
        # A closed or broken input is just the end of input.
        with contextlib.suppress(OSError, ValueError):
            work()
        self._on_end()

    def _read_lines(self) -> None:
        assert self._stream is not None
        while line := self._stream.readline(MAXIMUM_LINE * 4):
            whole = line
            while whole and not whole.endswith(b"\n"):
                whole = self._stream.readline(MAXIMUM_LINE * 4)
            self._on_line(_decoded(line)[:MAXIMUM_LINE].rstrip("\r\n"))

    def _read_keys(self) -> None:
        line: list[str] = []
        earlier: list[str] = []  # history, newest last
        looking_at = 0  # the one shown, counted from the end; 0: none
        for key in self._keys():
            if self._on_key(key, bool(line)):
                continue
            if key in END_OF_LINE:
                self._echo("\n")
                text = "".join(line)
                if text and not self._hidden:
                    earlier = [*earlier[-MOST_EARLIER:], text]
                looking_at = 0
                self._on_line(text)
                line.clear()
            elif key in RUB_OUT:
                if line:
                    line.pop()
                    self._echo("" if self._hidden else "\b \b")
            elif key in END_OF_INPUT:
                if not line:
                    return
            elif key == INTERRUPT:  # only on consoles that report it as a key
                signal.raise_signal(signal.SIGINT)
            elif key in (UP, DOWN) and not self._hidden:
                looking_at = min(max(looking_at + (1 if key == UP else -1), 0), len(earlier))
                self._echo("\b \b" * len(line))
                line = list(earlier[-looking_at]) if looking_at else []
                self._echo("".join(line))
            elif key.isprintable() and len(key) == 1 and len(line) < MAXIMUM_LINE and not (key == " " and not line):
                line.append(key)
                self._echo("" if self._hidden else key)

    @staticmethod
    def _echo(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _keys(self) -> Iterator[str]:
        """Each key: its letter or control character, or prompt_toolkit's name ("up", "f1")."""
        from prompt_toolkit.input import create_input  # takes a tenth of a second, saved without a terminal

        assert self._stream is not None
        with contextlib.ExitStack() as at_end:
            text = open(self._stream.fileno(), encoding="utf-8", closefd=False)  # noqa: SIM115
            terminal = create_input(text)
            at_end.enter_context(terminal.raw_mode())
            _keep_signals(text.fileno())
            at_end.callback(text.close)
            self._restore = at_end.pop_all().close
        half = False  # the input so far may end with an escape that begins an arrow key
        while not terminal.closed:
            if _wait(terminal, ESCAPE_S if half else None):
                presses, half = terminal.read_keys(), True
            else:
                presses, half = terminal.flush_keys(), False
            for press in presses:
                if press.key == "<bracketed-paste>":
                    yield from press.data
                else:
                    yield press.data if len(press.data) == 1 else str(getattr(press.key, "value", press.key))


if sys.platform == "win32":

    def _is_terminal(stream: BinaryIO) -> bool:
        """Whether it is a console. `isatty` is also true for NUL, which has no keys (issue 51)."""
        import ctypes
        import msvcrt

        try:
            handle = msvcrt.get_osfhandle(stream.fileno())
        except (OSError, ValueError):
            return False
        mode = ctypes.c_ulong()
        return bool(ctypes.windll.kernel32.GetConsoleMode(ctypes.c_void_p(handle), ctypes.byref(mode)))

    class _Pipe(io.RawIOBase):
        """A pipe that is read only when bytes are available.

        While a thread blocks in a pipe, Windows lets no other thread query the kind of file; libraries query standard
        input when they are loaded, among them numpy's and so the microphone's: they would hang until the next line
        (numpy #24290, CPython #78961).
        """

        def __init__(self, descriptor: int) -> None:
            self._descriptor = descriptor

        def fileno(self) -> int:
            return self._descriptor

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            while (there := self._there()) == 0:
                time.sleep(PIPE_S)
            got = os.read(self._descriptor, min(len(buffer), there or len(buffer)))
            buffer[: len(got)] = got
            return len(got)

        def _there(self) -> int | None:
            """Bytes available; None at the end, and for a socket, which cannot be queried."""
            import ctypes
            import msvcrt

            handle, count = msvcrt.get_osfhandle(self._descriptor), ctypes.c_ulong()
            peeked = ctypes.windll.kernel32.PeekNamedPipe(
                ctypes.c_void_p(handle), None, 0, None, ctypes.byref(count), None
            )
            return count.value if peeked else None

    def _reader(descriptor: int) -> BinaryIO:
        """A reader of the descriptor; closing it does not close the descriptor."""
        import ctypes
        import msvcrt

        a_pipe = 3  # FILE_TYPE_PIPE
        if ctypes.windll.kernel32.GetFileType(ctypes.c_void_p(msvcrt.get_osfhandle(descriptor))) == a_pipe:
            return io.BufferedReader(_Pipe(descriptor))
        return open(descriptor, "rb", closefd=False)

    def _keep_signals(descriptor: int) -> None:
        """A console in raw mode reports Control-C as a key; `_read_keys` turns it into the signal."""

    def _wait(terminal: Input, timeout_s: float | None) -> bool:
        from prompt_toolkit.eventloop.win32 import wait_for_handles
        from prompt_toolkit.input.win32 import Win32Input

        assert isinstance(terminal, Win32Input)
        return wait_for_handles([terminal.handle], -1 if timeout_s is None else round(1000 * timeout_s)) is not None

else:

    def _is_terminal(stream: BinaryIO) -> bool:
        return stream.isatty()

    def _reader(descriptor: int) -> BinaryIO:
        return open(descriptor, "rb", closefd=False)

    def _keep_signals(descriptor: int) -> None:
        """Control-C stays a signal, delivered while this thread waits for input."""
        import termios

        with contextlib.suppress(termios.error):  # the terminal has been closed
            mode = termios.tcgetattr(descriptor)
            mode[3] |= termios.ISIG
            termios.tcsetattr(descriptor, termios.TCSANOW, mode)

    def _wait(terminal: Input, timeout_s: float | None) -> bool:
        import select

        return bool(select.select([terminal.fileno()], [], [], timeout_s)[0])


def _decoded(line: bytes) -> str:
    """Decodes UTF-8, or the code page that a Windows console writes into a pipe (cp850, cp1252 and the like)."""
    with contextlib.suppress(UnicodeDecodeError):
        return line.decode("utf-8")
    return line.decode("oem" if sys.platform == "win32" else "utf-8", errors="replace")


def _standard_input() -> BinaryIO | None:
    """Standard input through a separate reader; None without any.

    Python locks its own reader at exit, and aborts if a thread still waits in it, as this one does while the pipe is
    open.
    """
    try:
        return _reader(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):  # no input, a closed one, or one that is no file
        return getattr(sys.stdin, "buffer", None)
