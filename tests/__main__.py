"""One command for everything a change must pass: formatting, linting, strict types, tests.

`python -m tests` runs it all; arguments go to pytest. The same command runs in CI.

The tests marked "sound" play by ear and mostly wait, for as long as speech takes; so they run beside everything else,
and then those of training and measuring, by which both ways take equally long.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

STEPS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
)
LATER = ("tests/training", "tests/bench")
BY_EAR = ("pytest", "-m", "sound", "-p", "no:cacheprovider")
AFTER_IT = ("pytest", *LATER, "-m", "not sound", "-p", "no:cacheprovider")
THE_REST = ("-m", "not sound", *(f"--ignore={folder}" for folder in LATER))


def _module(*step: str) -> list[str]:
    return [sys.executable, "-m", *step]


def _succeeds(*step: str) -> bool:
    print("==", " ".join(step), flush=True)
    return subprocess.run(_module(*step), check=False).returncode == 0


def _checks(tests: Sequence[str]) -> list[str]:
    """Run every step and then these tests; which failed."""
    steps = (*STEPS, ("pytest", *tests))
    return [" ".join(step) for step in steps if not _succeeds(*step)]


def _beside(told: BinaryIO) -> list[str]:
    """Run the tests by ear and those after it, which print to `told`; which failed."""
    steps = (BY_EAR, AFTER_IT)
    done = [subprocess.run(_module(*step), stdout=told, stderr=subprocess.STDOUT, check=False) for step in steps]
    return [" ".join(step) for step, one in zip(steps, done, strict=True) if one.returncode]


def _everything(told: BinaryIO) -> list[str]:
    """Every step and every test; `told` is where the tests by ear, and those after it, print meanwhile. What failed."""
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(_beside, told)
        failed = [*_checks(THE_REST), *beside.result()]
    print("==", " ".join(BY_EAR), "and", " ".join(AFTER_IT), flush=True)
    told.seek(0)
    sys.stdout.buffer.write(told.read())
    return failed


def main() -> int:
    """Run every step and say which failed; 0 only when all passed."""
    arguments = sys.argv[1:]
    with tempfile.TemporaryFile() as told:
        failed = _checks(arguments) if arguments else _everything(told)
    if failed:
        print("failed:", ", ".join(failed), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
