"""What the recipe needs of a language, from its folder in `models/languages`."""

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
    """What words that no language has are made of; several sounds are separated by spaces.

    Attributes:
        onsets, codas: what a syllable begins and ends with; "" for nothing.
        first, vowels: vowels of the first syllable, and of any other.
    """

    onsets: tuple[str, ...]
    codas: tuple[str, ...]
    first: tuple[str, ...]
    vowels: tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """A way to say words otherwise: regular expressions and what takes their place, one after the other, in the sounds
    of a word with a space before, between and behind them."""

    changes: tuple[tuple[re.Pattern[str], str], ...]

    def __call__(self, sounds: tuple[str, ...]) -> tuple[str, ...]:
        said = f" {' '.join(sounds)} "
        for pattern, instead in self.changes:
            said = pattern.sub(instead, said)
        return tuple(said.split())


@dataclass(frozen=True)
class Readings:
    """How words are read that need more than their spelling.

    Attributes:
        dictionary: the sounds of each of a pronouncing dictionary's; None where espeak-ng reads everything.
        respell: what espeak-ng is given to read instead of a word.
        said: how a word is said whatever else has it, the usual way first.
        also: said as well, by word.
        read_by: voices of espeak-ng whose readings are said as well.
        rules: other ways, by name, in order.
        together: names of rules that are also applied one after the other.
        written: names of rules that are applied to what is said as well, too.
        most: so many pronunciations of a word at most.
        dearer: what a word costs besides `write.Settings.word_cost`, since the net hears it where others were said.
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
    """Which words are heard, and how they are drawn; see `models/languages/<code>/vocabulary.toml`.

    Attributes:
        typed: entries of the wordings and frames whose words are only typed.
        frames: whether the words of frames (lines in any order) are heard, but for `unheard`.
        file_names: names of the files, from a to h, besides those of the language's table.
        apostrophes: whether one within a word belongs to it.
        denying: words that take back a move.
        core: words of a move besides files, ranks, pieces and what stands between them.
        check: what may be said behind a move.
        together: words in a transcript that the game hears as several: patterns, and what takes their place.
        like: words that mean the same, and count as the same.
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
        code: as its folders are named.
        name: in English.
        version: of its model.
        sounds, units: what its net tells apart, without and with what words of a move have for themselves.
        native: espeak-ng's voices of native speakers; the first reads words.
        foreign: espeak-ng's voices of other languages, for speakers with an accent.
        always: phonemes that all of those can say, though some not alone.
        replacements: what those say instead of a sound, nearest first, each one or more of espeak-ng's phonemes.
        nearest: by the code of another language, for each sound the one there that is most like it.
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
        """The language's own words, wherever in its folder they stand."""
        return folders.read_words(self.code)

    def beside(self, name: str) -> Mapping[str, Any]:
        """Another file in the folder of the language, parsed; empty where there is none."""
        return folders.read_data(self.code, name)

    @property
    def other_words(self) -> tuple[str, ...]:
        """Everyday words; some may be the game's as well."""
        return languages.other_words(self.code)

    @property
    def voices(self) -> Voices:
        """The voices made from recordings of people."""
        return voices(self.code)


@cache
def language(code: str = languages.USUAL) -> Language:
    """The language of a code; the same object each time."""
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
