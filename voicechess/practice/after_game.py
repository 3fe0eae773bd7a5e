"""Requests for an exercise after a game ("what was my mistake?"). Every game imports this, and no exercise."""

from __future__ import annotations

from voicechess.game import events as ev
from voicechess.game.effects import Effect
from voicechess.game.session import Session
from voicechess.language.thresholds import contenders
from voicechess.meaning import Command, Expectation

FIND = "find_games"
"""The name of the command that searches for games, and of its exercise."""

WISHES = {
    **{"mistake": "review", "analyse": "analysis", "practise": "", "set_up": "set_up", "live": "live"},
    **{FIND: FIND, "played_here": "analysis", "endgame_table": "analysis"},
}
"""Command -> the exercise requested; "": any."""


class WishfulSession:
    """A session whose player may request an exercise once the game is over, since the game itself knows nothing of
    practice."""

    def __init__(self, session: Session) -> None:
        self.wish: str | None = None  # the exercise requested
        self.said = Command("")  # the command that requested it
        self._session = session

    @property
    def expectation(self) -> Expectation:
        """The game's expectation."""
        return self._session.expectation

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Pass an event to the game, but note a request for an exercise once it is over."""
        if self._session.over and isinstance(event, ev.Heard):
            said = contenders(event.readings).only
            if isinstance(said, Command) and said.name in WISHES:
                self.wish, self.said = WISHES[said.name], said
                return ()
        return self._session.handle(event)
