"""Speaker adaptation: confusions and fit of one speaker, learnt from phrases read aloud.

It never makes recognition worse for anybody. A lower fit threshold takes less of their speech for noise. A confusion
only leads to a question: where an illegal or senseless line was recognised, or where a single word decides. None costs
less than `confusions.MIN_COST`, so a whole move recognised clearly is played as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from voicechess.language.confusions import MIN_COST, Confusions, pairs
from voicechess.language.lexicon import Lexicon
from voicechess.language.thresholds import load_thresholds

MIN_TIMES = 2
"""Fewest times that one word was taken for another; once is chance. Larger: less is learnt."""

MIN_UTTERANCES = 8
"""Fewest utterances for a fit threshold. Larger: more reliable, later."""

FIT_SLACK = 5.0
"""Units of `Hypothesis.fit` by which speech may fit worse in a game than in the calibration. Larger: more noise is
taken for speech."""

MAX_LEARNT = 12
"""Number of confusions above which nothing is learnt: the microphone is at fault, not the pronunciation. Larger: more
is learnt."""

Reading = tuple[str, str]
"""The words to be read, and those recognised."""


def phrases_to_read(lexicon: Lexicon) -> tuple[str, ...]:
    """Sixteen announcements with every piece, file and rank twice, in different contexts."""
    pieces = [words[0] for words in lexicon.heard.pieces.values()]
    files = [words[0] for words in lexicon.heard.files]
    ranks = [words[0] for words in lexicon.heard.ranks]
    first = [f"{pieces[n % len(pieces)]} {files[n]} {ranks[n]}" for n in range(8)]
    second = [f"{pieces[(n + 2) % len(pieces)]} {files[(3 * n + 1) % 8]} {ranks[(5 * n + 2) % 8]}" for n in range(8)]
    return (*first, *second)


def least_fit(fits: Sequence[float]) -> float | None:
    """The speaker's fit threshold, if it is lower than the default.

    None if not, or after too few utterances. The two worst do not count: they may have been coughs.
    """
    if len(fits) < MIN_UTTERANCES:
        return None
    least = round(sorted(fits)[2] - FIT_SLACK, 1)
    return least if least < load_thresholds().fit else None


def learn(readings: Iterable[Reading], lexicon: Lexicon) -> Confusions:
    """The speaker's confusions: only those that occurred at least `MIN_TIMES`, at no less than
    `confusions.MIN_COST`."""
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
    learnt = {pair: number for pair, number in heard_as.items() if number >= MIN_TIMES}
    if len(learnt) > MAX_LEARNT:
        return Confusions()
    exchanged: dict[str, dict[str, float]] = {}
    for (heard, meant), number in sorted(learnt.items()):
        cost = max(MIN_COST, -log(number / (times[heard] + 1)))
        exchanged.setdefault(heard, {})[meant] = round(cost, 2)
    return Confusions(exchanged)
