"""`voicechess settings show|write|path`: the settings file, with an explanation of each setting."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from voicechess.app.context import Context
from voicechess.storage.places import settings_path
from voicechess.storage.settings import settings_text, write_settings


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("action", choices=("show", "write", "path"), help=sentence("action"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Show or write the file, or print its path. Status 2 if it has errors."""
    path = settings_path()
    match args.action:
        case "path":
            print(path)
        case "write":
            write_settings(path, settings_text(context.wording.say))
            context.tell("settings.written", path=str(path))
        case _:
            print(settings_text(context.wording.say, context.preferences))
            for problem in context.problems:
                context.tell_failure(problem)
            return 2 if context.problems else 0
    return 0
