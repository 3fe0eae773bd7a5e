"""What a file makes for its tests is made once, however many cores there are, and what takes longest begins first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drivers.side_by_side import files_marked

ROOT = Path(__file__).resolve().parents[1]
LONG = "tests/training/test_tiny.py"
INSTALLING = ("tests/installing/test_one.py", "tests/installing/test_two.py")
FILES = ("tests/test_first.py", "tests/test_second.py", LONG, *INSTALLING)

HOOK = "from tests.conftest import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler\n"
TESTS = """
import os, pytest
@pytest.mark.parametrize("number", range(6))
def test(number):
    with open({ran!r}, "a") as file:
        print({name!r}, os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


def test_one_core_makes_what_a_file_needs_and_the_longest_begin(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    (tmp_path / "conftest.py").write_text(HOOK)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TESTS.format(ran=str(ran), name=name))
    asked = ("-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *asked],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    begun = [tuple(line.split()) for line in ran.read_text().splitlines()]
    on = {name: {core for file, core in begun if file == name} for name in FILES}
    assert all(len(cores) == 1 for cores in on.values()), on
    assert on[INSTALLING[0]] == on[INSTALLING[1]] != on[LONG]
    assert {next(file for file, its in begun if its == core) for core in ("gw0", "gw1")} == {INSTALLING[0], LONG}


MARKED = """
import pytest
@{mark}
def test_by_ear():
    pytest.skip("not here")
"""


@pytest.mark.parametrize(("mark", "status"), [("pytest.mark.sound", 0), ("getattr(pytest.mark, 'sound')", 4)])
def test_a_test_by_ear_says_so_in_its_file(tmp_path: Path, mark: str, status: int) -> None:
    """It would not be found otherwise: only such files are collected for tests by ear."""
    (tmp_path / "test_one.py").write_text(MARKED.format(mark=mark))
    asked = ("-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *asked, str(tmp_path)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "CI"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert ("is marked by something else" in done.stdout + done.stderr) == bool(status)
    assert "tests/by_ear/test_whole_game.py" in files_marked("sound")
