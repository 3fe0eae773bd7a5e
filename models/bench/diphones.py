"""Which of a diphone voice's own sounds say German ones, and how long and how high each is.

A diphone voice has every passage from one sound to the next cut out of a recording of a person. Here German words
become such sounds: the nearest that the voice's language has, as learners do, and only passages that were recorded.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

SILENCE, JOINT = "#", "+"
"""A pause, and the end of a word, where there may be one."""
LEAD_S = 0.06
"""Silence before the first sound and behind the last, in seconds."""

# Where a passage was never recorded, the sound with or without voice may do.
_SAME: dict[str, tuple[str, ...]] = {sound: (sound,) for sound in "aeiouhjlmrs"} | {
    "b": ("b", "p"), "d": ("d", "t"), "f": ("f", "v"), "g": ("g", "k"), "k": ("k", "g"), "n": ("n", "m"),
    "p": ("p", "b"), "t": ("t", "d"), "v": ("v", "f"), "z": ("z", "s"),
}  # fmt: skip
# Finnish: @ is ä, 7 is ö, & is schwa. Every German sound has its replacements, nearest first.
_FINNISH: dict[str, tuple[str, ...]] = _SAME | {
    "A:": ("a:", "a"), "aI": ("a i", "a j"), "aU": ("a u",), "OY": ("o i", "o y"), "E": ("e", "@"),
    "E:": ("@:", "e:", "e"), "e:": ("e:", "e"), "@": ("e", "7"), "3": ("e r", "a", "7 r"), "I": ("i",),
    "i:": ("i:", "i", "i j"), "O": ("o",), "o:": ("o:", "o"), "U": ("u",), "u:": ("u:", "u"), "y": ("y",),
    "y:": ("y:", "y"), "W": ("7",), "Y:": ("7:", "7"), "C": ("h", "S", "s"), "x": ("h", "k"), "N": ("N", "N g", "n k"),
    "ts": ("t s", "s"), "S": ("S", "s"), "z": ("s",), "t": ("t", "T", "d"),
}  # fmt: skip
_CZECH: dict[str, tuple[str, ...]] = _SAME | {
    "A:": ("a:", "a"), "aI": ("a j", "a i"), "aU": ("a u", "a v"), "OY": ("o j", "o i"), "E": ("e",),
    "E:": ("e:", "e"), "e:": ("e:", "e"), "@": ("e", "i"), "3": ("e r", "a", "r"), "I": ("i",),
    "i:": ("i:", "i", "i j"), "O": ("o",), "o:": ("o:", "o"), "U": ("u",), "u:": ("u:", "u"), "y": ("i", "u"),
    "y:": ("i:", "u:", "i"), "W": ("e", "o"), "Y:": ("e:", "e", "o:"), "C": ("ch", "s~", "c~"), "x": ("ch",),
    "N": ("n*", "n* g", "n", "n g"), "ts": ("c",), "S": ("s~",), "h": ("h", "ch"),
}  # fmt: skip
_ITALIAN: dict[str, tuple[str, ...]] = _SAME | {
    "A:": ("a1", "a"), "a": ("a1", "a"), "aI": ("a1 i", "a i", "a1 j"), "aU": ("a1 u", "a u"), "OY": ("O1 i", "o i"),
    "E": ("E1", "e"), "E:": ("E1", "e1"), "e:": ("e1", "e"), "@": ("e",), "3": ("e r", "a"), "I": ("i1", "i"),
    "i:": ("i1", "i"), "O": ("O1", "o"), "o:": ("o1", "o"), "U": ("u1", "u"), "u:": ("u1", "u"),
    "y": ("u1", "i1", "u", "i"), "y:": ("u1", "i1", "u", "i"), "W": ("E1", "o1", "e"), "Y:": ("e1", "o1", "e"),
    "C": ("S", "k"), "x": ("k", "r"), "h": ("", "r"), "N": ("ng", "ng g", "n g", "n"), "ts": ("ts",), "S": ("S", "s"),
}  # fmt: skip
_ENGLISH: dict[str, tuple[str, ...]] = _SAME | {
    "A:": ("aa",), "a": ("aa", "ah"), "aI": ("ay",), "aU": ("aw",), "OY": ("oy",), "E": ("eh",), "E:": ("eh", "ey"),
    "e:": ("ey", "eh"), "@": ("ax", "ah"), "3": ("er", "ax"), "I": ("ih",), "i:": ("iy",), "O": ("ao", "aa"),
    "o:": ("ow",), "U": ("uh",), "u:": ("uw",), "y": ("ih", "uh"), "y:": ("uw", "iy"), "W": ("er", "eh"),
    "Y:": ("er", "ow"), "C": ("sh", "hh", "k"), "x": ("k", "hh"), "h": ("hh",), "N": ("ng",), "ts": ("t s", "s"),
    "S": ("sh",), "j": ("y",),
}  # fmt: skip

# Hindi tells dental stops (th, dh) from those with the tongue curled back (T, D), as Germans do not.
_HINDI: dict[str, tuple[str, ...]] = _SAME | {
    "A:": ("aa",), "a": ("a", "aa"), "aI": ("aa y", "ay", "aa ih"), "aU": ("aa v", "aw", "aa uh"), "E": ("eh", "ee"),
    "OY": ("oo y", "oo ih", "oh ih"), "E:": ("ee", "eh"), "e:": ("ee",), "e": ("ee",), "@": ("a", "eh"),
    "3": ("a r", "a"), "I": ("ih",), "i": ("ih", "iy"), "i:": ("iy", "ih"), "O": ("oh", "oo"), "o": ("oo",),
    "o:": ("oo",), "U": ("uh",), "u": ("uh", "uw"), "u:": ("uw", "uh"), "y": ("uh", "ih"), "y:": ("uw", "iy"),
    "W": ("eh", "oo"), "Y:": ("oo", "ee"), "C": ("sh", "h"), "x": ("kh", "h", "k"), "h": ("h",), "S": ("sh", "s"),
    "N": ("n g", "n"), "ts": ("th s", "T s", "s"), "z": ("j", "s"), "t": ("T", "th"), "d": ("D", "dh"), "j": ("y",),
}  # fmt: skip


NO_SOUNDS = ("|", "!", ":")
"""What espeak-ng writes between sounds: a border, the stop before a vowel, a pause."""
_ALSO = {"E2": "E", "I;": "I", "R": "r", "UR": "U r", "pF": "p f", **dict.fromkeys(NO_SOUNDS, "")}
"""espeak-ng's other names for German sounds."""


@dataclass(frozen=True)
class Person:
    """Whose recordings a voice is made of.

    Attributes:
        sounds: the voice's sounds for each German one, several in a row separated by spaces.
        hertz: the usual height of the voice.
        pause: the voice's name for silence.
    """

    sounds: dict[str, tuple[str, ...]]
    hertz: int
    pause: str = SILENCE


PEOPLE: dict[str, Person] = {
    "czech_ph": Person(_CZECH, 130), "czech_dita": Person(_CZECH, 215), "czech_krb": Person(_CZECH, 250),
    "czech_machac": Person(_CZECH, 85), "lp_diphone": Person(_ITALIAN, 190), "pc_diphone": Person(_ITALIAN, 115),
    "suo_fi_lj_diphone": Person(_FINNISH, 185), "hy_fi_mv_diphone": Person(_FINNISH, 105),
    "kal_diphone": Person(_ENGLISH, 105, "pau"), "ked_diphone": Person(_ENGLISH, 105, "pau"),
    "hindi_NSK_diphone": Person(_HINDI, 120, "pau"), "slt": Person(_ENGLISH, 170, "pau"),
    "rms": Person(_ENGLISH, 95, "pau"), "awb": Person(_ENGLISH, 130, "pau"),
}  # fmt: skip

_LONG = frozenset(("A:", "E:", "e:", "i:", "o:", "u:", "y:", "Y:", "aI", "aU", "OY"))
_SHORT = frozenset(("a", "E", "I", "O", "U", "y", "W"))
_MILLISECONDS: dict[str, float] = {
    "@": 55, "3": 75, "b": 62, "d": 55, "g": 60, "p": 85, "t": 75, "k": 80, "f": 95, "s": 100, "S": 105, "C": 90,
    "x": 90, "h": 60, "v": 62, "z": 75, "ts": 120, "m": 70, "n": 65, "N": 70, "l": 60, "r": 55, "j": 60,
}  # fmt: skip
"""How long German sounds are in plain reading, roughly, as tables for speech synthesis give them."""


@dataclass(frozen=True)
class Said:
    """A German sound: when, in seconds from the beginning of the speech, which, and of which word, counted from 0."""

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
    """What a voice shall say: its own sounds in order, and the German ones that they stand for."""

    voice: str
    pieces: tuple[Piece, ...]
    said: tuple[Said, ...]


def _ways(person: Person, sound: str) -> list[tuple[str, ...]]:
    return [tuple(way.split()) for way in person.sounds[sound]]


def _chosen(
    person: Person, sounds: Sequence[str], recorded: Container[str], choice: random.Random, freedom: float
) -> list[tuple[str, ...]] | None:
    """The nearest ways to say sounds in a row whose passages were all recorded; None where there are none."""
    best: dict[tuple[str, ...], tuple[float, list[tuple[str, ...]]]] = {(person.pause,): (0.0, [])}
    for sound in sounds:
        ways = (
            [(), (person.pause,)] if sound == JOINT else [(person.pause,)] if sound == SILENCE else _ways(person, sound)
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


def _lengths(sounds: Sequence[tuple[str, bool]], pace: float, choice: random.Random, spread: float) -> Iterator[float]:
    for index, (sound, stressed) in enumerate(sounds):
        base = 130.0 if sound in _LONG else 80.0 if sound in _SHORT else _MILLISECONDS.get(sound, 70.0)
        if sound in _LONG | _SHORT:
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
    *,
    pace: float = 1.0,
    pitch: float = 1.0,
    pauses: float = 0.0,
    freedom: float = 0.0,
    spread: float = 0.0,
) -> Plan | None:
    """What a voice says for German words; None where a passage between two sounds was never recorded.

    Args:
        words: of each word the sounds, by espeak-ng's German names, ' before the stressed vowel.
        recorded: the voice's diphones, as "a-b".
        choice: where chance comes from; of no effect where the last three are 0.
        pace, pitch: against the usual, 0.5 to 2.
        pauses: how likely there is silence between two words, 0 to 1.
        freedom: 0 for the nearest sounds, 2 for any that a learner may take.
        spread: of the sounds' lengths, as a standard deviation of logarithms.
    """
    person = PEOPLE[voice]
    row: list[tuple[str, bool]] = []
    owner: list[int] = []
    for number, word in enumerate(words):
        if number:
            row.append((SILENCE if pauses and choice.random() < pauses else JOINT, False))
            owner.append(-1)
        for sound in word:
            bare = sound.lstrip("',")
            for plain in _ALSO.get(bare, bare).split():
                row.append((plain, sound.startswith("'")))
                owner.append(number)
    ways = _chosen(person, [sound for sound, _ in [*row, (SILENCE, False)]], recorded, choice, freedom)
    if ways is None:
        return None
    lengths = [
        length if sound not in (SILENCE, JOINT) else choice.uniform(0.03, 0.25) if spread else 0.05
        for (sound, _), length in zip(row, _lengths(row, pace, choice, spread), strict=True)
    ]
    whole = sum(lengths)
    pieces, said, at = [Piece(person.pause, LEAD_S, None)], [], 0.0
    for (sound, stressed), number, way, length in zip(row, owner, ways, lengths, strict=False):
        if way:
            # Speech sinks towards its end and rises where it is stressed.
            hertz = person.hertz * pitch * (1.12 - 0.25 * at / whole) * (1.1 if stressed else 1.0)
            if spread:
                hertz *= choice.lognormvariate(0, 0.04)
            voiced = sound in _LONG | _SHORT | {"@", "3"}
            pieces += [
                Piece(part, length / len(way), hertz if voiced and not index else None)
                for index, part in enumerate(way)
            ]
            if number >= 0:
                said.append(Said(at, at + length, sound, number))
            at += length
    return Plan(voice, (*pieces, Piece(person.pause, LEAD_S, None)), tuple(said))
