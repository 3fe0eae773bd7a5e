"""The wheel, the source distribution, and what they tell an index."""

from __future__ import annotations

import email
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from email.message import Message
from pathlib import Path

import pytest

from tests.installing.conftest import GAME, OUTSIDE, ROOT, SAID, Built, uv
from voicechess import __version__

pytestmark = pytest.mark.index


def files(wheel: Path) -> dict[str, bytes]:
    """The content of a wheel. Its metadata stands below "about/", whatever its version is."""
    about = f"voicechess-{__version__}.dist-info/"
    with zipfile.ZipFile(wheel) as opened:
        return {
            ("about/" + name.removeprefix(about) if name.startswith(about) else name): opened.read(name)
            for name in opened.namelist()
            if not name.endswith("/")
        }


@pytest.fixture(scope="module")
def metadata(built: Built) -> Message:
    return email.message_from_string(files(built.wheel)["about/METADATA"].decode())


def test_the_wheel_has_the_program_and_the_starter_model_and_nothing_else(built: Built) -> None:
    package = {name for name in built.tree if name.startswith("voicechess/")}
    models = {name for name in built.tree if name.startswith(("models/starter-", "models/__init__.py"))}
    there = {name for name in files(built.wheel) if not name.startswith("about/")}
    assert there == package | {f"voicechess/{name}" for name in models}
    assert len(there) > 150
    assert not [name for name in there if "bench/" in name or "training" in name or "tests" in name]


def test_the_source_distribution_builds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    done = uv("build", "--python", sys.executable, "--wheel", "--out-dir", tmp_path, built.sdist)
    assert done.returncode == 0, done.stderr
    assert files(next(tmp_path.glob("*.whl"))) == files(built.wheel)


def test_the_source_distribution_has_the_whole_tree(built: Built) -> None:
    """Who gets the program has a right to all of its source: the recipe of the model, the tests, what freezes it."""
    with tarfile.open(built.sdist) as opened:
        there = {Path(*Path(name).parts[1:]).as_posix() for name in opened.getnames()}
    assert len(built.tree) > 500
    assert built.tree - there == set()


def test_an_index_learns_what_it_shows(metadata: Message) -> None:
    assert metadata["Name"] == "voicechess"
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "GPL-3.0-or-later"
    assert metadata.get_all("License-File") == ["LICENSE", "models/README.md"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert 40 < len(metadata["Summary"]) < 140
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload() == (ROOT / "README.md").read_text("utf-8")
    assert {"blind", "chess", "Schach"} <= set(metadata["Keywords"].split(","))
    classifiers = metadata.get_all("Classifier") or []
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in range(11, 15)} <= set(classifiers)
    # A licence is named once, by its SPDX expression; an index refuses both.
    assert not [name for name in classifiers if name.startswith("License")]
    # The program has no public home yet: none is made up.
    assert metadata.get_all("Project-URL") is None
    assert metadata["Home-page"] is None


def test_the_licence_and_where_the_model_comes_from_go_along(built: Built) -> None:
    there = files(built.wheel)
    assert there["about/licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert b"CC BY 4.0" in there["about/licenses/models/README.md"]


def test_every_extra_of_the_project_is_offered(metadata: Message) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(metadata.get_all("Provides-Extra") or []) == set(project["optional-dependencies"])


# --- Installed -------------------------------------------------------------------------------------------------------


def with_pip(wheel: Path, folder: Path) -> Path:
    """The program, installed with pip into an environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "-q", wheel], check=True, env=OUTSIDE)
    return folder / "bin" / "voicechess"


def with_pipx(wheel: Path, folder: Path) -> Path:
    """The program, installed with pipx."""
    places = {"PIPX_HOME": str(folder / "home"), "PIPX_BIN_DIR": str(folder / "bin"), "PIPX_MAN_DIR": str(folder)}
    pipx = ("tool", "run", "pipx")
    done = uv(*pipx, "install", "--python", sys.executable, wheel, environment=places)
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "voicechess"


def with_uv(wheel: Path, folder: Path) -> Path:
    """The program, installed with uv."""
    places = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    done = uv("tool", "install", "--python", sys.executable, wheel, environment=places)
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "voicechess"


@pytest.mark.parametrize("install", [with_pip, with_pipx, with_uv])
def test_installed_as_people_install_things_it_plays_with_the_starter_model(
    install: Callable[[Path, Path], Path], built: Built, tmp_path: Path
) -> None:
    program = install(built.wheel, tmp_path / "installed")

    def voicechess(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run where nothing of the tree can be found."""
        return subprocess.run(
            [program, *arguments],
            cwd=tmp_path,
            env=OUTSIDE,
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    assert voicechess("--version").stdout == f"voicechess {__version__}\n"
    assert "Sprachmodell: in Ordnung. Das Sprachmodell starter-de geht." in voicechess("doctor").stdout.splitlines()
    played = voicechess("play", "--both", "--input", "keyboard", "--output", "text", typed=GAME)
    assert [line for line in played.stdout.splitlines() if line in SAID] == SAID
    assert voicechess("bench", "speed").returncode == 2  # what measures is not installed
