"""`voicechess play`, with the terms on the command line, and `voicechess` alone.

`voicechess play` begins a game or a simultaneous display at once; `voicechess` alone begins with the welcome, which
agrees on a game.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import chess

from voicechess.app.context import Context, position
from voicechess.app.kinds import session_of
from voicechess.app.online import OnlineRoom
from voicechess.app.playing import new_key, play_display, play_new, welcome
from voicechess.app.wiring import Program, cannot_play, tell_notices
from voicechess.commands.options import add_board, add_devices, add_setting, wanted_devices
from voicechess.display.boards import FEWEST_BOARDS, MOST_BOARDS, agreed
from voicechess.game.agreement import GameSettings, Player
from voicechess.laws.chess960 import CLASSICAL, by_hand, by_lot, by_number, number_of
from voicechess.messages import Failure, Phrase, Text
from voicechess.opponents.levels import HIGHEST, LOWEST
from voicechess.storage.settings import Preferences

# --- `voicechess play` ------------------------------------------------------------------------------------------------

_LONGEST_NAME = 100
# K D T L S and K Q R B N. "B" is the bishop, since there is no pawn (German "Bauer") on the back rank.
_LETTERS = {"K": chess.KING} | {
    letter: kind
    for letters, kind in (("DQ", chess.QUEEN), ("TR", chess.ROOK), ("LB", chess.BISHOP), ("SN", chess.KNIGHT))
    for letter in letters
}


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    sides = parser.add_mutually_exclusive_group()
    for side in ("white", "black", "both"):
        sides.add_argument(f"--{side}", dest="side", action="store_const", const=side, help=sentence(side))
    add_setting(parser, sentence, "opponent")
    parser.add_argument("--level", type=_numbers, metavar="1..10", help=sentence("level"))
    for name, metavar in (("time", "5+3"), ("laws", None), ("preset", None)):
        add_setting(parser, sentence, name, metavar)
    parser.add_argument("--simul", type=int, metavar="N", help=sentence("simul"))
    parser.add_argument("--alternate", action="store_true", help=sentence("alternate"))
    parser.add_argument("--people", type=_numbers, metavar="N,N", help=sentence("people"))
    parser.add_argument("--fen", help=sentence("fen"))
    parser.add_argument("--960", dest="chess960", metavar="N|random|RNBQKBNR", help=sentence("chess960"))
    for name, metavar in (("default_time", "MINUTES"), ("touch_move", None), ("penalties", None)):
        add_setting(parser, sentence, name, metavar)
    for side in ("white", "black"):
        parser.add_argument(f"--{side}-name", default="", metavar="NAME", help=sentence(f"{side}_name"))
    add_devices(parser, sentence)
    add_board(parser, sentence)


def _numbers(text: str) -> tuple[int, ...]:
    """Parse integers separated by commas, at most one more than there can be boards. Raises ValueError."""
    return tuple(int(part) for part in text.split(",")[: MOST_BOARDS + 1])


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The options by the names of the settings that they override. Of several levels that of the first board."""
    level = args.level[0] if args.level else None
    given = vars(args) | {"colour": args.side if args.side != "both" else None, "level": level}
    if args.side == "both":
        given["opponent"] = "person"
    elif args.opponent is None and (args.side is not None or args.level is not None):
        given["opponent"] = "engine"  # a colour or a level implies a game against the engine
    return given


def game_settings(args: argparse.Namespace, preferences: Preferences) -> tuple[GameSettings, tuple[Phrase, ...]]:
    """The terms of the game, and a sentence for each impossible part dropped from a given position.

    `preferences`: the settings with the options applied. Raises `Failure` for terms that cannot be played.
    """
    chess960 = _chess960(args.chess960)
    if args.fen and args.chess960 is not None:
        raise Failure("cli.not_both", {"option": Text("--fen"), "other": Text("--960")})
    board, dropped = position(args.fen)
    number = board.chess960_pos() if board.chess960 else None  # a starting position is announced by its number
    if board.chess960:
        chess960 = CLASSICAL if number is None else number
    settings = replace(
        preferences.terms(lambda: secrets.randbits(1) == 1),
        chess960=chess960,
        white_name=args.white_name[:_LONGEST_NAME],
        black_name=args.black_name[:_LONGEST_NAME],
    )
    if args.fen and number is None:
        settings = replace(settings, fen=board.fen())
    session_of(settings)  # raises if the terms cannot be played
    return settings, dropped


def display(args: argparse.Namespace, settings: GameSettings) -> tuple[GameSettings, ...]:
    """The terms of each board of the requested display, () if none was requested; `settings`: the terms they share.

    Raises `Failure` for a number of boards or levels, or a board number, out of range.
    """
    levels = args.level or (settings.level,)
    if args.simul is None:
        several = {"--level": len(levels) > 1, "--alternate": args.alternate, "--people": args.people is not None}
        for option in (option for option, given in several.items() if given):
            raise Failure("cli.only_simul", {"option": Text(option)})
        return ()
    _within("--simul", args.simul, FEWEST_BOARDS, MOST_BOARDS)
    if len(levels) not in (1, args.simul):
        raise Failure("cli.bad_levels", {"boards": args.simul, "count": len(levels)})
    for level in levels:
        _within("--level", level, LOWEST, HIGHEST)
    for number in args.people or ():
        _within("--people", number, 1, args.simul)
    beside = settings.white is settings.black
    return agreed(
        settings,
        new_key(),
        levels if len(levels) > 1 else levels * args.simul,
        giver=settings.white is Player.VOICE,
        alternating=args.alternate,
        people=range(1, args.simul + 1) if beside else args.people or (),
    )


def _within(option: str, number: int, low: int, high: int) -> None:
    if not low <= number <= high:
        raise Failure("cli.bad_number", {"option": Text(option), "low": low, "high": high})


def _chess960(given: str | None) -> int | None:
    """The number of a starting position given by number, as "random", or by its back rank in English or German letters.
    Raises `Failure` for anything else."""
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
    """Play the game or display, then hold the welcome conversation; returns the loop's exit status."""
    context = context.choosing(given_settings(args))
    settings, dropped = game_settings(args, context.preferences)
    boards = display(args, settings)
    if (unplayable := cannot_play(*(boards or (settings,)))) is not None:
        raise unplayable
    with Program(context, wanted_devices(args, context)) as program, closing(OnlineRoom(program)) as online:
        program.notices += dropped
        tell_notices(program)
        if boards:
            play_display(program, boards)
        else:
            play_new(program, settings)
        if program.loop.exit_code is None:
            welcome(program, rematch=boards or (settings,), online=online)
        return program.loop.exit_code or 0


# --- `voicechess` alone -----------------------------------------------------------------------------------------------


def run_welcome(_args: argparse.Namespace, context: Context) -> int:
    """Hold the welcome conversation and play what it agrees on; returns the loop's exit status."""
    with Program(context, wanted_devices(None, context)) as program, closing(OnlineRoom(program)) as online:
        tell_notices(program)
        welcome(program, online=online)
        return program.loop.exit_code or 0
