"""Lost devices and failures to open files: what was announced about them, and whether speech input is still possible.

A file of its own although short: it keeps a lasting failure from being announced repeatedly.
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
    """Times are event times in milliseconds."""

    def __init__(self) -> None:
        self._told: set[str] = set()  # devices announced as not responding
        self._deaf_from_ms: int | None = None  # when to stop waiting for the microphone; None: it is there
        self._heard_before = False  # words were recognised from a microphone
        self._shortage_told_ms = -SHORTAGE_MS

    def heard(self) -> None:
        """Words were recognised from the microphone."""
        self._heard_before = True

    def microphone_lost(self, now_ms: int) -> None:
        """It may come back within `DEAF_MS`, if it ever worked."""
        self._deaf_from_ms = now_ms + (DEAF_MS if self._heard_before else 0)

    def microphone_found(self) -> None:
        """It is there again."""
        self._deaf_from_ms = None

    def deaf(self, now_ms: int) -> bool:
        """Whether the microphone has been gone for longer than `DEAF_MS`."""
        return self._deaf_from_ms is not None and now_ms >= self._deaf_from_ms

    def told_missing(self, notice: Phrase) -> None:
        """This was announced; if it says that a device does not respond, its loss need not be announced again."""
        self._told.update(device for device in DEVICES if notice.key == DeviceLost.missing(device))

    def is_news(self, event: DeviceLost) -> bool:
        """Whether this loss has to be announced."""
        told = event.device in self._told
        self._told.discard(event.device)
        return event.was_there or not told

    def shortage_is_news(self, now_ms: int) -> bool:
        """Whether it has to be announced that no file can be opened; it then counts as announced."""
        if now_ms < self._shortage_told_ms + SHORTAGE_MS:
            return False
        self._shortage_told_ms = now_ms
        return True
