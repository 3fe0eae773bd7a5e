"""Which of a diphone voice's own sounds say those of a language, and how long and how high each is.

A diphone voice has every passage from one sound to the next cut out of a recording of a person. Here words become such
sounds: the nearest that the voice's language has, as learners do, and only passages that were recorded. Which are near
stands in `models/languages/<code>/voices.toml`.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.languages import USUAL
from models.languages.voices import Voices, voices

SILENCE, JOINT = "#", "+"
"""A pause, and the end of a word, where there may be one."""
LEAD_S = 0.06
"""Silence before the first sound and behind the last, in seconds."""

NO_SOUNDS = ("|", "!", ":")
"""What espeak-ng writes between sounds: a border, the stop before a vowel, a pause."""


_LONG_MS, _SHORT_MS, _OTHER_MS = 130.0, 80.0, 70.0
"""How long vowels are, and what no table has, in plain reading."""


@dataclass(frozen=True)
class Person:
    """Whose recordings a voice is made of.

    Attributes:
        tongue: the language whose sounds the voice has, as the tables of languages name it.
        hertz: the usual height of the voice.
        pause: the voice's name for silence.
    """

    tongue: str
    hertz: int
    pause: str = SILENCE


PEOPLE: dict[str, Person] = {
    "czech_ph": Person("czech", 130), "czech_dita": Person("czech", 215), "czech_krb": Person("czech", 250),
    "czech_machac": Person("czech", 85), "lp_diphone": Person("italian", 190), "pc_diphone": Person("italian", 115),
    "suo_fi_lj_diphone": Person("finnish", 185), "hy_fi_mv_diphone": Person("finnish", 105),
    "kal_diphone": Person("english", 105, "pau"), "ked_diphone": Person("english", 105, "pau"),
    "hindi_NSK_diphone": Person("hindi", 120, "pau"), "slt": Person("english", 170, "pau"),
    "rms": Person("english", 95, "pau"), "awb": Person("english", 130, "pau"),
}  # fmt: skip


@dataclass(frozen=True)
class Said:
    """A sound that is said: when, in seconds from the beginning of the speech, which, and of which word, from 0."""

    begin: float
    end: float
    phone: str
    word: int


@dataclass(frozen=True)
class Piece:
    """A sound of the voice: how long, in seconds, and the height at its beginning in hertz, None without one."""

    sound: str
    seconds: float
    hertz: float | None


@dataclass(frozen=True)
class Plan:
    """What a voice shall say: its own sounds in order, and those of the language that they stand for."""

    voice: str
    pieces: tuple[Piece, ...]
    said: tuple[Said, ...]


def _ways(language: Voices, person: Person, sound: str) -> list[tuple[str, ...]]:
    return [tuple(way.split()) for way in language.tongues[person.tongue][sound]]


def _chosen(
    language: Voices,
    person: Person,
    sounds: Sequence[str],
    recorded: Container[str],
    choice: random.Random,
    freedom: float,
) -> list[tuple[str, ...]] | None:
    """The nearest ways to say sounds in a row whose passages were all recorded; None where there are none."""
    best: dict[tuple[str, ...], tuple[float, list[tuple[str, ...]]]] = {(person.pause,): (0.0, [])}
    for sound in sounds:
        ways = (
            [(), (person.pause,)]
            if sound == JOINT
            else [(person.pause,)]
            if sound == SILENCE
            else _ways(language, person, sound)
        )
        reached: dict[tuple[str, ...], tuple[float, list[tuple[str, ...]]]] = {}
        for rank, way in enumerate(ways):
            price = (5 if sound == JOINT else 1) * rank + (freedom * choice.random() if freedom else 0)
            for last, (cost, path) in best.items():
                row = (last[-1], *way)
                # A way without a sound of its own: what was before it stays the last.
                end = way or last
                found = reached.get(end)
                if (found is None or cost + price < found[0]) and all(f"{a}-{b}" in recorded for a, b in pairwise(row)):
                    reached[end] = (cost + price, [*path, way])
        best = reached
        if not best:
            return None
    return min(best.values())[1]


def _usual(language: Voices, sound: str) -> float:
    return float(language.milliseconds.get(sound, _OTHER_MS))


def _lengths(
    language: Voices, sounds: Sequence[tuple[str, bool]], pace: float, choice: random.Random, spread: float
) -> Iterator[float]:
    for index, (sound, stressed) in enumerate(sounds):
        base = _LONG_MS if sound in language.long else _SHORT_MS if sound in language.short else _usual(language, sound)
        if sound in language.long | language.short:
            base *= 1.12 if stressed else 0.88
        # Before a pause everything gets longer.
        if index + 1 >= len(sounds) or sounds[index + 1][0] == SILENCE:
            base *= 1.35
        yield base / 1000 / pace * choice.lognormvariate(0, spread)


def plan(
    words: Sequence[Sequence[str]],
    voice: str,
    recorded: Container[str],
    choice: random.Random,
    code: str = USUAL,
    *,
    pace: float = 1.0,
    pitch: float = 1.0,
    pauses: float = 0.0,
    freedom: float = 0.0,
    spread: float = 0.0,
) -> Plan | None:
    """What a voice says for words of a language; None where a passage between two sounds was never recorded.

    Args:
        words: of each word the sounds, by espeak-ng's names, ' before the stressed vowel.
        recorded: the voice's diphones, as "a-b".
        code: the language.
        choice: where chance comes from; of no effect where the last three are 0.
        pace, pitch: against the usual, 0.5 to 2.
        pauses: how likely there is silence between two words, 0 to 1.
        freedom: 0 for the nearest sounds, 2 for any that a learner may take.
        spread: of the sounds' lengths, as a standard deviation of logarithms.
    """
    person, language = PEOPLE[voice], voices(code)
    row: list[tuple[str, bool]] = []
    owner: list[int] = []
    for number, word in enumerate(words):
        if number:
            row.append((SILENCE if pauses and choice.random() < pauses else JOINT, False))
            owner.append(-1)
        for sound in word:
            bare = sound.lstrip("',")
            for plain in () if bare in NO_SOUNDS else language.also.get(bare, bare).split():
                row.append((plain, sound.startswith("'")))
                owner.append(number)
    ways = _chosen(language, person, [sound for sound, _ in [*row, (SILENCE, False)]], recorded, choice, freedom)
    if ways is None:
        return None
    lengths = [
        length if sound not in (SILENCE, JOINT) else choice.uniform(0.03, 0.25) if spread else 0.05
        for (sound, _), length in zip(row, _lengths(language, row, pace, choice, spread), strict=True)
    ]
    whole = sum(lengths)
    pieces, said, at = [Piece(person.pause, LEAD_S, None)], [], 0.0
    for (sound, stressed), number, way, length in zip(row, owner, ways, lengths, strict=False):
        if way:
            # Speech sinks towards its end and rises where it is stressed.
            hertz = person.hertz * pitch * (1.12 - 0.25 * at / whole) * (1.1 if stressed else 1.0)
            if spread:
                hertz *= choice.lognormvariate(0, 0.04)
            voiced = sound in language.long | language.short | language.weak
            pieces += [
                Piece(part, length / len(way), hertz if voiced and not index else None)
                for index, part in enumerate(way)
            ]
            if number >= 0:
                said.append(Said(at, at + length, sound, number))
            at += length
    return Plan(voice, (*pieces, Piece(person.pause, LEAD_S, None)), tuple(said))
