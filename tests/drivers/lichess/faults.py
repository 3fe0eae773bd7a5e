"""What can go wrong at a server or on the way to it, switched on by tests.

A `Fault` says what happens, to which requests or streams, to whose, how often. Those of requests strike when one comes;
those of streams when a line, or the empty one that keeps a stream alive, is about to be sent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from fnmatch import fnmatchcase
from random import Random
from typing import Any


class Kind(Enum):
    """What goes wrong."""

    # Requests.
    ANSWER = auto()
    """`status`, `headers` and `body` are the answer, and nothing is carried out."""
    DROP = auto()
    """The connection is closed without an answer; nothing is carried out."""
    LOSE_ANSWER = auto()
    """The request is carried out, and the connection closed without an answer."""
    SLOW = auto()
    """Nothing happens for `seconds`; then it is carried out and answered."""
    LATE_ANSWER = auto()
    """It is carried out, but answered only after `seconds`."""
    DRIP = auto()
    """It is carried out, and the headers of the answer come a byte at a time, for ever."""
    SPOIL_ANSWER = auto()
    """It is carried out, and the answer is `body`: not JSON, or not what was to come."""
    # Streams.
    CUT = auto()
    """A line breaks off in its middle, and the connection with it."""
    END = auto()
    """The stream ends in order, but too early."""
    SILENCE = auto()
    """This line and everything after it, empty lines too, never arrive; the connection stands."""
    GARBAGE = auto()
    """One more line comes before this one: `body`, else one of GARBAGE_LINES."""
    ENDLESS = auto()
    """Instead of the line one comes that does not end for `size` bytes, and then the connection closes."""
    WRONG_TYPES = auto()
    """One value in the line is of another type."""
    STALE = auto()
    """The line before this one comes once more: as if something had been taken back, for a moment."""


STREAM_KINDS = frozenset({Kind.CUT, Kind.END, Kind.SILENCE, Kind.GARBAGE, Kind.ENDLESS, Kind.WRONG_TYPES, Kind.STALE})
ON_KEEP_ALIVE = frozenset({Kind.CUT, Kind.END, Kind.SILENCE, Kind.GARBAGE, Kind.ENDLESS})
"""Of those the ones that need no line to spoil."""

GARBAGE_LINES = (
    b"<html><body>502 Bad Gateway</body></html>",
    b"\xff\xfe\x00\x9f",
    b"{",
    b"[]",
    b"42",
    b"null",
    b'"gameState"',
    b'{"type": 7}',
    b'{"type": "somethingNew", "moves": []}',
    b'{"type": "gameState"}',
    b'{"type": "gameFull", "state": null}',
    b'{"type": "chatLine", "username": {"a": 1}, "text": ["\\u001b[2J"]}',
    b"[" * 100_000,
    b'{"type": "gameState", "moves": "e2e4", "wtime": 1e400, "btime": NaN, "winc": 0, "binc": 0, "status": "started"}',
)

TERMINAL_ESCAPES = "\x1b[2J\x1b]0;gotcha\x07\x9b31m\r\x00\u202egnirts\u2066"
"""Clears a terminal, renames its window, turns the writing round."""


@dataclass
class Fault:
    """`on`: which requests or streams, as "POST */move/*". `account`: whose, by id; None: everybody's. `after`: so many
    go by unharmed first. `times`: how often it strikes, None: until it is lifted. `share`: which part of those it could
    strike, by the stand-in's dice."""

    kind: Kind
    on: str = "*"
    account: str | None = None
    times: int | None = 1
    after: int = 0
    share: float = 1
    status: int = 503
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    seconds: float = 0
    size: int = 4_000_000
    struck: int = 0

    def strikes(self, what: str, account: str | None, random: Random) -> bool:
        """Whether it strikes this one; counts both those that it spares and those that it strikes."""
        if self.times is not None and self.struck >= self.times:
            return False
        if self.account not in (None, account) or not fnmatchcase(what, self.on):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        if self.share < 1 and random.random() >= self.share:
            return False
        self.struck += 1
        return True


def too_many_requests(on: str = "*", retry_after: int | None = None, **other: Any) -> Fault:
    """429; with or without the seconds that are to be waited."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return refusal(429, "Too many requests. Try again later.", on, headers=headers, **other)


def refusal(status: int, error: str, on: str = "*", **other: Any) -> Fault:
    """An answer that refuses in the server's own form."""
    return Fault(Kind.ANSWER, on, status=status, body=json.dumps({"error": error}).encode(), **other)


class Faults:
    """Those that are switched on. May be changed by any thread."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._lock = threading.Lock()
        self._faults: list[Fault] = []

    def add(self, *faults: Fault) -> None:
        with self._lock:
            self._faults.extend(faults)

    def lift(self) -> None:
        """Switch all of them off."""
        with self._lock:
            self._faults.clear()

    def strikes(self, what: str, account: str | None, kinds: Iterable[Kind] | None = None) -> Fault | None:
        """The first that strikes this request (`kinds` None), or this line by one of these kinds."""
        with self._lock:
            for fault in self._faults:
                fits = fault.kind not in STREAM_KINDS if kinds is None else fault.kind in kinds
                if fits and fault.strikes(what, account, self._random):
                    return fault
            return None

    def garbage(self) -> bytes:
        with self._lock:
            return self._random.choice(GARBAGE_LINES)

    def wrong_types(self, line: bytes) -> bytes:
        """The same line with one value of another type."""
        told = json.loads(line)
        with self._lock:
            places = list(_places(told))
            holder, key = self._random.choice(places)
            others: list[Any] = [None, -1, 0.5, "\x1b[2J", [], {}, True, "x" * 10_000, [[[]]]]
            holder[key] = self._random.choice([one for one in others if type(one) is not type(holder[key])])
        return json.dumps(told).encode()


def _places(told: object) -> Iterable[tuple[Any, Any]]:
    """Everything in a JSON text that could be replaced."""
    if isinstance(told, dict | list):
        for key in told if isinstance(told, dict) else range(len(told)):
            yield told, key
            yield from _places(told[key])
