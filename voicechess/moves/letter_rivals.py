"""Files that were said as letters: "b" is taken for "d", "e" or "g" by every recogniser, however sure it is.

So a move whose file was heard as a letter has rivals that nobody heard: the same with a letter that sounds like it, if
that is legal. With one it is asked about, by the file's name; without one it is played as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import chess

from voicechess.language.confusions import load_confusions
from voicechess.language.lexicon import FILE_KEYS, Lexicon
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import Reading, SpokenMove
from voicechess.moves.fitting import fits


def with_letters(readings: Sequence[Reading], board: chess.Board, lexicon: Lexicon) -> tuple[Reading, ...]:
    """The readings of what was heard, and those with another letter, lowest cost first."""
    alike = {**load_confusions(lexicon.code).letters, **load_confusions(lexicon.heard.code).letters}
    if not alike or not readings:
        return tuple(readings)
    most = readings[0].cost + load_thresholds().full
    cheapest = {one.meaning: one for one in reversed(readings)}
    for heard in readings:
        if isinstance(heard.meaning, SpokenMove) and heard.cost < most:
            for move, cost in _otherwise(heard.meaning, frozenset(heard.words.split()), alike):
                known = cheapest.get(move)
                if (known is None or known.cost > heard.cost + cost) and fits(board, move):
                    cheapest[move] = Reading(move, heard.cost + cost, heard.words, letter=True)
    added = [one for one in cheapest.values() if one.letter]
    replaced = {one.meaning for one in added}
    kept = [one for one in readings if one.meaning not in replaced]
    return tuple(sorted((*kept, *added), key=lambda one: one.cost))


def _otherwise(
    move: SpokenMove, words: frozenset[str], alike: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[SpokenMove, float]]:
    """The move with each file that was said as a letter exchanged, with the cost. A speaker's or a recogniser's letters
    are confused together, so two of them cost no more than one."""

    def files(file: int | None) -> list[tuple[int | None, float]]:
        letter = FILE_KEYS[file] if file is not None else ""
        others = alike.get(letter, {}) if letter in words else {}
        return [(file, 0.0), *((FILE_KEYS.index(other), cost) for other, cost in others.items())]

    for (from_file, one), (to_file, other) in product(files(move.from_file), files(move.to_file)):
        if one or other:
            yield replace(move, from_file=from_file, to_file=to_file), max(one, other)
