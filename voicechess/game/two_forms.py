"""Queries that have a short and a long answer, and which of them the player wants: remembered for each query."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from voicechess.game import queries
from voicechess.game.agreement import TWO_FORMS, answers_text
from voicechess.game.effects import KeepChoice
from voicechess.game.state import Table
from voicechess.meaning import Command
from voicechess.messages import Phrase

_Do = Callable[[Table, Command], None]

_ONE_SIDE: Mapping[str, _Do] = {"short": queries.one_side_in_short, "long": queries.one_side}

_ANSWERS: Mapping[str, Mapping[str, _Do]] = {
    "position": {"short": queries.position, "long": queries.position_whole},
    "position_colour": _ONE_SIDE,
    "own_pieces": _ONE_SIDE,
    "other_pieces": _ONE_SIDE,
    "material": {"short": queries.material_difference, "long": queries.material},
    "last_move": {"short": queries.last_move, "long": queries.last_moves_of_both},
    "time": {"short": queries.time_in_short, "long": queries.time},
}

_WANTED = {"shorter": "short", "longer": "long"}

_LONG = {"position_whole": "position"}
"""Queries that are another one's long answer, whatever is remembered for that one."""


def answer(table: Table, command: Command) -> None:
    """Answer in the form that the player wants for this query."""
    table.told.query = command
    name = _LONG.get(command.name, command.name)
    _ANSWERS[name][_form(table, command.name)](table, command)


def _form(table: Table, name: str) -> str:
    return "long" if name in _LONG else table.told.forms.get(name, TWO_FORMS[name])


def change(table: Table, command: Command) -> None:
    """ "Kürzer", "ausführlicher", "wie vorher": the query that was answered last is answered so from now on. What is
    to be longer is told at once, since the player wants to hear it, and so is what is short as usual after "ganze
    Stellung"."""
    query = table.told.query
    if query is None:
        table.say("answers.none")
        return
    name = _LONG.get(query.name, query.name)
    wanted = _WANTED.get(command.name, TWO_FORMS[name])
    if wanted == _form(table, query.name):
        table.say(f"answers.{command.name}_already")
        return
    if wanted == _form(table, name):
        answer(table, Command(name))
        return
    table.told.forms[name] = wanted
    table.do(KeepChoice({"answers": answers_text(table.told.forms)}))
    table.say(f"answers.{command.name}", {"query": Phrase(f"answers.name.{name}")})
    if command.name == "longer":
        answer(table, query)
