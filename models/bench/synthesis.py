"""Synthetic speech for measuring: text in, samples out, the same samples every time.

espeak-ng, from the espeakng-loader package, is called through ctypes. The library keeps the state of its voices'
flutter and noise from one utterance to the next, even over espeak_Terminate, so that an utterance would sound
different depending on what was said before. Here it is loaded afresh for every utterance (4 ms): an utterance
depends on its own text and settings and on nothing else, in whatever process and order it is made.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil, gcd
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from models.bench import natural
from voicechess.messages import Failure, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

SAMPLE_RATE = 16_000
"""Samples a second of everything that is measured here."""

_SYNCHRONOUS = 2  # espeak_AUDIO_OUTPUT: events and samples come in the callback, before espeak_Synth returns
_DONT_EXIT = 0x8000  # espeakINITIALIZE_DONT_EXIT: a missing data folder is an error code, not the end of the process
_UTF8 = 1
_PHONEMES = 0x100  # espeakPHONEMES: [[...]] in the text is read as phoneme names
_RATE, _PITCH, _RANGE = 1, 3, 4  # espeak_PARAMETER

_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


Made = TypeVar("Made")


@dataclass(frozen=True)
class Voice:
    """A synthetic speaker.

    variant: an espeak-ng voice variant (see `models.bench.synthesis`), or "" for the plain voice.
    rate: words a minute, 80 to 450. pitch, intonation: 0 to 99, espeak-ng's middle is 50.
    accent: "" for a German speaker, else one of `models.bench.synthesis.ACCENTS`.
    natural: a voice of `models.bench.natural` that speaks instead of espeak-ng's; only the rate counts then.
    """

    variant: str = ""
    rate: int = 160
    pitch: int = 50
    intonation: int = 50
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
        native, rate = _speak(f"[[{phonemes}]]", voice.accent, voice, _UTF8 | _PHONEMES)
    else:
        native, rate = _speak(respelled(text), "de", voice, _UTF8)
    return trimmed(resampled(native, rate, SAMPLE_RATE))


def resampled(samples: Samples, rate: int, to_rate: int) -> Samples:
    """`samples` at another rate, band-limited (by the spectrum, so meant for utterances, not for hours)."""
    import numpy as np

    if rate == to_rate or len(samples) == 0:
        return samples
    unit = rate // gcd(rate, to_rate)  # so many samples are a whole number of samples at the other rate
    pad = unit * ceil(rate / 20 / unit)  # silence on both sides keeps the ends from wrapping around into each other
    padded = np.concatenate([np.zeros(pad), samples, np.zeros(pad + (-len(samples)) % unit)])
    length = len(padded) * to_rate // rate
    spectrum = np.fft.rfft(padded)
    wanted = np.zeros(length // 2 + 1, dtype=complex)
    kept = min(len(spectrum), len(wanted))
    wanted[:kept] = spectrum[:kept]
    out = np.fft.irfft(wanted, length) * (length / len(padded))
    first = pad * to_rate // rate
    return out[first : first + round(len(samples) * to_rate / rate)].astype(np.float32)


def trimmed(samples: Samples, below: float = 0.003) -> Samples:
    """`samples` without the near-silence (peak under `below` of the loudest sample) before and after."""
    import numpy as np

    loud = np.flatnonzero(np.abs(samples) > below * float(np.max(np.abs(samples), initial=0.0)))
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples


def _speak(text: str, language: str, voice: Voice, flags: int) -> tuple[Samples, int]:
    import numpy as np

    if voice.variant and not (_data_path() / "voices" / "!v" / voice.variant).is_file():
        raise Failure("bench.voice_missing", {"voice": Text(voice.variant)})  # the library would use its plain voice
    chunks: list[NDArray[np.int16]] = []

    def receive(wave: ctypes._Pointer[ctypes.c_short], count: int, _events: int) -> int:
        if wave and count > 0:
            chunks.append(np.ctypeslib.as_array(wave, (count,)).copy())
        return 0

    def speak(library: ctypes.CDLL, rate: int) -> int:
        callback = _CALLBACK(receive)
        library.espeak_SetSynthCallback(callback)
        _choose(library, f"{language}+{voice.variant}" if voice.variant else language)
        for parameter, value in ((_RATE, voice.rate), (_PITCH, voice.pitch), (_RANGE, voice.intonation)):
            library.espeak_SetParameter(parameter, value, 0)
        data = text.encode()
        library.espeak_Synth(data, len(data) + 1, 0, 1, 0, flags, None, None)
        library.espeak_Synchronize()
        return rate

    rate = _with_fresh_library(speak)
    if not chunks:
        raise Failure("bench.voice_silent", {"voice": Text(voice.variant or language)})
    return (np.concatenate(chunks) / 32768).astype(np.float32), rate


@cache
def _phonemes(text: str) -> str:
    """The German phonemes of `text` in espeak-ng's own names, separated by spaces where words are."""

    def translate(library: ctypes.CDLL, _rate: int) -> str:
        _choose(library, "de")
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        rest = ctypes.c_char_p(text.encode())
        parts = []
        while rest.value:
            # 0x5F00: names separated by "_", so that the accents need not guess where one ends
            part = library.espeak_TextToPhonemes(ctypes.byref(rest), _UTF8, 0x5F00)
            parts.append(part.decode())
        return " ".join(parts)

    return _with_fresh_library(translate)


@cache
def _data_path() -> Path:
    try:
        import espeakng_loader
    except ImportError as error:
        raise Failure("bench.synthesiser_missing") from error
    return Path(espeakng_loader.get_data_path())


def _choose(library: ctypes.CDLL, name: str) -> None:
    if library.espeak_SetVoiceByName(name.encode()) != 0:
        raise Failure("bench.voice_missing", {"voice": Text(name)})


def _with_fresh_library(use: Callable[[ctypes.CDLL, int], Made]) -> Made:
    """`use(library, sample rate)` with a copy of the library whose static data is as on the first day."""
    os.environ["ESPEAK_DATA_PATH"] = str(_data_path())
    try:
        import espeakng_loader

        library = ctypes.CDLL(espeakng_loader.get_library_path())
    except (ImportError, OSError) as error:
        raise Failure("bench.synthesiser_missing") from error
    try:
        rate = library.espeak_Initialize(_SYNCHRONOUS, 0, None, _DONT_EXIT)
        if rate <= 0:
            raise Failure("bench.synthesiser_missing")
        # Breath is drawn at random, from a generator of its own and from the C library's, both seeded by the clock.
        library.espeak_ng_SetRandSeed(ctypes.c_long(1))
        if sys.platform != "win32":
            ctypes.CDLL(None).srand(1)
        try:
            return use(library, rate)
        finally:
            library.espeak_Terminate()
    finally:
        if sys.platform != "win32":  # on Windows the copy stays, and reruns are alike only in order
            import _ctypes

            _ctypes.dlclose(library._handle)


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
