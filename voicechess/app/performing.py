"""Does what practice wants besides a game's effects: keeps progress, asks the engine, records the game in an exercise.

It stands between the loop and the pure machine and is a machine itself. What fails on the way is said, once.
"""

from __future__ import annotations

import contextlib
from typing import Protocol

from voicechess.app.examiner import Examiner
from voicechess.app.practice_store import PracticeStore
from voicechess.failure import Failure
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.practice.effects import Examine, ExaminingFailed, Keep, KeepMove, Mark, PracticeEffect, StopExamining
from voicechess.practice.speaking import Speaker
from voicechess.storage.journal import Recorder


class PracticeMachine(Protocol):
    """A pure machine of practice."""

    def handle(self, event: ev.Event) -> tuple[PracticeEffect, ...]:
        """Answer one event."""

    def leave(self) -> tuple[PracticeEffect, ...]:
        """What is still to be kept when the program ends in the middle."""


class Performing:
    """A practice machine as the loop runs it. Without an `examiner` there is no engine on this machine.

    `recorder` is set by whoever begins a game inside an exercise.
    """

    def __init__(
        self, machine: PracticeMachine, store: PracticeStore, speaker: Speaker, examiner: Examiner | None = None
    ) -> None:
        self.recorder: Recorder | None = None
        self._machine, self._store, self._speaker, self._examiner = machine, store, speaker, examiner
        self._said: set[str] = set()

    def close(self) -> None:
        """Keeps what is still to be kept, and lets other programs continue the game in an exercise."""
        for effect in self._machine.leave():
            with contextlib.suppress(Failure):  # nobody is there any more to be told
                self._done(effect, ev.Tick(at_ms=0))
        if self.recorder is not None:
            self.recorder.release()

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        """The machine's effects that are a game's; the others are done. Never raises for a disk that refuses."""
        left: list[ef.Effect] = []
        for effect in self._machine.handle(event):
            try:
                left += self._done(effect, event)
            except Failure as failure:
                if failure.key not in self._said:
                    self._said.add(failure.key)
                    left += self._speaker.say(failure.phrase)
        return tuple(left)

    def _done(self, effect: PracticeEffect, event: ev.Event) -> tuple[ef.Effect, ...]:
        match effect:
            case Keep(answer, cards):
                self._store.keep(answer, cards)
            case Mark(bookmark):
                self._store.mark(bookmark)
            case KeepMove(moved):
                if self.recorder is not None:
                    self.recorder.append(moved)
            case Examine(boards):
                if self._examiner is not None:
                    self._examiner.examine(boards)
                else:
                    return self.handle(ExaminingFailed(at_ms=event.at_ms, reason="missing"))
            case StopExamining():
                if self._examiner is not None:
                    self._examiner.stop()
            case ef.GameEnded(result, termination):
                if self.recorder is not None:
                    self.recorder.end(result, termination)
            case _:
                return (effect,)
        return ()
