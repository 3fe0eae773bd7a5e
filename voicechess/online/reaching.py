"""Waiting for a server that may never answer: the player is told so, and may leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voicechess.conversations.asking import Conversation
from voicechess.game import events as ev
from voicechess.game.effects import Effect
from voicechess.meaning import Command, Meaning, QuestionKind
from voicechess.online.online import PATIENCE_MS


@dataclass
class Reaching(Conversation):
    """Lasts until it is `done`, or the player has `left`: for something else, or (`ended`) altogether."""

    done: Callable[[], bool] = lambda: True
    left: bool = False
    ended: bool = False
    _since_ms: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing is waited for any more."""
        return self.left or self.done()

    def _key(self, part: str = "") -> str:
        return f"lobby.{part}asking"

    @property
    def _question(self) -> QuestionKind:
        return QuestionKind.WAITING

    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        self._last, self._since_ms = ((self._key(), {}),), at_ms
        return (self._listen(),)

    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        if isinstance(meaning, Command) and meaning.name in ("cancel", "take_back"):
            self.left = True
            return (self._say("lobby.cancelled"),)
        return None

    def _end(self) -> tuple[Effect, ...]:
        self.left = self.ended = True
        return (self._say("welcome.end"),)

    def _tick(self, at_ms: int) -> tuple[Effect, ...]:
        if at_ms - self._since_ms < PATIENCE_MS:
            return ()
        self._since_ms = at_ms
        return self._ask_again()
