"""What is learnt, what was answered, and when it is due again by the spaced-repetition algorithm FSRS (package fsrs).

A skill (a file's name, a rank, the colour of a square) has its own place in the schedule. It is a short text, "file.2"
or "mate.1": the kind before the first dot, and what it is about behind it.

Pure: times are arguments, and the package's own random spread of intervals is switched off. A card is kept as the JSON
text that the package writes, so that a later version of it can read what an earlier one wrote.
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

# --- What is due ---

log = logging.getLogger(__name__)

QUICK_MS = 4_000
"""Milliseconds from the question within which an answer counts as known by heart. Larger: more do."""

CHOICE_WIDTH = 3
"""Number of skills most in need from which the next one is drawn, so that the order cannot be learnt. Larger: more
random."""

NEW_SHARE = 0.3
"""Probability, 0 to 1, of something new although something known is due. Larger: faster through the material."""


PUZZLE = "puzzle"
"""Kind of skills that are single puzzles of the player's own. One solved at once is not repeated."""


class Grade(Enum):
    """How well it was known; the names and meaning of FSRS' four ratings."""

    AGAIN = Rating.Again.value
    HARD = Rating.Hard.value
    GOOD = Rating.Good.value
    EASY = Rating.Easy.value


def grade(right: bool, tries: int, hints: int, answer_ms: int | None) -> Grade:
    """The grade of an answer: wrong; right with help or at the second try; right; right at once."""
    if not right:
        return Grade.AGAIN
    if tries > 1 or hints:
        return Grade.HARD
    return Grade.EASY if answer_ms is not None and answer_ms <= QUICK_MS else Grade.GOOD


_LARGEST = 1e9  # days of stability, and more than any difficulty


def _card(text: str) -> Card:
    """A card from its JSON. Raises ValueError, KeyError or TypeError for what is none: the package looks no closer."""
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
    """The cards of one player. `cards`: skill -> JSON of its card; unreadable ones begin anew."""

    def __init__(self, cards: Mapping[str, str] | None = None) -> None:
        self._scheduler = Scheduler(enable_fuzzing=False)
        self._cards: dict[str, Card] = {}
        for skill, text in (cards or {}).items():
            try:
                self._cards[skill] = _card(text)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                log.warning("card of %s: %s", skill, error)

    def rate(self, skills: Iterable[str], mark: Grade, now: datetime) -> dict[str, str]:
        """Note an answer; the changed cards as JSON. `now` in UTC."""
        changed = {}
        for skill in skills:
            if kind_of(skill) == PUZZLE and skill not in self._cards and mark in (Grade.GOOD, Grade.EASY):
                continue
            card = self._cards.get(skill) or Card(card_id=crc32(skill.encode()), due=now)
            self._cards[skill], _ = self._scheduler.review_card(card, Rating(mark.value), now)
            changed[skill] = self._cards[skill].to_json()
        return changed

    def pick(self, skills: Sequence[str], now: datetime, random: Random, without: Iterable[str] = ()) -> str:
        """The skill to ask for next: due ones that sit least first, then new ones, then what is due soonest.

        `without`: what has just been asked; passed over while there is anything else.
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
        """The skills of a kind that have a card."""
        return tuple(skill for skill in self._cards if kind_of(skill) == kind)

    def stability_days(self, skill: str) -> float | None:
        """For how many days it is remembered with 90 % probability; None for what was never asked."""
        card = self._cards.get(skill)
        return None if card is None else card.stability

    def _stability(self, skill: str) -> float:
        return self._cards[skill].stability or 0.0

    def as_json(self) -> dict[str, str]:
        """All cards."""
        return {skill: json.dumps(card.to_dict()) for skill, card in self._cards.items()}


# --- What is kept of practising: every answer, and the place of the open task ---


@dataclass(frozen=True, slots=True)
class Answered:
    """One task that was closed.

    `at` is in UTC; `answer_ms` is None where the answer had several steps.
    """

    at: datetime
    exercise: str
    level: int
    skills: tuple[str, ...]
    right: bool  # at the first try and without help
    tries: int = 1
    hints: int = 0
    answer_ms: int | None = None  # from question to first word


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


# --- Skills ---

FILES = tuple(f"file.{file}" for file in range(8))
RANKS = tuple(f"rank.{rank}" for rank in range(8))
PIECES = tuple(f"piece.{piece}" for piece in chess.PIECE_TYPES)

_ABOUT_SQUARES = frozenset({"shade", "knight"})
_ABOUT_NUMBERS = frozenset({"recall", "set_up", "mate"})


def kind_of(skill: str) -> str:
    """What stands before the first dot."""
    return skill.partition(".")[0]


def about(skill: str) -> str:
    """What stands behind the first dot, "" if nothing does."""
    return skill.partition(".")[2]


def skill_phrase(skill: str) -> Phrase:
    """The skill in words: a sentence below [sentences.practice.skill]."""
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
