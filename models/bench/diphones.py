"""Planning speech of a diphone voice: its phones for those of another language, with durations and pitch.

A diphone voice consists of recorded transitions between two phones. The phones of a language are replaced by the
nearest ones of the voice's language, as learners do, using recorded transitions only. Which are near is in
`models/languages/<code>/voices.toml`.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.languages import USUAL
from models.languages.voices import Voices, voices

SILENCE, JOINT = "#", "+"
"""Phones of a plan: a pause, and a word boundary, at which there may be one."""
LEAD_S = 0.06
"""Silence before the first phone and after the last, seconds."""

NO_SOUNDS = ("|", "!", ":")
"""espeak-ng's symbols between phones: a boundary, the glottal stop before a vowel, a pause."""


_LONG_MS, _SHORT_MS, _OTHER_MS = 130.0, 80.0, 70.0
"""Durations in neutral reading, milliseconds: of long and short vowels, and of phones that are in no table."""


@dataclass(frozen=True)
class Person:
    """The speaker of a voice."""

    tongue: str  # language of the voice, as in `voices.toml`
    hertz: int  # mean pitch
    pause: str = SILENCE  # the voice's name for silence


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
    """A phone of the language in time."""

    begin: float  # seconds from the beginning of the speech
    end: float  # likewise
    phone: str
    word: int  # number of its word, from 0


@dataclass(frozen=True)
class Piece:
    """A phone of the voice."""

    sound: str
    seconds: float  # duration
    hertz: float | None  # pitch at its beginning; None: voiceless, or not set


@dataclass(frozen=True)
class Plan:
    """What a voice is to say."""

    voice: str
    pieces: tuple[Piece, ...]  # its own phones in order
    said: tuple[Said, ...]  # the phones of the language that they stand for


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
    """The nearest phones of the voice for a sequence, with all transitions recorded; None if there are none."""
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
                # An empty way adds no phone, so the last one stays.
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
        # Phones are longer before a pause.
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
    """The plan for words of a language; None if a transition between two phones was never recorded.

    Args:
        words: the phones of each word by espeak-ng's names, with ' before the stressed vowel.
        recorded: the voice's diphones, as "a-b".
        code: of the language.
        choice: random numbers; without effect if the last three are 0.
        pace, pitch: relative to the usual, 0.5 to 2.
        pauses: probability of silence between two words, 0 to 1.
        freedom: 0: the nearest phones; 2: any that a learner may use.
        spread: standard deviation of the logarithms of durations.
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
            # Pitch falls towards the end and rises with stress.
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
