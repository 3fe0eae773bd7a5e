"""Why a host was not reached is told in the player's words, whatever the libraries have wrapped it in."""

from __future__ import annotations

import http.server
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import requests

from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.messages import Phrase, Text
from voicechess.unreached import causes, reason


class Proxy(http.server.BaseHTTPRequestHandler):
    """Wants a password."""

    def do_CONNECT(self) -> None:
        self.send_response(407)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def asked(url: str, proxy: str = "") -> BaseException:
    with requests.Session() as session:
        session.trust_env = False
        try:
            session.get(url, proxies={"https": proxy} if proxy else {}, timeout=20)
        except requests.RequestException as error:
            return error
    raise AssertionError("it was reached")


def test_a_proxy_that_wants_a_password() -> None:
    with serving() as port:
        assert reason(asked("https://example.org/", f"http://127.0.0.1:{port}")) == Phrase("unreached.proxy")


def test_a_server_without_encryption() -> None:
    with serving() as port:
        assert reason(asked(f"https://127.0.0.1:{port}/")) == Phrase("unreached.no_tls")


def test_nobody_accepts() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        assert reason(asked(url)) == Phrase("unreached.refused")


def test_a_name_that_nobody_has() -> None:
    assert reason(asked("http://nobody.invalid/")) == Phrase("unreached.no_name")


@pytest.mark.parametrize(
    ("inner", "key"),
    [(ssl.SSLCertVerificationError(1, "self-signed"), "certificate"), (TimeoutError("timed out"), "silent")],
)
def test_however_deep_it_lies(inner: Exception, key: str) -> None:
    wrapped = requests.ConnectionError(OSError(OSError("x", inner)))
    told = Phrase(f"unreached.{key}")
    assert reason(wrapped) == told
    for language in LANGUAGES:
        assert Wording(language, strict=True).say(told)


def test_what_has_no_name_of_ours_is_told_in_the_systems_words() -> None:
    assert reason(requests.ConnectionError(OSError(5, "Input/output error."))) == Text("Input/output error")


def test_a_circle_of_causes_ends() -> None:
    first, second = OSError("a"), OSError("b")
    first.__cause__, second.__cause__ = second, first
    assert list(causes(first)) == [first, second]
