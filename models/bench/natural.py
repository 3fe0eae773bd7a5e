"""Voices made from recordings of people, by three synthesisers. For speech models they are the most telling synthetic
voices, since espeak-ng's formants are unlike people.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.bench import diphones, festival, flite, pico
from models.languages import USUAL
from models.languages.voices import voices as voices_of
from voicechess.messages import Failure, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EVERYDAY_RATE = 160
"""Rate at which a natural voice is assumed to speak by itself, words per minute."""
_UNEVEN = 0.1  # random variation of durations: standard deviation of logarithms


def available(voice: str) -> bool:
    """Whether this voice and its synthesiser are installed."""
    if voice in flite.VOICES:
        return flite.available()
    return festival.available([voice]) if voice in diphones.PEOPLE else pico.available()


def missing(voices: Sequence[str], code: str = USUAL) -> str:
    """A line for a report about voices that are not installed; "" if all are."""
    absent = [voices_of(code).names[voice] for voice in voices if not available(voice)]
    return f"Natural voices not measured, their synthesisers are not installed: {', '.join(absent)}." if absent else ""


def speak(words: Sequence[str | Sequence[str]], voice: str, rate: int, code: str = USUAL) -> NDArray[np.float32]:
    """Words said by a voice: -1 to 1, mono, 16 kHz; reproducible.

    Args:
        words: the phones of each word by espeak-ng's names, or its spelling for a voice that reads the language.
        rate: approximate words per minute.
        code: of the language.

    Raises:
        Failure: the synthesiser is not installed, or cannot say this.
    """
    import numpy as np

    pace = rate / EVERYDAY_RATE
    if voice not in diphones.PEOPLE:
        markup = " ".join(pico.spoken(word, voice, code) for word in words)
        return (pico.speak(markup, voice, round(100 * pace)) / 32768).astype(np.float32)
    choice = random.Random(zlib.crc32(repr(words).encode()))
    recorded = flite.Everything() if voice in flite.VOICES else festival.recorded(voice)
    planned = diphones.plan(words, voice, recorded, choice, code, pace=pace, spread=_UNEVEN)
    if planned is None:
        said = np.zeros(0, np.float32)
    elif voice in flite.VOICES:
        said = flite.speak(planned, pace)[0]
    else:
        said = festival.speak([planned])[0]
    if not len(said):
        raise Failure("bench.natural_silent", {"voice": Text(voice)})
    return said
