"""A missing player: at the start of a game (Laws 2009, 6.6; 2023, 6.7) or at a resumption (2009, Appendix G; 2023,
Guidelines I). The program cannot see who is at the board, so it is told, and asks for confirmation.

At the start White's clock runs, whichever side is missing: Black's starts with White's first move. At a resumption the
missing side's clock runs, and the other may seal its reply (`adjourning`). The side that has not arrived by the default
time loses; if neither has, both lose.
"""

from __future__ import annotations

from dataclasses import replace

import chess

from voicechess.game import adjourning, questions, stopping
from voicechess.game.phases import Phase
from voicechess.game.situation import Absent
from voicechess.game.state import Table
from voicechess.laws.results import Ending, Way
from voicechess.meaning import Command
from voicechess.messages import Duration, Side, Slot


def absent(table: Table, command: Command) -> None:
    """ "Schwarz fehlt", or "beide fehlen": really?"""
    colours = _told(table, command)
    both = len(colours) > 1
    side: dict[str, Slot] = {} if both else {"side": Side(colours[0])}
    if table.base_phase is Phase.OVER:
        _also(table, command)
    elif table.kind.against_engine:
        table.say("absent.against_machine")
    elif all(table.is_missing(colour) for colour in colours):
        table.say("absent.known_both" if both else "absent.known", side)
    elif table.base_phase is not Phase.ADJOURNED and not _may_be_missing(table, colours):
        table.say("absent.has_moved_both" if both else "absent.has_moved", side)
    else:
        questions.confirm(table, command, side, f"confirm.{command.name}_loses" if _loses(table) else "")


def _loses(table: Table) -> bool:
    """Whether the missing side has lost by now."""
    if table.base_phase is Phase.ADJOURNED:
        return adjourning.loses_at_once(table)
    loses_at_ms = table.started_ms + table.default_ms if table.absent is None else table.absent.loses_at_ms
    return loses_at_ms is not None and loses_at_ms <= table.now_ms


def _told(table: Table, command: Command) -> tuple[chess.Color, ...]:
    """The sides reported missing."""
    return (chess.WHITE, chess.BLACK) if command.name == "absent_both" else (table.speaker_of(command),)


def _may_be_missing(table: Table, colours: tuple[chess.Color, ...]) -> bool:
    """Whether these sides may still be missing: those that have not moved; at a resumption, the side to reply to the
    sealed move."""
    replies = colours == (table.turn,) and table.may_seal_reply
    return replies or not any(table.clock.moves(colour) for colour in colours)


def _also(table: Table, command: Command) -> None:
    """One side has lost by default, and now the other is reported missing as well: both lose."""
    winner = table.ending.winner if table.ending is not None and table.ending.way is Way.LATE else None
    if winner is None or table.clock.moves(winner) or winner not in _told(table, command):
        table.say("over.no_moves")
        return
    questions.confirm(
        table,
        command,
        {"side": Side(winner)},
        "confirm.absent_also",
        agreed=lambda table, _: stopping.finish(table, Ending(Way.BOTH_LATE)),
    )


def confirmed(table: Table, command: Command) -> None:
    """Confirmed: the side is missing. At a resumption, find out for how long; at the start, when it loses."""
    before = table.absent
    colours = tuple(dict.fromkeys((*(before.colours if before else ()), *_told(table, command))))
    if table.adjournment is not None:
        adjourning.missing(table, colours)
        return
    if before is None:
        table.absent = Absent(colours, table.started_ms + table.default_ms)
    else:
        table.absent = replace(before, colours=colours)
    loses_at_ms = table.absent.loses_at_ms
    table.step_to_base()
    if loses_at_ms is None:
        table.say("absent.noted", {"side": Side(colours[-1])})
    elif loses_at_ms <= table.now_ms:
        overdue(table)
    elif len(colours) > 1:
        table.say("absent.both_lose_in", {"duration": Duration(loses_at_ms - table.now_ms)})
    else:
        left = Duration(loses_at_ms - table.now_ms)
        table.say("absent.loses_in", {"side": Side(colours[0]), "duration": left})


def present(table: Table, command: Command) -> None:
    """ "Schwarz ist hier": a resumption goes on, if this is the side that it waits for."""
    colour = table.speaker_of(command)
    if not table.is_missing(colour):
        table.say("absent.nobody")
    elif table.base_phase is Phase.ADJOURNED and colour != table.turn:
        adjourning.resume(table)
    else:
        table.say("absent.came", {"side": Side(colour)})
        table.came(colour)


def overdue(table: Table) -> None:
    """The missing side's default time is over. A game that the sealed move has ended keeps its result."""
    assert table.absent is not None, "somebody is missing"
    if table.adjournment is not None:
        adjourning.overdue(table)
    elif len(table.absent.colours) > 1:
        stopping.finish(table, Ending(Way.BOTH_LATE))
    else:
        stopping.finish(table, Ending(Way.LATE, not table.absent.colours[0]))
