"""Skills, answers, and when they are due again by the spaced-repetition algorithm FSRS (package fsrs).

A skill (a file's name, a rank, the colour of a square) has a card in the schedule. It is a short text, "file.2" or
"mate.1": kind and subject, separated by the first dot.

Pure: times are arguments, and the package's random fuzzing of intervals is switched off. A card is stored as the
package's JSON, so that later versions of it can read it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from random import Random
from zlib import crc32

import chess
from fsrs import Card, Rating, Scheduler

from voicechess.messages import File, Phrase, Piece, Rank, Slot, Square

# --- The schedule ---

log = logging.getLogger(__name__)

QUICK_MS = 4_000
"""Answer time in milliseconds up to which an answer is graded EASY. Larger: more are."""

CHOICE_WIDTH = 3
"""Number of most urgent skills from which the next one is drawn, so that the order cannot be learnt. Larger: more
random."""

NEW_SHARE = 0.3
"""Probability, 0 to 1, of a new skill while known ones are due. Larger: faster through the material."""


PUZZLE = "puzzle"
"""Kind of the skills that are single puzzles. A puzzle solved at once gets no card and is not repeated."""


class Grade(Enum):
    """How well an answer was known: FSRS' four ratings."""

    AGAIN = Rating.Again.value
    HARD = Rating.Hard.value
    GOOD = Rating.Good.value
    EASY = Rating.Easy.value


def grade(right: bool, tries: int, hints: int, answer_ms: int | None) -> Grade:
    """The grade of an answer: AGAIN if wrong, HARD with hints or several tries, EASY within `QUICK_MS`, otherwise
    GOOD."""
    if not right:
        return Grade.AGAIN
    if tries > 1 or hints:
        return Grade.HARD
    return Grade.EASY if answer_ms is not None and answer_ms <= QUICK_MS else Grade.GOOD


_LARGEST = 1e9  # bound of stability (days) and difficulty in a valid card


def _card(text: str) -> Card:
    """Parse and validate a card, which the package does not. Raises ValueError, KeyError or TypeError."""
    card = Card.from_json(text)
    numbers = [value for value in (card.stability, card.difficulty) if value is not None]
    if any(type(value) not in (int, float) or not abs(value) < _LARGEST for value in numbers):
        raise TypeError("no numbers")
    if card.due.tzinfo is None or (card.last_review is not None and card.last_review.tzinfo is None):
        raise ValueError("no time zone")
    if not (card.step is None or type(card.step) is int):
        raise TypeError("no step")
    return card


class Deck:
    """The cards of one player. `cards`: skill -> JSON of its card; unreadable ones are dropped."""

    def __init__(self, cards: Mapping[str, str] | None = None) -> None:
        self._scheduler = Scheduler(enable_fuzzing=False)
        self._cards: dict[str, Card] = {}
        for skill, text in (cards or {}).items():
            try:
                self._cards[skill] = _card(text)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                log.warning("card of %s: %s", skill, error)

    def rate(self, skills: Iterable[str], mark: Grade, now: datetime) -> dict[str, str]:
        """Record an answer that trained `skills`; returns the changed cards as JSON. `now` in UTC."""
        changed = {}
        for skill in skills:
            if kind_of(skill) == PUZZLE and skill not in self._cards and mark in (Grade.GOOD, Grade.EASY):
                continue
            card = self._cards.get(skill) or Card(card_id=crc32(skill.encode()), due=now)
            self._cards[skill], _ = self._scheduler.review_card(card, Rating(mark.value), now)
            changed[skill] = self._cards[skill].to_json()
        return changed

    def pick(self, skills: Sequence[str], now: datetime, random: Random, without: Iterable[str] = ()) -> str:
        """The skill to ask for next: due ones, least stable first; new ones; otherwise those due soonest.

        `without`: skills just asked, avoided if there are others.
        """
        avoided = set(without)
        wanted = [skill for skill in skills if skill not in avoided] or list(skills)
        due = sorted((s for s in wanted if s in self._cards and self._cards[s].due <= now), key=self._stability)
        new = [skill for skill in wanted if skill not in self._cards]
        if new and (not due or random.random() < NEW_SHARE):
            return random.choice(new)
        if not due:
            due = sorted(wanted, key=lambda skill: self._cards[skill].due)
        return random.choice(due[:CHOICE_WIDTH])

    def known(self, kind: str) -> tuple[str, ...]:
        """All skills of a kind that have a card."""
        return tuple(skill for skill in self._cards if kind_of(skill) == kind)

    def stability_days(self, skill: str) -> float | None:
        """Days after which the skill is still remembered with a probability of 90 %; None without a card."""
        card = self._cards.get(skill)
        return None if card is None else card.stability

    def _stability(self, skill: str) -> float:
        return self._cards[skill].stability or 0.0

    def as_json(self) -> dict[str, str]:
        """All cards: skill -> JSON."""
        return {skill: json.dumps(card.to_dict()) for skill, card in self._cards.items()}


# --- Stored records: answers and the bookmark ---


@dataclass(frozen=True, slots=True)
class Answered:
    """A closed task.

    `at` is in UTC; `answer_ms` is None if the answer had several steps.
    """

    at: datetime
    exercise: str
    level: int
    skills: tuple[str, ...]
    right: bool  # at the first try and without hints
    tries: int = 1
    hints: int = 0
    answer_ms: int | None = None  # from the end of the question to the first word


@dataclass(frozen=True, slots=True)
class Bookmark:
    """The open task: its course, and the data to recreate it. `depth`: number of follow-ups since the task drawn.

    `asked` and `right` are the session's counts. For a blindfold game, `seed` is its number in the journal, `asked` and
    `right` count requests for help and those granted.
    """

    exercise: str
    level: int
    skill: str
    seed: int
    depth: int = 0
    asked: int = 0
    right: int = 0


# --- Skills ---

FILES = tuple(f"file.{file}" for file in range(8))
RANKS = tuple(f"rank.{rank}" for rank in range(8))
PIECES = tuple(f"piece.{piece}" for piece in chess.PIECE_TYPES)

_ABOUT_SQUARES = frozenset({"shade", "knight"})
_ABOUT_NUMBERS = frozenset({"recall", "set_up", "mate"})


def kind_of(skill: str) -> str:
    """The part of a skill before the first dot."""
    return skill.partition(".")[0]


def about(skill: str) -> str:
    """The part of a skill after the first dot, "" if none."""
    return skill.partition(".")[2]


def skill_phrase(skill: str) -> Phrase:
    """A skill in words, by [sentences.practice.skill]."""
    kind, what = kind_of(skill), about(skill)
    slots: Mapping[str, Slot] = {}
    key = kind
    match kind:
        case "file":
            slots = {"file": File(int(what))}
        case "rank":
            slots = {"rank": Rank(int(what))}
        case "piece" | "path":
            slots = {"piece": Piece(int(what))}
        case _ if kind in _ABOUT_SQUARES:
            slots = {"square": Square(int(what))}
        case _ if kind in _ABOUT_NUMBERS:
            slots = {"count": int(what)}
        case _:
            key = skill if kind != PUZZLE else kind
    return Phrase(f"practice.skill.{key}", slots)
