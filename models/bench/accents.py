"""German as people say it whose first language is another one.

A foreign espeak-ng voice reading German letters would read them by its own spelling rules, which nobody who
announces chess moves does. So the German phonemes are taken and each is exchanged for the nearest one that the
foreign language has ("ü" becomes "u" or "i", "ch" becomes "k", "sch" or "h", a short vowel a full one); the foreign
voice then says those. The exchanges follow the usual descriptions of learners' German and stand below, one table
for each language; what is in no table stays as it is.
"""

from __future__ import annotations

# Names are espeak-ng's phoneme names: German ones to the left, the other language's to the right.
_FIVE_VOWELS = {
    "a": "a", "A:": "a", "E": "e", "E2": "e", "E:": "e", "e:": "e", "@": "e", "3": "er", "i:": "i", "I": "i", "I;": "i",
    "O": "o", "o:": "o", "u:": "u", "U": "u", "UR": "ur", "aI": "aj", "aU": "au", "OY": "oj", "Y:": "e", "W": "e",
    "y": "i", "y:": "u", "R": "r", "pF": "pf", "N": "ng",
}  # fmt: skip

ACCENTS: dict[str, dict[str, str]] = {
    "en-us": {
        "a": "a", "A:": "A:", "E2": "E", "E:": "E", "e:": "eI", "O": "0", "o:": "oU", "UR": "3:", "OY": "OI",
        "Y:": "3:", "W": "3:", "y": "U", "y:": "u:", "R": "r", "pF": "f", "C": "k", "x": "k", "I;": "I",
    },
    "fr": {
        "A:": "a", "E2": "E", "E:": "E", "e:": "e", "@": "@", "3": "Er", "i:": "i", "I": "i", "I;": "i", "O": "O",
        "o:": "o", "u:": "u", "U": "u", "UR": "ur", "aI": "aj", "aU": "aO", "OY": "Oj", "Y:": "Y", "y:": "y", "R": "r",
        "pF": "pf", "C": "S", "x": "k", "h": "", "N": "n",
    },
    "es": _FIVE_VOWELS | {"z": "s", "v": "b", "C": "x", "h": "x"},
    "it": _FIVE_VOWELS | {"E": "E", "O": "O", "C": "k", "x": "k", "h": "", "3": "er"},
    "pl": _FIVE_VOWELS | {"E": "E", "O": "O", "e:": "E", "E:": "E", "@": "E", "o:": "O", "3": "Er", "C": "S;",
                          "h": "x", "y": "i", "y:": "i"},
    "ru": _FIVE_VOWELS | {"C": "S", "h": "x", "Y:": "e", "y:": "u", "y": "u"},
    "tr": _FIVE_VOWELS | {"E": "E", "e:": "E", "@": "E", "E:": "E", "O": "O", "o:": "O", "Y:": "W", "W": "W",
                          "y": "y", "y:": "y", "C": "S", "x": "h", "ts": "z"},
    "hu": _FIVE_VOWELS | {"a": "A", "A:": "a:", "E": "E", "e:": "e:", "@": "E", "i:": "i:", "O": "o", "o:": "o:",
                          "u:": "u:", "Y:": "Y", "W": "Y", "y": "y", "y:": "y", "C": "S", "x": "h", "N": "N"},
}  # fmt: skip
"""Exchanges by espeak-ng's name of the speaker's first language."""


def accented(phonemes: str, language: str) -> str:
    """German phonemes (names joined by "_", words by spaces) as a speaker of `language` says them."""
    table = ACCENTS[language]
    words = []
    for word in phonemes.split():
        said = ""
        for name in word.split("_"):
            stress = "'" if name.startswith("'") else "," if name.startswith(",") else ""
            plain = name.lstrip("',")
            if plain in ("", "!", "|"):  # the glottal stop before vowels is the first thing that goes
                continue
            said += stress + table.get(plain, plain)
        words.append(said)
    return " ".join(words)
