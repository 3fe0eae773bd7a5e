"""`voicechess practise`: exercises by voice or keyboard, and the report on a player's progress."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context, may_write
from voicechess.app.pgn_file import PgnFile
from voicechess.app.practice_store import PracticeStore
from voicechess.app.practising import PracticeWish, practise
from voicechess.app.puzzle_file import PuzzleFile
from voicechess.app.wiring import Program
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.messages import Failure, Text
from voicechess.opponents.lichess.fields import is_theme
from voicechess.opponents.lichess.login import LICHESS, server_address
from voicechess.own_files import write_text
from voicechess.practice.courses import EXERCISES
from voicechess.practice.puzzle_lines import Wanted
from voicechess.practice.report import page, report_lines
from voicechess.score.score import Score
from voicechess.storage.places import data_folder, journal_file

ONLINE = "online"
"""The exercise whose puzzles are fetched from a server."""

MOST_GAMES = 1_000
"""Games read from a PGN file, from its beginning. Larger: a longer wait when it is opened."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("exercise", nargs="?", choices=tuple(EXERCISES), help=sentence("exercise"))
    parser.add_argument("--level", type=int, metavar="N", help=sentence("level"))
    parser.add_argument("--strength", type=int, metavar="1..10", help=sentence("strength"))
    parser.add_argument("--pgn", type=Path, metavar="FILE", help=sentence("pgn"))
    parser.add_argument("--puzzles", type=Path, metavar="FILE", help=sentence("puzzles"))
    parser.add_argument("--rating", metavar="1200-1600", help=sentence("rating"))
    parser.add_argument("--theme", default="", metavar="mateIn2", help=sentence("theme"))
    parser.add_argument("--server", default=LICHESS, metavar="URL", help=sentence("server"))
    parser.add_argument("--report", action="store_true", help=sentence("report"))
    parser.add_argument("--out", type=Path, metavar="FILE.html", help=sentence("out"))
    add_devices(parser, sentence)


def run(args: argparse.Namespace, context: Context) -> int:
    """Run an exercise or write the report. Raises `Failure` for unusable arguments and files."""
    if args.report:
        may_write(args.out, args.overwrite)
        return _report(args.out, context)
    most = EXERCISES[args.exercise].levels if args.exercise else max(row.levels for row in EXERCISES.values())
    _within("--level", args.level, most)
    _within("--strength", args.strength, 10)
    puzzles = _puzzles(args)
    exercise = args.exercise or (None if puzzles is None else "puzzles")
    strength = args.strength or context.preferences.game.level
    theme = args.theme if exercise == ONLINE else ""
    server = server_address(args.server)
    wish = PracticeWish(exercise, args.level, _scores(args.pgn), puzzles, theme, server, strength=strength)
    context = context.with_options(args)
    with Program(context, wanted_devices(args, context)) as program:
        practise(program, wish)
        return program.loop.exit_code or 0


def _within(option: str, number: int | None, most: int) -> None:
    if number is not None and not 1 <= number <= most:
        raise Failure("cli.bad_number", {"option": Text(option), "low": 1, "high": most})


def _puzzles(args: argparse.Namespace) -> PuzzleFile | None:
    low, high = _range(args.rating)
    if args.exercise == ONLINE and args.puzzles is None and args.rating is None:
        if args.theme and not is_theme(args.theme):
            raise Failure("cli.practise.bad_theme", {"theme": Text(args.theme[:50])})
        return None
    if args.puzzles is None:
        for option in (option for option, given in {"--rating": args.rating, "--theme": args.theme}.items() if given):
            raise Failure("cli.practise.only_puzzles", {"option": Text(option)})
        return None
    file = PuzzleFile(args.puzzles, Wanted(low, high, args.theme))
    file.check()
    return file


def _range(given: str | None) -> tuple[int | None, int | None]:
    """Parse a range of ratings, "1200-1600", "1200-" or "-1600"; None for an open end. Raises `Failure`."""
    if given is None:
        return None, None
    found = re.fullmatch(r"(\d{0,4})-(\d{0,4})", given)
    if found is None or given == "-":
        raise Failure("cli.practise.bad_rating", {"rating": Text(given[:50])})
    low, high = (int(number) if number else None for number in found.groups())
    return low, high


def _scores(path: Path | None) -> tuple[Score, ...]:
    if path is None:
        return ()
    scores = tuple(score for score in PgnFile.at(path).readable(MOST_GAMES) if score.entries)
    if not scores:
        raise Failure("cli.practise.no_moves", {"path": Text(str(path))})
    return scores


def _report(given: Path | None, context: Context) -> int:
    """Print the report and write it as a page to `given`, or to the data folder if that is None."""
    store = PracticeStore(journal_file(), copied=True)
    try:
        answers = store.answers()
    finally:
        store.close()
    for line in report_lines(answers):
        context.show(line.key, **line.slots)
    text = page(answers, context.wording.for_the_eye().say, context.language)
    path = given or data_folder() / "practice.html"
    try:
        if given is None:  # private, like everything in the data folder
            write_text(path, text)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error
    context.tell("practice.report.written", path=str(path))
    return 0
