"""The count of a session, and the answers on their way into the schedule.

The last answer waits until the next one is closed: till then "correction" can take it back.
"""

from __future__ import annotations

from datetime import datetime
from statistics import median

from voicechess.practice.effects import Keep
from voicechess.practice.records import Answered
from voicechess.practice.schedule import Deck, Grade, grade
from voicechess.practice.task import Task


class Tally:
    """Counts the answers of one exercise at one level, and rates them in the deck."""

    def __init__(self, deck: Deck, exercise: str, level: int, asked: int = 0, right: int = 0) -> None:
        self.asked, self.right = asked, right
        self._deck, self._exercise, self._level = deck, exercise, level
        self._pending: tuple[Answered, Grade] | None = None
        self._times: list[int] = []

    @property
    def median_ms(self) -> int | None:
        """How long the right answers of this session took in the middle, milliseconds; None without any."""
        return round(median(self._times)) if self._times else None

    def close(
        self,
        task: Task,
        at: datetime,
        *,
        solved: bool,
        tries: int,
        hints: int,
        answer_ms: int | None = None,
        imperfect: bool = False,
    ) -> tuple[Keep, ...]:
        """Count an answer; what is kept now is the one before it."""
        kept = self.flush()
        clean = solved and tries == 1 and not hints and not imperfect
        mark = grade(solved, tries + imperfect, hints, answer_ms)
        self._pending = Answered(at, self._exercise, self._level, task.skills, clean, tries, hints, answer_ms), mark
        self.asked += 1
        self.right += clean
        if clean and answer_ms is not None:
            self._times.append(answer_ms)
        return kept

    def withdraw(self) -> bool:
        """Take the last answer back if it was wrong; whether there was such a one."""
        if self._pending is None or self._pending[0].right:
            return False
        self._pending = None
        self.asked -= 1
        return True

    def flush(self) -> tuple[Keep, ...]:
        """Keep the answer that can no longer be taken back."""
        if self._pending is None:
            return ()
        answer, mark = self._pending
        self._pending = None
        return (Keep(answer, self._deck.rate(answer.skills, mark, answer.at)),)
