"""The opening of a game, by its last known position, so that transpositions count.

The table is `openings.toml`. A name is a family with an optional variation: "Sicilian Defense: Najdorf Variation".
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
"""Plies of a game that are looked up; more than the longest row of the table."""


@dataclass(frozen=True, slots=True)
class NamedOpening:
    """A row of the table."""

    eco: str  # ECO code, "B90"
    moves: str  # moves leading to it, in SAN
    english: str
    german: str

    @property
    def spoken(self) -> Name:
        """Its name for speech, with a comma before the variation."""
        return Name({"en": self.english.replace(": ", ", "), "de": self.german.replace(": ", ", ")})


@cache
def table() -> tuple[NamedOpening, ...]:
    """All known openings."""
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
    """The opening with this English name, as written in PGN files; None if unknown."""
    return next((one for one in table() if one.english == english), None)


def opening_of(board: chess.Board) -> NamedOpening | None:
    """The opening of the game on the board's move stack; None if none of its positions is known."""
    known, found = _by_position(), None
    played = board.root()
    for move in board.move_stack[:MAX_PLIES]:
        played.push(move)
        found = known.get(played.epd(), found)
    return found
