"""A loudspeaker that is reopened whenever it is lost: unplugged, or taken by another program.

A file of its own although short: `sound/speaker.py` decides what is played on it and in which order.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from voicechess.sound.devices.interfaces import Loudspeaker
from voicechess.sound.errors import SoundError
from voicechess.sound.libraries import LIMIT_S

RETRY_S = 1.0
"""Interval in seconds between two attempts to open a loudspeaker. Larger: it is back later once it is plugged in."""

TRIED_SLACK_S = 0.02
"""Seconds that the first attempt may take beyond `LIMIT_S`, its timeout."""


class KeptOpen:
    """One loudspeaker. All methods are for the thread that plays on it, except `is_there`.

    `lost` and `found` are called when it goes (at the first failure, not at each attempt) and comes back.
    """

    def __init__(
        self, opened: Callable[[], Loudspeaker], lost: Callable[[SoundError], None], found: Callable[[str], None]
    ) -> None:
        self._opened, self._tell_lost, self._tell_found = opened, lost, found
        self.device: Loudspeaker | None = None
        """None: it is not open."""
        self.tried = threading.Event()
        """Set after the first attempt to open it."""
        self._lost = False
        self._retry_at_s = 0.0  # the next attempt, by the monotonic clock

    def is_there(self) -> bool:
        """Whether it could be opened. Waits for the end of the first attempt (`libraries.Opening`)."""
        self.tried.wait(LIMIT_S + TRIED_SLACK_S)
        return self.device is not None

    def watch(self) -> None:
        """Check it, or try to open it. Raises SoundError on failure: see `lose`."""
        if self.device is not None:
            self.device.check()
        elif time.monotonic() >= self._retry_at_s:
            self.device = self._opened()
            if self._lost:
                self._lost = False
                self._tell_found(self.device.name)

    def lose(self, error: SoundError) -> None:
        """Close it, whatever is wrong with it, and try again in `RETRY_S`."""
        device, self.device = self.device, None
        self._retry_at_s = time.monotonic() + RETRY_S
        if device is not None:
            with contextlib.suppress(Exception):
                device.close()
        if not self._lost:
            self._lost = True
            self._tell_lost(error)

    def close(self) -> None:
        """Close it, if it is open."""
        if self.device is not None:
            self.device.close()
