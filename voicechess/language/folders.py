"""A language is a folder beside this file, named by its code: `de/`, `en/`. Adding a folder adds a language.

`words.toml` is what can be heard or typed; without it a folder is no language. The commands and choices of one subject
may stand beside its sentences instead, below the same headings. `wordings.toml`, `frames.toml`, `typed.toml`,
`pointers.toml`, `prototypes.toml`, `confusions.toml`, `alike.toml` and `letters.toml` say how people put it, in order,
in any order and typed only, what their words point to, what they said before, what is taken for what and how well
letters are told apart; `handbook.md` is the handbook; every other `*.toml` holds sentences and the forms that stand in
them. What a folder lacks is taken from `FALLBACK`,
entry by entry: `voicechess doctor` says how much that is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

WORDS, WORDINGS, FRAMES, TYPED, POINTERS, PROTOTYPES, CONFUSIONS, ALIKE, LETTERS, HANDBOOK = (
    "words.toml",
    "wordings.toml",
    "frames.toml",
    "typed.toml",
    "pointers.toml",
    "prototypes.toml",
    "confusions.toml",
    "alike.toml",
    "letters.toml",
    "handbook.md",
)
FALLBACK = "en"
"""The language that supplies every word and sentence that another one lacks."""

BESIDE_SENTENCES = ("commands", "choices")
"""Sections that may also stand in files other than `words.toml`."""

_OWN = ("language", "spellings")
"""Sections that only apply to their own language."""

_ROOT = resources.files("voicechess.language")
_NAMED_IN_JOURNALS: Mapping[str, str] = {"de": "german", "en": "english"}
"""Names that journals use for the command "speak this language"; other languages use their code."""

LANGUAGES: tuple[str, ...] = tuple(sorted(entry.name for entry in _ROOT.iterdir() if (entry / WORDS).is_file()))
"""Codes of all languages, in alphabetical order. The first is the default."""

SWITCHES: Mapping[str, str] = {_NAMED_IN_JOURNALS.get(code, code): code for code in LANGUAGES}
"""The command that asks for a language -> its code."""


@cache
def read_data(language: str, name: str) -> Mapping[str, Any]:
    """A file of a language, parsed; empty where there is none. Raises OSError or ValueError for one that is damaged."""
    file = _ROOT / language / name
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def read_words(language: str) -> Mapping[str, Any]:
    """The vocabulary of a language from all files of its folder; empty for an unknown language. Raises OSError or
    ValueError for a damaged file or a duplicate entry."""
    words = dict(read_data(language, WORDS))
    for name in sentence_files(language) if words else ():
        data = read_data(language, name)
        for section in BESIDE_SENTENCES:
            own, more = words.get(section, {}), data.get(section, {})
            if twice := own.keys() & more.keys():
                raise ValueError(f"{section}.{min(twice)} stands in {name} as well")
            if more:
                words[section] = {**own, **more}
    return words


def common_words() -> Mapping[str, Any]:
    """The words of `FALLBACK` that substitute for missing ones: all but its name and spellings."""
    return {section: table for section, table in read_words(FALLBACK).items() if section not in _OWN}


def lacking_words(language: str) -> int:
    """Number of entries of `common_words` that a language lacks."""
    return _lacking(read_words(language), common_words())


def _lacking(data: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    tables = {key: entry for key, entry in other.items() if isinstance(entry, Mapping)}
    missing = len(other.keys() - tables.keys() - data.keys())
    return missing + sum(_lacking(data.get(key, {}), entry) for key, entry in tables.items())


def read_handbook(language: str) -> str:
    """The source of the handbook, that of `FALLBACK` where the language has none."""
    file = _ROOT / language / HANDBOOK
    return (file if file.is_file() else _ROOT / FALLBACK / HANDBOOK).read_text(encoding="utf-8")


def sentence_files(language: str) -> Iterator[str]:
    """The names of the files with the sentences of a language, in alphabetical order; none for no language."""
    folder = _ROOT / language
    if language and folder.is_dir():
        others = (WORDS, WORDINGS, FRAMES, TYPED, POINTERS, PROTOTYPES, CONFUSIONS, ALIKE, LETTERS)
        names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
        yield from (name for name in names if name not in others)


def filled_up(data: Mapping[str, Any], other: Mapping[str, Any], entries: bool = True) -> dict[str, Any]:
    """`data` completed, recursively, with what only `other` has.

    `entries` False: whole tables only. A table of forms has entries that another language does not need (German derives
    "zweimal", English lists "twice"), so an existing one is left as it is.
    """
    filled = dict(data)
    for key, value in other.items():
        if key not in data:
            if entries or isinstance(value, Mapping):
                filled[key] = value
        elif isinstance(value, Mapping) and isinstance(data[key], Mapping):
            filled[key] = filled_up(data[key], value, entries)
    return filled
