"""`voicechess online login|logout|play|challenge NAME|games|simul`: play at lichess.org.

Terms that are not given are asked for in conversation. `--server` is for another instance of Lichess, or a stand-in.
"""

from __future__ import annotations

import argparse
import io
import queue
import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from voicechess.app.context import Context
from voicechess.app.online import OnlineRoom, token_store
from voicechess.app.playing import welcome
from voicechess.app.wiring import Program, tell_notices
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.game.events import Event
from voicechess.laws.time_controls import Bonus, parse_time
from voicechess.messages import Failure, Listing, Phrase, Text
from voicechess.online.lobby import COMPUTER_LEVELS, DAYS, GamesListed, ListGames, LobbyRefused, OnlineGame, OnlineTime
from voicechess.online.online_wish import Mode, OnlineOutcome, OnlineWish, standing
from voicechess.opponents.lichess.account import BrowserPages, authorise, missing_scopes, read_token, revoke
from voicechess.opponents.lichess.client import LichessClient
from voicechess.opponents.lichess.login import LICHESS, AccessToken, server_address
from voicechess.opponents.lichess.transport import Transport
from voicechess.own_files import read_text

ANSWER_S = 60.0
"""Timeout in seconds for the server's list of games. Larger: slow connections pass, a dead one takes longer."""

COLOURS = {"white": True, "black": False, "random": None}
NEEDED = frozenset({"board:play", "challenge:read", "challenge:write"})
"""Scopes that a token must have; without the optional ones friends are not listed."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument(
        "action", choices=("login", "logout", "play", "challenge", "games", "simul"), help=sentence("action")
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help=sentence("name"))
    parser.add_argument("--server", default=LICHESS, metavar="URL", help=sentence("server"))
    parser.add_argument("--token", metavar="FILE", help=sentence("token"))
    parser.add_argument("--time", metavar="10+5", help=sentence("time"))
    parser.add_argument("--days", type=int, metavar="N", help=sentence("days"))
    worth = parser.add_mutually_exclusive_group()
    for name in ("rated", "casual"):
        worth.add_argument(f"--{name}", dest="rated", action="store_const", const=name == "rated", help=sentence(name))
    parser.add_argument("--colour", choices=tuple(COLOURS), help=sentence("colour"))
    parser.add_argument("--level", type=int, metavar="1..8", help=sentence("level"))
    parser.add_argument("--960", dest="chess960", action="store_true", help=sentence("chess960"))
    add_devices(parser, sentence)


OWN_OPTIONS = {"login": {"server", "token"}, "logout": {"server"}, "games": {"server"}}
"""Options of the actions that begin no conversation; the other actions accept all."""

_SPELT = {"spoken": "output", "chess960": "960", "rated": "rated/--casual"}


def _takes_only_its_own(args: argparse.Namespace) -> None:
    """Raise `Failure` for the first option given that does not apply to the action."""
    own = OWN_OPTIONS.get(args.action)
    if own is None:
        return
    known = argparse.ArgumentParser(add_help=False)
    add_arguments(known, str)
    for name, default in vars(known.parse_args([args.action])).items():
        if name not in {"action", "name", *own} and getattr(args, name) != default:
            option = "--" + _SPELT.get(name, name).replace("_", "-")
            raise Failure("cli.not_with", {"option": Text(option), "program": Text(f"voicechess online {args.action}")})


def run(args: argparse.Namespace, context: Context) -> int:
    """Run the action. Raises `Failure` with status 2 for wrong arguments and any failure of the connection."""
    try:
        _takes_only_its_own(args)
        server = server_address(args.server)
        if args.action == "challenge" and args.name is None:
            raise Failure("cli.missing", {"argument": Text("NAME"), "program": Text("voicechess online")})
        if args.action != "challenge" and args.name is not None:
            raise Failure("cli.usage", {"argument": Text(args.name)})
        match args.action:
            case "login":
                return _login(server, args.token, context)
            case "logout":
                return _logout(server, context)
            case "games":
                return _games(server, context)
        return _play(server, args, context)
    except Failure as failure:
        raise Failure(failure.key, failure.slots) from failure


# --- the account ------------------------------------------------------------------------------------------------------


def _login(server: str, source: str | None, context: Context) -> int:
    """Log in through the browser, or with a token from the file `source` or, if it is "-", from standard input."""
    say = context.wording.say
    if source is None:
        done, denied = (say(Phrase(f"online.login.page_{which}")) for which in ("done", "denied"))
        with closing(Transport(server)) as transport:
            pages = BrowserPages(context.language, done, denied)
            token = authorise(transport, pages, partial(_show, context), browse=webbrowser.open)
    else:
        token = _given_token(source)
    with closing(Transport(server, token)) as transport:
        try:
            missing = missing_scopes(transport, token)
        except Failure as failure:
            if failure.key.endswith(".token"):  # not expired but never valid
                raise Failure("online.bad_token") from failure
            raise
        lacking = Listing(tuple(Text(scope) for scope in missing), "")
        if NEEDED & set(missing):
            raise Failure("online.login.scopes", {"scopes": lacking})
    token_store(server).keep(token)
    if missing:
        context.tell("online.login.without", scopes=lacking)
    context.tell("online.login.done")
    return 0


def _show(context: Context, address: str) -> None:
    """Print the address of the login page, in case no browser opens."""
    context.tell("online.login.open", address=address)


def _given_token(source: str) -> AccessToken:
    if source == "-":
        return read_token(sys.stdin)
    try:
        return read_token(io.StringIO(read_text(Path(source))))
    except OSError as error:
        raise Failure("cli.unreadable", {"path": Text(source)}) from error


def _logout(server: str, context: Context) -> int:
    """Revoke the token at the server and delete it here; delete it even if the server cannot be reached."""
    store = token_store(server)
    token = _token(server)
    try:
        with closing(Transport(server, token)) as transport:
            revoke(transport)
    except Failure as failure:
        store.forget()
        raise Failure("online.logout.only_here", {"reason": failure.phrase}) from failure
    store.forget()
    context.tell("online.logout.done")
    return 0


def _token(server: str) -> AccessToken:
    token = token_store(server).read()
    if token is None:
        raise Failure("online.nobody")
    return token


# --- games ------------------------------------------------------------------------------------------------------------


def _games(server: str, context: Context) -> int:
    """Print a line for each game in progress."""
    told: queue.SimpleQueue[Event] = queue.SimpleQueue()
    with closing(LichessClient(server, _token(server), told.put, lambda: 0)) as client:
        client.connect()
        client.ask(ListGames(number=1))
        games = _listed(told)
    if not games:
        context.tell("lobby.no_games")
    for number, game in enumerate(games, 1):
        context.tell("online.line", number=number, game=standing(game), site=game.site)
    return 0


def _listed(told: queue.SimpleQueue[Event]) -> tuple[OnlineGame, ...]:
    """The games of the answer, skipping other events. Raises `Failure` if it is refused or does not come."""
    try:
        while True:
            match told.get(timeout=ANSWER_S):
                case GamesListed(games=games):
                    return games
                case LobbyRefused(request=1, reason=reason):
                    known = reason in ("network", "token", "scope", "gone", "server")
                    raise Failure(f"online.failed.{reason if known else 'server'}")
    except queue.Empty:
        raise Failure("online.failed.network") from None


def _play(server: str, args: argparse.Namespace, context: Context) -> int:
    """Play at the server, then hold the welcome conversation, as after every game."""
    wish = online_wish(args)
    token = _given_token(args.token) if args.token is not None else _token(server)
    context = context.with_options(args)
    devices = wanted_devices(args, context)
    with Program(context, devices) as program, closing(OnlineRoom(program, server, token)) as room:
        try:
            room.reached()
        except Failure as failure:
            if failure.key.endswith((".token", ".scope")):
                raise  # other failures are told in the conversation, and it reconnects
        tell_notices(program)
        left = program.loop.exit_code is not None or room.visit(wish) is OnlineOutcome.END
        if not left and program.loop.exit_code is None:
            welcome(program, online=room, greeted=True)
        return program.loop.exit_code or 0


def online_wish(args: argparse.Namespace) -> OnlineWish:
    """The wish expressed by the options. Raises `Failure` for incompatible or impossible ones."""
    given = any(one is not None for one in (args.time, args.days, args.rated, args.colour)) or args.chess960
    if args.action == "simul":
        if given or args.level is not None:
            raise Failure("online.simul_own")
        return OnlineWish(simul=True)
    mode = Mode.SEEK if given else None
    if args.level is not None:
        if args.level not in COMPUTER_LEVELS:
            low, high = COMPUTER_LEVELS[0], COMPUTER_LEVELS[-1]
            raise Failure("cli.bad_number", {"option": Text("--level"), "low": low, "high": high})
        if args.name is not None:
            raise Failure("cli.usage", {"argument": Text("--level")})
        mode = Mode.COMPUTER
    if args.name is not None:
        mode = Mode.CHALLENGE
    return OnlineWish(
        mode,
        args.name or "",
        args.level,
        _time(args.time, args.days),
        args.rated,
        COLOURS.get(args.colour or "random"),
        lot=args.colour == "random" or (args.colour is None and args.level is None and args.name is None),
        variant="chess960" if args.chess960 else "standard",
    )


def _time(time: str | None, days: int | None) -> OnlineTime | None:
    if days is not None:
        if time is not None:
            raise Failure("cli.usage", {"argument": Text("--days")})
        if days not in DAYS:
            raise Failure("lobby.which_days", {"days": Listing(DAYS, "or")})
        return OnlineTime(days=days)
    if time is None:
        return None
    control = parse_time(time)
    if control.untimed:
        return OnlineTime()
    period = control.white[0]
    fischer = period.bonus in (Bonus.NONE, Bonus.FISCHER) and period.moves is None
    if not fischer or len(control.white) > 1 or control.white != control.black or period.base_ms % 1000:
        raise Failure("online.bad_time", {"time": Text(time)})
    return OnlineTime(period.base_ms // 1000, period.bonus_ms // 1000)
