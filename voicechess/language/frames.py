"""Lines in any order of words: the words that carry a meaning, among words that carry none.

A frame says what a line must have, part by part: "{square}; (frei|leer)". Each part is a pattern, in brackets if it may
be missing or repeated. The parts may come in any order; all other words must be silent ones ("ich würde gern wissen, ob
…"). So one frame covers question, wish, subordinate clause and infinitive. Of several frames that fit, the one with the
most words counts, then the one with the most needed words; a tie between two entries is not understood.

What is typed is read so, and what is heard clearly (`app.hearing`): too much talk in the room has the words of a frame.
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
    needed: bool  # said exactly once; else it may be missing or repeated


Fit = tuple[int, int, Captures]
"""Words of a frame, those of them in needed parts, and what fills its slots."""

NOTHING_TAKEN: Fit = (0, 0, ())


class WordFrame:
    """What a line must have for one meaning. Raises `PatternError` where the text cannot be read, or needs nothing."""

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
        """Whether it leaves something open that takes words."""

    def words(self) -> frozenset[str]:
        """All plain words in it."""
        return self._words

    @property
    def has_ordinal(self) -> bool:
        """Whether one can stand in it."""
        return any(name.startswith("nth") for part in self.parts for name in part.pattern.slots())

    def expand(self) -> Iterator[tuple[Literal | SlotPart, ...]]:
        """Sentences of the parts that are needed, in every order, slots left open."""
        for parts in permutations([part.pattern for part in self.parts if part.needed]):
            yield from _joined(parts)

    def best_fit(self, words: Sequence[str], read_slot: SlotReader, silent: Collection[str]) -> Fit | None:
        """The way in which all words fit that takes the most of them, then the most in needed parts; None: there is
        none. What fits from a word on is found once for each set of parts that are still needed."""
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
        """Every (number of a part, index behind, captures) of the parts that can begin at `start`."""
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
    depths, depth = [], 0
    for sign in text:
        depth += {"[": 1, "]": -1}.get(sign, 0)
        depths.append(depth)
    return 0 not in depths[:-1]


def _joined(parts: Sequence[Pattern]) -> Iterator[tuple[Literal | SlotPart, ...]]:
    if not parts:
        yield ()
        return
    for first in parts[0].expand():
        for rest in _joined(parts[1:]):
            yield first + rest


FrameTable = Mapping[str, tuple[WordFrame, ...]]


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames of one language, and what else holds only for what is typed."""

    silent: frozenset[str] = frozenset()  # words that carry no meaning
    forms: Mapping[str, str] = field(default_factory=dict)
    """Contractions and words of dialects -> what they stand for; a key with "'" at its beginning is an ending."""
    move: Mapping[str, tuple[Pattern, ...]] = field(default_factory=dict)  # as in `Wordings`, like the next two
    move_before: tuple[Pattern, ...] = ()
    move_behind: tuple[Pattern, ...] = ()
    beside_moves: frozenset[str] = frozenset()  # words that may stand anywhere in a move
    answers: FrameTable = field(default_factory=dict)
    commands: FrameTable = field(default_factory=dict)
    choices: FrameTable = field(default_factory=dict)
    asides: tuple[WordFrame, ...] = ()  # clauses that say nothing, though they deny or have a word of ours
    steps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # how far a pawn goes, and which (`steps`)
    reasons: tuple[WordFrame, ...] = ()  # the same, of what counts only before what it is the reason of
    openings: frozenset[str] = frozenset()  # commands that are a mere beginning where another follows
    idle: frozenset[str] = frozenset()  # words of ours that may stand in a clause that says nothing ("klein")
    joining: frozenset[str] = frozenset()  # words with which a clause begins ("weil")
    holding: frozenset[str] = frozenset()  # words that make what stands beside their clause uncertain ("wenn", "sagt")

    def section(self, name: str) -> FrameTable:
        """The frames of a section of the language file."""
        return {"answers": self.answers, "commands": self.commands, "choices": self.choices}[name]

    @cached_property
    def around_words(self) -> frozenset[str]:
        """Every plain word that is said between and around what carries a meaning, contractions included."""
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
        """By section, the frames by each word that a part of theirs can begin with ("": a slot)."""
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
        """The words with contractions in full: "geht's" is "geht es", "hätt" is "hätte"."""
        return tuple(one for word in words for one in self._in_full(word).split())

    def _in_full(self, word: str) -> str:
        if word in self.forms:
            return self.forms[word]
        head, sign, tail = word.rpartition("'")
        return f"{self.forms.get(head, head)} {self.forms[sign + tail]}" if head and sign + tail in self.forms else word

    def fitting(
        self, words: Sequence[str], section: str, names: Collection[str] | None, read_slot: SlotReader
    ) -> tuple[str, Captures] | None:
        """The entry, among these names, whose frame has the most of these words; None where there is none, or a tie."""
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
    """Two parsed files as one: what stands in both, in a list, a table or a rule "(one|other)", is there of both."""
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
    )
