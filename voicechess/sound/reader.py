"""The player's own screen reader as the voice: NVDA, JAWS, VoiceOver, Orca, Speech Dispatcher and others, by Prism.

A reader takes a text and is left alone with it: most cannot tell when they have read it. So how long it takes is
reckoned from its length and from the pace of the player's reader (`Reader.pace`), unless the reader can say whether it
is speaking. That a reader was found means little (one once "succeeded" without running), so only a text that was taken
counts; and what hangs or fails is given up after a moment, so that the program's own voice can say the text. One that
takes texts and is silent cannot be told from one whose speech is turned off in favour of Braille.
"""

from __future__ import annotations

import contextlib
import importlib
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from voicechess.sound.devices.interfaces import Done
from voicechess.sound.errors import SoundError

PACE = 13.0
"""Characters a second of a reader whose pace was not measured: a slow one. Too slow only makes the player wait; too
fast would end the time for a correction before the repetition has been read."""

SLOWEST_PACE, FASTEST_PACE = 5.0, 80.0
"""Range of a measured pace, characters a second."""

BEGINNING_S = 0.3
"""Seconds from a text being taken to its first sound, and of the pause behind it."""

LIMIT_S = 1.5
"""Timeout, seconds, for a reader to take a text, or to be found."""

LONGEST = 3.0
"""Times the estimated duration for which a reader may say that it is speaking, before it is not believed."""

_POLL_S = 0.05


class PrismBackend(Protocol):
    """What speaks a text, and shows it in Braille where it can, as Prism has it. Every method may raise anything."""

    @property
    def name(self) -> str: ...
    @property
    def speaking(self) -> bool: ...
    def output(self, text: str, interrupt: bool = False) -> None: ...
    def stop(self) -> None: ...


_SYNTHESISERS = frozenset({"SAPI", "ONE_CORE", "AV_SPEECH", "ANDROID_TTS", "WEB_SPEECH", "SPIEL"})
"""What Prism also finds where nobody runs a screen reader: voices of the system, which our own program has too."""


def find_readers() -> Iterator[PrismBackend]:
    """The screen readers that seem to run here, the likeliest first. Raises SoundError where Prism is not installed."""
    try:
        prism = importlib.import_module("prism")
    except ImportError as error:
        raise SoundError("sound.reader.extra") from error
    try:
        context = prism.Context()
        _KEPT.append(context)  # a backend is only good for as long as its context
        known = [context.id_of(index) for index in range(context.backends_count)]
    except Exception as error:
        raise SoundError("sound.reader.none") from error
    for one in sorted(known, key=context.priority_of, reverse=True):
        if one.name not in _SYNTHESISERS:
            with contextlib.suppress(Exception):
                yield context.acquire(one)


_KEPT: list[Any] = []

_SPI_GETSCREENREADER = 0x0046


def reader_runs() -> bool:
    """Whether Windows knows of a screen reader that is running (SPI_GETSCREENREADER, which NVDA, JAWS and Narrator
    set); elsewhere nobody tells."""
    if sys.platform != "win32":
        return False
    import ctypes

    runs = ctypes.c_int(0)
    asked = ctypes.windll.user32.SystemParametersInfoW(_SPI_GETSCREENREADER, 0, ctypes.byref(runs), 0)
    return bool(asked and runs.value)


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
        self.given_up = False
        self.result: Any = None
        self.error: Exception | None = None


class BeingRead:
    """A text being read (`devices.interfaces.Playback`)."""

    def __init__(self, reader: Reader, seconds: float, done: Done, gone: Callable[[SoundError], None]) -> None:
        self._reader, self._done, self._gone = reader, done, gone
        self._lock = threading.Lock()
        self._over = False
        self._began_s = time.monotonic()
        self._reckoned_s = seconds
        self._seen = False  # that it speaks
        self._wait(_POLL_S if reader.reports else seconds)

    @property
    def played(self) -> int:
        """Nothing is known of it."""
        return 0

    def stop(self) -> None:
        """Be silent now."""
        self._timer.cancel()
        self._reader.quiet()
        if self._ends():
            self._done(False)

    def _wait(self, seconds: float) -> None:
        with self._lock:
            if not self._over:
                self._timer = threading.Timer(seconds, self._look)
                self._timer.daemon = True
                self._timer.start()

    def _look(self) -> None:
        """Whether it has been read. That a reader is silent means something only where it was heard to speak."""
        passed = time.monotonic() - self._began_s
        try:
            speaks = self._reader.reports and self._reader.speaks()
        except SoundError as error:
            if self._ends():
                self._gone(error)
            return
        self._seen |= speaks
        limit = self._reckoned_s * LONGEST if speaks else self._reckoned_s
        if passed >= limit or (self._seen and not speaks):
            if self._ends():
                self._done(True)
        else:
            self._wait(_POLL_S)

    def _ends(self) -> bool:
        """Whether it ends by this."""
        with self._lock:
            before, self._over = self._over, True
            return not before


class Reader:
    """A screen reader, found when this is made. Every method may be called from any thread and returns within
    `limit_s`.

    `pace`: characters that it reads in a second. `tried`: it is chosen by taking a text, its own name; else it is only
    looked for. Raises SoundError when it is made: none is there, or it hangs.
    """

    def __init__(
        self,
        pace: float = PACE,
        find: Callable[[], Iterable[PrismBackend]] = find_readers,
        limit_s: float = LIMIT_S,
        *,
        tried: bool = True,
    ) -> None:
        self.pace = max(SLOWEST_PACE, min(FASTEST_PACE, pace))
        self._limit_s, self._tried, self._find = limit_s, tried, find
        self._closed = False
        self._errands: queue.SimpleQueue[_Errand | None] = queue.SimpleQueue()
        self._backend: PrismBackend | None = None
        threading.Thread(target=self._run, name="reader", daemon=True).start()
        try:
            self.name, self.reports = self._ask(self._choose)
        except SoundError:
            self.close()
            raise

    def _choose(self) -> tuple[str, bool]:
        """Take the first that works: its name, and whether it can say that it is speaking."""
        for backend in self._find():
            with contextlib.suppress(Exception):
                name = str(backend.name)
                if self._tried:
                    backend.output(name, False)
                self._backend = backend
                return name, tells_when_it_speaks(backend)
        raise SoundError("sound.reader.none")

    def reckoned_s(self, text: str) -> float:
        """How long it reads this, in seconds, as far as can be told from its length."""
        return BEGINNING_S + len(text) / self.pace

    def say(
        self, text: str, done: Done = lambda completed: None, gone: Callable[[SoundError], None] = lambda error: None
    ) -> BeingRead:
        """Have it read; `done` is called once, on another thread, or `gone`, if the reader goes before it has read it.
        Raises SoundError when it was not taken."""
        backend = self._backend
        assert backend is not None
        self._ask(lambda: backend.output(text, False))
        return BeingRead(self, self.reckoned_s(text), done, gone)

    def quiet(self) -> None:
        """Be silent now. It is not waited for: who stops speech must not hang with the reader."""
        if self._closed:  # it may still be reading
            threading.Thread(target=self._hush, name="reader", daemon=True).start()
        else:
            self._errands.put(_Errand(self._hush))

    def speaks(self) -> bool:
        """Whether it says that it is speaking. Raises SoundError where it cannot be asked any more."""
        backend = self._backend
        assert backend is not None
        return bool(self._ask(lambda: backend.speaking))

    def close(self) -> None:
        """Let it go; what it is reading it reads to its end."""
        self._closed = True
        self._errands.put(None)

    def _hush(self) -> None:
        with contextlib.suppress(Exception):
            if self._backend is not None:
                self._backend.stop()

    def _ask(self, work: Callable[[], Any]) -> Any:
        """The result of this, done on the reader's thread. Raises SoundError where it fails or takes too long."""
        errand = _Errand(work)
        self._errands.put(errand)
        if not errand.over.wait(self._limit_s):
            errand.given_up = True
            raise SoundError("sound.reader.lost")
        if isinstance(errand.error, SoundError):
            raise errand.error
        if errand.error is not None:
            raise SoundError("sound.reader.lost") from errand.error
        return errand.result

    def _run(self) -> None:
        while (errand := self._errands.get()) is not None:
            if errand.given_up:
                continue
            try:
                errand.result = errand.work()
            except Exception as error:
                errand.error = error
            errand.over.set()
            if errand.given_up:
                self._hush()  # our own voice says by now what it was to say
