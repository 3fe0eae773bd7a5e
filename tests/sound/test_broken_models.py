"""A broken speech model ends no program: it is tried in a process of its own, and the one that came along is used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from voicechess.cli import main
from voicechess.sound.errors import SoundError
from voicechess.sound.model import VoskModel, probe
from voicechess.storage.places import models_folder
from voicechess.storage.speech_models import starter

INSTEAD = "Dafür wird das mitgelieferte Modell benutzt."
MOVE = "Springer Gustav eins Felix drei"


def _half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _zeroed(content: bytes) -> bytes:
    """As after a power cut: the length is right, and the beginning, the rest never got to the disk."""
    return content[:200] + bytes(len(content) - 200)


def _nonsense(content: bytes) -> bytes:
    return b"--no-such-thing=1\n\xff nonsense \x00\n"


DAMAGES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("graph/HCLr.fst", _half),
    ("graph/HCLr.fst", _zeroed),
    ("graph/Gr.fst", _half),
    ("graph/Gr.fst", _zeroed),
    ("am/final.mdl", _half),
    ("am/final.mdl", _zeroed),
    ("conf/mfcc.conf", _nonsense),
    ("conf/model.conf", _nonsense),
    ("graph/disambig_tid.int", _nonsense),
]
EACH = pytest.mark.parametrize(("part", "damage"), DAMAGES, ids=[f"{part} {how.__name__}" for part, how in DAMAGES])


def broken(to: Path, part: str, damage: Callable[[bytes], bytes], manifest: bool = False) -> Path:
    """The starter model with one part damaged, by default without the manifest that would tell."""
    whole = starter()
    assert whole is not None
    shutil.copytree(whole, to, copy_function=shutil.copyfile)
    (to / part).write_bytes(damage((to / part).read_bytes()))
    if not manifest:
        (to / "manifest.json").unlink()
    return to


def voicechess(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voicechess", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",  # and with it every system's line ends are the same
        check=False,
        timeout=180,
    )


@pytest.fixture
def said(tmp_path: Path) -> Path:
    """The recording of a move."""
    assert main(["say", "Nf3", "--full", "--out", str(tmp_path / "move.wav")]) == 0
    return tmp_path / "move.wav"


@EACH
def test_a_broken_model_that_is_installed_is_passed_over(
    said: Path, part: str, damage: Callable[[bytes], bytes]
) -> None:
    broken(models_folder() / "small-de", part, damage)
    done = voicechess("hear", said)
    why, instead = done.stderr.splitlines()
    assert str(models_folder() / "small-de") in why
    assert instead == INSTEAD
    assert done.stdout.endswith(f"Gespielt würde: {MOVE}.\n")
    assert done.returncode == 0


def test_what_the_manifest_tells_is_named(said: Path) -> None:
    folder = broken(models_folder() / "small-de", "graph/HCLr.fst", _half, manifest=True)
    done = voicechess("hear", said)
    assert done.stderr.splitlines() == [
        f"Im Modell {folder} ist graph/HCLr.fst nicht die Datei, die es sein soll.",
        INSTEAD,
    ]
    assert done.returncode == 0


@pytest.mark.parametrize(("part", "damage"), DAMAGES[:2])
def test_a_game_is_played_with_the_other_model_and_it_is_said(
    said: Path, part: str, damage: Callable[[bytes], bytes]
) -> None:
    broken(models_folder() / "small-de", part, damage)
    command = [sys.executable, "-m", "voicechess", "play", "--both", "--output", "text"]
    command += ["--microphone", str(said)]
    # Its standard input stays open: the game ends with the recording.
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None and process.stderr is not None
        hanging = threading.Timer(180, process.kill)
        hanging.start()
        lines = process.stdout.read().decode().splitlines()
        errors = process.stderr.read()
        status = process.wait()
        hanging.cancel()
    assert INSTEAD in lines
    assert f"{MOVE}." in lines
    assert errors == b""
    assert status == 0


@pytest.mark.parametrize("command", ["hear", "demo", "play"])
def test_a_broken_model_that_was_asked_for_is_one_sentence(tmp_path: Path, said: Path, command: str) -> None:
    folder = broken(tmp_path / "model", "graph/HCLr.fst", _half)
    done = voicechess(command, *([said] if command == "hear" else []), "--model", folder)
    assert done.stderr == f"Das Sprachmodell {folder} lässt sich nicht laden. Bitte neu installieren.\n"
    assert done.stdout == ""
    assert done.returncode == 2


@EACH
def test_verify_finds_it(
    tmp_path: Path, part: str, damage: Callable[[bytes], bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = broken(tmp_path / "model", part, damage)
    assert main(["model", "verify", str(folder)]) == 1
    printed = capfd.readouterr()
    assert str(folder) in printed.out
    assert printed.err == ""


def test_a_model_that_hangs_is_not_waited_for(model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.sound.model._PROBE", "import time\nprint('begun', flush=True)\ntime.sleep(3600)")
    with pytest.raises(SoundError) as caught:
        probe(model_path, limit_s=0.5)
    assert caught.value.key == "sound.model.unusable"


def test_where_nothing_can_be_tried_nothing_is_known(model_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.sound.model._PROBE", "raise ImportError")
    probe(model_path)
    monkeypatch.setattr(sys, "executable", os.devnull)
    probe(model_path)


def test_the_model_that_is_used_says_nothing_of_its_own(tmp_path: Path) -> None:
    """What a C library writes goes around Python, so only another process can see it."""
    whole = starter()
    assert whole is not None
    code = (
        "import ctypes, sys\nfrom pathlib import Path\nfrom voicechess.sound.model import VoskModel\n"
        "model = VoskModel(Path(sys.argv[1]))\n"
        "try:\n    model._vosk.Model(model_path='/nowhere')\nexcept Exception:\n    pass\n"
        "recogniser = model._vosk.KaldiRecognizer(model._model, 8000, '[\"xyzzy\"]')\n"
        "try:\n    recogniser.AcceptWaveform(bytes(16000))\nexcept Exception:\n    pass\n"
        "print('ours', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, whole], capture_output=True, check=False, timeout=120)
    assert done.stderr.splitlines() == [b"ours"]


def test_whoever_replaced_the_standard_error_keeps_it(model_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    VoskModel(model_path)
    print("ours", file=sys.stderr)
    assert capsys.readouterr().err == "ours\n"
