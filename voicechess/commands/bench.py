"""`voicechess bench model|hearing|wordings|speed|tuning|echo|room`: measurements, in a checkout of the repository.

They are not installed with the program, since they need recordings that are not installed either.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context
from voicechess.messages import Failure

MEASUREMENTS = ("model", "hearing", "wordings", "speed", "tuning", "echo", "room")
"""Modules of `models.bench` with `add_arguments(parser)` and `run(args) -> int`."""


def repository() -> Path | None:
    """The checkout that the program is run from, or the one that contains the current folder; None if there is none."""
    here = Path.cwd()
    folders = (Path(__file__).resolve().parents[2], here, *here.parents)
    return next((folder for folder in folders if (folder / "models" / "bench" / "__init__.py").is_file()), None)


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Take the remaining arguments unparsed, since only `run` imports the measurements."""
    parser.add_argument("what", nargs=argparse.REMAINDER, metavar="WHAT", help=sentence("what"))
    parser.set_defaults(parser_class=type(parser))


def run(args: argparse.Namespace, _context: Context) -> int:
    """Run a measurement. Raises `Failure` ("bench.no_repository") outside a checkout."""
    folder = repository()
    if folder is None:
        raise Failure("bench.no_repository")
    sys.path.insert(0, str(folder))
    parser = args.parser_class(prog="voicechess bench")
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    for name in MEASUREMENTS:
        one = commands.add_parser(name)
        if name in args.what[:1]:  # slow to import
            importlib.import_module(f"models.bench.{name}").add_arguments(one)
    chosen = parser.parse_args(args.what)
    return int(importlib.import_module(f"models.bench.{chosen.what}").run(chosen))
