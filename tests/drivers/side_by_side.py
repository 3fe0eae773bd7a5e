"""Which tests run one after another where the others run beside them, and which begin first.

pytest-xdist has the same by marks (`--dist loadgroup`), which it passes over without a word since pytest 9.2: each test
ran wherever there was room, and what a file makes for its tests was made on every core (pytest-xdist 1386).
"""

from __future__ import annotations

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

INSTALLING = "tests/installing"
WINDOWS = f"{INSTALLING}/test_windows.py"
LONGEST = (WINDOWS, INSTALLING, "tests/training/test_tiny.py")
"""What takes minutes, the longest first: no core waits for it at the end."""


class WhatIsMadeOnce(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    """What a file makes for its tests is made once, and so is what is frozen and built for `tests/installing`: each
    runs on one core. What needs Wine has its own things there."""

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
