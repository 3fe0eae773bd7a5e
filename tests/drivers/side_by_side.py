"""Scheduling of tests on several cores: which ones share a worker, which begin first, and which files have a mark.

pytest-xdist has the same by marks (`--dist loadgroup`), but silently ignores them since pytest 9.2 (pytest-xdist 1386),
so that fixtures of a module would be made on every core.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

INSTALLING = "tests/installing"
WINDOWS = f"{INSTALLING}/test_windows.py"
LONGEST = (WINDOWS, INSTALLING, "tests/training/test_tiny.py")
"""Tests that take minutes, longest first, so that no core waits for them at the end."""

ROOT = Path(__file__).resolve().parents[2]


def files_marked(name: str) -> list[str]:
    """The test files whose text contains this mark; `tests/conftest.py` rejects a "sound" that is set in any other way.
    Collecting all files takes half a minute per worker."""
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    return [path.relative_to(ROOT).as_posix() for path in tests if f"mark.{name}" in path.read_text("utf-8")]


class WhatIsMadeOnce(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    """Runs all tests of a file on one worker, so that its fixtures are made once; likewise all of `tests/installing`,
    which share what is frozen and built, except those that need Wine."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", maxsplit=1)[0]
        if file != WINDOWS and str(PurePosixPath(file).parent) == INSTALLING:
            return INSTALLING
        return file

    def _assign_work_unit(self, node: WorkerController) -> None:
        for group in reversed(LONGEST):
            if group in self.workqueue:
                self.workqueue.move_to_end(group, last=False)
        super()._assign_work_unit(node)
