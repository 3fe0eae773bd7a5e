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
    number: int | None = None  # of the utterance; None: a tone
    parts: list[str] = field(default_factory=list)  # what is left to be said
    late: Callable[[], str] | None = None  # asked for the text when its turn has come
    tone: Tone | None = None
    quick: bool = False  # faster than the settings say
    cancelled: bool = False
    playing: bool = False
    begun_s: float | None = None  # its first sound; None: not begun
    on_trial: bool = False  # nobody spoke when it began, but an onset is detected late
    follows: bool = False  # it follows at once on what was just said
    whole: list[str] = field(default_factory=list)  # its parts before it began
    waits_until_s: float | None = None  # it begins then, whoever speaks; None: it has not waited
    quiet_from_s: float = 0.0  # it begins no earlier: silence after speech
    part: str = ""  # being said
    lasts_s: float = 0.0  # duration of that
    ends_s: float = 0.0  # its end
    yields: int = 0  # barge-ins to which it has yielded
