"""At a terminal that a screen reader reads: every line stands alone, nothing is drawn over, no line comes twice."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

import pty

GAME = ("play", "--both", "--input", "keyboard", "--output", "text", "--time", "5+3")


def at_a_terminal(*arguments: str, typed: Sequence[str] = ()) -> list[str]:
    """The lines that come at a terminal, with each line typed when nothing has come for a moment; what the terminal
    echoes of them is left out."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "voicechess", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as program:
        os.close(theirs)
        os.write(ours, "".join(line + "\n" for line in typed).encode())
        told = b""
        with contextlib.suppress(OSError):  # the other end is closed when the program has ended
            while part := os.read(ours, 65_536):
                told += part
        assert program.wait(120) in (0, 1)
    os.close(ours)
    text = told.decode().replace("\r\n", "\n")
    assert "\r" not in text and "\x1b" not in text and "\b" not in text, repr(text)
    return text.split("\n")


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (GAME, ["e2e4", "e7e5", "stellung", "Dame h7", "ende", "ja"]),
        ((*GAME, "--board", "text"), ["e2e4", "ende", "ja"]),
        (("practise", "--input", "keyboard", "--output", "text"), ["ende"]),
        (("doctor",), []),
        (("demo",), []),
        (("game", "list"), []),
        (("model", "list"), []),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, tuple) else "",
)
def test_every_line_stands_alone(arguments: tuple[str, ...], typed: list[str]) -> None:
    lines = at_a_terminal(*arguments, typed=typed)
    assert any(lines)
    spoken = [line for line in lines if line.endswith((".", "?"))]
    assert not [line for line, after in itertools.pairwise(spoken) if line == after]
