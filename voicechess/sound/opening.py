"""Opens a device on a thread of its own: a sound server that hangs must not hold up a game.

No library gives up waiting for a PulseAudio that does not answer (seen with a stopped one).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from voicechess.sound.errors import SoundError

LIMIT_S = 4.0
"""So long an opening is waited for; a virtual sink takes up to two seconds."""

_Device = TypeVar("_Device")


class Opening(Generic[_Device]):
    """Calling it opens the device. `kind`: "microphone" or "loudspeaker". For one caller at a time."""

    def __init__(self, opened: Callable[[], _Device], kind: str, limit_s: float = LIMIT_S) -> None:
        self._open = opened
        self._kind = kind
        self._limit_s = limit_s
        self._thread: threading.Thread | None = None
        self._result: _Device | Exception | None = None

    def __call__(self) -> _Device:
        """The device, opened. Raises `SoundError`, also while the opening hangs; whoever asks then again gets the
        device once it is there, and does not wait for it."""
        if self._thread is None:
            self._result = None
            self._thread = threading.Thread(target=self._run, name=f"opening {self._kind}", daemon=True)
            self._thread.start()
            self._thread.join(self._limit_s)
        if self._thread.is_alive():
            raise SoundError(f"sound.{self._kind}.silent")
        self._thread = None
        result, self._result = self._result, None
        if isinstance(result, Exception):
            raise result
        assert result is not None
        return result

    def _run(self) -> None:
        try:
            self._result = self._open()
        except Exception as error:  # it belongs to whoever asked
            self._result = error
