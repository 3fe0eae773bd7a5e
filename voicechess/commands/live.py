"""`voicechess live`: follow a broadcast or a game in progress at lichess.org by voice or keyboard."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from voicechess.app.context import Context
from voicechess.app.practising import LIVE, PracticeWish, practise
from voicechess.app.wiring import Program
from voicechess.commands.options import add_board, add_devices, wanted_devices
from voicechess.messages import Failure, Text
from voicechess.opponents.lichess.live_games import address_of
from voicechess.opponents.lichess.login import LICHESS, server_address


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("game", nargs="?", default="", metavar="GAME", help=sentence("game"))
    parser.add_argument("--server", default=LICHESS, metavar="URL", help=sentence("server"))
    add_devices(parser, sentence)
    add_board(parser, sentence)


def run(args: argparse.Namespace, context: Context) -> int:
    """Follow the game until its end. Raises `Failure` if `args.game` is no address or id of a game."""
    address = address_of(args.game) if args.game else ""
    if address is None:
        raise Failure("cli.live.no_game", {"game": Text(args.game[:200])})
    wish = PracticeWish(LIVE, server=server_address(args.server), address=address)
    context = context.with_options(args)
    with Program(context, wanted_devices(args, context)) as program:
        practise(program, wish)
        return program.loop.exit_code or 0
