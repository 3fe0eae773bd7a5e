"""One command for everything a change must pass: formatting, linting, strict types, tests.

`python -m tests` runs it all; arguments go to pytest. The same command runs in CI.

Each core runs tests, a file of them at a time (`tests/drivers/side_by_side.py`). Those marked "sound" play by ear, for
as long as speech takes; they run by themselves after everything else, two at a time, since one takes 0.4 of a core.
Beside tests that take a whole core the virtual cables stutter as no sound card does: seen to lose words. Types are
checked on the side, since mypy takes one core only, and said at the end.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.drivers.side_by_side import files_marked

STEPS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
)
TYPES = ("mypy",)
SLOWEST = ("--durations", "10")
LONGEST_BY_EAR = ("tests/installing/test_windows_by_ear.py", "tests/by_ear/test_whole_game.py")
"""What takes minutes begins first, or one core would wait for it at the end."""

BY_EAR = (
    "-m",
    "sound",
    "-p",
    "no:cacheprovider",
    "-n",
    "2",
    "--maxschedchunk",
    "1",
    "--max-worker-restart",
    "0",
    *SLOWEST,
    *sorted(files_marked("sound"), key=lambda file: file not in LONGEST_BY_EAR),  # collecting all takes half a minute
)
THE_REST = ("-m", "not sound", "-n", "auto", "--dist", "loadfile", "--max-worker-restart", "0", *SLOWEST)


def _module(*step: str) -> list[str]:
    return [sys.executable, "-m", *step]


def _succeeds(*step: str) -> bool:
    print("==", " ".join(step), flush=True)
    return subprocess.run(_module(*step), check=False).returncode == 0


def _checks(*runs: Sequence[str]) -> list[str]:
    """Every step, and pytest with each of these arguments while types are checked; which failed."""
    failed: list[Sequence[str]] = [step for step in STEPS if not _succeeds(*step)]
    with subprocess.Popen(_module(*TYPES), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as types:
        failed += [("pytest", *tests) for tests in runs if not _succeeds("pytest", *tests)]
        print("==", " ".join(TYPES), types.communicate()[0], sep="\n", flush=True)
    if types.returncode:
        failed.append(TYPES)
    return [" ".join(step) for step in failed]


def main() -> int:
    """Run every step and say which failed; 0 only when all passed."""
    arguments = sys.argv[1:]
    failed = _checks(arguments) if arguments else _checks(THE_REST, BY_EAR)
    if failed:
        print("failed:", ", ".join(failed), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
