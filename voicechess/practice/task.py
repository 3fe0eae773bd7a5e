"""One thing to be done in an exercise: what is asked, how an answer is assessed, and what follows.

Tasks are immutable. An answer that is a part of the whole (one step of a path) gives the task that is left; a task
that belongs to a series (a game that is followed) gives the next one by `follow_up`.
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
    """What an answer is worth."""

    RIGHT = "right"
    WRONG = "wrong"
    GOES_ON = "goes_on"  # right so far
    MISFIT = "misfit"  # not an answer to this question; counts as nothing


@dataclass(frozen=True, slots=True)
class Assessment:
    """What an answer is worth, and what there is to say about it."""

    verdict: AnswerVerdict
    say: tuple[Phrase, ...] = ()
    task: Task | None = None  # what is left to answer
    imperfect: bool = False  # right, but something better was there
    refute: chess.Board | None = None  # the position after a wrong move, for the engine to say what is wrong with it


RIGHT = Assessment(AnswerVerdict.RIGHT)
WRONG = Assessment(AnswerVerdict.WRONG)
MISFIT = Assessment(AnswerVerdict.MISFIT)


class Task(ABC):
    """A question of an exercise."""

    @property
    @abstractmethod
    def ident(self) -> str:
        """Names the question: two tasks with the same one ask for the same thing."""

    @property
    @abstractmethod
    def skills(self) -> tuple[str, ...]:
        """What it trains: keys of `skills`."""

    @abstractmethod
    def ask(self) -> tuple[Phrase, ...]:
        """The question."""

    @abstractmethod
    def assess(self, meaning: Meaning, words: str) -> Assessment:
        """What an answer is worth. `words`: as they were heard or typed."""

    @abstractmethod
    def solution(self) -> tuple[Phrase, ...]:
        """The right answer, told."""

    @abstractmethod
    def expects(self) -> Phrase:
        """What kind of answer is wanted, for somebody who said something else."""

    def hint(self) -> tuple[Phrase, ...]:
        """A help that is not yet the solution; () if there is none."""
        return ()

    def hints(self) -> tuple[tuple[Phrase, ...], ...]:
        """Every help, one after the other; what is asked for after the last one is the solution."""
        return (self.hint(),) if self.hint() else ()

    def preface(self) -> tuple[Phrase, ...]:
        """What is said before the question when it is put first, and not repeated with it."""
        return ()

    def repeated(self) -> tuple[Phrase, ...]:
        """What is said again when it is asked for: the question, and what was taught just before it."""
        return self.ask()

    def position(self) -> tuple[Phrase, ...]:
        """The position, for somebody who asks for it; () where that is the question itself."""
        return ()

    def recap(self) -> tuple[Phrase, ...]:
        """What must be known to answer, told again after an interruption; the question itself is not in it."""
        return ()

    def board(self) -> chess.Board | None:
        """The position whose moves can be announced as an answer; None when answers are no moves."""
        return None

    def take_back(self) -> Task | None:
        """The task before the last step, None if no step was made."""
        return None

    def follow_up(self) -> Task | None:
        """The task that comes after this one in its series; None at the end."""
        return None

    @property
    def tries(self) -> int:
        """How many answers are heard before the solution is told. Two, or one where there are only two answers."""
        return 2


class Course(Protocol):
    """An exercise at one level: makes tasks. Equal skill and equal random numbers make the same task."""

    @property
    def key(self) -> str:
        """The exercise's name in the language files, below [sentences.practice]."""

    @property
    def level(self) -> int:
        """From 1."""

    def skills(self) -> tuple[str, ...]:
        """Everything it can train, at least one."""

    def task(self, skill: str, random: Random) -> Task:
        """A task that trains `skill`."""

    def leads_to(self) -> Course | None:
        """The next level, where a series of tasks that is over leads there; None: this one goes on."""
        return None


def level_told(course: Course) -> Phrase:
    """What is said where a level begins."""
    return Phrase(f"practice.{course.key}.level_{course.level}")


def same_question(one: Task | None, other: Task | None) -> bool:
    """Whether both ask for the same thing."""
    return one is not None and other is not None and one.ident == other.ident
