"""Separates the player's words from those of bystanders by level: the words of the near voice form an island between
softer words before and behind them.

The player is closer to the microphone and therefore louder than people further away, however clearly those are
recognised. Only softer words at the edges are a bystander's: nobody interrupts an announcement in its middle, and
"sechs" is softer than "Anna" by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from voicechess.meaning import LONG_WORD_MS, UNKNOWN_WORD, Hypothesis, Word

OTHER_TALKER_DB = 7.0
"""Decibels below the loudest word at which a word is taken for a bystander's; one in 200 words of an announcement is
that soft. Larger: more of a bystander's words are taken for the player's."""

LEAST_WORDS = 2
"""Fewest words of an island: a move has as many. In talk a single word may be louder by chance and be a "ja"; hardly
one that lasts `LONG_WORD_MS`. Larger: fewer islands."""

SINGLE_TALKER_DB = 6.0
"""Decibels added to the level of softer words when the utterance holds nothing beyond them and the island, so that no
bystander is in evidence. Larger: such words count as the player's more often."""

SOFTEST_OWN_DB, BYSTANDER_MARGIN_DB = OTHER_TALKER_DB + SINGLE_TALKER_DB, 6.0
"""Decibels below the loudest word beyond which a word is never the player's own; and how much softer than a voice that
trails off a bystander in the same utterance has to be. Over an 8 kHz line "vier" and "sechs" are 8 to 11 dB below
"Anna". Larger: the first keeps more soft words, the second fewer."""

MOST_SOFT_WORDS = 4
"""Most softer words on each side that are tried as part of the announcement. Larger: more hypotheses."""


@dataclass(frozen=True, slots=True)
class Island:
    """The near voice's words, and the softer ones around them."""

    words: tuple[Word, ...]
    before: tuple[Word, ...]
    """Softer words before the island, nearest first."""
    behind: tuple[Word, ...]
    """Softer words behind the island, nearest first."""

    def with_fading_voice(self, is_whole: Callable[[Sequence[Word]], bool]) -> Island | None:
        """The island extended by adjacent softer words of a voice that trails off; None unless it is complete with
        them, incomplete without, and nothing else was heard at nearly that level."""
        before, behind = (
            tuple(takewhile(lambda word: word.below_db < SOFTEST_OWN_DB, _known(side)))
            for side in (self.before, self.behind)
        )
        others = (*self.before[len(before) :], *self.behind[len(behind) :])
        softest = max((word.below_db for word in (*before, *behind)), default=OTHER_TALKER_DB)
        words = (*reversed(before), *self.words, *behind)
        others_are_near = any(word.below_db < softest + BYSTANDER_MARGIN_DB for word in others)
        if others_are_near or is_whole(self.words) or not is_whole(words):
            return None
        return Island(words, self.before[len(before) :], self.behind[len(behind) :])

    @property
    def below_db(self) -> float:
        """Decibels from the loudest word down to the loudest one outside the island."""
        return min(word.below_db for word in (*self.before, *self.behind))

    def wider(self, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
        """Variants of `hypothesis` (one of the island) extended by the recognised softer words on either side.

        Where the extension covers everything that was heard, there is no sign of a bystander and it counts as louder
        (`SINGLE_TALKER_DB`).
        """
        before, behind = _known(self.before), _known(self.behind)
        everything = len(self.before) + len(self.behind)
        for left in range(len(before) + 1):
            for right in range(len(behind) + 1):
                added = (*before[:left], *behind[:right])
                if added:
                    words = (*reversed(before[:left]), *hypothesis.words, *behind[:right])
                    below_db = max(word.below_db for word in added) - (
                        SINGLE_TALKER_DB if len(added) == everything else 0
                    )
                    yield replace(hypothesis, words=words, edge_below_db=below_db)


def _known(beside: Sequence[Word]) -> tuple[Word, ...]:
    """The words next to the island, up to the first `[unk]`."""
    return tuple(takewhile(lambda word: word.text != UNKNOWN_WORD, beside[:MOST_SOFT_WORDS]))


def island(words: Sequence[Word], is_whole: Callable[[Sequence[Word]], bool] = lambda _: False) -> Island | None:
    """The island in these words; None when all of them are near, or too few of the near ones are words (`LEAST_WORDS`).

    `is_whole`: whether these words are a complete utterance.
    """
    near = [index for index, word in enumerate(words) if word.below_db < OTHER_TALKER_DB]
    first, last = near[0], near[-1]
    found = Island(tuple(words[first : last + 1]), tuple(reversed(words[:first])), tuple(words[last + 1 :]))
    found = found.with_fading_voice(is_whole) or found
    known = [word for word in found.words if word.text != UNKNOWN_WORD]
    enough = len(known) >= LEAST_WORDS or any(
        word.ended_ms - word.began_ms >= LONG_WORD_MS and is_whole(found.words) for word in known
    )
    return found if enough and (found.before or found.behind) else None
