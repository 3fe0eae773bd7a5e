"""A task of an exercise: question, assessment of answers, and follow-ups.

Tasks are immutable. A partial answer (one step of a path) returns the remaining task; a task of a series (a game
followed move by move) has the next one in `follow_up`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Protocol

import chess

from voicechess.meaning import Meaning
from voicechess.messages import Phrase


class AnswerVerdict(Enum):
    """The verdict on an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    GOES_ON = "goes_on"  # right so far, incomplete
    MISFIT = "misfit"  # not an answer to this question; not counted


@dataclass(frozen=True, slots=True)
class Assessment:
    """The assessment of an answer."""

    verdict: AnswerVerdict
    say: tuple[Phrase, ...] = ()  # comment
    task: Task | None = None  # the remaining task, with GOES_ON
    imperfect: bool = False  # right, but not the best answer
    refute: chess.Board | None = None  # the position after a wrong move, to be refuted by the engine


RIGHT = Assessment(AnswerVerdict.RIGHT)
WRONG = Assessment(AnswerVerdict.WRONG)
MISFIT = Assessment(AnswerVerdict.MISFIT)


class Task(ABC):
    """A question of an exercise."""

    @property
    @abstractmethod
    def ident(self) -> str:
        """Identifies the question: tasks with the same one ask the same."""

    @property
    @abstractmethod
    def skills(self) -> tuple[str, ...]:
        """The skills it trains."""

    @abstractmethod
    def ask(self) -> tuple[Phrase, ...]:
        """The question."""

    @abstractmethod
    def assess(self, meaning: Meaning, words: str) -> Assessment:
        """Assess an answer. `words`: as recognised or typed."""

    @abstractmethod
    def solution(self) -> tuple[Phrase, ...]:
        """The right answer in sentences."""

    @abstractmethod
    def expects(self) -> Phrase:
        """The kind of answer expected, said after a misfit."""

    def hint(self) -> tuple[Phrase, ...]:
        """A hint short of the solution; () if there is none."""
        return ()

    def hints(self) -> tuple[tuple[Phrase, ...], ...]:
        """All hints in order; after the last one comes the solution."""
        return (self.hint(),) if self.hint() else ()

    def preface(self) -> tuple[Phrase, ...]:
        """Said before the question the first time only."""
        return ()

    def repeated(self) -> tuple[Phrase, ...]:
        """Said on "repeat": the question, and what was taught just before it."""
        return self.ask()

    def position(self) -> tuple[Phrase, ...]:
        """The position on request; () if knowing it is the task."""
        return ()

    def recap(self) -> tuple[Phrase, ...]:
        """What must be known for the answer, said when resuming at a bookmark, without the question itself."""
        return ()

    def board(self) -> chess.Board | None:
        """The position whose moves are answers; None if answers are not moves."""
        return None

    def take_back(self) -> Task | None:
        """The task before the last partial answer; None if there is none."""
        return None

    def follow_up(self) -> Task | None:
        """The next task of the series; None at its end."""
        return None

    @property
    def tries(self) -> int:
        """Number of answers before the solution is given: two, or one if there are only two possible answers."""
        return 2


class Course(Protocol):
    """An exercise at one level, which makes tasks: the same skill and random numbers make the same task."""

    @property
    def key(self) -> str:
        """The exercise's name in the language files, in [sentences.practice]."""

    @property
    def level(self) -> int:
        """From 1."""

    def skills(self) -> tuple[str, ...]:
        """All skills it can train, at least one."""

    def task(self, skill: str, random: Random) -> Task:
        """A task that trains `skill`."""

    def leads_to(self) -> Course | None:
        """The next level after the end of a series; None: this course continues."""
        return None

    def finished(self) -> tuple[Phrase, ...]:
        """Said at the end of the last series, and the exercise ends; (): this course continues."""
        return ()


def level_told(course: Course) -> Phrase:
    """The sentence at the beginning of a level."""
    return Phrase(f"practice.{course.key}.level_{course.level}")


def same_question(one: Task | None, other: Task | None) -> bool:
    """Whether both tasks ask the same question."""
    return one is not None and other is not None and one.ident == other.ident
