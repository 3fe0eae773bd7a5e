"""Did-you-mean for typed lines, by likeness: which sentences of the language a line resembles most.

Prototypes are sentences that were said by people (`<language>/prototypes.toml`, slots as "{square}"), and samples of
all patterns and frames. A line resembles one by the words, the neighbours and the letters that both have, each the more
the fewer prototypes have it (cosine similarity of TF-IDF vectors). What the nearest prototypes are counts, and how much
likelier each feature is among the prototypes of an entry than among all (naive Bayes). Nothing is done on it: it is
asked about.

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
"""Nearness of a line that is such prototypes."""

MIN_NEARNESS, MIN_NEARNESS_OF_DENIAL = 0.2, 0.5
"""Nearness below which nothing is resembled, and the same of a line that denies. Larger: fewer questions."""

BAYES_WEIGHT = 0.05
"""Weight of the log-likelihood ratio beside the nearness. Larger: the nearest prototypes count less."""

PRIOR_WEIGHT = 0.2
"""Weight of how much is said for an entry. Larger: the more usual entries gain."""

BAYES_SMOOTHING, SAMPLE_WEIGHT = 0.05, 0.3
"""Weight of a feature's frequency among all prototypes beside that among those of an entry, and of a sample beside a
sentence that somebody said. Larger: features that an entry lacks count less against it; patterns count more."""

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
    target: int  # index of its entry
    denies: bool
    weight: float  # 1, or that of a sample


@dataclass(frozen=True)
class _PrototypeIndex:
    targets: Sequence[Target]
    prototypes: Sequence[_Prototype]
    having: Mapping[str, array[int]]  # prototypes by feature
    norms: Sequence[float]  # lengths of their vectors
    shares: Sequence[float]  # their weight divided by that
    totals: Sequence[float]  # sums of the features of each entry, so weighted

    def rarity(self, feature: str) -> float:
        return math.log((len(self.prototypes) + 1) / (len(self.having.get(feature, ())) + 0.5))


def resembled(
    words: Sequence[str],
    line: Sequence[str],
    lexicon: Lexicon,
    commands: Collection[str],
    chosen: Collection[str],
) -> Mapping[Command, float]:
    """How much these words of a line resemble what is said for each of these commands and choices, those that they
    resemble at all: from -2 to 3, for a sentence that is known. The differences are what counts."""
    found: dict[Command, float] = {}
    if not any(len(word) > 1 and word.isalpha() for word in words):
        return found  # notation
    slots = slots_in(words, lexicon)
    for (key, fixed), share in _likeness(words, lexicon, frozenset(commands).union(chosen)).items():
        section = "choices" if key in chosen else "commands"
        values = filled(lexicon, section, key, {**dict(fixed), **slots}, line)
        if values is not None:
            one = Command(key, values)
            found[one] = max(found.get(one, share), share)
    return found


def _likeness(words: Sequence[str], lexicon: Lexicon, names: Collection[str]) -> Mapping[Target, float]:
    """The same for entries. A line that denies is compared with such as deny, too, and any other with the rest."""
    index = _index_of(lexicon)
    said = as_prototype(words, lexicon)
    weights = {one: _weight(one) * index.rarity(one) for one in _features(said)}
    norm = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    products: dict[int, float] = {}
    ratios = dict.fromkeys(range(len(index.targets)), 0.0)
    every = sum(index.totals)
    for feature, weight in weights.items():
        of_target: dict[int, float] = {}
        for n in index.having.get(feature, ()):
            products[n] = products.get(n, 0.0) + weight * weight
            target = index.prototypes[n].target
            of_target[target] = of_target.get(target, 0.0) + index.shares[n]
        among_all = sum(of_target.values()) / every
        for target, among in of_target.items():
            ratios[target] += weight / norm * math.log1p(among / among_all / BAYES_SMOOTHING)
    told = sum(weights[one] for one in weights if one in index.having) / norm
    denies = not lexicon.wordings.negations.isdisjoint(words)
    nearness: dict[int, list[float]] = {}
    for n, product in products.items():
        one = index.prototypes[n]
        if one.denies is denies and index.targets[one.target][0] in names:
            nearness.setdefault(one.target, []).append(product / norm / index.norms[n])
    found = {}
    for n, shares in nearness.items():
        near = sum(share / 2**rank for rank, share in enumerate(sorted(shares, reverse=True)[:NEAREST]))
        if near < (MIN_NEARNESS_OF_DENIAL if denies else MIN_NEARNESS):
            continue
        ratio = ratios[n] - told * math.log((index.totals[n] + BAYES_SMOOTHING) / BAYES_SMOOTHING)
        found[index.targets[n]] = near + BAYES_WEIGHT * ratio + PRIOR_WEIGHT * math.log1p(index.totals[n])
    return found


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
    targets: dict[Target, int] = {}
    prototypes: list[_Prototype] = []
    having: dict[str, array[int]] = {}
    features_of: list[Sequence[str]] = []
    weights: dict[tuple[Target, tuple[str, ...]], float] = {}
    for target, words, weight in _sentences(lexicon):
        weights.setdefault((target, words), weight)
    for (target, words), weight in weights.items():
        features: Sequence[str] = tuple(_features(words))
        for one in features:
            having.setdefault(one, array("I")).append(len(prototypes))
        denies = not lexicon.wordings.negations.isdisjoint(words)
        prototypes.append(_Prototype(targets.setdefault(target, len(targets)), denies, weight))
        features_of.append(features)
    index = _PrototypeIndex(tuple(targets), prototypes, having, (), (), ())
    telling = {one: _weight(one) * index.rarity(one) for one in having}
    norms = array("d", (math.sqrt(sum(telling[one] ** 2 for one in features)) or 1.0 for features in features_of))
    shares = array("d", (one.weight / norm for one, norm in zip(prototypes, norms, strict=True)))
    totals = array("d", [0.0] * len(targets))
    for prototype, share, features in zip(prototypes, shares, features_of, strict=True):
        totals[prototype.target] += share * sum(telling[one] for one in features)
    return _PrototypeIndex(index.targets, prototypes, having, norms, shares, totals)


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


def _sentences(lexicon: Lexicon) -> Iterator[tuple[Target, tuple[str, ...], float]]:
    """Every prototype, with its weight."""
    for entry, sentences in read_data(lexicon.code, PROTOTYPES).items():
        yield from ((as_target(entry), tuple(sentence.split()), 1.0) for sentence in sentences)
    for section, usual in (("commands", lexicon.commands), ("choices", lexicon.choices)):
        for table in (usual, lexicon.wordings.section(section)):
            for key, patterns in table.items():
                for pattern in patterns:
                    for parts in islice(pattern.expand_each(), SAMPLES_OF_PATTERN):
                        yield (key, ()), _texts(parts), SAMPLE_WEIGHT
        for key, frames in lexicon.typed.frames.section(section).items():
            for frame in frames:
                orders = islice(frame.expand(), 0, SAMPLES_OF_FRAME * ORDERS_PASSED_OVER, ORDERS_PASSED_OVER)
                yield from (((key, ()), _texts(parts), SAMPLE_WEIGHT) for parts in orders)


def _texts(parts: Iterable[Literal | SlotPart | Constant]) -> tuple[str, ...]:
    texts = []
    for part in parts:
        if isinstance(part, Literal):
            texts.append(part.text)
        elif isinstance(part, SlotPart) and part.name in SLOTS:
            texts.append(f"{{{SLOTS[part.name]}}}")
    return tuple(texts)
