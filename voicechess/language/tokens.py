"""Tokenises a line into the words of the patterns: one case, one spelling, no punctuation.

Reads numbers in words: "ein und zwanzig", "einundzwanzig", "twenty one", "21".

Reads the slots of patterns: squares, pieces, colours and numbers, in words or typed letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import chess

from voicechess.language.alphabets import FIGURINES
from voicechess.language.lexicon import FILE_KEYS, Lexicon
from voicechess.language.patterns import Pattern, SlotReader
from voicechess.meaning import UNKNOWN_SPELLINGS, UNKNOWN_WORD, SlotValue

# --- Numerals ---

MAX_NUMBER = 9999
"""Largest number that is read."""


def read_number(words: Sequence[str], start: int, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Every (end index, value) of a number that starts at words[start], longest first."""
    if start < len(words) and words[start].isdecimal() and words[start].isascii():
        if len(words[start]) <= len(str(MAX_NUMBER)):
            yield start + 1, int(words[start])
        return
    found = dict(_read(words, start, lexicon, 1000))
    yield from sorted(found.items(), reverse=True)


@lru_cache(maxsize=4096)
def split_compound(word: str, lexicon: Lexicon) -> tuple[str, ...] | None:
    """The words of a compound number ("einundzwanzig": ein, und, zwanzig), or None if it is none."""
    if not word or len(word) > 60:
        return None
    parts = _values(lexicon).keys() | set(lexicon.numerals.joiners)
    # The fewest words that cover the first n letters, for every n.
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
    return {word: value for value, words in lexicon.numerals.words.items() for word in words}


def _read(words: Sequence[str], start: int, lexicon: Lexicon, unit: int) -> Iterator[tuple[int, int]]:
    """Numbers below 1000 * unit: the thousands, the hundreds (unit 100), or the rest below a hundred (unit 1)."""
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
    if lexicon.numerals.tens_first:
        follower = values.get(words[start + 1]) if start + 1 < len(words) else None
        if value >= 20 and follower is not None and 1 <= follower <= 9:
            yield start + 2, value + follower
    elif 1 <= value <= 9:
        behind = _after_joiner(words, start + 1, lexicon)
        tens = values.get(words[behind]) if behind is not None and behind < len(words) else None
        if behind is not None and tens is not None and 20 <= tens < 100:
            yield behind + 1, tens + value


def _after_joiner(words: Sequence[str], index: int, lexicon: Lexicon) -> int | None:
    return index + 1 if index < len(words) and words[index] in lexicon.numerals.joiners else None


# --- Words of a line ---

MAX_CHARACTERS = 300
"""Most characters of a line: no announcement, command or answer is longer. Longer lines are rejected as a whole."""

_LETTER = f"(?:[^\\W_]|[{''.join(FIGURINES)}])"
TOKEN = re.compile(rf"\[unk\]|<unk>|e\.p\.|\b[0o](?:-[0o]){{1,2}}\b|{_LETTER}+(?:['’]{_LETTER}+)*|\S", re.IGNORECASE)
"""A word, or a single other character: every character that is no white space is in a token."""

_AS_TYPED = str.maketrans(
    dict.fromkeys("‐‑‒–—−", "-") | {"×": "x", "†": "+", "‡": "#", "…": "...", "\ufe0e": "", "\ufe0f": ""}
)
"""Maps all dashes to one, and drops a figurine's variation selector."""
PROMOTED = re.compile(rf"(?<=[18])[=/]?\(((?!\d){_LETTER})\)|(?<=[18])/(?=(?!\d){_LETTER})")
"""The new piece as "e8(D)" or "e8/D"."""
ENDINGS = frozenset(".,;!?")
"""Punctuation at the end of a typed sentence, or a move's annotation: "Sf3!?"."""
SEPARATORS = ENDINGS | {":", "-"}
"""What separates clauses of a typed line, and a correction from what it corrects; all dashes are "-" by then."""
SQUARE = re.compile(r"([a-h])([1-8])", re.IGNORECASE)
MOVE_NUMBER = re.compile(r"^\s*(?P<number>\d{1,3})\s*(?P<dots>\.+)\s*(?=\S)")
"""The "12." or "12..." before a move copied from a score."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word as the patterns know it (`text`), and as it stood in the line (`raw`; case matters in typed moves)."""

    text: str
    raw: str


def numbered_move(line: str) -> tuple[int, bool] | None:
    """The number before a typed move, and whether it marks one of Black's ("12..."); None if there is none."""
    found = MOVE_NUMBER.match(line.translate(_AS_TYPED))
    return None if found is None else (int(found["number"]), len(found["dots"]) > 1)


@lru_cache(maxsize=256)
def tokenise(line: str, lexicon: Lexicon, typed: bool = False) -> tuple[Token, ...]:
    """The words of a line; of a typed one also every other character. Never raises."""
    text = unicodedata.normalize("NFC", line)
    if typed:
        text = MOVE_NUMBER.sub("", "".join(_visible(text.translate(_AS_TYPED))))
        text = PROMOTED.sub(lambda found: f"={found[1] or ''}", text)
    tokens: list[Token] = []
    for found in TOKEN.finditer(text):
        raw = found.group()
        word = raw.lower().replace("’", "'")
        if word in UNKNOWN_SPELLINGS:
            tokens.append(Token(UNKNOWN_WORD, UNKNOWN_WORD))
            continue
        if not typed and not any(character.isalnum() for character in word):
            continue
        if raw in FIGURINES:
            tokens.append(Token(lexicon.pieces[FIGURINES[raw]][0], raw))
            continue
        spelled = lexicon.typed.spellings.get(word)
        if spelled is None and word not in lexicon.known_words:
            square = SQUARE.fullmatch(raw)
            compound = split_compound(word, lexicon)
            if square is not None:
                tokens.extend(Token(part.lower(), part) for part in square.groups())
                continue
            spelled = " ".join(compound) if compound is not None else _in_full(word, lexicon)
        if spelled is None:
            tokens.append(Token(word, raw))
        else:
            parts = spelled.split()
            tokens.extend(Token(part, raw if len(parts) == 1 else part) for part in parts)
    return tuple(tokens)


CONTRACTED = "'s"
"""The ending of "steht's", a word of its own: German "es". A pattern with such a word is matched as it is."""


def _in_full(word: str, lexicon: Lexicon) -> str | None:
    ending = lexicon.typed.spellings.get(CONTRACTED)
    stem = word.removesuffix(CONTRACTED)
    return f"{stem} {ending}" if ending and stem and stem != word and word not in lexicon.wordings.words else None


def _visible(text: str) -> Iterator[str]:
    """Without control characters that only affect display, such as a byte order mark."""
    return (character for character in text if unicodedata.category(character) != "Cf")


def without_endings(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without punctuation at the end, and commas next to words: "schlägt Bella zwei, matt", "Sf3, bitte"."""
    end = len(tokens)
    while end and tokens[end - 1].raw in ENDINGS:
        end -= 1
    words = [len(token.text) > 1 and token.text.isalpha() for token in tokens[:end]]
    spoken = [token.text.isalnum() for token in tokens[:end]]
    commas = {
        n
        for n in range(1, end - 1)
        if tokens[n].raw == "," and spoken[n - 1] and spoken[n + 1] and (words[n - 1] or words[n + 1])
    }
    return [token for n, token in enumerate(tokens[:end]) if n not in commas]


# --- Slots of patterns ---


@lru_cache(maxsize=8)
def file_numbers(lexicon: Lexicon) -> Mapping[str, int]:
    """Words and letters for a file -> 0 to 7."""
    numbers = {letter: index for index, letter in enumerate(FILE_KEYS)}
    for table in (lexicon.typed.files, lexicon.files):
        numbers.update({word: index for index, words in enumerate(table) for word in words})
    return numbers


@lru_cache(maxsize=8)
def rank_numbers(lexicon: Lexicon) -> Mapping[str, int]:
    """Words and digits for a rank -> 0 to 7."""
    numbers = {str(index + 1): index for index in range(8)}
    return numbers | {word: index for index, words in enumerate(lexicon.ranks) for word in words}


@lru_cache(maxsize=8)
def piece_types(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    """Singular names of pieces -> piece type."""
    return {word: piece for piece, words in lexicon.pieces.items() for word in words}


@lru_cache(maxsize=8)
def _plural_types(lexicon: Lexicon) -> Mapping[str, chess.PieceType]:
    return {word: piece for piece, words in lexicon.plurals.items() for word in words}


@lru_cache(maxsize=8)
def _colours(lexicon: Lexicon) -> Mapping[str, chess.Color]:
    return {word: colour for colour, words in lexicon.colours.items() for word in words}


@lru_cache(maxsize=8)
def whose(lexicon: Lexicon) -> Mapping[str, bool]:
    """Words that tell whose pieces are meant -> whether they are the speaker's own."""
    return {word: mine for mine, words in lexicon.own.items() for word in words}


@lru_cache(maxsize=8)
def letter_words(lexicon: Lexicon) -> Mapping[str, str]:
    """Words, letters and digits that stand for a character of a name -> that character."""
    digits = {word: str(digit) for digit in range(10) for word in (str(digit), *lexicon.numerals.words[digit])}
    files = {word: FILE_KEYS[index] for word, index in file_numbers(lexicon).items()}
    words = {word: letter for letter, words in lexicon.letters.items() for word in (letter, *words)}
    return digits | files | words


@lru_cache(maxsize=8)
def slot_words(lexicon: Lexicon) -> frozenset[str]:
    """Every word that may fill a slot; numbers in digits may as well."""
    numbers = {word for words in lexicon.numerals.words.values() for word in words}
    tables = (file_numbers, rank_numbers, piece_types, _plural_types, _colours, letter_words, whose)
    named = frozenset(word for table in tables for word in table(lexicon))
    return named | numbers | set(lexicon.numerals.joiners) | lexicon.wordings.ordinals.keys()


@dataclass(frozen=True, slots=True)
class RequiredWords:
    """The words of a line that a pattern must contain to match all of it: `words`, and of them those that fill no
    slot."""

    words: frozenset[str]
    plain: frozenset[str]

    def may_fit(self, pattern: Pattern) -> bool:
        """Whether the pattern contains them. Cheap: it rules out most patterns."""
        return (self.plain if pattern.has_slot else self.words) <= pattern.words()


@lru_cache(maxsize=1024)
def required_words(words: tuple[str, ...], skip: frozenset[str], lexicon: Lexicon) -> RequiredWords:
    """The words that a pattern must contain to match these, if those in `skip` are skipped."""
    told = frozenset(words) - skip
    return RequiredWords(told, frozenset(word for word in told - slot_words(lexicon) if not word.isdecimal()))


def slot_reader(words: Sequence[str], lexicon: Lexicon) -> SlotReader:
    """A slot reader over `words`, for `Pattern.match`."""

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
        elif name == "nth":
            value = lexicon.wordings.ordinals.get(words[start])
        elif name == "nth_rank":
            nth = lexicon.wordings.ordinals.get(words[start], 0)
            value = nth - 1 if 1 <= nth <= 8 else None
        elif name == "own":
            value = whose(lexicon).get(words[start])
        elif name == "letter":
            value = letter_words(lexicon).get(words[start])
        if value is not None:
            yield start + 1, value

    return read
