"""Keys at a terminal: what is shown of them, and which lines they make."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from voicechess.app.keyboard import Keyboard

ROOT = Path(__file__).resolve().parents[2]
HANGS_S = 120


def test_typed_for_the_envelope(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    keyboard = Keyboard(lines.append, lambda key, line_begun: None, lambda: None)

    def keys() -> Iterator[str]:
        yield from "ab\x7fc\n"
        keyboard.hide(True)
        yield from "xy\x7fz\n"
        keyboard.hide(False)
        yield from "d\n"

    monkeypatch.setattr(keyboard, "_keys", keys)
    keyboard._read_keys()
    assert lines == ["ac", "xz", "d"]
    assert capsys.readouterr().out == "ab\b \bc\n\nd\n"


def typed(monkeypatch: pytest.MonkeyPatch, *keys: str) -> list[str]:
    """The lines that come of these keys."""
    lines: list[str] = []
    keyboard = Keyboard(lines.append, lambda key, line_begun: None, lambda: None)
    monkeypatch.setattr(keyboard, "_keys", lambda: iter(keys))
    keyboard._read_keys()
    return lines


def test_arrows_bring_earlier_lines_back(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    keys = ["a", "\r", "b", "\r", "up", "up", "up", "\r", "up", "up", "down", "down", "c", "\r", "left", "\r"]
    assert typed(monkeypatch, *keys) == ["a", "b", "a", "c", ""]
    assert capsys.readouterr().out.splitlines()[:2] == ["a", "b"]


def test_control_c_as_a_key_is_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            typed(monkeypatch, "a", "\x03")
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_end_of_input_counts_at_the_beginning_of_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert typed(monkeypatch, "a", "\x1a", "\r", "\x1a", "b", "\r") == ["a"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_keys_of_a_terminal() -> None:
    import pty

    master, slave = pty.openpty()
    keyboard = Keyboard(lambda line: None, lambda key, line_begun: None, lambda: None, os.fdopen(slave, "rb", 0))
    assert keyboard.interactive
    keys = keyboard._keys()
    os.write(master, b"\n")  # before the program reads keys the terminal still gives whole lines
    assert next(keys) == "\n"
    os.write(master, "à".encode())
    assert next(keys) == "à"
    os.write(master, b"\x1b[A\x1b")
    assert [next(keys), next(keys)] == ["up", "\x1b"]
    os.write(master, b"e4\r")
    assert [next(keys), next(keys), next(keys)] == ["e", "4", "\r"]
    keyboard.close()
    os.close(master)


def test_standard_input_from_nowhere_is_no_terminal_and_ends() -> None:
    """`isatty` says of Windows' NUL that it is a terminal; it has no keys (issue 51)."""
    ended = threading.Event()
    lines: list[str] = []
    with Path(os.devnull).open("rb", buffering=0) as nowhere:
        keyboard = Keyboard(lines.append, lambda key, line_begun: None, ended.set, nowhere)
        assert not keyboard.interactive
        keyboard.start()
        assert ended.wait(60)
    assert lines == []


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows has code pages")
def test_lines_in_the_code_page_of_the_console() -> None:
    from voicechess.app.keyboard import _decoded

    assert _decoded("König".encode("oem")) == "König"
    assert _decoded("König".encode()) == "König"


LOADING = """
import sys, threading
from voicechess.app.keyboard import Keyboard
lines, ended = [], threading.Event()
keyboard = Keyboard(lines.append, lambda key, line_begun: None, ended.set)
assert not keyboard.interactive
keyboard.start()
import numpy
print("loaded", flush=True)
ended.wait()
print(lines)
"""


def test_a_library_is_loaded_while_nothing_comes_through_the_pipe() -> None:
    """On Windows it waited for the next line: nobody was heard until something was typed (numpy #24290, issue 51)."""
    with subprocess.Popen(
        [sys.executable, "-c", LOADING], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        hanging = threading.Timer(HANGS_S, process.kill)
        hanging.start()
        assert process.stdout.readline().rstrip() == b"loaded"
        for piece in ("e4\nd", "5\r\n", "x" * 9000, "\nlast"):
            process.stdin.write(piece.encode())
            process.stdin.flush()
        process.stdin.close()
        assert process.stdout.readline().decode().rstrip() == str(["e4", "d5", "x" * 4000, "last"])
        hanging.cancel()
