"""How sure is sure enough: the costs that decide between playing, asking, refusing and not understanding, and which
readings are too close to the likeliest to be ruled out.

They are data: `thresholds.toml`, written by `voicechess bench tuning --write` and read when it is first asked for.
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
"""The harm of a wrong move, where that of a question is 1. The thresholds are chosen by it (`bench tuning`), and a
short answer is read back when it is likelier than 1 in this number to have meant another move."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Costs above the best reading, and costs of the best reading itself.

    margin: a legal reading of another meaning that costs less than this more than the best is a rival, and is asked
    about. half: the same for a part of a move, since noise behind half a move makes a whole one. full: the same beside
    a legal move announced in full (`readings.is_full_move`), of which nothing else is a rival. neighbour: a legal move
    that costs less than this more than something illegal or senseless is asked about instead.
    clean: the dearest reading that is played at once. command: that is obeyed. refuse: that is refused with its
    reason, or told to make no sense. ask: that is asked about ("did you mean …?").
    part: the dearest part of a move that its rest is asked for. sense: of everything that makes sense together, that
    anything is asked about; whole: the same where the likeliest is a whole move, which other speech hardly ever is.
    What is dearer than the last four is taken for noise and gets no sentence.
    fit: no cost; speech that fits its words less well costs more, whatever is made of it (`Hypothesis.fit`).
    alone: no cost; so much better than `fit` has to fit what answers a question by a word or two, or it is read back.
    again: no cost but a weight, that of each hearing at another speed where the first has 1. senseless: such a weight,
    that of readings which are not legal or make no sense beside a legal move announced in full.
    """

    margin: float
    half: float
    full: float
    clean: float
    command: float
    refuse: float
    neighbour: float
    ask: float
    part: float
    sense: float
    whole: float
    fit: float
    alone: float
    again: float
    senseless: float


@cache
def load_thresholds() -> Thresholds:
    """The thresholds that were chosen, read once. Raises ValueError when the file has not all of them."""
    file = resources.files("voicechess.language") / "thresholds.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    names = [one.name for one in fields(Thresholds)]
    if any(not isinstance(data.get(name), int | float) for name in names):
        raise ValueError(f"thresholds.toml must have {', '.join(names)}")
    return Thresholds(**{name: float(data[name]) for name in names})


# --- Closeness ---


@dataclass(frozen=True, slots=True)
class Close:
    """The cheapest reading and those too close to it to be ruled out, cheapest first; none where nothing was heard."""

    readings: tuple[Reading, ...]

    @property
    def cost(self) -> float:
        """The cost of the cheapest; 0.0 where nothing was heard."""
        return self.readings[0].cost if self.readings else 0.0

    @property
    def likeliest(self) -> Meaning | None:
        """The meaning of the cheapest; None where nothing was heard."""
        return self.readings[0].meaning if self.readings else None

    @property
    def sure(self) -> bool:
        """Whether the likeliest makes sense, and is likely enough to be obeyed."""
        meant = self.likeliest is not None and not isinstance(self.likeliest, Unclear)
        return meant and self.cost <= load_thresholds().command

    @property
    def only(self) -> Meaning | None:
        """The one meaning that all of them have; None where there are several or none."""
        meanings = {reading.meaning for reading in self.readings}
        return meanings.pop() if len(meanings) == 1 else None

    @property
    def agreed(self) -> bool:
        """Whether no other of them makes sense: all have the likeliest meaning or are unclear."""
        return all(one.meaning == self.likeliest or isinstance(one.meaning, Unclear) for one in self.readings)

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """Every meaning of the likeliest words ("drei" is a number and a rank); () where other words that make sense
        are close as well, and where nothing was heard."""
        if not self.readings:
            return ()
        said = self.readings[0].words
        if any(one.words != said and not isinstance(one.meaning, Unclear) for one in self.readings):
            return ()
        return tuple(one.meaning for one in self.readings if one.words == said)


def close(readings: Sequence[Reading], margin: float | None = None, half: float | None = None) -> Close:
    """Those of `readings`, cheapest first, that may have been said: what costs less than `margin` more than the first.

    `margin` None: that of the thresholds. `half`: the margin of a part of a move; None: the same.
    """
    least = load_thresholds().margin if margin is None else margin

    def margin_of(meaning: Meaning) -> float:
        return half if half is not None and is_partial_move(meaning) else least

    return Close(tuple(one for one in readings if one.cost < readings[0].cost + margin_of(one.meaning)))
