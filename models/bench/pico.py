"""A second synthesiser, SVOX Pico: its voices were made from recordings of people, so they are nearer to people than
espeak-ng's formants are.

Voices of other languages are made to say a language with the sounds of their own, as learners do; sounds are given in
X-SAMPA (`models/languages/<code>/voices.toml`). The two English voices have no r that can be named, so that they say
English only, which they are given in letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from models.bench.diphones import NO_SOUNDS
from models.languages import USUAL
from models.languages.voices import voices
from voicechess.messages import Failure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLE_RATE = 16_000


def available() -> bool:
    """Whether the synthesiser (package ttspico) is installed."""
    try:
        import ttspico  # noqa: F401
    except ImportError:
        return False
    return True


def x_sampa(sounds: Sequence[str], voice: str, code: str = USUAL) -> str:
    """Sounds of a language by espeak-ng's names, ' before the stressed vowel, as `voice` says them."""
    said, named = "", voices(code).x_sampa[voice]
    for sound in sounds:
        bare = sound.lstrip("',")
        if bare in NO_SOUNDS:
            continue
        said += ('"' if sound.startswith("'") else "") + named.get(bare, bare)
    return said


def spoken(word: str | Sequence[str], voice: str, code: str = USUAL) -> str:
    """The synthesiser's markup for a word: letters that a voice of the language reads, or sounds for any other."""
    if isinstance(word, str):
        return escape(word)
    return f"<phoneme ph='{x_sampa(word, voice, code)}'/>"


def speak(markup: str, voice: str, rate: int = 100, pitch: int = 100) -> NDArray[np.int16]:
    """Markup said by a voice: 16-bit samples at `SAMPLE_RATE`, mono; the same for the same arguments.

    Args:
        markup: as `spoken` gives it, words separated by spaces.
        voice: one of its six, as "de-DE".
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
