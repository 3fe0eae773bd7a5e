"""Building a position by voice: pieces put on squares and squares emptied, any number in one utterance: "Weiß: König
Gustav eins, Dame David eins, Eva vier leer".

Colour and piece apply to what follows ("Bauern Anna zwei, Bella zwei") until the next one. Words that cannot be parsed
are reported, never skipped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import chess

from voicechess.language.lexicon import Lexicon
from voicechess.language.tokens import Token, slot_reader
from voicechess.meaning import Command, SlotValue

REST = "rest"
"""The slot for words that could not be parsed."""

_LETTER_AND_SQUARE = re.compile(r"([^\W\d_])([a-h])([1-8])")
"""A typed piece on a square: "Kg1"."""


def placements(tokens: Sequence[Token], lexicon: Lexicon) -> Command | None:
    """All placements, in the slots of "placed": for each, in order, `colour` (absent if not said), `piece` (absent if
    the square is to be empty) and `square`; from the second on, numbered. None if the words do not start with one."""
    said = [token for token in tokens if any(map(str.isalnum, token.text))]
    words = tuple(token.text for token in said)
    read_slot = slot_reader(words, lexicon)
    passed, empties, emptied = _passed_over(lexicon), *_removing(lexicon)
    found: list[dict[str, SlotValue]] = []
    rest: list[str] = []
    colour: SlotValue | None = None
    piece: SlotValue | None = None
    removing = False
    open_words: list[str] = []  # a colour or piece without a square so far
    at = 0

    def one(name: str) -> tuple[int, SlotValue] | None:
        return next(((end, value) for end, value in read_slot(name, at) if isinstance(value, int)), None)

    def put(kind: SlotValue | None, square: SlotValue) -> None:
        placed: dict[str, SlotValue] = {} if colour is None or kind is None else {"colour": colour}
        if kind is not None:
            placed["piece"] = kind
        found.append({**placed, "square": square})
        open_words.clear()

    while at < len(words):
        typed = _LETTER_AND_SQUARE.fullmatch(said[at].raw)
        square = one("square")
        if square is not None:
            end, where = square
            behind = end
            while behind < len(words) and words[behind] in emptied:
                behind += 1
            if removing or behind > end:
                put(None, where)
            elif piece is not None:
                put(piece, where)
            else:
                rest += (*open_words, *words[at:end])
                open_words.clear()
            at = behind
        elif typed is not None and typed[1] in (letters := _letters(lexicon)):
            rest += open_words if piece is not None else ()
            piece, removing = letters[typed[1]], False
            put(piece, chess.parse_square(typed[2] + typed[3]))
            piece = chess.PAWN  # pawns have no letter
            at += 1
        elif (named := one("colour")) is not None:
            rest += open_words
            open_words = [words[at]]
            (at, colour), piece, removing = named, None, False
        elif (named := one("piece") or one("pieces")) is not None:
            rest += open_words if piece is not None else ()
            open_words = [words[at]] if piece is not None else [*open_words, words[at]]
            (at, piece), removing = named, False
        elif words[at] in empties:
            rest += open_words
            open_words = [words[at]]
            piece, removing, at = None, True, at + 1
        elif words[at] in passed:
            at += 1
        else:
            rest += (*open_words, said[at].raw)
            open_words.clear()
            piece, removing, at = None, False, at + 1
        if rest and not found:
            return None
    if not found:
        return None
    slots = [
        (name if number == 1 else f"{name}{number}", value)
        for number, placed in enumerate(found, 1)
        for name, value in placed.items()
    ]
    rest += open_words
    return Command("placed", (*slots, *(((REST, " ".join(rest)),) if rest else ())))


@lru_cache(maxsize=8)
def _passed_over(lexicon: Lexicon) -> frozenset[str]:
    """Words without a meaning between a piece and its square, or between two pieces: "und", "auf", "der"."""
    between = {word for pattern in lexicon.move["to"] for word in pattern.words()}
    return lexicon.fillers | lexicon.wordings.particles | between | frozenset(lexicon.numerals.joiners)


@lru_cache(maxsize=8)
def _removing(lexicon: Lexicon) -> tuple[frozenset[str], frozenset[str]]:
    """Words before squares that are to be emptied ("lösche"), and those after one ("leer")."""
    patterns = lexicon.choices["remove"]
    before = [pattern for pattern in patterns if "" not in pattern.first_words()]
    behind = [pattern for pattern in patterns if "" in pattern.first_words()]
    tables = (frozenset(word for pattern in ones for word in pattern.words()) for ones in (before, behind))
    first, last = tables
    return first, last


@lru_cache(maxsize=8)
def _letters(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    """The piece for a typed letter; an ambiguous one is the piece whose usual letter it is ("B": a German Bauer)."""
    found = {letters[0]: piece for piece, letters in lexicon.typed.pieces.items() if letters}
    for piece, letters in lexicon.typed.pieces.items():
        for letter in letters:
            found.setdefault(letter, piece)
    return found
