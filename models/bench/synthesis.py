"""Reproducible synthetic speech for measuring (`voicechess.sound.voices`)."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from models.bench import natural
from models.languages import USUAL, table
from models.languages.voices import voices
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
"""Samples per second of everything that is measured."""

_PHONEMES = 0x100  # espeakPHONEMES: [[...]] in the text is read as phoneme names


@dataclass(frozen=True)
class Voice(EspeakVoice):
    """A synthetic speaker."""

    accent: str = ""  # one of `accents`; "": a native speaker
    natural: str = ""  # a voice of `models.bench.natural` instead of espeak-ng's, with the rate only; "": espeak-ng
    language: str = USUAL  # code of what is said


@cache
def _stick(code: str) -> Mapping[str, Any]:
    """The table `bench.toml` of a language."""
    return table(code, "bench")


def respelled(text: str, code: str = USUAL) -> str:
    """`text` in lower case, with the words respelled that espeak-ng mispronounces."""
    words: Mapping[str, str] = _stick(code)["respelled"]
    return " ".join(words.get(word, word) for word in text.lower().split())


def synthesise(text: str, voice: Voice) -> Samples:
    """`text` said by `voice`: float32, -1 to 1, mono, at `SAMPLE_RATE`, without silence around it.

    Raises Failure if the synthesiser is missing or refuses the voice, ValueError without text.
    """
    if not text.strip():
        raise ValueError("nothing to say")
    code = voice.language
    if voice.natural:
        spelled: list[str | list[str]] = list(respelled(text, code).split())
        if voice.natural not in voices(code).only_read:
            spelled = [word.split("_") for word in _phonemes(respelled(text, code), code).split()]
        return trimmed(natural.speak(spelled, voice.natural, voice.rate, code))
    if exchanges := accents(code).get(voice.accent):
        phonemes = accented(_phonemes(respelled(text, code), code), exchanges)
        native, rate = speak(f"[[{phonemes}]]", voice.accent, voice, UTF8 | _PHONEMES)
    else:
        native, rate = speak(respelled(text, code), voice.accent or _stick(code)["voice"], voice)
    return trimmed(resampled(native, rate, SAMPLE_RATE))


@cache
def _phonemes(text: str, code: str) -> str:
    """The phonemes of `text` by espeak-ng's names, joined by "_", words by spaces."""

    def translate(library: ctypes.CDLL, _rate: int) -> str:
        choose_voice(library, _stick(code)["voice"])
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        rest = ctypes.c_char_p(text.encode())
        parts = []
        while rest.value:
            # 0x5F00: names separated by "_"
            part = library.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, 0x5F00)
            parts.append(part.decode())
        return " ".join(parts)

    return with_fresh_library(translate)


# --- Accents ---
# A foreign espeak-ng voice would read the text by its own spelling rules, which no speaker with an accent does. So each
# phoneme is replaced by the nearest one of the foreign language (German "ü" by "u" or "i", "ch" by "k", "sch" or "h", a
# short vowel by a full one), and the foreign voice says those. The replacements follow descriptions of learners' speech
# and are in models/languages/<code>/bench.toml; phonemes in no table stay.


def accents(code: str = USUAL) -> Mapping[str, Mapping[str, str]]:
    """Replacements of phonemes by espeak-ng's code of the speaker's first language; {} for a dialect of this one."""
    found: Mapping[str, Mapping[str, str]] = table(code, "bench")["accents"]
    return found


def accented(phonemes: str, exchanges: Mapping[str, str]) -> str:
    """Phonemes (names joined by "_", words by spaces) with these replacements."""
    words = []
    for word in phonemes.split():
        said = ""
        for name in word.split("_"):
            stress = "'" if name.startswith("'") else "," if name.startswith(",") else ""
            plain = name.lstrip("',")
            if plain in ("", "!", "|"):  # without the glottal stop before vowels
                continue
            said += stress + exchanges.get(plain, plain)
        words.append(said)
    return " ".join(words)


# --- Which synthetic voices are reserved for what ---
# The starter models may be trained on all variants of espeak-ng that are in none of these sets; thresholds and costs
# are chosen with `TUNING`; figures are reported with the two test sets only.


MODEL_TEST: frozenset[str] = frozenset(
    ("f4", "m7", "Alicia", "michel", "sandro", "mike2", "grandma", "klatt5", "Henrique", "quincy")
)
"""For measuring speech models; never for training or tuning."""

HEARING_TEST: frozenset[str] = frozenset(
    ("f5", "m8", "klatt3", "linda", "steph2", "edward2", "max", "belinda", "john", "Andrea", "ian", "victor")
)
"""For measuring the whole way from sound to decision; never for training or tuning."""

TUNING: frozenset[str] = frozenset(("m3", "f2", "Gene", "pablo", "aunty", "Storm", "robert", "iven2"))
"""For choosing settings, thresholds and costs of confusion; never for training, never reported as unseen."""

NOT_SPEECH: frozenset[str] = frozenset(
    ("Demonic", "UniRobot", "anikaRobot", "croak", *(f"robosoft{n}" for n in ("", 2, 3, 4, 5, 6, 7, 8)))
)
"""Effects rather than voices, not used at all."""

RESERVED: frozenset[str] = MODEL_TEST | HEARING_TEST | TUNING | NOT_SPEECH
"""What training must not use."""
