"""Where speech may be: an energy measure over a floor that follows the room.

Silence is kept from the recogniser because its memory grows with endless audio (vosk-api #209, #526, #1970) and
because it hears words in noise. The floor is the quietest moment of the last seconds (minimum statistics: R. Martin,
"Noise power spectral density estimation based on optimal smoothing and minimum statistics", 2001): speech has pauses,
the hum of a room has none.
"""

from __future__ import annotations

from collections import deque

from voicechess.sound.pcm import level_db

FRAME_MS = 20
WINDOW_MS = 3000
PIECE_MS = 300  # the floor's window moves in pieces of this length
FIRST_FLOOR_DB = -50.0  # until the room has been heard
LOWEST_FLOOR_DB = -65.0  # digital silence is no measure of anything
OPENS_DB = 10.0
STAYS_DB = 7.0
OPENING_FRAMES = 3  # a click is shorter


class Gate:
    """Tells for each frame whether somebody may be speaking."""

    def __init__(self) -> None:
        self.floor_db = FIRST_FLOOR_DB
        self.open = False
        self._minima: deque[float] = deque([FIRST_FLOOR_DB], maxlen=WINDOW_MS // PIECE_MS)
        self._piece_min = 0.0
        self._piece_frames = 0
        self._loud_run = 0

    def push(self, frame: bytes) -> bool:
        """Take the next 20 ms; True when they are part of speech (or of a noise as loud)."""
        level = level_db(frame)
        self._follow(level)
        loud = level > self.floor_db + (STAYS_DB if self.open else OPENS_DB)
        self._loud_run = self._loud_run + 1 if loud else 0
        if self._loud_run >= OPENING_FRAMES:
            self.open = True
        return loud and self.open

    def close(self) -> None:
        """The utterance is over: a new one needs a new opening."""
        self.open = False
        self._loud_run = 0

    def _follow(self, level: float) -> None:
        self._piece_min = min(self._piece_min, level)
        self._piece_frames += 1
        if self._piece_frames * FRAME_MS >= PIECE_MS:
            self._minima.append(self._piece_min)
            self._piece_min, self._piece_frames = 0.0, 0
        self.floor_db = max(LOWEST_FLOOR_DB, min(*self._minima, self._piece_min))
