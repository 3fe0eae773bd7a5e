"""The keyboard: lines typed, and single keys that stop speech.

At a terminal every key is seen at once, so that any key ends what is being said and the space bar can be held to talk.
From a pipe or file come plain lines. Nothing here decides what a line means.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

MAXIMUM_LINE = 4_000
"""Characters kept of one line; the rest is dropped, and understanding refuses what is left as too long."""


class Keyboard:
    """Reads standard input on a thread of its own.

    `on_line` gets each line; `on_key` each key pressed at a terminal, before it becomes part of a line, and whether a
    line had been begun; `on_end` is called once when there is no more input. All three are called on the keyboard's
    thread and must only enqueue; while `on_line` waits, nothing more is read.
    """

    def __init__(
        self,
        on_line: Callable[[str], None],
        on_key: Callable[[str, bool], None],
        on_end: Callable[[], None],
        stream: BinaryIO | None = None,
    ) -> None:
        self._on_line, self._on_key, self._on_end = on_line, on_key, on_end
        self._stream = stream if stream is not None else _standard_input()
        self._restore: Callable[[], None] | None = None
        self._hidden = False
        self.interactive = self._stream is not None and self._stream.isatty()

    def start(self) -> None:
        """Begin to read. The thread dies with the program."""
        if self._stream is None:
            self._on_end()
            return
        work = self._read_keys if self.interactive else self._read_lines
        threading.Thread(target=self._guarded, args=(work,), name="keyboard", daemon=True).start()

    def hide(self, hidden: bool) -> None:
        """From the next key on, whether what is typed at a terminal is not shown (a move for an envelope)."""
        self._hidden = hidden

    def close(self) -> None:
        """Give the terminal back as it was."""
        if self._restore is not None:
            self._restore()
            self._restore = None

    def _guarded(self, work: Callable[[], None]) -> None:
        # A closed or broken input is the end of input, nothing worse.
        with contextlib.suppress(OSError, ValueError):
            work()
        self._on_end()

    def _read_lines(self) -> None:
        assert self._stream is not None
        while line := self._stream.readline(MAXIMUM_LINE * 4):
            whole = line
            while whole and not whole.endswith(b"\n"):
                whole = self._stream.readline(MAXIMUM_LINE * 4)
            self._on_line(line.decode("utf-8", errors="replace")[:MAXIMUM_LINE].rstrip("\r\n"))

    def _read_keys(self) -> None:
        line: list[str] = []
        for key in self._keys():
            self._on_key(key, bool(line))
            if key in "\r\n":
                self._echo("\n")
                self._on_line("".join(line))
                line.clear()
            elif key in "\x7f\b":
                if line:
                    line.pop()
                    self._echo("" if self._hidden else "\b \b")
            elif key == "\x04":
                if not line:
                    return
            elif key.isprintable() and len(line) < MAXIMUM_LINE and not (key == " " and not line):
                line.append(key)
                self._echo("" if self._hidden else key)

    @staticmethod
    def _echo(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _keys(self) -> Iterator[str]:
        if sys.platform == "win32":
            import msvcrt

            while True:
                key = msvcrt.getwch()
                if key in "\x00\xe0":  # a function or arrow key: its second half says which
                    msvcrt.getwch()
                elif key == "\x1a":
                    return
                else:
                    yield key
        else:
            yield from self._posix_keys()

    def _posix_keys(self) -> Iterator[str]:
        import codecs
        import os
        import termios

        assert self._stream is not None
        descriptor = self._stream.fileno()

        def set_mode(mode: list[int | list[bytes | int]]) -> None:
            with contextlib.suppress(termios.error):  # which is no OSError: the terminal has been closed
                termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)

        try:
            before = termios.tcgetattr(descriptor)
            mode = termios.tcgetattr(descriptor)
        except termios.error:
            return
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        set_mode(mode)
        self._restore = lambda: set_mode(before)
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        escape = False
        while data := os.read(descriptor, 1):
            for key in decoder.decode(data):
                # Arrow keys and the like come as ESC [ … letter: one key press, no text.
                if escape:
                    escape = not (key.isalpha() or key == "~")
                    continue
                escape = key == "\x1b"
                yield key


def _standard_input() -> BinaryIO | None:
    """Standard input through a reader of our own; None without any.

    Python locks its own reader when it ends, and aborts when a thread still waits in it: that is where this one is as
    long as the pipe is not closed.
    """
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except (AttributeError, OSError, ValueError):  # no input, a closed one, or one that is no file
        return getattr(sys.stdin, "buffer", None)
