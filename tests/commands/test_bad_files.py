"""Whatever lies where a file of the program should: it starts, says so, and plays without it (issue 49, 24 and 25)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from voicechess.cli import main
from voicechess.sound.model import STARTER, is_starter
from voicechess.storage.measured import BESIDE, read_measured
from voicechess.storage.places import data_folder, envelope_file, personal_file, settings_path, token_file
from voicechess.storage.speech_models import verify

HANGS_S = 600
LONG = "1" * 400


def text(content: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(content, "utf-8")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


BAD: dict[str, Callable[[Path], object]] = {
    "brackets": text("[" * 100_000),
    "number": text('{"fit": ' + LONG + ', "key": ' + LONG + "}"),
    "exchanged": text('{"exchanged": {"eva": {"david": ' + LONG + "}}}"),
    "level": text('{"level": {"speech_db": ' + LONG + ', "noise_db": 1}}'),
    "no text": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "huge": text(" " * (5 << 20)),
    "folder": lambda path: path.mkdir(),
}
if sys.platform != "win32":
    BAD |= {"pipe": pipe, "device": device}


def run(lines: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voicechess", *arguments],
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=HANGS_S,
        check=False,
    )


def put(path: Path, bad: Callable[[Path], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    bad(path)


TYPED = ("--input", "keyboard", "--output", "text")


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_game_begins_whatever_the_files_are(bad: Callable[[Path], object]) -> None:
    for path in (personal_file("de"), token_file(), settings_path()):
        put(path, bad)
    done = run("e4\nende\nja\n", "play", "--both", *TYPED)
    assert done.returncode == 0, done.stderr
    assert "Bauer Eva zwei Eva vier." in done.stdout
    assert "beschädigt" in done.stdout  # the calibration
    assert "Die Partie ist gespeichert." in done.stdout
    assert not done.stderr


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_damaged_login_is_told_where_it_is_wanted(
    bad: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    put(token_file(), bad)
    assert main(["online", "games"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("Die Anmeldung ist nicht zu lesen:") and told.count("\n") == 1
    assert main(["online", "play", *TYPED]) in (1, 2)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_damaged_envelope_is_one_that_is_lost(bad: Callable[[Path], object]) -> None:
    run("e4\nhängepartie\nja\nbauer eva fünf\nja\nende\n", "play", "--both", "--time", "90", *TYPED)
    path = envelope_file(1)
    path.unlink()
    put(path, bad)
    done = run("nein\n", "game", "resume", *TYPED)
    assert "Der Umschlag fehlt oder ist beschädigt." in done.stdout
    assert not done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes or devices among files there")
@pytest.mark.parametrize("bad", [pipe, device])
@pytest.mark.parametrize(
    "arguments",
    [
        ["say", "Nf3", "--out"],
        ["demo", "--out"],
        ["game", "export", "--out"],
        ["practise", "--report", "--out"],
        ["play", *TYPED[:2], "--speaker"],
        ["play", *TYPED[:2], "--overwrite", "--speaker"],
        ["say", "Nf3", "--overwrite", "--out"],
        ["game", "export", "--overwrite", "--out"],
    ],
)
def test_nothing_is_written_where_there_is_no_file(
    arguments: list[str], bad: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out.wav"
    bad(path)
    assert main([*arguments, str(path)]) == 2
    assert capsys.readouterr().err == f"Dorthin lässt sich nichts speichern: {path} ist keine Datei.\n"


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_a_token_is_read_from_a_file(
    bad: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad(tmp_path / "token")
    assert main(["online", "login", "--token", str(tmp_path / "token")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", ["manifest.json", BESIDE])
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_what_lies_beside_a_model_hurts_nothing(
    name: str, bad: Callable[[Path], object], tmp_path: Path, model_path: Path
) -> None:
    model = tmp_path / STARTER
    model.mkdir()
    for part in model_path.iterdir():
        if part.name != name:
            copy = shutil.copytree if part.is_dir() else shutil.copy2  # Windows wants a right for links
            copy(part, model / part.name)
    bad(model / name)
    assert is_starter(model) == (name != "manifest.json")
    assert read_measured(model) is None
    assert bool(verify(model)) == (name == "manifest.json")


@pytest.mark.skipif(sys.platform == "win32", reason="these modes are not Windows'")
def test_only_its_owner_looks_into_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "a" / "home"
    monkeypatch.setenv("VOICECHESS_HOME", str(home))
    before = os.umask(0o022)
    try:
        for number, arguments in enumerate((["settings", "write"], ["doctor"], ["practise", "--report"])):
            monkeypatch.setenv("VOICECHESS_HOME", str(home / str(number)))
            run("", *arguments)
            assert (home / str(number)).stat().st_mode & 0o777 == 0o700, arguments
        monkeypatch.setenv("VOICECHESS_HOME", str(home / "sealed"))
        run("e4\nhängepartie\nja\nbauer eva fünf\nja\nende\n", "play", "--both", "--time", "90", *TYPED)
        assert json.loads(envelope_file(1).read_text("utf-8"))["key"]
        for folder in (data_folder(), envelope_file(1).parent):
            assert folder.stat().st_mode & 0o777 == 0o700, folder
    finally:
        os.umask(before)


@pytest.mark.skipif(sys.platform == "win32" or not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["game", "list"], ["play", *TYPED, "--both"], ["settings", "show"]])
def test_a_full_disk_at_the_other_end_is_a_sentence(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "voicechess", *arguments],
            input="e4\nende\nja\n",
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=HANGS_S,
            check=False,
        )
    assert done.stderr == "Die Ausgabe lässt sich nicht schreiben: Der Datenträger ist voll.\n"
    assert done.returncode == 1
