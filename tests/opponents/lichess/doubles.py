"""A server that says what a test wants it to say: the transport's two methods, without a network.

Nothing here waits for time to pass: pauses are written down, and what a test waits for comes from a queue.
"""

from __future__ import annotations

import json
import queue
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from voicechess.game.events import Event
from voicechess.opponents.lichess.transport import LineStream, ServerFault, Transport

LONG_S = 120.0
"""For something that must come. A test that waits so long has failed."""

SERVER = "https://chess.example"


class Script:
    """A stream of lines: what is pushed comes out, until it is cut or ended."""

    def __init__(self, *lines: object) -> None:
        self._items: queue.SimpleQueue[bytes | ServerFault | None] = queue.SimpleQueue()
        self.stopped = False
        self.closed = threading.Event()
        self.push(*lines)

    def push(self, *lines: object) -> Script:
        for line in lines:
            self._items.put(line if isinstance(line, bytes) else json.dumps(line).encode())
        return self

    def cut(self, reason: str = "lost") -> Script:
        self._items.put(ServerFault(reason, acted=True))
        return self

    def end(self) -> Script:
        self._items.put(None)
        return self

    def lines(self) -> Iterator[bytes]:
        while not self.stopped:
            item = self._items.get(timeout=LONG_S)
            if isinstance(item, ServerFault):
                raise item
            if item is None or self.stopped:
                return
            yield item

    def first(self) -> bytes:
        for line in self.lines():
            if line.strip():
                return line
        raise ServerFault("closed", acted=True)

    def stop(self) -> None:
        self.stopped = True
        self._items.put(None)

    def close(self) -> None:
        self.closed.set()


class Double:
    """Stands for a `Transport`: answers from what was laid down, in order, and writes down what was asked."""

    server = SERVER

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self._answers: dict[str, deque[bytes | ServerFault | Callable[[], bytes]]] = defaultdict(deque)
        self._streams: dict[str, queue.SimpleQueue[Script | ServerFault]] = defaultdict(queue.SimpleQueue)
        self.opened: list[str] = []
        self.closed = False

    def answers(self, path: str, *answers: object) -> None:
        """Lays down what a path is answered with; the last answer is given again and again."""
        for answer in answers:
            ready = isinstance(answer, ServerFault | bytes) or callable(answer)
            self._answers[path].append(answer if ready else json.dumps(answer).encode())  # type: ignore[arg-type]

    def streams(self, path: str, *streams: Script | ServerFault) -> None:
        for stream in streams:
            self._streams[path].put(stream)

    def posts(self, path: str = "") -> list[str]:
        """The paths of all requests that want something done."""
        return [asked for method, asked, _ in self.asked if method == "POST" and asked.startswith(path)]

    def ask(
        self,
        method: str,
        path: str,
        *,
        form: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        text: str | None = None,
    ) -> bytes:
        self.asked.append((method, path, dict(form or query or {})))
        waiting = self._answers.get(path)
        if not waiting:
            return b'{"ok":true}'
        answer = waiting.popleft() if len(waiting) > 1 else waiting[0]
        if isinstance(answer, ServerFault):
            raise answer
        return answer() if callable(answer) else answer

    def stream(
        self, method: str, path: str, *, form: Mapping[str, str] | None = None, silence_s: float = 20.0
    ) -> LineStream:
        if method == "POST":
            self.asked.append((method, path, dict(form or {})))
        self.opened.append(path)
        stream = self._streams[path].get(timeout=LONG_S)
        if isinstance(stream, ServerFault):
            raise stream
        return cast(LineStream, stream)

    def close(self) -> None:
        self.closed = True

    @property
    def transport(self) -> Transport:
        return cast(Transport, self)


class Posted:
    """The queue that the program's loop would have."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.all: list[Event] = []
        self.history: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.history.append(event)
        self._queue.put(event)

    def next(self) -> Event:
        """What comes next. Fails when nothing does."""
        event = self._queue.get(timeout=LONG_S)
        self.all.append(event)
        return event

    def until(self, kind: type[Event]) -> Event:
        """The next event of a kind."""
        while not isinstance(event := self.next(), kind):
            pass
        return event

    def waiting(self) -> list[Event]:
        """What lies there at this moment."""
        found: list[Event] = []
        while not self._queue.empty():
            found.append(self._queue.get())
        return found


class Pauses:
    """Pauses that take no time, and how long they would have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float, wake: threading.Event) -> None:
        self.seconds.append(seconds)


def game_state(moves: str = "", **more: Any) -> dict[str, Any]:
    """A line of a game's stream."""
    return {
        "type": "gameState",
        "moves": moves,
        "wtime": 600_000,
        "btime": 600_000,
        "winc": 0,
        "binc": 0,
        "status": "started",
        **more,
    }


def game_full(moves: str = "", *, colour: str = "white", **more: Any) -> dict[str, Any]:
    """The first line of a game's stream; the account is "anna"."""
    anna = {"id": "anna", "name": "Anna", "rating": 1500, "title": None}
    other = {"id": "bert", "name": "Bert", "rating": 1600, "title": "FM", "provisional": True}
    state = {
        name: more.pop(name) for name in list(more) if name in ("wdraw", "bdraw", "wtakeback", "btakeback", "status")
    }
    return {
        "type": "gameFull",
        "id": "abcd1234",
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "speed": "rapid",
        "perf": {"name": "Rapid"},
        "rated": True,
        "createdAt": 1_700_000_000_000,
        "white": anna if colour == "white" else other,
        "black": other if colour == "white" else anna,
        "initialFen": "startpos",
        "clock": {"initial": 600_000, "increment": 5_000},
        "state": game_state(moves, **state),
        **more,
    }
