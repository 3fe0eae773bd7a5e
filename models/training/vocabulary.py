"""The vocabulary of a model, and random sentences for training, from the language's word files.

Every word of voicechess/language/<code>/words.toml can be spoken, except in tables of names and typed signs
(`NOT_SPOKEN`), and so can every word of the commands and choices in the files of sentences. Patterns are written as
there: (a|b) is one of these, [a] may be missing, {slot} is a slot.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from typing import Any

from models.training.language import Language
from voicechess.language.folders import FRAMES, WORDINGS
from voicechess.language.patterns import with_rules

NOT_SPOKEN = frozenset(("language", "rules", "spellings", "typed"))
_GROUP = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_SLOT = re.compile(r"\{\w+(?:=\d+)?\}")
_RULE = re.compile(r"<\w+>")
_WORD = re.compile(r"[^\W\d_]+")
_WITH_APOSTROPHES = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def _texts(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    if isinstance(node, dict):
        return [text for value in node.values() for text in _texts(value)]
    if isinstance(node, list):
        return [text for value in node for text in _texts(value)]
    return []


PATTERNS = ("answers", "commands", "choices")


def _framed(language: Language) -> set[str]:
    """Words of frames (sentences in any order), if the language recognises them; those with an apostrophe only where it
    belongs to a word."""
    table = language.beside(FRAMES)
    if not language.heard.frames or not table:
        return set()
    texts = [*_texts(table["rules"]), *_texts(table["around"]), *_texts(table["move"]), *table["forms"]]
    for section in PATTERNS:
        texts += _texts({key: one for key, one in table.get(section, {}).items() if key not in language.heard.typed})
    found = {word for text in texts for word in _WITH_APOSTROPHES.findall(_RULE.sub(" ", _SLOT.sub(" ", text)))}
    return {word.lower() for word in found if language.heard.apostrophes or "'" not in word} - language.heard.unheard


def spoken_texts(language: Language) -> dict[str, list[str]]:
    """The patterns of words.toml that can be spoken, unexpanded, by section; [] for a missing one, as in a new
    language."""
    table = language.words
    rules: dict[str, str] = {}
    for name, text in table.get("rules", {}).items():
        rules[name] = with_rules(text, rules)
    found = {
        name: [with_rules(text, rules) for text in _texts(section)]
        for name, section in table.items()
        if name not in NOT_SPOKEN
    }
    return defaultdict(list, found)


def words(language: Language) -> tuple[str, ...]:
    """All words that can be spoken, those of the wordings included, sorted, in lower case."""
    pattern = _WITH_APOSTROPHES if language.heard.apostrophes else _WORD
    wordings = language.beside(WORDINGS)
    said = {
        word.lower()
        for section in ("rules", "wrapping", "move", "pieces", "ordinals", *PATTERNS)
        for text in _texts({k: v for k, v in wordings.get(section, {}).items() if k not in language.heard.typed})
        for word in pattern.findall(_RULE.sub(" ", _SLOT.sub(" ", text)))
    }
    found = said | {
        word.lower()
        for texts in spoken_texts(language).values()
        for text in texts
        for word in pattern.findall(_SLOT.sub(" ", text))
    }
    return tuple(sorted(found.union(_framed(language), *language.heard.file_names)))


class Sentences:
    """Draws random sentences of players in a language.

    Args:
        choice: random numbers; equal seeds give equal sentences.
        language: of the sentences.
    """

    def __init__(self, choice: random.Random, language: Language) -> None:
        self.choice = choice
        self.words = words(language)
        texts = spoken_texts(language)
        heard = language.heard
        self.check = heard.check
        self.files = texts["files"] + [name for names in heard.file_names for name in names]
        self.ranks = texts["ranks"]
        self.pieces = texts["pieces"]
        said = language.words.get("move", {})
        self.between = [text for key in ("to", "captures") for text in said.get(key, ()) if not _GROUP.search(text)]
        self.patterns = texts["commands"] + texts["choices"] + texts["castling"] + texts["answers"]
        between = [word for text in self.between for word in text.split()]
        self.core = self.files + self.ranks + self.pieces + between + [*heard.core, *heard.denying]
        self.slots = {
            "file": self.files,
            "rank": self.ranks,
            "piece": self.pieces,
            "pieces": texts["plurals"],
            "colour": texts["colours"],
            "number": texts["numbers"],
            "letter": texts["letters"],
            "own": texts["own"],
        }

    def expand(self, pattern: str) -> list[str]:
        """The words of a random sentence of a pattern."""

        def slot(match: re.Match[str]) -> str:
            name, given, _ = match.group()[1:-1].partition("=")
            if given:
                return ""  # a fixed value, without a word
            found: list[str] = self.square() if name == "square" else [self.choice.choice(self.slots[name])]
            return " ".join(found)

        def group(match: re.Match[str]) -> str:
            if match.group(1) is not None:
                return self.choice.choice(str(match.group(1)).split("|"))
            said = self.choice.choice((str(match.group(2)), ""))
            return self.choice.choice(said.split("|")) if "|" in said else said

        text = _SLOT.sub(slot, pattern)
        while _GROUP.search(text):
            text = _GROUP.sub(group, text)
        return text.split()

    def square(self) -> list[str]:
        """A random square: "eva", "vier"."""
        return [self.choice.choice(self.files), self.choice.choice(self.ranks)]

    def move(self) -> list[str]:
        """A random announcement, long or short, whether or not it makes sense."""
        said = [self.choice.choice(self.pieces)] if self.choice.random() < 0.7 else []
        if self.choice.random() < 0.6:
            said += self.square()
        if self.choice.random() < 0.35:
            said += self.choice.choice(self.between).split()
        said += self.square()
        if self.choice.random() < 0.06:
            said.append(self.check)
        return said

    def draw(self) -> list[str]:
        """A random utterance: a move, a command, a single word, or several words."""
        kind = self.choice.random()
        if kind < 0.36:
            return self.move()
        if kind < 0.50 and self.patterns:
            return self.expand(self.choice.choice(self.patterns))
        if kind < 0.66:
            return [self.choice.choice(self.core)]
        if kind < 0.84:
            return [self.choice.choice(self.words)]
        return [self.choice.choice(self.words) for _ in range(self.choice.randint(2, 5))]
