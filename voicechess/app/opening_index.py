"""The index on disk of the moves played in a collection of games: built once in bounded memory, then queried.

Counts are collected in memory, written as sorted runs when there are many, and merged at the end.
"""

from __future__ import annotations

import heapq
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO

import chess

from voicechess import own_files
from voicechess.app.pgn_file import PgnFile
from voicechess.messages import Failure, Text
from voicechess.score.opening_moves import MAGIC, RECORD, PlayedMove, counted_game, position_key, record, unpacked

IN_MEMORY = 400_000
"""Counted moves held in memory, about 80 MB. Larger: more memory, fewer runs to merge."""

MANY_GAMES = 10_000
"""Number of games from which moves played only once, most of a large collection, are left out. Larger: larger indexes
of medium-sized collections."""

_AT_ONCE = 4_096  # records of a run read at a time

Progress = Callable[[int, int], None]
"""Called with the bytes read so far and the total."""


@dataclass(frozen=True, slots=True)
class Built:
    """The result of a build."""

    games: int  # counted
    unread: int  # unreadable games
    moves: int  # records: different moves, by position


class OpeningIndex:
    """An index on disk. Raises `Failure` if it is missing or damaged."""

    def __init__(self, path: Path) -> None:
        try:
            self._file: BinaryIO = path.open("rb")
        except OSError as error:
            raise Failure("openings.none") from error
        if self._file.read(len(MAGIC)) != MAGIC:
            self._file.close()
            raise Failure("openings.damaged", {"path": Text(str(path))})
        self._path = path
        self._records = (os.fstat(self._file.fileno()).st_size - len(MAGIC)) // RECORD.size

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def played(self, board: chess.Board) -> tuple[PlayedMove, ...]:
        """The legal moves played in this position, most frequent first. Raises `Failure` if the file cannot be read."""
        try:
            found = list(self._moves_of(position_key(board)))
        except OSError as error:
            raise Failure("openings.damaged", {"path": Text(str(self._path))}) from error
        return tuple(sorted((one for one in found if one.move in board.legal_moves), key=lambda one: -one.count))

    def _moves_of(self, key: int) -> Iterator[PlayedMove]:
        low, high = 0, self._records
        while low < high:
            middle = (low + high) // 2
            if self._at(middle)[0] < key:
                low = middle + 1
            else:
                high = middle
        while low < self._records:
            found, move, white, drawn, black = self._at(low)
            if found != key:
                return
            if white + drawn + black:
                yield PlayedMove(unpacked(move), white, drawn, black)
            low += 1

    def _at(self, place: int) -> tuple[int, int, int, int, int]:
        self._file.seek(len(MAGIC) + place * RECORD.size)
        found: tuple[int, int, int, int, int] = RECORD.unpack(self._file.read(RECORD.size))
        return found


def build(files: Sequence[Path], path: Path, progress: Progress = lambda done, of: None) -> Built:
    """Build an index of these PGN files at `path`, replacing an existing one only when complete. Raises `Failure` if a
    file cannot be read, the index cannot be written, or there are no games to count."""
    whole = sum(file.stat().st_size for file in files if file.is_file())
    counting = _Counting()
    try:
        own_files.make_folder(path.parent)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".openings") as folder:
            before = 0
            for file in files:
                counting.count(PgnFile.at(file), Path(folder), partial(_onward, progress, before, whole))
                before += file.stat().st_size
            if not counting.games:
                raise Failure("openings.nothing", status=1)
            fresh = Path(folder) / "index"
            moves = counting.merged(fresh, Path(folder))
            own_files.put_in_place(fresh, path)
    except OSError as error:
        raise Failure("cli.unwritable", {"path": Text(str(path))}) from error
    return Built(counting.games, counting.unread, moves)


def _onward(progress: Progress, before: int, whole: int, done: int) -> None:
    """Report `done` bytes of a file after `before` bytes of the files before it."""
    progress(before + done, whole)


class _Counting:
    """The counts in memory, and the runs written so far."""

    def __init__(self) -> None:
        self.games = self.unread = 0
        self._counts: dict[int, list[int]] = {}  # key and packed move as one integer -> counts by result
        self._runs: list[Path] = []

    def count(self, file: PgnFile, folder: Path, progress: Callable[[int], None]) -> None:
        number = 0
        while file.has(number := number + 1):
            if number % 100 == 0:
                progress(file.end_of(number))
            try:
                game = counted_game(file.text(number))
            except Failure:
                self.unread += 1
                continue
            if game is None:
                continue
            self.games += 1
            for key, move in game.moves:
                self._counts.setdefault(key << 16 | move, [0, 0, 0])[game.result] += 1
            if len(self._counts) >= IN_MEMORY:
                self._write(folder)

    def _write(self, folder: Path) -> None:
        """Write the counts in memory as a sorted run."""
        path = folder / f"run{len(self._runs)}"
        with path.open("wb") as run:
            for both, (white, drawn, black) in sorted(self._counts.items()):
                run.write(record(both >> 16, both & 0xFFFF, (white, drawn, black)))
        self._runs.append(path)
        self._counts.clear()

    def merged(self, path: Path, folder: Path) -> int:
        """Merge all runs into an index at `path`; returns its number of records."""
        self._write(folder)
        least, written = 2 if self.games >= MANY_GAMES else 1, 0
        runs = [run.open("rb") for run in self._runs]
        try:
            with path.open("wb") as out:
                out.write(MAGIC)
                for key, move, counts in _summed(heapq.merge(*map(_records, runs))):
                    if sum(counts) >= least:
                        out.write(record(key, move, counts))
                        written += 1
                out.flush()
                os.fsync(out.fileno())
        finally:
            for run in runs:
                run.close()
        return written


def _records(run: IO[bytes]) -> Iterator[tuple[int, int, int, int, int]]:
    while part := run.read(_AT_ONCE * RECORD.size):
        yield from RECORD.iter_unpack(part)


def _summed(
    records: Iterator[tuple[int, int, int, int, int]],
) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
    """Sum the counts of equal key and move in sorted records."""
    open_at: tuple[int, int] | None = None
    sums = (0, 0, 0)
    for key, move, white, drawn, black in records:
        if (key, move) != open_at:
            if open_at is not None:
                yield (*open_at, sums)
            open_at, sums = (key, move), (0, 0, 0)
        sums = (sums[0] + white, sums[1] + drawn, sums[2] + black)
    if open_at is not None:
        yield (*open_at, sums)
