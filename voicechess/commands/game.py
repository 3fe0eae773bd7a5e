"""`voicechess game list|show|export|resume`: the games on disk."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from voicechess.app import games
from voicechess.app.context import Context, may_write
from voicechess.app.playing import play_on, welcome
from voicechess.app.wiring import Program, tell_notices
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.game.agreement import GameSettings, Player
from voicechess.messages import Failure, Phrase, Side, Text
from voicechess.sound.speech import Speech
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary, Journal
from voicechess.storage.places import journal_file


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """The command's arguments."""
    parser.add_argument("action", choices=("list", "show", "export", "resume"), help=sentence("action"))
    parser.add_argument("number", type=int, nargs="?", help=sentence("number"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=sentence("out"))
    parser.add_argument("--format", choices=tuple(form.value for form in games.Format), help=sentence("format"))
    add_devices(parser, lambda key: sentence(f"devices.{key}"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Do it. Raises `Failure` when there is no such game or file."""
    if args.action == "resume":
        return _resume(args, context.with_options(args))
    may_write(args.out, args.overwrite)
    journal = Journal(journal_file(), looking=True)
    try:
        if args.action == "list":
            found = journal.games()
            for game in found:
                print(context.wording.for_the_eye().say(_told(game)))
            if not found:
                context.tell("journal.no_games")
            return 0
        number = args.number if args.number is not None else games.last_played(journal).id
        stored = journal.game(number)
        form = args.format or ("pgn" if args.action == "export" else "german")
        score = games.named(games.score_of(stored), stored.summary.settings, context.wording)
        text = games.write(score, games.Format(form), context.wording)
        if args.action == "show":
            print(context.wording.for_the_eye().say(_told(stored.summary)))
    finally:
        journal.close()
    if args.out is None:
        print(text, end="")
        return 0
    if games.Format(form) is games.Format.RECORDING:
        _record(text, args.out, context)
        context.tell("journal.written", path=str(args.out))
        return 0
    try:
        args.out.write_text(text, "utf-8", newline="")  # BRF brings its own line ends
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(args.out))}) from error
    context.tell("journal.written", path=str(args.out))
    return 0


def _record(text: str, path: Path, context: Context) -> None:
    """The announcements of the game as one sound file."""
    speech = Speech(context.voice)
    try:
        games.record([context.wording.for_voice(line) for line in text.splitlines()], speech, path)
    finally:
        speech.close()


def _resume(args: argparse.Namespace, context: Context) -> int:
    with Program(context, wanted_devices(args, context)) as program:
        tell_notices(program)
        journal = program.journal
        if journal.hidden is not None:
            raise Failure(journal.hidden.key, journal.hidden.slots, status=1)
        number = args.number
        if number is None:
            found = games.unfinished(journal)
            if found is None:
                raise _none_to_resume(journal)
            number = found.id
            if number != journal.games()[0].id:  # not the one that was begun last: a player who expects that must know
                program.loop.say_aside("journal.line", _told(found))
        play_on(program, number)
        if program.loop.exit_code is None:
            welcome(program, rematch=journal.game(number).summary.settings)
        return program.loop.exit_code or 0


def _none_to_resume(journal: Journal) -> Failure:
    """What is true where there is no game to go on with: perhaps one that is being played elsewhere."""
    for game in journal.games():
        if game.result is None and game.actions > 0:
            try:
                games.resume(journal, game.id).recorder.release()
            except JournalError as error:
                if error.key != "journal.over":
                    return Failure(error.key, error.slots, status=1)
    return Failure("journal.none_unfinished", status=1)


def _told(game: GameSummary) -> Phrase:
    result: Phrase | Text = Text(game.result) if game.result else Phrase("journal.unfinished")
    return Phrase(
        "journal.line",
        {
            "number": game.id,
            "date": Text(game.started.astimezone().strftime("%d.%m.%Y %H:%M")),
            "description": _who(game.settings),
            "result": result,
        },
    )


def _who(settings: GameSettings) -> Phrase:
    if settings.white is settings.black:
        if settings.white_name and settings.black_name:
            names = {"white": Text(settings.white_name), "black": Text(settings.black_name)}
            return Phrase("journal.two_names", names)
        return Phrase("journal.two_people")
    side = Side(settings.white is Player.VOICE)
    if Player.SERVER in (settings.white, settings.black):
        name = settings.black_name if settings.white is Player.VOICE else settings.white_name
        return Phrase("journal.online", {"side": side, "name": Text(name or "?")})
    return Phrase("journal.against_engine", {"side": side, "level": settings.level})
