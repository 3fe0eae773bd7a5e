"""Confusions: which words the recogniser substitutes for which, with their costs. Measured with the real recogniser.

`<language>/confusions.toml` is written by `voicechess bench tuning`: minus the logarithm of the share of times in which
a recognised word had been another one. `<language>/alike.toml` lists words that sound alike whatever the recogniser; it
serves answers of a word or two, which have no context, files spoken as letters, and in noise files' names. How well the
recogniser tells letters apart is in `<language>/letters.toml`, written by `voicechess bench tuning --letters`.

`pairs` aligns recognised with spoken words, from which confusions are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import log

from voicechess.language.folders import ALIKE, CONFUSIONS, LETTERS, read_data

# --- Costs ---

MIN_COST = 2.6
"""Lowest cost of a confusion, whatever was measured. It exceeds the margins of `thresholds`: a move that needs a
confusion is asked about, never played, and is no rival of one recognised clearly. Larger: fewer questions."""

MAX_WORDS = 9
"""Most words of a line in which confusions are tried: no announcement has more. Larger: more computing."""


@dataclass(frozen=True)
class Confusions:
    """Costs of the recogniser's errors."""

    exchanged: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # [heard][said]: a substitution
    added: Mapping[str, float] = field(default_factory=dict)  # [heard]: an insertion
    alike: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """[heard][said]: substitutions of words that sound alike, for short answers."""
    letters: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """[heard][said]: substitutions of letters, for files spoken as letters."""
    names: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """[heard][said]: names of files that noise makes of others."""
    margins: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """[heard][said]: how much less likely than the letter heard best another one may be and have been said, in a quiet
    room. Empty: never measured."""

    def variants(self, words: Sequence[str], most: float) -> Iterator[tuple[str, float]]:
        """Lines that may have been said when `words` were recognised: one word changed, with the cost, at most
        `most`."""
        if len(words) > MAX_WORDS:
            return
        for place, word in enumerate(words):
            for said, cost in self.exchanged.get(word, {}).items():
                if cost <= most:
                    yield " ".join((*words[:place], said, *words[place + 1 :])), max(cost, MIN_COST)
            cost = self.added.get(word, most + 1)
            if cost <= most and len(words) > 1:
                yield " ".join((*words[:place], *words[place + 1 :])), max(cost, MIN_COST)

    def answers(self, words: Sequence[str], most: float) -> Iterator[tuple[str, float]]:
        """Answers that may have been given when `words` were recognised: one word substituted, with the cost.

        Counts of single words are small and similarity is symmetric, so the lower cost of both directions is taken.
        """
        if len(words) > MAX_WORDS:
            return
        for place, word in enumerate(words):
            costs = {said: table[word] for said, table in self.exchanged.items() if word in table}
            for said, cost in (*self.exchanged.get(word, {}).items(), *self.alike.get(word, {}).items()):
                costs[said] = min(cost, costs.get(said, cost))
            for said, cost in costs.items():
                if cost <= most:
                    yield " ".join((*words[:place], said, *words[place + 1 :])), max(cost, MIN_COST)

    def adjusted(self, personal: Confusions) -> Confusions:
        """These costs, overridden by one speaker's own."""
        exchanged = {heard: dict(said) for heard, said in self.exchanged.items()}
        for heard, said in personal.exchanged.items():
            exchanged.setdefault(heard, {}).update(said)
        return replace(self, exchanged=exchanged, added={**self.added, **personal.added})


NO_CONFUSIONS = Confusions()

_FILES = frozenset("abcdefgh")


@cache
def load_confusions(language: str) -> Confusions:
    """The measured costs of a language; empty if there is no file. Raises ValueError for a damaged one."""
    measured = read_confusions(read_data(language, CONFUSIONS))
    alike = read_data(language, ALIKE)
    letters = alike.get("letters", {})
    if not isinstance(letters, Mapping) or not {one for group in letters.get("groups", []) for one in group} <= _FILES:
        raise ValueError("[letters] must be a table, its groups letters from a to h")
    margins = read_data(language, LETTERS)
    if not _FILES.issuperset((*margins, *(said for table in margins.values() for said in table))):
        raise ValueError("letters.toml must have letters from a to h")
    tables = {heard: _costs(table, heard) for heard, table in margins.items()}
    names = _names(alike.get("names", {}))
    return Confusions(measured.exchanged, measured.added, _alike(alike), _alike(letters), names, tables)


def _alike(data: Mapping[str, object]) -> dict[str, dict[str, float]]:
    """Both directions for every pair within a group; a word may be in several groups."""
    groups, share = data.get("groups", []), data.get("share", 0.01)
    if not isinstance(groups, list) or not isinstance(share, float) or not 0 < share < 1:
        raise ValueError("groups must be lists of words, share a number between 0 and 1")
    found: dict[str, dict[str, float]] = {}
    for group in groups:
        for word in group:
            found.setdefault(word, {}).update((other, -log(share)) for other in group if other != word)
    return found


def _names(data: object) -> dict[str, dict[str, float]]:
    """The names that each name may have been, with the cost."""
    if not isinstance(data, Mapping) or not isinstance(heard := data.get("heard", {}), Mapping):
        raise ValueError("[names] must be a table, heard in it lists of words")
    if not isinstance(share := data.get("share", 0.01), float) or not 0 < share < 1:
        raise ValueError("share must be a number between 0 and 1")
    return {name: dict.fromkeys(said, -log(share)) for name, said in heard.items()}


def read_confusions(data: Mapping[str, object]) -> Confusions:
    """Costs from a parsed file. Raises ValueError for anything that is not a cost."""
    exchanged, added = data.get("exchanged", {}), data.get("added", {})
    if not isinstance(exchanged, Mapping) or not isinstance(added, Mapping):
        raise ValueError("[exchanged] and [added] must be tables")
    return Confusions({heard: _costs(said, heard) for heard, said in exchanged.items()}, _costs(added, "added"))


def _costs(table: object, place: str) -> dict[str, float]:
    if not isinstance(table, Mapping):
        raise ValueError(f"{place} must be a table of costs")
    # Compared before the conversion to float, which overflows for huge integers.
    costs = {word: float(cost) for word, cost in table.items() if isinstance(cost, int | float) and 0 <= cost < 100}
    if len(costs) < len(table):
        raise ValueError(f"{place} must be a table of costs")
    return costs


# --- Alignment ---

EXCHANGED, ODD = 3, 2
"""Alignment costs of a substitution, and of an insertion or deletion: an adjacent insertion and deletion count as a
substitution. Larger: fewer of that kind."""

Pair = tuple[str | None, str | None]


def pairs(heard: Sequence[str], said: Sequence[str], exchanged: int = EXCHANGED, odd: int = ODD) -> list[Pair]:
    """The alignment of lowest cost (Levenshtein 1966); None for a word without a counterpart.

    `exchanged`: cost of a substitution; `odd`: of an insertion or deletion.
    """
    ways: list[list[tuple[int, list[Pair]]]] = []
    for row in range(len(heard) + 1):
        ways.append([])
        for column in range(len(said) + 1):
            found: list[tuple[int, list[Pair]]] = []
            if row and column:
                cost, way = ways[row - 1][column - 1]
                same = heard[row - 1] == said[column - 1]
                found.append((cost + (0 if same else exchanged), [*way, (heard[row - 1], said[column - 1])]))
            if row:
                cost, way = ways[row - 1][column]
                found.append((cost + odd, [*way, (heard[row - 1], None)]))
            if column:
                cost, way = ways[row][column - 1]
                found.append((cost + odd, [*way, (None, said[column - 1])]))
            ways[row].append(min(found, key=lambda one: one[0]) if found else (0, []))
    return ways[-1][-1][1]
