"""At a terminal that a screen reader reads: every line stands alone, nothing is drawn over, no line comes twice."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence

import pytest

from tests.drivers.terminal import Terminal

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

GAME = ("play", "--both", "--input", "keyboard", "--output", "text", "--time", "5+3")


def at_a_terminal(*arguments: str, typed: Sequence[str] = ()) -> list[str]:
    """All lines shown at a terminal until the program ends; `typed` is typed ahead, and its echo included."""
    terminal = Terminal([sys.executable, "-m", "voicechess", *arguments])
    terminal.type("".join(line + "\n" for line in typed).encode())
    terminal.read_to_the_end()
    assert terminal.wait() in (0, 1)
    terminal.close()
    text = terminal.shown.replace("\r\n", "\n")
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
