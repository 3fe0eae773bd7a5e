"""A game whose player may ask, once it is over: "what was my mistake?", or wants to practise.

The game itself knows nothing of practice; this stands before it and notes the wish.
"""

from __future__ import annotations

from voicechess.game import events as ev
from voicechess.game.effects import Effect
from voicechess.game.session import Session
from voicechess.meaning import Command
from voicechess.moves.matching import MARGIN

WISHES = {"mistake": "review", "practise": ""}
"""Command -> the exercise it asks for; "": any."""


class AfterGame:
    """The machine to converse with instead of the session. `wish`: the exercise asked for, None while there is none."""

    def __init__(self, session: Session) -> None:
        self.wish: str | None = None
        self._session = session

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """To the game, but for the wish of somebody whose game is over."""
        if self._session.over and isinstance(event, ev.Heard):
            close = {r.meaning for r in event.readings if r.cost < event.readings[0].cost + MARGIN}
            names = {meaning.name if isinstance(meaning, Command) else "" for meaning in close}
            if len(names) == 1 and (name := names.pop()) in WISHES:
                self.wish = WISHES[name]
                return ()
        return self._session.handle(event)
