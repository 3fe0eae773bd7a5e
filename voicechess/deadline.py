"""A limit for the whole of something whose parts have limits only, such as an answer that comes a byte at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

_Answer = TypeVar("_Answer")


def within(limit_s: float, ask: Callable[[], _Answer]) -> _Answer:
    """What `ask` gives or raises. Raises TimeoutError when that takes longer than `limit_s` seconds; the thread on
    which it runs is left to it."""
    found: list[_Answer] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(ask())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="deadline", daemon=True)
    thread.start()
    thread.join(limit_s)
    if failed:
        raise failed[0]
    if not found:
        raise TimeoutError("timed out")
    return found[0]
