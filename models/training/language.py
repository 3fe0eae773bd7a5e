"""The data of a language for the recipe, read from its folder in `models/languages`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from models import languages
from models.languages.voices import Voices, voices
from models.training.phones import GARBAGE, SILENCE, Sounds
from models.training.units import Units
from voicechess.language import folders


@dataclass(frozen=True)
class Invented:
    """Parts of nonsense words; several phones are separated by spaces.

    Attributes:
        onsets, codas: of syllables; "" for none.
        first, vowels: vowels of the first syllable, and of others.
    """

    onsets: tuple[str, ...]
    codas: tuple[str, ...]
    first: tuple[str, ...]
    vowels: tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """A pronunciation rule: regular expressions and their replacements, applied in order to the phones of a word, which
    are surrounded by spaces."""

    changes: tuple[tuple[re.Pattern[str], str], ...]

    def __call__(self, sounds: tuple[str, ...]) -> tuple[str, ...]:
        said = f" {' '.join(sounds)} "
        for pattern, instead in self.changes:
            said = pattern.sub(instead, said)
        return tuple(said.split())


@dataclass(frozen=True)
class Readings:
    """Pronunciation data beyond the spelling.

    Attributes:
        dictionary: our phones for each symbol of a pronouncing dictionary; None: espeak-ng reads everything.
        respell: spellings given to espeak-ng instead of a word.
        said: pronunciations that override all others, the usual one first.
        also: additional pronunciations, by word.
        read_by: voices of espeak-ng whose readings are added.
        rules: variants by name, in order.
        together: names of rules that are also applied in combination.
        written: names of rules that are applied to `also` too.
        most: largest number of pronunciations of a word.
        dearer: cost of a word besides `write.Settings.word_cost`, for words recognised in place of others.
    """

    dictionary: Mapping[str, str] | None
    respell: Mapping[str, str]
    said: Mapping[str, Sequence[str]]
    also: Mapping[str, Sequence[str]]
    read_by: tuple[str, ...]
    rules: Mapping[str, Rule]
    together: tuple[tuple[str, ...], ...]
    written: tuple[str, ...]
    most: int
    dearer: Mapping[str, float]


@dataclass(frozen=True)
class Heard:
    """The vocabulary of the model and how its words are drawn; see `models/languages/<code>/vocabulary.toml`.

    Attributes:
        typed: entries of wordings and frames whose words are only typed.
        frames: whether the words of frames (lines in any order) are included, except `unheard`.
        file_names: names of the files, from a to h, besides those of the language's table.
        apostrophes: whether apostrophes within words belong to them.
        denying: words that take back a move.
        core: words of a move besides files, ranks, pieces and the words between them.
        check: words that may follow a move.
        together: patterns of words in transcripts that the game treats as several, with their replacements.
        like: synonyms, which count as the same word.
    """

    typed: frozenset[str]
    frames: bool
    unheard: frozenset[str]
    file_names: tuple[tuple[str, ...], ...]
    apostrophes: bool
    denying: tuple[str, ...]
    core: tuple[str, ...]
    check: str
    together: tuple[tuple[re.Pattern[str], str], ...]
    like: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Language:
    """One language, as the recipe sees it.

    Attributes:
        code: name of its folders.
        name: in English.
        version: of its model.
        sounds, units: outputs of its net, without and with separate phones for the words of a move.
        native: espeak-ng's voices of native speakers; the first reads words.
        foreign: espeak-ng's voices of other languages, for foreign accents.
        always: phonemes available in all of those, though some not in isolation.
        replacements: substitutes for a phone in those, nearest first, each of one or more of espeak-ng's phonemes.
        nearest: for each other language (code) the most similar phone of each phone.
    """

    code: str
    name: str
    version: int
    sounds: Sounds
    units: Units
    native: tuple[str, ...]
    foreign: tuple[str, ...]
    always: frozenset[str]
    replacements: Mapping[str, tuple[str, ...]]
    nearest: Mapping[str, Mapping[str, str]]
    invented: Invented
    readings: Readings
    heard: Heard

    @property
    def words(self) -> Mapping[str, Any]:
        """The language's own words, from all files of its folder."""
        return folders.read_words(self.code)

    def beside(self, name: str) -> Mapping[str, Any]:
        """Another file of the language's folder, parsed; empty if missing."""
        return folders.read_data(self.code, name)

    @property
    def other_words(self) -> tuple[str, ...]:
        """Everyday words; some may be words of the game as well."""
        return languages.other_words(self.code)

    @property
    def voices(self) -> Voices:
        """The voices made from recordings of people."""
        return voices(self.code)


@cache
def language(code: str = languages.USUAL) -> Language:
    """The language with this code; always the same object."""
    data = languages.table(code, "sounds")
    vowels, consonants = data["sounds"]["vowels"], data["sounds"]["consonants"]
    espeak, foreign = data["espeak"], data["foreign"]
    others = {symbol: tuple(said.split()) for symbol, said in espeak["others"].items()}
    sounds = Sounds((SILENCE, GARBAGE, *vowels, *consonants), frozenset(vowels), others)
    return Language(
        code=code,
        name=data["name"],
        version=data["version"],
        sounds=sounds,
        units=Units(sounds, data["own"], data["own_as"]),
        native=tuple(espeak["voices"]),
        foreign=tuple(foreign["languages"]),
        always=frozenset(foreign.get("always", ())),
        replacements={sound: tuple(found) for sound, found in foreign["replacements"].items()},
        nearest=data.get("nearest", {}),
        invented=_invented(data["invented"], vowels, consonants),
        readings=_readings(languages.table(code, "pronunciations"), vowels, data.get("dictionary")),
        heard=_heard(languages.table(code, "vocabulary")),
    )


def _invented(data: Mapping[str, Any], vowels: Sequence[str], consonants: Sequence[str]) -> Invented:
    single = [sound for sound in consonants if sound not in data["never_first"]]
    stressed = sorted(set(vowels) - set(data["unstressed"]))
    return Invented((*single, *data["onsets"]), tuple(data["codas"]), tuple(stressed), tuple(sorted(vowels)))


def _readings(data: Mapping[str, Any], vowels: Sequence[str], dictionary: Mapping[str, str] | None) -> Readings:
    # <V> is any vowel.
    any_vowel = f"(?:{'|'.join(map(re.escape, sorted(vowels, key=len, reverse=True)))})"

    def rule(changes: Sequence[Sequence[str]]) -> Rule:
        return Rule(tuple((re.compile(old.replace("<V>", any_vowel)), new) for old, new in changes))

    return Readings(
        dictionary=dictionary,
        respell=data["respell"],
        said=data.get("said", {}),
        also=data["also"],
        read_by=tuple(data.get("read_by", ())),
        rules={name: rule(changes) for name, changes in data["rules"].items()},
        together=tuple(tuple(names) for names in data["together"]),
        written=tuple(data["written"]),
        most=data["most"],
        dearer=data.get("dearer", {}),
    )


def _heard(data: Mapping[str, Any]) -> Heard:
    return Heard(
        typed=frozenset(data["typed"]),
        frames=data.get("frames", False),
        unheard=frozenset(data.get("unheard", ())),
        file_names=tuple(tuple(names) for names in data.get("file_names", ())),
        apostrophes=data.get("apostrophes", False),
        denying=tuple(data["denying"]),
        core=tuple(data["core"]),
        check=data["check"],
        together=tuple((re.compile(one["pattern"]), one["words"]) for one in data["written_together"]),
        like=data["like"],
    )
