"""A question asked once when a screen reader is running: should it speak, or the program's voice? Nobody can follow
both at once (issue 51)."""

from __future__ import annotations

from dataclasses import dataclass

from voicechess.conversations.asking import MISSES, Conversation
from voicechess.game import events as ev
from voicechess.game.effects import Effect, SpeakThrough
from voicechess.meaning import Answer, AnswerKind, Command, Meaning, QuestionKind


@dataclass
class WhoSpeaks(Conversation):
    """One question. `reader`: the choice; None if unanswered, which keeps the program's voice."""

    reader: bool | None = None
    given_up: bool = False
    ended: bool = False

    @property
    def over(self) -> bool:
        """Whether it was answered, or has expired."""
        return self.reader is not None or self.given_up or self.ended

    def _key(self, part: str = "") -> str:
        return f"sound.who_speaks.{part}asked" if part else "sound.who_speaks.asked"

    @property
    def _question(self) -> QuestionKind:
        return QuestionKind.YES_NO

    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        return self._ask_anew(at_ms)

    def _common(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        if command.name in ("reader", "own_voice"):
            return self._chosen(command.name == "reader")
        return super()._common(command, at_ms)

    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        if isinstance(meaning, Answer) and meaning.kind in (AnswerKind.YES, AnswerKind.NO):
            return self._chosen(meaning.kind is AnswerKind.YES)
        return None

    def _chosen(self, reader: bool) -> tuple[Effect, ...]:
        self.reader = reader
        return (SpeakThrough(reader),) if reader else (self._say("sound.who_speaks.own_voice"),)

    def _silence(self, at_ms: int) -> tuple[Effect, ...]:
        return self._give_up(at_ms) if self._misses >= MISSES else super()._silence(at_ms)

    def _give_up(self, at_ms: int) -> tuple[Effect, ...]:
        self.given_up = True
        return (self._say("sound.who_speaks.own_voice"),)

    def _end(self) -> tuple[Effect, ...]:
        self.ended = True
        return (self._say("welcome.end"),)
