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
    """`day`: today, as it was last told. `out`: so many plies stand in a line that has been shown, and cannot be taken
    back. `seen`: so many have been dealt with. `promised`: this side's conditional moves in the position at hand,
    `offered`: the other's; `before`: both, as they were after so many plies. `untold`: leave that no line has told of
    yet. `letter`: the line that is being taken. `keeps_promise`: the move that is being made was promised.
    """

    terms: Correspondence
    day: date = date.min
    began: date = date.min
    key: str = ""
    out: int = 0
    seen: int = 0
    promised: tuple[Conditional, ...] = ()
    offered: tuple[Conditional, ...] = ()
    before: dict[int, tuple[tuple[Conditional, ...], tuple[Conditional, ...]]] = field(default_factory=dict)
    leaves: tuple[Leave, ...] = ()
    untold: Leave | None = None
    letter: Letter | None = None
    keeps_promise: bool = False

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
