"""Voice activity detection: whether a frame may hold speech.

It keeps silence from the recogniser, whose memory grows with endless audio (vosk-api #209, #526, #1970) and which hears
words in noise. The noise floor is tracked by minimum statistics (R. Martin, "Noise power spectral density estimation
based on optimal smoothing and minimum statistics", 2001): speech has pauses, steady noise has none. A sub-window
without speech counts with its mean, so that steady noise is known well enough to detect speech 5 dB above it.

Two levels are compared with their floors: that of the signal shows speech over hiss, that of its first difference (a
high-pass) shows it over rumble. Either is enough.
"""

from __future__ import annotations

import math
from collections import deque
from operator import mul, sub

from voicechess.sound.pcm import SILENCE_DB, level_db, samples

FRAME_MS = 20
"""Milliseconds a frame."""

FLOOR_WINDOW_MS = 3000
"""Milliseconds over which the noise floor is the minimum. Larger: steadier, and slower to follow a room that becomes
louder."""

SUB_WINDOW_MS = 300
"""Milliseconds of a sub-window, over whose means that minimum is taken. Larger: speech without a pause raises the floor
less."""

SMOOTHING_FRAMES = 3
"""Frames over which a level is averaged: single frames of noise differ by several decibels. Larger: later onsets."""

ONSET_DB = 5.0
"""Decibels above the floor at which speech begins. Larger: fewer false onsets, soft beginnings are missed."""

HOLD_DB = 3.5
"""Decibels above the floor down to which speech continues (hysteresis). Larger: it ends sooner."""

ONSET_FRAMES = 3
"""Consecutive frames that make an onset; a click is shorter. Larger: later onsets, fewer from clicks."""

MINIMUM_BIAS_DB = 2.0
"""Decibels from the quietest frame of noise, all that is known of it during speech, up to its mean. Larger: a higher
floor."""


class NoiseFloor:
    """Noise floor of one level: at least `lowest_db`, and `first_db` until it is known."""

    def __init__(self, first_db: float, lowest_db: float) -> None:
        self.floor_db = first_db
        self._lowest_db = lowest_db  # digital silence says nothing about the room
        self._sub_floors: deque[float] = deque([first_db], maxlen=FLOOR_WINDOW_MS // SUB_WINDOW_MS)
        self._sub_window: list[float] = []  # smoothed levels of the current one
        self._last_powers: deque[float] = deque(maxlen=SMOOTHING_FRAMES)
        self._has_speech = False  # in the current sub-window

    def snr_db(self, frame_db: float) -> float:
        """Take the next frame's level; SNR: decibels of the smoothed level above the floor."""
        self._last_powers.append(10 ** (frame_db / 10))
        level_db = 10 * math.log10(sum(self._last_powers) / len(self._last_powers))
        self._sub_window.append(level_db)
        return level_db - self.floor_db

    def update(self, speech: bool) -> None:
        """Let the floor follow the frame just taken, which was `speech` or not."""
        self._has_speech = self._has_speech or speech
        if len(self._sub_window) * FRAME_MS >= SUB_WINDOW_MS:
            self._sub_floors.append(self._sub_floor())
            self._sub_window.clear()
            self._has_speech = False
            self.floor_db = max(self._lowest_db, min(self._sub_floors))

    def _sub_floor(self) -> float:
        if self._has_speech:
            return min(self._sub_window) + MINIMUM_BIAS_DB
        return 10 * math.log10(sum(10 ** (level / 10) for level in self._sub_window) / len(self._sub_window))


FrameLevels = tuple[float, float]
"""Levels of one frame in decibels below full scale: of the signal, and of its first difference."""


class VoiceActivityDetector:
    """Detects speech (or noise as loud) frame by frame, in sound at `MODEL_RATE`."""

    def __init__(self) -> None:
        self.active = False
        """Whether there was an onset since the last `end`."""
        self.levels: FrameLevels = (SILENCE_DB, SILENCE_DB)
        """Levels of the last frame."""
        self._signal = NoiseFloor(-50.0, -65.0)
        self._difference = NoiseFloor(-60.0, -75.0)
        self._loud_run = 0  # consecutive loud frames

    @property
    def floor_db(self) -> float:
        """Noise floor of the room, decibels below full scale."""
        return self._signal.floor_db

    def push(self, frame: bytes) -> bool:
        """Take the next frame (`FRAME_MS`); whether it is part of speech."""
        level, difference = self.levels = (level_db(frame), self._difference_db(frame))
        unsmoothed = (level - self._signal.floor_db, difference - self._difference.floor_db)
        smoothed = (self._signal.snr_db(level), self._difference.snr_db(difference))
        # Smoothing stretches a click: for an onset this frame itself has to be loud too.
        loud = max(smoothed) > HOLD_DB if self.active else max(smoothed) > ONSET_DB and max(unsmoothed) > HOLD_DB
        self._loud_run = self._loud_run + 1 if loud else 0
        if self._loud_run >= ONSET_FRAMES:
            self.active = True
        speech = loud and self.active
        self._signal.update(speech)
        self._difference.update(speech)
        return speech

    def end(self) -> None:
        """End of the utterance: the next one needs a new onset."""
        self.active = False
        self._loud_run = 0

    def _difference_db(self, frame: bytes) -> float:
        """Level of the first difference: low for hum and engines, not for speech."""
        values = samples(frame)
        differences = list(map(sub, values[1:], values))
        square = sum(map(mul, differences, differences)) / max(1, len(differences)) / 32768.0**2
        return 10 * math.log10(square) if square > 0 else SILENCE_DB
