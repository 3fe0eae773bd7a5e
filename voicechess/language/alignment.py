"""Words that were heard, side by side with the words that were said."""

from __future__ import annotations

from collections.abc import Sequence

EXCHANGED, ODD = 3, 2
"""What an exchanged word costs, and one too many or too few: two neighbours of those are rather an exchange."""

Pair = tuple[str | None, str | None]


def pairs(heard: Sequence[str], said: Sequence[str]) -> list[Pair]:
    """The way that needs fewest changes (Levenshtein 1966); None for a word that has no partner."""
    ways: list[list[tuple[int, list[Pair]]]] = []
    for row in range(len(heard) + 1):
        ways.append([])
        for column in range(len(said) + 1):
            found: list[tuple[int, list[Pair]]] = []
            if row and column:
                cost, way = ways[row - 1][column - 1]
                same = heard[row - 1] == said[column - 1]
                found.append((cost + (0 if same else EXCHANGED), [*way, (heard[row - 1], said[column - 1])]))
            if row:
                cost, way = ways[row - 1][column]
                found.append((cost + ODD, [*way, (heard[row - 1], None)]))
            if column:
                cost, way = ways[row][column - 1]
                found.append((cost + ODD, [*way, (None, said[column - 1])]))
            ways[row].append(min(found, key=lambda one: one[0]) if found else (0, []))
    return ways[-1][-1][1]
