"""Somebody is not there: at the start of a game (Laws 2009, 6.6; 2023, 6.7) or at a resumption (2009, Appendix G; 2023,
Guidelines I). The program cannot see who sits at the board, so it is told, and asks back.

At the start White's clock runs, whichever side is missing: Black's begins with White's first move. At a resumption the
clock of the side that is missing runs, and the other one may seal its reply (`adjourning`). The side that has not come
when the default time is over has lost; without a default time only the clock counts.
"""

from __future__ import annotations

from voicechess.game import adjourning, questions, state
from voicechess.game.effects import OpenEnvelope
from voicechess.game.phases import Phase
from voicechess.game.state import Absent, Table
from voicechess.laws.results import Ending, Way
from voicechess.meaning import Command
from voicechess.messages import Duration, Side, Slot


def absent(table: Table, command: Command) -> None:
    """ "Schwarz fehlt": really?"""
    colour = table.speaker_of(command)
    side: dict[str, Slot] = {"side": Side(colour)}
    if table.engine is not None:
        table.say("absent.against_machine")
    elif table.absent is not None and table.absent.colour == colour:
        table.say("absent.known", side)
    elif table.base_phase is Phase.ADJOURNED:
        questions.confirm(table, command, side)
    elif table.clock.moves(colour):
        table.say("absent.has_moved", side)
    else:
        loses = table.default_ms is not None and table.now_ms >= table.started_ms + table.default_ms
        questions.confirm(table, command, side, "confirm.absent_loses" if loses else "")


def confirmed(table: Table, command: Command) -> None:
    """That side is missing: at a resumption it is looked how long, at the start when it has lost."""
    colour = table.speaker_of(command)
    if table.adjournment is not None:
        table.step_to_base()
        table.absent = Absent(colour)
        table.do(OpenEnvelope(table.adjournment.envelope, wanted=colour == table.turn))
        return
    if table.default_ms is None:
        table.absent = Absent(colour)
        table.say("absent.noted", {"side": Side(colour)})
    else:
        table.absent = Absent(colour, table.started_ms + table.default_ms)
        left_ms = table.started_ms + table.default_ms - table.now_ms
        if left_ms <= 0:
            overdue(table)
            return
        table.say("absent.loses_in", {"side": Side(colour), "duration": Duration(left_ms)})
    table.step_to_base()


def present(table: Table, command: Command) -> None:
    """ "Schwarz ist hier": a resumption goes on."""
    if table.absent is None or table.absent.colour != table.speaker_of(command):
        table.say("absent.nobody")
    elif table.base_phase is Phase.ADJOURNED:
        adjourning.resume(table)
    else:
        table.say("absent.came", {"side": Side(table.absent.colour)})
        table.absent = None


def overdue(table: Table) -> None:
    """The default time of the side that is missing is over. What a sealed move has ended stays as it ended."""
    assert table.absent is not None, "somebody is missing"
    if table.adjournment is not None:
        adjourning.overdue(table)
    else:
        state.finish(table, Ending(Way.LATE, not table.absent.colour))
