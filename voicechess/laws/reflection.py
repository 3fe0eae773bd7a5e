"""Reflection time in days: what each move of a correspondence game is charged, leave, and exceeded limits.

Days are calendar days: the date on which a move was sent minus the date on which the opponent's was received, so a
reply on the same day is free. Sources, with their article numbers:

- ICCF Rules 2.4.2 (webserver): "whole days"; days beyond the twentieth of a single move count twice, saved days carry
  over, and no days are counted during leave. ICCF counts periods of 24 hours, which needs a server that stamps every
  move; by letter, dates are subtracted.
- ICCF Playing Rules Email (2005), 2 f to i: a letter tells when the last move was received and when it is answered;
  "failing this, reasonable dates shall be assumed by the recipient".
- ICCF Playing Rules Guidelines (2003), 3a: after fourteen days without a reply a move is sent again; 3b: after forty
  days the game may be scored as lost.
- Leave: 45 days in a calendar year, forfeited if not taken (ICCF proposal 2015-010 states the rule in force).

The current date is always an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import chess

from voicechess.laws.time_controls import Days
from voicechess.messages import Failure

DOUBLE_AFTER = 20
"""Days of a single move beyond which each counts twice (ICCF 2.4.2)."""

LEAVE_DAYS = 45
"""Days of leave of each side in a calendar year."""

REPEAT_AFTER = 14
"""Days without a reply after which a letter is to be sent again."""

SILENT_AFTER = 40
"""Days without a reply after which a game may be scored as lost."""

SHORT_DAYS = 3
"""Days left at which a reminder is given. Larger: earlier."""


@dataclass(frozen=True, slots=True)
class Replied:
    """A move's sender and dates."""

    colour: chess.Color
    received: date  # when the opponent's move was received
    sent: date  # when this one was sent
    promised: bool = False  # the reply of a conditional move, which is free


@dataclass(frozen=True, slots=True)
class Leave:
    """A span of leave of one side."""

    colour: chess.Color
    first: date
    last: date  # inclusive


@dataclass(frozen=True, slots=True)
class DaysLeft:
    """One side's reflection time on a given day."""

    left: int  # days to the next control; 0: the last day in time; negative: exceeded
    used: int  # all days charged so far
    moves_left: int | None  # moves to be made in `left` days; None: they are for this move alone
    thinking: int = 0  # days charged for the current move so far
    overstepped: bool = False  # the limit is exceeded, now or by an earlier move


def taken(received: date, sent: date, colour: chess.Color, leaves: Iterable[Leave] = ()) -> int:
    """Days from `received` to `sent` without the leave of `colour`; at least 0."""
    free: set[date] = set()
    for leave in leaves:
        if leave.colour == colour:
            first, last = max(leave.first, received + timedelta(days=1)), min(leave.last, sent)
            free.update(first + timedelta(days=number) for number in range((last - first).days + 1))
    return max(0, (sent - received).days - len(free))


def charged(days: int) -> int:
    """Days charged for a move that took `days`: those beyond `DOUBLE_AFTER` count twice (ICCF 2.4.2)."""
    return days + max(0, days - DOUBLE_AFTER)


def account(
    given: Days,
    answers: Sequence[Replied],
    colour: chess.Color,
    leaves: Sequence[Leave] = (),
    since: date | None = None,
    today: date | None = None,
) -> DaysLeft:
    """The reflection time of `colour` after these moves of both sides, in order.

    `since`: when the opponent's last move was received, if `colour` is to move; the days until `today` are charged too.
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
    """The remaining days of leave of a side in a calendar year."""
    days = {
        leave.first + timedelta(days=number)
        for leave in leaves
        if leave.colour == colour
        for number in range((leave.last - leave.first).days + 1)
    }
    return LEAVE_DAYS - sum(day.year == year for day in days)


def take_leave(leaves: Sequence[Leave], colour: chess.Color, first: date, days: int) -> Leave:
    """Leave of `days` days from `first` on. Raises `Failure` for fewer than one, or more than a year has or has
    left."""
    if not 1 <= days <= LEAVE_DAYS:
        raise Failure("leave.error.days", {"most": LEAVE_DAYS})
    leave = Leave(colour, first, first + timedelta(days=days - 1))
    for year in {leave.first.year, leave.last.year}:
        if leave_left((*leaves, leave), colour, year) < 0:
            raise Failure("leave.error.too_much", {"days": max(0, leave_left(leaves, colour, year))})
    return leave
