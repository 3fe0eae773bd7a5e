"""The player's own screen reader as the voice: NVDA, JAWS, VoiceOver, Orca, Speech Dispatcher and others, by Prism.

A reader takes a text and is left alone with it: most cannot tell when they have read it. So how long it takes is
reckoned from its length and from the pace of the player's reader (`Reader.pace`), unless the reader can say whether it
is speaking. That a reader was found means little (one once "succeeded" without running), so only a text that was taken
counts; and what hangs or fails is given up after a moment, so that the program's own voice can say the text.
"""

from __future__ import annotations

import importlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from voicechess.sound.devices.interfaces import Done
from voicechess.sound.errors import SoundError

PACE = 13.0
"""Characters a second of a reader whose pace was not measured: a slow one. Too long a time only makes the player wait;
too short a one would end the time for a correction before the repetition has been read."""

SLOWEST_PACE, FASTEST_PACE = 5.0, 80.0

BEGINNING_S = 0.3
"""From a text being taken to its first sound, and the pause behind it."""

LIMIT_S = 1.5
"""The timeout for a reader to take a text, or to be found."""

LONGEST = 3.0
"""How many times the reckoned time a reader may say that it is still speaking, before it is not believed."""

_POLL_S = 0.05


class PrismBackend(Protocol):
    """What speaks a text, and shows it in Braille where it can, as Prism has it. Every method may raise anything."""

    @property
    def name(self) -> str: ...
    @property
    def speaking(self) -> bool: ...
    def output(self, text: str, interrupt: bool = False) -> None: ...
    def stop(self) -> None: ...


def find_reader() -> PrismBackend:
    """The best screen reader that runs here. Raises SoundError: Prism is not installed, or there is no reader."""
    try:
        prism = importlib.import_module("prism")
    except ImportError as error:
        raise SoundError("sound.reader.extra") from error
    try:
        context = prism.Context()
        backend: PrismBackend = context.acquire_best()
    except Exception as error:
        raise SoundError("sound.reader.none") from error
    _KEPT.append(context)  # a backend is only good for as long as its context
    return backend


_KEPT: list[Any] = []


def tells_when_it_speaks(backend: PrismBackend) -> bool:
    """Whether this reader can say that it is speaking."""
    try:
        backend.speaking  # noqa: B018
    except Exception:
        return False
    return True


class _Errand:
    """Something asked of the reader, on the thread that asks it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.over = threading.Event()
        self.result: Any = None
        self.error: Exception | None = None


class BeingRead:
    """A text being read (`devices.interfaces.Playback`)."""

    def __init__(self, reader: Reader, seconds: float, done: Done) -> None:
        self._reader, self._done = reader, done
        self._lock = threading.Lock()
        self._over = False
        self._began_s = time.monotonic()
        self._reckoned_s = seconds
        self._timer = threading.Timer(_POLL_S if reader.reports else seconds, self._look)
        self._timer.daemon = True
        self._timer.start()

    @property
    def played(self) -> int:
        """Nothing is known of it."""
        return 0

    def stop(self) -> None:
        """Be silent now."""
        self._timer.cancel()
        self._reader.quiet()
        self._end(False)

    def _look(self) -> None:
        """Whether it has been read."""
        passed = time.monotonic() - self._began_s
        believed = self._reader.reports and passed < BEGINNING_S + self._reckoned_s * LONGEST
        if not believed or (passed >= BEGINNING_S and not self._reader.still_speaks()):
            self._end(True)
            return
        with self._lock:
            if not self._over:
                self._timer = threading.Timer(_POLL_S, self._look)
                self._timer.daemon = True
                self._timer.start()

    def _end(self, completed: bool) -> None:
        with self._lock:
            if self._over:
                return
            self._over = True
        self._done(completed)


class Reader:
    """A screen reader that is found when it is made. Every method may be called from any thread and returns within
    `limit_s`.

    `pace`: characters that it reads in a second. Raises SoundError when it is made: none is there, or it hangs.
    """

    def __init__(
        self, pace: float = PACE, find: Callable[[], PrismBackend] = find_reader, limit_s: float = LIMIT_S
    ) -> None:
        self.pace = max(SLOWEST_PACE, min(FASTEST_PACE, pace))
        self._limit_s = limit_s
        self._errands: queue.SimpleQueue[_Errand | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="reader", daemon=True).start()
        try:
            self._backend: PrismBackend = self._ask(find)
            self.name = str(self._ask(lambda: self._backend.name))
            self.reports = bool(self._ask(lambda: tells_when_it_speaks(self._backend)))
        except SoundError:
            self.close()
            raise

    def reckoned_s(self, text: str) -> float:
        """How long it reads this, in seconds, as far as can be told from its length."""
        return BEGINNING_S + len(text) / self.pace

    def say(self, text: str, done: Done) -> BeingRead:
        """Have it read; `done` is called once, on another thread. Raises SoundError when it was not taken."""
        self._ask(lambda: self._backend.output(text, False))
        return BeingRead(self, self.reckoned_s(text), done)

    def quiet(self) -> None:
        """Be silent now. It is not waited for: who stops speech must not hang with the reader."""
        self._errands.put(_Errand(self._backend.stop))

    def still_speaks(self) -> bool:
        """Whether it says so; False where it cannot be asked any more."""
        try:
            return bool(self._ask(lambda: self._backend.speaking))
        except SoundError:
            return False

    def close(self) -> None:
        """Let it go."""
        self._errands.put(None)

    def _ask(self, work: Callable[[], Any]) -> Any:
        """The result of this, done on the reader's thread. Raises SoundError where it fails or takes too long."""
        errand = _Errand(work)
        self._errands.put(errand)
        if not errand.over.wait(self._limit_s):
            raise SoundError("sound.reader.lost")
        if isinstance(errand.error, SoundError):
            raise errand.error
        if errand.error is not None:
            raise SoundError("sound.reader.lost") from errand.error
        return errand.result

    def _run(self) -> None:
        while (errand := self._errands.get()) is not None:
            try:
                errand.result = errand.work()
            except Exception as error:
                errand.error = error
            errand.over.set()
