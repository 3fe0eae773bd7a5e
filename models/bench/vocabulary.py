"""The words for measuring: those of the language's files, and a fixed short list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from models.languages import table
from voicechess.language.lexicon import load
from voicechess.language.patterns import Literal, Pattern

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Way:
    """Another way to say squares, such as letters and numbers."""

    files: Mapping[str, str]  # the language's first name of a file -> what is said instead
    ranks: Mapping[str, str]  # likewise for ranks
    read: Mapping[str, str]  # a word of `files` -> its spelling for a voice

    def words(self, words: Iterable[str]) -> tuple[str, ...]:
        """The words of an announcement, with files and ranks said in this way."""
        return tuple(self.files.get(word, self.ranks.get(word, word)) for word in words)

    def spelled(self, words: Iterable[str]) -> str:
        """The same, spelled for a voice."""
        return " ".join(self.read.get(word, word) for word in self.words(words))


class Vocabulary:
    """The words of a language, lower case, and the groups used in measurements."""

    def __init__(self, code: str = "de") -> None:
        self.code = code
        self.lexicon = load(code)
        self._stick: dict[str, Any] = table(code, "bench")

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word that can be spoken, in alphabetical order."""
        return tuple(sorted(self.lexicon.spoken_words))

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Small grammars, each of the answers to one question, by their names in the tables."""
        lexicon = self.lexicon
        return {
            "ranks": _flat(lexicon.ranks),
            "pieces": _flat(lexicon.pieces.values()),
            "files": _flat(lexicon.files),
            "yes or no": _flat(self._single_words(lexicon.answers[key]) for key in ("yes", "no")),
            "numbers": _flat(lexicon.numerals.words.values()),
        }

    @cached_property
    def announcing(self) -> tuple[tuple[str, ...], ...]:
        """The short list, the grammar for whole announcements: for each idea its words, the announced one first."""
        return tuple(tuple(idea) for idea in self._stick["short_list"]["ideas"])

    def before(self, place: str) -> str:
        """Words that lead to a place in a game with other commands: "really", "pause"."""
        return str(self._stick["before"][place])

    def announced(self, place: str) -> tuple[str, ...]:
        """Words of a part of an announcement: "captures", "to", "castling", "check", "mate"."""
        return tuple(self._stick["announced"][place])

    @cached_property
    def ways(self) -> dict[str, Way]:
        """Other ways to say squares, by their names in the tables."""
        lexicon = self.lexicon
        files, ranks = ([words[0] for words in ideas] for ideas in (lexicon.files, lexicon.ranks))
        made = {}
        for name, way in self._stick.get("ways", {}).items():
            own = way.get("files", files)
            made[name] = Way(
                dict(zip(files, own, strict=True)),
                dict(zip(ranks, way.get("ranks", ranks), strict=True)),
                dict(zip(own, way.get("said", own), strict=True)),
            )
        return made

    @cached_property
    def content(self) -> frozenset[str]:
        """Words of the game: names, numbers, pieces, colours, castling, and all that is said as a single word."""
        lexicon = self.lexicon
        patterns = [*lexicon.castling.values(), *lexicon.answers.values()]
        patterns += [*lexicon.commands.values(), *lexicon.choices.values()]
        words = set(_flat(self._single_words(one) for one in patterns))
        words |= set(_flat([*lexicon.plurals.values(), *lexicon.colours.values(), *self.groups.values()]))
        return frozenset(words - lexicon.fillers - set(lexicon.decoys) - set(lexicon.numerals.words[1][:-1]))

    def canonical(self, word: str) -> str:
        """The first name of the file that `word` names ("hektor"), or `word`."""
        return self._spellings.get(word, word)

    @cached_property
    def _spellings(self) -> dict[str, str]:
        return {word: names[0] for names in self.lexicon.files for word in names}

    def single_answer(self, key: str) -> str:
        """The first one-word answer of `key`, "yes" or "no"."""
        return self._single_words(self.lexicon.answers[key])[0]

    @staticmethod
    def _single_words(patterns: Iterable[Pattern]) -> tuple[str, ...]:
        sentences = (sentence for pattern in patterns for sentence in pattern.expand())
        return tuple(part.text for (part, *more) in sentences if not more and isinstance(part, Literal))


def words_of(text: str) -> list[str]:
    """The words of a text, lower case, without punctuation."""
    return _WORD.findall(text.lower())


def _flat(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for words in lists for word in words))
