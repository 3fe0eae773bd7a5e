"""The frozen program, used as a person does who has no Python: on a bare Debian, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.installing.conftest import GAME, ROOT, SAID
from voicechess import __version__

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="the bare system is copied from a Debian"),
]

PROGRAM = "/opt/voicechess/voicechess"
HOME = "/home/player"
AS_ROOT = os.geteuid() == 0
ENTER = """
root=$1 player=$2
shift 2
mount --rbind /dev "$root/dev" && mount --rbind /proc "$root/proc" && exec chroot $player "$root" "$@"
"""
"""Run where there is no network: the two trees that the kernel makes, then the bare system is all there is."""


def named(relation: str) -> str:
    """The package of "libc6:any (>= 2.36)"."""
    return relation.partition("(")[0].partition(":")[0].strip()


def essential() -> list[str]:
    """The packages that every Debian has, with what they need."""
    form = "${Package}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
    shown = subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in shown.splitlines()]
    needs = {name: needed for name, _, _, needed in rows}
    real = {named(one): name for name, _, provided, _ in rows for one in provided.split(",")}
    found: set[str] = set()
    wanted = [name for name, kind, _, _ in rows if kind == "yes"]
    while wanted:
        name = wanted.pop()
        name = name if name in needs else real.get(name, "")
        if name in needs and name not in found:
            found.add(name)
            wanted += [named(one) for one in needs[name].replace("|", ",").split(",")]
    return sorted(found)


def copy_bare_system(root: Path) -> None:
    """The files of those packages as they are here, and a home for the player."""
    listed = subprocess.run(["dpkg-query", "-L", *essential()], capture_output=True, text=True, check=True).stdout
    (root / "usr").mkdir(parents=True)
    for name in ("bin", "lib", "lib64", "sbin"):
        link = Path("/", name)
        if link.is_symlink():  # to the folder of that name in /usr
            (root / link.readlink()).mkdir(exist_ok=True)
            (root / name).symlink_to(link.readlink())
    for path in sorted({Path(line) for line in listed.splitlines() if line.startswith("/")}):
        target = root / path.relative_to("/")
        if "/usr/share/" in f"{path}/" or not os.path.lexists(path) or os.path.lexists(target):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            target.mkdir()
        else:
            shutil.copy(path, target, follow_symlinks=False)
    for name in ("dev", "proc", "tmp", HOME.strip("/")):
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / name).chmod(0o777)


@dataclass(frozen=True, slots=True)
class Computer:
    """A bare system at `root`, with the frozen program."""

    root: Path

    def run(
        self, *command: str, typed: str = "", environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """A command without a network, as somebody who may write at home and in /tmp only."""
        enter = ["unshare", "--net", "--mount", *([] if AS_ROOT else ["--map-root-user"]), "sh", "-c", ENTER, "sh"]
        player = "--userspec=1000:1000" if AS_ROOT else ""
        return subprocess.run(
            [*enter, str(self.root), player, *command],
            env={"HOME": HOME, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", **(environment or {})},
            cwd="/",
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    def voicechess(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """The program."""
        return self.run(PROGRAM, *arguments, typed=typed)


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that PyInstaller makes of this tree."""
    pytest.importorskip("PyInstaller", reason="PyInstaller is not installed")
    folder = tmp_path_factory.mktemp("frozen")
    command = [sys.executable, "-m", "PyInstaller", "--log-level=WARN", str(ROOT / "freeze" / "voicechess.spec")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "dist" / "voicechess"


@pytest.fixture(scope="module")
def computer(frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> Computer:
    """A bare system with the program and without a network."""
    found = Computer(tmp_path_factory.mktemp("computer") / "root")
    copy_bare_system(found.root)
    shutil.copytree(frozen, found.root / "opt" / "voicechess", symlinks=True)
    found.root.chmod(0o755)
    entered = found.run("true")
    if entered.returncode:
        pytest.skip(f"no room without a network can be made here: {entered.stderr.strip()}")
    return found


def test_there_is_no_python_and_no_network(computer: Computer) -> None:
    """Else the other tests here would show nothing."""
    program = computer.root / PROGRAM.strip("/")
    pythons = [path for path in computer.root.rglob("*python*") if program.parent not in path.parents]
    assert pythons == []
    links = computer.run("cat", "/proc/net/dev").stdout.splitlines()[2:]
    assert [line.split(":")[0].strip() for line in links] == ["lo"]


def test_the_version_is_told(computer: Computer) -> None:
    assert computer.voicechess("--version").stdout == f"voicechess {__version__}\n"


def test_the_doctor_finds_voice_model_and_opponent(computer: Computer) -> None:
    """All three are children of the program: the voice a file that is run, the model some lines, Sunfish a module."""
    done = computer.voicechess("doctor")
    lines = done.stdout.splitlines()
    assert "Stimme: in Ordnung. Die Sprachausgabe geht." in lines
    assert "Sprachmodell: in Ordnung. Das Sprachmodell starter-de geht." in lines
    assert "Gegner: in Ordnung. Sunfish" in lines
    assert "Mikrofon: Es ist kein Mikrofon da. Bitte eines anschließen oder mit der Tastatur spielen." in lines
    assert f"Platte: in Ordnung. {HOME}/.local/share/voicechess" in lines
    assert (done.returncode, done.stderr) == (0, "")


def test_the_demo_speaks_hears_and_plays(computer: Computer) -> None:
    done = computer.voicechess("demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Alle sieben Züge wurden richtig gehört."


def test_a_typed_game(computer: Computer) -> None:
    done = computer.voicechess("play", "--both", "--input", "keyboard", "--output", "text", typed=GAME)
    assert [line for line in done.stdout.splitlines() if line in SAID] == SAID
    assert (done.returncode, done.stderr) == (0, "")
    listed = computer.voicechess("game", "list")
    assert listed.stdout.count("\n") == 1


def test_a_typed_game_against_the_machine(computer: Computer) -> None:
    typed = "Eva vier\nEnde\nja\n"
    done = computer.voicechess("play", "--white", "--input", "keyboard", "--output", "text", typed=typed)
    assert [line for line in done.stdout.splitlines() if line.startswith("Schwarz: ")]
    assert done.stderr == ""


def test_a_broken_model_does_not_end_the_program(computer: Computer) -> None:
    """It ends the process that loads it, so a child tries it first."""
    model = computer.root / "tmp" / "broken"
    shutil.copytree(ROOT / "models" / "starter-de", model)
    graph = model / "graph" / "HCLr.fst"
    graph.write_bytes(graph.read_bytes()[:1000])
    done = computer.voicechess("doctor", "--model", "/tmp/broken")
    assert done.returncode == 0
    assert "Gegner: in Ordnung. Sunfish" in done.stdout.splitlines()
    assert "Sprachmodell: in Ordnung" not in done.stdout


def test_other_programs_find_the_libraries_of_their_system(computer: Computer) -> None:
    """Stockfish must not be given the C++ library that is in the folder of the program."""
    engine = computer.root / "usr" / "local" / "bin" / "stockfish"
    engine.parent.mkdir(parents=True, exist_ok=True)
    engine.write_text('#!/bin/sh\necho "[$LD_LIBRARY_PATH]" >/tmp/libraries\n')
    engine.chmod(0o755)
    try:
        computer.voicechess("doctor")
    finally:
        engine.unlink()
    assert (computer.root / "tmp" / "libraries").read_text() == "[]\n"


def test_beside_a_folder_for_games_everything_is_kept_there(computer: Computer) -> None:
    """As on a stick that is carried from one computer to another."""
    stick = computer.root / "tmp" / "stick"
    shutil.copytree(computer.root / "opt" / "voicechess", stick)
    kept = stick / "voicechess-data"
    kept.mkdir()
    kept.chmod(0o777)
    done = computer.run("/tmp/stick/voicechess", "doctor")
    assert "Platte: in Ordnung. /tmp/stick/voicechess-data" in done.stdout.splitlines()


def test_licences_of_what_is_inside_go_along(frozen: Path) -> None:
    folder = frozen / "_internal" / "licences"
    for name in ("chess", "fsrs", "numpy", "pyttsx3", "requests", "samplerate", "sunfish", "voicechess"):
        assert list((folder / name).iterdir()), name
    named = (folder / "README.txt").read_text("utf-8")
    for name in ("chess", "espeakng-loader", "pyttsx3", "sunfish", "vosk"):
        assert f"\n{name} " in named


def test_what_only_measures_trains_and_tests_is_left_out(frozen: Path) -> None:
    there = {path.name for path in (frozen / "_internal").iterdir()}
    assert there & {"torch", "scipy", "pytest", "tkinter", "soundfile", "websockets", "keyring"} == set()
    assert sum(path.stat().st_size for path in frozen.rglob("*") if not path.is_symlink()) < 200_000_000
