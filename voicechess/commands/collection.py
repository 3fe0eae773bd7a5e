"""`voicechess collection FILE.pgn …`: count the opening moves of a collection of games into an index on disk."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from voicechess.app.context import Context
from voicechess.app.game_archive import pgn_files
from voicechess.app.library import index_path
from voicechess.app.opening_index import build
from voicechess.commands.progress import spoken_progress


def add_arguments(parser: argparse.ArgumentParser, sentence: Callable[[str], str]) -> None:
    """Define the arguments; `sentence(key)` gives their help texts."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.pgn", help=sentence("files"))
    parser.add_argument("--quiet", action="store_true", help=sentence("quiet"))


def run(args: argparse.Namespace, context: Context) -> int:
    """Build the index. Raises `Failure` if a file cannot be read, the index cannot be written, or there are no games;
    an existing index is kept then."""
    files = [file for place in args.files for file in pgn_files(place)]
    with spoken_progress(args.quiet, context, "openings.counting") as bar:
        built = build(files, index_path(), bar.update)
    if built.unread:
        context.tell("openings.unread", count=built.unread)
    context.tell("openings.built", games=built.games, moves=built.moves, path=str(index_path()))
    return 0
