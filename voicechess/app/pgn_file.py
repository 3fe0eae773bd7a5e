"""A PGN file from any source: any number of games, in any of the usual encodings.

For a long file only the positions of its games are kept in memory, and games are read on demand.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, overload

from voicechess.messages import Failure, Text
from voicechess.score.pgn import read_game, read_tags, title
from voicechess.score.pgn_index import MAX_BYTES, PgnIndex, as_utf8
from voicechess.score.score import Score


class PgnFile(Sequence[str]):
    """The games of a file and, as a sequence, their titles ("": unknown), in file order.

    Games are numbered from 1, titles from 0. `unchanged`: whether a `long` file, which is not in memory, is still the
    same.
    """

    def __init__(self, file: BinaryIO, unchanged: Callable[[], bool] | None = None) -> None:
        self.long = unchanged is not None
        self._index, self._unchanged = PgnIndex(file), unchanged or (lambda: True)
        if not self._index.has(1):
            raise Failure("pgn.error.empty", {"game": 1})

    @classmethod
    def at(cls, path: Path) -> PgnFile:
        """Open a file. Raises `Failure` if it cannot be read or has no game."""
        try:
            if not path.is_file():  # a pipe may never end, and /dev/zero does not
                raise OSError(f"not a file: {path}")
            file = path.open("rb")
            before = os.fstat(file.fileno())
            if before.st_size <= MAX_BYTES:
                with file:
                    return cls(as_utf8(io.BytesIO(file.read(MAX_BYTES)), io.BytesIO()))

            def unchanged() -> bool:
                now = os.fstat(file.fileno())
                return (now.st_size, now.st_mtime_ns) == (before.st_size, before.st_mtime_ns)

            return cls(as_utf8(file, tempfile.TemporaryFile()), unchanged)
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            raise Failure("cli.unreadable", {"path": Text(str(path))}) from error

    def has(self, number: int) -> bool:
        """Whether a game of this number exists; reads no further than that."""
        return self._index.has(number)

    def text(self, number: int) -> str:
        """The game's text. Raises `Failure` if it can no longer be read, or is too long for a game."""
        if not self._unchanged():
            raise Failure("pgn.error.changed")
        return self._index.text(number)

    def end_of(self, number: int) -> int:
        """The offset behind a game in bytes. Raises IndexError if there is no such game."""
        return self._index.end(number)

    def tags(self, number: int) -> dict[str, str]:
        """The game's tags as far as they can be read. Raises `Failure` if the file has changed."""
        if not self._unchanged():
            raise Failure("pgn.error.changed")
        return read_tags(self._index.head(number))

    def score(self, number: int) -> Score:
        """The game's score. Raises `Failure` with the reason if it cannot be read."""
        return read_game(self.text(number), number)

    def readable(self, most: int) -> Iterator[Score]:
        """The first readable games, at most `most`. Raises the first `Failure` if there are none."""
        first: Failure | None = None
        found = number = 0
        while found < most and self.has(number := number + 1):
            try:
                score = self.score(number)
            except Failure as failure:
                first = first or failure
                continue
            found += 1
            yield score
        if first is not None and not found:
            raise first

    def __len__(self) -> int:
        return len(self._index)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(*place.indices(len(self))))
        if not self.has(place + 1):
            raise IndexError(place)
        return title(read_tags(self._index.head(place + 1)))
