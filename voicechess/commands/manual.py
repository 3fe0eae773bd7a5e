"""`voicechess manual` (`handbuch`): the handbook as text on the terminal, or as a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context, may_write
from voicechess.language.handbook import Section, as_html, as_markdown, as_text, handbook
from voicechess.messages import Failure, Text


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("--out", type=Path, help=sentence("out"))
    parser.add_argument("--overwrite", action="store_true", help=sentence("overwrite"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the handbook, or write it as HTML, Markdown or text by the file's suffix. Raises `Failure` if the file
    exists or cannot be written."""
    may_write(args.out, args.overwrite)
    sections, language = handbook(context.wording.language), context.wording.language
    if args.out is None:
        print(as_text(sections), end="")
        return 0
    try:
        args.out.write_text(_formatted(sections, language, args.out.suffix.lower()), encoding="utf-8")
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(args.out))}) from error
    return 0


def _formatted(sections: tuple[Section, ...], language: str, suffix: str) -> str:
    if suffix in (".html", ".htm"):
        return as_html(sections, language)
    return as_markdown(sections) if suffix == ".md" else as_text(sections)
