"""How each word is said: espeak-ng's reading, readings by rule, and those in pronunciations.toml."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable
from pathlib import Path

from models.training import espeak
from models.training.phones import VOWELS, german, is_pause, plain

Pronunciation = tuple[str, ...]
"""Phones in order; a ' before a vowel marks the stress."""
MOST_VARIANTS = 14


@functools.cache
def _table() -> dict[str, dict[str, object]]:
    return tomllib.loads((Path(__file__).parent / "pronunciations.toml").read_text(encoding="utf-8"))


def spelling(word: str) -> str:
    """What espeak-ng is given to read for a word."""
    return str(_table()["respell"].get(word, word))


@functools.cache
def read(text: str) -> Pronunciation:
    """espeak-ng's German reading of one word, in our phones.

    Raises:
        ValueError: the reading holds a sound that is not German.
    """
    found: list[str] = []
    for _, symbol in espeak.speak(text)[2]:
        if symbol == espeak.WORD or is_pause(symbol):
            continue
        sounds = german(symbol)
        if sounds is None:
            raise ValueError(f"{text}: {symbol}")
        found += [("'" if symbol[0] == "'" and sound in VOWELS else "") + sound for sound in sounds]
    return tuple(found)


def _vocalised(sounds: Pronunciation) -> Pronunciation:
    """r after a vowel and before none becomes the vowel of -er, and nothing after a long a."""
    kept: list[str] = []
    for index, sound in enumerate(sounds):
        after = plain(sounds[index + 1]) if index + 1 < len(sounds) else ""
        if sound == "r" and kept and plain(kept[-1]) in VOWELS and after not in VOWELS:
            if plain(kept[-1]) not in ("A:", "a", "3"):
                kept.append("3")
        else:
            kept.append(sound)
    return tuple(kept)


def _swallowed(sounds: Pronunciation) -> Pronunciation:
    """-en, -el and -em without their e; n takes the place of articulation before it."""
    kept: list[str] = []
    index = 0
    while index < len(sounds):
        ends = sounds[index + 1 : index + 2]
        if sounds[index] == "@" and kept and plain(kept[-1]) not in VOWELS and ends in (("n",), ("l",), ("m",)):
            place = {"b": "m", "p": "m", "g": "N", "k": "N"} if ends == ("n",) else {}
            if kept[-1] not in ("m", "n", "N") and (kept[-1], *ends) != ("l", "l"):
                kept.append(place.get(kept[-1], ends[0]))
                index += 2
                continue
        kept.append(sounds[index])
        index += 1
    return tuple(kept)


def _southern(sounds: Pronunciation) -> Pronunciation:
    """Voiceless s at the beginning, -ig with a stop."""
    changed = ("s" if sounds[0] == "z" else sounds[0], *sounds[1:])
    return (*changed[:-1], "k") if changed[-2:] == ("I", "C") else changed


def _narrow(sounds: Pronunciation) -> Pronunciation:
    return tuple(sound.replace("E:", "e:") for sound in sounds)


def variants(word: str) -> tuple[Pronunciation, ...]:
    """All the ways a word is said, the usual one first, at most `MOST_VARIANTS`."""
    also = _table()["also"].get(word, [])
    assert isinstance(also, list)
    base = read(spelling(word))
    written = [tuple(text.split()) for text in also]
    rules = (_vocalised, _swallowed, _southern, _narrow)
    ruled = [rule(base) for rule in rules]
    every = base
    for rule in rules:
        every = rule(every)
    ruled.append(_swallowed(_vocalised(base)))
    ruled += [_vocalised(sounds) for sounds in written]
    return tuple(dict.fromkeys((base, *written, *ruled, every)))[:MOST_VARIANTS]


def bare(sounds: Iterable[str]) -> Pronunciation:
    """A pronunciation without marks of stress."""
    return tuple(plain(sound) for sound in sounds)


def lexicon(words: Iterable[str]) -> list[tuple[str, Pronunciation]]:
    """Every word with every pronunciation, unstressed, for the decoding graph."""
    return [(word, sounds) for word in words for sounds in dict.fromkeys(bare(found) for found in variants(word))]
