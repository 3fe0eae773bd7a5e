"""Which kind of game the terms ask for: the only place that looks.

The rooms of correspondence and of servers are imported with the first such game: most starts need neither.
"""

from __future__ import annotations

from voicechess.game.agreement import GameSettings, Player
from voicechess.game.kind import Kind, kind_here
from voicechess.game.session import Session
from voicechess.game.state import Table


def kind_of(settings: GameSettings) -> Kind[Table]:
    """The kind of a game with these terms."""
    if Player.SERVER in (settings.white, settings.black):
        from voicechess.online.on_server import on_server

        return on_server(settings)
    if settings.correspondence is not None:
        from voicechess.correspondence.by_post import by_post

        return by_post(settings)
    return kind_here(settings)


def session_of(settings: GameSettings, date: str = "") -> Session:
    """A game of the kind that its terms ask for. Arguments and errors: see `Session`."""
    return Session(settings, date, kind_of(settings))
