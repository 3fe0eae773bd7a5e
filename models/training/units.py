"""What the net tells apart: the sounds, and those of the words of a move each for itself.

The n of "eins" is not quite that of "nein". What is said in every move has sounds of its own, which the net learns
along with whole words (sequence.py): labels, and all other words, know the sounds only.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from models.training.phones import INDEX, PHONES

_OWN: dict[str, str] = {
    "anna": "A: a n",
    "bella": "A: E a b e: l",
    "cesar": "3 A: E: E S a e: k r s t ts z",
    "david": "A: I a d e: f i: t v",
    "eva": "A: E a e: f i: v",
    "felix": "E I e: f i: k l s",
    "gustav": "A: U a f g s t u: v",
    "hector": "3 E O h k o: r t",
    "eins": "OY aI n s ts z",
    "zwei": "@ aI s ts v",
    "zwo": "O o: ts v",
    "drei": "@ aI d r",
    "vier": "3 @ I f i: r",
    "fünf": "@ I U W f i: m n p y: y",
    "sechs": "E e: g k s z",
    "sieben": "@ I b i: m n s z",
    "acht": "A: a t x",
    "könig": "C I S W Y: e: g k n o:",
    "dame": "@ A: E a d m",
    "turm": "3 @ O U m r t u:",
    "läufer": "3 E OY aI aU f l r",
    "springer": "3 @ E I N S g p r s",
    "pferd": "3 E e: f p r t",
    "ross": "O o: r s",
    "bauer": "3 @ E aU b r",
    "auf": "U aU f",
    "nach": "A: a n x",
    "schlägt": "C E: E S e: k l t",
    "schach": "A: S a x",
    "rochade": "@ A: O S d k o: r x",
    "ja": "A: a j o:",
    "nein": "aI e: n",
    "mal": "A: l m",
    "nimmt": "I m n p t",
    "nicht": "C I S n t x",
    "falsch": "S a f l",
    "korrektur": "3 E O k r t u:",
    "korrigieren": "@ I O g i: k n r",
}
"""Sounds of their own, by word; a change makes the net of a finished folder one of other sounds. A pronunciation with
a sound that is not among its word's takes the one of all words."""
_SPELLED = {"cäsar": "cesar", "hektor": "hector"}

UNITS: tuple[str, ...] = (*PHONES, *(f"{sound}.{word}" for word, sounds in _OWN.items() for sound in sounds.split()))
"""The sounds first."""
UNIT_INDEX = {unit: index for index, unit in enumerate(UNITS)}
SOUND_OF = np.array([INDEX[unit.partition(".")[0]] for unit in UNITS])
"""For each unit the number of its sound."""
OUTPUTS = 2 * len(UNITS)
OUTPUT_OF = np.repeat(2 * SOUND_OF, 2) + np.tile((0, 1), len(UNITS))
"""For each output of a net that tells units apart that of a net that tells sounds apart, which are its first ones."""
SHARES = 1 / np.bincount(OUTPUT_OF)[OUTPUT_OF]
"""For each of these outputs its share of the sound's, where the units of a sound are equally likely."""


def in_units(entries: Iterable[tuple[str, tuple[str, ...]]]) -> list[tuple[str, tuple[str, ...]]]:
    """Words and their pronunciations: each with its word's own sounds, where it has some, and with those of all words.

    Its own are known from fewer people: with nothing else, the "ja" of somebody new was no word (README.md).
    """
    found = []
    for word, sounds in entries:
        own = tuple(_unit(sound, _SPELLED.get(word, word)) for sound in sounds)
        found += [(word, one) for one in dict.fromkeys((own, sounds))]
    return found


def _unit(sound: str, word: str) -> str:
    unit = f"{sound}.{word}"
    return unit if unit in UNIT_INDEX else sound
