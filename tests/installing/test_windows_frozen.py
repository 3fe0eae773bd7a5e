"""Folder and installer for Windows, made on Linux and used under Wine as a person uses them (freeze/windows.py).

Only where VOICECHESS_WINDOWS_FROZEN asks for it, since it takes long: it names the folder TARGET in which
freeze/windows.py has made them, or says "new" to have them made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import wave
from pathlib import Path

import pytest

from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise
from tests.drivers.windows import Windows, missing
from tests.installing.conftest import GAME, ROOT, SAID
from voicechess import __version__
from voicechess.sound.mixing import as_int16

pytestmark = [
    pytest.mark.skipif(not os.environ.get("VOICECHESS_WINDOWS_FROZEN"), reason="VOICECHESS_WINDOWS_FROZEN is not set"),
    pytest.mark.skipif(missing("makensis") is not None, reason=str(missing("makensis"))),
]

GAMES = "AppData/Local/voicechess"
MENU = "AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
PROGRAM = "AppData/Local/Programs/voicechess"


@pytest.fixture(scope="module")
def made(windows: Windows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the documented command leaves in its folder."""
    if (named := os.environ["VOICECHESS_WINDOWS_FROZEN"]) != "new":
        return Path(named)
    target = tmp_path_factory.mktemp("frozen-windows")
    command = [sys.executable, str(ROOT / "freeze" / "windows.py"), str(windows.folder), str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return target


@pytest.fixture(scope="module")
def home(windows: Windows) -> Path:
    """The player's folder on Wine's disk C:."""
    (found,) = (path for path in (windows.folder / "prefix/drive_c/users").iterdir() if path.name != "Public")
    return found


def begins(windows: Windows, program: Path, *arguments: str, typed: str = "") -> str:
    """What a program prints under Wine; it ends by itself and without an error."""
    done = subprocess.run(
        ["wine", str(program), *arguments],
        env=windows.environment,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def heard(windows: Windows, program: Path, home: Path, folder: Path) -> list[str]:
    """What it says in a new game to the moves of `SAID`, each spoken in a recording after a pause."""
    voice, pause = Voice(), bytes(2 * 3 * SAMPLE_RATE)
    spoken = pause.join(as_int16(synthesise(words, voice)).tobytes() for words in GAME.splitlines()[:3])
    with wave.open(str(folder / "spoken.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(pause + spoken + pause)
    (home / GAMES / "settings.toml").write_text(f"[sound]\nmicrophone = 'Z:{folder}/spoken.wav'\n", "utf-8")
    play = ["wine", str(program), "--lang", "de", "play", "--both", "--output", "text"]
    with subprocess.Popen(
        play,
        env=windows.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,  # a plain file ends Python at its start under Wine
    ) as process:
        assert process.stdout is not None
        hanging = threading.Timer(900, process.kill)
        hanging.start()
        told = process.stdout.read()  # it ends with the recording, not with its open input
        hanging.cancel()
    (home / GAMES / "settings.toml").unlink()
    return told.decode().splitlines()


def test_installed_played_with_and_removed(windows: Windows, made: Path, home: Path, tmp_path: Path) -> None:
    begins(windows, made / f"voicechess-{__version__}-windows-x64.exe", "/S")
    program = home / PROGRAM / "voicechess.exe"
    assert (home / MENU / "voicechess.lnk").is_file()
    assert '<html lang="de">' in (home / PROGRAM / "handbuch.html").read_text("utf-8")
    assert begins(windows, program, "--version").strip() == f"voicechess {__version__}"
    doctor = begins(windows, program, "--lang", "de", "doctor")
    assert "Sprachmodell: in Ordnung. Das Sprachmodell starter-de geht." in doctor
    assert "Gegner: in Ordnung. Sunfish" in doctor
    assert "Alle sieben Züge wurden richtig gehört." in begins(windows, program, "--lang", "de", "demo")
    typed = ("--lang", "de", "play", "--both", "--input", "keyboard", "--output", "text")
    played = begins(windows, program, *typed, typed=GAME)
    assert [line for line in played.splitlines() if line in SAID] == SAID
    assert (home / GAMES / "games.sqlite").is_file()
    read = begins(windows, program, *typed[:-1], "reader", typed=GAME)
    assert "Es antwortet kein Bildschirmleser. Ich spreche selbst." in read
    assert [line for line in heard(windows, program, home, tmp_path) if line in SAID] == SAID

    begins(windows, home / PROGRAM / "uninstall.exe", "/S")
    until = time.monotonic() + 120  # the uninstaller goes on as a copy of itself, which a person does not see
    while (home / PROGRAM).exists() and time.monotonic() < until:
        time.sleep(0.5)
    assert not (home / PROGRAM).exists()
    assert list((home / MENU).glob("voicechess*")) == []
    assert (home / GAMES / "games.sqlite").is_file()


def test_no_larger_than_it_has_to_be(made: Path) -> None:
    size = sum(path.stat().st_size for path in (made / "voicechess").rglob("*") if path.is_file())
    assert size < 120_000_000, f"{size / 1e6:.0f} MB"


def test_the_c_runtime_of_samplerate_and_espeak_is_in_it(made: Path) -> None:
    """Microsoft's: python.org's Python has none, and Wine's own is left out."""
    (runtime,) = (path for path in (made / "voicechess").rglob("*") if path.name.lower() == "msvcp140.dll")
    assert b"Microsoft" in runtime.read_bytes()
