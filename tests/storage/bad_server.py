"""A web server of our own that serves one file and misbehaves on purpose, by the path that is asked for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Serves `content`; `requests` are the paths and ranges asked for, `logins` what proves who asks."""

    daemon_threads = False  # its end waits for theirs: one that runs on at the end of Python may crash it

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.content = content
        self.ended = threading.Event()  # what has no end breaks off
        self.requests: list[tuple[str, str | None]] = []
        self.logins: list[str | None] = []

    def url(self, path: str) -> str:
        """The address of a way to serve the file: see `_Handler`."""
        return f"http://127.0.0.1:{self.server_port}/{path}"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.server.requests.append((self.path, asked))
        self.server.logins.append(self.headers.get("Authorization"))
        count = len(self.server.requests)
        content = self.server.content
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        self.close_connection = True
        match self.path.lstrip("/"):
            case "good":
                self._send(content, start, ranges=True)
            case "no_ranges":
                self._send(content, 0)
            case "breaks_off":  # a third each time
                self._send(content, start, ranges=True, stop=start + len(content) // 3 + 1)
            case "breaks_off_without_ranges":
                self._send(content, 0, stop=None if count > 2 else len(content) // 2)
            case "always_breaks_off_at_once":
                self._send(content, start, ranges=True, stop=start)
            case "says_more":
                self._send(content, 0, length=len(content) + 50, stop=len(content))
            case "says_less":
                self._send(content, 0, length=len(content) - 50)
            case "no_length":
                self._send(content, 0, length=None)
            case "endless":
                self._send(b"", 0, length=None, endless=True)
            case "huge_length":
                self._send(content, 0, length=10**12)
            case "other_bytes":
                self._send(bytes(len(content)), 0)
            case "other_rest":  # the first half breaks off, the rest comes from another file
                if asked:
                    self._send(bytes(len(content)), start, ranges=True)
                else:
                    self._send(content, 0, stop=len(content) // 2 if count == 1 else None)
            case "wrong_range":
                if asked:
                    self._headers(
                        206, len(content), {"Content-Range": f"bytes {start + 7}-{len(content)}/{len(content)}"}
                    )
                else:
                    self._send(content, 0, stop=len(content) // 2 if count == 1 else None)
            case "range_refused":
                if asked:
                    self._headers(416, 0, {})
                else:
                    self._send(content, 0, stop=len(content) // 2 if count == 1 else None)
            case "busy_once":
                if count == 1:
                    self._headers(503, 0, {})
                else:
                    self._send(content, 0)
            case "redirect":
                self._headers(302, 0, {"Location": "/good"})
            case "redirect_to_file":
                self._headers(302, 0, {"Location": "file:///etc/passwd"})
            case "redirect_for_ever":
                self._headers(302, 0, {"Location": "/redirect_for_ever"})
            case "trickle":  # two bytes now and then, for ever
                self._headers(200, len(content), {})
                self._drip(content)
            case "trickle_and_break":  # two bytes each time
                self._send(content, start, ranges=True, stop=start + 2)
            case "trickle_of_headers":
                self._drip(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 60_000)
            case "no_http":
                self.wfile.write(b"hello\r\n\r\n")
            case _:
                self._headers(404, 0, {})

    def _drip(self, content: bytes) -> None:
        with contextlib.suppress(OSError):  # the other side has had enough
            for at in range(0, len(content), 2):
                self.wfile.write(content[at : at + 2])
                if self.server.ended.wait(0.01):
                    break

    def _headers(self, status: int, length: int | None, more: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in more.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()

    def _send(
        self,
        content: bytes,
        start: int,
        *,
        ranges: bool = False,
        stop: int | None = None,
        length: int | None = -1,
        endless: bool = False,
    ) -> None:
        if start and ranges:
            more = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"}
            self._headers(206, len(content) - start, more)
        else:
            self._headers(200, len(content) if length == -1 else length, {})
        try:
            self.wfile.write(content[start if ranges else 0 : stop])
            while endless and not self.server.ended.is_set():
                self.wfile.write(bytes(1 << 16))
        except OSError:
            pass  # the other side has had enough


@contextmanager
def serving(content: bytes) -> Iterator[Server]:
    """A running server."""
    server = Server(content)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
