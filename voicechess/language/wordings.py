"""Free wordings of the entries of a language file, from `<language>/wordings.toml`.

A wording is a wrapping ("ich möchte … bitte"), defined once for all, around a content: a pattern of an answer, command
or choice (an entry). Rules name what many patterns share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import chess

from voicechess.language.patterns import Pattern, PatternError, with_rules
from voicechess.meaning import SlotValue

Entries = Mapping[str, tuple[Pattern, ...]]

Target = tuple[str, tuple[tuple[str, SlotValue], ...]]
"""An entry's key, and slot values implied without a word."""

SECTIONS = ("answers", "commands", "choices")
MORE_SLOTS = frozenset({"nth", "nth_rank"})
"""Slots beside those of the language file: an ordinal, as a number and as a rank."""


@dataclass(frozen=True, eq=False)
class Wordings:
    """The wordings of one language."""

    particles: frozenset[str] = frozenset()  # words that may occur anywhere in an answer or a command
    before: tuple[Pattern, ...] = ()  # wrappings before a content
    behind: tuple[Pattern, ...] = ()  # wrappings after it
    correction: tuple[Pattern, ...] = ()  # wrappings before an answer that replaces another
    move_before: tuple[Pattern, ...] = ()  # wrappings before a move
    move_behind: tuple[Pattern, ...] = ()  # wrappings after a move
    promotion: tuple[Pattern, ...] = ()  # what is said of the piece that a pawn becomes, with the slot "piece"
    function: frozenset[str] = frozenset()  # other function words: they mean nothing by themselves
    telling: frozenset[str] = frozenset()  # particles that distinguish commands where an entry has them
    objects: frozenset[str] = frozenset()  # accusative articles ("den"): of what is captured
    negations: frozenset[str] = frozenset()  # a line with one is asked about only with entries that have one
    move: Entries = field(default_factory=dict)  # links between the parts of a move
    pieces: Mapping[str, chess.PieceType] = field(default_factory=dict)  # further names of the pieces
    ordinals: Mapping[str, int] = field(default_factory=dict)
    answers: Entries = field(default_factory=dict)  # further patterns of the language file's entries
    commands: Entries = field(default_factory=dict)
    choices: Entries = field(default_factory=dict)
    content: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # prefixes of words that point to an entry
    pointers: Mapping[Target, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Typed words that point to an entry, as globs; those of a tuple only together."""

    def section(self, name: str) -> Entries:
        """The entries of a section of the language file."""
        return {"answers": self.answers, "commands": self.commands, "choices": self.choices}[name]

    @cached_property
    def wrapping_words(self) -> frozenset[str]:
        """Every word without a meaning of its own: those of wrappings, and particles."""
        around = (*self.before, *self.behind, *self.correction, *self.move_before, *self.move_behind)
        return self.particles | _words(around)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every plain word in it."""
        tables = (self.move, self.answers, self.commands, self.choices)
        return (
            self.wrapping_words
            | _words(pattern for table in tables for patterns in table.values() for pattern in patterns)
            | _words(self.promotion)
            | self.pieces.keys()
            | self.ordinals.keys()
        )


NO_WORDINGS = Wordings()


def _words(patterns: Iterable[Pattern]) -> frozenset[str]:
    return frozenset(word for pattern in patterns for word in pattern.words())


def as_target(entry: str) -> Target:
    """Parses the "level number=1" of a file of pointers or prototypes."""
    key, *slots = entry.split()
    given = ((name, int(value)) for name, _, value in (slot.partition("=") for slot in slots))
    return key, tuple((name, bool(value) if name == "colour" else value) for name, value in given)


def read_wordings(data: Mapping[str, Any], pointers: Mapping[str, Any] | None = None) -> Wordings:
    """Wordings from a parsed file and, if present, that of the pointers. Raises `PatternError` naming the entry."""
    rules: dict[str, str] = {}
    for name, text in data.get("rules", {}).items():
        rules[name] = with_rules(text, rules)

    def patterns(place: str, texts: Iterable[str]) -> tuple[Pattern, ...]:
        try:
            return tuple(Pattern(text, rules) for text in texts)
        except PatternError as error:
            raise PatternError(f"{place}: {error}") from error

    def entries(section: str) -> Entries:
        return {key: patterns(f"{section}.{key}", texts) for key, texts in data.get(section, {}).items()}

    around = data.get("wrapping", {})
    return Wordings(
        particles=frozenset(around.get("particles", ())),
        function=frozenset(around.get("function", ())),
        telling=frozenset(around.get("telling", ())),
        objects=frozenset(around.get("objects", ())),
        negations=frozenset(around.get("negations", ())),
        **{
            name: patterns(f"wrapping.{name}", around.get(name, ()))
            for name in ("before", "behind", "correction", "move_before", "move_behind", "promotion")
        },
        move=entries("move"),
        pieces={
            word: chess.PIECE_NAMES.index(name) for name, words in data.get("pieces", {}).items() for word in words
        },
        ordinals={word: int(number) for number, words in data.get("ordinals", {}).items() for word in words},
        answers=entries("answers"),
        commands=entries("commands"),
        choices=entries("choices"),
        content={key: tuple(words) for key, words in data.get("content", {}).items()},
        pointers={
            as_target(entry): tuple(tuple(words.split()) for words in found)
            for entry, found in (pointers or {}).items()
        },
    )
