"""Decision thresholds: the costs up to which a reading is played, asked about, refused or not understood, and the
margins within which another reading is a rival of the best one.

They are data: `thresholds.toml`, written by `voicechess bench tuning --write`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources

from voicechess.meaning import Meaning, Reading, Unclear, is_partial_move

# --- Thresholds ---

WRONG_MOVE_HARM = 200.0
"""Cost of a wrong move in the loss that the thresholds minimise, where a question costs 1 (`bench tuning`). A short
answer is read back when its odds of having meant another move are worse than 1 to this number. Larger: more
questions."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds on costs (`Reading.cost`), except for the last four."""

    # Margins above the best reading. Larger: more rivals, so more questions and fewer wrong moves.
    margin: float  # legal readings within it are rivals, and are asked about
    half: float  # the same around a partial move, since noise after one can complete it
    full: float  # the same around a legal move announced in full (`readings.is_full_move`), for legal rivals
    neighbour: float  # a legal move this close above an illegal or senseless reading is asked about instead

    # Highest cost of the best reading for an action. Larger: more is done, more of it wrongly.
    clean: float  # a move is played at once
    command: float  # a command is obeyed
    refuse: float  # a move is refused with its reason, or said to make no sense

    # Highest cost of a reading for a spoken reply; above, it is noise. Larger: more replies to noise.
    ask: float  # "Meinten Sie …?"
    part: float  # the rest of a part of a move is asked for
    sense: float  # total cost of all readings with a meaning, for any question
    whole: float  # the same if the likeliest is a whole move, which background speech hardly ever is

    fit: float  # `Hypothesis.fit` below which readings cost more. Larger: more is taken for noise
    alone: float  # fit above `fit` below which an answer of a word or two is read back. Larger: more are
    again: float  # weight of each pass at another speed, relative to the first. Larger: it counts more
    senseless: float  # weight of illegal or senseless readings relative to a legal move announced in full


@cache
def load_thresholds() -> Thresholds:
    """The thresholds of `thresholds.toml`, read once. Raises ValueError when one is missing."""
    file = resources.files("voicechess.language") / "thresholds.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    names = [one.name for one in fields(Thresholds)]
    if any(not isinstance(data.get(name), int | float) for name in names):
        raise ValueError(f"thresholds.toml must have {', '.join(names)}")
    return Thresholds(**{name: float(data[name]) for name in names})


# --- Closeness ---


@dataclass(frozen=True, slots=True)
class Contenders:
    """The best reading and its rivals."""

    readings: tuple[Reading, ...]  # lowest cost first; empty if nothing was recognised

    @property
    def cost(self) -> float:
        """The lowest cost; 0.0 if nothing was recognised."""
        return self.readings[0].cost if self.readings else 0.0

    @property
    def likeliest(self) -> Meaning | None:
        """The meaning of the best reading; None if nothing was recognised."""
        return self.readings[0].meaning if self.readings else None

    @property
    def sure(self) -> bool:
        """Whether the best reading has a meaning and a cost low enough to be obeyed."""
        meant = self.likeliest is not None and not isinstance(self.likeliest, Unclear)
        return meant and self.cost <= load_thresholds().command

    @property
    def only(self) -> Meaning | None:
        """The meaning that all of them share; None if there are several, or none."""
        meanings = {reading.meaning for reading in self.readings}
        return meanings.pop() if len(meanings) == 1 else None

    @property
    def agreed(self) -> bool:
        """Whether every rival has the likeliest meaning or none."""
        return all(one.meaning == self.likeliest or isinstance(one.meaning, Unclear) for one in self.readings)

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """Every meaning of the likeliest words ("drei" is a number and a rank); () if other words with a meaning are
        rivals, or nothing was recognised."""
        if not self.readings:
            return ()
        said = self.readings[0].words
        if any(one.words != said and not isinstance(one.meaning, Unclear) for one in self.readings):
            return ()
        return tuple(one.meaning for one in self.readings if one.words == said)


def contenders(readings: Sequence[Reading], margin: float | None = None, half: float | None = None) -> Contenders:
    """The first of `readings` (lowest cost first) and those within `margin` of it.

    `margin`: None for that of the thresholds. `half`: the margin around a partial move; None: the same.
    """
    usual = load_thresholds().margin if margin is None else margin

    def margin_of(meaning: Meaning) -> float:
        return half if half is not None and is_partial_move(meaning) else usual

    return Contenders(tuple(one for one in readings if one.cost < readings[0].cost + margin_of(one.meaning)))
