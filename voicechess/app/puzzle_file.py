"""The player's file of puzzles, read line by line: no more of it than is needed.

Plain, or compressed in a format of the standard library: .bz2, .gz and, from Python 3.14 on, .zst.
"""

from __future__ import annotations

import bz2
import gzip
import importlib
import logging
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, cast

from voicechess.messages import Failure, Text
from voicechess.practice.puzzle_lines import Broken, Fault, Puzzle, Wanted, puzzles_in

log = logging.getLogger(__name__)

LONGEST_LINE = 4096
"""Most bytes of a line; a longer one is split into several, none of which is a puzzle."""

TRIED = 1000
"""Lines without a puzzle after which a file is rejected. Larger: slower to reject."""


@dataclass(frozen=True, slots=True)
class PuzzleFile:
    """The puzzles in the file `path` that match `wanted`."""

    path: Path
    wanted: Wanted

    def find(self) -> Iterator[Puzzle | Broken]:
        """Yields puzzles from the start of the file, reading on demand."""
        lines = 0

        def counted() -> Iterator[str]:
            nonlocal lines
            for line in self.lines():
                lines += 1
                yield line

        try:
            yield from puzzles_in(counted(), self.wanted)
        except (OSError, EOFError, zlib.error, Failure) as error:
            log.warning("puzzles: %s", error)
            yield Broken(lines + 1, Fault.TORN)

    def lines(self) -> Iterator[str]:
        """The lines of the file. Raises OSError, EOFError or zlib.error for read errors, `Failure` if only a later
        Python can read it."""
        with _opener(self.path)(self.path, "rb") as file:
            while line := file.readline(LONGEST_LINE):
                yield line.decode("utf-8", "replace")

    def check(self) -> None:
        """Raises `Failure` for an unreadable file, or one without a puzzle among its first lines."""
        try:
            if not self.path.is_file():  # a pipe may never end, and /dev/zero does not
                raise OSError(f"not a file: {self.path}")
            first = puzzles_in(islice(self.lines(), TRIED), Wanted())
            if any(isinstance(found, Puzzle) for found in first):
                return
        except (OSError, EOFError, zlib.error, ValueError) as error:  # ValueError: a name that no file can have
            raise Failure("cli.unreadable", {"path": Text(str(self.path))}) from error
        raise Failure("cli.practise.no_puzzles", {"path": Text(str(self.path))})


def _opener(path: Path) -> Callable[[Path, str], IO[bytes]]:
    match path.suffix.lower():
        case ".bz2":
            return cast(Callable[[Path, str], IO[bytes]], bz2.open)
        case ".gz":
            return cast(Callable[[Path, str], IO[bytes]], gzip.open)
        case ".zst":
            try:
                return cast(Callable[[Path, str], IO[bytes]], importlib.import_module("compression.zstd").open)
            except ImportError as error:
                raise Failure("cli.practise.zst", {"path": Text(str(path))}) from error
    return cast(Callable[[Path, str], IO[bytes]], open)
