"""Reflection time in days: what each move of a correspondence game has cost, leave, and when a limit is overstepped.

Days are calendar days: the date on which a move was sent less the one on which the other's move was received, so an
answer on the same day costs nothing. Sources, as the articles are numbered there:

- ICCF Rules 2.4.2 (webserver): "whole days", what a single move takes beyond twenty days counts twice, what is saved is
  carried forward, and nothing is counted during leave. ICCF counts in periods of 24 hours, which needs a server that
  stamps every move; by letter days are counted by their dates.
- ICCF Playing Rules Email (2005), 2 f to i: a letter tells when the last move was received and when it is answered;
  "failing this, reasonable dates shall be assumed by the recipient".
- ICCF Playing Rules Guidelines (2003), 3a: after fourteen days without an answer a move is sent again; 3b: after forty
  days the game may be scored as lost.
- Leave: 45 days in a calendar year, what is not taken is forfeited (ICCF proposal 2015-010 tells the rule in force).

The date is always an argument: nothing here asks a calendar.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import chess

from voicechess.laws.time_controls import Days
from voicechess.messages import Failure

DOUBLE_AFTER = 20
"""Days of a single move from which each further one counts twice (ICCF 2.4.2)."""

LEAVE_DAYS = 45
"""Days of leave that each side has in a calendar year."""

REPEAT_AFTER = 14
"""Days without an answer after which a letter is to be sent again."""

SILENT_AFTER = 40
"""Days without an answer after which a game may be scored as lost."""

SHORT_DAYS = 3
"""Days left from which there is a reminder. Larger: sooner."""


@dataclass(frozen=True, slots=True)
class Replied:
    """A move and its time."""

    colour: chess.Color
    received: date  # when the opponent's move was
    sent: date  # when this one was
    promised: bool = False  # a conditional move, which costs nothing


@dataclass(frozen=True, slots=True)
class Leave:
    """Days of leave of a side."""

    colour: chess.Color
    first: date
    last: date  # included


@dataclass(frozen=True, slots=True)
class DaysLeft:
    """One side's time on a day."""

    left: int  # days to the next control; 0: the last one in time; negative: overstepped
    used: int  # all days charged so far
    moves_left: int | None  # to be made in `left`; None: the days are for this move alone
    thinking: int = 0  # days of the current move, as charged
    overstepped: bool = False  # the limit was exceeded, now or by a move before


def taken(received: date, sent: date, colour: chess.Color, leaves: Iterable[Leave] = ()) -> int:
    """The days between the two dates that were not days of leave of `colour`. Never negative."""
    free: set[date] = set()
    for leave in leaves:
        if leave.colour == colour:
            first, last = max(leave.first, received + timedelta(days=1)), min(leave.last, sent)
            free.update(first + timedelta(days=number) for number in range((last - first).days + 1))
    return max(0, (sent - received).days - len(free))


def charged(days: int) -> int:
    """What a single move that took `days` is charged: those beyond `DOUBLE_AFTER` count twice (ICCF 2.4.2)."""
    return days + max(0, days - DOUBLE_AFTER)


def account(
    given: Days,
    answers: Sequence[Replied],
    colour: chess.Color,
    leaves: Sequence[Leave] = (),
    since: date | None = None,
    today: date | None = None,
) -> DaysLeft:
    """The account of `colour` after these moves (of both sides, in order).

    `since`: when the other's last move was received, where `colour` is to move; then the days until `today` count too.
    """
    used = made = 0
    overstepped = False
    for answer in answers:
        if answer.colour != colour:
            continue
        days = 0 if answer.promised else taken(answer.received, answer.sent, colour, leaves)
        cost = charged(days) if given.moves is not None else days
        used, made = used + cost, made + 1
        overstepped |= cost > given.days if given.moves is None else used > given.days * -(-made // given.moves)
    thinking = 0
    if since is not None and today is not None:
        days = taken(since, today, colour, leaves)
        thinking = charged(days) if given.moves is not None else days
    if given.moves is None:
        return DaysLeft(given.days - thinking, used + thinking, None, thinking, overstepped or thinking > given.days)
    left = given.days * (made // given.moves + 1) - used - thinking
    return DaysLeft(left, used + thinking, given.moves - made % given.moves, thinking, overstepped or left < 0)


def leave_left(leaves: Iterable[Leave], colour: chess.Color, year: int) -> int:
    """The days of leave that a side still has in a calendar year."""
    days = {
        leave.first + timedelta(days=number)
        for leave in leaves
        if leave.colour == colour
        for number in range((leave.last - leave.first).days + 1)
    }
    return LEAVE_DAYS - sum(day.year == year for day in days)


def take_leave(leaves: Sequence[Leave], colour: chess.Color, first: date, days: int) -> Leave:
    """Leave of so many days from `first` on. Raises `Failure`: none, more than a year has, or more than is left."""
    if not 1 <= days <= LEAVE_DAYS:
        raise Failure("leave.error.days", {"most": LEAVE_DAYS})
    leave = Leave(colour, first, first + timedelta(days=days - 1))
    for year in {leave.first.year, leave.last.year}:
        if leave_left((*leaves, leave), colour, year) < 0:
            raise Failure("leave.error.too_much", {"days": max(0, leave_left(leaves, colour, year))})
    return leave
