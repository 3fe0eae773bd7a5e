"""The wrapping around a content: "könnten Sie bitte … zurücknehmen" (`Wordings.before`, `behind`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Pattern


def no_slots(_name: str, _start: int) -> Iterator[tuple[int, object]]:
    """Reads no slot: for patterns without any."""
    return iter(())


def ends(words: Sequence[str], start: int, patterns: tuple[Pattern, ...], lexicon: Lexicon) -> Iterator[int]:
    """End index of each of these patterns that matches at `start`."""
    for pattern in _beginning(patterns).get(words[start], ()):
        yield from (end for end, _ in pattern.match(words, start, no_slots, lexicon.fillers))


@lru_cache(maxsize=32)
def _beginning(patterns: tuple[Pattern, ...]) -> Mapping[str, tuple[Pattern, ...]]:
    """These patterns by the words they can start with."""
    index: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        for word in pattern.first_words():
            index.setdefault(word, []).append(pattern)
    return {word: tuple(found) for word, found in index.items()}


@lru_cache(maxsize=1024)
def spans(
    words: tuple[str, ...], before: tuple[Pattern, ...], behind: tuple[Pattern, ...], lexicon: Lexicon
) -> tuple[tuple[int, int], ...]:
    """Every span of the words that remains without wrappings on either side, longest first."""
    starts, lasts = {0}, {len(words)}
    ahead = [0]
    for start in ahead:  # grows meanwhile
        if start < len(words):
            new = {end for end in ends(words, start, before, lexicon) if end < len(words)} - starts
            starts |= new
            ahead.extend(sorted(new))
    closing: dict[int, set[int]] = {}
    for start in range(1, len(words)):
        for end in ends(words, start, behind, lexicon):
            closing.setdefault(end, set()).add(start)
    back = [len(words)]
    for end in back:  # grows meanwhile
        new = closing.get(end, set()) - lasts
        lasts |= new
        back.extend(sorted(new, reverse=True))
    found = [(start, end) for start in starts for end in lasts if start < end]
    return tuple(sorted(found, key=lambda span: (span[0] - span[1], span[0])))
