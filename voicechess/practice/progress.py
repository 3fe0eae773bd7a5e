"""How good somebody is, counted from the answers kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from voicechess.messages import Phrase, Slot
from voicechess.practice.records import Answered
from voicechess.practice.skills import skill_phrase

RECENT = 20
"""So many answers are compared with as many before them."""

ENOUGH = 3
"""A skill is judged from so many answers on."""


@dataclass(frozen=True, slots=True)
class SkillCount:
    """Answers that trained one skill."""

    skill: str
    asked: int
    right: int

    @property
    def share(self) -> float:
        """Right ones of all, 0 to 1."""
        return self.right / self.asked


@dataclass(frozen=True, slots=True)
class Day:
    """All answers of one day (UTC)."""

    day: date
    asked: int
    right: int

    @property
    def percent(self) -> int:
        """Right ones of all in percent."""
        return percent(self.right, self.asked)


def percent(part: int, whole: int) -> int:
    """A share in whole percent; 0 of nothing is 0."""
    return round(100 * part / whole) if whole else 0


def by_skill(answers: Sequence[Answered]) -> tuple[SkillCount, ...]:
    """Every skill that was trained, the weakest first, at equal shares the one asked more often."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        for skill in answer.skills:
            counts[skill][0] += 1
            counts[skill][1] += answer.right
    found = (SkillCount(skill, asked, right) for skill, (asked, right) in counts.items())
    return tuple(sorted(found, key=lambda count: (count.share, -count.asked, count.skill)))


def by_exercise(answers: Sequence[Answered]) -> tuple[SkillCount, ...]:
    """Asked and right for each exercise, in alphabetical order of their keys."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        counts[answer.exercise][0] += 1
        counts[answer.exercise][1] += answer.right
    return tuple(SkillCount(key, asked, right) for key, (asked, right) in sorted(counts.items()))


def by_day(answers: Sequence[Answered]) -> tuple[Day, ...]:
    """The days with answers, in order."""
    counts: dict[date, list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        counts[answer.at.date()][0] += 1
        counts[answer.at.date()][1] += answer.right
    return tuple(Day(day, asked, right) for day, (asked, right) in sorted(counts.items()))


def median_ms(answers: Sequence[Answered]) -> int | None:
    """The middle answer time of the right ones, in milliseconds."""
    times = [answer.answer_ms for answer in answers if answer.right and answer.answer_ms is not None]
    return round(median(times)) if times else None


def how_good(answers: Sequence[Answered]) -> tuple[Phrase, ...]:
    """Three sentences: how much and how well, what is strong and weak, and whether it gets better."""
    if not answers:
        return (Phrase("practice.progress.nothing"),)
    right = sum(answer.right for answer in answers)
    total = Phrase("practice.progress.total", {"count": len(answers), "percent": percent(right, len(answers))})
    return (total, _strong_and_weak(answers), _trend(answers))


def _strong_and_weak(answers: Sequence[Answered]) -> Phrase:
    judged = [count for count in by_skill(answers) if count.asked >= ENOUGH]
    if len(judged) < 2 or judged[0].share == judged[-1].share:
        return Phrase("practice.progress.even")
    slots: dict[str, Slot] = {"best": skill_phrase(judged[-1].skill), "worst": skill_phrase(judged[0].skill)}
    return Phrase("practice.progress.skills", slots)


def _trend(answers: Sequence[Answered]) -> Phrase:
    recent, before = answers[-RECENT:], answers[-2 * RECENT : -RECENT]
    now = percent(sum(answer.right for answer in recent), len(recent))
    if len(before) < RECENT:
        return Phrase("practice.progress.recent", {"count": len(recent), "percent": now})
    then = percent(sum(answer.right for answer in before), len(before))
    key = "better" if now > then else "worse" if now < then else "same"
    return Phrase(f"practice.progress.{key}", {"count": RECENT, "percent": now, "before": then})
