"""Where speech may be: two measures of loudness, each over a floor that follows the room.

Silence is kept from the recogniser because its memory grows with endless audio (vosk-api #209, #526, #1970) and
because it hears words in noise. The floor is the quietest piece of the last seconds (minimum statistics: R. Martin,
"Noise power spectral density estimation based on optimal smoothing and minimum statistics", 2001): speech has pauses,
the hum of a room has none. A piece in which nobody speaks counts with its mean, so that steady noise is known well
enough to notice speech five decibels above it.

The level of the sound itself shows speech over hiss, the level of its differences shows it over what rumbles: either
is enough.
"""

from __future__ import annotations

import math
from collections import deque
from operator import mul, sub

from voicechess.sound.pcm import SILENCE_DB, level_db, samples

FRAME_MS = 20
WINDOW_MS = 3000
PIECE_MS = 300  # the floor's window moves in pieces of this length
SMOOTHED_FRAMES = 3  # single frames of noise differ by several decibels
OPENS_DB = 5.0
STAYS_DB = 3.5
OPENING_FRAMES = 3  # a click is shorter
NOISE_OVER_MINIMUM_DB = 2.0  # while somebody speaks, only the quietest frame can be noise; its mean lies so much higher


class Loudness:
    """One measure of the last frames, and its floor: at least `lowest_db`; `first_db` until the room is known."""

    def __init__(self, first_db: float, lowest_db: float) -> None:
        self.floor_db = first_db
        self._lowest_db = lowest_db  # digital silence is no measure of anything
        self._pieces: deque[float] = deque([first_db], maxlen=WINDOW_MS // PIECE_MS)
        self._piece: list[float] = []
        self._last: deque[float] = deque(maxlen=SMOOTHED_FRAMES)
        self._speech = False

    def above_db(self, frame_db: float) -> float:
        """Take the next frame's level; the decibels by which the last frames stand out of the floor."""
        self._last.append(10 ** (frame_db / 10))
        level_db = 10 * math.log10(sum(self._last) / len(self._last))
        self._piece.append(level_db)
        return level_db - self.floor_db

    def follow(self, speech: bool) -> None:
        """Let the floor follow the frame just taken, which was `speech` or not."""
        self._speech = self._speech or speech
        if len(self._piece) * FRAME_MS >= PIECE_MS:
            self._pieces.append(self._piece_floor())
            self._piece.clear()
            self._speech = False
            self.floor_db = max(self._lowest_db, min(self._pieces))

    def _piece_floor(self) -> float:
        if self._speech:
            return min(self._piece) + NOISE_OVER_MINIMUM_DB
        return 10 * math.log10(sum(10 ** (level / 10) for level in self._piece) / len(self._piece))


Levels = tuple[float, float]
"""Of a frame, in decibels below full scale: its own level and that of its differences."""


class Gate:
    """Tells for each frame, of sound at `MODEL_RATE`, whether somebody may be speaking."""

    def __init__(self) -> None:
        self.open = False
        self.levels: Levels = (SILENCE_DB, SILENCE_DB)  # of the last frame
        self._level = Loudness(-50.0, -65.0)
        self._differences = Loudness(-60.0, -75.0)
        self._loud_run = 0

    @property
    def floor_db(self) -> float:
        """The level of the room's noise, below full scale."""
        return self._level.floor_db

    def push(self, frame: bytes) -> bool:
        """Take the next 20 ms; True when they are part of speech (or of a noise as loud)."""
        level, differences = self.levels = (level_db(frame), self._differences_db(frame))
        over = (level - self._level.floor_db, differences - self._differences.floor_db)
        above = (self._level.above_db(level), self._differences.above_db(differences))
        # Smoothing draws a click out: to open, this very frame has to be loud as well.
        loud = max(above) > STAYS_DB if self.open else max(above) > OPENS_DB and max(over) > STAYS_DB
        self._loud_run = self._loud_run + 1 if loud else 0
        if self._loud_run >= OPENING_FRAMES:
            self.open = True
        speech = loud and self.open
        self._level.follow(speech)
        self._differences.follow(speech)
        return speech

    def close(self) -> None:
        """The utterance is over: a new one needs a new opening."""
        self.open = False
        self._loud_run = 0

    def _differences_db(self, frame: bytes) -> float:
        """The level of the differences from sample to sample: hum and engines are low in it, speech is not."""
        values = samples(frame)
        differences = list(map(sub, values[1:], values))
        square = sum(map(mul, differences, differences)) / max(1, len(differences)) / 32768.0**2
        return 10 * math.log10(square) if square > 0 else SILENCE_DB
