"""How loud somebody speaks into this microphone, over how loud a room; and what to do about it.

Nothing is heard differently for it: the recogniser makes up for levels by itself. But where speech is cut off at full
scale, or hardly louder than the room, the person can do more about it than any program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

SILENCE_DB = -96.0
"""The smallest step of 16 bits."""

FEWEST = 5
"""Fewer utterances than that say nothing about how somebody usually speaks."""

CLIPPED_DB = -0.1
"""A largest sample above this has been cut off."""

QUIET_DB = -45.0
"""Softer than speech of which it was measured that it is heard as well as ever (`bench hearing`, "a quiet -20 dB")."""

CLEAR_DB = 15.0
"""So far above the room speech should be: at 20 dB nearly everything is heard, at 10 dB less (`bench hearing`, "b")."""


@dataclass(frozen=True, slots=True)
class SpeakingLevel:
    """Decibels below full scale, at most 0: the speech's mean level, its largest sample, the room's noise."""

    speech_db: float
    peak_db: float
    floor_db: float

    @property
    def above_db(self) -> int:
        """How far the speech is above the room."""
        return max(0, round(self.speech_db - self.floor_db))

    @property
    def advice(self) -> str:
        """The worst that is wrong with it: "clipped", "quiet", "noisy"; or "good"."""
        if self.peak_db > CLIPPED_DB:
            return "clipped"
        if self.speech_db < QUIET_DB:
            return "quiet"
        return "noisy" if self.above_db < CLEAR_DB else "good"


def measured(rms: float, peak: float, floor_db: float) -> SpeakingLevel:
    """One utterance's level from its root mean square and its largest sample, both 0 to 1."""
    return SpeakingLevel(_db(rms), _db(peak), floor_db)


def usual(levels: Sequence[SpeakingLevel]) -> SpeakingLevel | None:
    """The level somebody usually has: a cough or a bang does not count. None when there were too few utterances."""
    if len(levels) < FEWEST:
        return None
    columns = ([one.speech_db for one in levels], [one.peak_db for one in levels], [one.floor_db for one in levels])
    return SpeakingLevel(*(round(_median(column), 1) for column in columns))


def _median(values: list[float]) -> float:
    """The middle one, the greater of two."""
    return sorted(values)[len(values) // 2]


def _db(value: float) -> float:
    return max(SILENCE_DB, 20 * log10(value)) if value > 0 else SILENCE_DB
