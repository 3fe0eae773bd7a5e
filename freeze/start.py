"""Where the frozen program begins: `voicechess`, and the Python that `voicechess` starts children with.

A frozen program has no Python beside it: `sys.executable` is the program itself. The voice, the opponent and the trials
of libraries are children of their own, begun as `sys.executable -P …`. So the frozen program takes a command line that
begins with -P as Python takes it; no command of voicechess begins so.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

GAMES_BESIDE = "voicechess-data"
"""A folder of this name beside the program keeps everything: settings, games, models. So it runs from a stick."""


def interpret(arguments: list[str]) -> None:
    """What `python -P` does with `-c CODE …`, `-m MODULE …` or `FILE …`. The folder we are in is no place to import."""
    kind, *rest = arguments
    if kind == "-c":
        code, *rest = rest
        sys.argv = ["-c", *rest]
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    elif kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(kind, run_name="__main__")


def data_beside(program: Path) -> None:
    """Everything is kept in the folder beside the program where there is one, unless VOICECHESS_HOME names another."""
    folder = program.resolve().parent / GAMES_BESIDE
    if folder.is_dir():
        os.environ.setdefault("VOICECHESS_HOME", str(folder))


def environment_as_it_was() -> None:
    """What the program starts itself, Stockfish for one, finds the libraries of its system and not those in here.

    The bootloader has put the program's folder before them (LD_LIBRARY_PATH) and kept the old value.
    """
    for name in ("LD_LIBRARY_PATH", "LIBPATH"):
        old = os.environ.pop(f"{name}_ORIG", None)
        if old is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = old
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"  # a child of our own begins anew, with the folder


def main() -> int:
    """The program's exit status."""
    environment_as_it_was()
    if sys.argv[1:2] == ["-P"] and len(sys.argv) > 2:
        interpret(sys.argv[2:])
        return 0
    data_beside(Path(sys.executable))
    from voicechess.__main__ import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
