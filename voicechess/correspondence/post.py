"""State of a correspondence game besides the board: date, leave, conditional moves, and what was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

import chess

from voicechess.game.agreement import Correspondence
from voicechess.game.conditional import Conditional
from voicechess.game.kind import Kind
from voicechess.game.state import Table
from voicechess.laws.reflection import Leave, Replied
from voicechess.score.letters import Letter


@dataclass(slots=True)
class Post:
    """State of a correspondence game besides board and score."""

    terms: Correspondence
    day: date = date.min  # the current date
    began: date = date.min  # date of the start
    key: str = ""  # identifies the game in its lines
    out: int = 0  # plies that are in a line already shown, and cannot be taken back
    seen: int = 0  # plies that were processed
    promised: tuple[Conditional, ...] = ()  # conditional moves of the player here in this position
    offered: tuple[Conditional, ...] = ()  # likewise the other side's
    before: dict[int, tuple[tuple[Conditional, ...], tuple[Conditional, ...]]] = field(default_factory=dict)
    """Number of plies -> both sides' conditional moves then."""
    leaves: tuple[Leave, ...] = ()
    untold: Leave | None = None  # leave that no line has reported yet
    letter: Letter | None = None  # the line being applied
    keeps_promise: bool = False  # the move being made was a conditional one

    def settle(self, plies: int) -> None:
        """A move was made, for a total of `plies`: earlier promises end."""
        self.before[plies - 1] = self.promised, self.offered
        self.promised, self.offered, self.seen = (), (), plies

    def return_to(self, plies: int) -> None:
        """Moves were taken back, leaving `plies`: the promises of that position apply again."""
        self.promised, self.offered = self.before.get(plies, ((), ()))
        self.seen = plies

    @property
    def own(self) -> chess.Color:
        """The side of the player here."""
        return self.terms.colour

    def stamp(self, mover: chess.Color, arrived: date | None) -> tuple[Replied, date]:
        """Dates of a move made now by `mover`, and when the other side receives it. `arrived`: when the previous move
        arrived.

        A line has both dates; a missing or impossible one is replaced by the nearest possible day.
        """
        had = min(arrived or self.began, self.day)
        if self.keeps_promise:
            return Replied(mover, self.day, self.day, promised=True), self.day
        if mover == self.own or self.letter is None:
            return Replied(mover, had, self.day), self.day
        sent = _between(self.letter.sent, had, self.day, self.day)
        return Replied(mover, _between(self.letter.received, had, sent, had), sent), self.day


def date_of(text: str) -> date | None:
    """The day of an ISO date; None where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _between(told: str, first: date, last: date, otherwise: date) -> date:
    day = date_of(told)
    return otherwise if day is None else min(max(day, first), last)


@dataclass
class Posted(Kind[Table]):
    """What the parts of a correspondence game share."""

    post: Post


def post_of(table: Table) -> Post:
    """What a correspondence game knows besides the board."""
    assert isinstance(table.kind, Posted), "the game is by correspondence"
    return table.kind.post
