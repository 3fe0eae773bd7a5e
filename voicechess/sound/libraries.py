"""Whether a sound library can be started at all, tried in a process that may die of it.

PortAudio ends its whole process by a failed assertion where ALSA's configuration names no device
(`devIdx < numDeviceNames` in BuildDeviceList, PortAudio #294; seen with ALSA_CONFIG_PATH=/dev/null), and every library
waits for ever for a PulseAudio that is there but does not answer (seen). No exception comes of either.

Only on Linux: elsewhere there is neither ALSA nor PulseAudio.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading

LIMIT_S = 5.0
"""So long a library is waited for: it takes 0.1 to 0.5 s, and up to 2 s where it starts PulseAudio."""

_PRELUDE = """
import sys
if sys.platform.startswith("linux"):
    import ctypes, signal
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: systems that collect crashes need not hear of this one
    signal.alarm(3600)  # nobody waits for it any more
"""


def begin(program: str, *arguments: str, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A Python of its own with these lines, which finds what this one finds. Raises OSError."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PRELUDE + program, *arguments],  # -P: nothing from the folder we happen to be in
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


class Trial:
    """A few lines of Python that start a library. They run once; whoever asks meanwhile waits."""

    def __init__(self, program: str, limit_s: float = LIMIT_S) -> None:
        self._program = program
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._begun = False
        self._child: subprocess.Popen[bytes] | None = None

    def survived(self) -> bool:
        """Whether the program came to an end by itself, an exception included; that one can be caught here as well.

        The first call waits `limit_s` for it, no other does: what hung or was only slow may have ended since.
        """
        if not sys.platform.startswith("linux"):
            return True
        with self._lock:
            if not self._begun:
                self._begun = True
                self._begin()
            if self._child is None:
                return True  # no Python to be started: nothing is known, so nothing is forbidden
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
