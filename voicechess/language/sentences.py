"""The sentences of a language as data: templates with slots, merged from the files of its folder.

[sentences] tables hold templates with `{slot}` or `{slot:form}`; a template's key is its path, joined by dots. The
other tables ("pieces", "numbers", …) are the forms of `<language>/speech.toml`. The vocabulary is in the lexicon.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from voicechess.language.folders import BESIDE_SENTENCES, FALLBACK, LANGUAGES, filled_up, read_data, sentence_files


class SentencesError(ValueError):
    """A file of sentences is invalid; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A slot of a template with its form ("" is the usual one)."""

    slot: str
    form: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence as text and slots."""

    parts: tuple[str | Gap, ...]

    @property
    def has_words(self) -> bool:
        """Whether it has words besides its slots: "{move}." is the same in every language."""
        return any(isinstance(part, str) and any(map(str.isalpha, part)) for part in self.parts)

    @property
    def gaps(self) -> frozenset[Gap]:
        """The slots it needs, with their forms."""
        return frozenset(part for part in self.parts if isinstance(part, Gap))


@dataclass(frozen=True, eq=False)
class Sentences:
    """A language's templates by key, and its tables of forms.

    `lacking`: the keys whose sentences the language does not have; their templates are those of `FALLBACK`.
    """

    templates: Mapping[str, Template]
    forms: Mapping[str, Any]
    lacking: frozenset[str] = frozenset()


@cache
def load_sentences(language: str) -> Sentences:
    """All sentences of a language ("de"), English where it has none. Raises `SentencesError` for an unknown language, a
    malformed file, and a duplicate or malformed key."""
    templates: dict[str, Template] = {}
    forms: dict[str, Any] = {}
    for file in sentence_files(language):
        name = f"{language}/{file}"
        try:
            data = {key: table for key, table in read_data(language, file).items() if key not in BESIDE_SENTENCES}
        except (OSError, ValueError) as error:
            raise SentencesError(f"{name}: {error}") from error
        for key, text in _flat(data.pop("sentences", {}), name):
            if key in templates:
                raise SentencesError(f"{name}: {key} stands in another file as well")
            templates[key] = read_template(text, f"{name}: {key}")
        for key, table in data.items():
            if key in forms:
                raise SentencesError(f"{name}: [{key}] stands in another file as well")
            forms[key] = table
    if not templates and (language == FALLBACK or language not in LANGUAGES):
        raise SentencesError(f"no sentences in the language {language!r}")
    if language == FALLBACK:
        return Sentences(templates, forms)
    common = load_sentences(FALLBACK)
    missing = common.templates.keys() - templates.keys()
    lacking = frozenset(key for key in missing if common.templates[key].has_words)
    return Sentences({**common.templates, **templates}, filled_up(forms, common.forms, entries=False), lacking)


def read_template(text: str, place: str) -> Template:
    """A template from its text. Raises `SentencesError` naming `place` when its braces are wrong."""
    parts: list[str | Gap] = []
    try:
        for literal, slot, form, conversion in string.Formatter().parse(text):
            if literal:
                parts.append(literal)
            if slot is not None:
                if not slot.isidentifier() or conversion or not (form == "" or str(form).isidentifier()):
                    raise SentencesError(f"{place}: not a slot: {slot!r}")
                parts.append(Gap(slot, form or ""))
    except ValueError as error:
        raise SentencesError(f"{place}: {error}") from error
    return Template(tuple(parts))


def _flat(table: object, name: str, path: str = "") -> Iterator[tuple[str, str]]:
    if not isinstance(table, Mapping):
        raise SentencesError(f"{name}: {path or '[sentences]'} must be a table or a text")
    for key, value in table.items():
        whole = f"{path}.{key}" if path else str(key)
        if isinstance(value, str):
            yield whole, value
        else:
            yield from _flat(value, name, whole)
