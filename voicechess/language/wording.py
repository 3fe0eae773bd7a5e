"""From messages to sentences: the last step before speech, and the only one that deals with text.

A message without a sentence is a bug: with `strict` it raises, for tests; in a game it becomes a sentence that names
the message, since a player must hear something.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from functools import cached_property

import chess

from voicechess.language.folders import FALLBACK
from voicechess.language.forms import FormError, Forms
from voicechess.language.handbook import read_aloud
from voicechess.language.sentences import Gap, Template, load_sentences
from voicechess.meaning import Castling, CheckWord
from voicechess.messages import (
    QUICK,
    QUICK_IF_BRISK,
    CalendarDay,
    Country,
    Duration,
    File,
    HandbookPassage,
    Listing,
    Moment,
    Name,
    Ordinal,
    Phrase,
    Piece,
    Pieces,
    Rank,
    SaidMove,
    Side,
    Slot,
    Square,
    Text,
    TimeLeft,
    Utterance,
    one_line,
)

UNKNOWN_KEY = "wording.unknown"
DEPTH = 12
"""Nesting depth of sentences within sentences, at most."""

SENTENCE_END = re.compile(r"[.!?]\s+$")


class Style(Enum):
    """How moves are announced.

    FIDE's announcing language, with German names in every language (Laws, Appendix D.2.1); its file names with ranks
    and pieces in one's own language; plain letters; the international spelling alphabet.
    """

    FIDE = "fide"
    OWN = "own"
    LETTERS = "letters"
    NATO = "nato"


class WordingError(LookupError):
    """A message cannot be worded: its sentence, a slot or a form is missing."""


class Wording:
    """One language and style. Raises `SentencesError` when the language's files are wrong or missing.

    Args:
        language: its code, one of `LANGUAGES`.
        style: how moves, and the squares and pieces in them, are said; None: as the language's file has it.
        strict: raise `WordingError` for a message without words, instead of saying that it has none.
        full: announce every move with the square it comes from.
        brisk: say what stands below [sentences.brisk] in place of the longer sentence of that key.
        figures: numbers in figures, for pages and tables that are looked at; what is spoken has them in words.
    """

    def __init__(
        self,
        language: str = "de",
        style: Style | None = None,
        strict: bool = False,
        full: bool = False,
        figures: bool = False,
        brisk: bool = False,
    ) -> None:
        self.language = language
        self.strict = strict
        self.full = full
        self.figures = figures
        self.brisk = brisk
        self._sentences = load_sentences(language)
        self._forms = Forms(self._sentences.forms)
        self.style = style or Style(self._sentences.forms["announced"]["style"])
        self._names = self._sentences.forms["styles"][self.style.value]

    def for_the_eye(self) -> Wording:
        """This wording with numbers in figures, for display."""
        return Wording(self.language, self.style, self.strict, self.full, figures=True, brisk=self.brisk)

    def briskly(self, on: bool) -> Wording:
        """This wording with the shortest form of moves (`on`), or with the usual one."""
        return Wording(self.language, self.style, self.strict, self.full, self.figures, brisk=on)

    def quick(self, message: Utterance | Phrase) -> bool:
        """Whether this is spoken faster than usual."""
        return message.key in QUICK or (self.brisk and message.key in QUICK_IF_BRISK)

    def say(self, message: Utterance | Phrase, saved: bool = True) -> str:
        """The message as text, with an initial capital.

        `saved`: whether the game in progress is stored on disk at the moment. If not, sentences that say so are
        replaced by those below [sentences.unkept].
        """
        try:
            key = self.shortest(message.key)
            text = self._phrase(key if saved else self._unsaved(key), message.slots)
        except (WordingError, FormError):
            if self.strict:
                raise
            text = self._phrase(UNKNOWN_KEY, {"key": Text(message.key)})
        return _capitalised(text, self.style is Style.LETTERS)

    def fragment(self, message: Phrase) -> str:
        """The message as in its file, not capitalised: a part of a line, whose first word may be a value that is
        typed."""
        try:
            return self._phrase(message.key, message.slots)
        except (WordingError, FormError):
            return self.say(message)

    def move(self, move: SaidMove, full: bool = False) -> str:
        """The announcement of a move, e.g. "Springer Felix drei" (Laws, Appendix D.2).

        `full`: always with the square of origin ("Springer Gustav eins Felix drei"), so that the player hears every
        part of what was understood.
        """
        return _capitalised(self._move(move, full), self.style is Style.LETTERS)

    def square(self, square: chess.Square) -> str:
        """A square in this style: "Felix drei"."""
        return f"{self.file(chess.square_file(square))} {self.rank(chess.square_rank(square))}"

    def file(self, file: int) -> str:
        """A file (0 to 7) in this style."""
        return str(self._names["files"][file])

    def rank(self, rank: int, clear: bool = False) -> str:
        """A rank (0 to 7) in this style; `clear`: by an unmistakable word, where there is one ("zwo")."""
        return str(self._names["clear_ranks" if clear else "ranks"][rank])

    def piece(self, kind: chess.PieceType) -> str:
        """A piece as it is named in announcements, in this style."""
        return str(self._names["pieces"][kind - 1])

    def for_voice(self, text: str) -> str:
        """The text respelled for a speech synthesiser that would mispronounce some words. Not for display."""
        return self._respelled.sub(lambda match: self._pronounce[match.group()], text) if self._pronounce else text

    @cached_property
    def _fallback(self) -> Wording:
        """The wording for sentences that this language lacks."""
        return Wording(FALLBACK, self.style, self.strict, self.full, self.figures, self.brisk)

    @cached_property
    def _pronounce(self) -> Mapping[str, str]:
        table: Mapping[str, str] = self._sentences.forms.get("pronounce", {})
        # The first word of a sentence is capitalised.
        return {_capitalised(word): _capitalised(sound) for word, sound in table.items()} | dict(table)

    @cached_property
    def _respelled(self) -> re.Pattern[str]:
        words = sorted(self._pronounce, key=len, reverse=True)
        return re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b")

    def shortest(self, key: str) -> str:
        """The key of the sentence used for this one: another where moves are announced briskly."""
        return self._variant(f"brisk.{key}", key) if self.brisk else key

    def _unsaved(self, key: str) -> str:
        return self._variant(f"unkept.{key}", key)

    def _variant(self, variant: str, key: str) -> str:
        """The key of a variant of this sentence; a sentence of this language takes precedence over a variant in
        another."""
        lacking = self._sentences.lacking
        known = variant in self._sentences.templates and (variant not in lacking or key in lacking)
        return variant if known else key

    def _phrase(self, key: str, slots: Mapping[str, Slot], depth: int = 0) -> str:
        if key in self._sentences.lacking:
            return self._fallback._phrase(key, slots, depth)
        template = self._sentences.templates.get(key)
        if template is None:
            raise WordingError(f"no sentence for {key!r} in {self.language!r}")
        if depth > DEPTH:
            raise WordingError(f"{key!r} stands in itself")
        return self._filled(key, template, slots, depth)

    def _filled(self, key: str, template: Template, slots: Mapping[str, Slot], depth: int) -> str:
        text = ""
        for part in template.parts:
            if not isinstance(part, Gap):
                text += part
                continue
            if part.slot not in slots:
                raise WordingError(f"{key!r} needs the slot {part.slot!r}")
            value = self._slot(slots[part.slot], part.form, depth)
            text += _capitalised(value, self.style is Style.LETTERS) if SENTENCE_END.search(text) else value
        return text

    def _slot(self, value: Slot, form: str, depth: int) -> str:
        match value:
            case Text():  # text from outside: an engine's or a file's name, a header, a server's answer
                return one_line(value.text)
            case Name(by_language):
                return by_language.get(self.language, by_language[FALLBACK])
            case HandbookPassage():
                return read_aloud(self.language)[value.section][value.passage]
            case Phrase():
                return self._phrase(value.key, value.slots, depth + 1)
            case Listing():
                return self._forms.listing([self._slot(item, form, depth) for item in value.items], value.joiner)
            case SaidMove():
                return self._move(value, full=self.full or form == "full")
            case Piece() if not form and value.colour is None:
                return self.piece(value.kind)
            case Piece():
                return self._forms.piece(value.kind, value.colour, form)
            case Pieces():
                return self._forms.pieces(value.kind, value.count, value.colour, form)
            case Side():
                return self._forms.side(value.colour, form)
            case Ordinal():
                return self._forms.ordinal(value.number, form)
            case Duration() | TimeLeft():
                return self._forms.duration(value.ms, form)
            case Moment():
                return self._forms.moment(value.month, value.day, value.hour, value.minute)
            case CalendarDay():
                return self._forms.day(value.month, value.day)
            case Country(code):
                return str(self._sentences.forms["countries"].get(code, one_line(code)))
            case Square():
                return self.square(value.index)
            case File():
                return self.file(value.index)
            case Rank():
                return self.rank(value.index, form == "clear")
            case int() if self.figures and form != "times":
                return f"{value} %" if form == "percent" else str(value)
            case int():
                return self._forms.number(value, form)
        raise WordingError(f"nothing to say for {value!r}")

    def _move(self, move: SaidMove, full: bool) -> str:
        words = self._sentences.forms["announcement"]
        if move.castling is not None:
            text = str(self._names["castling"][0 if move.castling is Castling.KINGSIDE else 1])
        else:
            captures = move.captured is not None or move.en_passant
            named = move.captured if move.names_captured and not move.en_passant else None
            parts = {
                "piece": "" if move.piece == chess.PAWN and not full else self.piece(move.piece),
                "origin": self._origin(move, full),
                "captures": words["captures"] if captures else "",
                "captured": self.piece(named) if named is not None else "",
                "target": self.square(move.to_square),
                "promotion": self.piece(move.promotion) if move.promotion is not None else "",
                "en_passant": words["en_passant"] if move.en_passant else "",
            }
            text = " ".join(str(words["full" if full else "short"]).format(**parts).split())
        if move.check is None:
            return text
        return str(words["mate" if move.check is CheckWord.MATE else "check"]).format(move=text)

    def _origin(self, move: SaidMove, full: bool) -> str:
        if full or (move.needs_file and move.needs_rank):
            return self.square(move.from_square)
        if move.needs_file:
            return self.file(chess.square_file(move.from_square))
        if move.needs_rank:
            return self.rank(chess.square_rank(move.from_square))
        return ""


def _capitalised(text: str, letters: bool = False) -> str:
    """Capitalised; but where files are `letters`, a lone letter stays lower case: "B schlägt" would be a bishop."""
    return text if letters and text[1:2] == " " else text[:1].upper() + text[1:]
