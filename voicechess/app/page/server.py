"""The page's server: Starlette on uvicorn, on a thread of its own.

It listens on this computer alone unless an address was asked for. The page's path begins with a secret, since other
accounts of this computer reach the port as well. Requests with a foreign host name are refused (DNS rebinding), and so
are moves from another page (CSRF). Nothing here affects the game except typed lines, and nothing reaches the terminal.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import hmac
import ipaddress
import logging
import re
import secrets
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import chess
import chess.svg
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from voicechess.app.page.connections import AT_ONCE, PATIENCE_S, Connections
from voicechess.app.page.shown import Shown
from voicechess.game.cursor import move_line
from voicechess.messages import Failure, Text

_LOG = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
PORT = 8464
"""Preferred port; if it is in use, any free one."""

MOST_BROWSERS = 32
"""Event streams open at a time."""

_LOOKED_S = 1.0
"""Interval in seconds at which idle connections are closed."""

_NEEDED = 8
"""File descriptors reserved for the page: those of the event loop, and some for connections."""

_ALIVE_S = 15.0
_LARGEST_MOVE = 64
_CLOSING_S = 2.0
_MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([qrbn]?)")
_PIECE = re.compile(r"([wb])([KQRBNP])")
_FILES = {"": "board.html", "board.css": "board.css", "board.js": "board.js"}
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. `host`: an IP address of this computer, 0.0.0.0 for all of them; `asked`: it was given
    explicitly, so no other port will do."""

    host: str = LOOPBACK
    port: int = PORT
    asked: bool = False

    @classmethod
    def read(cls, text: str) -> Address:
        """Parse "192.0.2.7:8464", "[::1]:8464", or one without a port. Raises Failure ("page.bad_address")."""
        host, port = text, PORT
        found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::([0-9]{1,5}))?", text)
        if found is not None:
            host, port = found[1].strip("[]"), int(found[2] or PORT)
        try:
            ipaddress.ip_address(host)
        except ValueError:
            port = -1
        if not 0 <= port <= 65_535:
            raise Failure("page.bad_address", {"address": Text(text[:100])})
        return cls(host, port, asked=True)


def _listening(address: Address) -> socket.socket:
    """A listening socket. Raises Failure ("page.in_use", "page.bad_address")."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    for port in (address.port,) if address.asked else (address.port, 0):
        found = socket.socket(family, socket.SOCK_STREAM)
        try:
            if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # on Windows two could listen there otherwise
                found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((address.host, port))
            found.listen(AT_ONCE)
            return found
        except OSError:
            found.close()
    raise Failure("page.in_use", {"address": Text(f"{address.host}:{address.port}")})


def _look_for_room(listening: socket.socket) -> None:
    """Raises Failure if no descriptors are left for the server's thread: asyncio would print the error."""
    with contextlib.ExitStack() as held:
        try:
            for _ in range(_NEEDED):
                held.enter_context(listening.dup())
        except OSError as error:
            listening.close()
            raise Failure("program.no_descriptors") from error


def _reachable(host: str) -> str:
    """The address that another device in the network would use for `host`."""
    if not ipaddress.ip_address(host).is_unspecified:
        return host
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # nothing is sent: the system only says from where it would be
        return str(asked.getsockname()[0])
    return LOOPBACK


@cache
def _load_unwinder() -> None:
    """On Linux glibc loads libgcc_s when a thread ends with the program, and aborts if no file descriptor is left: so
    load it in advance."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            ctypes.CDLL("libgcc_s.so.1")


class Page:
    """The page while it is served. Raises Failure on construction if it cannot listen at the address.

    `words`: the texts of the page by name, read when a page is opened. `move`: takes a move as if typed; None: the page
    is read-only.
    """

    def __init__(
        self,
        shown: Shown,
        address: Address,
        words: Callable[[], Mapping[str, object]],
        move: Callable[[str], None] | None,
    ) -> None:
        self._shown, self._words, self._move = shown, words, move
        self._socket = _listening(address)
        _look_for_room(self._socket)
        self._port = self._socket.getsockname()[1]
        self._secret = secrets.token_urlsafe(16)
        host = _reachable(address.host)
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self._port}/{self._secret}/"
        self._connections = Connections()
        self._open = 0
        self._moved_at: int | None = None  # lines taken by the game when the page sent its last move
        self._waking = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news: asyncio.Event | None = None
        self._closed = False
        self._app = Starlette(
            routes=[
                Route("/{path:path}", self._get, methods=["GET"]),
                Route("/{path:path}", self._post, methods=["POST"]),
            ]
        )
        config = uvicorn.Config(
            self._answer,
            interface="asgi3",
            proxy_headers=False,  # a request's client is the connection's peer
            http=self._connections.protocol,  # type: ignore[arg-type]
            log_config=None,
            log_level="critical",  # a screen reader would read its reports during a game
            access_log=False,
            lifespan="off",
            ws="none",
            backlog=AT_ONCE,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
            server_header=False,
        )
        self._server = uvicorn.Server(config)
        _load_unwinder()
        self._thread = threading.Thread(target=self._serve, name="page", daemon=True)
        shown.changed = self._wake
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._closed = True
        self._shown.changed = lambda: None
        self._server.should_exit = True
        self._wake()
        self._thread.join(_CLOSING_S)

    @property
    def works(self) -> bool:
        """Whether it is still being served."""
        return self._thread.is_alive()

    # --- the thread -----------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        async def serve() -> None:
            self._news = asyncio.Event()
            self._loop = asyncio.get_running_loop()
            # It would print each fault, such as a connection that cannot be accepted, during a game.
            self._loop.set_exception_handler(lambda _loop, found: _LOG.debug("page: %s", found.get("message")))
            watching = asyncio.create_task(self._watch())
            try:
                await self._server.serve([self._socket])
            finally:
                watching.cancel()

        # A failed page just disappears, without affecting the game.
        with contextlib.suppress(Exception), self._socket:
            asyncio.run(serve())

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOKED_S)
            self._connections.close_idle()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        finally:
            self._connections.answered(scope.get("client"))

    def _wake(self) -> None:
        if self._loop is not None and not self._waking:
            self._waking = True
            with contextlib.suppress(RuntimeError):  # it was just closed
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        """Wake all waiting requests, once."""
        self._waking = False  # before they look, so that later changes wake them again
        if self._news is not None:
            woken, self._news = self._news, asyncio.Event()
            woken.set()

    # --- requests -------------------------------------------------------------------------------------------------

    def _path(self, request: Request) -> str | None:
        """The path after the secret; None without it, or under a foreign host name."""
        if not _is_ours(request.headers.get("host", ""), self._port):
            return None
        given, _, rest = str(request.path_params["path"]).partition("/")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self._secret.encode()):
            return None
        self._connections.answering(request.scope.get("client"))
        return rest

    async def _get(self, request: Request) -> Response:
        path = self._path(request)
        if path in _FILES:
            name = _FILES[path]
            text = (resources.files("voicechess.app.page") / name).read_text("utf-8")
            return Response(text, media_type=_TYPES[name.rpartition(".")[2]], headers=_HEADERS)
        if path == "words":
            return JSONResponse({**self._words(), "input": self._move is not None}, headers=_HEADERS)
        if path == "events":
            if self._open >= MOST_BROWSERS:
                return PlainTextResponse("too many", 503, headers=_HEADERS)
            return StreamingResponse(self._events(), media_type="text/event-stream", headers=_HEADERS)
        piece = _PIECE.fullmatch(path.removeprefix("piece/").removesuffix(".svg")) if path is not None else None
        if piece is not None:
            drawn = chess.Piece.from_symbol(piece[2] if piece[1] == "w" else piece[2].lower())
            cached = {**_HEADERS, "Cache-Control": "max-age=86400"}
            return Response(chess.svg.piece(drawn, size=45), media_type="image/svg+xml", headers=cached)
        return PlainTextResponse("not found", 404, headers=_HEADERS)

    async def _events(self) -> AsyncIterator[str]:
        self._open += 1
        try:
            number = 0
            while not self._closed:
                news = self._news  # before looking, so that nothing is missed
                found = self._shown.since(number)
                if found is not None:
                    number, data = found
                    yield f"data: {data}\n\n"
                    continue
                assert news is not None
                try:
                    await asyncio.wait_for(news.wait(), _ALIVE_S)
                except TimeoutError:
                    yield ": alive\n\n"
        finally:
            self._open -= 1

    async def _post(self, request: Request) -> Response:
        path = self._path(request)
        if path != "move" or self._move is None:
            return PlainTextResponse("not found", 404, headers=_HEADERS)
        if request.headers.get("origin") != f"http://{request.headers.get('host')}":
            return PlainTextResponse("forbidden", 403, headers=_HEADERS)
        body = b""
        try:
            async with asyncio.timeout(PATIENCE_S):
                async for part in request.stream():
                    body += part
                    if len(body) > _LARGEST_MOVE:
                        return PlainTextResponse("too large", 413, headers=_HEADERS)
        except TimeoutError:
            return PlainTextResponse("too slow", 408, headers={**_HEADERS, "Connection": "close"})
        line = typed(self._shown, body.decode("ascii", "replace"))
        taken = self._shown.taken
        # One at a time: a second click is another move only once the game has taken the first.
        if line is None or self._moved_at == taken:
            return PlainTextResponse("not now", 409, headers=_HEADERS)
        self._moved_at = taken
        await run_in_threadpool(self._move, line)
        return PlainTextResponse("", 204, headers=_HEADERS)


def _is_ours(host: str, port: int) -> bool:
    """Whether a request addressed this computer by its IP address: a foreign page can only use a name that resolves to
    it."""
    name, colon, given = host.rpartition(":")
    if not colon or given != str(port):
        return False
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return name == "localhost"
    return True


def typed(shown: Shown, text: str) -> str | None:
    """A move from the page as a typed line (`move_line`); None if it is none, or nobody here is to move."""
    sight, found = shown.sight, _MOVE.fullmatch(text)
    if sight is None or found is None or not sight.here or not sight.fen:
        return None
    board = chess.Board(sight.fen, chess960=sight.chess960)
    return move_line(board, chess.parse_square(found[1]), chess.parse_square(found[2]), found[3])
