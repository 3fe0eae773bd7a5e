"""The letters that stand for pieces: the figurines, and the letters of other languages.

What is typed is read with German and English letters. Those of other languages collide with them or with the files
("Cc6" is a knight's move in Spanish), so they are read where a setting names the language, and refused elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess

FIGURINES: Mapping[str, chess.PieceType] = {
    symbol: chess.PIECE_SYMBOLS.index(letter.lower()) for letter, symbol in chess.UNICODE_PIECE_SYMBOLS.items()
}
"""The pieces as they are printed, of either colour: ♘ and ♞ are knights."""

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
