"""Which engines this machine has."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec

# Debian installs games where an ordinary PATH may not look; the others are where people's installers put Stockfish.
_ELSEWHERE = ("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin")


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An installed engine: its spoken name, and its command line."""

    name: str
    command: tuple[str, ...]
    plays_chess960: bool = True


def sunfish() -> EngineSpec | None:
    """The engine installed with this program; None if it has been removed.

    Started as a module of this interpreter, so that it is found in any virtual environment; -P keeps Python from
    importing files in the current folder.
    """
    if find_spec("sunfish") is None:
        return None
    return EngineSpec("Sunfish", (sys.executable, "-P", "-m", "sunfish"), plays_chess960=False)


def stockfish() -> EngineSpec | None:
    """Stockfish, if it is on the PATH or in a system's folder for games; None otherwise."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_ELSEWHERE])
    found = shutil.which("stockfish", path=path)
    return None if found is None else EngineSpec("Stockfish", (found,))


def engines() -> tuple[EngineSpec, ...]:
    """All engines found, strongest first."""
    return tuple(engine for engine in (stockfish(), sunfish()) if engine is not None)


def choose(level: int, chess960: bool = False) -> EngineSpec | None:
    """The engine for a game: Stockfish for Chess960 and the levels 8 to 10, otherwise Sunfish; whichever is installed.

    Sunfish is preferred for lower levels because it is weakened by a smaller search depth, which feels less arbitrary
    than a strong engine made to blunder.
    """
    strong, simple = stockfish(), sunfish()
    if chess960 or level >= 8:
        return strong or simple
    return simple or strong
