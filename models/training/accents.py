"""German said with the sounds of another language, for players who learnt German late.

For every German sound there are replacements, nearest first; a foreign espeak-ng voice is given the first few of them
that its language has. The labels stay German: the model must hear the word that was meant.
"""

from __future__ import annotations

import functools
import random

from models.training import espeak
from models.training.phones import is_pause, plain

LANGUAGES: tuple[str, ...] = ("en-us", "fr", "it", "pl", "ru", "cs", "sv", "ro", "pt-br", "hr", "da", "uk")
"""First languages in the training. Spanish, Turkish and Hungarian are left out, to be measured as unseen."""

# Each replacement is one or more of espeak-ng's phonemes.
_REPLACEMENTS: dict[str, tuple[str, ...]] = {
    "A:": ("A:", "a:", "a", "A", "a#"),
    "a": ("a", "A", "a#", "V"),
    "aI": ("aI", "a j", "a I", "a i", "A j", "A i"),
    "aU": ("aU", "a U", "a u", "a w", "A u", "A w"),
    "OY": ("OY", "OI", "O j", "O I", "o j", "o i"),
    "E": ("E", "e"),
    "E:": ("E:", "E", "e:", "e"),
    "e:": ("e:", "eI", "e", "E"),
    "@": ("@", "E", "e", "a#"),
    "3": ("3", "E r", "e r", "@ r", "a"),
    "I": ("I", "i", "i:"),
    "i:": ("i:", "i"),
    "O": ("O", "0", "o"),
    "o:": ("o:", "oU", "o", "O"),
    "U": ("U", "u", "u:"),
    "u:": ("u:", "u", "U"),
    "y": ("Y", "y", "U", "u", "i", "I"),
    "y:": ("y:", "y", "u:", "u", "i"),
    "W": ("W", "Y:", "Y", "3:", "E", "e"),
    "Y:": ("Y:", "Y", "W", "3:", "e:", "e", "o"),
    "C": ("C", "S", "x", "h", "k", "s;"),
    "x": ("x", "h", "k"),
    "h": ("h", "x", ""),
    "N": ("N", "n g", "n"),
    "r": ("r", "R"),
    "ts": ("ts", "t s", "s", "z"),
    "S": ("S", "s"),
    "z": ("z", "s"),
    "v": ("v", "w", "b"),
    "l": ("l", "l#", "l^"),
}


@functools.cache
def _has(language: str, phonemes: str) -> bool:
    """Whether a language's voice can say these phonemes, by letting it say them."""
    if not phonemes:
        return True
    said = [plain(symbol) for _, symbol in espeak.speak(f"[[{phonemes.replace(' ', '')}]]", language)[2]]
    return [symbol for symbol in said if symbol != espeak.WORD and not is_pause(symbol)] == phonemes.split()


@functools.cache
def _choices(language: str, phone: str) -> tuple[str, ...]:
    return tuple(found for found in _REPLACEMENTS.get(phone, (phone,)) if _has(language, found))[:3]


def accented(sounds: tuple[str, ...], language: str, choice: random.Random) -> list[tuple[str, tuple[str, ...]]] | None:
    """The phonemes a speaker of another language puts in place of German ones.

    Args:
        sounds: a pronunciation, ' before the stressed vowel.
        language: one of `LANGUAGES`.

    Returns:
        For each German sound, its bare name and the phonemes said instead (none to two); None if one cannot be said.
    """
    said: list[tuple[str, tuple[str, ...]]] = []
    for sound in sounds:
        phone = plain(sound)
        found = _choices(language, phone)
        if not found:
            return None
        # The nearest sound mostly, the others sometimes: learners differ.
        pick = found[0] if choice.random() < 0.6 else choice.choice(found)
        said.append((phone, tuple(pick.split())))
    return said
