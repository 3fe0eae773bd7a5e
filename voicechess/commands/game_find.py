"""`voicechess game find`: search one's own finished games by opponent, opening, result, day or position."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

from voicechess.app.context import Context, position
from voicechess.app.game_archive import GameArchive
from voicechess.messages import Failure, Phrase, Text
from voicechess.practice.found_sentences import found_told, game_told, none_told
from voicechess.score.known_games import GameQuery, OwnResult
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments of this action only; --against and --fen are shared with others."""
    parser.add_argument("--opening", default="", metavar="NAME", help=sentence("opening"))
    parser.add_argument("--result", choices=tuple(one.name.lower() for one in OwnResult), help=sentence("result"))
    parser.add_argument("--since", metavar="2026-11-01", help=sentence("since"))
    parser.add_argument("--until", metavar="2026-11-30", help=sentence("until"))
    parser.add_argument("--file", type=Path, action="append", default=[], metavar="FILE.pgn", help=sentence("file"))
    parser.add_argument("--name", action="append", default=[], metavar="NAME", help=sentence("name"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the number of games found, and a line for each up to `args.number`. Status 1 if there is none.

    Raises `Failure` if the journal or a file cannot be read, or an argument is invalid.
    """
    preferences = context.preferences.games
    places = [*args.file, *([Path(preferences.own_games).expanduser()] if preferences.own_games else [])]
    names = [*args.name, *filter(None, preferences.own_names.split(","))]
    archive = GameArchive(lambda: Journal(journal_file(), looking=True), places, names)
    query = GameQuery(
        against=args.against,
        outcome=OwnResult[args.result.upper()] if args.result else None,
        since=_day(args.since, "--since"),
        until=_day(args.until, "--until"),
        opening=args.opening,
        position="" if args.fen is None else position(args.fen)[0].epd(),
    )
    today, say = date.today(), context.wording.for_the_eye().say
    games = archive.games()
    for told in archive.told:
        print(say(told), file=sys.stderr)
    holding = archive.holding(query.position, games) if query.position else games
    hits = [game for game in holding if query.fits(game)]
    if not hits:
        reason = none_told(games, holding, query, today) if games else Phrase("practice.find.no_games")
        print(say(reason), file=sys.stderr)
        return 1
    print(say(found_told(len(hits), query, games, today)))
    for number, game in enumerate(hits[: args.number], 1):
        place = Phrase("cli.game.find.stands", {"number": game.number})
        if game.source:
            place = Phrase("cli.game.find.stands_in", {"path": Text(game.source), "number": game.number})
        print(say(game_told(game, number, today)), say(place))
    return 0


def _day(text: str | None, option: str) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise Failure("cli.bad_day", {"option": Text(option), "day": Text(text or "")}) from error
