"""`voicechess bench model|hearing|speed`: measurements that anyone can make again."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable

from voicechess.app.context import Context

MEASUREMENTS = ("model", "hearing", "speed", "tuning")
"""Modules of `voicechess.bench` with `add_arguments(parser)` and `run(args) -> int`."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The measurements as commands of their own."""
    commands = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help=sentence("what"))
    for name in MEASUREMENTS:
        module = importlib.import_module(f"voicechess.bench.{name}")
        module.add_arguments(commands.add_parser(name))


def run(args: argparse.Namespace, _context: Context) -> int:
    """Measure."""
    return int(importlib.import_module(f"voicechess.bench.{args.what}").run(args))
