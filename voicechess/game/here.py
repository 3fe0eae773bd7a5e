"""Suggestions for unrecognised words: two or three things that can be said here (issue 50)."""

from __future__ import annotations

from voicechess.game.commands import COMMANDS, refusal, sayable
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.state import Table
from voicechess.messages import Listing, Phrase

MOST = 3
"""Most suggestions. Larger: longer answers to words that mean nothing."""

_MOVE = "move"

_NAMED: dict[Phase, tuple[str, ...]] = {
    Phase.THINKING: ("position", "pause", "help", "last_move"),
    Phase.PAUSED: ("resume", "end", "help"),
    Phase.OVER: ("new_game", "analyse", "end"),
}
"""Commands to suggest; the first ones available in this game are taken."""

_ELSEWHERE = ("position", "help", "last_move")


def told(table: Table) -> Phrase | None:
    """The suggestions in one sentence; None if there are none."""
    phase = table.base_phase
    names = [name for name in _NAMED.get(phase, _ELSEWHERE) if _is_done(table, name)]
    if phase in PLAYERS_TURN:
        names = [_MOVE, *names]
    if not names:
        return None
    things = tuple(Phrase(f"not_understood.thing.{name}") for name in names[:MOST])
    return Phrase("not_understood.here", {"things": Listing(things, "")})


def _is_done(table: Table, name: str) -> bool:
    listened = name in sayable(table) and table.base_phase not in COMMANDS[name].waits
    return listened and refusal(table, name) is None
