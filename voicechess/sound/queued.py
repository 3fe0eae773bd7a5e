"""An item of the speaker's queue and its progress, and what was played of it.

A file of its own although short: `speaker.py` decides the order, and nothing else changes these.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from voicechess.messages import Priority, Tone, Whose
from voicechess.sound.devices.interfaces import Ear

UNEVEN_MS = 400
"""Milliseconds by which a word of a sentence may be said earlier than its place among the letters says. Larger: more of
what was never played, since the sentence was cut, counts as the program's own words."""


@dataclass(frozen=True, slots=True)
class PlayedText:
    """A part of an utterance that was handed to the loudspeaker."""

    text: str
    began_ms: int = 0  # of the monotonic clock
    lasts_ms: int = 0  # duration; 0: unknown
    is_estimate: bool = False  # the duration is a guess: a screen reader does not tell it

    def until(self, at_ms: int) -> PlayedText:
        """What of it was played until this time of the clock, by the place of each word among the letters (which errs
        by up to `UNEVEN_MS`); all of it where the duration is not known."""
        share = 1.0
        if self.lasts_ms and not self.is_estimate:
            share = max(0, at_ms + UNEVEN_MS - self.began_ms) / self.lasts_ms
        if share >= 1:
            return self
        begun = [match for match in re.finditer(r"\S+", self.text) if match.start() < share * len(self.text)]
        end = begun[-1].end() if begun else 0
        return replace(self, text=self.text[:end], lasts_ms=round(self.lasts_ms * end / len(self.text)))


_EARS = {Whose.PROGRAM: Ear.BOTH, Whose.PLAYER: Ear.RIGHT, Whose.OPPONENT: Ear.LEFT}


@dataclass(slots=True, eq=False)
class QueuedSound:
    """Something to be heard: an utterance in parts, or a tone. Times in seconds of the monotonic clock."""

    priority: Priority
    number: int | None = None  # number of the utterance; None: a tone
    parts: list[str] = field(default_factory=list)  # still to be said
    late: Callable[[], str] | None = None  # computes the text when its turn comes
    tone: Tone | None = None
    quick: bool = False  # faster than the settings say
    whose: Whose = Whose.PROGRAM
    cancelled: bool = False
    playing: bool = False
    begun_s: float | None = None  # time of its first sound; None: not started
    provisional: bool = False  # an earlier onset may still turn up, since onsets are detected late
    follows: bool = False  # it immediately follows what was just said
    whole: list[str] = field(default_factory=list)  # all its parts, as before it started
    waits_until_s: float | None = None  # it starts then, whoever is speaking; None: it has not waited yet
    quiet_from_s: float = 0.0  # earliest start: silence after speech
    part: str = ""  # the part being played
    lasts_s: float = 0.0  # its duration
    ends_s: float = 0.0  # time of its end
    yields: int = 0  # barge-ins that have interrupted it

    @property
    def ear(self) -> Ear:
        """Where it is heard if the opponent and the player are told apart."""
        return _EARS[self.whose]
