"""`voicechess bench` measures with a copy of the repository, and says what is missing where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from voicechess.cli import main
from voicechess.commands import bench

ROOT = Path(__file__).parents[2]


@pytest.fixture
def installed_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that stands in no repository, and an empty folder to run it in."""
    monkeypatch.setattr(bench, "__file__", str(tmp_path / "site-packages" / "voicechess" / "commands" / "bench.py"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_program_in_a_repository_measures_with_that_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert bench.repository() == ROOT


def test_a_program_installed_elsewhere_measures_with_the_repository_around_it(
    installed_elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT / "tests" / "commands")
    assert bench.repository() == ROOT
    with pytest.raises(SystemExit) as ended:
        main(["bench", "hearing", "--help"])
    assert ended.value.code == 0
    assert "--model PATH" in capsys.readouterr().out


def test_only_what_is_measured_is_loaded() -> None:
    loaded = "import sys; from voicechess import cli\ntry: cli.main(['bench', 'tuning', '--help'])\nexcept SystemExit: "
    loaded += "print(*(name for name in sys.modules if name.startswith('models.bench.')))"
    ran = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=False)
    names = ran.stdout.splitlines()[-1].split()
    assert "models.bench.tuning" in names and "models.bench.speed" not in names


def test_the_measurements_by_themselves_are_those_of_the_command() -> None:
    command = [sys.executable, "-m", "models.bench", "--help"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "{" + ",".join(bench.MEASUREMENTS) + "}" in "".join(ran.stdout.split())


@pytest.mark.parametrize("typed", [(), ("hearing",), ("speed", "--json", "figures.json")])
def test_without_the_repository_one_sentence_says_what_is_missing(
    typed: tuple[str, ...], installed_elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *typed, "--lang", "en"] if not typed else ["bench", "--lang", "en", *typed]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "Measuring takes a copy of Voicechess's repository; what measures lies in its folder models/bench."
    ]


@pytest.mark.parametrize("typed", [(), ("nonsense",), ("hearing", "--nonsense")])
def test_what_cannot_be_measured_is_one_sentence(typed: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *typed]) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 1


def test_no_other_command_runs_what_a_folder_calls_its_measurements(tmp_path: Path) -> None:
    """Somebody may begin a game in any folder; nothing in it is loaded for that."""
    for folder in (tmp_path / "models", tmp_path / "models" / "bench"):
        folder.mkdir()
        (folder / "__init__.py").write_text("raise SystemExit('loaded')")
    outside = (
        "import sys; from pathlib import Path; from voicechess import cli; from voicechess.commands import bench; "
    )
    outside += "bench.__file__ = str(Path.cwd() / 'a' / 'b' / 'c' / 'bench.py'); sys.exit(cli.main(sys.argv[1:]))"
    path = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run(*typed: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-c", outside, *typed]
        return subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True, check=False)

    assert run("say", "e4").returncode == 0
    assert run("bench", "speed").stderr == "loaded\n", "the test would see it"
