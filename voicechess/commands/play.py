"""`voicechess play`: a game at once, with everything agreed on the command line.

`voicechess` alone: the conversation before a game, then the game.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from dataclasses import replace

import chess

from voicechess.app.context import Context, position
from voicechess.app.playing import play_new, welcome
from voicechess.app.wiring import House, tell_notices
from voicechess.commands.options import add_devices, furnishing
from voicechess.game.agreement import GameSettings, Player, Preset
from voicechess.game.session import Session
from voicechess.laws.chess960 import by_hand, by_lot, by_number, number_of
from voicechess.laws.editions import DEFAULT_EDITION, EDITIONS
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Failure, Text

# --- `voicechess play`: a game at once, with everything agreed on the command line ---

_LONGEST_NAME = 100
_MOST_MINUTES = 24 * 60
# K D T L S and K Q R B N; only "B" is in both, and there is no pawn on the back rank.
_LETTERS = {"K": chess.KING} | {
    letter: kind
    for letters, kind in (("DQ", chess.QUEEN), ("TR", chess.ROOK), ("LB", chess.BISHOP), ("SN", chess.KNIGHT))
    for letter in letters
}


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The command's arguments."""
    sides = parser.add_mutually_exclusive_group()
    for side in ("white", "black", "both"):
        sides.add_argument(f"--{side}", dest="side", action="store_const", const=side, help=sentence(side))
    parser.add_argument("--opponent", choices=("engine", "person"), help=sentence("opponent"))
    parser.add_argument("--level", type=int, metavar="1..10", help=sentence("level"))
    parser.add_argument("--time", default="", metavar="5+3", help=sentence("time"))
    parser.add_argument("--laws", type=int, choices=tuple(EDITIONS), default=DEFAULT_EDITION, help=sentence("laws"))
    parser.add_argument(
        "--preset", choices=tuple(one.value for one in Preset), default="casual", help=sentence("preset")
    )
    parser.add_argument("--fen", help=sentence("fen"))
    parser.add_argument("--960", dest="chess960", metavar="N|random|RNBQKBNR", help=sentence("chess960"))
    parser.add_argument("--default-time", type=int, metavar="MINUTES", help=sentence("default_time"))
    parser.add_argument("--touch-move", action="store_true", help=sentence("touch_move"))
    parser.add_argument("--penalties", action="store_true", help=sentence("penalties"))
    for side in ("white", "black"):
        parser.add_argument(f"--{side}-name", default="", metavar="NAME", help=sentence(f"{side}_name"))
    add_devices(parser, sentence)


def game_settings(args: argparse.Namespace) -> GameSettings:
    """What was asked for. Raises `Failure` for what cannot be played."""
    if args.level is not None and not 1 <= args.level <= 10:
        raise Failure("cli.bad_number", {"option": Text("--level"), "low": 1, "high": 10})
    if args.default_time is not None and not 0 <= args.default_time <= _MOST_MINUTES:
        raise Failure("cli.bad_number", {"option": Text("--default-time"), "low": 0, "high": _MOST_MINUTES})
    chess960 = _chess960(args.chess960)
    parse_time(args.time)
    both = args.side == "both" or args.opponent == "person"
    board = position(args.fen, chess960)
    settings = GameSettings(
        white=Player.VOICE if both or args.side != "black" else Player.ENGINE,
        black=Player.VOICE if both or args.side == "black" else Player.ENGINE,
        level=args.level or GameSettings().level,
        time=args.time,
        laws=args.laws,
        preset=Preset(args.preset),
        chess960=chess960,
        default_minutes=args.default_time,
        touch_move=args.touch_move,
        penalties=args.penalties,
        white_name=args.white_name[:_LONGEST_NAME],
        black_name=args.black_name[:_LONGEST_NAME],
    )
    if args.fen:
        settings = replace(settings, fen=board.fen())
    Session(settings)  # raises what stands in the way of a game
    return settings


def _chess960(given: str | None) -> int | None:
    """The starting position: its number, "random", or the back rank by hand in English or German letters."""
    if given is None:
        return None
    if given == "random":
        return by_lot(secrets.randbits(64))
    try:
        if given.lstrip("-").isdecimal():
            return number_of(by_number(int(given)))
        return number_of(by_hand([_LETTERS.get(letter, chess.PAWN) for letter in given.upper()[:_LONGEST_NAME]]))
    except Failure as error:
        if error.key.endswith(".number"):
            raise Failure("cli.bad_number", {"option": Text("--960"), "low": 0, "high": 959}) from error
        raise


def run(args: argparse.Namespace, context: Context) -> int:
    """Play. The exit status is the loop's."""
    context = Context.create(context.language, args.style)
    settings = game_settings(args)
    with House(context, furnishing(args, context)) as house:
        tell_notices(house)
        play_new(house, settings)
        if house.loop.exit_code is None:
            welcome(house, rematch=settings)
        return house.loop.exit_code or 0


# --- `voicechess` alone: the conversation before a game, then the game ---


def run_welcome(_args: argparse.Namespace, context: Context) -> int:
    """Greet, agree, play."""
    with House(context, furnishing(None, context)) as house:
        tell_notices(house)
        welcome(house)
        return house.loop.exit_code or 0
