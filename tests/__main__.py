"""One command for everything a change must pass: formatting, linting, strict types, tests.

`python -m tests` runs it all; arguments go to pytest. The same command runs in CI.
"""

from __future__ import annotations

import subprocess
import sys

STEPS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
)


def main() -> int:
    """Run every step and say which failed; 0 only when all passed."""
    failed = []
    for step in STEPS:
        print("==", " ".join(step), flush=True)
        if subprocess.run([sys.executable, "-m", *step], check=False).returncode:
            failed.append(step[0])
    print("== pytest", flush=True)
    if subprocess.run([sys.executable, "-m", "pytest", *sys.argv[1:]], check=False).returncode:
        failed.append("pytest")
    if failed:
        print("failed:", ", ".join(failed), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
