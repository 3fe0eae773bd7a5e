"""`voicechess play`: a game at once, with everything agreed on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from voicechess.commands.context import Context, position
from voicechess.commands.furnishing import add_devices, furnishing
from voicechess.failure import Failure
from voicechess.game.messages import Text
from voicechess.game.settings import GameSettings, Player, Preset
from voicechess.game.timecontrol import TimeError, parse_time
from voicechess.house import House
from voicechess.playing import new_session, play_new, tell_notices, welcome

EDITIONS = (2023, 2009, 1985)


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The command's arguments."""
    sides = parser.add_mutually_exclusive_group()
    for side in ("white", "black", "both"):
        sides.add_argument(f"--{side}", dest="side", action="store_const", const=side, help=sentence(side))
    parser.add_argument("--opponent", choices=("engine", "person"), help=sentence("opponent"))
    parser.add_argument("--level", type=int, metavar="1..10", help=sentence("level"))
    parser.add_argument("--time", default="", metavar="5+3", help=sentence("time"))
    parser.add_argument("--laws", type=int, choices=EDITIONS, default=2023, help=sentence("laws"))
    parser.add_argument(
        "--preset", choices=tuple(one.value for one in Preset), default="casual", help=sentence("preset")
    )
    parser.add_argument("--fen", help=sentence("fen"))
    parser.add_argument("--960", dest="chess960", type=int, metavar="N", help=sentence("chess960"))
    add_devices(parser, sentence)


def game_settings(args: argparse.Namespace) -> GameSettings:
    """What was asked for. Raises `Failure` for what cannot be played."""
    if args.level is not None and not 1 <= args.level <= 10:
        raise Failure("cli.bad_number", {"option": Text("--level"), "low": 1, "high": 10})
    if args.chess960 is not None and not 0 <= args.chess960 <= 959:
        raise Failure("cli.bad_number", {"option": Text("--960"), "low": 0, "high": 959})
    try:
        parse_time(args.time)
    except TimeError as error:
        raise Failure(error.key, error.slots) from error
    both = args.side == "both" or args.opponent == "person"
    board = position(args.fen, args.chess960)
    settings = GameSettings(
        white=Player.VOICE if both or args.side != "black" else Player.ENGINE,
        black=Player.VOICE if both or args.side == "black" else Player.ENGINE,
        level=args.level or GameSettings().level,
        time=args.time,
        laws=args.laws,
        preset=Preset(args.preset),
        chess960=args.chess960,
    )
    if args.fen:
        from dataclasses import replace

        settings = replace(settings, fen=board.fen())
    new_session(settings)
    return settings


def run(args: argparse.Namespace, context: Context) -> int:
    """Play. The exit status is the loop's."""
    context = Context.create(context.language, args.style)
    settings = game_settings(args)
    with House(context, furnishing(args, context)) as house:
        tell_notices(house)
        play_new(house, settings)
        while house.loop.exit_code is None:
            welcome(house)
            break
        return house.loop.exit_code or 0
