"""What stands between the player and the server: TLS that never begins or is somebody else's, and proxies.

Nobody was told anything then, so nothing may have been acted on. The keys beside this file are of these tests only.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.drivers.online_player import OnlinePlayer
from tests.opponents.lichess.doubles import LONG_S
from tests.opponents.lichess.test_transport import TOKEN, answer, fault
from voicechess.opponents.lichess import transport as transport_module
from voicechess.opponents.lichess.transport import Transport

CERTIFICATES = Path(__file__).parent / "certificates"

Serve = Callable[[socket.socket], None]


class Listener:
    """Serves each connection in a thread; `over` is set when one has ended."""

    def __init__(self, serve: Serve) -> None:
        self._serve, self.over = serve, threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            self._serve(connection)
        self.over.set()

    def close(self) -> None:
        self._socket.close()


Listens = Callable[[Serve], Listener]


@pytest.fixture
def listens() -> Iterator[Listens]:
    begun: list[Listener] = []

    def listen(serve: Serve) -> Listener:
        begun.append(Listener(serve))
        return begun[-1]

    yield listen
    for one in begun:
        one.close()


def request_of(connection: socket.socket) -> bytes:
    """A request's head."""
    told = b""
    while b"\r\n\r\n" not in told and (block := connection.recv(4096)):
        told += block
    return told


def drips(connection: socket.socket, head: bytes = b"") -> None:
    """The head, then a byte again and again until nobody reads it any more."""
    connection.sendall(head)
    pause = threading.Event()
    while not pause.wait(0.01):
        connection.sendall(b"\x00")


def waits(connection: socket.socket) -> None:
    """Says nothing until the other side hangs up."""
    while connection.recv(4096):
        pass


def shakes_hands_for_ever(connection: socket.socket) -> None:
    """A record of TLS that says it has 16 kB, a byte at a time."""
    connection.recv(4096)  # the other side has begun
    drips(connection, b"\x16\x03\x03\x40\x00")


def secure(name: str) -> Serve:
    """A server with that certificate, which answers one request."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / f"{name}.pem")

    def serve(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            request_of(wrapped)
            wrapped.sendall(answer())

    return serve


def tunnel(port: int) -> Serve:
    """A proxy that leads to a port here, wherever it was asked to."""

    def pump(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while block := source.recv(4096):
                target.sendall(block)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def serve(connection: socket.socket) -> None:
        request_of(connection)
        with socket.create_connection(("127.0.0.1", port)) as target:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            back = threading.Thread(target=pump, args=(target, connection), daemon=True)
            back.start()
            pump(connection, target)
            back.join(LONG_S)

    return serve


def through(monkeypatch: pytest.MonkeyPatch, proxy: int) -> Transport:
    """A transport to a server far away, by a proxy at a port here."""
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy}")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(CERTIFICATES / "authority.pem"))
    return Transport("https://chess.example", TOKEN)


@pytest.mark.parametrize("serve", [shakes_hands_for_ever, waits], ids=lambda serve: serve.__name__)
@pytest.mark.parametrize("kind", ["ask", "stream"])
def test_tls_that_never_begins_has_an_end_and_its_thread_and_socket_too(
    listens: Listens, monkeypatch: pytest.MonkeyPatch, serve: Serve, kind: str
) -> None:
    """Both end with the request, not with the socket's own timeout (issue 49, 23)."""
    monkeypatch.setattr(transport_module, "REQUEST_S", 0.5)
    monkeypatch.setattr(transport_module, "CONNECT_S", 100 * LONG_S)
    there = listens(serve)
    transport = Transport(f"https://127.0.0.1:{there.port}", TOKEN)
    before = {thread for thread in threading.enumerate() if thread.name == "deadline"}
    found = fault(lambda: getattr(transport, kind)("GET", "/api/account"))
    assert found.reason == "silent"
    assert there.over.wait(LONG_S), "the socket is given back"
    for thread in threading.enumerate():
        if thread.name == "deadline" and thread not in before:
            thread.join(LONG_S)
            assert not thread.is_alive(), "and the thread"


@pytest.mark.parametrize(
    "serve",
    [shakes_hands_for_ever, waits, lambda connection: drips(connection, b"HTTP/1.1 200 OK\r\nX: ")],
    ids=["handshake", "silence", "headers"],
)
def test_a_proxy_that_never_answers_has_an_end(listens: Listens, monkeypatch: pytest.MonkeyPatch, serve: Serve) -> None:
    monkeypatch.setattr(transport_module, "REQUEST_S", 0.5)
    monkeypatch.setattr(transport_module, "CONNECT_S", 100 * LONG_S)
    proxy = listens(serve)
    assert fault(lambda: through(monkeypatch, proxy.port).ask("POST", "/x")).reason == "silent"
    assert proxy.over.wait(LONG_S)


def test_behind_a_proxy_that_never_answers_tls_has_an_end(listens: Listens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "REQUEST_S", 0.5)
    monkeypatch.setattr(transport_module, "CONNECT_S", 100 * LONG_S)
    there = listens(shakes_hands_for_ever)
    proxy = listens(tunnel(there.port))
    assert fault(lambda: through(monkeypatch, proxy.port).ask("POST", "/x")).reason == "silent"
    assert there.over.wait(LONG_S) and proxy.over.wait(LONG_S)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("somebody_else", "network"), ("expired", "network"), ("self_signed", "network"), ("right", None)],
)
def test_the_token_goes_to_nobody_elses_certificate(
    listens: Listens, monkeypatch: pytest.MonkeyPatch, name: str, reason: str | None
) -> None:
    there = listens(secure(name))
    transport = through(monkeypatch, listens(tunnel(there.port)).port)
    if reason is None:
        assert transport.ask("POST", "/x") == b'{"ok":true}'
    else:
        found = fault(lambda: transport.ask("POST", "/x"))
        assert (found.reason, found.acted) == (reason, False)


def test_a_proxy_that_is_not_there_was_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    found = fault(lambda: through(monkeypatch, port).ask("POST", "/x"))
    assert (found.reason, found.acted) == ("network", False)


@pytest.mark.parametrize(
    "said",
    [
        *(b"", b"SSH-2.0-OpenSSH\r\n", b"\x00" * 70_000, b"HTTP/1.1 200 OK\r\n\r\nno TLS"),
        *(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", b"HTTP/1.1 502 Bad Gateway\r\n\r\n"),
    ],
)
def test_a_proxy_that_answers_nonsense_or_refuses_is_a_lost_connection(
    listens: Listens, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    def serve(connection: socket.socket) -> None:
        request_of(connection)
        connection.sendall(said)

    found = fault(lambda: through(monkeypatch, listens(serve).port).ask("POST", "/x"))
    assert found.reason in ("lost", "network")


def test_without_tls_a_proxy_may_say_what_it_likes(listens: Listens, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer is the server's then: an address without TLS is only taken on this machine (`server_address`)."""
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{listens(waits).port}")

    def serve(connection: socket.socket) -> None:
        request_of(connection)
        connection.sendall(answer())

    there = listens(serve)
    assert Transport(f"http://127.0.0.1:{there.port}", TOKEN).ask("GET", "/x") == b'{"ok":true}'


def nonsense(connection: socket.socket) -> None:
    request_of(connection)
    connection.sendall(b"SSH-2.0-OpenSSH\r\n")


def refuses(connection: socket.socket) -> None:
    request_of(connection)
    connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")


@pytest.mark.parametrize("proxy", [nonsense, refuses, waits, "self_signed", "expired", "somebody_else"])
def test_the_program_says_that_nothing_is_reached_and_goes_on(
    listens: Listens, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, proxy: Serve | str
) -> None:
    """A proxy that answers nothing is given up after the time for a request."""
    serve = tunnel(listens(secure(proxy)).port) if isinstance(proxy, str) else proxy
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{listens(serve).port}")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(CERTIFICATES / "authority.pem"))
    (tmp_path / "token").write_text(TOKEN.reveal())
    with OnlinePlayer(tmp_path, "https://chess.example", "play", "--token", str(tmp_path / "token")) as player:
        player.hears("Lichess ist nicht zu erreichen.")
        player.hears("Noch einmal versuchen?")
        player.type("hilfe")
        player.hears("Noch einmal versuchen?")
        player.type("nein")
        player.hears("Gegen die Maschine, mit Weiß")
        player.type("ende")
        assert player.ends() == 0
    assert not any("Traceback" in line for line in player.said)
