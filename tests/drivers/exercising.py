"""An exercise played by ear or by keyboard in a test: words in, sentences out, as in the program."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

from voicechess.app.hearing import Hearing, Recognised
from voicechess.app.practising import LEVELS, PracticeMachine, notation_course
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import Announcer
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Hypothesis, Word
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FIRST_NUMBER, Keep, Mark, PracticeEffect
from voicechess.practice.exercises.follow import Follow, famous_games
from voicechess.practice.exercises.mates import Mates
from voicechess.practice.exercises.paths import Paths
from voicechess.practice.exercises.recall import Recall
from voicechess.practice.exercises.squares import Squares
from voicechess.practice.schedule import Answered, Bookmark, Deck
from voicechess.practice.task import Course, Task

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
EXERCISES = [
    (key, level) for key in LEVELS if key not in ("blindfold", "review") for level in range(1, LEVELS[key] + 1)
]


def course(key: str, level: int, language: str = "de") -> Course:
    """The exercise as the program makes it."""
    if key == "notation":
        return notation_course(load(language), level)
    if key == "follow":
        return Follow(famous_games(), level)
    makers: dict[str, Callable[[int], Course]] = {"squares": Squares, "paths": Paths, "recall": Recall, "mates": Mates}
    return makers[key](level)


class Room:
    """Runs a practice machine: understands words by what is expected, keeps what is kept, says what is said."""

    def __init__(self, machine: PracticeMachine, language: str = "de") -> None:
        self.machine, self.now = machine, 0
        self.lexicon, self.wording = load(language), Wording(language, strict=True)
        self.expectation = Expectation()
        self.answers: list[Answered] = []
        self.bookmark: Bookmark | None = None
        self.effects: list[PracticeEffect] = []
        self.keys: list[str] = []
        self.said: list[str] = []

    def begin(self) -> list[str]:
        return self.event(ev.Started(at_ms=self.now))

    def event(self, event: ev.Event) -> list[str]:
        """What is said after an event; every sentence is said to its end at once."""
        said, self.keys, self.effects = [], [], list(self.machine.handle(event))
        for effect in self.effects:
            match effect:
                case ef.Say(utterance):
                    said.append(self.wording.say(utterance))
                    self.keys.append(utterance.key)
                    self.machine.handle(ev.Spoken(at_ms=self.now, number=utterance.number))
                case ef.Listen(expectation):
                    self.expectation = expectation
                case Keep(answer, _):
                    self.answers.append(answer)
                case Mark(bookmark):
                    self.bookmark = bookmark
        self.said = said
        return said

    def type(self, line: str) -> list[str]:
        """A typed line."""
        return self.hear(line, source=ev.Source.KEYBOARD)

    def hear(
        self, *lines: str, gap: float = 0.0, source: ev.Source = ev.Source.VOICE, after_ms: int = 3000
    ) -> list[str]:
        """What was heard, best first, each `gap` less likely than the one before."""
        self.now += after_ms
        hypotheses = [
            Hypothesis(tuple(Word(word, self.now, self.now) for word in line.split()), -gap * index)
            for index, line in enumerate(lines)
        ]
        said = Recognised(hypotheses, self.now, self.now)
        return self.event(Hearing(self.lexicon).understood(said, self.expectation, self.now, source))


def drilled(
    key: str,
    level: int,
    seed: int = 0,
    language: str = "de",
    bookmark: Bookmark | None = None,
    deck: Deck | None = None,
) -> tuple[Room, Drill]:
    """An exercise that has asked its first question."""
    drill = Drill(course(key, level, language), deck or Deck(), Random(seed), Announcer(FIRST_NUMBER), BEGAN, bookmark)
    room = Room(drill, language)
    room.begin()
    return room, drill


def open_task(drill: Drill) -> Task:
    """The task that is open."""
    assert drill.task is not None
    return drill.task
