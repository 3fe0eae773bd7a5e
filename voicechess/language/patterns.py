"""Sentence patterns: `(a|b)` alternatives, `[a]` optional, `{slot}` a value.

`<name>` stands for a rule, a pattern used in many; `{slot=3}` fills a slot without a word. A pattern does three things:
it matches recognised words, lists what the recogniser is offered, and generates the sentences of the tests. The
notation is a subset of the hassil project's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import prod
from typing import TypeVar

TOKEN = re.compile(r"\s*([()\[\]|]|\{[a-z_]*(?:=\d+)?\}|[^\s()\[\]{}|]+)")
"""A token of a pattern's text: a sign, a slot or a word."""

SIGNS = frozenset("()[]|")

RULE = re.compile(r"<([a-z_]+)>")
"""A rule's name in a pattern."""

SlotReader = Callable[[str, int], Iterator[tuple[int, object]]]
"""Given a slot's name and a word index: every (end index, value) that matches, longest first."""


class PatternError(ValueError):
    """A pattern that cannot be parsed; the message names it."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A word as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class SlotPart:
    """A slot."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A slot that is filled without a word: "die leichteste" is level 1."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Series:
    """A sequence of parts, possibly empty."""

    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class OneOf:
    """Alternatives."""

    options: tuple[Part, ...]


Part = Literal | SlotPart | Constant | Series | OneOf

Captures = tuple[tuple[str, object], ...]
"""The slots filled, in word order."""


class Pattern:
    """A parsed pattern with its rules expanded. Raises `PatternError` if `text` cannot be parsed or matches nothing at
    all."""

    __slots__ = ("_first", "_words", "has_slot", "root", "text")

    def __init__(self, text: str, rules: Mapping[str, str] | None = None) -> None:
        self.text = text
        self.root, self._words, self.has_slot = _parsed(with_rules(text, rules or {}) if "<" in text else text)
        """`has_slot`: whether it has a slot that takes words."""
        self._first: frozenset[str] | None = None

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def words(self) -> frozenset[str]:
        """All plain words in it."""
        return self._words

    def slots(self) -> frozenset[str]:
        """The names of all its slots."""
        return frozenset(part.name for part in _walk(self.root) if isinstance(part, SlotPart | Constant))

    def first_words(self) -> frozenset[str]:
        """The words it can begin with; "" stands for a slot. Computed when first asked for: a start has no time."""
        if self._first is None:
            self._first = frozenset(_first_words(self.root))
        return self._first

    def expand(self) -> Iterator[tuple[Literal | SlotPart, ...]]:
        """Every sentence it matches, slots left open."""
        return _expand(self.root)

    def expand_pairs(self, known: Callable[[str], bool]) -> Sequence[tuple[Literal | SlotPart, ...]]:
        """A few of its sentences of known words that together have every pair of neighbours that any of these has, the
        beginning and the end included; empty if it has no such sentence."""
        return _with_pairs(self.root, known)

    def expand_with_constants(self) -> Iterator[tuple[Literal | SlotPart | Constant, ...]]:
        """The same sentences with the slots filled without words."""
        return _expand_whole(self.root)

    def count(self) -> int:
        """Number of its sentences, slots left open."""
        return _count(self.root)

    def expand_each(self) -> Iterator[tuple[Literal | SlotPart, ...]]:
        """A few of these sentences that together have every word and slot: the n-th takes the n-th alternative
        everywhere."""
        for row in range(_most_options(self.root)):
            yield tuple(_row(self.root, row))

    def match(
        self, words: Sequence[str], start: int, read_slot: SlotReader, skip: frozenset[str] = frozenset()
    ) -> Iterator[tuple[int, Captures]]:
        """Every (end, captures) with words[start:end] matching; words in `skip` may stand between."""
        return _match(self.root, words, start, read_slot, skip)

    def begins_with(self, words: Sequence[str], read_slot: SlotReader, skip: frozenset[str] = frozenset()) -> bool:
        """Whether all these words begin a longer sentence that matches; they may be a sentence themselves."""
        return _ends_inside(self.root, words, 0, read_slot, skip)


def with_rules(text: str, rules: Mapping[str, str]) -> str:
    """A pattern's text with its rules substituted. Raises `PatternError` for an unknown one."""

    def rule(found: re.Match[str]) -> str:
        if found.group(1) not in rules:
            raise PatternError(f"pattern {text!r} names a rule that is not there: {found.group(1)}")
        return rules[found.group(1)]

    return RULE.sub(rule, text)


@cache
def _parsed(text: str) -> tuple[Part, frozenset[str], bool]:
    """A pattern's tree, its plain words, and whether a slot takes words. Spoken frames stand among the typed ones too:
    each text is parsed once, since thousands are parsed at a start."""
    tokens: list[str] = TOKEN.findall(text)
    if "".join(tokens) != "".join(text.split()):
        raise PatternError(f"pattern {text!r} cannot be read at character {_unreadable(text.strip()) + 1}")
    part, rest = _options(tokens, 0, text)
    if rest != len(tokens):
        raise PatternError(f"pattern {text!r} has a bracket too many")
    words, slots = frozenset(tokens) - SIGNS, frozenset[str]()
    if "{" in text:
        slots = frozenset(token for token in words if token[0] == "{")
        words -= slots
        slots = frozenset(token for token in slots if "=" not in token)
    certain = (words or slots) and "[" not in text and "|" not in text
    if not certain and _can_be_empty(part):
        raise PatternError(f"pattern {text!r} fits silence")
    return part, words, bool(slots)


def _unreadable(text: str) -> int:
    """Index of the first character that belongs to no token."""
    position = 0
    while (found := TOKEN.match(text, position)) is not None:
        position = found.end()
    return position


def _options(tokens: Sequence[str], position: int, text: str) -> tuple[Part, int]:
    options: list[Part] = []
    series: list[Part] = []
    while position < len(tokens) and tokens[position] not in (")", "]"):
        token = tokens[position]
        position += 1
        if token in ("(", "["):
            inner, position = _options(tokens, position, text)
            closing = ")" if token == "(" else "]"
            if position >= len(tokens) or tokens[position] != closing:
                raise PatternError(f"pattern {text!r} lacks a {closing!r}")
            position += 1
            series.append(inner if token == "(" else OneOf((inner, Series())))
        elif token == "|":
            options.append(_series(series))
            series = []
        elif token.startswith("{"):
            name, given, value = token[1:-1].partition("=")
            series.append(Constant(name, int(value)) if given else SlotPart(name))
        else:
            series.append(Literal(token))
    options.append(_series(series))
    return (options[0] if len(options) == 1 else OneOf(tuple(options))), position


def _series(parts: list[Part]) -> Part:
    return parts[0] if len(parts) == 1 else Series(tuple(parts))


def _walk(part: Part) -> Iterator[Part]:
    yield part
    if isinstance(part, Series):
        for inner in part.parts:
            yield from _walk(inner)
    elif isinstance(part, OneOf):
        for inner in part.options:
            yield from _walk(inner)


def _first_words(part: Part) -> Iterator[str]:
    if isinstance(part, Literal):
        yield part.text
    elif isinstance(part, SlotPart):
        yield ""
    elif isinstance(part, OneOf):
        for option in part.options:
            yield from _first_words(option)
    elif isinstance(part, Series):
        for inner in part.parts:
            yield from _first_words(inner)
            if not _can_be_empty(inner):
                return


def _can_be_empty(part: Part) -> bool:
    if isinstance(part, Constant):
        return True
    if isinstance(part, Series):
        return all(_can_be_empty(inner) for inner in part.parts)
    return isinstance(part, OneOf) and any(_can_be_empty(option) for option in part.options)


def _expand(part: Part) -> Iterator[tuple[Literal | SlotPart, ...]]:
    for sentence in _expand_whole(part):
        yield tuple(one for one in sentence if not isinstance(one, Constant))


def _with_pairs(part: Part, known: Callable[[str], bool]) -> Sequence[tuple[Literal | SlotPart, ...]]:
    """As `Pattern.expand_pairs`. What joins two parts are their first and last words, which are pairs too, so each part
    is reduced before the next is joined."""
    if isinstance(part, OneOf):
        found = (sentence for option in part.options for sentence in _with_pairs(option, known))
        return tuple(with_new_pairs(found, tuple))
    if isinstance(part, Literal) and not known(part.text):
        return []
    if not isinstance(part, Series):
        return [() if isinstance(part, Constant) else (part,)]
    joined: Sequence[tuple[Literal | SlotPart, ...]] = [()]
    for inner in part.parts:
        following = _with_pairs(inner, known)
        joined = tuple(with_new_pairs((before + behind for before in joined for behind in following), tuple))
    return joined


Sentence = TypeVar("Sentence")


def with_new_pairs(sentences: Iterable[Sentence], words: Callable[[Sentence], Iterable[object]]) -> Iterator[Sentence]:
    """Those that have a pair of neighbours, the beginning and the end included, that none before has."""
    seen: set[tuple[object, object]] = set()
    for sentence in sentences:
        pairs = set(pairwise((None, *words(sentence), None)))
        if not pairs <= seen:
            seen |= pairs
            yield sentence


def _expand_whole(part: Part) -> Iterator[tuple[Literal | SlotPart | Constant, ...]]:
    if isinstance(part, Literal | SlotPart | Constant):
        yield (part,)
    elif isinstance(part, OneOf):
        for option in part.options:
            yield from _expand_whole(option)
    elif not part.parts:
        yield ()
    else:
        for first in _expand_whole(part.parts[0]):
            for rest in _expand_whole(Series(part.parts[1:])):
                yield first + rest


def _count(part: Part) -> int:
    if isinstance(part, OneOf):
        return sum(map(_count, part.options))
    return prod(map(_count, part.parts)) if isinstance(part, Series) else 1


def _most_options(part: Part) -> int:
    """Number of sentences needed until every alternative, nested ones included, was taken."""
    if isinstance(part, OneOf):
        options = tuple(_flat(part))
        return len(options) * max(map(_most_options, options))
    return max(map(_most_options, part.parts), default=1) if isinstance(part, Series) else 1


def _flat(part: OneOf) -> Iterator[Part]:
    """The alternatives with nested ones flattened: of "[a|b]" a, b and nothing."""
    for option in part.options:
        if isinstance(option, OneOf):
            yield from _flat(option)
        else:
            yield option


def _row(part: Part, row: int) -> Iterator[Literal | SlotPart]:
    if isinstance(part, Literal | SlotPart):
        yield part
    elif isinstance(part, OneOf):
        options = tuple(_flat(part))
        yield from _row(options[row % len(options)], row // len(options))
    elif isinstance(part, Series):
        for inner in part.parts:
            yield from _row(inner, row)


def _match(
    part: Part, words: Sequence[str], start: int, read_slot: SlotReader, skip: frozenset[str]
) -> Iterator[tuple[int, Captures]]:
    if isinstance(part, Literal):
        # A word that matches is never skipped, even if it is a filler.
        for position in range(start, len(words)):
            if words[position] == part.text:
                yield position + 1, ()
                return
            if words[position] not in skip:
                return
    elif isinstance(part, OneOf):
        for option in part.options:
            yield from _match(option, words, start, read_slot, skip)
    elif isinstance(part, Series):
        yield from _match_series(part.parts, 0, words, start, read_slot, skip)
    elif isinstance(part, Constant):
        yield start, ((part.name, part.value),)
    else:
        for position in range(start, len(words)):
            found = False
            for end, value in read_slot(part.name, position):
                found = True
                yield end, ((part.name, value),)
            if found or words[position] not in skip:
                return


def _match_series(
    parts: tuple[Part, ...], at: int, words: Sequence[str], start: int, read_slot: SlotReader, skip: frozenset[str]
) -> Iterator[tuple[int, Captures]]:
    """Matches the parts from `at` on in sequence."""
    if at == len(parts):
        yield start, ()
        return
    for middle, captured in _match(parts[at], words, start, read_slot, skip):
        for end, more in _match_series(parts, at + 1, words, middle, read_slot, skip):
            yield end, captured + more


def _ends_inside(part: Part, words: Sequence[str], start: int, read_slot: SlotReader, skip: frozenset[str]) -> bool:
    """Whether the words end within this part, where another word could follow."""
    if isinstance(part, OneOf):
        return any(_ends_inside(option, words, start, read_slot, skip) for option in part.options)
    if not isinstance(part, Series):
        return start == len(words) and not isinstance(part, Constant)
    if not part.parts:
        return False
    first, rest = part.parts[0], Series(part.parts[1:])
    return _ends_inside(first, words, start, read_slot, skip) or any(
        _ends_inside(rest, words, middle, read_slot, skip) for middle, _ in _match(first, words, start, read_slot, skip)
    )
