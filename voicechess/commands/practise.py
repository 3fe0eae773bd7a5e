"""`voicechess practise`: exercises by voice or keyboard, and the report on how good somebody has become."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context, may_write
from voicechess.app.practice_store import PracticeStore
from voicechess.app.practising import LEVELS, PracticeWish, practise
from voicechess.app.wiring import Program
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.messages import Failure, Text
from voicechess.practice.report import page, report_lines
from voicechess.score.pgn import MOST_CHARACTERS, read_pgn
from voicechess.score.score import Score
from voicechess.storage.places import data_folder, journal_file

MOST_BYTES = 4 * MOST_CHARACTERS + 4
"""Of a file with games: more than UTF-8 needs for the longest that is read, so that a longer one is refused."""


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The command's arguments."""
    parser.add_argument("exercise", nargs="?", choices=tuple(LEVELS), help=sentence("exercise"))
    parser.add_argument("--level", type=int, metavar="N", help=sentence("level"))
    parser.add_argument("--strength", type=int, metavar="1..10", help=sentence("strength"))
    parser.add_argument("--pgn", type=Path, metavar="FILE", help=sentence("pgn"))
    parser.add_argument("--report", action="store_true", help=sentence("report"))
    parser.add_argument("--out", type=Path, metavar="FILE.html", help=sentence("out"))
    add_devices(parser, sentence)


def run(args: argparse.Namespace, context: Context) -> int:
    """Practise, or report. Raises `Failure` for arguments and files that cannot be used."""
    if args.report:
        may_write(args.out, args.overwrite)
        return _report(args.out, context)
    most = LEVELS[args.exercise] if args.exercise else max(LEVELS.values())
    _within("--level", args.level, most)
    _within("--strength", args.strength, 10)
    wish = PracticeWish(args.exercise, args.level, _scores(args.pgn), args.strength or context.preferences.level)
    context = context.with_options(args)
    with Program(context, wanted_devices(args, context)) as program:
        practise(program, wish)
        return program.loop.exit_code or 0


def _within(option: str, number: int | None, most: int) -> None:
    if number is not None and not 1 <= number <= most:
        raise Failure("cli.bad_number", {"option": Text(option), "low": 1, "high": most})


def _scores(path: Path | None) -> tuple[Score, ...]:
    if path is None:
        return ()
    try:
        if not path.is_file():  # a pipe may never end, nor does /dev/zero
            raise OSError(f"not a file: {path}")
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", errors="replace")
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise Failure("cli.unreadable", {"path": Text(str(path))}) from error
    scores = read_pgn(text)
    if not any(score.entries for score in scores):
        raise Failure("cli.practise.no_moves", {"path": Text(str(path))})
    return tuple(score for score in scores if score.entries)


def _report(given: Path | None, context: Context) -> int:
    """Print the report and write the page, beside the games if no file is `given`."""
    store = PracticeStore(journal_file(), copied=True)
    try:
        answers = store.answers()
    finally:
        store.close()
    for line in report_lines(answers):
        context.show(line.key, **line.slots)
    text = page(answers, context.wording.for_the_eye().say, context.language)
    path = given or data_folder() / "practice.html"
    mode = 0o666 if given else 0o600  # what lies with the games is nobody else's
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            if given is None:
                path.chmod(mode)  # an earlier version let everyone read it
            file.write(text)
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error
    context.tell("practice.report.written", path=str(path))
    return 0
