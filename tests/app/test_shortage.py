"""No file descriptor is left, in the middle of a game: what cannot be done is told, and the game goes on (issue 49)."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind there")

SHORT = """
import os, resource, sys
from voicechess.app import loop, wiring
wiring.load_the_rest()
converse = loop.Loop.converse
def short(self, *given, **more):
    if not {late}:
        fewest = max(int(name) for name in os.listdir("/dev/fd"))  # the last one was to list them
        resource.setrlimit(resource.RLIMIT_NOFILE, (fewest, fewest))
    loop.Loop.converse = converse
    converse(self, *given, **more)
loop.Loop.converse = short
{more}
from voicechess.__main__ import run
sys.argv = ["voicechess", "play", "--input", "keyboard", "--output", "text", "--time", "90", "--both"]
sys.exit(run())
"""


def played(lines: str, more: str = "", late: bool = False) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SHORT.format(more=more, late=late)],
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert not done.stderr
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_game_goes_on() -> None:
    lines = "e4 hilfe stellung brett_zeigen e5 tipp hängepartie ja d4 ja weiter aufgeben ja neue_partie ja d4 ende ja"
    told = played(lines.replace(" ", "\n").replace("_", " ") + "\n")
    assert "Bauer Eva sieben Eva fünf." in told
    assert "Das Brett ist ausgefallen, die Partie geht weiter." in told
    assert "Der Umschlag lässt sich nicht speichern." in told
    assert "Der Umschlag ist offen. Weiß: David vier." in told
    assert told.splitlines()[-1] == "Die Partie ist gespeichert. Auf Wiederhören."


FAILS_ONCE = """
import errno
from voicechess.app import hearing
understood = hearing.Hearing.understood
failed = []
def once(self, *given, **more):
    if len(failed) < 3:
        failed.append(1)
        try:
            raise OSError(errno.EMFILE, "Too many open files")
        except OSError as error:
            raise ValueError("no words") from error
    return understood(self, *given, **more)
hearing.Hearing.understood = once
"""


def test_whatever_fails_for_that_is_told_and_may_be_said_again() -> None:
    told = played("e4\ne4\ne4\ne4\nende\nja\n", FAILS_ONCE, late=True)
    assert told.count("zu viele Dateien offen") == 1  # three times within two seconds
    assert "Bauer Eva zwei Eva vier." in told
