"""What all conversations outside a game do alike: one question at a time, asked again, explained, answered by word.

A subclass says which question is open and what an answer does. Its sentences stand in one table: there is one that
asks, one below `again` that asks in short, one below `help` that explains. Those of every conversation: "welcome".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from voicechess.game import events as ev
from voicechess.game.effects import VOICE_CHANGES, Announcer, Effect, Listen, Say, Sound, SpeakLanguage
from voicechess.language.thresholds import close
from voicechess.meaning import Asked, Command, Expectation, Meaning, Question, SpokenMove, Unclear
from voicechess.messages import Slot, Text, Tone

SILENCE_MS = 9_000
"""After this long without a word the question is asked once more."""

MISSES = 3
"""The number of misses or silences after which help is given; at the microphone check the keyboard is named."""

LANGUAGES = {"english": "en", "german": "de"}
"""Command -> the language that it asks for."""

AMONG_TALK = frozenset({"help", "repeat", "stop", "simul", *LANGUAGES, *VOICE_CHANGES})
"""What is heard between words of others, besides answers to the open question."""

MAXIMUM_MINUTES = 600
LONGEST_WORDS = 80


def awaited(question: Question, board: chess.Board | None = None) -> Expectation:
    """What can be said to a question; `board`: and the moves that can be announced instead."""
    return Expectation(board, Asked(question), among_talk=AMONG_TALK)


@dataclass
class Conversation(ABC):
    """One that asks. `by_voice`: the player can be heard, so silence is noticed."""

    by_voice: bool = True
    _announcer: Announcer = field(default_factory=Announcer)
    _misses: int = 0
    _noisy: bool = False  # whether somebody was not understood since the question was put last
    _asked_at: int = 0
    _unsaid: set[int] = field(default_factory=set)
    _last: tuple[tuple[str, Mapping[str, Slot]], ...] = ()

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Answer one event. Never raises; anything that is not for this conversation is passed over."""
        match event:
            case ev.Started():
                return self._begin(event.at_ms)
            case ev.Heard() if not self.over and self._is_only_noise(event):
                self._noisy = True
                return (Sound(Tone.NOT_UNDERSTOOD, alone=True),)
            case ev.Heard() if not self.over:
                self._asked_at = event.at_ms
                return self._heard(event)
            case ev.Spoken():
                self._asked_at = event.at_ms
                self._unsaid.discard(event.number)
            # No player can be heard while the program speaks, however long that takes.
            case ev.Tick() if not self.over and not self._unsaid:
                return self._tick(event.at_ms)
            case ev.DeviceLost() | ev.DeviceFound() | ev.Trouble():
                return (self._say(event.key),)
        return ()

    # --- what a subclass says ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether nothing is asked any more."""

    @abstractmethod
    def _key(self, part: str = "") -> str:
        """The key of the open question; of the one in short (`part` "again."), of its explanation ("help.")."""

    @property
    @abstractmethod
    def _question(self) -> Question:
        """How the answer to it is understood."""

    @abstractmethod
    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        """The first thing that is said."""

    @abstractmethod
    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        """What this answer to the open question does; None: it is none."""

    @abstractmethod
    def _end(self) -> tuple[Effect, ...]:
        """The player wants to go."""

    def _slots(self) -> Mapping[str, Slot]:
        """What the open question has to be filled with."""
        return {}

    # --- asking --------------------------------------------------------------------------------------------------

    def _ask_anew(self, at_ms: int) -> tuple[Effect, ...]:
        """Ask the question that is open from now on, and listen for its answer."""
        self._misses, self._asked_at = 0, at_ms
        return (*self._ask(), self._listen())

    @property
    def expectation(self) -> Expectation:
        """What can be said to the open question."""
        return awaited(self._question)

    def _listen(self) -> Listen:
        return Listen(self.expectation)

    def _ask(self) -> tuple[Effect, ...]:
        slots = dict(self._slots())
        self._last = ((self._key(), slots),)
        return (self._say(self._key(), **slots),)

    def _ask_again(self) -> tuple[Effect, ...]:
        """The open question in short; "Wiederholen" says it in full."""
        return (self._say(self._key("again.")),)

    def _help(self) -> tuple[Effect, ...]:
        return (self._say(self._key("help.")),)

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> tuple[Effect, ...]:
        meaning = event.readings[0].meaning
        if meaning == Command("end") and not close(event.readings).sure:
            return self._miss(event)  # nobody is to be left alone for a word of somebody else's
        if isinstance(meaning, Command):
            common = self._common(meaning, event.at_ms)
            if common is not None:
                return common
        answer = self._answer(meaning, event)
        return answer if answer is not None else self._miss(event)

    def _common(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        """What is answered alike whatever was asked; None: this is nothing of the kind."""
        match command.name:
            case "help":
                return (*self._help(), self._say("welcome.help.also"), *self._ask_again())
            case "repeat":
                return tuple(self._say(key, **slots) for key, slots in self._last)
            case "stop":
                return self._waited_for(self._announcer.stop())
            case name if name in VOICE_CHANGES:
                return self._waited_for(self._announcer.adjust_voice(name))
            case "english" | "german":
                changed: list[Effect] = [SpeakLanguage(LANGUAGES[command.name]), self._say("welcome.language")]
                if self.by_voice and command.name == "english":
                    changed.append(self._say("program.hears_german"))
                return (*changed, *self._ask(), self._listen())
            case "end":
                return self._end()
        return None

    def _is_only_noise(self, event: ev.Heard) -> bool:
        """Whether this, in a noisy room, is nothing to ask the question once more for, as it has been already."""
        return event.in_noise and self._misses > 0 and isinstance(event.readings[0].meaning, Unclear)

    def _miss(self, event: ev.Heard) -> tuple[Effect, ...]:
        self._misses += 1
        if self._misses % MISSES == 0:
            return self._give_up(event.at_ms)
        return (self._otherwise(event), *self._ask_again())

    def _otherwise(self, event: ev.Heard) -> Say:
        """What was heard instead of an answer."""
        if not event.whole:
            return self._say("welcome.not_understood")
        return self._say("welcome.heard_otherwise", words=Text(event.words[:LONGEST_WORDS]))

    def _tick(self, at_ms: int) -> tuple[Effect, ...]:
        if not self.by_voice or at_ms - self._asked_at < SILENCE_MS:
            return ()
        self._asked_at = at_ms
        self._misses += 1
        return self._silence(at_ms)

    def _silence(self, at_ms: int) -> tuple[Effect, ...]:
        if self._misses > MISSES:
            return ()  # the keyboard has been named; from here silence is the player's
        told = "welcome.not_understood" if self._noisy else "welcome.silence"
        self._noisy = False
        return (self._say(told), *self._ask_again())

    def _give_up(self, at_ms: int) -> tuple[Effect, ...]:
        return (*self._help(), *self._ask_again())

    # --- speaking ------------------------------------------------------------------------------------------------

    def _say(self, key: str, **slots: Slot) -> Say:
        said = self._announcer.utterance(key, slots)
        self._unsaid.add(said.number)
        return Say(said)

    def _waited_for(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Silence is counted from the end of what these say."""
        self._unsaid.update(effect.utterance.number for effect in effects if isinstance(effect, Say))
        return effects


def number_in(meaning: Meaning, *names: str) -> int | None:
    """A number, however it was understood: as the choice of one of these names, or as a rank."""
    if isinstance(meaning, Command):
        number = meaning.slot("number")
        return int(number) if number is not None and meaning.name in names else None
    if isinstance(meaning, SpokenMove) and meaning.to_rank is not None and meaning.to_file is None:
        return meaning.to_rank + 1
    return None


def minutes_in(meaning: Meaning, *names: str) -> tuple[int, int] | None:
    """Minutes and increment in seconds, however they were said. None when it is no time, or too long."""
    minutes = number_in(meaning, "minutes", "hours", *names)
    hours = isinstance(meaning, Command) and meaning.name == "hours"
    increment = int(meaning.slot("number2") or 0) if isinstance(meaning, Command) else 0
    if hours and minutes is not None:
        minutes, increment = 60 * minutes + increment, 0
    if minutes is None or not 1 <= minutes <= MAXIMUM_MINUTES:
        return None
    return minutes, increment
