"""What practice wants done besides the effects of a game; `performing` does it.

Utterances of practice: numbered so that they never meet the numbers of a game that is played inside an exercise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import AdjustVoice, Hush, Say
from voicechess.messages import Phrase, Priority, Utterance
from voicechess.practice.schedule import Answered, Bookmark

# --- What practice wants done besides the effects of a game; `performing` does it ---


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep this answer, and the cards it has changed (skill -> JSON)."""

    answer: Answered
    cards: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """Keep the place; None: there is nothing to go on with."""

    bookmark: Bookmark | None


@dataclass(frozen=True, slots=True)
class Examine:
    """The engine is to look at these positions, each for a while. Answered by one `Examined` each, in order."""

    boards: tuple[chess.Board, ...]


@dataclass(frozen=True, slots=True)
class StopExamining:
    """No further `Examined` is wanted."""


@dataclass(frozen=True, slots=True)
class KeepMove:
    """This event belongs to the game that is played in the exercise: into the journal with it."""

    event: ev.Event


PracticeEffect = ef.Effect | KeepMove | Keep | Mark | Examine | StopExamining


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined(ev.Event):
    """The engine's view of the position `index` of an `Examine`.

    `centipawns` for the side to move (mate: close to 100 000), None when it was not told; `best` in UCI, None where
    there is no move.
    """

    index: int
    centipawns: int | None
    best: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminingFailed(ev.Event):
    """The engine cannot look at the positions. `reason` is a key below [sentences.opponent]."""

    reason: str


# --- Utterances of practice: numbered so that they never meet the numbers of a game that is played inside ---

FIRST_NUMBER = 1_000_000


class Speaker:
    """Numbers what is said. What every exercise answers alike is answered here."""

    def __init__(self) -> None:
        self.last_number = FIRST_NUMBER

    def stop(self) -> tuple[Hush | Say, ...]:
        """ "Stopp": silence now, and the word that says that it was heard."""
        return (Hush(), *self.say(Phrase("stopped"), priority=Priority.NOW))

    def adjust(self, name: str) -> tuple[AdjustVoice | Say, ...]:
        """ "Lauter", "leiser", "schneller", "langsamer": from the word that tells it on."""
        rate = {"faster": 1, "slower": -1}.get(name, 0)
        volume = {"louder": 1, "softer": -1}.get(name, 0)
        return (AdjustVoice(rate, volume), *self.say(Phrase(f"voice.{name}")))

    def say(self, *phrases: Phrase, priority: Priority = Priority.NORMAL) -> tuple[Say, ...]:
        """These sentences, one utterance each."""
        said = []
        for phrase in phrases:
            self.last_number += 1
            said.append(Say(Utterance(phrase.key, phrase.slots, priority, self.last_number)))
        return tuple(said)
