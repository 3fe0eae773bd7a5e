"""Keeps C libraries from writing to the terminal.

Vosk reports what it does not like to standard error, in English; PortAudio and ALSA print their troubles ("Expression
'ret' failed …") there from their own threads. A screen reader would read them out in the middle of a game. Whatever
matters in them comes as a `SoundError`.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from functools import cache
from typing import TextIO


@cache
def keep_libraries_quiet() -> None:
    """Point the process's standard error to nowhere, while Python's own keeps writing where it did. Done once."""
    try:
        saved = os.dup(2)
    except OSError:  # there is none
        return
    ours = _is_descriptor_2(sys.stderr)
    if ours:
        sys.stderr = os.fdopen(saved, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
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
