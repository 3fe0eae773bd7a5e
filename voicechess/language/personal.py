"""What one speaker's words are taken for, learnt from phrases read aloud.

No speaker is heard worse for it: speech that fits its words less well than usual is taken for noise less easily. What
was learnt about words can only lead to a question, where something illegal or senseless was heard, or where a single
word decided; since no changed word is cheaper than `confusions.MIN_COST`, a whole move that is heard clearly is
played as before. And what happened only once is chance and not learnt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from voicechess.language.confusions import MIN_COST, Confusions, pairs
from voicechess.language.lexicon import Lexicon
from voicechess.language.thresholds import load_thresholds

LEAST_TIMES = 2
"""So often a word must have been taken for the same other one."""

FEWEST = 8
"""Fewer utterances than that do not show how well somebody's speech usually fits its words."""

SLACK = 5.0
"""So much worse than in the calibration, as fits go, somebody may be heard in a game."""

MOST_LEARNT = 12
"""More confusions than that are no habit of speech but a microphone that does not work: nothing is learnt then."""

Reading = tuple[str, str]
"""The words to be read, and the words that were heard."""


def phrases_to_read(lexicon: Lexicon) -> tuple[str, ...]:
    """Sixteen announcements with every piece, file and rank twice, each time beside others."""
    pieces = [words[0] for words in lexicon.heard.pieces.values()]
    files = [words[0] for words in lexicon.heard.files]
    ranks = [words[0] for words in lexicon.heard.ranks]
    first = [f"{pieces[n % len(pieces)]} {files[n]} {ranks[n]}" for n in range(8)]
    second = [f"{pieces[(n + 2) % len(pieces)]} {files[(3 * n + 1) % 8]} {ranks[(5 * n + 2) % 8]}" for n in range(8)]
    return (*first, *second)


def least_fit(fits: Sequence[float]) -> float | None:
    """The fit that this speaker's words have at least (`Hypothesis.fit`), where that is less than everybody's.

    None where it is not, or after too few utterances. The two worst do not count: they may have been coughs.
    """
    if len(fits) < FEWEST:
        return None
    least = round(sorted(fits)[2] - SLACK, 1)
    return least if least < load_thresholds().fit else None


def learn(readings: Iterable[Reading], lexicon: Lexicon) -> Confusions:
    """This speaker's costs of confusion: only what happened at least twice, never cheaper than a question."""
    groups = (*lexicon.heard.files, *lexicon.heard.ranks, *lexicon.heard.pieces.values())
    same = {word: words[0] for words in groups for word in words}
    heard_as: Counter[tuple[str, str]] = Counter()
    times: Counter[str] = Counter()
    for to_read, words in readings:
        said = [same.get(word, word) for word in to_read.split()]
        for heard, meant in pairs([same.get(word, word) for word in words.split()], said):
            if heard is not None and meant is not None and heard in same:
                times[heard] += 1
                if heard != meant:
                    heard_as[heard, meant] += 1
    learnt = {pair: number for pair, number in heard_as.items() if number >= LEAST_TIMES}
    if len(learnt) > MOST_LEARNT:
        return Confusions()
    exchanged: dict[str, dict[str, float]] = {}
    for (heard, meant), number in sorted(learnt.items()):
        cost = max(MIN_COST, -log(number / (times[heard] + 1)))
        exchanged.setdefault(heard, {})[meant] = round(cost, 2)
    return Confusions(exchanged)
