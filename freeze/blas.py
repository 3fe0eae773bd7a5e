"""Compiles what stands in for OpenBLAS in the frozen folder for Windows: `python freeze/blas.py TARGET.dll`.

Needs Debian's gcc-mingw-w64-x86-64. blas.c says what it is.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().with_suffix(".c")


def blas(target: Path) -> None:
    """Compile it. Raises CalledProcessError where the compiler refuses it."""
    strict = ("-Wall", "-Wextra", "-Werror")
    made = ("-O2", "-s", "-shared", "-static-libgcc", "-o", str(target), str(SOURCE))
    subprocess.run(["x86_64-w64-mingw32-gcc", *strict, *made], check=True)


if __name__ == "__main__":
    blas(Path(sys.argv[1]))
