"""Where speech may be: two measures of loudness, each over a floor that follows the room.

Silence is kept from the recogniser because its memory grows with endless audio (vosk-api #209, #526, #1970) and
because it hears words in noise. The floor is the quietest moment of the last seconds (minimum statistics: R. Martin,
"Noise power spectral density estimation based on optimal smoothing and minimum statistics", 2001): speech has pauses,
the hum of a room has none. The level of the sound itself ignores what hisses, the level of its differences ignores
what rumbles; speech stands out in both.
"""

from __future__ import annotations

import math
from collections import deque
from operator import mul, sub

from voicechess.sound.pcm import SILENCE_DB, level_db, samples

FRAME_MS = 20
WINDOW_MS = 3000
PIECE_MS = 300  # the floor's window moves in pieces of this length
OPENS_DB = 10.0
STAYS_DB = 7.0
OPENING_FRAMES = 3  # a click is shorter


class Floor:
    """The level of the room: the minimum of the last seconds, at least `lowest_db`; `first_db` until it is known."""

    def __init__(self, first_db: float, lowest_db: float) -> None:
        self.db = first_db
        self._lowest_db = lowest_db  # digital silence is no measure of anything
        self._minima: deque[float] = deque([first_db], maxlen=WINDOW_MS // PIECE_MS)
        self._piece_min = 0.0
        self._piece_frames = 0

    def follow(self, level_db: float) -> None:
        """Take the next frame's level."""
        self._piece_min = min(self._piece_min, level_db)
        self._piece_frames += 1
        if self._piece_frames * FRAME_MS >= PIECE_MS:
            self._minima.append(self._piece_min)
            self._piece_min, self._piece_frames = 0.0, 0
        self.db = max(self._lowest_db, min(*self._minima, self._piece_min))


class Gate:
    """Tells for each frame whether somebody may be speaking."""

    def __init__(self, rate: int = 16000) -> None:
        """`rate`: samples per second of the frames."""
        self.open = False
        self._lag = max(1, round(rate / 16000))
        self._floor = Floor(-50.0, -65.0)
        self._floor_of_differences = Floor(-60.0, -75.0)
        self._loud_run = 0

    @property
    def floor_db(self) -> float:
        """The level of the room's noise, below full scale."""
        return self._floor.db

    def push(self, frame: bytes) -> bool:
        """Take the next 20 ms; True when they are part of speech (or of a noise as loud)."""
        level, differences = level_db(frame), self._differences_db(frame)
        self._floor.follow(level)
        self._floor_of_differences.follow(differences)
        over = STAYS_DB if self.open else OPENS_DB
        loud = level > self._floor.db + over and differences > self._floor_of_differences.db + over
        self._loud_run = self._loud_run + 1 if loud else 0
        if self._loud_run >= OPENING_FRAMES:
            self.open = True
        return loud and self.open

    def close(self) -> None:
        """The utterance is over: a new one needs a new opening."""
        self.open = False
        self._loud_run = 0

    def _differences_db(self, frame: bytes) -> float:
        """The level of the differences over a 16000th of a second: hum and engines are low in it, speech is not."""
        values = samples(frame)
        differences = list(map(sub, values[self._lag :], values))
        square = sum(map(mul, differences, differences)) / max(1, len(differences)) / 32768.0**2
        return 10 * math.log10(square) if square > 0 else SILENCE_DB
