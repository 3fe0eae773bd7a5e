"""`voicechess live`: a broadcast or a running game at lichess.org followed by voice or keyboard, while it is played."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from voicechess.app.context import Context
from voicechess.app.practising import LIVE, PracticeWish, practise
from voicechess.app.wiring import Program
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.messages import Failure, Text
from voicechess.opponents.lichess.live_games import address_of
from voicechess.opponents.lichess.login import LICHESS, server_address


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The command's arguments."""
    parser.add_argument("game", nargs="?", default="", metavar="GAME", help=sentence("game"))
    parser.add_argument("--server", default=LICHESS, metavar="URL", help=sentence("server"))
    add_devices(parser, sentence)


def run(args: argparse.Namespace, context: Context) -> int:
    """Follow it until the end. Raises `Failure` for what is no game."""
    address = address_of(args.game) if args.game else ""
    if address is None:
        raise Failure("cli.live.no_game", {"game": Text(args.game[:200])})
    wish = PracticeWish(LIVE, server=server_address(args.server), address=address)
    context = context.with_options(args)
    with Program(context, wanted_devices(args, context)) as program:
        practise(program, wish)
        return program.loop.exit_code or 0
