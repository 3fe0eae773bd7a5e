"""Devices that are gone, and files that could not be opened: what was told about them, and whether anybody can speak.

By itself although it is short: it keeps a failure that lasts from being told again and again.
"""

from __future__ import annotations

from voicechess.game.events import DeviceLost
from voicechess.messages import Phrase

DEVICES = ("microphone", "loudspeaker")

SHORTAGE_MS = 2_000
"""Shortest interval in milliseconds between two messages that no file can be opened: each tick may need one. Larger:
fewer messages."""

DEAF_MS = 60_000
"""Timeout in milliseconds for a lost microphone to come back where there is no keyboard either. Larger: the program
waits longer before it ends."""


class Losses:
    """Times in milliseconds of the events' time."""

    def __init__(self) -> None:
        self._told: set[str] = set()  # devices of which it was told that they do not answer
        self._deaf_from_ms: int | None = None  # the microphone is not waited for any longer; None: it is there
        self._heard_before = False  # words have come through a microphone
        self._shortage_told_ms = -SHORTAGE_MS

    def heard(self) -> None:
        """Words have come through the microphone."""
        self._heard_before = True

    def microphone_lost(self, now_ms: int) -> None:
        """It may come back in `DEAF_MS`, if it ever worked."""
        self._deaf_from_ms = now_ms + (DEAF_MS if self._heard_before else 0)

    def microphone_found(self) -> None:
        """It is there again."""
        self._deaf_from_ms = None

    def deaf(self, now_ms: int) -> bool:
        """Whether the microphone is gone for so long that nobody waits for it."""
        return self._deaf_from_ms is not None and now_ms >= self._deaf_from_ms

    def told_missing(self, notice: Phrase) -> None:
        """This has been told; if it is that a device does not answer, its loss need not be told again."""
        self._told.update(device for device in DEVICES if notice.key == DeviceLost.missing(device))

    def is_news(self, event: DeviceLost) -> bool:
        """Whether this loss has to be told."""
        told = event.device in self._told
        self._told.discard(event.device)
        return event.was_there or not told

    def shortage_is_news(self, now_ms: int) -> bool:
        """Whether it has to be told that no file can be opened; it counts as told then."""
        if now_ms < self._shortage_told_ms + SHORTAGE_MS:
            return False
        self._shortage_told_ms = now_ms
        return True
