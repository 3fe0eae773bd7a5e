"""Speaker adaptation: the confusions of one speaker, learnt from phrases read aloud, and how well their words fit.

Nobody is heard worse for it. A lower threshold of fit takes less of their speech for noise. A confusion only leads to a
question: where something illegal or senseless was heard, or where a single word decided. None costs less than
`confusions.MIN_COST`, so a whole move heard clearly is played as before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from voicechess.language.confusions import MIN_COST, Confusions, pairs
from voicechess.language.lexicon import Lexicon
from voicechess.language.thresholds import load_thresholds

MIN_TIMES = 2
"""Times that one word must have been taken for another: once is chance. Larger: less is learnt."""

MIN_UTTERANCES = 8
"""Number of utterances from which the speaker's fit is told. Larger: surer, later."""

FIT_SLACK = 5.0
"""Units of `Hypothesis.fit` by which they may fit worse in a game than in the calibration. Larger: more noise is
heard."""

MAX_LEARNT = 12
"""Number of confusions above which nothing is learnt: that is a microphone that does not work, no way of speaking."""

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
    """This speaker's threshold of fit, if it is below everybody's.

    None where it is not, or after too few utterances. The two worst do not count: they may have been coughs.
    """
    if len(fits) < MIN_UTTERANCES:
        return None
    least = round(sorted(fits)[2] - FIT_SLACK, 1)
    return least if least < load_thresholds().fit else None


def learn(readings: Iterable[Reading], lexicon: Lexicon) -> Confusions:
    """This speaker's confusions: only what happened at least twice, at the cost of a question at least."""
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
