"""Sentences before they are put into words: keys and slots; and `Failure`, the error that carries a sentence.

A key names a sentence in the language files ([sentences], dots for tables: "move.repeat"); slots are typed values that
`language.wording` turns into words. The game never holds a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum

import chess

from voicechess.meaning import Castling, CheckWord

# --- Utterances and their slots ---

_TERMINAL_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor, modes
    r"|(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"  # titles, the clipboard
)
"""Control sequences of terminals (ECMA-48, 5.4 and 5.6), with their seven-bit and eight-bit beginnings."""


def one_line(text: str) -> str:
    """`text` as it can be shown and said: on one line, without control sequences of terminals.

    Control and format characters (of any script, those that turn the direction of writing among them) and line breaks
    become blanks.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in _TERMINAL_SEQUENCE.sub("", text))


@dataclass(frozen=True, slots=True)
class SaidMove:
    """A legal move as it is announced (Laws, Appendix D.2): everything the words may need."""

    colour: chess.Color
    piece: chess.PieceType
    from_square: chess.Square
    to_square: chess.Square
    captured: chess.PieceType | None = None
    en_passant: bool = False
    promotion: chess.PieceType | None = None
    castling: Castling | None = None
    check: CheckWord | None = None
    needs_file: bool = False  # to tell it from other legal moves of that kind of piece, as in SAN
    needs_rank: bool = False
    uci: str = ""
    names_captured: bool = False  # the announcement says which piece is captured


@dataclass(frozen=True, slots=True)
class Square:
    """A square, 0 (a1) to 63 (h8)."""

    index: chess.Square


@dataclass(frozen=True, slots=True)
class File:
    """A file, 0 (a) to 7 (h)."""

    index: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank, 0 (the first) to 7."""

    index: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece."""

    kind: chess.PieceType
    colour: chess.Color | None = None  # None: not said


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number of pieces of one kind ("zwei Türme")."""

    kind: chess.PieceType
    count: int
    colour: chess.Color | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """White (True) or Black."""

    colour: chess.Color


@dataclass(frozen=True, slots=True)
class Duration:
    """A time span in milliseconds, said in hours, minutes and seconds."""

    ms: int


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What a side's clock shows."""

    colour: chess.Color
    ms: int  # milliseconds, when it was written; it is spoken with what the clock shows then


@dataclass(frozen=True, slots=True)
class Moment:
    """A day of some year and a time on it: `month` and `day` from 1, `hour` 0 to 23, `minute` 0 to 59."""

    month: int
    day: int
    hour: int
    minute: int


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of some year: `month` and `day` from 1."""

    month: int
    day: int


@dataclass(frozen=True, slots=True)
class Country:
    """A country by its ISO 3166 code; one that the language has no name for is said as its code."""

    code: str


@dataclass(frozen=True, slots=True)
class Ordinal:
    """First, second, third …, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Text:
    """Something that is said as it is, on one line: a name, a path, words that were heard."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name that languages have differently, by their codes; one that is not here says it in English."""

    by_language: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class HandbookPassage:
    """A passage of a section of the handbook, as it is read aloud, both from 0; the first passage is the title."""

    section: int
    passage: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Several things in a row."""

    items: tuple[Slot, ...]
    joiner: str = "and"  # "and", "or", "" (commas only), "groups" (of listings) or "row" (no pause)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence to be said, as its key and slots; as a slot, a sentence within another one."""

    key: str
    slots: Mapping[str, Slot] = field(default_factory=dict)


Slot = (
    int
    | SaidMove
    | Square
    | File
    | Rank
    | Piece
    | Pieces
    | Side
    | Duration
    | TimeLeft
    | Moment
    | CalendarDay
    | Country
    | Ordinal
    | Text
    | Name
    | HandbookPassage
    | Listing
    | Phrase
)


class Priority(IntEnum):
    """The order of utterances."""

    PATIENT = -1  # after everything normal: a question about a part of a move, whose rest may be coming
    NORMAL = 0  # queues up
    NEXT = 1  # before everything normal
    NOW = 2  # ends what is being said


class Tone(Enum):
    """Short sounds that say what a sentence would take too long for."""

    LISTENING = "listening"
    HEARD = "heard"
    NOT_UNDERSTOOD = "not_understood"
    CLOCK_LOW = "clock_low"


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence that the program says."""

    key: str
    slots: Mapping[str, Slot] = field(default_factory=dict)
    priority: Priority = Priority.NORMAL
    number: int = 0  # unique in a session; comes back in `events.Spoken`


QUICK = frozenset({"position.short"})
"""Keys of long lists in a form that the listener knows: they are spoken faster."""


class Whose(Enum):
    """Whose words a sentence repeats: it can come from that side, or in another voice."""

    PROGRAM = "program"  # nobody's but the program's own
    PLAYER = "player"
    OPPONENT = "opponent"


WHOSE: Mapping[str, Whose] = {
    "move.repeat": Whose.PLAYER,
    **dict.fromkeys(("move.opponent", "server.chat", "server.chat_unnamed"), Whose.OPPONENT),
}
"""Keys of the sentences that repeat somebody's words; all others are the program's own."""

QUICK_IF_BRISK = frozenset({"move.repeat"})
"""The same with the setting `brisk`: what a player has just said, they know."""


# --- Failures ---


class Failure(Exception):
    """An error that is told as a sentence. `status`: the exit status if it ends the program (2: wrong input)."""

    def __init__(self, key: str, slots: Mapping[str, Slot] | None = None, status: int = 2) -> None:
        super().__init__(key)
        self.key = key
        self.slots: Mapping[str, Slot] = dict(slots or {})
        self.status = status

    @property
    def phrase(self) -> Phrase:
        """What to say."""
        return Phrase(self.key, self.slots)


def unexpected(key: str, error: BaseException | None) -> Phrase:
    """An unexpected error, as the sentence `key`, whose slot `detail` is what Python calls it."""
    return Phrase(key, {"detail": Text(f"{type(error).__name__}: {error}")})
