"""Did-you-mean for typed lines, by likeness: which sentences of the language a line resembles most.

Prototypes are sentences that were said by people (`<language>/prototypes.toml`, slots as "{square}"), and samples of
all patterns and frames. A line resembles one by the words, the neighbours and the letters that both have, each the more
the fewer prototypes have it (cosine similarity of TF-IDF vectors). Nothing is done on it: it is asked about.

Only typed lines are compared, so the index is made when the first one is not understood.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from voicechess.language.folders import PROTOTYPES, read_data
from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Constant, Literal, SlotPart
from voicechess.language.pointing import filled, slots_in
from voicechess.language.tokens import slot_reader
from voicechess.language.wordings import Target, as_target
from voicechess.meaning import Command

GRAMS = (3, 4, 5)
"""Lengths of the sequences of letters that are compared."""

WORD_WEIGHT, NEIGHBOURS_WEIGHT, GRAM_WEIGHT = 1.0, 0.7, 0.5
"""Weights of a word, of two neighbours and of a sequence of letters in common, before rarity."""

NEAREST = 3
"""Number of prototypes of an entry that count, each half as much as the one before. Larger: entries that are said in
many ways gain."""

MOST = sum(0.5**n for n in range(NEAREST))
"""Likeness of a line that is such prototypes."""

SAMPLES_OF_PATTERN, SAMPLES_OF_FRAME, ORDERS_PASSED_OVER = 6, 8, 7
"""Number of sentences taken of a pattern and of a frame, and every how many-th of the latter's. Larger: more memory."""

SLOTS = {
    "square": "square",
    "piece": "piece",
    "pieces": "piece",
    "colour": "colour",
    "number": "number",
    "nth": "number",
}
"""Slots that are compared as such, whatever fills them -> their name in a prototype."""


@dataclass(frozen=True)
class _Prototype:
    target: Target
    denies: bool


@dataclass(frozen=True)
class _PrototypeIndex:
    prototypes: Sequence[_Prototype]
    having: Mapping[str, array[int]]  # prototypes by feature
    norms: Sequence[float]  # lengths of their vectors

    def rarity(self, feature: str) -> float:
        return math.log((len(self.prototypes) + 1) / (len(self.having.get(feature, ())) + 0.5))


def resembled(
    words: Sequence[str],
    line: Sequence[str],
    lexicon: Lexicon,
    commands: Collection[str],
    chosen: Collection[str],
) -> Mapping[Command, float]:
    """How much these words of a line resemble what is said for each of these commands and choices, 0 to `MOST`."""
    found: dict[Command, float] = {}
    slots = slots_in(words, lexicon)
    for (key, fixed), share in _likeness(words, lexicon, frozenset(commands).union(chosen)).items():
        section = "choices" if key in chosen else "commands"
        values = filled(lexicon, section, key, {**dict(fixed), **slots}, line)
        if values is not None:
            one = Command(key, values)
            found[one] = max(found.get(one, 0.0), share)
    return found


def _likeness(words: Sequence[str], lexicon: Lexicon, names: Collection[str]) -> Mapping[Target, float]:
    """The same for entries. A line that denies is compared with such as deny, too, and any other with the rest."""
    index = _index_of(lexicon)
    said = as_prototype(words, lexicon)
    weights = {one: _weight(one) * index.rarity(one) for one in _features(said)}
    norm = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    products: dict[int, float] = {}
    for feature, weight in weights.items():
        for n in index.having.get(feature, ()):
            products[n] = products.get(n, 0.0) + weight * weight
    denies = not lexicon.wordings.negations.isdisjoint(words)
    found: dict[Target, list[float]] = {}
    for n, product in products.items():
        one = index.prototypes[n]
        if one.target[0] in names and one.denies is denies:
            found.setdefault(one.target, []).append(product / norm / index.norms[n])
    return {
        target: sum(share / 2**n for n, share in enumerate(sorted(shares, reverse=True)[:NEAREST]))
        for target, shares in found.items()
    }


def as_prototype(words: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """The words with contractions in full and "{square}" for what fills that slot."""
    full = lexicon.typed.frames.in_full(words)
    read = slot_reader(full, lexicon)
    found: list[str] = []
    start = 0
    while start < len(full):
        filled = ((name, end) for name in SLOTS for end, _ in islice(read(name, start), 1) if end > start)
        name, end = next(filled, ("", start + 1))
        found.append(f"{{{SLOTS[name]}}}" if name else full[start])
        start = end
    return tuple(found)


@lru_cache(maxsize=4)
def _index_of(lexicon: Lexicon) -> _PrototypeIndex:
    prototypes: list[_Prototype] = []
    having: dict[str, array[int]] = {}
    features_of: list[Sequence[str]] = []
    for target, words in dict.fromkeys(_sentences(lexicon)):
        features = tuple(_features(words))
        for one in features:
            having.setdefault(one, array("I")).append(len(prototypes))
        prototypes.append(_Prototype(target, not lexicon.wordings.negations.isdisjoint(words)))
        features_of.append(features)
    index = _PrototypeIndex(prototypes, having, ())
    squares = {one: (_weight(one) * index.rarity(one)) ** 2 for one in having}
    norms = array("d", (math.sqrt(sum(squares[one] for one in features)) or 1.0 for features in features_of))
    return _PrototypeIndex(prototypes, having, norms)


def _features(words: Sequence[str]) -> Iterable[str]:
    found: dict[str, None] = {}
    for before, word in zip(("^", *words), (*words, "$"), strict=True):
        found[f"{before} {word}"] = None
    for word in words:
        found[f"={word}"] = None
        marked = f"^{word}$"
        for length in GRAMS if not word.startswith("{") else ():
            for start in range(len(marked) - length + 1):
                found[marked[start : start + length]] = None
    return found


def _weight(feature: str) -> float:
    if feature.startswith("="):
        return WORD_WEIGHT
    return NEIGHBOURS_WEIGHT if " " in feature else GRAM_WEIGHT


def _sentences(lexicon: Lexicon) -> Iterator[tuple[Target, tuple[str, ...]]]:
    """Every prototype."""
    for entry, sentences in read_data(lexicon.code, PROTOTYPES).items():
        yield from ((as_target(entry), tuple(sentence.split())) for sentence in sentences)
    for section, usual in (("commands", lexicon.commands), ("choices", lexicon.choices)):
        for table in (usual, lexicon.wordings.section(section)):
            for key, patterns in table.items():
                for pattern in patterns:
                    for parts in islice(pattern.expand_each(), SAMPLES_OF_PATTERN):
                        yield (key, ()), _texts(parts)
        for key, frames in lexicon.typed.frames.section(section).items():
            for frame in frames:
                orders = islice(frame.expand(), 0, SAMPLES_OF_FRAME * ORDERS_PASSED_OVER, ORDERS_PASSED_OVER)
                yield from (((key, ()), _texts(parts)) for parts in orders)


def _texts(parts: Iterable[Literal | SlotPart | Constant]) -> tuple[str, ...]:
    texts = []
    for part in parts:
        if isinstance(part, Literal):
            texts.append(part.text)
        elif isinstance(part, SlotPart) and part.name in SLOTS:
            texts.append(f"{{{SLOTS[part.name]}}}")
    return tuple(texts)
