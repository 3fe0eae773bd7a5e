"""Voices made from recordings of people, by two synthesisers: which is kept for what, and how it says German.

Speech models are judged by these before all: formants are not people.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.bench import diphones, festival, pico
from voicechess.messages import Failure, Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAMES: dict[str, str] = {
    "es-ES": "Spanish woman", "czech_machac": "Czech man", "czech_dita": "Czech woman",
    "hy_fi_mv_diphone": "Finnish man", "de-DE": "German woman, known", "pc_diphone": "Italian man",
}  # fmt: skip
"""Voices that measure, and what the tables call them: by the language whose sounds they speak German with."""
TEST: tuple[str, ...] = (pico.TEST, *festival.TEST)
"""Voices that nothing is trained on or chosen with."""
KNOWN = pico.TRAINING[0]
"""The only one that is German; the starter model was trained on it."""
TUNING: tuple[str, ...] = (KNOWN, festival.TUNING)
"""Voices for choosing thresholds."""

EVERYDAY_RATE = 160
"""Words a minute that a natural voice is taken to speak at by itself."""
_UNEVEN = 0.1  # how much the lengths of sounds differ from one time to the next: spread of logarithms


def available(voice: str) -> bool:
    """Whether the synthesiser of this voice, and the voice, are installed."""
    return festival.available([voice]) if voice in diphones.PEOPLE else pico.available()


def missing(voices: Sequence[str]) -> str:
    """A line for a report about those of the voices that are not installed; empty where all are."""
    absent = [NAMES[voice] for voice in voices if not available(voice)]
    return f"Natural voices not measured, their synthesisers are not installed: {', '.join(absent)}." if absent else ""


def speak(words: Sequence[Sequence[str]], voice: str, rate: int) -> NDArray[np.float32]:
    """Words said by a voice: -1 to 1, mono, 16 kHz; the same for the same arguments.

    Args:
        words: of each word the sounds, by espeak-ng's German names.
        rate: words a minute, roughly.

    Raises:
        Failure: the synthesiser is not installed, or cannot say this.
    """
    import numpy as np

    pace = rate / EVERYDAY_RATE
    if voice not in diphones.PEOPLE:
        markup = " ".join(pico.spoken(word, voice) for word in words)
        return (pico.speak(markup, voice, round(100 * pace)) / 32768).astype(np.float32)
    choice = random.Random(zlib.crc32(repr(words).encode()))
    planned = diphones.plan(words, voice, festival.recorded(voice), choice, pace=pace, spread=_UNEVEN)
    said = festival.speak([planned])[0] if planned else np.zeros(0, np.float32)
    if not len(said):
        raise Failure("bench.natural_silent", {"voice": Text(voice)})
    return said
