"""Scheduling of tests on several cores: which ones share a worker, and which begin first.

pytest-xdist has the same by marks (`--dist loadgroup`), but silently ignores them since pytest 9.2 (pytest-xdist 1386),
so that fixtures of a module would be made on every core.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

INSTALLING = "tests/installing"
WINDOWS = f"{INSTALLING}/test_windows.py"
LONGEST = (WINDOWS, INSTALLING, "tests/training/test_tiny.py")
"""Tests that take minutes, longest first, so that no core waits for them at the end."""


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
