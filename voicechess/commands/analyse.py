"""`voicechess analyse`: analyse a game of a PGN file, the last game played here, or a position set up first."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from voicechess.app.analysis_file import AnalysisFile
from voicechess.app.context import Context
from voicechess.app.playing import welcome
from voicechess.app.practising import ANALYSIS, SET_UP, PracticeWish, practise
from voicechess.app.wiring import Program
from voicechess.commands.options import add_board, add_devices, wanted_devices
from voicechess.messages import Failure, Text


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE.pgn", help=sentence("file"))
    parser.add_argument("--build", action="store_true", help=sentence("build"))
    parser.add_argument("--game", type=int, metavar="N", help=sentence("game"))
    add_devices(parser, sentence)
    add_board(parser, sentence)


def run(args: argparse.Namespace, context: Context) -> int:
    """Run the analysis. Raises `Failure` for an unusable file and a game number out of range."""
    if args.build and (args.file is not None or args.game is not None):
        other = "--game" if args.file is None else str(args.file)
        raise Failure("cli.not_both", {"option": Text("--build"), "other": Text(other)})
    file = None if args.file is None else AnalysisFile.at(args.file)
    if args.game is not None and not (file.games.has(args.game) if file is not None else args.game == 1):
        high = 1 if file is None else len(file.games)
        raise Failure("cli.bad_number", {"option": Text("--game"), "low": 1, "high": high})
    if file is not None and (args.game is not None or not file.games.has(2)):
        file.games.score(args.game or 1)  # raises if it is invalid; without a number, one of several is chosen later
    wish = PracticeWish(SET_UP) if args.build else PracticeWish(ANALYSIS, analysis=file, game=args.game)
    context = context.with_options(args)
    with Program(context, wanted_devices(args, context)) as program:
        practise(program, wish)
        if program.loop.exit_code is None and program.to_play is not None:
            welcome(program, greeted=True)
        return program.loop.exit_code or 0
