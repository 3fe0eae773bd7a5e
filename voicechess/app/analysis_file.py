"""Files of analyses: beside the player's PGN file, which is never overwritten, or in the program's data folder.

An analysis is written whole at every change and renamed into place, so that a crash leaves the previous one.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path
from zlib import crc32

from voicechess import own_files
from voicechess.app.pgn_file import PgnFile
from voicechess.messages import Failure, Text
from voicechess.practice.effects import KeepAnalysis
from voicechess.practice.exercises.analysed import AnalysedGame
from voicechess.score.pgn import read_game, write_pgn
from voicechess.score.score import Score
from voicechess.storage.places import data_folder

MARK = ".analysis"
"""Inserted before the suffix: "game.pgn" is analysed in "game.analysis.pgn"."""

_MOST_NAMES = 100
"""File names tried for one analysis, at most: "x.pgn", "x (2).pgn", … Larger: more analyses of one game."""


class AnalysisFile:
    """The games in `file`. Analyses are written to `folder`, to files whose names start with `stem`."""

    def __init__(self, file: PgnFile, folder: Path, stem: str) -> None:
        self.games = file
        self._folder, self._stem = folder, stem
        self.book = str(folder / stem)  # identifies it among all, also when it is opened again
        self._paths: dict[int, Path] = {}

    @classmethod
    def at(cls, path: Path) -> AnalysisFile:
        """From the player's file. Raises `Failure` if it cannot be read or has no game."""
        file = PgnFile.at(path)
        beside = os.access(path.absolute().parent, os.W_OK)
        return cls(file, path.absolute().parent if beside else _own_folder(), path.stem)

    @classmethod
    def of(cls, score: Score) -> AnalysisFile:
        """From a game played in this program."""
        text = write_pgn(score)
        moves = " ".join(made.move.uci() for made in score.entries)
        played = crc32(f"{score.fen} {moves}".encode())
        file = PgnFile(io.BytesIO(text.encode()))
        return cls(file, _own_folder(), f"{score.date.replace('.', '-').replace('?', '0')}-{played:08x}")

    def opened(self, number: int) -> AnalysedGame:
        """The game of this number, from 1, with the analysis added when it was open before.

        Raises `Failure` if it cannot be read.
        """
        text = self.games.text(number)
        score = read_game(text, number)
        several = f"-{number}" if self.games.has(2) else ""
        own = self._stem.endswith(MARK) and not several  # an analysis is continued in place
        stem = self._stem if own else f"{self._stem}{MARK}{several}"
        for again in range(1, _MOST_NAMES):
            path = self._folder / (f"{stem}.pgn" if again == 1 else f"{stem} ({again}).pgn")
            if not path.exists():
                break
            kept = _continued(path, score)
            if kept is not None:
                self._paths[number] = path
                return AnalysedGame(score, kept, str(path), kept=True)
        self._paths[number] = path
        return AnalysedGame(score, text, str(path))

    def keep(self, kept: KeepAnalysis) -> None:
        """Write it. Raises `Failure` on errors."""
        path = self._paths[kept.game]
        try:
            own_files.make_folder(path.parent)
            descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=MARK)
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.write(kept.pgn)
                    file.flush()
                    os.fsync(file.fileno())
                own_files.put_in_place(Path(temporary), path)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    Path(temporary).unlink()
        except OSError as error:
            raise Failure("cli.unwritable", {"path": Text(str(path))}) from error


def _own_folder() -> Path:
    return data_folder() / "analyses"


def _continued(path: Path, score: Score) -> str | None:
    """The analysis in this file, if it is of this game."""
    try:
        file = PgnFile.at(path)
        found = file.score(1)
    except Failure:
        return None
    played, kept = ([made.move for made in one.entries] for one in (score, found))
    same = not file.has(2) and found.start() == score.start() and kept[: len(played)] == played
    return file.text(1) if same else None
