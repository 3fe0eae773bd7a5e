"""Time in a correspondence game: days used, announcements and claims about them, and leave.

Days are counted by `laws.reflection`.
"""

from __future__ import annotations

from datetime import date

import chess

from voicechess.correspondence.post import Post, date_of, post_of
from voicechess.game import questions, stopping
from voicechess.game.phases import Phase
from voicechess.game.state import Table
from voicechess.laws import reflection
from voicechess.laws.mating import can_mate
from voicechess.laws.reflection import SHORT_DAYS, DaysLeft, Leave
from voicechess.laws.results import Way, lost
from voicechess.meaning import Command
from voicechess.messages import CalendarDay, Failure, Phrase, Side, Slot, Text


def day_came(table: Table, day: str) -> None:
    """The current date. Never decreases."""
    post, came = post_of(table), date_of(day)
    if came is not None:
        post.began = came if post.began == date.min else post.began
        post.day = max(post.day, came)


def account(table: Table, colour: chess.Color) -> DaysLeft | None:
    """A side's used and remaining days; None without a time control."""
    post, days = post_of(table), table.clock.control.days
    if days is None:
        return None
    thinks = table.turn == colour and table.phase is not Phase.OVER
    since = _arrived(table) if thinks else None
    answers = [ply.answered for ply in table.plies if ply.answered is not None]
    return reflection.account(days, answers, colour, post.leaves, since, post.day)


def _arrived(table: Table) -> date:
    """Date on which the last move was received; before the first, the start."""
    arrived = table.plies[-1].arrived if table.plies else None
    return arrived or post_of(table).began


def silence(table: Table) -> int:
    """Days without an answer from the other side, its leave excluded."""
    post = post_of(table)
    if table.turn == post.own:
        return 0
    return reflection.taken(_arrived(table), post.day, not post.own, post.leaves)


def reminders(table: Table) -> tuple[Phrase, ...]:
    """Reminders of the time when the game is opened."""
    post = post_of(table)
    if table.phase is Phase.OVER:
        return ()
    turn, told = table.turn, list[Phrase]()
    side: dict[str, Slot] = {"side": Side(turn)}
    leave = next((one for one in post.leaves if one.colour == turn and one.first <= post.day <= one.last), None)
    if leave is not None:
        told.append(Phrase("post.on_leave", {**side, "day": _day(leave.last)}))
    found, quiet = account(table, turn), silence(table)
    if found is not None:
        if found.overstepped:
            claims = [Phrase("post.claim")] if turn != post.own else []
            return (*told, Phrase("post.overstepped", side), *claims)
        if not found.left:
            told.append(Phrase("post.last_day", side))
        elif found.left <= SHORT_DAYS:
            told.append(_left(turn, found))
        if found.moves_left is not None and found.thinking > reflection.DOUBLE_AFTER:
            told.append(Phrase("post.doubled", side))
    if quiet >= reflection.REPEAT_AFTER:
        told.append(Phrase("post.silent", {**side, "days": quiet}))
    if _claimable(table):
        told.append(Phrase("post.claim"))
    return tuple(told)


def _left(colour: chess.Color, found: DaysLeft) -> Phrase:
    slots: dict[str, Slot] = {"side": Side(colour), "left": _days(max(0, found.left))}
    if found.moves_left is None or found.moves_left == 1:
        return Phrase("post.left_move", slots)
    return Phrase("post.left_moves", {**slots, "moves": found.moves_left})


def _days(count: int) -> Phrase:
    return Phrase("post.day") if count == 1 else Phrase("post.days", {"days": count})


def _day(day: date) -> CalendarDay:
    return CalendarDay(day.month, day.day)


def tell_time(table: Table) -> bool:
    """Both sides' days, where days were agreed."""
    for colour in chess.COLORS:
        found = account(table, colour)
        if found is None:
            return False
        if found.overstepped:
            table.say("post.overstepped", {"side": Side(colour)})
        else:
            told = _left(colour, found)
            table.say(told.key, told.slots)
    return True


def _claimable(table: Table) -> bool:
    """Whether the other side has lost on time: overstepped, or silent for too long."""
    found = account(table, not post_of(table).own)
    return (found is not None and found.overstepped) or silence(table) >= reflection.SILENT_AFTER


def claim_time(table: Table, command: Command) -> None:
    """ "Zeit abgelaufen": by letter it is the other side who has to say so."""
    other: dict[str, Slot] = {"side": Side(not post_of(table).own)}
    if _claimable(table):
        questions.confirm(table, command, other, "confirm.claim_flag")
    else:
        table.say("post.no_claim", other)


def time_claimed(table: Table, command: Command) -> None:
    """The game is won by the other side's time, if it can be won."""
    own = post_of(table).own
    stopping.finish(table, lost(Way.TIME, not own, can_mate(table.board, own)))
    table.say("post.ready_last")


# --- leave ------------------------------------------------------------------------------------------------------------


def leave(table: Table, command: Command) -> None:
    """ "Urlaub zehn Tage": from today on."""
    found = _leave(table, command)
    if found is not None:
        questions.confirm(table, command, {"first": _day(found.first), "last": _day(found.last)})


def leave_taken(table: Table, command: Command) -> None:
    """Leave is not counted, and the next line reports it."""
    post, found = post_of(table), _leave(table, command)
    table.step_to_base()
    if found is not None:
        post.leaves, post.untold = (*post.leaves, found), found
        table.say("post.leave_taken")


def _leave(table: Table, command: Command) -> Leave | None:
    post, days = post_of(table), command.slot("number")
    try:
        return reflection.take_leave(post.leaves, post.own, post.day, days if isinstance(days, int) else 0)
    except Failure as failure:
        table.say(failure.key, failure.slots)
        return None


def their_leave(table: Table, post: Post, told: tuple[str, str], alone: bool) -> None:
    """The other side's leave, within a year's limit. `alone`: the line contains nothing else."""
    first, last = (date_of(one) for one in told)
    if first is None or last is None or last < first:
        table.say("letter.error.date", {"text": Text("/".join(told))})
        return
    side: dict[str, Slot] = {"side": Side(not post.own)}
    days = (last - first).days + 1
    if Leave(not post.own, first, last) in post.leaves:
        if alone:
            table.say("post.old")
        return
    try:
        leave = reflection.take_leave(post.leaves, not post.own, first, days)
    except Failure:
        table.say("post.no_leave", side)
        return
    post.leaves = (*post.leaves, leave)
    table.say("post.their_leave", {**side, "first": _day(first), "last": _day(last)})
