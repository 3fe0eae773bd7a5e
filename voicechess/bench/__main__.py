"""Measuring without the rest of the program: `python -m voicechess.bench model|speed|hearing`."""

from __future__ import annotations

import argparse
import sys

from voicechess.bench import model
from voicechess.failure import Failure

MEASUREMENTS = {"model": model}


def main(arguments: list[str] | None = None) -> int:
    """Runs one measurement; its status."""
    parser = argparse.ArgumentParser(prog="python -m voicechess.bench", description=__doc__)
    commands = parser.add_subparsers(dest="measurement", required=True)
    for name, module in MEASUREMENTS.items():
        module.add_arguments(commands.add_parser(name, description=module.__doc__))
    args = parser.parse_args(arguments)
    try:
        status: int = MEASUREMENTS[args.measurement].run(args)
        return status
    except Failure as error:
        print(error.key, dict(error.slots), file=sys.stderr)  # `voicechess bench` says it in words
        return error.status


if __name__ == "__main__":
    sys.exit(main())
