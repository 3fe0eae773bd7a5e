"""Guards around the C libraries of sound: tried in a process of their own, kept silent, and opened on a thread.

A trial (Linux only: elsewhere there is neither ALSA nor PulseAudio): PortAudio ends its whole process by a failed
assertion where ALSA's configuration names no device (`devIdx < numDeviceNames` in BuildDeviceList, PortAudio #294), and
every library waits for ever for a PulseAudio that is there but does not answer. No exception comes of either.

Silence: Vosk reports to standard error, in English; PortAudio and ALSA print there ("Expression 'ret' failed …") from
their own threads. A screen reader would read that out in the middle of a game. What matters comes as a `SoundError`.

Loading: python.org's Python for Windows has no MSVCP140.dll, which samplerate and espeak-ng want; the package
msvc-runtime brings it, in a folder in which Windows does not look by itself.

Opening on a thread: a sound server that does not answer must not hold up a game.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import importlib.util
import logging
import os
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable
from functools import cache
from typing import Generic, TextIO, TypeVar

from voicechess.messages import Slot
from voicechess.sound.errors import SoundError

# --- Trials ---

TRIAL_LIMIT_S = 5.0
"""Timeout, seconds, of a trial: a library takes 0.1 to 0.5 s, and up to 2 s where it starts PulseAudio."""

_PRELUDE = """
import sys
if sys.platform.startswith("linux"):
    import ctypes, signal
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: systems that collect crashes need not hear of this one
    signal.alarm(3600)  # it is not waited for any more
"""


def begin(program: str, *arguments: str, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Start a Python process with these lines, which can import what this one can. Raises OSError."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PRELUDE + program, *arguments],  # -P: nothing from the folder we happen to be in
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # on Windows Control-C is not for it
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


class Trial:
    """Python code that loads a library in a child process. It runs once; further callers wait for the result."""

    def __init__(self, program: str, limit_s: float = TRIAL_LIMIT_S) -> None:
        self._program = program
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._begun = False
        self._child: subprocess.Popen[bytes] | None = None

    def survived(self) -> bool:
        """Whether the child process ended by itself; an exception counts too, since it can be caught here as well.

        Only the first call waits, for `limit_s`; what hung or was slow may have ended by the next.
        """
        if not sys.platform.startswith("linux"):
            return True
        with self._lock:
            if not self._begun:
                self._begun = True
                self._begin()
            if self._child is None:
                return True  # no process can be started: nothing is known, so nothing is ruled out
            status = self._child.poll()
            return status is not None and status >= 0

    def _begin(self) -> None:
        try:
            self._child = begin(self._program)
        except OSError:
            return
        atexit.register(self._child.kill)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(self._limit_s)


# --- Loading ---


@cache
def find_runtime() -> None:
    """On Windows: make pip's C++ runtime findable for libraries. Done once, before the first one is loaded."""
    if sys.platform == "win32":
        folder = sysconfig.get_path("scripts")
        if os.path.isdir(folder):  # noqa: PTH112 - as given by the system
            os.add_dll_directory(folder)


def not_loaded(package: str, missing: str, error: Exception, **slots: Slot | str) -> SoundError:
    """The error for a failed import of `package`: `missing` (a key, with these slots) if it is not installed, otherwise
    what the system reports, such as a missing DLL (issue 51)."""
    if importlib.util.find_spec(package) is None:
        return SoundError(missing, **slots)
    return SoundError("sound.library.unloadable", package=package, reason=" ".join(str(error).split()).rstrip("."))


# --- Standard error ---


@cache
def keep_libraries_quiet() -> None:
    """Redirect the process's standard error to nowhere, while Python's own keeps its target. Done once."""
    try:
        saved = os.dup(2)
    except OSError:  # there is none
        return
    before = sys.stderr
    ours = _is_descriptor_2(before)
    if ours:
        sys.stderr = os.fdopen(saved, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
        for handler in logging.getLogger().handlers:  # of the log that VOICECHESS_DEBUG asks for
            if isinstance(handler, logging.StreamHandler) and handler.stream is before:
                handler.setStream(sys.stderr)
    else:  # somebody has put another in its place, or there is none
        os.close(saved)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    if ours and faulthandler.is_enabled():  # asked for (PYTHONFAULTHANDLER): it has kept the number of the old one
        faulthandler.enable(sys.stderr)


def _is_descriptor_2(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.fileno() == 2
    except (AttributeError, OSError, ValueError):
        return False


# --- Opening ---

LIMIT_S = 4.0
"""Timeout, seconds, of opening a device; a virtual sink takes up to two."""

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
        """The device, opened. Raises `SoundError`, also while the opening hangs; a caller that asks again then gets
        the device once it is there, and does not wait for it."""
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
        except Exception as error:  # raised again in the thread of the caller
            self._result = error
