"""Requests and streams against a socket that sends what it is told to, byte by byte."""

from __future__ import annotations

import contextlib
import logging
import queue
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import urllib3

from tests.opponents.lichess.doubles import LONG_S
from voicechess.messages import Failure
from voicechess.opponents.lichess import transport as transport_module
from voicechess.opponents.lichess.login import AccessToken, server_address
from voicechess.opponents.lichess.transport import CONNECT_S, READ_S, LineStream, ServerFault, Transport

SECRET = "lip_secret0123456789"
TOKEN = AccessToken(SECRET)


class Socket:
    """A server of one answer after the other, and what it was asked. An answer is what is sent; None: hangs up."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.requests: list[str] = []
        self.answers: queue.SimpleQueue[bytes | Callable[[socket.socket], None]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            told = b""
            while b"\r\n\r\n" not in told:
                block = connection.recv(4096)
                if not block:
                    return
                told += block
            length = re.search(rb"Content-Length: (\d+)", told)
            while length is not None and len(told.partition(b"\r\n\r\n")[2]) < int(length[1]):
                told += connection.recv(4096)
            self.requests.append(told.decode())
            answer = self.answers.get()
            if callable(answer):
                answer(connection)
            else:
                connection.sendall(answer)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def far() -> Iterator[Socket]:
    one = Socket()
    yield one
    one.close()


class Time:
    """Seconds that a test moves."""

    def __init__(self) -> None:
        self.s = 1_000.0

    def __call__(self) -> float:
        return self.s


def answer(status: str = "200 OK", body: bytes = b'{"ok":true}', /, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "Connection: close", "", ""]).encode() + body


def chunks(*parts: bytes, whole: bool = True) -> bytes:
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body + (b"0\r\n\r\n" if whole else b"")


def fault(ask: Callable[[], object]) -> ServerFault:
    with pytest.raises(ServerFault) as raised:
        ask()
    return raised.value


# --- requests ---


def drip(head: bytes, ended: threading.Event) -> Callable[[socket.socket], None]:
    """Sends this, and then a byte again and again, until nobody reads it any more."""

    def answer(connection: socket.socket) -> None:
        pause = threading.Event()
        with contextlib.suppress(OSError):
            connection.sendall(head)
            while not pause.wait(0.01):
                connection.sendall(b"x")
        ended.set()

    return answer


DRIPS = [
    b"HTTP/1.1 200 OK\r\nX: ",
    b"HTTP/1.1 200 ",
    b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
    b"HTTP/1.1 400 Bad\r\nContent-Length: 1000000\r\n\r\n",
]


@pytest.mark.parametrize("head", DRIPS)
def test_an_answer_that_drips_has_an_end(far: Socket, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The socket's timeout begins anew with each byte (issue 49, 23)."""
    monkeypatch.setattr(transport_module, "REQUEST_S", 0.5)
    transport, ended = Transport(far.address, TOKEN), threading.Event()
    far.answers.put(drip(head, ended))
    found = fault(lambda: transport.ask("POST", "/api/board/game/abcdefgh/move/e2e4"))
    assert (found.reason, found.acted) == ("silent", True)
    assert ended.wait(LONG_S)  # its connection is given back
    monkeypatch.setattr(transport_module, "REQUEST_S", LONG_S)
    far.answers.put(answer())
    assert transport.ask("GET", "/api/account") == b'{"ok":true}'


@pytest.mark.parametrize("head", DRIPS[:2])
def test_a_stream_whose_headers_drip_has_an_end(far: Socket, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "REQUEST_S", 0.5)
    ended = threading.Event()
    far.answers.put(drip(head, ended))
    assert fault(lambda: Transport(far.address, TOKEN).stream("GET", "/api/stream/event")).reason == "silent"
    assert ended.wait(LONG_S)


def test_a_request_carries_the_token_and_gets_the_answer(far: Socket) -> None:
    far.answers.put(answer("200 OK", b'{"id":"anna"}'))
    assert Transport(far.address, TOKEN).ask("GET", "/api/account") == b'{"id":"anna"}'
    (request,) = far.requests
    assert request.startswith("GET /api/account HTTP/1.1\r\n")
    assert f"Authorization: Bearer {SECRET}\r\n" in request
    assert "User-Agent: voicechess/" in request and "Accept-Encoding: identity" in request


def test_a_password_for_this_host_in_netrc_does_not_take_the_tokens_place(
    far: Socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login anna password other\n")
    monkeypatch.setenv("NETRC", str(netrc))
    transport = Transport(far.address, TOKEN)
    transport._session.trust_env = True  # as for a server elsewhere
    far.answers.put(answer())
    transport.ask("GET", "/")
    assert f"Authorization: Bearer {SECRET}\r\n" in far.requests[0]


def test_a_form_is_sent_as_one(far: Socket) -> None:
    far.answers.put(answer("201 Created"))
    Transport(far.address, TOKEN).ask("POST", "/api/challenge/ai", form={"level": "3", "clock.limit": "300"})
    assert "Content-Type: application/x-www-form-urlencoded" in far.requests[0]
    assert far.requests[0].endswith("level=3&clock.limit=300")


@pytest.mark.parametrize(
    ("status", "body", "reason", "detail", "acted"),
    [
        ("400 Bad Request", b'{"error":"Not your turn"}', "other", "Not your turn", False),
        ("400 Bad Request", b'{"error":{"clock.limit":["Invalid"]}}', "other", "Invalid", False),
        ("400 Bad Request", b"<html>", "other", "", False),
        ("400 Bad Request", b'{"error":"\\u001b[2J\\u0007red"}', "other", "red", False),
        ("401 Unauthorized", b"{}", "token", "", False),
        ("403 Forbidden", b"{}", "scope", "", False),
        ("404 Not Found", b"{}", "gone", "", False),
        ("500 Oh", b"{}", "server", "", True),
        ("502 Bad Gateway", b"<html>", "server", "", True),
        ("302 Found", b"", "server", "", True),
    ],
)
def test_what_a_status_means(far: Socket, status: str, body: bytes, reason: str, detail: str, acted: bool) -> None:
    far.answers.put(answer(status, body, Location="http://127.0.0.1:9/"))
    found = fault(lambda: Transport(far.address, TOKEN).ask("POST", "/x"))
    assert (found.reason, found.detail.strip(), found.acted) == (reason, detail, acted)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirection_is_not_followed(far: Socket, status: str) -> None:
    elsewhere = Socket()
    far.answers.put(answer(status, b"", Location=elsewhere.address + "/"))
    fault(lambda: Transport(far.address, TOKEN).ask("GET", "/x"))
    elsewhere.close()
    assert elsewhere.requests == [] and len(far.requests) == 1


@pytest.mark.parametrize(
    ("told", "wait_s"),
    [
        (None, 60),
        ("5", 60),
        ("90", 90),
        ("9999999999", 60),
        ("999999999", 86_400),
        ("-3", 60),
        ("soon", 60),
        ("Tue, 14 Nov 2023 22:15:20 GMT", 120),  # two minutes after the time of day below
        ("Tue, 14 Nov 2023 22:13:21 GMT", 60),
    ],
)
def test_after_429_nothing_is_sent_for_as_long_as_the_server_wants(far: Socket, told: str | None, wait_s: int) -> None:
    now = Time()
    transport = Transport(far.address, TOKEN, now=now, wall_s=lambda: 1_700_000_000.0)
    far.answers.put(answer("429 Too Many Requests", b"", **({} if told is None else {"Retry_After": told})))
    found = fault(lambda: transport.ask("POST", "/x"))
    assert (found.reason, found.wait_s, found.acted) == ("busy", wait_s, False)
    now.s += wait_s - 10
    found = fault(lambda: transport.stream("GET", "/y"))
    assert (found.reason, found.wait_s) == ("busy", 10)
    assert len(far.requests) == 1, "nothing was sent meanwhile"
    now.s += 10
    far.answers.put(answer())
    transport.ask("GET", "/z")


def test_without_a_server_nothing_was_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    found = fault(lambda: Transport(f"http://127.0.0.1:{port}", TOKEN).ask("POST", "/x"))
    assert (found.reason, found.acted) == ("network", False)


CERTIFICATE = urllib3.exceptions.SSLError(ssl.SSLCertVerificationError("self-signed certificate"))


@pytest.mark.parametrize(
    "cause",
    [
        urllib3.exceptions.NameResolutionError("chess.invalid", None, socket.gaierror()),  # type: ignore[arg-type]
        CERTIFICATE,
    ],
)
def test_an_unknown_name_or_somebody_elses_certificate_is_no_network(cause: Exception) -> None:
    class Nowhere(requests.Session):
        def request(self, *args: Any, **more: Any) -> requests.Response:
            raise requests.ConnectionError(urllib3.exceptions.MaxRetryError(None, "/", cause))  # type: ignore[arg-type]

    found = fault(lambda: Transport("https://chess.invalid", TOKEN, session=Nowhere).ask("POST", "/x"))
    assert (found.reason, found.acted) == ("network", False)


@pytest.mark.parametrize("sent", [b"", b"SSH-2.0-OpenSSH\r\n", answer()[:-3]])
def test_an_answer_that_breaks_off_may_have_been_acted_on(far: Socket, sent: bytes) -> None:
    far.answers.put(sent)
    found = fault(lambda: Transport(far.address, TOKEN).ask("POST", "/x"))
    assert (found.reason, found.acted) == ("lost", True)


def test_every_request_has_its_timeouts() -> None:
    seen: list[dict[str, Any]] = []

    class Late(requests.Session):
        def request(self, *args: Any, **more: Any) -> requests.Response:
            seen.append(more)
            raise requests.ReadTimeout if len(seen) == 1 else requests.ConnectTimeout

    transport = Transport("https://chess.example", TOKEN, session=Late)
    found = fault(lambda: transport.ask("POST", "/x"))
    assert (found.reason, found.acted) == ("silent", True)
    found = fault(lambda: transport.stream("GET", "/x"))
    assert (found.reason, found.acted) == ("network", False)
    assert [(one["timeout"], one["allow_redirects"], one["stream"]) for one in seen] == [
        ((CONNECT_S, READ_S), False, True)
    ] * 2


def test_an_endless_answer_is_cut_short(far: Socket) -> None:
    def flood(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        with contextlib.suppress(OSError):
            while True:
                connection.sendall(b"x" * 65_536)  # until the client hangs up

    far.answers.put(flood)
    assert fault(lambda: Transport(far.address, TOKEN).ask("GET", "/x")).reason == "garbage"


def test_one_request_at_a_time(far: Socket) -> None:
    began, may_end = threading.Event(), threading.Event()

    def slowly(connection: socket.socket) -> None:
        began.set()
        may_end.wait(LONG_S)
        connection.sendall(answer())

    far.answers.put(slowly)
    far.answers.put(answer())
    transport = Transport(far.address, TOKEN)
    first = threading.Thread(target=transport.ask, args=("GET", "/first"))
    first.start()
    assert began.wait(LONG_S)
    assert not transport._one_at_a_time.acquire(blocking=False)
    second = threading.Thread(target=transport.ask, args=("GET", "/second"))
    second.start()
    assert len(far.requests) == 1
    may_end.set()
    first.join(LONG_S)
    second.join(LONG_S)
    assert [request.split()[1] for request in far.requests] == ["/first", "/second"]


# --- streams ---


def test_a_stream_brings_lines_as_they_come(far: Socket) -> None:
    step = threading.Event()

    def slowly(connection: socket.socket) -> None:
        connection.sendall(chunks(b'{"a":', b'1}\n\n{"b"', whole=False))
        step.wait(LONG_S)
        connection.sendall(b"4\r\n:2}\n\r\n0\r\n\r\n")

    far.answers.put(slowly)
    stream = Transport(far.address, TOKEN).stream("GET", "/x")
    lines = stream.lines()
    assert [next(lines), next(lines)] == [b'{"a":1}', b""]
    step.set()
    assert list(lines) == [b'{"b":2}']
    stream.close()


def test_a_stream_without_chunks_is_read_as_it_comes_too(far: Socket) -> None:
    step = threading.Event()

    def slowly(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\none\n")
        step.wait(LONG_S)

    far.answers.put(slowly)
    lines = Transport(far.address, TOKEN).stream("GET", "/x").lines()
    assert next(lines) == b"one"
    step.set()
    assert list(lines) == []


@pytest.mark.parametrize(
    "sent", [chunks(b"one\n", b"two", whole=False), chunks(b"one\n", whole=False), chunks(b"one\ntwo")]
)
def test_a_stream_cut_in_a_line_or_between_lines_is_lost(far: Socket, sent: bytes) -> None:
    far.answers.put(sent)
    lines = Transport(far.address, TOKEN).stream("GET", "/x").lines()
    assert next(lines) == b"one"
    assert fault(lambda: next(lines)).reason == "lost"


@pytest.mark.parametrize("end", [b"\n{}\n", b"x"])
def test_a_line_without_an_end_is_garbage(far: Socket, end: bytes) -> None:
    far.answers.put(chunks(*[b"x" * 50_000] * 3, end))
    assert fault(lambda: list(Transport(far.address, TOKEN).stream("GET", "/x").lines())).reason == "garbage"


def begun(far: Socket) -> threading.Event:
    """The next stream has one line, and is open until this is set."""
    end = threading.Event()

    def send(connection: socket.socket) -> None:
        connection.sendall(chunks(b"one\n", whole=False))
        end.wait(LONG_S)

    far.answers.put(send)
    return end


def test_a_stream_can_be_ended_while_it_is_read(far: Socket) -> None:
    end = begun(far)
    stream = Transport(far.address, TOKEN).stream("GET", "/x")
    lines = stream.lines()
    assert next(lines) == b"one"
    rest: list[bytes] = []
    reader = threading.Thread(target=lambda: rest.extend(lines))
    reader.start()
    stream.stop()
    reader.join(LONG_S)
    assert not reader.is_alive() and rest == []
    end.set()


def test_closing_the_transport_ends_its_streams(far: Socket) -> None:
    end = begun(far)
    transport = Transport(far.address, TOKEN)
    lines = transport.stream("GET", "/x").lines()
    assert next(lines) == b"one"
    transport.close()
    assert list(lines) == []
    end.set()
    assert fault(lambda: transport.ask("GET", "/y")).reason == "closed"


class Dripping:
    """A body of single bytes that take a second each."""

    def __init__(self, time: Time, text: bytes, seconds: float) -> None:
        self._time, self._text, self._seconds = time, list(text), seconds

    def read1(self, amt: int, decode_content: bool) -> bytes:
        assert not decode_content and amt > 0
        self._time.s += self._seconds
        return bytes([self._text.pop(0)]) if self._text else b""

    def shutdown(self) -> None:
        raise ValueError


def test_single_bytes_are_no_sign_of_life() -> None:
    time = Time()
    stream = LineStream(Dripping(time, b"{" * 100, 6.0), lambda: None, time, 20.0)
    assert fault(lambda: list(stream.lines())).reason == "silent"
    assert time.s == 1_024.0


def test_a_stream_in_which_nothing_need_come_ends_in_order() -> None:
    class Silent(Dripping):
        def read1(self, amt: int, decode_content: bool) -> bytes:
            raise TimeoutError

    stream = LineStream(Silent(Time(), b"", 0.0), lambda: None, Time(), 60.0, silence_ends=True)
    assert list(stream.lines()) == []


def test_empty_lines_are() -> None:
    time = Time()
    stream = LineStream(Dripping(time, b"\n" * 100, 6.0), lambda: None, time, 20.0)
    assert len(list(stream.lines())) == 100
    stream.stop()


# --- the token, and where it may go ---


def test_the_token_is_shown_nowhere(
    far: Socket, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    transport = Transport(far.address, TOKEN)
    said = [repr(TOKEN), str(TOKEN), f"{TOKEN}", repr(transport.__dict__)]
    for sent in (answer("401 Unauthorized"), answer("500 No"), b"HTTP/1.1", answer("400 Bad", b'{"error":"x"}')):
        far.answers.put(sent)
        found = fault(lambda: transport.ask("POST", "/x"))
        chain: BaseException | None = found
        while chain is not None:
            said += [repr(chain), str(chain)]
            assert chain.__suppress_context__ or chain.__context__ is None
            chain = chain.__cause__
    printed = capsys.readouterr()
    assert SECRET not in "".join([*said, caplog.text, printed.out, printed.err])
    assert SECRET in far.requests[0], "it was sent, though"


@pytest.mark.parametrize("text", ["", "a b", "tökен", "a\nb", "a\r\nX: y", "x" * 5_000, "a-b"])
def test_what_cannot_be_a_token_is_none(text: str) -> None:
    with pytest.raises(Failure) as raised:
        AccessToken(text)
    assert raised.value.key == "online.bad_token"
    assert not raised.value.slots


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://lichess.org", "https://lichess.org"),
        ("https://lichess.org/", "https://lichess.org"),
        ("lichess.org", "https://lichess.org"),
        ("https://lichess.example:8443", "https://lichess.example:8443"),
        ("http://127.0.0.1:9663", "http://127.0.0.1:9663"),
        ("http://localhost:9663/", "http://localhost:9663"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_a_servers_address(given: str, used: str) -> None:
    assert server_address(given) == used


@pytest.mark.parametrize(
    "given",
    [
        "",
        "http://lichess.org",
        "http://192.168.1.5:9663",
        "http://localhost.evil.example",
        "ftp://lichess.org",
        "https://anna:secret@lichess.org",
        "https://lichess.org/path",
        "https://lichess.org?x",
        "https://",
        "https://lichess.org:99999",
        "https://lichéss.org",
        "https://lichess.org\\@evil.example",
        "javascript:alert(1)",
        "https://[::1",
    ],
)
def test_an_address_where_the_token_must_not_go(given: str) -> None:
    with pytest.raises(Failure) as raised:
        server_address(given)
    assert raised.value.key == "online.bad_server"
