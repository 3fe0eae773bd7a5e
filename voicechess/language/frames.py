"""Frames: lines in any word order, made of words that carry a meaning and words that carry none.

A frame lists the parts a line must have: "{square}; (frei|leer)". Each part is a pattern, in brackets if it is optional
or repeatable. Parts may come in any order; all other words must be silent ones ("ich würde gern wissen, ob …"). So one
frame covers question, wish, subordinate clause and infinitive. Of several matching frames the one with the most words
wins, then the one with the most required words; a tie between two entries is not understood.

Typed lines are matched this way, and clearly recognised ones (`app.hearing`): too much background talk contains the
words of a frame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any

from voicechess.language.patterns import Captures, Literal, Pattern, PatternError, SlotPart, SlotReader, with_rules


@dataclass(frozen=True, slots=True)
class FramePart:
    """A part of a frame."""

    pattern: Pattern
    needed: bool  # exactly once; otherwise optional and repeatable


Fit = tuple[int, int, Captures]
"""Number of words of a frame that matched, of those in required parts, and the slots filled."""

NOTHING_TAKEN: Fit = (0, 0, ())

MOST_ALIKE = 6
"""Number of lines that sound the same, up to which they are tried as typed, at some 20 ms each. Larger: slower."""


class WordFrame:
    """The parts of a line with one meaning. Raises `PatternError` if the text cannot be parsed, or requires nothing."""

    __slots__ = ("_needed", "_words", "has_slot", "parts", "text")

    def __init__(self, text: str, rules: Mapping[str, str] | None = None) -> None:
        self.text = text
        texts = [part.strip() for part in with_rules(text, rules or {}).split(";")]
        self.parts = tuple(
            FramePart(Pattern(one[1:-1]), needed=False) if _is_bracketed(one) else FramePart(Pattern(one), needed=True)
            for one in texts
        )
        if not any(part.needed for part in self.parts):
            raise PatternError(f"frame {text!r} needs nothing")
        self._needed = frozenset(number for number, part in enumerate(self.parts) if part.needed)
        self._words = frozenset(word for part in self.parts for word in part.pattern.words())
        self.has_slot = any(part.pattern.has_slot for part in self.parts)
        """Whether it has a slot that takes words."""

    def words(self) -> frozenset[str]:
        """All plain words in it."""
        return self._words

    @property
    def has_ordinal(self) -> bool:
        """Whether it has a slot for an ordinal."""
        return any(name.startswith("nth") for part in self.parts for name in part.pattern.slots())

    def expand(self) -> Iterator[tuple[Literal | SlotPart, ...]]:
        """Sentences of the required parts in every order, slots left open."""
        for parts in permutations([part.pattern for part in self.parts if part.needed]):
            yield from _joined(parts)

    def best_fit(self, words: Sequence[str], read_slot: SlotReader, silent: Collection[str]) -> Fit | None:
        """The match of all words that uses the most of them, then the most in required parts; None if there is none.
        Memoised by position and the parts still required."""
        said = {"", *words}
        if any(self.parts[number].pattern.first_words().isdisjoint(said) for number in self._needed):
            return None
        found: dict[tuple[int, frozenset[int]], Fit | None] = {}
        ways = [tuple(self._from(words, start, read_slot)) for start in range(len(words))]
        if any(not any(part == number for of_word in ways for part, _, _ in of_word) for number in self._needed):
            return None

        def best(start: int, left: frozenset[int]) -> Fit | None:
            if start == len(words):
                return None if left else NOTHING_TAKEN
            if (start, left) not in found:
                fits = []
                for number, end, captures in ways[start]:
                    if number in left or number not in self._needed:
                        rest = best(end, left - {number})
                        own = end - start
                        if rest is not None:
                            needed = rest[1] + (own if number in left else 0)
                            fits.append((rest[0] + own, needed, captures + rest[2]))
                if words[start] in silent and (rest := best(start + 1, left)) is not None:
                    fits.append(rest)
                found[start, left] = max(fits, key=lambda fit: fit[:2], default=None)
            return found[start, left]

        return best(0, self._needed)

    def _from(self, words: Sequence[str], start: int, read_slot: SlotReader) -> Iterator[tuple[int, int, Captures]]:
        """Every (part index, end index, captures) of the parts that match at `start`."""
        for number, part in enumerate(self.parts):
            if not part.pattern.first_words().isdisjoint(("", words[start])):
                ends: dict[int, Captures] = {}
                for end, captures in part.pattern.match(words, start, read_slot):
                    ends.setdefault(end, captures)
                yield from ((number, end, captures) for end, captures in ends.items() if end > start)


def _is_bracketed(text: str) -> bool:
    """Whether the first bracket is closed by the last sign."""
    if not (text.startswith("[") and text.endswith("]")):
        return False
    depth = 0
    for sign in text[:-1]:
        if sign in "[]":
            depth += 1 if sign == "[" else -1
            if depth == 0:
                return False
    return True


def _joined(parts: Sequence[Pattern]) -> Iterator[tuple[Literal | SlotPart, ...]]:
    if not parts:
        yield ()
        return
    for first in parts[0].expand():
        for rest in _joined(parts[1:]):
            yield first + rest


FrameTable = Mapping[str, tuple[WordFrame, ...]]


@dataclass(frozen=True)
class Unmeant:
    """What a line says without asking for it."""

    wondering: tuple[Pattern, ...] = ()  # with which moves and `decisive` commands are asked about ("soll ich")
    decisive: frozenset[str] = frozenset()  # such commands
    denying: tuple[Pattern, ...] = ()  # what denies the command behind it ("don't")
    ages: tuple[WordFrame, ...] = ()  # clauses that tell somebody's age, whose number is none of ours
    thanks: tuple[Pattern, ...] = ()  # whole lines that thank
    greetings: tuple[Pattern, ...] = ()  # whole lines that greet
    praise: tuple[Pattern, ...] = ()  # whole lines that praise a move or a game


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames of one language, and whatever else holds for typed lines only."""

    silent: frozenset[str] = frozenset()  # words that carry no meaning
    forms: Mapping[str, str] = field(default_factory=dict)
    """Contractions and dialect words -> standard words; a key that starts with "'" is a suffix."""
    move: Mapping[str, tuple[Pattern, ...]] = field(default_factory=dict)  # as in `Wordings`, like the next two
    move_before: tuple[Pattern, ...] = ()
    move_behind: tuple[Pattern, ...] = ()
    beside_moves: frozenset[str] = frozenset()  # words that may stand anywhere in a move
    answers: FrameTable = field(default_factory=dict)
    commands: FrameTable = field(default_factory=dict)
    choices: FrameTable = field(default_factory=dict)
    asides: tuple[WordFrame, ...] = ()  # meaningless clauses, although they negate or have a known word
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # a pawn and its number of steps (`steps`)
    reasons: tuple[WordFrame, ...] = ()  # clauses that are meaningless only before what they give the reason for
    openings: frozenset[str] = frozenset()  # commands that mean nothing when another follows
    idle: frozenset[str] = frozenset()  # known words that a meaningless clause may have ("klein")
    joining: frozenset[str] = frozenset()  # conjunctions ("weil")
    holding: frozenset[str] = frozenset()  # words that make the clauses beside theirs uncertain ("wenn", "sagt")
    opening_questions: frozenset[str] = frozenset()  # first words of questions whose negation is mere politeness
    rhetorical: frozenset[str] = frozenset()  # such negations
    asking: frozenset[str] = frozenset()  # question words ("wer")
    correcting: tuple[Pattern, ...] = ()  # what takes back the words before it ("nein")
    correcting_aside: tuple[Pattern, ...] = ()  # the same, only after punctuation ("Moment", "ich meine")
    beside_correcting: frozenset[str] = frozenset()  # words beside these that belong to them ("doch")
    homophones: tuple[tuple[str, ...], ...] = ()  # words that sound the same, as far as the recogniser is concerned
    unmeant: Unmeant = Unmeant()

    def section(self, name: str) -> FrameTable:
        """The frames of a section of the language file."""
        return {"answers": self.answers, "commands": self.commands, "choices": self.choices}[name]

    @cached_property
    def around_words(self) -> frozenset[str]:
        """Every plain word used around and between meaningful words, contractions included."""
        around = (*self.move_before, *self.move_behind, *(pattern for ones in self.move.values() for pattern in ones))
        said = {word for pattern in around for word in pattern.words()} | self.silent | self.beside_moves
        return frozenset(word for word in said | self.forms.keys() if "'" not in word)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every plain word in it."""
        tables = (self.answers, self.commands, self.choices)
        framed = (word for table in tables for ones in table.values() for frame in ones for word in frame.words())
        return self.around_words.union(framed)

    @cached_property
    def _by_word(self) -> Mapping[str, Mapping[str, tuple[tuple[str, WordFrame], ...]]]:
        """By section: frames by each word that one of their parts can start with ("": a slot)."""
        found: dict[str, dict[str, dict[tuple[str, WordFrame], None]]] = {}
        for section in ("answers", "commands", "choices"):
            index = found.setdefault(section, {})
            for key, frames in self.section(section).items():
                for frame in frames:
                    first = next(part.pattern for part in frame.parts if part.needed)
                    for word in first.first_words():
                        index.setdefault(word, {})[(key, frame)] = None
        return {section: {word: tuple(ones) for word, ones in index.items()} for section, index in found.items()}

    def in_full(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words with contractions expanded: "geht's" is "geht es", "hätt" is "hätte"."""
        return tuple(one for word in words for one in self._in_full(word).split())

    def _in_full(self, word: str) -> str:
        if word in self.forms:
            return self.forms[word]
        head, sign, tail = word.rpartition("'")
        return f"{self.forms.get(head, head)} {self.forms[sign + tail]}" if head and sign + tail in self.forms else word

    def sounding_alike(self, words: str) -> tuple[str, ...]:
        """These words, and lines that sound the same ("for two players", "four to players"), `MOST_ALIKE` at most."""
        found = [f" {words} "]
        for alike in self.homophones:
            for line in tuple(found):
                found += [line.replace(f" {one} ", f" {other} ") for one in alike for other in alike if one != other]
            found = list(dict.fromkeys(found))[:MOST_ALIKE]
        return tuple(line.strip() for line in found)

    def fitting(
        self, words: Sequence[str], section: str, names: Collection[str] | None, read_slot: SlotReader
    ) -> tuple[str, Captures] | None:
        """The entry, among these names, whose frame matches the most of these words; None if there is none, or a
        tie."""
        index = self._by_word.get(section, {})
        candidates = {one: None for word in ("", *words) for one in index.get(word, ())}
        telling = frozenset(words) - self.silent
        found: dict[str, tuple[tuple[int, int], Captures]] = {}
        for key, frame in candidates:
            if (names is None or key in names) and (frame.has_slot or telling <= frame.words()):
                fit = frame.best_fit(words, read_slot, self.silent)
                if fit is not None and fit[:2] > found.get(key, ((0, 0), ()))[0]:
                    found[key] = fit[:2], fit[2]
        most = max((size for size, _ in found.values()), default=None)
        likeliest = [(key, captures) for key, (size, captures) in found.items() if size == most]
        return likeliest[0] if len(likeliest) == 1 else None


NO_FRAMES = Frames()


def joined(data: Mapping[str, Any], more: Mapping[str, Any]) -> Mapping[str, Any]:
    """Two parsed files merged: lists, tables and rules ("(one|other)") present in both are combined."""
    found = dict(data)
    for key, value in more.items():
        own = found.get(key)
        if isinstance(own, Mapping) and isinstance(value, Mapping):
            found[key] = joined(own, value)
        elif isinstance(own, list) and isinstance(value, list):
            found[key] = [*own, *value]
        else:
            found[key] = f"{own[:-1]}|{value[1:]}" if isinstance(own, str) and own.endswith(")") else value
    return found


def read_frames(data: Mapping[str, Any], silent: frozenset[str] = frozenset()) -> Frames:
    """From a parsed file and further silent words. Raises `PatternError` naming what is wrong."""
    rules: dict[str, str] = {}
    for name, text in data.get("rules", {}).items():
        rules[name] = with_rules(text, rules)

    def entries(section: str) -> FrameTable:
        texts: Mapping[str, list[str]] = data.get(section, {})
        try:
            return {key: tuple(WordFrame(one, rules) for one in texts[key]) for key in texts}
        except PatternError as error:
            raise PatternError(f"{section}: {error}") from error

    def patterns(texts: Sequence[str]) -> tuple[Pattern, ...]:
        return tuple(Pattern(text, rules) for text in texts)

    around, beside = data.get("around", {}), data.get("clauses", {})
    carrying = frozenset(around.get("carrying", ()))
    return Frames(
        silent=(silent | frozenset(around.get("silent", ()))) - carrying if data else frozenset(),
        forms=data.get("forms", {}),
        move={key: patterns(texts) for key, texts in data.get("move", {}).items()},
        move_before=patterns(around.get("move_before", ())),
        move_behind=patterns(around.get("move_behind", ())),
        beside_moves=frozenset(around.get("beside_moves", ())),
        answers=entries("answers"),
        commands=entries("commands"),
        choices=entries("choices"),
        asides=tuple(WordFrame(text, rules) for text in beside.get("asides", ())),
        steps={key: tuple(words) for key, words in data.get("steps", {}).items()},
        reasons=tuple(WordFrame(text, rules) for text in beside.get("reasons", ())),
        openings=frozenset(beside.get("openings", ())),
        idle=frozenset(beside.get("idle", ())),
        joining=frozenset(beside.get("joining", ())),
        holding=frozenset(beside.get("holding", ())),
        opening_questions=frozenset(beside.get("opening_questions", ())),
        rhetorical=frozenset(beside.get("rhetorical", ())),
        asking=frozenset(beside.get("asking", ())),
        correcting=patterns(beside.get("correcting", ())),
        correcting_aside=patterns(beside.get("correcting_aside", ())),
        beside_correcting=frozenset(beside.get("beside_correcting", ())),
        homophones=tuple(tuple(alike) for alike in data.get("homophones", {}).get("alike", ())),
        unmeant=Unmeant(
            wondering=patterns(beside.get("wondering", ())),
            decisive=frozenset(beside.get("decisive", ())),
            denying=patterns(beside.get("denying", ())),
            ages=tuple(WordFrame(text, rules) for text in beside.get("ages", ())),
            thanks=patterns(beside.get("thanks", ())),
            greetings=patterns(beside.get("greetings", ())),
            praise=patterns(beside.get("praise", ())),
        ),
    )
