"""Background threads: streams that are kept open, each on its own thread, and the one thread that sends.

A broken stream is reopened at once, then after increasing pauses of at most ten seconds, for as long as it is wanted.
Lichess takes a player for gone a second after their game's stream was closed, so to renew a stream the new one is
opened before the old one is dropped (`take_over`).
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
from collections.abc import Callable
from typing import TypeAlias

from voicechess.opponents.lichess.transport import LineStream, ServerFault

_LOG = logging.getLogger(__name__)

Pause: TypeAlias = Callable[[float, threading.Event], object]
"""Waits so many seconds, or until the event is set."""

PAUSES_S = (0, 1, 2, 4, 8, 10)
"""Seconds before each further attempt to connect. Larger: less load on the server, later reconnection."""

_STEADY_S = 30.0
"""Seconds after which a stream counts as stable: when it breaks, counting restarts. Larger: longer pauses after
repeated breaks."""

_FINAL = frozenset({"token", "scope", "gone"})
"""Reasons that another attempt cannot remove."""


def real_pause(seconds: float, wake: threading.Event) -> None:
    """A `Pause` in real time."""
    wake.wait(seconds)


def pause_s(failures: int, wait_s: int = 0) -> float:
    """Seconds to wait after so many consecutive failures, if the server demands at least `wait_s`."""
    return max(wait_s, PAUSES_S[min(failures, len(PAUSES_S)) - 1])


def is_final(fault: ServerFault) -> bool:
    """Whether another attempt is pointless."""
    return fault.reason in _FINAL


class Contact:
    """Whether the server can be reached, as reported by all who need it; changes are reported once.

    `tell` is called with whether it is up, and the reason if not. None: nothing was reported yet.
    """

    def __init__(self, tell: Callable[[bool, str], None], up: bool | None = None) -> None:
        self._tell, self._up = tell, up
        self._broken: dict[str, str] = {}
        self._lock = threading.Lock()

    def lost(self, who: str, reason: str) -> None:
        """`who` cannot reach the server."""
        with self._lock:
            known = self._broken.get(who)
            self._broken[who] = reason
            # A reason that requires action is reported even if the connection was already gone.
            if self._up is not False or (reason != known and reason in _FINAL | {"busy"}):
                self._up = False
                self._tell(False, reason)

    def found(self, *who: str) -> bool:
        """These can reach the server; whether its return was reported."""
        with self._lock:
            for one in who:
                self._broken.pop(one, None)
            if self._broken or self._up is True:
                return False
            self._up = True
            self._tell(True, "")
            return True


class Feed:
    """A stream that is kept open from `start` to `stop`.

    `open_stream` opens it. `take` is called with each non-empty line and whether it is the first of its stream, and
    returns whether the line was valid. `over`: whether the server may close the stream now. `greets`: the server starts
    this stream with a line, and is not up before that. Otherwise a stream closed in order is reopened silently: another
    program of the same player may have opened it, and the two take turns.
    """

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], LineStream],
        take: Callable[[bytes, bool], bool],
        *,
        link: Contact,
        now: Callable[[], float],
        pause: Pause = real_pause,
        over: Callable[[], bool] = lambda: False,
        greets: bool = False,
    ) -> None:
        self._name, self._open, self._take, self._over = name, open_stream, take, over
        self._link, self._now, self._pause, self._greets = link, now, pause, greets
        self._lock = threading.RLock()
        self._current: LineStream | None = None
        self._next: tuple[LineStream, bool] | None = None  # the next stream, and whether its first line was taken
        self._stopped, self._failures = False, 0
        self._wake = threading.Event()
        self.is_open = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lichess-{name}", daemon=True)

    def start(self) -> None:
        """Start."""
        self._thread.start()

    def take_over(self, stream: LineStream, take_first: Callable[[], object]) -> None:
        """Switch to a stream opened elsewhere, whose first line was read; the old one is dropped now.

        `take_first` takes that line, after the lines of the old stream and before those of the new one. Further lines
        of the old stream are ignored.
        """
        with self._lock:
            old, self._current = self._current, stream
            self._next = (stream, True)
            take_first()
            stopped = self._stopped
        self._wake.set()
        if old is not None:
            old.stop()
        if stopped:
            stream.stop()

    def stop(self) -> None:
        """Stop; from any thread."""
        with self._lock:
            self._stopped = True
            current = self._current
        self._wake.set()
        if current is not None:
            current.stop()

    def join(self, timeout_s: float) -> None:
        """Wait for the thread to end."""
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stopped:
            began_s = self._now()
            try:
                self._read()
                fault = ServerFault("closed")
            except ServerFault as error:
                fault = error
            except Exception:  # a stream that ended unexpectedly is reopened like any other
                _report()
                fault = ServerFault("garbage")
            finally:
                self.is_open.clear()
            with self._lock:
                replaced = self._next is not None
                if not replaced:
                    self._current = None
            if self._stopped or self._over():
                return
            if replaced:
                continue
            _LOG.debug("%s: %s", self._name, fault.reason)
            if self._greets or fault.reason != "closed":
                self._link.lost(self._name, fault.reason)
            if is_final(fault):
                return
            self._failures = 1 if self._now() - began_s >= _STEADY_S else self._failures + 1
            self._pause(pause_s(self._failures, fault.wait_s), self._wake)

    def _read(self) -> None:
        """Read one stream to its end. Raises ServerFault."""
        with self._lock:
            given, self._next = self._next, None
        stream, greeted = given or (self._open(), False)
        try:
            with self._lock:
                self._wake.clear()
                if given is None:
                    if self._next is not None:  # `take_over` was called meanwhile
                        return
                    self._current = stream
                if self._stopped:
                    return
            self.is_open.set()
            if greeted or not (self._greets or self._failures):
                self._link.found(self._name)
            for line in stream.lines():
                with self._lock:
                    if stream is not self._current:
                        return
                    if line.strip():
                        if not self._take(line, not greeted):
                            raise ServerFault("garbage")
                        greeted = True
                self._link.found(self._name)
        finally:
            stream.close()


class Errands:
    """A queue of requests to the server, sent one by one on its own thread."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="lichess-requests", daemon=True)

    def start(self) -> None:
        """Start."""
        self._thread.start()

    def put(self, job: Callable[[], None]) -> None:
        """Enqueue a job; from any thread."""
        self._jobs.put(job)

    def close(self, timeout_s: float) -> bool:
        """Finish the queued jobs within that time; whether all were done."""
        self._jobs.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:  # one unexpected failure must not block all later requests
                _report()


def _report() -> None:
    """Report an unexpected exception as if it had ended its thread, which goes on."""
    threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
