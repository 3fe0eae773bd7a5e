"""What is kept of practising: every answer, and the place where somebody stopped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Answered:
    """One task that was closed. `right`: at the first try and without help. `answer_ms`: from question to first word.

    `at` is in UTC; `answer_ms` is None where the answer had several steps.
    """

    at: datetime
    exercise: str
    level: int
    skills: tuple[str, ...]
    right: bool
    tries: int = 1
    hints: int = 0
    answer_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Bookmark:
    """The open task: its course, and what makes it again. `depth`: how many follow-ups lie before it.

    `asked` and `right` are the session's counts so far. For a game played blindfold `seed` is its number in the
    journal, `asked` how often help was asked for, `right` how often it was given.
    """

    exercise: str
    level: int
    skill: str
    seed: int
    depth: int = 0
    asked: int = 0
    right: int = 0
