"""How sure is sure enough: the costs that decide between playing, asking, refusing and not understanding.

Kept as data, `thresholds.toml`, which `voicechess bench tuning --write` writes. Costs are -log of a share of everything
that was heard: 0 is all of it, 0.69 one half.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from importlib import resources

WORTH = 200.0
"""A wrong move is as bad as so many questions: what is likelier than one in so many to be another move is asked about
where a single short word decides, and thresholds are chosen by it (`bench tuning`)."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Costs above the best reading, and costs of the best reading itself.

    margin: a legal reading of another meaning that costs less than this more than the best is a rival, and is asked
    about. half: the same for a part of a move, since noise behind half a move makes a whole one. senseless: the same
    for readings that are not legal or make no sense; at most `margin`. neighbour: a legal move that costs less than
    this more than something illegal or senseless is asked about instead.
    clean: the dearest reading that is played at once. command: that is obeyed. refuse: that is refused with its
    reason, or told to make no sense. ask: that is asked about ("did you mean …?").
    part: the dearest part of a move that its rest is asked for. sense: of everything that makes sense together, that
    anything is asked about; whole: the same where the likeliest is a whole move, which other speech hardly ever is.
    What is dearer than the last four is taken for noise and gets no sentence.
    fit: no cost; speech that fits its words less well costs more, whatever is made of it (`Hypothesis.fit`).
    alone: no cost; so much better than `fit` has to fit what answers a question by a word or two, or it is read back.
    again: no cost but a weight, that of each hearing at another speed where the first has 1.
    """

    margin: float
    half: float
    senseless: float
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


def load_thresholds() -> Thresholds:
    """The thresholds that were chosen. Raises ValueError when the file has not all of them."""
    file = resources.files("voicechess.language") / "thresholds.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    names = [one.name for one in fields(Thresholds)]
    if any(not isinstance(data.get(name), int | float) for name in names):
        raise ValueError(f"thresholds.toml must have {', '.join(names)}")
    return Thresholds(**{name: float(data[name]) for name in names})


THRESHOLDS = load_thresholds()
