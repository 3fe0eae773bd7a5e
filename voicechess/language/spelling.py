"""Known words that a typed one may be: mistyped, without umlauts, prefix or ending, or in a compound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

MIN_LETTERS = 5
"""Fewest letters of a word that is corrected: nearly every shorter word is one letter from another. Larger: fewer
corrections."""

LETTERS_PER_MISTAKE = 5
"""Letters of a word per mistake allowed, up to `MAX_MISTAKES`. Larger: fewer corrections."""

MAX_MISTAKES = 2

MAX_LETTERS = 40
"""Most letters of a word that is corrected. Larger: more computing."""

_FOLDED = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss", "é": "e"})


def folded(word: str) -> str:
    """A word without umlauts, in any transcription: "zurück", "zurueck" and "zuruck" become one."""
    plain = word.translate(_FOLDED)
    for two, one in (("ae", "a"), ("oe", "o"), ("ue", "u")):
        plain = plain.replace(two, one)
    return plain


def mistakes(a: str, b: str, most: int) -> int:
    """Edit distance with transpositions of adjacent letters (optimal string alignment); any number above `most` if it
    is larger."""
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
    """Known words, indexed by bigrams of letters."""

    words: Mapping[str, tuple[str, ...]]  # by folded form
    _pairs: Mapping[str, tuple[str, ...]]  # folded forms by bigram
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)  # cache of `near`

    @classmethod
    def of(cls, words: Iterable[str]) -> Spellings:
        """An index of these words, less those too short to be corrected."""
        by_form: dict[str, list[str]] = {}
        for word in sorted(set(words)):
            if MIN_LETTERS <= len(word) <= MAX_LETTERS:
                by_form.setdefault(folded(word), []).append(word)
        pairs: dict[str, list[str]] = {}
        for form in by_form:
            for pair in set(_pairs_of(form)):
                pairs.setdefault(pair, []).append(form)
        return cls(_frozen(by_form), _frozen(pairs))

    def near(self, word: str) -> tuple[str, ...]:
        """The words with the smallest edit distance to this one, if it is small enough; otherwise ()."""
        if not MIN_LETTERS <= len(word) <= MAX_LETTERS:
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
        most = min(MAX_MISTAKES, len(form) // LETTERS_PER_MISTAKE)
        shared = Counter(other for pair in set(_pairs_of(form)) for other in self._pairs.get(pair, ()))
        # Each mistake changes two bigrams, a transposition three.
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
