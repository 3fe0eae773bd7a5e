"""The tree as somebody has it who fetched it, what is built from it, and where it can be installed from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.drivers.bare_system import BareSystem, bare_system
from tests.drivers.windows import Windows, make

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = (".*", "__pycache__", "*.egg-info", "build", "dist", "venv", "downloaded", "work")
"""What lies about in a tree that is worked in."""

GAME = "Eva vier\nEva fünf\nSpringer Felix drei\nEnde\n"
SAID = [
    "Bauer Eva zwei Eva vier.",
    "Bauer Eva sieben Eva fünf.",
    "Springer Gustav eins Felix drei.",
    "Die Eingabe ist zu Ende. Die Partie ist gespeichert.",
]
"""A game that is typed, and the sentences that answer it, among others."""


OUTSIDE = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "PYTHONPATH")}
"""The environment of a program that finds neither this tree nor this virtual environment."""


@dataclass(frozen=True, slots=True)
class Built:
    """The distributions, and which files the tree had that they were built from."""

    sdist: Path
    wheel: Path
    tree: frozenset[str]


@cache
def _index() -> dict[str, str]:
    """uv asks the same index as pip."""
    told = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    for line in told.stdout.splitlines():
        name, _, value = line.partition("=")
        if name.endswith(".index-url"):
            return {"UV_DEFAULT_INDEX": value.strip("'\"")}
    return {}


def uv(
    *arguments: str | Path, environment: Mapping[str, str] | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """What uv did, by its arguments alone: no project and no virtual environment is looked for, no Python fetched."""
    return subprocess.run(
        [sys.executable, "-m", "uv", *map(str, arguments)],
        env={**OUTSIDE, **_index(), "UV_PYTHON_DOWNLOADS": "never", **(environment or {})},
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="session")
def package_index() -> None:
    """Somewhere to install from; without it the tests that need one leave themselves out, but not in CI."""
    pytest.importorskip("uv", reason="uv is not installed")
    asked = uv("pip", "compile", "-q", "--no-cache", "-", environment={"UV_HTTP_RETRIES": "0"}, typed="fsrs\n")
    if asked.returncode:
        pytest.skip(f"no package index answers: {asked.stderr.strip().splitlines()[-1].strip()}")


@pytest.fixture(scope="session")
def built(package_index: None, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sdist, and the wheel that is built from the tree."""
    folder = tmp_path_factory.mktemp("built")
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_OURS), ignore_dangling_symlinks=True)
    there = frozenset(path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file())
    done = uv("build", "--python", sys.executable, "--sdist", "--wheel", "--out-dir", folder, tree)
    assert done.returncode == 0, done.stderr
    return Built(next(folder.glob("*.tar.gz")), next(folder.glob("*.whl")), there)


@pytest.fixture(scope="session")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that PyInstaller makes of this tree."""
    pytest.importorskip("PyInstaller", reason="PyInstaller is not installed")
    folder = tmp_path_factory.mktemp("frozen")
    command = [sys.executable, "-m", "PyInstaller", "--log-level=WARN", str(ROOT / "freeze" / "voicechess.spec")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "dist" / "voicechess"


@pytest.fixture(scope="session")
def computer(frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> BareSystem:
    """A bare system with the program and without a network."""
    try:
        found = bare_system(tmp_path_factory.mktemp("computer") / "root")
    except RuntimeError as error:
        pytest.skip(f"no room without a network can be made here: {error}")
    shutil.copytree(frozen, found.root / "opt" / "voicechess", symlinks=True)
    return found


@pytest.fixture(scope="session")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """The Windows Python that VOICECHESS_WINDOWS names, or a new one where it says "new"."""
    named = os.environ.get("VOICECHESS_WINDOWS", "")
    if not named:
        pytest.skip("VOICECHESS_WINDOWS names no Windows Python")
    if named != "new":
        yield Windows(Path(named))
        return
    made = make(tmp_path_factory.mktemp("windows") / "python")
    yield made
    made.end()
