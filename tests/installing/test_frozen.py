"""The frozen program, used as a person does who has no Python: on a bare Debian, without a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import requests
import yaml

from tests.drivers.bare_system import HOME, BareSystem
from tests.installing.conftest import GAME, ROOT, SAID
from voicechess import __version__

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="the bare system is copied from a Debian"),
]

PROGRAM = "/opt/voicechess/voicechess"


def test_there_is_no_python_and_no_network(computer: BareSystem) -> None:
    """Else the other tests here would show nothing."""
    program = computer.root / PROGRAM.strip("/")
    pythons = [path for path in computer.root.rglob("*python*") if program.parent not in path.parents]
    assert pythons == []
    called = computer.run("bash", "-c", "echo >/dev/tcp/192.0.2.1/80")
    assert "unreachable" in called.stderr or "not permitted" in called.stderr


def test_the_version_is_told(computer: BareSystem) -> None:
    assert computer.run(PROGRAM, "--version").stdout == f"voicechess {__version__}\n"


def test_the_doctor_finds_voice_model_and_opponent(computer: BareSystem) -> None:
    """All three are children of the program: the voice a file that is run, the model some lines, Sunfish a module."""
    done = computer.run(PROGRAM, "doctor")
    lines = done.stdout.splitlines()
    assert "Stimme: in Ordnung. Die Sprachausgabe geht." in lines
    assert "Sprachmodell: in Ordnung. Das Sprachmodell starter-de geht." in lines
    assert "Gegner: in Ordnung. Sunfish" in lines
    assert "Mikrofon: Es ist kein Mikrofon da. Bitte eines anschließen oder mit der Tastatur spielen." in lines
    assert f"Platte: in Ordnung. {HOME}/.local/share/voicechess" in lines
    assert (done.returncode, done.stderr) == (0, "")


def test_the_demo_speaks_hears_and_plays(computer: BareSystem) -> None:
    done = computer.run(PROGRAM, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Alle sieben Züge wurden richtig gehört."


def test_a_typed_game(computer: BareSystem) -> None:
    before = computer.run(PROGRAM, "game", "list").stdout  # other tests play on this computer too
    done = computer.run(PROGRAM, "play", "--both", "--input", "keyboard", "--output", "text", typed=GAME)
    assert [line for line in done.stdout.splitlines() if line in SAID] == SAID
    assert (done.returncode, done.stderr) == (0, "")
    listed = computer.run(PROGRAM, "game", "list").stdout
    assert listed.count("zwei Menschen") == before.count("zwei Menschen") + 1


def test_a_typed_game_against_the_machine(computer: BareSystem) -> None:
    typed = "Eva vier\nEnde\nja\n"
    done = computer.run(PROGRAM, "play", "--white", "--input", "keyboard", "--output", "text", typed=typed)
    assert [line for line in done.stdout.splitlines() if line.startswith("Schwarz: ")]
    assert done.stderr == ""


def test_a_screen_reader_can_be_asked_to_speak(frozen: Path, tmp_path: Path) -> None:
    """Its library was left out once, and people were told to install it with pip. Where none runs it falls back."""
    command = [str(frozen / "voicechess"), "play", "--both", "--input", "keyboard", "--output", "reader"]
    environment = {**os.environ, "VOICECHESS_HOME": str(tmp_path)}
    done = subprocess.run(command, input=GAME, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert "pip install" not in done.stdout
    assert [line for line in done.stdout.splitlines() if line in SAID] == SAID


def test_the_page_for_whoever_sees(frozen: Path, tmp_path: Path) -> None:
    """On this system: where there is no network at all, nothing can be served either."""
    command = [str(frozen / "voicechess"), "play", "--both", "--input", "keyboard", "--output", "text"]
    environment = {**os.environ, "VOICECHESS_HOME": str(tmp_path)}
    address = ["--board", "--board-address", "127.0.0.1:0"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *address], stdin=pipe, stdout=pipe, env=environment, encoding="utf-8") as program:
        assert program.stdout is not None
        url = next(line.strip() for line in program.stdout if line.startswith("http"))
        assert "Voicechess" in requests.get(url, timeout=60).text
        assert requests.get(url + "words", timeout=60).json()["language"] == "de"
        program.terminate()


def test_a_broken_model_does_not_end_the_program(computer: BareSystem) -> None:
    """It ends the process that loads it, so a child tries it first."""
    model = computer.root / "tmp" / "broken"
    shutil.copytree(ROOT / "models" / "starter-de", model)
    graph = model / "graph" / "HCLr.fst"
    graph.write_bytes(graph.read_bytes()[:1000])
    done = computer.run(PROGRAM, "doctor", "--model", "/tmp/broken")
    assert done.returncode == 0
    assert "Gegner: in Ordnung. Sunfish" in done.stdout.splitlines()
    assert "Sprachmodell: in Ordnung" not in done.stdout


def test_other_programs_find_the_libraries_of_their_system(computer: BareSystem) -> None:
    """Stockfish must not be given the C++ library that is in the folder of the program. It is started more than once,
    and ended as soon as it answers nothing: perhaps before it has written anything."""
    engine = computer.root / "usr" / "local" / "bin" / "stockfish"
    engine.parent.mkdir(parents=True, exist_ok=True)
    engine.write_text('#!/bin/sh\necho "[$LD_LIBRARY_PATH]" >>/tmp/libraries\n')
    engine.chmod(0o755)
    try:
        computer.run(PROGRAM, "doctor")
    finally:
        engine.unlink()
    assert set((computer.root / "tmp" / "libraries").read_text().split()) == {"[]"}


def pack(frozen: Path, target: Path) -> Path:
    """The archive of that name, made as people are given it."""
    source = target.with_name("voicechess-source.tar.gz")
    source.write_bytes(b"source")
    pack_it = str(ROOT / "freeze" / "pack.py")
    subprocess.run([sys.executable, pack_it, frozen, target, source], cwd=target.parent, check=True)
    return target


def test_from_a_stick_it_keeps_everything_on_the_stick(computer: BareSystem, frozen: Path, tmp_path: Path) -> None:
    stick = computer.root / "tmp" / "stick"
    packed = pack(frozen, tmp_path / "voicechess.tar.gz")
    if sys.version_info >= (3, 12):  # which warns without a filter; Debian 12's Python knows none yet
        shutil.unpack_archive(packed, stick, filter="data")
    else:
        shutil.unpack_archive(packed, stick)
    kept = stick / "voicechess" / "voicechess-data"
    kept.chmod(0o777)
    done = computer.run("/tmp/stick/voicechess/voicechess", "doctor")
    assert "Platte: in Ordnung. /tmp/stick/voicechess/voicechess-data" in done.stdout.splitlines()
    assert (stick / "voicechess" / "source" / "voicechess-source.tar.gz").is_file()


def test_the_zip_for_windows_has_the_program_and_a_folder_for_games(frozen: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(pack(frozen, tmp_path / "voicechess.zip")) as opened:
        assert opened.testzip() is None
        names = {name for name in opened.namelist() if not name.endswith("/")}
    files = {path.relative_to(frozen).as_posix() for path in frozen.rglob("*") if path.is_file()}
    more = {"voicechess-data/README.txt", "source/voicechess-source.tar.gz"}
    assert names == {f"voicechess/{name}" for name in files | more}


def test_the_installer_compiles_and_asks_for_language_and_folder_only(tmp_path: Path) -> None:
    """What it does on a Windows has not been seen."""
    if shutil.which("makensis") is None:
        pytest.skip("NSIS is not installed")
    program = tmp_path / "voicechess"
    (program / "_internal").mkdir(parents=True)
    for name in ("voicechess.exe", "_internal/part"):
        (program / name).write_text(name)
    script = ROOT / "freeze" / "installer.nsi"
    target = tmp_path / "installer.exe"
    names = [f"-DFOLDER={program}", f"-DTARGET={target}", f"-DVERSION={__version__}"]
    done = subprocess.run(["makensis", "-WX", *names, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert target.read_bytes()[:2] == b"MZ"
    pages = re.findall(r"^!insertmacro MUI_(PAGE_\w+|LANGDLL_DISPLAY)", script.read_text("utf-8"), re.MULTILINE)
    assert pages == ["PAGE_DIRECTORY", "PAGE_INSTFILES"]


WORKFLOWS = {path.stem: path for path in (ROOT / ".github" / "workflows").glob("*.yml")}


def steps(system: str) -> dict[str, str]:
    """What the workflow of a system runs, by the names of its steps."""
    loaded = yaml.safe_load(WORKFLOWS[system].read_text("utf-8"))
    return {step["name"]: step["run"] for step in loaded["jobs"]["frozen"]["steps"] if "run" in step}


def test_no_workflow_claims_to_have_been_run() -> None:
    assert set(WORKFLOWS) == {"windows", "macos"}
    for path in WORKFLOWS.values():
        assert path.read_text("utf-8").startswith("# NOT YET RUN")


@pytest.mark.parametrize("step", ["Version", "Doctor", "Demo", "A typed game"])
def test_what_the_workflows_try_out_is_right_here(step: str, frozen: Path, tmp_path: Path) -> None:
    """On their own systems they have not been run; what they ask of the program is the same on every one."""
    assert steps("windows")[step] == steps("macos")[step]
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "voicechess").symlink_to(frozen)
    told = {**os.environ, "GITHUB_ENV": str(tmp_path / "environment")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps("windows")[step]]
    done = subprocess.run(command, cwd=tmp_path, env=told, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if step == "Version":
        assert (tmp_path / "environment").read_text() == f"VERSION={__version__}\n"


def test_every_file_of_the_package_that_is_read_goes_along(frozen: Path) -> None:
    read = {path.relative_to(ROOT) for path in (ROOT / "voicechess").rglob("*.*") if path.suffix not in (".py", ".pyc")}
    assert len(read) > 20
    assert [str(path) for path in sorted(read) if not (frozen / "_internal" / path).is_file()] == []


def test_licences_of_what_is_inside_go_along(frozen: Path) -> None:
    folder = frozen / "_internal" / "licences"
    for name in ("chess", "fsrs", "numpy", "pyttsx3", "requests", "samplerate", "sunfish", "voicechess"):
        assert list((folder / name).iterdir()), name
    named = (folder / "README.txt").read_text("utf-8")
    for name in ("chess", "espeakng-loader", "pyttsx3", "sunfish", "vosk"):
        assert f"\n{name} " in named


def test_what_only_measures_trains_and_tests_is_left_out(frozen: Path) -> None:
    there = {path.name for path in (frozen / "_internal").iterdir()}
    other = {"cryptography", "keyring", "pytest", "scipy", "soundfile", "tkinter", "torch", "websockets", "yaml"}
    assert there & other == set()
    assert sum(path.stat().st_size for path in frozen.rglob("*") if not path.is_symlink()) < 200_000_000
