"""The sounds the model tells apart, and how espeak-ng's phonemes become them."""

from __future__ import annotations

import re

SILENCE, GARBAGE = "SIL", "GARB"
PHONES: tuple[str, ...] = (
    SILENCE,
    GARBAGE,
    *(["A:", "a", "aI", "aU", "E", "E:", "e:", "@", "3", "I", "i:", "O", "o:", "OY", "U", "u:", "y", "y:", "W", "Y:"]),
    *(["b", "C", "d", "f", "g", "h", "j", "k", "l", "m", "n", "N", "p", "r", "s", "S", "t", "ts", "v", "x", "z"]),
)
"""Names are espeak-ng's for German, as y (fünf), W (zwölf), Y: (König), 3 (-er), C (ich), x (ach), S (sch)."""
INDEX = {phone: index for index, phone in enumerate(PHONES)}
VOWELS = frozenset(
    ["A:", "a", "aI", "aU", "E", "E:", "e:", "@", "3", "I", "i:", "O", "o:", "OY", "U", "u:", "y", "y:", "W", "Y:"]
)

# Phonemes of espeak-ng's German that are two of ours, or another of ours, or none.
_SPLIT: dict[str, tuple[str, ...]] = {
    "UR": ("U", "r"),
    "R": ("r",),
    "R2": ("r",),
    "pF": ("p", "f"),
    "E2": ("E",),
    "A": ("A:",),
    "a:": ("A:",),
    "A~": ("A:",),
    "a~": ("A:",),
    "O~": ("O",),
    "W~": ("Y:",),
    "E~": ("E:",),
    "e": ("e:",),
    "o": ("o:",),
    "i": ("i:",),
    "u": ("u:",),
    "Y": ("Y:",),
    "W:": ("Y:",),
    "3:": ("3",),
    "@2": ("@",),
    "@-": ("@",),
    "oU": ("o:",),
    "o@": ("o:",),
    "eI": ("e:",),
    "OI": ("OY",),
    "w": ("v",),
    "tS": ("t", "S"),
    "dZ": ("d", "S"),
    "Z": ("S",),
    "x2": ("x",),
    "l-": ("l",),
    "n-": ("n",),
    "m-": ("m",),
    ";": ("j",),
    "?": (),
}
_PAUSES = frozenset(("", "_", "_:", "_|", "_!", "_^_", "_::", "__"))
_STRESS = re.compile("^[',%=|]+")


def is_pause(symbol: str) -> bool:
    """Whether espeak-ng's symbol stands for silence: a pause, or the stop before a vowel."""
    return symbol in _PAUSES


def plain(symbol: str) -> str:
    """The symbol without its mark of stress."""
    return _STRESS.sub("", symbol)


def german(symbol: str) -> tuple[str, ...] | None:
    """Our phones for one of espeak-ng's German phonemes; None if it is not a German sound."""
    bare = plain(symbol)
    if bare in INDEX:
        return (bare,)
    return _SPLIT.get(bare)
