"""Exercises that begin with a request to a server: chosen by number, awaited, and cancellable.

The requests themselves are effects (`FetchPuzzles`, `FindLive`), so that waiting is never silent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import ClassVar

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen
from voicechess.game.sight import Scene
from voicechess.language.thresholds import contenders
from voicechess.meaning import Command, Expectation, QuestionKind
from voicechess.messages import Phrase, Text
from voicechess.practice.answers import expected, number_said
from voicechess.practice.effects import PracticeEffect
from voicechess.practice.menu import Exercise, scene_of

PATIENCE_MS = 5_000
"""Interval in milliseconds of messages that the answer has not come yet. Larger: rarer."""

CONTROLS = frozenset({"repeat", "help", "stop", "end", "practise", "take_back", *VOICE_CHANGES})

Effects = tuple[PracticeEffect, ...]


class NetworkStep(Enum):
    """The state of the request."""

    CHOOSING = "choosing"
    FETCHING = "fetching"
    RUNNING = "running"  # the exercise made from the answer has the floor
    DONE = "done"


class OverNetwork(ABC):
    """Asks what to fetch, requests it, and hands the floor to the exercise made from the answer."""

    KEY: ClassVar[str]
    """Key of its sentences in [sentences.practice]."""

    def __init__(self, speaker: Announcer) -> None:
        self.step = NetworkStep.CHOOSING
        self._speaker = speaker
        self._number = 0  # of the request
        self._since_ms = 0
        self._helped = 0  # parts of the help told in a row
        self._inner: Exercise | None = None

    @property
    @abstractmethod
    def _choices(self) -> int:
        """The number of options."""

    @abstractmethod
    def _begin(self, at_ms: int) -> Effects:
        """Ask the first question, or make a request without one."""

    @abstractmethod
    def _ask(self, *first: Phrase) -> Effects:
        """Ask which option is wanted, after the sentences `first`."""

    @abstractmethod
    def _take(self, number: int, at_ms: int) -> Effects:
        """Take the option with this number, from 1."""

    @abstractmethod
    def _came(self, event: ev.Event) -> Effects | None:
        """Handle an answer; None if the event is not an answer to the request."""

    @property
    def expectation(self) -> Expectation:
        """A number; only commands to cancel while waiting; then the inner exercise's expectation."""
        if self._inner is not None:
            return self._inner.expectation
        waits = self.step is NetworkStep.FETCHING
        return expected(CONTROLS, QuestionKind.WAITING if waits else QuestionKind.NUMBER)

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is NetworkStep.DONE or (self._inner is not None and self._inner.over)

    @property
    def busy(self) -> bool:
        """Whether a request is open, or the inner exercise is busy."""
        return self.step is NetworkStep.FETCHING or (self._inner is not None and self._inner.busy)

    @property
    def scene(self) -> Scene | None:
        """What spectators see of the inner exercise."""
        return scene_of(self._inner)

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self._inner is not None:
            return self._inner.handle(event)
        match event:
            case ev.Started():
                return self._begin(event.at_ms)
            case ev.Tick(at_ms=now) if self.step is NetworkStep.FETCHING and now - self._since_ms >= PATIENCE_MS:
                self._since_ms = now
                return self._speaker.say(Phrase(f"practice.{self.KEY}.waiting"))
            case ev.Heard() if event.readings and not self.over:
                done = self._heard(event)
                return done if self.over or self._inner is not None else (*done, Listen(self.expectation))
        came = self._came(event) if self.step is NetworkStep.FETCHING else None
        return () if came is None else came

    def leave(self) -> Effects:
        """The effects needed before the inner exercise is abandoned."""
        return () if self._inner is None else self._inner.leave()

    def _fetch(self, at_ms: int) -> Effects:
        """Announce a request, and number it in `_number`."""
        self.step, self._since_ms = NetworkStep.FETCHING, at_ms
        said = self._speaker.say(Phrase(f"practice.{self.KEY}.fetching"))
        self._number = self._speaker.last_number
        return said

    def _give_floor(self, inner: Exercise, at_ms: int) -> Effects:
        self.step, self._inner = NetworkStep.RUNNING, inner
        return inner.handle(ev.Started(at_ms=at_ms))

    def _help(self, which: str) -> Effects:
        """What answers; said again, what else there is."""
        self._helped += 1
        if self._helped % 2:
            return self._speaker.say(Phrase(f"practice.{self.KEY}.help_{which}"), Phrase("help.more"))
        return self._speaker.say(Phrase("practice.help_also"))

    def _ended(self, *told: Phrase) -> Effects:
        self.step = NetworkStep.DONE
        return (Hush(), *self._speaker.say(*told))

    def _heard(self, event: ev.Heard) -> Effects:
        heard = contenders(event.readings)
        waits = self.step is NetworkStep.FETCHING
        if heard.only != Command("help"):
            self._helped = 0
        for meaning in heard.meanings if heard.sure else ():
            number = number_said(meaning)
            if number is not None and 1 <= number <= self._choices and not waits:
                return self._take(number, event.at_ms)
            match meaning:
                case Command("stop"):
                    return self._speaker.stop()
                case Command("end" | "practise"):
                    return self._ended(Phrase(f"practice.{self.KEY}.left"))
                case Command("cancel" | "take_back") if waits and self._choices:
                    return self._ask()
                case Command("cancel" | "take_back"):
                    return self._ended(Phrase(f"practice.{self.KEY}.left"))
                case Command("repeat") if not waits:
                    return self._ask()
                case Command("help"):
                    return self._help("waiting" if waits else "choosing")
                case Command(name) if name in VOICE_CHANGES:
                    return self._speaker.adjust_voice(name)
        if waits:
            return self._speaker.say(Phrase(f"practice.{self.KEY}.waiting"))
        told_where = told_elsewhere(heard.likeliest) if heard.sure else None
        words = Phrase("practice.heard_otherwise", {"words": Text(event.words)})
        return self._speaker.say(words, told_where or Phrase("practice.a_number"))
