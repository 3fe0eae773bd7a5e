"""Synthetic speech for measuring: text in, samples out, the same samples every time (`voicechess.sound.voices`)."""

from __future__ import annotations

import ctypes
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from models.bench import natural
from voicechess.sound.voices import (
    UTF8,
    EspeakVoice,
    choose_voice,
    resampled,
    speak,
    trimmed,
    with_fresh_library,
)

if TYPE_CHECKING:
    from voicechess.sound.voices import Samples

SAMPLE_RATE = 16_000
"""Samples a second of everything that is measured here."""

_PHONEMES = 0x100  # espeakPHONEMES: [[...]] in the text is read as phoneme names


@dataclass(frozen=True)
class Voice(EspeakVoice):
    """A synthetic speaker.

    accent: "" for a German speaker, else one of `models.bench.synthesis.ACCENTS`.
    natural: a voice of `models.bench.natural` that speaks instead of espeak-ng's; only the rate counts then.
    """

    accent: str = ""
    natural: str = ""


@cache
def _respellings() -> dict[str, str]:
    with (Path(__file__).parent / "de.toml").open("rb") as file:
        words: dict[str, str] = tomllib.load(file)["respelled"]
    return words


def respelled(text: str) -> str:
    """`text` with the words replaced that espeak-ng's German rules say wrongly; case is lost."""
    words = _respellings()
    return " ".join(words.get(word, word) for word in text.lower().split())


def synthesise(text: str, voice: Voice) -> Samples:
    """The German `text` said by `voice`: float32 in -1..1, mono, `SAMPLE_RATE`, without silence around it.

    Raises Failure when the synthesiser is missing or refuses the voice.
    """
    if not text.strip():
        raise ValueError("nothing to say")
    if voice.natural:
        words = [word.split("_") for word in _phonemes(respelled(text)).split()]
        return trimmed(natural.speak(words, voice.natural, voice.rate))
    if voice.accent:
        phonemes = accented(_phonemes(respelled(text)), voice.accent)
        native, rate = speak(f"[[{phonemes}]]", voice.accent, voice, UTF8 | _PHONEMES)
    else:
        native, rate = speak(respelled(text), "de", voice)
    return trimmed(resampled(native, rate, SAMPLE_RATE))


@cache
def _phonemes(text: str) -> str:
    """The German phonemes of `text` in espeak-ng's own names, separated by spaces where words are."""

    def translate(library: ctypes.CDLL, _rate: int) -> str:
        choose_voice(library, "de")
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        rest = ctypes.c_char_p(text.encode())
        parts = []
        while rest.value:
            # 0x5F00: names separated by "_", so that the accents need not guess where one ends
            part = library.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, 0x5F00)
            parts.append(part.decode())
        return " ".join(parts)

    return with_fresh_library(translate)


# --- Accents: how speakers of other languages say German sounds ---
# A foreign espeak-ng voice reading German letters would read them by its own spelling rules, which no speaker
# who announces chess moves does. So the German phonemes are taken and each is exchanged for the nearest one that the
# foreign language has ("ü" becomes "u" or "i", "ch" becomes "k", "sch" or "h", a short vowel a full one); the foreign
# voice then says those. The exchanges follow the usual descriptions of learners' German and stand below, one table
# for each language; what is in no table stays as it is.


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


# --- Which synthetic voices are kept for what, so that "unseen" means unseen ---
# espeak-ng's voice variants are dealt out once, here. The recipe of the starter model may train on every variant that
# is in none of these sets; thresholds and costs are chosen with `TUNING`; figures are reported with the two test
# sets only.


MODEL_TEST: frozenset[str] = frozenset(
    ("f4", "m7", "Alicia", "michel", "sandro", "mike2", "grandma", "klatt5", "Henrique", "quincy")
)
"""Heard by no training and no choice of settings; measures speech models."""

HEARING_TEST: frozenset[str] = frozenset(
    ("f5", "m8", "klatt3", "linda", "steph2", "edward2", "max", "belinda", "john", "Andrea", "ian", "victor")
)
"""Heard by no training and no choice of thresholds; measures the whole way from sound to decision."""

TUNING: frozenset[str] = frozenset(("m3", "f2", "Gene", "pablo", "aunty", "Storm", "robert", "iven2"))
"""For choosing settings, thresholds and costs of confusion; never trained on, never reported as unseen."""

NOT_SPEECH: frozenset[str] = frozenset(
    ("Demonic", "UniRobot", "anikaRobot", "croak", *(f"robosoft{n}" for n in ("", 2, 3, 4, 5, 6, 7, 8)))
)
"""Effects rather than voices: left out everywhere."""

RESERVED: frozenset[str] = MODEL_TEST | HEARING_TEST | TUNING | NOT_SPEECH
"""What training must not use."""
