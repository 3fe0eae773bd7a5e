"""The command line: dispatches to a command, and turns every failure into one sentence and an exit status.

Neither chess nor sound here. Exit status 0: done; 1: negative result (a doctor's finding, a misheard demo); 2: wrong
arguments, files or settings; 130: interrupted.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from voicechess import __version__
from voicechess.app.context import Context
from voicechess.app.interruption import INTERRUPTED, Interruption, leave_output, nobody_reads, takes_no_more
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.messages import Failure, Listing, Phrase, Slot, Text, unexpected

COMMANDS = (
    "play",
    "practise",
    "analyse",
    "live",
    "hear",
    "say",
    "demo",
    "doctor",
    "calibrate",
    "model",
    "game",
    "collection",
    "online",
    "bench",
    "settings",
    "manual",
)
"""Modules of `voicechess.commands`, each with `add_arguments(parser, sentence)` and `run(args, context) -> int`."""

ALIASES = {"manual": ("handbuch",)}
"""Alternative names of commands."""


_WRONG_CHOICE = re.compile(r"invalid choice: '?([^']*?)'? \(choose from ")
"""argparse's message for a value that is none of the choices."""

_TALKING = ("play", "practise", "analyse", "live", "calibrate")
"""Commands that begin a conversation, as `voicechess` alone does; loading takes seconds on a busy machine."""

_TALKING_ONLINE = ("play", "challenge", "simul")
"""Actions of `voicechess online` that begin a conversation."""


class _Usage(Exception):
    """An error found by argparse; `phrase`: the sentence for it, None if there is no specific one."""

    def __init__(self, message: str, phrase: Phrase | None) -> None:
        super().__init__(message)
        self.phrase = phrase


class _Parser(argparse.ArgumentParser):
    """Raises `_Usage` instead of exiting, and accepts no abbreviated options: new options would change their
    meaning."""

    def __init__(self, **keywords: Any) -> None:
        super().__init__(allow_abbrev=False, **keywords)

    def error(self, message: str) -> NoReturn:
        raise _Usage(message, self._missing(message))

    def _missing(self, message: str) -> Phrase | None:
        """The sentence for a missing argument or option value, or a wrong choice; None for other errors."""
        program = Text(self.prog)
        named, _, problem = message.partition(": ")
        if named == "the following arguments are required":
            missing = [self._named(name) for name in problem.split(", ")]
            return Phrase("cli.missing", {"argument": Listing(tuple(missing)), "program": program})
        if problem.startswith("expected "):
            option = Text(named.removeprefix("argument ").partition("/")[0])
            return Phrase("cli.missing_value", {"argument": option, "program": program})
        wrong = _WRONG_CHOICE.match(problem)
        if wrong is not None:
            return self._other_choice(named.removeprefix("argument ").partition("/")[0], wrong[1])
        return None

    def _other_choice(self, named: str, given: str) -> Phrase | None:
        """The sentence for a wrong choice, with the most similar valid one, or all of them if none is similar."""
        for action in self._actions:
            if action.choices and named in (action.metavar, action.dest, *action.option_strings):
                choices = [str(choice) for choice in action.choices]
                nearest = difflib.get_close_matches(given, choices, 1)
                if nearest:
                    return Phrase("cli.nearest", {"argument": Text(given), "nearest": Text(nearest[0])})
                listed = Listing(tuple(Text(choice) for choice in choices), "or")
                return Phrase("cli.none_of", {"argument": Text(given), "choices": listed})
        return None

    def _named(self, name: str) -> Slot:
        """The choices of a missing argument; its name in the help if it has none."""
        for action in self._actions:
            if name in (action.metavar, action.dest) and action.choices:
                return Listing(tuple(Text(str(choice)) for choice in action.choices), "or")
        return Text(name)


def language_of(arguments: Sequence[str]) -> str | None:
    """The language of --lang or VOICECHESS_LANG, found before the arguments are parsed; None if neither names one."""
    for position, argument in enumerate(arguments):
        value = argument.partition("=")[2] if argument.startswith("--lang=") else None
        if argument == "--lang" and position + 1 < len(arguments):
            value = arguments[position + 1]
        if value in LANGUAGES:
            return value
    value = os.environ.get("VOICECHESS_LANG", "")
    return value if value in LANGUAGES else None


def parser(wording: Wording, arguments: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser with help texts in one language. Commands that are not among the `arguments` get no arguments of their
    own, since importing all of them would take most of the start-up time."""

    def sentence(key: str) -> str:
        return wording.say(Phrase(f"cli.{key}")).replace("%", "%%")

    def fragment(key: str) -> str:
        return wording.fragment(Phrase(f"cli.{key}")).replace("%", "%%")

    top = _Parser(prog="voicechess", description=sentence("description"), add_help=False)
    _common(top, sentence)
    top.add_argument("--version", action="version", version=f"voicechess {__version__}", help=sentence("version"))
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name in COMMANDS:
        text = sentence(f"command.{name}")
        aliases = ALIASES.get(name, ())
        sub = commands.add_parser(name, aliases=aliases, help=text, description=text, add_help=False)
        sub.set_defaults(command=name)
        _common(sub, sentence)
        if not {name, *aliases} & set(arguments):
            continue
        module = importlib.import_module(f"voicechess.commands.{name}")
        module.add_arguments(sub, lambda key, name=name: fragment(f"{name}.{key}"))
    return top


def _common(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    parser._positionals.title, parser._optionals.title = sentence("heading.arguments"), sentence("heading.options")
    parser.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=sentence("help"))
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=sentence("lang"))


def _offender(message: str, arguments: Sequence[str]) -> str:
    """The arguments named in an error message of argparse; all of them if none is."""
    named = [argument for argument in arguments if f"'{argument}'" in message]
    if not named and message.startswith("argument "):
        named = [message.removeprefix("argument ").partition(":")[0].partition("/")[0]]
    if not named:
        named = [argument for argument in arguments if argument and argument in message.split()]
    return " ".join(named) or " ".join(arguments)


def _begins_to_talk(arguments: Sequence[str]) -> bool:
    """Whether the command begins a conversation at a terminal, judged before anything is imported."""
    named = next((argument for argument in arguments if argument in COMMANDS), None)
    asks = any(argument in ("-h", "--help", "--version") for argument in arguments)
    online = named == "online" and any(argument in _TALKING_ONLINE for argument in arguments)
    talks = named is None or named in _TALKING or online
    return sys.stdout.isatty() and not asks and talks


def main(arguments: Sequence[str] | None = None, interruption: Interruption | None = None) -> int:
    """Run one command line and return the exit status.

    `interruption`: already holds the terminating signals and keeps them; None: they are held during the call.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or the child processes for voice and engines compile each time
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    signals = interruption or Interruption()
    if interruption is None:
        signals.hold()
    context = Context.create(language_of(arguments))
    wording = context.wording
    excepthook = threading.excepthook
    if not os.environ.get("VOICECHESS_DEBUG"):
        threading.excepthook = lambda failed: _fail(wording, unexpected("cli.internal", failed.exc_value), 1)
    try:
        signals.allow()
        if _begins_to_talk(arguments):
            print(wording.say(Phrase("cli.begins")), flush=True)
        args = parser(wording, arguments).parse_args(arguments)
        module = importlib.import_module(f"voicechess.commands.{args.command or 'play'}")
        # Without a command: the conversation before a game.
        status = int((module.run if args.command else module.run_welcome)(args, context))
        sys.stdout.flush()  # a write error is reported here, not by Python at its exit
        return status
    except _Usage as problem:
        usage = Phrase("cli.usage", {"argument": Text(_offender(str(problem), arguments))})
        return _fail(wording, problem.phrase or usage, 2)
    except Failure as failure:
        return _fail(wording, failure.phrase, failure.status)
    except KeyboardInterrupt:
        return _fail(wording, Phrase("cli.interrupted"), INTERRUPTED)
    except Exception as error:
        if nobody_reads(error):
            leave_output()
            return 1
        if takes_no_more(error):
            status = _fail(wording, Phrase("cli.output_full"), 1)
            leave_output()
            return status
        if os.environ.get("VOICECHESS_DEBUG"):
            raise
        return _fail(wording, unexpected("cli.internal", error), 1)
    finally:
        threading.excepthook = excepthook
        if interruption is None:
            signals.release()


def _fail(wording: Wording, phrase: Phrase, status: int) -> int:
    try:
        print(wording.say(phrase), file=sys.stderr)
    except OSError:  # the reader is gone
        leave_output()
    return status
