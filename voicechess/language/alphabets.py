"""Piece letters: the figurines, and those of other languages.

Typed moves are read with German and English letters. Letters of other languages collide with those or with the files
("Cc6" is a knight's move in Spanish), so they are read only where a setting names the language, and refused elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess

FIGURINES: Mapping[str, chess.PieceType] = {
    symbol: chess.PIECE_SYMBOLS.index(letter.lower()) for letter, symbol in chess.UNICODE_PIECE_SYMBOLS.items()
}
"""The printed pieces of either colour: ♘ and ♞ are knights."""

_ORDER = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)

ALPHABETS: Mapping[str, str] = {
    "cs": "KDVSJP",
    "da": "KDTLSB",
    "de": "KDTLSB",
    "en": "KQRBNP",
    "es": "RDTACP",
    "et": "KLVORP",
    "fi": "KDTLRP",
    "fr": "RDTFCP",
    "hu": "KVBFHG",
    "is": "KDHBRP",
    "it": "RDTACP",
    "nl": "KDTLPO",
    "no": "KDTLSB",
    "pl": "KHWGSP",
    "pt": "RDTBCP",
    "ro": "RDTNCP",
    "sv": "KDTLSB",
}
"""Language -> its letters for king, queen, rook, bishop, knight and pawn (PGN standard, 8.2.3.2; the laws' own texts in
Icelandic and Romanian have the same, C.2)."""

PIECE_LETTERS = frozenset("".join(ALPHABETS.values()))
"""Every letter that is a piece in one of them."""


def letters_of(alphabet: str) -> Mapping[chess.PieceType, tuple[str, ...]]:
    """The letter of each piece in one of `ALPHABETS`."""
    return {piece: (letter,) for piece, letter in zip(_ORDER, ALPHABETS[alphabet], strict=True)}
