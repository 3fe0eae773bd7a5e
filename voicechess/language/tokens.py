"""A line of text as the words the patterns know: one case, one spelling, no punctuation."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from voicechess.language.lexicon import Lexicon
from voicechess.language.numerals import split_compound
from voicechess.meaning import UNKNOWN, UNKNOWNS

MAXIMUM_CHARACTERS = 300
"""No announcement, command or answer is longer; a longer line is refused whole."""

TOKEN = re.compile(r"\[unk\]|<unk>|e\.p\.|\b[0o](?:-[0o]){1,2}\b|[^\W_]+(?:['’][^\W_]+)*|[-–—+#=:]", re.IGNORECASE)
SQUARE = re.compile(r"([a-h])([1-8])", re.IGNORECASE)
MOVE_NUMBER = re.compile(r"^\s*\d{1,3}\s*(?:\.+|…)\s*(?=\S)")
"""The "12." or "12..." before a move copied from a score."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word as the patterns know it (`text`), and as it stood in the line (`raw`; case matters in typed moves)."""

    text: str
    raw: str


def tokenise(line: str, lexicon: Lexicon, typed: bool = False) -> tuple[Token, ...]:
    """The words of a line. Signs (- + # = :) are kept only in typed lines. Never raises."""
    text = unicodedata.normalize("NFC", line)
    if typed:
        text = MOVE_NUMBER.sub("", text)
    tokens: list[Token] = []
    for found in TOKEN.finditer(text):
        raw = found.group()
        word = raw.lower().replace("’", "'")
        if word in UNKNOWNS:
            tokens.append(Token(UNKNOWN, UNKNOWN))
            continue
        if not typed and not any(character.isalnum() for character in word):
            continue
        spelled = lexicon.spellings.get(word)
        if spelled is None and word not in lexicon.known_words:
            square = SQUARE.fullmatch(raw)
            compound = split_compound(word, lexicon)
            if square is not None:
                tokens.extend(Token(part.lower(), part) for part in square.groups())
                continue
            spelled = " ".join(compound) if compound is not None else None
        if spelled is None:
            tokens.append(Token(word, raw))
        else:
            parts = spelled.split()
            tokens.extend(Token(part, raw if len(parts) == 1 else part) for part in parts)
    return tuple(tokens)
