"""Which words the recogniser takes for which, counted over its alternatives for utterances whose words are known.

An alternative counts with its share of all alternatives' likelihood, so that every utterance teaches something, not
only the few in which the best one is wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log

from models.bench.trials import Trial
from voicechess.language.confusions import pairs
from voicechess.language.lexicon import Lexicon
from voicechess.sound.model import UNKNOWN

DEAREST = 5.0
"""Costs above that are not kept."""

PRIOR = 2.0
"""So many right hearings are added to each word's, and what was never counted is never assumed."""


@dataclass
class Counts:
    """heard: how often each word was heard; exchanged: (heard, said); added: heard where nothing was said."""

    heard: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    exchanged: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    added: dict[str, float] = field(default_factory=lambda: defaultdict(float))


def count(trials: Iterable[Trial], lexicon: Lexicon) -> Counts:
    """Counts over the utterances in which exactly known words were said. Names of one file or rank are one word."""
    same = {word: words[0] for words in (*lexicon.files, *lexicon.ranks, *lexicon.pieces.values()) for word in words}
    counts = Counts()
    for trial in trials:
        said = [same.get(word, word) for word in trial.item.sample.words]
        hypotheses = [one for one in trial.hypotheses if one.speed == 1.0]
        if not said or not hypotheses:
            continue
        weights = [exp(max(-50.0, one.score - hypotheses[0].score)) for one in hypotheses]
        for hypothesis, weight in zip(hypotheses, weights, strict=True):
            words = [same.get(word, word) for word in hypothesis.text.split()]
            for heard, meant in pairs(words, said):
                if heard is not None:
                    counts.heard[heard] += weight / sum(weights)
                if heard is not None and meant is None:
                    counts.added[heard] += weight / sum(weights)
                if heard is not None and meant is not None and heard != meant:
                    counts.exchanged[heard, meant] += weight / sum(weights)
    return counts


def costs(counts: Counts) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Costs of exchanged and of added words, -log of their share of the hearings, those up to `DEAREST`."""
    exchanged: dict[str, dict[str, float]] = {}
    for (heard, said), number in sorted(counts.exchanged.items()):
        cost = -log(number / (counts.heard[heard] + PRIOR))
        if cost <= DEAREST and heard != UNKNOWN:
            exchanged.setdefault(heard, {})[said] = round(cost, 2)
    added = {
        heard: round(-log(number / (counts.heard[heard] + PRIOR)), 2)
        for heard, number in sorted(counts.added.items())
        if -log(number / (counts.heard[heard] + PRIOR)) <= DEAREST
    }
    return exchanged, added


def as_toml(exchanged: Mapping[str, Mapping[str, float]], added: Mapping[str, float], remarks: Sequence[str]) -> str:
    """The file that `language.confusions` reads."""
    lines = [*(f"# {remark}" for remark in remarks), "", "[added]"]
    lines += [f'"{word}" = {cost}' for word, cost in added.items()]
    lines += ["", "[exchanged]"]
    for heard, said in exchanged.items():
        inside = ", ".join(f'"{word}" = {cost}' for word, cost in said.items())
        lines.append(f'"{heard}" = {{ {inside} }}')
    return "\n".join(lines) + "\n"
