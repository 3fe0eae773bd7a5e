"""What waits in the speaker's queue, and how far it has come.

By itself although it is short: `speaker.py` holds the order in which these are heard, and nothing else changes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from voicechess.messages import Priority, Tone


@dataclass(slots=True, eq=False)
class QueuedSound:
    """Something to be heard: an utterance in parts, or a tone. Times in seconds of the monotonic clock."""

    priority: Priority
    number: int | None = None
    parts: list[str] = field(default_factory=list)
    late: Callable[[], str] | None = None  # what the parts will be
    tone: Tone | None = None
    quick: bool = False  # more quickly than the settings say
    cancelled: bool = False
    playing: bool = False
    begun_s: float | None = None  # when its first sound began
    on_trial: bool = False  # nobody was heard then, but somebody may just have begun
    follows: bool = False  # on what has just been said
    whole: list[str] = field(default_factory=list)  # its parts before it began
    waits_until_s: float | None = None  # if it waits for who speaks: then it begins in any case
    quiet_from_s: float = 0.0  # the same: not before this
    part: str = ""  # being said
    lasts_s: float = 0.0  # how long that takes
    ends_s: float = 0.0  # when that will have been said
    yields: int = 0  # how often it was interrupted by somebody with headphones
