"""The player's own screen reader as the voice: NVDA, JAWS, VoiceOver, Orca, Speech Dispatcher and others, through
Prism.

Most readers take a text but cannot report when they have read it. So the duration is estimated from the text's length
and the measured pace of the player's reader (`Reader.pace`), unless the reader can report whether it is speaking. That
a reader was found proves little (one "succeeded" without running), so only an accepted text counts; and a call that
hangs or fails is abandoned after a timeout, so that the program's own voice can say the text. A reader that accepts
texts silently, with speech turned off in favour of Braille, cannot be detected.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from voicechess.sound.devices.interfaces import Done
from voicechess.sound.errors import SoundError

DEFAULT_PACE = 13.0
"""Characters per second of a reader that was not measured: a slow one. Smaller: the player waits longer. Larger: the
time for a correction may end before the move was read out."""

SLOWEST_PACE, FASTEST_PACE = 5.0, 80.0
"""Range of a measured pace, characters per second."""

LATENCY_S = 0.3
"""Seconds from an accepted text to its first sound, plus the pause after it. Larger: longer estimates."""

TIMEOUT_S = 1.5
"""Timeout, seconds, for a reader to accept a text. Larger: a hung reader is replaced later."""

FINDING = 3.0
"""Multiple of the timeout within which a reader has to be found: Speech Dispatcher may have to start first, and lists
15,000 voices of espeak-ng, which took 1.9 s on two cores. Larger: a start with a hung reader is held up longer."""

MOST_OVERRUN = 3.0
"""Multiple of the estimated duration after which a reader that still reports speaking is no longer believed. Larger: a
stuck reader is noticed later."""

_POLL_S = 0.05


class PrismBackend(Protocol):
    """Speaks a text, and shows it in Braille where it can; Prism's interface. Any method may raise anything."""

    @property
    def name(self) -> str: ...
    @property
    def speaking(self) -> bool: ...
    def output(self, text: str, interrupt: bool = False) -> None: ...
    def stop(self) -> None: ...


_SYNTHESISERS = frozenset({"SAPI", "ONE_CORE", "AV_SPEECH", "ANDROID_TTS", "WEB_SPEECH", "SPIEL"})
"""Backends of Prism that are the system's voices, not screen readers; the program's own voice has those too."""


def find_readers() -> Iterator[PrismBackend]:
    """The screen readers that seem to be running, likeliest first. Raises SoundError where Prism is not installed."""
    try:
        prism = importlib.import_module("prism")
    except ImportError as error:
        raise SoundError("sound.reader.extra") from error
    if sys.platform.startswith("linux"):
        # Prism unloads this at exit, and a call that still hangs in it would return into nothing (issue 49). What
        # ctypes has loaded stays.
        with contextlib.suppress(OSError):
            ctypes.CDLL("libspeechd.so.2")
    try:
        context = prism.Context()
        _KEPT.append(context)  # a backend lives no longer than its context
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
    """Whether Windows reports a running screen reader (SPI_GETSCREENREADER, set by NVDA, JAWS and Narrator); always
    False elsewhere."""
    if sys.platform != "win32":
        return False
    runs = ctypes.c_int(0)
    asked = ctypes.windll.user32.SystemParametersInfoW(_SPI_GETSCREENREADER, 0, ctypes.byref(runs), 0)
    return bool(asked and runs.value)


def tells_when_it_speaks(backend: PrismBackend) -> bool:
    """Whether this reader can report that it is speaking."""
    try:
        backend.speaking  # noqa: B018
    except Exception:
        return False
    return True


class _Call:
    """A call to the reader, made on its thread."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.over = threading.Event()
        self.given_up = False
        self.result: Any = None
        self.error: Exception | None = None


class ReaderPlayback:
    """A text being read (`devices.interfaces.Playback`)."""

    def __init__(self, reader: Reader, seconds: float, done: Done, gone: Callable[[SoundError], None]) -> None:
        self._reader, self._done, self._gone = reader, done, gone
        self._lock = threading.Lock()
        self._over = False
        self._began_s = time.monotonic()
        self._estimated_s = seconds
        self._seen = False  # it was seen to speak
        self._wait(_POLL_S if reader.reports else seconds)

    @property
    def played(self) -> int:
        """0: a reader does not report progress."""
        return 0

    def stop(self) -> None:
        """Stop at once."""
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
        """Check whether it was read. A silent reader means something only after it was seen to speak."""
        passed = time.monotonic() - self._began_s
        try:
            speaks = self._reader.reports and self._reader.speaks()
        except SoundError as error:
            if self._ends():
                self._gone(error)
            return
        self._seen |= speaks
        limit = self._estimated_s * MOST_OVERRUN if speaks else self._estimated_s
        if passed >= limit or (self._seen and not speaks):
            if self._ends():
                self._done(True)
        else:
            self._wait(_POLL_S)

    def _ends(self) -> bool:
        """Mark it as ended; whether it was not before."""
        with self._lock:
            before, self._over = self._over, True
            return not before


class Reader:
    """A screen reader, found on construction. Methods may be called from any thread and return within `limit_s`.

    `pace`: characters per second. `find`: yields the candidates. `tried`: a candidate is chosen only if it accepts a
    text, its own name; otherwise any candidate found is. Raises SoundError on construction if there is none, or it
    hangs.
    """

    def __init__(
        self,
        pace: float = DEFAULT_PACE,
        find: Callable[[], Iterable[PrismBackend]] = find_readers,
        limit_s: float = TIMEOUT_S,
        *,
        tried: bool = True,
    ) -> None:
        self.pace = max(SLOWEST_PACE, min(FASTEST_PACE, pace))
        self._limit_s, self._tried, self._find = limit_s, tried, find
        self._closed = False
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._backend: PrismBackend | None = None
        threading.Thread(target=self._run, name="reader", daemon=True).start()
        try:
            self.name, self.reports = self._ask(self._choose, FINDING)
        except SoundError:
            self.close()
            raise

    def _choose(self) -> tuple[str, bool]:
        """Choose the first that works: its name, and whether it can report that it is speaking."""
        for backend in self._find():
            with contextlib.suppress(Exception):
                name = str(backend.name)
                if self._tried:
                    backend.output(name, False)
                self._backend = backend
                return name, tells_when_it_speaks(backend)
        raise SoundError("sound.reader.none")

    def estimated_s(self, text: str) -> float:
        """Estimated seconds to read this text, from its length."""
        return LATENCY_S + len(text) / self.pace

    def say(
        self, text: str, done: Done = lambda completed: None, gone: Callable[[SoundError], None] = lambda error: None
    ) -> ReaderPlayback:
        """Have it read; `done` is called once, on another thread, or `gone` if the reader disappears before the end.
        Raises SoundError if the text was not accepted."""
        backend = self._backend
        assert backend is not None
        self._ask(lambda: backend.output(text, False))
        return ReaderPlayback(self, self.estimated_s(text), done, gone)

    def quiet(self) -> None:
        """Stop at once, without waiting: a hung reader must not hang its caller."""
        if self._closed:  # it may still be reading
            threading.Thread(target=self._hush, name="reader", daemon=True).start()
        else:
            self._calls.put(_Call(self._hush))

    def speaks(self) -> bool:
        """Whether it reports that it is speaking. Raises SoundError if it does not answer."""
        backend = self._backend
        assert backend is not None
        return bool(self._ask(lambda: backend.speaking))

    def close(self) -> None:
        """Release it; a text being read is read to its end."""
        self._closed = True
        self._calls.put(None)

    def _hush(self) -> None:
        with contextlib.suppress(Exception):
            if self._backend is not None:
                self._backend.stop()

    def _ask(self, work: Callable[[], Any], timeouts: float = 1.0) -> Any:
        """The result of `work` on the reader's thread. Raises SoundError if it fails or takes so many timeouts."""
        call = _Call(work)
        self._calls.put(call)
        if not call.over.wait(timeouts * self._limit_s):
            call.given_up = True
            raise SoundError("sound.reader.lost")
        if isinstance(call.error, SoundError):
            raise call.error
        if call.error is not None:
            raise SoundError("sound.reader.lost") from call.error
        return call.result

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            if call.given_up:
                continue
            try:
                call.result = call.work()
            except Exception as error:
                call.error = error
            call.over.set()
            if call.given_up:
                self._hush()  # the program's own voice has taken over by now
