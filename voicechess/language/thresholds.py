"""How sure is sure enough: the costs at which a reading is played, asked about, refused or not understood, and how
close another reading has to be to the best one to be its rival.

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
"""Harm of a wrong move, where a question has harm 1: the loss that the thresholds minimise (`bench tuning`). A short
answer is read back when it is likelier than 1 in this number to have meant another move. Larger: more questions."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Costs (`Reading.cost`), but for the last four, which say what they are."""

    # Margins above the best reading. Larger: more rivals, so more questions and fewer wrong moves.
    margin: float  # a legal reading of another meaning within it is a rival, and is asked about
    half: float  # the same beside a part of a move: noise behind half a move makes a whole one
    full: float  # the same beside a legal move announced in full (`readings.is_full_move`); only legal moves are rivals
    neighbour: float  # a legal move this close to something illegal or senseless is asked about instead

    # The highest cost at which something is done about the best reading. Larger: more is done, more of it wrongly.
    clean: float  # a move is played at once
    command: float  # a command is obeyed
    refuse: float  # a move is refused with its reason, or said to make no sense

    # The highest cost at which there is a sentence; what costs more is noise. Larger: more questions to noise.
    ask: float  # "Meinten Sie …?"
    part: float  # the rest of a part of a move is asked for
    sense: float  # cost of all readings that make sense together, for anything to be asked about
    whole: float  # the same where the likeliest is a whole move, which other speech hardly ever is

    fit: float  # `Hypothesis.fit` below which every reading costs more. Larger: more is taken for noise
    alone: float  # how far above `fit` an answer of a word or two must fit, or it is read back. Larger: more are
    again: float  # weight of each pass at another speed, the first having 1. Larger: it counts more
    senseless: float  # such a weight, of readings that are illegal or senseless beside a legal move announced in full


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
class Close:
    """The best reading and its rivals."""

    readings: tuple[Reading, ...]  # lowest cost first; empty where nothing was heard

    @property
    def cost(self) -> float:
        """The lowest cost; 0.0 where nothing was heard."""
        return self.readings[0].cost if self.readings else 0.0

    @property
    def likeliest(self) -> Meaning | None:
        """The meaning of the best reading; None where nothing was heard."""
        return self.readings[0].meaning if self.readings else None

    @property
    def sure(self) -> bool:
        """Whether the best reading makes sense and costs little enough to be obeyed."""
        meant = self.likeliest is not None and not isinstance(self.likeliest, Unclear)
        return meant and self.cost <= load_thresholds().command

    @property
    def only(self) -> Meaning | None:
        """The meaning that all of them share; None where there are several or none."""
        meanings = {reading.meaning for reading in self.readings}
        return meanings.pop() if len(meanings) == 1 else None

    @property
    def agreed(self) -> bool:
        """Whether no rival makes sense: all have the likeliest meaning or are unclear."""
        return all(one.meaning == self.likeliest or isinstance(one.meaning, Unclear) for one in self.readings)

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """Every meaning of the likeliest words ("drei" is a number and a rank); () where other words are close that
        make sense, and where nothing was heard."""
        if not self.readings:
            return ()
        said = self.readings[0].words
        if any(one.words != said and not isinstance(one.meaning, Unclear) for one in self.readings):
            return ()
        return tuple(one.meaning for one in self.readings if one.words == said)


def close(readings: Sequence[Reading], margin: float | None = None, half: float | None = None) -> Close:
    """Those of `readings`, lowest cost first, that cost less than `margin` more than the first.

    `margin` None: that of the thresholds. `half`: the margin of a part of a move; None: the same.
    """
    usual = load_thresholds().margin if margin is None else margin

    def margin_of(meaning: Meaning) -> float:
        return half if half is not None and is_partial_move(meaning) else usual

    return Close(tuple(one for one in readings if one.cost < readings[0].cost + margin_of(one.meaning)))
