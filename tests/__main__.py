"""One command for everything a change must pass: formatting, linting, strict types, tests.

`python -m tests` runs it all; arguments go to pytest. The same command runs in CI.

The tests marked "sound" play by ear and mostly wait, for as long as speech takes; so they run beside everything else,
and after them those marked "wine", which take about as long as is left then.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import BinaryIO

STEPS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
)
BESIDE = ("-m", "sound or wine", "-p", "no:cacheprovider")
THE_REST = ("-m", "not sound and not wine")


def _module(*step: str) -> list[str]:
    return [sys.executable, "-m", *step]


def _succeeds(*step: str) -> bool:
    print("==", " ".join(step), flush=True)
    return subprocess.run(_module(*step), check=False).returncode == 0


def _checks(tests: Sequence[str]) -> list[str]:
    """Run every step and then these tests; which failed."""
    steps = (*STEPS, ("pytest", *tests))
    return [" ".join(step) for step in steps if not _succeeds(*step)]


def _everything(told: BinaryIO) -> list[str]:
    """Every step and every test; `told` is where those beside print meanwhile. What failed."""
    besides = ("pytest", *BESIDE)
    beside = subprocess.Popen(_module(*besides), stdout=told, stderr=subprocess.STDOUT)
    try:
        failed = _checks(THE_REST)
        status = beside.wait()
    finally:
        beside.kill()
    print("==", " ".join(besides), flush=True)
    told.seek(0)
    sys.stdout.buffer.write(told.read())
    return [*failed, " ".join(besides)] if status else failed


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
