"""A request at the stand-in and how it is answered: as its endpoint sees it, and the streams that stay open."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tests.drivers.lichess.faults import Kind
from tests.drivers.lichess.games import Account, Json
from tests.drivers.lichess.schemas import NDJSON

if TYPE_CHECKING:
    from tests.drivers.lichess.server import Server

ENDLESS_PIECE = b"x" * 65_536


@dataclass
class Exchange:
    """A request and what became of it. `status` None: it was not answered. `at_s`: by the monotonic clock."""

    method: str
    path: str
    account: str | None
    at_s: float = field(default_factory=time.monotonic)
    status: int | None = None
    carried_out: bool = False
    fault: Kind | None = None


class Denied(Exception):
    """401 or 403."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status


@dataclass
class Asked:
    """A request as its endpoint sees it."""

    request: Request
    token: str
    account: Account
    form: Mapping[str, str]
    body: str

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def number(self, name: str) -> int | None:
        return int(self.form[name]) if name in self.form else None


class Wire:
    """A stream that somebody has open."""

    def __init__(self, server: Server, asked: Asked, template: str, method: str = "GET", keep_alive: int = 0) -> None:
        self.token = asked.token
        self._server = server
        self._method, self._template = method, template
        self._what = f"{method} {asked.request.url.path}"
        self._account = asked.account.id
        self._client = asked.request.client
        self._keep_alive = keep_alive
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, line: Json) -> None:
        """Raises nothing: a line that does not fit the description is the stand-in's fault, noted and sent."""
        if set(line) != {"done"}:
            self._server.check(self._method, self._template, 200, NDJSON, line)
        self._lines.put_nowait(json.dumps(line).encode())

    def send_text(self, text: str) -> None:
        """Lines that are no JSON, empty ones too."""
        for line in text.split("\n"):
            self._lines.put_nowait(line.encode())

    def end(self) -> None:
        self._lines.put_nowait(None)

    def hang_up(self) -> None:
        """The connection is gone, at once."""
        self._server.hang_up(self._client)

    async def body(self) -> AsyncIterator[bytes]:
        """What goes over the wire, empty lines and faults included."""
        before = b""
        while True:
            try:
                line = await asyncio.wait_for(
                    self._lines.get(), self._server.world.behaviour.keep_alive_s[self._keep_alive]
                )
            except TimeoutError:
                line = b""
            if line is None:
                return
            fault = self._server.strikes_line(self._what, self._account, empty=not line)
            match fault and fault.kind:
                case Kind.CUT:
                    yield (line or b'{"type": "gameState"')[: max(1, len(line) // 2)]
                    self._server.hang_up(self._client)
                    await asyncio.Event().wait()
                case Kind.END:
                    return
                case Kind.SILENCE:
                    await asyncio.Event().wait()
                case Kind.GARBAGE:
                    yield (fault.body if fault and fault.body else self._server.faults.garbage()) + b"\n"
                case Kind.ENDLESS:
                    for _ in range((fault.size if fault else 0) // len(ENDLESS_PIECE) + 1):
                        yield ENDLESS_PIECE
                    self._server.hang_up(self._client)
                    await asyncio.Event().wait()
                case Kind.WRONG_TYPES:
                    line = self._server.faults.wrong_types(line)
                case Kind.STALE:
                    yield (before or line) + b"\n"
            before = line or before
            yield line + b"\n"


class StreamResponse(StreamingResponse):
    """A stream whose end is always noticed, whoever ends it."""

    def __init__(self, wire: Wire, closed: Callable[[], None], mime: str = NDJSON) -> None:
        super().__init__(wire.body(), media_type=mime)
        self.wire = wire
        self.closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.closed()


Answer = Json | list[Json] | StreamResponse | Response | tuple[int, Json]
Endpoint = Callable[["Server", Asked], Answer]
