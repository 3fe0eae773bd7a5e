"""Synthetic speech for measuring: text in, samples out, the same samples every time (`voicechess.sound.voices`)."""

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
"""Samples a second of everything that is measured here."""

_PHONEMES = 0x100  # espeakPHONEMES: [[...]] in the text is read as phoneme names


@dataclass(frozen=True)
class Voice(EspeakVoice):
    """A synthetic speaker.

    accent: "" for a native speaker, else one of `models.bench.synthesis.accents`.
    natural: a voice of `models.bench.natural` that speaks instead of espeak-ng's; only the rate counts then.
    language: what is said.
    """

    accent: str = ""
    natural: str = ""
    language: str = USUAL


@cache
def _stick(code: str) -> Mapping[str, Any]:
    return table(code, "bench")


def respelled(text: str, code: str = USUAL) -> str:
    """`text` with the words replaced that espeak-ng's rules say wrongly; case is lost."""
    words: Mapping[str, str] = _stick(code)["respelled"]
    return " ".join(words.get(word, word) for word in text.lower().split())


def synthesise(text: str, voice: Voice) -> Samples:
    """The `text` said by `voice`: float32 in -1..1, mono, `SAMPLE_RATE`, without silence around it.

    Raises Failure when the synthesiser is missing or refuses the voice.
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
    """The phonemes of `text` in espeak-ng's own names, separated by spaces where words are."""

    def translate(library: ctypes.CDLL, _rate: int) -> str:
        choose_voice(library, _stick(code)["voice"])
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        rest = ctypes.c_char_p(text.encode())
        parts = []
        while rest.value:
            # 0x5F00: names separated by "_", so that the accents need not guess where one ends
            part = library.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, 0x5F00)
            parts.append(part.decode())
        return " ".join(parts)

    return with_fresh_library(translate)


# --- Accents: how speakers of other languages say the sounds of one ---
# A foreign espeak-ng voice reading the letters would read them by its own spelling rules, which no speaker
# who announces chess moves does. So its phonemes are taken and each is exchanged for the nearest one that the
# foreign language has (German "ü" becomes "u" or "i", "ch" becomes "k", "sch" or "h", a short vowel a full one); the
# foreign voice then says those. The exchanges follow the usual descriptions of learners' speech and stand in
# models/languages/<code>/bench.toml; what is in no table stays as it is.


def accents(code: str = USUAL) -> Mapping[str, Mapping[str, str]]:
    """Exchanges of sounds by espeak-ng's name of the speaker's first language; a dialect of the language has none."""
    found: Mapping[str, Mapping[str, str]] = table(code, "bench")["accents"]
    return found


def accented(phonemes: str, exchanges: Mapping[str, str]) -> str:
    """Phonemes (names joined by "_", words by spaces) as a speaker with these exchanges says them."""
    words = []
    for word in phonemes.split():
        said = ""
        for name in word.split("_"):
            stress = "'" if name.startswith("'") else "," if name.startswith(",") else ""
            plain = name.lstrip("',")
            if plain in ("", "!", "|"):  # the glottal stop before vowels is the first thing that goes
                continue
            said += stress + exchanges.get(plain, plain)
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
