"""`python -m models.bench hearing`: as `voicechess bench hearing`, with failures as keys instead of sentences."""

from __future__ import annotations

import argparse
import importlib
import sys

from voicechess.commands.bench import MEASUREMENTS
from voicechess.messages import Failure


def main(arguments: list[str] | None = None) -> int:
    """Run one measurement; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.bench", description=__doc__)
    commands = parser.add_subparsers(dest="measurement", required=True)
    typed = sys.argv[1:] if arguments is None else arguments
    for name in MEASUREMENTS:
        one = commands.add_parser(name)
        if name in typed[:1]:
            importlib.import_module(f"models.bench.{name}").add_arguments(one)
    args = parser.parse_args(typed)
    try:
        return int(importlib.import_module(f"models.bench.{args.measurement}").run(args))
    except Failure as error:
        print(error.key, dict(error.slots), file=sys.stderr)  # `voicechess bench` says it in words
        return error.status


if __name__ == "__main__":
    sys.exit(main())
