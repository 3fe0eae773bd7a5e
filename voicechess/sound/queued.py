"""An item of the speaker's queue and its progress, and what was played of it.

A file of its own although short: `speaker.py` decides the order, and nothing else changes these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from voicechess.messages import Priority, Tone, Whose
from voicechess.sound.devices.interfaces import Ear

EARLY_MS = 400
"""Milliseconds by which a word of a sentence may be said before the time that its place among the letters gives
(`PlayedText.time_of`). Larger: more of the player's words, said into a sentence or when it was cut, count as the
program's own."""


@dataclass(frozen=True, slots=True)
class PlayedText:
    """A part of an utterance that was handed to the loudspeaker."""

    text: str
    began_ms: int = 0  # of the monotonic clock
    lasts_ms: int = 0  # duration; 0: unknown
    is_estimate: bool = False  # the duration is a guess: a screen reader does not tell it

    def time_of(self, letter: int) -> int:
        """When about this letter of the text is said, by its place among the letters."""
        return self.began_ms + self.lasts_ms * letter // len(self.text)

    def until(self, at_ms: int) -> PlayedText:
        """What of it may have been played until this time of the clock; all of it where the duration is not known."""
        known = self.text and self.lasts_ms and not self.is_estimate  # a tone has no text
        if not known or self.began_ms + self.lasts_ms <= at_ms + EARLY_MS:
            return self
        begun = [one for one in re.finditer(r"\S+", self.text) if self.time_of(one.start()) < at_ms + EARLY_MS]
        end = begun[-1].end() if begun else 0
        return replace(self, text=self.text[:end], lasts_ms=self.time_of(end) - self.began_ms)


def played_of(spans: Iterable[tuple[PlayedText, int]]) -> list[PlayedText]:
    """What was played of each text in its time (`History.within`), without words that it never came to."""
    return [played for whole, until_ms in spans if (played := whole.until(until_ms)).text]


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
