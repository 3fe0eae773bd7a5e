"""Which opening a game is: by position, so that transpositions count, looked up backwards from the last one.

The table is `openings.toml`. An opening has a family and perhaps a variation, as "Sicilian Defense: Najdorf Variation".
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import chess

from voicechess.messages import Name

MAX_PLIES = 40
"""Plies up to which an opening is looked for; the longest row of the table has fewer."""


@dataclass(frozen=True, slots=True)
class NamedOpening:
    """A row of the table."""

    eco: str  # its code: "B90"
    moves: str  # that lead to it, in short algebraic notation
    english: str
    german: str

    @property
    def spoken(self) -> Name:
        """Its name, with a comma before the variation."""
        return Name({"en": self.english.replace(": ", ", "), "de": self.german.replace(": ", ", ")})


@cache
def table() -> tuple[NamedOpening, ...]:
    """All openings that are known."""
    text = (resources.files("voicechess.score") / "openings.toml").read_text(encoding="utf-8")
    return tuple(NamedOpening(*row) for row in tomllib.loads(text)["openings"])


@cache
def _by_position() -> Mapping[str, NamedOpening]:
    found = {}
    for opening in table():
        board = chess.Board()
        for san in opening.moves.split():
            board.push_san(san)
        found[board.epd()] = opening
    return found


@cache
def named(english: str) -> NamedOpening | None:
    """The opening of this English name, as a PGN file has it; None: the table has none of it."""
    return next((one for one in table() if one.english == english), None)


def opening_of(board: chess.Board) -> NamedOpening | None:
    """The opening of the game whose moves are on the board's stack; None where no position of it is known."""
    known, found = _by_position(), None
    played = board.root()
    for move in board.move_stack[:MAX_PLIES]:
        played.push(move)
        found = known.get(played.epd(), found)
    return found
