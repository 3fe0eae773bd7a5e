"""Whose words an utterance holds: those of the near voice are an island in what others said before and behind it.

Who speaks to the program is near the microphone and louder than people further away, however clearly these are heard.
Only softer words at the edges are somebody else's: nobody is interrupted in the middle of an announcement, and "sechs"
is softer than "Anna" by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from voicechess.meaning import LONG_WORD_MS, UNKNOWN_WORD, Hypothesis, Word

FAR_DB = 7.0
"""Decibels below the loudest word from which on a word is somebody else's: one in 200 words of an announcement is that
soft. Larger: softer voices are taken for the player's."""

LEAST_WORDS = 2
"""Words of an island; a move has as many. Of talk, a single word may be loud by itself, and be a "ja"; hardly one that
lasts `LONG_WORD_MS`. Larger: fewer islands."""

NOBODY_ELSE_DB = 6.0
"""Decibels added to the level of softer words where nothing was heard but words that belong together. Larger: they
count as the player's more often."""

LOWEST_OWN_DB, OTHERS_BELOW_DB = FAR_DB + NOBODY_ELSE_DB, 6.0
"""Decibels below the loudest word: softer than the first is nobody's own word. Where others are heard too, they are
softer by the second than a voice that sinks. Over an 8 kHz line "vier" and "sechs" are 8 to 11 dB below "Anna"."""

MOST_WIDER = 4
"""Most softer words on either side that may belong to the announcement after all. Larger: more hypotheses."""


@dataclass(frozen=True, slots=True)
class Island:
    """The words of the near voice, and those beside it."""

    words: tuple[Word, ...]
    before: tuple[Word, ...]
    """Softer words before them, the nearest first."""
    behind: tuple[Word, ...]
    """Softer words behind them, the nearest first."""

    def with_sinking_voice(self, is_whole: Callable[[Sequence[Word]], bool]) -> Island | None:
        """The island with softer words next to it that are the near voice's own after all, which sinks at the end of
        what it says: it is whole with them and not without, and nothing else was heard that is nearly as loud."""
        before, behind = (
            tuple(takewhile(lambda word: word.below_db < LOWEST_OWN_DB, _known(side)))
            for side in (self.before, self.behind)
        )
        others = (*self.before[len(before) :], *self.behind[len(behind) :])
        softest = max((word.below_db for word in (*before, *behind)), default=FAR_DB)
        words = (*reversed(before), *self.words, *behind)
        others_are_near = any(word.below_db < softest + OTHERS_BELOW_DB for word in others)
        if others_are_near or is_whole(self.words) or not is_whole(words):
            return None
        return Island(words, self.before[len(before) :], self.behind[len(behind) :])

    @property
    def below_db(self) -> float:
        """How much softer than the loudest word the loudest of those beside it is."""
        return min(word.below_db for word in (*self.before, *self.behind))

    def wider(self, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
        """`hypothesis`, one of the island, with softer words beside it, as far as they are words.

        Where that is everything that was heard, nothing tells of anybody else: so they count as louder.
        """
        before, behind = _known(self.before), _known(self.behind)
        everything = len(self.before) + len(self.behind)
        for left in range(len(before) + 1):
            for right in range(len(behind) + 1):
                added = (*before[:left], *behind[:right])
                if added:
                    words = (*reversed(before[:left]), *hypothesis.words, *behind[:right])
                    below_db = max(word.below_db for word in added) - (
                        NOBODY_ELSE_DB if len(added) == everything else 0
                    )
                    yield replace(hypothesis, words=words, edge_below_db=below_db)


def _known(beside: Sequence[Word]) -> tuple[Word, ...]:
    """Those next to the island, up to the first sound that is no word."""
    return tuple(takewhile(lambda word: word.text != UNKNOWN_WORD, beside[:MOST_WIDER]))


def island(words: Sequence[Word], is_whole: Callable[[Sequence[Word]], bool] = lambda _: False) -> Island | None:
    """The island in these words; None where all are near, or too few of the near ones are words (`LEAST_WORDS`).

    `is_whole`: whether words can be answered as they are, and nothing more is waited for.
    """
    near = [index for index, word in enumerate(words) if word.below_db < FAR_DB]
    first, last = near[0], near[-1]
    found = Island(tuple(words[first : last + 1]), tuple(reversed(words[:first])), tuple(words[last + 1 :]))
    found = found.with_sinking_voice(is_whole) or found
    known = [word for word in found.words if word.text != UNKNOWN_WORD]
    enough = len(known) >= LEAST_WORDS or any(
        word.ended_ms - word.began_ms >= LONG_WORD_MS and is_whole(found.words) for word in known
    )
    return found if enough and (found.before or found.behind) else None
