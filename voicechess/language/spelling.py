"""Which known words a typed one may be: mistyped, without its umlauts, its ending or its beginning, in a compound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

LEAST_LETTERS = 5
"""Shorter words are not corrected: nearly every other short word is one letter away."""

LETTERS_A_MISTAKE = 5
"""One letter may be wrong in so many, up to `MOST_MISTAKES`."""

MOST_MISTAKES = 2

LONGEST = 40
"""Longer words are nobody's."""

_FOLDED = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss", "é": "e"})


def folded(word: str) -> str:
    """A word as who has no umlauts writes it, either way: "zurück", "zurueck" and "zuruck" are one."""
    plain = word.translate(_FOLDED)
    for two, one in (("ae", "a"), ("oe", "o"), ("ue", "u")):
        plain = plain.replace(two, one)
    return plain


def mistakes(a: str, b: str, most: int) -> int:
    """How many letters must be added, left out, changed, or swapped with the next one, to make `b` of `a`; more than
    `most`: some number above it (optimal string alignment)."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, above = above, row
    return above[-1]


@dataclass(frozen=True)
class Spellings:
    """Words to be found again, by the pairs of letters that they have."""

    words: Mapping[str, tuple[str, ...]]
    _pairs: Mapping[str, tuple[str, ...]]
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, words: Iterable[str]) -> Spellings:
        """The same of these words; those that are too short to be corrected are left out."""
        by_form: dict[str, list[str]] = {}
        for word in sorted(set(words)):
            if LEAST_LETTERS <= len(word) <= LONGEST:
                by_form.setdefault(folded(word), []).append(word)
        pairs: dict[str, list[str]] = {}
        for form in by_form:
            for pair in set(_pairs_of(form)):
                pairs.setdefault(pair, []).append(form)
        return cls(_frozen(by_form), _frozen(pairs))

    def near(self, word: str) -> tuple[str, ...]:
        """The words that differ from this one by the fewest mistakes, if these are few enough; () if none."""
        if not LEAST_LETTERS <= len(word) <= LONGEST:
            return ()
        if word not in self._found:
            if len(self._found) > 2048:
                self._found.clear()
            self._found[word] = tuple(self._nearest(folded(word)))
        return self._found[word]

    def _nearest(self, form: str) -> Iterator[str]:
        if form in self.words:
            yield from self.words[form]
            return
        most = min(MOST_MISTAKES, len(form) // LETTERS_A_MISTAKE)
        shared = Counter(other for pair in set(_pairs_of(form)) for other in self._pairs.get(pair, ()))
        # Each mistake takes two pairs of neighbours away, one that swaps letters three.
        least = len(set(_pairs_of(form))) - 3 * most
        costs = {
            other: cost
            for other, count in shared.items()
            if count >= least and (cost := mistakes(form, other, most)) <= most
        }
        fewest = min(costs.values(), default=0)
        for other, cost in costs.items():
            if cost == fewest:
                yield from self.words[other]


def _pairs_of(form: str) -> list[str]:
    marked = f"^{form}$"
    return [marked[n : n + 2] for n in range(len(marked) - 1)]


def _frozen(lists: Mapping[str, list[str]]) -> Mapping[str, tuple[str, ...]]:
    return {key: tuple(found) for key, found in lists.items()}
