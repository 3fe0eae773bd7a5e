"""`voicechess game list|find|show|export|resume`: stored games; `new|move|line`: correspondence games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from voicechess.app import games, mail
from voicechess.app.context import Context, may_write, position
from voicechess.app.displaying import games_of
from voicechess.app.hearing import Hearing
from voicechess.app.mailbox import letter_words
from voicechess.app.playing import play_on, played_with, welcome
from voicechess.app.wiring import Program, tell_notices
from voicechess.commands import game_find
from voicechess.commands.options import add_devices, wanted_devices
from voicechess.conversations.offer import description
from voicechess.game.agreement import GameSettings, Player
from voicechess.laws.chess960 import CLASSICAL
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Failure, Phrase, Side, Text
from voicechess.score.letters import MAX_MAIL, LineNotation, line_of
from voicechess.sound.speech import Speech
from voicechess.storage.database import JournalError
from voicechess.storage.journal import GameSummary, Journal
from voicechess.storage.places import journal_file

_ACTIONS, _BY_POST = ("list", "find", "show", "export", "resume"), ("new", "move", "line")
_LONGEST_NAME = 100


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("action", choices=(*_ACTIONS, *_BY_POST), help=sentence("action"))
    parser.add_argument("number", type=int, nargs="?", help=sentence("number"))
    parser.add_argument("text", nargs="*", default=[], help=sentence("text"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=sentence("out"))
    parser.add_argument("--display", action="store_true", help=sentence("display"))
    parser.add_argument("--format", choices=tuple(form.value for form in games.Format), help=sentence("format"))
    parser.add_argument("--correspondence", choices=("white", "black"), help=sentence("correspondence"))
    parser.add_argument("--time", default="", metavar="50days/10", help=sentence("time"))
    parser.add_argument("--against", default="", metavar="NAME", help=sentence("against"))
    parser.add_argument("--notation", choices=tuple(one.value for one in LineNotation), help=sentence("notation"))
    parser.add_argument("--fen", help=sentence("fen"))
    parser.add_argument("--yes", action="store_true", help=sentence("yes"))
    game_find.add_arguments(parser, lambda key: sentence(f"find.{key}"))
    add_devices(parser, lambda key: sentence(f"devices.{key}"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Run the action. Raises `Failure` for an unknown game and a file that cannot be written."""
    if args.action == "resume":
        return _resume(args, context.with_options(args))
    if args.action in _BY_POST:
        return _by_post(args, context.with_options(args))
    if args.action == "find":
        return game_find.run(args, context)
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
        asked = journal.game(number)
        form = args.format or ("pgn" if args.action == "export" else "german")
        boards = games_of(journal, asked.summary.settings.display) if args.display else []
        parts = []
        for stored in [journal.game(board.id) for board in boards] or [asked]:
            score = games.named(games.score_of(stored), stored.summary.settings, context.wording)
            if args.action == "show":
                heading = context.wording.for_the_eye().say(_told(stored.summary)) + "\n"
                if args.out is None:
                    parts.append(heading)
                else:
                    print(heading, end="")
            parts.append(games.write(score, games.Format(form), context.wording))
        text = "".join(parts)
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
        args.out.write_text(text, "utf-8", newline="")  # BRF has its own line ends
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(args.out))}) from error
    context.tell("journal.written", path=str(args.out))
    return 0


def _record(text: str, path: Path, context: Context) -> None:
    """Write the announcements of a game, one a line of `text`, as one sound file."""
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
            newest = journal.games()[0]
            together = found.settings.display and found.settings.display == newest.settings.display
            if number != newest.id and not together:  # a player may expect the game begun last
                program.loop.say_aside("journal.line", _told(found))
        play_on(program, number)
        if program.loop.exit_code is None:
            welcome(program, rematch=played_with(journal, journal.game(number).summary))
        return program.loop.exit_code or 0


# --- correspondence ---------------------------------------------------------------------------------------------------


def _by_post(args: argparse.Namespace, context: Context) -> int:
    """Begin a correspondence game, enter a message, or show its line. Status 1: refused, with the reason printed."""
    journal = Journal(journal_file())
    try:
        if args.action == "new":
            return _new(args, context, journal)
        if args.number is None:
            raise Failure("cli.missing", {"argument": Text("number"), "program": Text("voicechess game")})
        hearing, notation = Hearing(context.lexicon), LineNotation(args.notation) if args.notation else None
        if args.action == "line":
            done = mail.show_line(journal, args.number, hearing, date.today(), notation)
        else:
            done = mail.take_text(journal, args.number, _text(args.text), hearing, date.today(), notation, args.yes)
    finally:
        journal.close()
    wording = context.wording.for_the_eye()
    for utterance in done.said:
        print(wording.say(utterance), file=sys.stdout if done.changed else sys.stderr)
    for letter in done.letters:
        print(line_of(letter, letter_words(context.lexicon)))
    return 0 if done.changed else 1


def _text(given: list[str]) -> str:
    """The message from the command line; from standard input if that is "-" or empty."""
    return " ".join(given) if given and given != ["-"] else sys.stdin.read(MAX_MAIL + 1)


def _new(args: argparse.Namespace, context: Context, journal: Journal) -> int:
    if args.correspondence is None:
        raise Failure("cli.missing", {"argument": Text("--correspondence"), "program": Text("voicechess game new")})
    control = parse_time(args.time)
    if control.days is None and not control.untimed:
        raise Failure("timecontrol.error.no_days", {"text": Text(args.time)})
    white = args.correspondence == "white"
    board, dropped = position(args.fen)
    context.tell_on_error(*dropped)
    settings = GameSettings(
        white=Player.VOICE,
        black=Player.VOICE,
        time=args.time,
        fen=board.fen(),
        chess960=CLASSICAL if board.chess960 else None,
        white_name="" if white else args.against[:_LONGEST_NAME],
        black_name=args.against[:_LONGEST_NAME] if white else "",
        correspondence=mail.terms(white, context.language, LineNotation(args.notation) if args.notation else None),
    )
    recorder = journal.begin(settings)
    recorder.append()  # raises if it cannot be written
    recorder.release()
    described = description(settings)
    context.tell("journal.begun", number=recorder.game_id, description=described)
    return 0


def _none_to_resume(journal: Journal) -> Failure:
    """The reason why no game can be resumed; it may be in use by another process."""
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
    if settings.display:
        at_board = _who(replace(settings, display=""))
        return Phrase("journal.at_board", {"number": settings.board, "description": at_board})
    if settings.correspondence is not None:
        side = Side(settings.correspondence.colour)
        name = settings.black_name if settings.correspondence.colour else settings.white_name
        if name:
            return Phrase("journal.by_post_named", {"side": side, "name": Text(name)})
        return Phrase("journal.by_post", {"side": side})
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
