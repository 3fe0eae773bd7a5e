"""Which task comes next: the one that follows in its series, else one for the skill that is most in need.

Nothing is asked twice in a row. A task is made from a skill and a number, so a bookmark can make it again.
"""

from __future__ import annotations

from datetime import datetime
from random import Random

from voicechess.practice.records import Bookmark
from voicechess.practice.schedule import Deck
from voicechess.practice.task import Course, Task, same_question

_DRAWS = 50


class Questions:
    """The tasks of one course, one after another."""

    def __init__(self, course: Course, deck: Deck, random: Random) -> None:
        self.course = course
        self._deck, self._random = deck, random
        self._skill, self._seed, self._depth = "", 0, 0
        self._just_trained: tuple[str, ...] = ()

    def again(self, mark: Bookmark) -> Task | None:
        """The task at a bookmark; None where it is not of this course."""
        course = self.course
        if (mark.exercise, mark.level) != (course.key, course.level) or mark.skill not in course.skills():
            return None
        task: Task | None = course.task(mark.skill, Random(mark.seed))
        for _ in range(mark.depth):
            task = task.follow_up() if task is not None else None
        self._skill, self._seed, self._depth = mark.skill, mark.seed, mark.depth
        return task

    def after(self, last: Task | None, now: datetime) -> Task:
        """The task after `last`. `now` in UTC decides what is due."""
        follow_up = last.follow_up() if last is not None else None
        if follow_up is not None:
            self._depth += 1
            return follow_up
        self._just_trained = (*(last.skills if last is not None else ()), self._skill)
        task = self._drawn(now)
        for _ in range(_DRAWS):
            if not same_question(last, task):
                break
            self._just_trained = (*self._just_trained, self._skill)
            task = self._drawn(now)
        return task

    def _drawn(self, now: datetime) -> Task:
        self._skill = self._deck.pick(self.course.skills(), now, self._random, without=self._just_trained)
        self._seed, self._depth = self._random.getrandbits(48), 0
        return self.course.task(self._skill, Random(self._seed))

    def bookmark(self, asked: int, right: int) -> Bookmark:
        """The place of the task made last."""
        return Bookmark(self.course.key, self.course.level, self._skill, self._seed, self._depth, asked, right)
