"""Somebody at the stand-in who is not the program: plain HTTP, to see what it sends and to play the other side."""

from __future__ import annotations

import http.client
import json
import queue
import threading
from typing import Any
from urllib.parse import urlencode, urlparse

from tests.drivers.lichess.standin import PATIENCE_S, StandIn

Json = dict[str, Any]

OVER = {"type": "the stream has ended"}
BROKEN = {"type": "the stream has broken off"}


class Visitor:
    """Asks as one account. Connections are made anew for every request."""

    def __init__(self, standin: StandIn, name: str) -> None:
        self.name = name
        self.token = standin.token(name)
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self._address = urlparse(standin.url).netloc

    def ask(self, method: str, path: str, **form: object) -> tuple[int, Any]:
        """Status and JSON of the answer. Raises OSError or HTTPException where none comes."""
        response = self.response(method, path, **form)
        body = response.read()
        return response.status, json.loads(body) if body else None

    def post(self, path: str, **form: object) -> tuple[int, Any]:
        return self.ask("POST", path, **form)

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path)

    def move(self, game_id: str, uci: str) -> tuple[int, Any]:
        return self.post(f"/api/board/game/{game_id}/move/{uci}")

    def watch(self, game_id: str) -> Stream:
        return Stream(self.response("GET", f"/api/board/game/stream/{game_id}"))

    def events(self) -> Stream:
        return Stream(self.response("GET", "/api/stream/event"))

    def response(self, method: str, path: str, **form: object) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self._address, timeout=PATIENCE_S)
        body = urlencode({name.replace("__", "."): value for name, value in form.items()}) if form else None
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        connection.request(method, path, body, self.headers | kind)
        return connection.getresponse()


class Stream:
    """An open stream; its lines are read by a thread of its own."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        assert response.status == 200, response.read()
        self._response = response
        self._lines: queue.Queue[bytes | Json] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        rest = b""
        try:
            # Not line by line: that takes a chunk that is missing for the last one.
            while piece := self._response.read1(65_536):
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    self._lines.put(line)
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            self._lines.put(BROKEN)
            return
        self._lines.put(OVER)

    def raw(self) -> bytes | Json:
        """The next line that is not empty, as it came; or OVER or BROKEN."""
        while (line := self._lines.get(timeout=PATIENCE_S)) == b"":
            pass
        return line

    def next(self) -> Json:
        """The next line."""
        line = self.raw()
        told: Json = json.loads(line) if isinstance(line, bytes) else line
        return told

    def next_of(self, kind: str) -> Json:
        """The next line of this type."""
        while (line := self.next())["type"] != kind:
            assert line not in (OVER, BROKEN), line
        return line

    def alive(self) -> None:
        """Wait for an empty line."""
        while self._lines.get(timeout=PATIENCE_S) != b"":
            pass

    def close(self) -> None:
        self._response.close()
