"""The parts of an announced move, found in words, letters and signs.

Each way to take a line is a row of elements, written as a string of codes so that the grammar of moves
(`announcements`) is a handful of regular expressions:

    P piece, F file, R rank, T "to", X "takes", O "from", C check, M mate, E en passant, G "promotes to", K castling
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import chess

from voicechess.language.lexicon import Lexicon
from voicechess.language.patterns import Pattern
from voicechess.language.slots import file_numbers, piece_types, rank_numbers
from voicechess.language.tokens import Token
from voicechess.meaning import Castling

LINK_CODES: Mapping[str, str] = {
    "to": "T",
    "captures": "X",
    "from": "O",
    "check": "C",
    "mate": "M",
    "en_passant": "E",
    "promotes": "G",
}
MAXIMUM_ROWS = 256
"""Typed letters can be taken in several ways; no line of sense has more."""


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a move: its code, its value (file, rank, piece or castling) and whether it was written as usual.

    `usual` is False for a typed letter in the wrong case ("SF3", "lb5"), which is only considered when nothing else
    makes sense.
    """

    code: str
    value: int | Castling | None = None
    usual: bool = True


def element_rows(tokens: Sequence[Token], lexicon: Lexicon, typed: bool) -> Iterator[tuple[Element, ...]]:
    """Every way to take the tokens as parts of a move; none when a word is no such part. Fillers are passed over."""
    yield from islice(_rows(tokens, 0, lexicon, typed), MAXIMUM_ROWS)


def _rows(tokens: Sequence[Token], start: int, lexicon: Lexicon, typed: bool) -> Iterator[tuple[Element, ...]]:
    if start >= len(tokens):
        yield ()
        return
    for end, parts in _here(tokens, start, lexicon, typed):
        for rest in _rows(tokens, end, lexicon, typed):
            yield parts + rest


def _here(
    tokens: Sequence[Token], start: int, lexicon: Lexicon, typed: bool
) -> Iterator[tuple[int, tuple[Element, ...]]]:
    """Every (index behind, elements) for the word or phrase that begins at `start`, the longest phrase first."""
    text = tokens[start].text
    words = [token.text for token in tokens]
    phrases: list[tuple[int, Element]] = []
    for element, pattern in _phrases_by_first_word(lexicon).get(text, ()):
        for end, _ in pattern.match(words, start, _no_slots):
            phrases.append((end, element))
    for end, element in sorted(phrases, key=lambda phrase: -phrase[0]):
        yield end, (element,)
    if text in piece_types(lexicon):
        yield start + 1, (Element("P", piece_types(lexicon)[text]),)
    if not typed or len(text) > 1 or text in lexicon.known_words:
        if text in file_numbers(lexicon):
            yield start + 1, (Element("F", file_numbers(lexicon)[text]),)
        if text in rank_numbers(lexicon):
            yield start + 1, (Element("R", rank_numbers(lexicon)[text]),)
    if text in lexicon.fillers:
        yield start + 1, ()
    if typed and (tokens[start].raw in _signs(lexicon) or text not in lexicon.known_words):
        for elements in _typed_rows(tokens[start].raw, lexicon):
            yield start + 1, elements


def _no_slots(_name: str, _start: int) -> Iterator[tuple[int, object]]:
    return iter(())


@lru_cache(maxsize=8)
def _phrases_by_first_word(lexicon: Lexicon) -> Mapping[str, tuple[tuple[Element, Pattern], ...]]:
    entries = [(Element(LINK_CODES[key]), pattern) for key, patterns in lexicon.move.items() for pattern in patterns]
    entries += [(Element("K", castling), pattern) for castling, ps in lexicon.castling.items() for pattern in ps]
    index: dict[str, list[tuple[Element, Pattern]]] = {}
    for element, pattern in entries:
        for word in pattern.first_words():
            index.setdefault(word, []).append((element, pattern))
    return {word: tuple(found) for word, found in index.items()}


@lru_cache(maxsize=8)
def _signs(lexicon: Lexicon) -> Mapping[str, Element]:
    return {sign: Element(LINK_CODES[key]) for key, signs in lexicon.typed_signs.items() for sign in signs}


def _typed_rows(raw: str, lexicon: Lexicon) -> Iterator[tuple[Element, ...]]:
    """A typed word taken sign by sign: "Sf3", "exd5", "e8D"."""
    if raw.lower() in _signs(lexicon):
        yield (_signs(lexicon)[raw.lower()],)
        return
    if len(raw) > 8 or (len(raw) > 1 and raw.isalpha() and "x" not in raw.lower()):
        return  # a word we do not know, not a move: "da", "lab"
    suffix = next((sign for sign in _signs(lexicon) if len(sign) > 1 and raw.lower().endswith(sign)), "")
    rows: list[tuple[Element, ...]] = [()]
    for character in raw[: len(raw) - len(suffix)]:
        rows = [(*row, element) for row in rows for element in _letter(character, lexicon)]
    ending = (_signs(lexicon)[suffix],) if suffix else ()
    yield from (row + ending for row in rows)


def _letter(character: str, lexicon: Lexicon) -> Iterator[Element]:
    """What one typed character can be. Small letters are files first, capitals are pieces first."""
    small = character.lower()
    if character.isdecimal():
        if character in "12345678":
            yield Element("R", int(character) - 1)
        return
    if small in _signs(lexicon):
        yield _signs(lexicon)[small]
    is_file = small in "abcdefgh" and len(small) == 1
    if is_file and character == small:
        yield Element("F", file_numbers(lexicon)[small])
    for piece in reversed(chess.PIECE_TYPES):  # SAN's bishop before the Bauer
        if character.upper() in lexicon.typed_pieces[piece]:
            yield Element("P", piece, usual=character != small or not is_file)
    if is_file and character != small:
        yield Element("F", file_numbers(lexicon)[small], usual=character.upper() not in _piece_letters(lexicon))


@lru_cache(maxsize=8)
def _piece_letters(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(letter for letters in lexicon.typed_pieces.values() for letter in letters)
