"""What a pattern's slots accept: squares, pieces, colours and numbers, in words or typed letters and digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import chess

from voicechess.language.lexicon import FILE_KEYS, Lexicon
from voicechess.language.numerals import read_number
from voicechess.language.patterns import SlotReader
from voicechess.meaning import SlotValue


@lru_cache(maxsize=8)
def file_numbers(lexicon: Lexicon) -> Mapping[str, int]:
    """Every word or letter for a file, with its number 0 to 7."""
    numbers = {letter: index for index, letter in enumerate(FILE_KEYS)}
    for table in (lexicon.typed_files, lexicon.files):
        numbers.update({word: index for index, words in enumerate(table) for word in words})
    return numbers


@lru_cache(maxsize=8)
def rank_numbers(lexicon: Lexicon) -> Mapping[str, int]:
    """Every word or digit for a rank, with its number 0 to 7."""
    numbers = {str(index + 1): index for index in range(8)}
    return numbers | {word: index for index, words in enumerate(lexicon.ranks) for word in words}


@lru_cache(maxsize=8)
def piece_types(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    """Every name of a piece in the singular."""
    return {word: piece for piece, words in lexicon.pieces.items() for word in words}


@lru_cache(maxsize=8)
def _plural_types(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    return {word: piece for piece, words in lexicon.plurals.items() for word in words}


@lru_cache(maxsize=8)
def _colours(lexicon: Lexicon) -> Mapping[str, chess.Color]:
    return {word: colour for colour, words in lexicon.colours.items() for word in words}


def slot_reader(words: Sequence[str], lexicon: Lexicon) -> SlotReader:
    """A reader of the slots in `words`, for `Pattern.match`."""

    def read(name: str, start: int) -> Iterator[tuple[int, SlotValue]]:
        if start >= len(words):
            return
        if name == "number":
            yield from read_number(words, start, lexicon)
            return
        if name == "square":
            file = file_numbers(lexicon).get(words[start])
            behind = start + 1
            while behind < len(words) and words[behind] in lexicon.fillers:
                behind += 1
            rank = rank_numbers(lexicon).get(words[behind]) if behind < len(words) else None
            if file is not None and rank is not None:
                yield behind + 1, chess.square(file, rank)
            return
        value: SlotValue | None = None
        if name == "file":
            value = file_numbers(lexicon).get(words[start])
        elif name == "rank":
            value = rank_numbers(lexicon).get(words[start])
        elif name == "piece":
            value = piece_types(lexicon).get(words[start])
        elif name == "pieces":
            value = _plural_types(lexicon).get(words[start])
        elif name == "colour":
            value = _colours(lexicon).get(words[start])
        if value is not None:
            yield start + 1, value

    return read
