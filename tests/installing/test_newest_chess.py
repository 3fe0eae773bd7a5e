"""The program is right with the newest python-chess too. Sunfish wants 1.9.4, in its metadata only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installing.conftest import ROOT, uv

pytestmark = pytest.mark.index

WHAT_CHESS_IS_IN = (
    "tests/laws",
    "tests/moves",
    "tests/score",
    "tests/game/test_dialogues.py",
    "tests/practice/test_dialogues.py",
    "tests/opponents/test_levels.py",
)
SHOW = "import chess; print(*chess.__version__.split('.'), chess.__file__)"


@pytest.fixture(scope="module")
def newest(package_index: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Python, and every child of it, finds the newest python-chess first."""
    folder = tmp_path_factory.mktemp("chess")
    done = uv("pip", "install", "--python", sys.executable, "--no-deps", "--target", folder, "chess>=1.11,<2")
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    shown = subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True)
    major, minor, *_, place = shown.stdout.split()
    assert (int(major), int(minor)) >= (1, 11)
    assert Path(place).is_relative_to(folder)
    return environment


def test_laws_score_moves_and_dialogues_are_the_same(newest: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *WHAT_CHESS_IS_IN]
    done = subprocess.run(command, cwd=ROOT, env=newest, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout[-8000:]


def test_the_opponent_plays_with_it(newest: dict[str, str]) -> None:
    command = [sys.executable, "-m", "voicechess", "play", "--white", "--input", "keyboard", "--output", "text"]
    typed = "Eva vier\nStellung\nEnde\n"
    done = subprocess.run(
        command, cwd=ROOT, env=newest, input=typed, capture_output=True, encoding="utf-8", check=False
    )
    assert "Bauer Eva zwei Eva vier." in done.stdout.splitlines()
    assert [line for line in done.stdout.splitlines() if line.startswith("Schwarz: ")]
