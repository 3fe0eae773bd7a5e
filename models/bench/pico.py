"""The synthesiser SVOX Pico, whose voices were made from recordings of people and so are more like people than
espeak-ng's formants.

Voices of other languages say a language with their own phones, as learners do, given in X-SAMPA
(`models/languages/<code>/voices.toml`). The two English voices have no r that can be named, so they only read English.
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
    """X-SAMPA of `voice` for phones of a language by espeak-ng's names, ' before the stressed vowel."""
    said, named = "", voices(code).x_sampa[voice]
    for sound in sounds:
        bare = sound.lstrip("',")
        if bare in NO_SOUNDS:
            continue
        said += ('"' if sound.startswith("'") else "") + named.get(bare, bare)
    return said


def spoken(word: str | Sequence[str], voice: str, code: str = USUAL) -> str:
    """Markup of a word: its spelling for a voice that reads the language, or phones."""
    if isinstance(word, str):
        return escape(word)
    return f"<phoneme ph='{x_sampa(word, voice, code)}'/>"


def speak(markup: str, voice: str, rate: int = 100, pitch: int = 100) -> NDArray[np.int16]:
    """Markup said by a voice: 16-bit samples at `SAMPLE_RATE`, mono; reproducible.

    Args:
        markup: of `spoken`, words separated by spaces.
        voice: one of its six, such as "de-DE".
        rate, pitch: percent of the voice's own; 20 to 500 and 50 to 200.

    Raises:
        Failure: the synthesiser is not installed.
    """
    import numpy as np

    try:
        from ttspico import TtsEngine

        engine = TtsEngine(voice)  # fresh each time, since its speech depends on what it said before
    except (ImportError, RuntimeError) as error:
        raise Failure("bench.natural_missing") from error
    engine.rate, engine.pitch = rate, pitch
    return np.frombuffer(engine.speak(markup) or b"", np.int16)
