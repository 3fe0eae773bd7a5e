"""The player's progress, counted from stored answers: in sentences, and as an HTML page for screen readers.

The page's plot is also described in words and given as a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from statistics import median

from voicechess.messages import Duration, Phrase, Slot
from voicechess.practice.schedule import PUZZLE, Answered, kind_of, skill_phrase

# --- Counting ---

RECENT = 20
"""Number of latest answers compared with as many before. Larger: a steadier trend."""

ENOUGH = 3
"""Fewest answers for which a skill is assessed. Larger: fewer skills are."""


@dataclass(frozen=True, slots=True)
class SkillCount:
    """Counts of the answers that trained one skill, or of one exercise."""

    skill: str
    asked: int
    right: int

    @property
    def share(self) -> float:
        """Share of right answers, 0 to 1."""
        return self.right / self.asked


@dataclass(frozen=True, slots=True)
class Day:
    """Counts of the answers of one day (UTC)."""

    day: date
    asked: int
    right: int

    @property
    def percent(self) -> int:
        """Share of right answers in percent."""
        return percent(self.right, self.asked)


def percent(part: int, whole: int) -> int:
    """A share in whole percent; 0 if `whole` is 0."""
    return round(100 * part / whole) if whole else 0


def by_skill(answers: Sequence[Answered]) -> tuple[SkillCount, ...]:
    """All trained skills, the weakest first; of equally weak ones the one asked more often."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        for skill in answer.skills:
            counted = PUZZLE if kind_of(skill) == PUZZLE else skill  # all puzzles together: each is asked too rarely
            counts[counted][0] += 1
            counts[counted][1] += answer.right
    found = (SkillCount(skill, asked, right) for skill, (asked, right) in counts.items())
    return tuple(sorted(found, key=lambda count: (count.share, -count.asked, count.skill)))


def by_exercise(answers: Sequence[Answered]) -> tuple[SkillCount, ...]:
    """The counts of each exercise, in alphabetical order of the keys."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        counts[answer.exercise][0] += 1
        counts[answer.exercise][1] += answer.right
    return tuple(SkillCount(key, asked, right) for key, (asked, right) in sorted(counts.items()))


def by_day(answers: Sequence[Answered]) -> tuple[Day, ...]:
    """The days with answers, in chronological order."""
    counts: dict[date, list[int]] = defaultdict(lambda: [0, 0])
    for answer in answers:
        counts[answer.at.date()][0] += 1
        counts[answer.at.date()][1] += answer.right
    return tuple(Day(day, asked, right) for day, (asked, right) in sorted(counts.items()))


def median_ms(answers: Sequence[Answered]) -> int | None:
    """Median answer time of the right answers in milliseconds; None without any."""
    times = [answer.answer_ms for answer in answers if answer.right and answer.answer_ms is not None]
    return round(median(times)) if times else None


def how_good(answers: Sequence[Answered]) -> tuple[Phrase, ...]:
    """Three sentences: total and share, strongest and weakest skill, trend; one if there are no answers."""
    if not answers:
        return (Phrase("practice.progress.nothing"),)
    right = sum(answer.right for answer in answers)
    total = Phrase("practice.progress.total", {"count": len(answers), "percent": percent(right, len(answers))})
    return (total, _strong_and_weak(answers), _trend(answers))


def _strong_and_weak(answers: Sequence[Answered]) -> Phrase:
    assessed = [count for count in by_skill(answers) if count.asked >= ENOUGH]
    if len(assessed) < 2 or assessed[0].share == assessed[-1].share:
        return Phrase("practice.progress.even")
    slots: dict[str, Slot] = {"best": skill_phrase(assessed[-1].skill), "worst": skill_phrase(assessed[0].skill)}
    return Phrase("practice.progress.skills", slots)


def _trend(answers: Sequence[Answered]) -> Phrase:
    recent, before = answers[-RECENT:], answers[-2 * RECENT : -RECENT]
    now = percent(sum(answer.right for answer in recent), len(recent))
    if len(before) < RECENT:
        return Phrase("practice.progress.recent", {"count": len(recent), "percent": now})
    then = percent(sum(answer.right for answer in before), len(before))
    key = "better" if now > then else "worse" if now < then else "same"
    return Phrase(f"practice.progress.{key}", {"count": RECENT, "percent": now, "before": then})


# --- The report, as sentences and as a page ---

Say = Callable[[Phrase], str]

WEAKEST = 10
"""Skills listed at most."""

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 240, 48, 12


def report_lines(answers: Sequence[Answered]) -> tuple[Phrase, ...]:
    """The report as sentences: progress, answer time, each exercise, the weakest skills."""
    lines = [*how_good(answers)]
    quick = median_ms(answers)
    if quick is not None:
        lines.append(Phrase("practice.report.answer_time", {"duration": Duration(quick)}))
    lines += [_row(Phrase(f"practice.exercise.{count.skill}"), count) for count in by_exercise(answers)]
    weak = _weakest(answers)
    if weak:
        lines.append(Phrase("practice.report.heading_skills"))
        lines += [_row(skill_phrase(count.skill), count) for count in weak]
    return tuple(lines)


def _weakest(answers: Sequence[Answered]) -> tuple[SkillCount, ...]:
    return tuple(count for count in by_skill(answers) if count.share < 1)[:WEAKEST]


def _row(what: Phrase, count: SkillCount) -> Phrase:
    slots: dict[str, Slot] = {"what": what, "asked": count.asked, "percent": percent(count.right, count.asked)}
    return Phrase("practice.report.row", slots)


def page(answers: Sequence[Answered], say: Say, language: str) -> str:
    """The report as an HTML page. `say` renders phrases as text; `language`: the page's language code."""

    def text(key: str) -> str:
        return escape(say(Phrase(f"practice.report.{key}")))

    summary = "\n".join(f"<p>{escape(say(line))}</p>" for line in how_good(answers))
    exercises = [(say(Phrase(f"practice.exercise.{count.skill}")), count) for count in by_exercise(answers)]
    weak = [(say(skill_phrase(count.skill)), count) for count in _weakest(answers)]
    days = by_day(answers)
    parts = [f"<h1>{text('title')}</h1>", f"<h2>{text('heading_summary')}</h2>", summary]
    if days:
        parts += [f"<h2>{text('heading_plot')}</h2>", plot(days, say), _day_table(days, say)]
        parts += [f"<h2>{text('heading_exercises')}</h2>", _table("column_exercise", exercises, say)]
    if weak:
        parts += [f"<h2>{text('heading_skills')}</h2>", _table("column_skill", weak, say)]
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{text("title")}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


_STYLE = (
    ":root{color-scheme:light dark}body{font:1.1rem/1.5 sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0}svg{max-width:100%;height:auto}"
)


def plot_described(days: Sequence[Day]) -> Phrase:
    """The plot described in words."""
    shares = [day.percent for day in days]
    slots: dict[str, Slot] = {"days": len(days), "first": shares[0], "last": shares[-1]}
    return Phrase("practice.report.plot", {**slots, "low": min(shares), "high": max(shares)})


def plot(days: Sequence[Day], say: Say) -> str:
    """The daily share of right answers as an SVG plot with title and description. `days`: at least one."""
    width, height = _WIDTH - _LEFT - _TOP, _HEIGHT - 3 * _TOP
    span = max(1, (days[-1].day - days[0].day).days)

    def x(day: Day) -> float:
        return round(_LEFT + width * (day.day - days[0].day).days / span, 1)

    def y(share: int) -> float:
        return round(_TOP + height * (100 - share) / 100, 1)

    lines = [
        f'<line x1="{_LEFT}" y1="{y(share)}" x2="{_LEFT + width}" y2="{y(share)}" stroke="currentColor"'
        f' stroke-opacity="0.25"/><text x="{_LEFT - 8}" y="{y(share) + 4}" text-anchor="end" font-size="12"'
        f' fill="currentColor">{share}</text>'
        for share in (0, 25, 50, 75, 100)
    ]
    points = " ".join(f"{x(day)},{y(day.percent)}" for day in days)
    dots = [f'<circle cx="{x(day)}" cy="{y(day.percent)}" r="4" fill="currentColor"/>' for day in days]
    return (
        f'<svg role="img" aria-labelledby="plot-title plot-text" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
        f' height="{_HEIGHT}" xmlns="http://www.w3.org/2000/svg">\n'
        f'<title id="plot-title">{escape(say(Phrase("practice.report.heading_plot")))}</title>\n'
        f'<desc id="plot-text">{escape(say(plot_described(days)))}</desc>\n{"".join(lines)}\n'
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="2"/>\n{"".join(dots)}\n</svg>\n'
        f"<p>{escape(say(plot_described(days)))}</p>"
    )


def _day_table(days: Sequence[Day], say: Say) -> str:
    rows = [(day.day.isoformat(), SkillCount("", day.asked, day.right)) for day in days]
    return _table("column_day", rows, say)


def _table(first_column: str, rows: Sequence[tuple[str, SkillCount]], say: Say) -> str:
    def heading(key: str) -> str:
        return f'<th scope="col">{escape(say(Phrase(f"practice.report.{key}")))}</th>'

    def share(count: SkillCount) -> str:
        return escape(say(Phrase("practice.report.percent", {"percent": percent(count.right, count.asked)})))

    head = heading(first_column) + heading("column_asked") + heading("column_right")
    body = "\n".join(
        f'<tr><th scope="row">{escape(what)}</th><td>{count.asked}</td><td>{share(count)}</td></tr>'
        for what, count in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
