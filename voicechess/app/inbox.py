"""The event queue, filled by devices, engine and keyboard, and emptied by the loop."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass

from voicechess.game import events as ev
from voicechess.meaning import RecognisedUtterance
from voicechess.messages import Phrase
from voicechess.sound.model import VoskModel

MOST_LINES = 1_000
"""Capacity of the queue of typed lines; a person or program that types on blocks until one has been answered."""


@dataclass(frozen=True)
class Line:
    """A typed line."""

    text: str


class KeyPressed:
    """Any key at a terminal."""


@dataclass(frozen=True)
class BoardKey:
    """A key at a terminal that belongs to the board (`BoardKeys`)."""

    key: str


class InputEnded:
    """No more typed lines will come."""


@dataclass(frozen=True)
class ModelReady:
    """The speech model of a language that was asked for; None: there is none. `told`: problems with it."""

    language: str
    model: VoskModel | None
    told: tuple[Phrase, ...] = ()


Item = ev.Event | Line | RecognisedUtterance | KeyPressed | BoardKey | InputEnded | ModelReady


class Inbox:
    """The event queue. Created before the devices that fill it and the loop that empties it."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._room_for_lines = threading.Semaphore(MOST_LINES)
        self.read = threading.Event()
        """Set once something is waited for: by then the first sentence has been said."""

    def post(self, item: Item) -> None:
        """Put something on the queue; from any thread."""
        self._queue.put(item)

    def type_line(self, text: str) -> None:
        """Enqueue a typed line; on the keyboard's thread, which blocks while too many are unanswered."""
        self._room_for_lines.acquire()
        self.post(Line(text))

    def answered(self) -> None:
        """A typed line is being handled: there is room for another."""
        self._room_for_lines.release()

    def take(self, timeout_s: float) -> Item | None:
        """The next item; None on timeout."""
        self.read.set()
        try:
            return self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None

    @property
    def empty(self) -> bool:
        """Whether the queue is empty."""
        return self._queue.empty()
