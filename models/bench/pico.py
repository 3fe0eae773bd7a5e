"""A second synthesiser, SVOX Pico: its voices were made from recordings of people, so they are nearer to people than
espeak-ng's formants are.

Of its six voices one is German; others are made to say German with the sounds of their own language, as learners do.
Sounds are given in X-SAMPA, the names to the left are espeak-ng's for German. The two English voices have no r that can
be named, so they are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from models.bench.diphones import NO_SOUNDS
from voicechess.messages import Failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TRAINING: tuple[str, ...] = ("de-DE", "fr-FR", "it-IT")
"""Voices that the starter model is trained on."""
TEST = "es-ES"
"""The voice that nothing is trained on or chosen with: it measures speech models."""
SAMPLE_RATE = 16_000

_GERMAN = {
    "A:": "a:", "E2": "E", "3": "6", "I;": "I", "r": "R", "W": "9", "Y:": "2:", "UR": "U6", "pF": "pf",
}  # fmt: skip
_FIVE_VOWELS = {
    "A:": "a", "E": "e", "E2": "e", "E:": "e", "e:": "e", "@": "e", "3": "er", "i:": "i", "I": "i", "I;": "i", "O": "o",
    "o:": "o", "u:": "u", "U": "u", "UR": "ur", "aI": "ai", "aU": "au", "OY": "oi", "Y:": "e", "W": "e", "y": "i",
    "y:": "u", "R": "r", "pF": "pf",
}  # fmt: skip
_SOUNDS: dict[str, dict[str, str]] = {
    "de-DE": _GERMAN,
    "fr-FR": {
        "A:": "a", "E2": "E", "E:": "E", "e:": "e", "3": "ER", "I": "i", "I;": "i", "i:": "i", "o:": "o", "u:": "u",
        "U": "u", "UR": "uR", "aI": "aj", "aU": "aw", "OY": "Oj", "Y:": "2", "W": "9", "y:": "y", "r": "R", "pF": "pf",
        "C": "S", "x": "k", "h": "", "N": "N",
    },
    "it-IT": _FIVE_VOWELS | {"E": "E", "E2": "E", "C": "k", "x": "k", "h": "", "j": "i", "N": "ng"},
    "es-ES": _FIVE_VOWELS | {"z": "s", "v": "b", "S": "tS", "C": "x", "h": "x"},
}  # fmt: skip


def available() -> bool:
    """Whether the synthesiser (package ttspico) is installed."""
    try:
        import ttspico  # noqa: F401
    except ImportError:
        return False
    return True


def x_sampa(sounds: Sequence[str], voice: str) -> str:
    """German sounds by espeak-ng's names, ' before the stressed vowel, as `voice` says them."""
    said = ""
    for sound in sounds:
        bare = sound.lstrip("',")
        if bare in NO_SOUNDS:
            continue
        said += ('"' if sound.startswith("'") else "") + _SOUNDS[voice].get(bare, bare)
    return said


def spoken(word: str | Sequence[str], voice: str) -> str:
    """The synthesiser's markup for a word: letters that the German voice may read, or sounds for any voice."""
    if isinstance(word, str):
        return escape(word)
    return f"<phoneme ph='{x_sampa(word, voice)}'/>"


def speak(markup: str, voice: str, rate: int = 100, pitch: int = 100) -> NDArray[np.int16]:
    """Markup said by a voice: 16-bit samples at `SAMPLE_RATE`, mono; the same for the same arguments.

    Args:
        markup: as `spoken` gives it, words separated by spaces.
        voice: one of `TRAINING`, or `TEST`.
        rate: 20 to 500, pitch: 50 to 200, in per cent of the voice's own.

    Raises:
        Failure: the synthesiser is not installed.
    """
    import numpy as np

    try:
        from ttspico import TtsEngine

        engine = TtsEngine(voice)  # a fresh one each time: what it said before would change how it speaks
    except (ImportError, RuntimeError) as error:
        raise Failure("bench.natural_missing") from error
    engine.rate, engine.pitch = rate, pitch
    return np.frombuffer(engine.speak(markup) or b"", np.int16)
