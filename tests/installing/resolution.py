"""What each system would install: `python -m tests.installing.resolution` says it for every one and every Python.

Only wheels count, so that nobody needs a compiler. srt, which vosk needs, has none anywhere: it is plain Python.
"""

from __future__ import annotations

import sys

from tests.installing.conftest import ROOT, uv

SYSTEMS = {
    "Windows x64": "x86_64-pc-windows-msvc",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS x64": "x86_64-apple-darwin",
    "Linux x64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
WITHOUT_WHEELS = ("srt",)


EXTRAS = ("online", "board")


def resolved(system: str, python: str, extras: tuple[str, ...] = EXTRAS) -> dict[str, str]:
    """The version of each distribution that is installed there. Raises RuntimeError with uv's words where none fits.

    The screen reader's wheels for Linux want a newer C library than all others.
    """
    platform = SYSTEMS[system].replace("2_28", "2_34") if "reader" in extras else SYSTEMS[system]
    done = uv(
        *("pip", "compile", "--quiet", "--no-header", "--no-annotate"),
        *(part for extra in extras for part in ("--extra", extra)),
        *("--python-platform", platform, "--python-version", python, "--only-binary", ":all:"),
        *(part for name in WITHOUT_WHEELS for part in ("--no-binary", name)),
        ROOT / "pyproject.toml",
    )
    if done.returncode:
        raise RuntimeError(f"{system}, Python {python}: {done.stderr.strip()}")
    return dict(line.split("==") for line in done.stdout.split())


def main() -> int:
    """A line for each; 1 where one cannot be installed."""
    status = 0
    for system in SYSTEMS:
        for python in PYTHONS:
            try:
                told = " ".join(f"{name} {version}" for name, version in resolved(system, python).items())
            except RuntimeError as error:
                told, status = str(error), 1
            print(f"{system}, Python {python}: {told}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
