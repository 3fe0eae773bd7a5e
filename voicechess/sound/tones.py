"""Tones, where a sentence would take too long: rising means "your turn", falling "once more", so that they can be told
apart without an ear for pitch."""

from __future__ import annotations

import math
from array import array
from functools import cache

from voicechess.messages import Tone
from voicechess.sound.pcm import as_bytes

TONE_RATE = 22050
LOUDNESS = 0.25
FADE_S = 0.008  # without it a tone begins and ends with a click

Notes = tuple[tuple[float, float], ...]
"""Hertz (0: a pause), seconds."""

_NOTES: dict[Tone, Notes] = {
    Tone.LISTENING: ((660.0, 0.06), (880.0, 0.06)),
    Tone.HEARD: ((880.0, 0.05),),
    Tone.NOT_UNDERSTOOD: ((392.0, 0.09), (294.0, 0.12)),
    Tone.CLOCK_LOW: ((988.0, 0.07), (0.0, 0.05), (988.0, 0.07), (0.0, 0.05), (988.0, 0.07)),
}

_UNSPOKEN: Notes = ((220.0, 0.12), (0.0, 0.06), (220.0, 0.12))


def tone_pcm(tone: Tone) -> bytes:
    """The tone as 16-bit mono sound of `TONE_RATE`."""
    return _pcm(_NOTES[tone])


def unspoken_pcm() -> bytes:
    """Played where the voice fails: there was a sentence, which can be read as text. As `tone_pcm`.

    It is not among the tones of the settings: with tones off, silence must still not pass for an answer.
    """
    return _pcm(_UNSPOKEN)


@cache
def _pcm(notes: Notes) -> bytes:
    values = array("h")
    for hertz, seconds in notes:
        count = int(seconds * TONE_RATE)
        fade = int(FADE_S * TONE_RATE)
        for index in range(count):
            envelope = min(1.0, index / fade, (count - index) / fade)
            wave = math.sin(2 * math.pi * hertz * index / TONE_RATE)
            values.append(int(32767 * LOUDNESS * envelope * wave))
    return as_bytes(values)
