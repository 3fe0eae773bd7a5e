"""Which words are taken for which: costs of confusion, measured with the real recogniser and kept as data.

`confusions.<language>.toml` is made by `voicechess bench confusions`. A cost is -log of the share of times in which a
word that was heard had been another one, counting only utterances whose right words were not among the recogniser's
alternatives: what the alternatives show already is not counted twice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

LEAST_COST = 2.6
"""No confusion is cheaper, whatever was measured: above the margin of `thresholds`, so that a move that needs one is
asked about and never played, and never stands in the way of a move that was heard clearly."""

MOST_WORDS = 9
"""Longer lines than any announcement are not changed."""


@dataclass(frozen=True)
class Confusions:
    """`exchanged[heard][said]`: cost of having heard one word for another; `added[heard]`: of one that nobody said."""

    exchanged: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    added: Mapping[str, float] = field(default_factory=dict)

    def variants(self, words: Sequence[str], most: float) -> Iterator[tuple[str, float]]:
        """The lines that may have been said when `words` were heard, one word changed, for at most `most` each."""
        if len(words) > MOST_WORDS:
            return
        for place, word in enumerate(words):
            for said, cost in self.exchanged.get(word, {}).items():
                if cost <= most:
                    yield " ".join((*words[:place], said, *words[place + 1 :])), max(cost, LEAST_COST)
            cost = self.added.get(word, most + 1)
            if cost <= most and len(words) > 1:
                yield " ".join((*words[:place], *words[place + 1 :])), max(cost, LEAST_COST)

    def adjusted(self, personal: Confusions) -> Confusions:
        """These costs with one person's own in the places where there are any."""
        exchanged = {heard: dict(said) for heard, said in self.exchanged.items()}
        for heard, said in personal.exchanged.items():
            exchanged.setdefault(heard, {}).update(said)
        return Confusions(exchanged, {**self.added, **personal.added})


NO_CONFUSIONS = Confusions()


@cache
def load_confusions(language: str) -> Confusions:
    """The measured costs of a language; none where nothing was measured. Raises ValueError for a damaged file."""
    file = resources.files("voicechess.language") / f"confusions.{language}.toml"
    if not file.is_file():
        return NO_CONFUSIONS
    return read_confusions(tomllib.loads(file.read_text(encoding="utf-8")))


def read_confusions(data: Mapping[str, object]) -> Confusions:
    """Costs from a parsed file. Raises ValueError where something else than costs stands in it."""
    exchanged, added = data.get("exchanged", {}), data.get("added", {})
    if not isinstance(exchanged, Mapping) or not isinstance(added, Mapping):
        raise ValueError("[exchanged] and [added] must be tables")
    return Confusions({heard: _costs(said, heard) for heard, said in exchanged.items()}, _costs(added, "added"))


def _costs(table: object, place: str) -> dict[str, float]:
    if not isinstance(table, Mapping):
        raise ValueError(f"{place} must be a table of costs")
    costs = {word: float(cost) for word, cost in table.items() if isinstance(cost, int | float)}
    if len(costs) < len(table) or any(not 0 <= cost < 100 for cost in costs.values()):
        raise ValueError(f"{place} must be a table of costs")
    return costs
