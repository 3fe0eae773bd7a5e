"""Keeps C libraries from writing to the terminal.

PortAudio and ALSA print their troubles ("Expression 'ret' failed …") to standard error from their own threads; a
screen reader would read them out in the middle of a game. Whatever matters in them comes as a `SoundError`.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from functools import cache


@cache
def keep_libraries_quiet() -> None:
    """Point the process's standard error to nowhere, while Python's own keeps writing where it did. Done once."""
    try:
        saved = os.dup(2)
    except OSError:  # there is none
        return
    sys.stderr = os.fdopen(saved, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    if faulthandler.is_enabled():  # asked for (PYTHONFAULTHANDLER): it has kept the number of the old one
        faulthandler.enable(sys.stderr)
