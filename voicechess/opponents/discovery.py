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
    """An engine that can be started: its name as it is said, and the command with its arguments."""

    name: str
    command: tuple[str, ...]
    plays_chess960: bool = True


def sunfish() -> EngineSpec | None:
    """The engine that is installed with this program, or None where it has been removed.

    Started as a module of this very interpreter, so that it is found in any virtual environment; -P keeps Python from
    importing files that happen to lie in the current folder.
    """
    if find_spec("sunfish") is None:
        return None
    return EngineSpec("Sunfish", (sys.executable, "-P", "-m", "sunfish"), plays_chess960=False)


def stockfish() -> EngineSpec | None:
    """Stockfish, when it is on the PATH or where systems put games; None otherwise."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_ELSEWHERE])
    found = shutil.which("stockfish", path=path)
    return None if found is None else EngineSpec("Stockfish", (found,))


def engines() -> tuple[EngineSpec, ...]:
    """All engines found, strongest first."""
    return tuple(engine for engine in (stockfish(), sunfish()) if engine is not None)


def choose(level: int, chess960: bool = False) -> EngineSpec | None:
    """The engine for a game: Stockfish for Chess960 and for the levels 8 to 10, else Sunfish; what is there otherwise.

    Sunfish is preferred below because its weaker levels are weak by looking less far ahead, which feels less
    arbitrary than a strong engine made to err.
    """
    strong, simple = stockfish(), sunfish()
    if chess960 or level >= 8:
        return strong or simple
    return simple or strong
