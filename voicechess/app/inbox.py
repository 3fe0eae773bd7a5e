"""What happens, in order, with the time at which it did: the queue that devices, the engine and the keyboard fill, and
the clock that events are stamped with, in integer milliseconds since a game began.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from voicechess.game import events as ev
from voicechess.meaning import RecognisedUtterance
from voicechess.messages import Phrase
from voicechess.sound.model import VoskModel

# --- The queue ---

MOST_LINES = 1_000
"""Capacity of the queue of typed lines; a person or program that types on blocks until one has been answered."""


@dataclass(frozen=True)
class Line:
    """A typed line."""

    text: str


class KeyPressed:
    """Any key at a terminal."""


class InputEnded:
    """No more typed lines will come."""


@dataclass(frozen=True)
class ModelReady:
    """The speech model of a language that was asked for; None: there is none. `told`: what is wrong with one."""

    language: str
    model: VoskModel | None
    told: tuple[Phrase, ...] = ()


Item = ev.Event | Line | RecognisedUtterance | KeyPressed | InputEnded | ModelReady


class Inbox:
    """The queue: what has happened, in order. Made before the devices that fill it and the loop that empties it."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._room_for_lines = threading.Semaphore(MOST_LINES)

    def post(self, item: Item) -> None:
        """Put something on the queue; from any thread."""
        self._queue.put(item)

    def type_line(self, text: str) -> None:
        """Put a typed line on the queue; from the keyboard's thread, which waits here while too many are unanswered."""
        self._room_for_lines.acquire()
        self.post(Line(text))

    def answered(self) -> None:
        """A typed line is being answered: there is room for another."""
        self._room_for_lines.release()

    def take(self, timeout_s: float) -> Item | None:
        """The next thing; None if nothing has come after this time."""
        try:
            return self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None

    @property
    def empty(self) -> bool:
        """Whether nothing lies there."""
        return self._queue.empty()


# --- The clock ---

SLEEP_MS = 3_000
"""Length in milliseconds from which on a wait of the loop, usually a tenth of a second, is taken for sleep of the
computer. Larger: short sleeps are charged to the clock."""


def _running_s() -> float:
    """Seconds on a clock that also runs while the machine sleeps, where the system has one."""
    try:
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    except (AttributeError, OSError):  # a browser names that clock and does not have it
        return time.monotonic()


class EventClock:
    """`now()` in milliseconds since `offset_ms` before its making; goes back only where it is restarted.

    The monotonic clock stands still while a laptop sleeps on Linux and runs on elsewhere. This clock runs on
    everywhere, and `gap` says how much of it was sleep, so that the game can leave it uncharged.

    Sleep is a wait (`waiting`) that is far too long, or what the monotonic clock has not counted. What the program is
    busy with is no sleep: a disk may be slow, a processor may have much to do, another program may hold a file.
    """

    def __init__(self, offset_ms: int = 0) -> None:
        self.restart(offset_ms)

    def restart(self, at_ms: int) -> None:
        """From now on events are stamped with times that begin at `at_ms`."""
        self._origin_s = _running_s() - at_ms / 1000
        self._waited_ms = 0
        self._uncounted_s = self._not_counted_s()

    def now(self) -> int:
        """Milliseconds since the game began."""
        return int((_running_s() - self._origin_s) * 1000)

    def gap(self) -> int:
        """Milliseconds slept since the last call, 0 when none. To be called in every round of the loop."""
        uncounted_s = self._not_counted_s()
        slept = max(self._waited_ms, int((uncounted_s - self._uncounted_s) * 1000))
        self._waited_ms, self._uncounted_s = 0, uncounted_s
        return slept if slept >= SLEEP_MS else 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The loop waits for something to happen; a wait of `SLEEP_MS` or longer is sleep."""
        began = self.now()
        yield
        self._waited_ms = self.now() - began

    @staticmethod
    def _not_counted_s() -> float:
        """How far the monotonic clock is behind the one that runs on in sleep: it grows by what was slept."""
        return _running_s() - time.monotonic()
