"""Requests to Lichess, one at a time, and streams of lines.

Every wait has a timeout and every answer a limit: `REQUEST_S` for all of it, however it comes. Failures are
`ServerFault`s with a key, which say whether the server may have acted nevertheless. Redirects are not followed: they
could send the token to somebody else. After a 429 nothing is sent for as long as the server demands, and at least a
minute.

The game stream sends a line every 6 seconds, the event stream every 7: 20 seconds of silence are a broken connection.
"""

from __future__ import annotations

import contextlib
import http.client
import math
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import requests
import urllib3

from voicechess import __version__, unreached
from voicechess.deadline import within
from voicechess.messages import Duration, Failure, Phrase, Slot, Text
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.login import AccessToken, is_loopback

CONNECT_S, READ_S = 10.0, 20.0
"""Timeouts, seconds: for connecting, and between bytes. Larger: a dead connection is noticed later."""

REQUEST_S = 20.0
"""Timeout, seconds, from the start of a request to the end of its answer, or of a stream's headers: the socket's
timeout restarts with each byte, and DNS has none. Larger: slow servers are waited for longer."""

_MOST_BYTES = 2 << 20  # of an answer: fifty games in progress are some 30 kB
_LONGEST_LINE = 1 << 17  # the longest game there can be has 6000 moves
_BLOCK = 1 << 12
_SHORTEST_WAIT_S = 60
_LONGEST_WAIT_S = 86_400


_Answer = TypeVar("_Answer")


class ServerFault(Exception):
    """A request or a stream failed.

    `reason`: "network" (not reached), "silent", "lost" (the connection broke), "closed" (by the server, in order),
    "garbage", "token" (invalid or expired), "scope" (the token does not allow this), "busy" (too many requests:
    `wait_s` until the next), "gone" (not found), "server" (it failed), "other" (refused: `detail` has its words).
    `acted`: the server may have done what was requested. `why`: for "network", the cause if known.
    """

    def __init__(
        self, reason: str, detail: str = "", wait_s: int = 0, acted: bool = False, why: Phrase | Text | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
        self.wait_s = wait_s
        self.acted = acted
        self.why = why


_SAME = {"unreached": "network", "silent": "network", "lost": "network", "closed": "network", "garbage": "server"}


def refusal_reason(reason: str) -> str:
    """A ServerFault's reason as announced outside a game, where the way a connection broke does not matter."""
    return _SAME.get(reason, reason)


def failure(fault: ServerFault) -> Failure:
    """The fault as a Failure, outside a conversation."""
    if fault.why is not None:
        return Failure("online.failed.unreached", {"reason": fault.why}, status=1)
    slots: dict[str, Slot] = {"detail": Text(fault.detail), "wait": Duration(fault.wait_s * 1000)}
    return Failure(f"online.failed.{refusal_reason(fault.reason)}", slots, status=1)


class _Bearer(requests.auth.AuthBase):
    """Always sets the token: without an explicit `auth`, requests would replace it by what ~/.netrc says."""

    def __init__(self, token: AccessToken | None) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """The request with the token, if there is one."""
        if self._token is not None:
            request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        return request


class _Body(Protocol):
    """The readable body of a response: `urllib3.HTTPResponse`."""

    def read1(self, amt: int, decode_content: bool) -> bytes: ...
    def shutdown(self) -> None: ...


_BROKEN = (requests.RequestException, urllib3.exceptions.HTTPError, http.client.HTTPException, OSError, ValueError)
"""Exceptions of reading and writing. ValueError: a response that was closed meanwhile."""


_NOTHING_TOLD = (
    ssl.SSLCertVerificationError,
    urllib3.exceptions.ProxyError,
    requests.ConnectTimeout,
    urllib3.exceptions.NewConnectionError,
    urllib3.exceptions.ConnectTimeoutError,
)
"""With one of these in an exception's chain, the server has not received the request."""


def _fault(error: BaseException) -> ServerFault:
    """The fault for an exception of the libraries."""
    for inner in unreached.causes(error):
        if isinstance(inner, _NOTHING_TOLD):
            return ServerFault("network", why=unreached.reason(error))
        if isinstance(inner, requests.Timeout | urllib3.exceptions.ReadTimeoutError | TimeoutError):
            return ServerFault("silent", acted=True)
    return ServerFault("lost", acted=True)


class LineStream:
    """A response that sends lines until somebody closes it."""

    def __init__(
        self,
        body: _Body,
        close: Callable[[], None],
        now: Callable[[], float],
        silence_s: float,
        silence_ends: bool = False,
    ) -> None:
        self._body, self._close, self._now, self._silence_s = body, close, now, silence_s
        self._silence_ends = silence_ends
        self._begun = b""
        self._waiting: list[bytes] = []
        self._stopped = False

    def lines(self) -> Iterator[bytes]:
        """Every complete line without its newline, including empty ones, until the server closes the stream.

        Raises ServerFault: "silent", "lost" (also within a line), "garbage" (an endless line).
        """
        last_s = self._now()
        while True:
            while self._waiting:
                yield self._waiting.pop(0)
            try:
                block = self._body.read1(_BLOCK, decode_content=False)
            except _BROKEN as error:
                if self._stopped:
                    return
                fault = _fault(error)
                if fault.reason == "silent" and self._silence_ends:
                    return
                raise fault from None
            if self._stopped:
                return
            if not block:
                if self._begun.strip():
                    raise ServerFault("lost", acted=True)
                return
            *whole, self._begun = (self._begun + block).split(b"\n")
            self._waiting = whole
            if whole:
                last_s = self._now()
            elif self._now() - last_s > self._silence_s:  # single bytes are no sign of life
                raise ServerFault("silent", acted=True)
            if len(self._begun) > _LONGEST_LINE or any(len(line) > _LONGEST_LINE for line in whole):
                raise ServerFault("garbage", acted=True)

    def first(self) -> bytes:
        """The first non-empty line. Raises ServerFault, "closed" if there is none."""
        for line in self.lines():
            if line.strip():
                return line
        raise ServerFault("closed", acted=True)

    def stop(self) -> None:
        """Stop reading at once; from any thread. The reader closes it."""
        self._stopped = True
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # already closed
            self._body.shutdown()

    def close(self) -> None:
        """Release the connection; on the reading thread."""
        with contextlib.suppress(*_BROKEN):
            self._close()


class _Sockets(requests.adapters.HTTPAdapter):
    """Remembers its connections, so that another thread can break them while one is being read."""

    def __init__(self) -> None:
        self._connections: weakref.WeakSet[urllib3.connection.HTTPConnection] = weakref.WeakSet()
        super().__init__()

    def init_poolmanager(self, *given: Any, **more: Any) -> None:
        """The connection pools, remembered."""
        super().init_poolmanager(*given, **more)
        self._remember(self.poolmanager)

    def proxy_manager_for(self, *given: Any, **more: Any) -> Any:
        """The same through a proxy."""
        manager = super().proxy_manager_for(*given, **more)
        self._remember(manager)
        return manager

    def _remember(self, manager: Any) -> None:
        connections = self._connections

        def remembering(kind: Any) -> Any:
            class Remembered(kind):  # type: ignore[misc]
                opening: socket.socket | None = None  # a second handle: TLS owns the first during its handshake

                def __init__(self, *given: Any, **more: Any) -> None:
                    super().__init__(*given, **more)
                    connections.add(self)

                def connect(self) -> None:
                    try:
                        super().connect()
                    finally:
                        opening, self.opening = self.opening, None
                        if opening is not None:
                            opening.close()

                def _new_conn(self) -> socket.socket:
                    connected: socket.socket = super()._new_conn()
                    self.opening = connected.dup()
                    return connected

            return Remembered

        pools: Mapping[str, Any] = urllib3.poolmanager.pool_classes_by_scheme
        manager.pool_classes_by_scheme = {
            scheme: type(pool.__name__, (pool,), {"ConnectionCls": remembering(pool.ConnectionCls)})
            for scheme, pool in pools.items()
        }

    def break_off(self) -> None:
        """Close all connections under their readers."""
        for connection in list(self._connections):
            for handle in (connection.sock, getattr(connection, "opening", None)):
                if handle is not None:  # open
                    with contextlib.suppress(OSError, ValueError):  # or just closed
                        handle.shutdown(socket.SHUT_RDWR)


class Transport:
    """Requests to one server for one account.

    `now`: a monotonic clock in seconds; `wall_s`: seconds since 1970 (a server may name a date until which to wait);
    `session`: creates the session that sends requests.
    """

    def __init__(
        self,
        server: str,
        token: AccessToken | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        wall_s: Callable[[], float] = time.time,
        session: Callable[[], requests.Session] = requests.Session,
    ) -> None:
        self.server = server
        self._token, self._now, self._wall_s, self._make = token, now, wall_s, session
        self._one_at_a_time = threading.Lock()
        self._session = self._made()
        self._not_before_s = -math.inf
        self._open: set[LineStream] = set()
        self._open_lock = threading.Lock()
        self._closed = False

    def _made(self) -> requests.Session:
        session = self._make()
        for scheme in ("http://", "https://"):
            session.mount(scheme, _Sockets())
        session.auth = _Bearer(self._token)
        session.headers.update({"User-Agent": f"voicechess/{__version__}", "Accept-Encoding": "identity"})
        session.trust_env = not is_loopback(urlsplit(self.server).hostname or "")  # no proxy for this machine
        return session

    def ask(
        self,
        method: str,
        path: str,
        *,
        form: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        text: str | None = None,
    ) -> bytes:
        """The answer to a request. `form` or `text`: its body. Raises ServerFault."""
        with self._one_at_a_time:
            session = self._session

            def asked() -> bytes:
                response = self._send(session, method, path, form, query, text, READ_S)
                try:
                    return self._whole(response)
                finally:
                    with contextlib.suppress(*_BROKEN):
                        response.close()

            try:
                return self._in_time(session, asked)
            except TimeoutError:
                self._session = self._made()
                raise ServerFault("silent", acted=True) from None

    def stream(
        self,
        method: str,
        path: str,
        *,
        form: Mapping[str, str] | None = None,
        silence_s: float = READ_S,
        silence_ends: bool = False,
    ) -> LineStream:
        """A stream of lines. After `silence_s` of silence it is broken, or (`silence_ends`) ended in order.

        Raises ServerFault.
        """
        session = self._made()
        with self._one_at_a_time:
            try:
                response = self._in_time(
                    session, lambda: self._send(session, method, path, form, None, None, silence_s)
                )
            except TimeoutError:
                raise ServerFault("silent", acted=True) from None

        def close() -> None:
            with self._open_lock:
                self._open.discard(stream)
            response.close()
            session.close()

        stream = LineStream(response.raw, close, self._now, silence_s, silence_ends)
        with self._open_lock:
            self._open.add(stream)
            closed = self._closed
        if closed:
            stream.stop()
        return stream

    def close(self) -> None:
        """Close all streams, and refuse further requests."""
        with self._open_lock:
            self._closed = True
            open_now = list(self._open)
        for stream in open_now:
            stream.stop()

    def _in_time(self, session: requests.Session, ask: Callable[[], _Answer]) -> _Answer:
        """The result of `ask`, or its exception. Raises TimeoutError after breaking the session's connections."""
        try:
            return within(REQUEST_S, ask)
        except TimeoutError:
            for adapter in session.adapters.values():
                if isinstance(adapter, _Sockets):
                    adapter.break_off()
            raise

    def _send(
        self,
        session: requests.Session,
        method: str,
        path: str,
        form: Mapping[str, str] | None,
        query: Mapping[str, str] | None,
        text: str | None,
        read_s: float,
    ) -> requests.Response:
        if self._closed:
            raise ServerFault("closed")
        wait_s = math.ceil(self._not_before_s - self._now()) if self._not_before_s > self._now() else 0
        if wait_s:
            raise ServerFault("busy", wait_s=wait_s)
        body = None if text is None else text.encode()
        try:
            response = session.request(
                method,
                self.server + path,
                data=body if body is not None else form,
                params=query,
                headers={} if body is None else {"Content-Type": "text/plain"},
                timeout=(CONNECT_S, read_s),
                allow_redirects=False,
                stream=True,
            )
        except _BROKEN as error:
            raise _fault(error) from None
        if 200 <= response.status_code < 300:
            return response
        try:
            raise self._refusal(response)
        finally:
            with contextlib.suppress(*_BROKEN):
                response.close()

    def _refusal(self, response: requests.Response) -> ServerFault:
        """The fault for an unsuccessful status."""
        match response.status_code:
            case 401:
                return ServerFault("token")
            case 403:
                return ServerFault("scope")
            case 404:
                return ServerFault("gone")
            case 429:
                wait_s = self._wanted_wait_s(response.headers.get("Retry-After", ""))
                self._not_before_s = self._now() + wait_s
                return ServerFault("busy", wait_s=wait_s)
            case status if 400 <= status < 500:
                try:
                    return ServerFault("other", wire.error_text(self._whole(response)))
                except ServerFault:
                    return ServerFault("other")
        return ServerFault("server", acted=True)

    def _wanted_wait_s(self, told: str) -> int:
        """The header Retry-After (RFC 9110, section 10.2.3): seconds, or a date."""
        seconds = 0.0
        if told.isascii() and told.isdigit() and len(told) < 10:
            seconds = float(told)
        else:
            with contextlib.suppress(ValueError, TypeError, OverflowError):
                seconds = parsedate_to_datetime(told).timestamp() - self._wall_s()
        return math.ceil(min(max(seconds, _SHORTEST_WAIT_S), _LONGEST_WAIT_S))

    def _whole(self, response: requests.Response) -> bytes:
        """A complete answer. Raises ServerFault."""
        body: _Body = response.raw
        found = bytearray()
        while True:
            try:
                block = body.read1(_BLOCK, decode_content=False)
            except _BROKEN as error:
                raise _fault(error) from None
            if not block:
                return bytes(found)
            found += block
            if len(found) > _MOST_BYTES:
                raise ServerFault("garbage", acted=True)
