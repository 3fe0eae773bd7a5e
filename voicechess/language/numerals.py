"""Numbers in words: "ein und zwanzig", "einundzwanzig", "twenty one", "21"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from voicechess.language.lexicon import Lexicon

MAXIMUM = 9999
"""Larger numbers mean nothing in a game of chess and are not read."""


def read_number(words: Sequence[str], start: int, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Every (index behind it, value) of a number that begins at words[start], the longest first."""
    if start < len(words) and words[start].isdecimal() and words[start].isascii():
        if len(words[start]) <= len(str(MAXIMUM)):
            yield start + 1, int(words[start])
        return
    found = dict(_read(words, start, lexicon, 1000))
    yield from sorted(found.items(), reverse=True)


def split_compound(word: str, lexicon: Lexicon) -> tuple[str, ...] | None:
    """The words a compound number is made of ("einundzwanzig": ein, und, zwanzig), or None if it is no such number."""
    if not word or len(word) > 60:
        return None
    parts = _values(lexicon).keys() | set(lexicon.number_joiners)
    # The shortest way to cover the first n letters, for every n.
    covers: list[tuple[str, ...] | None] = [()] + [None] * len(word)
    for end in range(1, len(word) + 1):
        for part in parts:
            before = covers[end - len(part)] if len(part) <= end else None
            best = covers[end]
            if before is not None and word.endswith(part, 0, end) and (best is None or len(before) + 1 < len(best)):
                covers[end] = (*before, part)
    found = covers[len(word)]
    if found is None or len(found) < 2 or not any(end == len(found) for end, _ in read_number(found, 0, lexicon)):
        return None
    return found


@lru_cache(maxsize=8)
def _values(lexicon: Lexicon) -> Mapping[str, int]:
    return {word: value for value, words in lexicon.numbers.items() for word in words}


def _read(words: Sequence[str], start: int, lexicon: Lexicon, unit: int) -> Iterator[tuple[int, int]]:
    """Numbers below 1000 * unit: so many thousands, hundreds (unit 100), or what is below a hundred (unit 1)."""
    if unit == 1:
        yield from _below_hundred(words, start, lexicon)
        return
    values = _values(lexicon)
    smaller = 100 if unit == 1000 else 1
    counts = [*_read(words, start, lexicon, smaller), (start, 1)]
    yield from counts[:-1]
    for middle, count in counts:
        if not 1 <= count <= 9 or middle >= len(words) or values.get(words[middle]) != unit:
            continue
        yield middle + 1, count * unit
        for joined in (middle + 1, _after_joiner(words, middle + 1, lexicon)):
            if joined is not None:
                for end, rest in _read(words, joined, lexicon, smaller):
                    if rest > 0:
                        yield end, count * unit + rest


def _below_hundred(words: Sequence[str], start: int, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    values = _values(lexicon)
    value = values.get(words[start]) if start < len(words) else None
    if value is None or value >= 100:
        return
    yield start + 1, value
    if lexicon.tens_first:
        follower = values.get(words[start + 1]) if start + 1 < len(words) else None
        if value >= 20 and follower is not None and 1 <= follower <= 9:
            yield start + 2, value + follower
    elif 1 <= value <= 9:
        behind = _after_joiner(words, start + 1, lexicon)
        tens = values.get(words[behind]) if behind is not None and behind < len(words) else None
        if behind is not None and tens is not None and 20 <= tens < 100:
            yield behind + 1, tens + value


def _after_joiner(words: Sequence[str], index: int, lexicon: Lexicon) -> int | None:
    return index + 1 if index < len(words) and words[index] in lexicon.number_joiners else None
