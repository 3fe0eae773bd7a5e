"""Interrupted at any moment, by a key or by closing the terminal, the program ends in order and shows no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.drivers.terminal import Terminal
from voicechess.app.interruption import INTERRUPTED

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals and their signals are tested on POSIX")


@pytest.fixture
def game() -> Iterator[Terminal]:
    """A game at a terminal, in which one move has been made."""
    play = ("play", "--both", "--input", "keyboard", "--output", "text")
    terminal = Terminal([sys.executable, "-m", "voicechess", *play])
    terminal.read_until("Weiß beginnt.")
    terminal.type(b"e4\n")
    terminal.read_until("Bauer Eva zwei Eva vier.")
    yield terminal
    terminal.process.kill()
    terminal.close()
    terminal.process.wait()


@pytest.mark.parametrize("key", [b"\x03", b"\x1c"], ids=["Control-C", "Control-backslash"])
def test_a_key_ends_it_and_gives_the_terminal_back(game: Terminal, key: bytes) -> None:
    assert not game.echoes()
    game.type(key)
    game.read_until("Unterbrochen. Die Partie ist gespeichert.")
    assert game.wait() == INTERRUPTED
    assert game.echoes()
    assert "Traceback" not in game.shown


def test_closing_the_window_is_no_mistake(game: Terminal) -> None:
    game.close()
    assert game.wait() == INTERRUPTED


def program(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program, started by these lines."""
    command = [sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{code}"]
    command += arguments
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_interrupted_while_it_is_imported() -> None:
    done = program(
        """
import signal, sys

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "voicechess.language":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from voicechess.__main__ import run
sys.exit(run())
""",
        "settings",
        "path",
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "Abgebrochen.\n")


def test_a_second_interruption_ends_it_at_once() -> None:
    done = program(
        """
import signal, sys
from voicechess import __main__
from voicechess.commands import settings

def settings_run(*_):
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.SIGINT)
        print("Not ended.", flush=True)

settings.run = settings_run
sys.exit(__main__.run())
""",
        "settings",
        "path",
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


def test_interrupted_at_its_very_end() -> None:
    done = program(
        """
import signal
from voicechess.__main__ import run

run()
signal.raise_signal(signal.SIGINT)
""",
        "settings",
        "path",
    )
    assert (done.returncode, done.stderr) == (INTERRUPTED, "")


def test_what_was_ignored_stays_ignored() -> None:
    """Whoever starts it with `nohup` closes the window on purpose."""
    done = program(
        """
import signal, sys
from voicechess import __main__
from voicechess.commands import settings

settings.run = lambda *_: signal.raise_signal(signal.SIGHUP) or 0
signal.signal(signal.SIGHUP, signal.SIG_IGN)
sys.exit(__main__.run())
""",
        "settings",
        "path",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_whoever_read_the_output_may_go() -> None:
    command = [sys.executable, "-m", "voicechess", "play", "--both", "--input", "keyboard", "--output", "text"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        process.stdin.write(b"e4\ne5\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(120) == INTERRUPTED
