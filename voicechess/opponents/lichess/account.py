"""Logging in at Lichess.

OAuth 2 with PKCE (RFC 7636, S256) as a native app does it (RFC 8252): the system's browser asks the player, and Lichess
redirects it to a local port that only this program listens on. Clients are not registered there. A personal token,
created on the site, works as well.

`login` stores the token.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import queue
import re
import secrets
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import IO
from urllib.parse import parse_qs, urlencode, urlsplit

from voicechess.messages import Failure, Text
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.login import AccessToken
from voicechess.opponents.lichess.transport import ServerFault, Transport, failure

SCOPES = ("board:play", "challenge:read", "challenge:write", "follow:read")
"""Scopes of the token: play, see and make challenges, and see whom one follows (friends)."""

_CLIENT_ID = "voicechess"
_WAIT_S = 600.0  # somebody may have to find their password
_CODE = re.compile(r"[A-Za-z0-9_]{1,4096}")
_LONGEST_FILE = 1 << 16


# --- logging in with the browser --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BrowserPages:
    """The final page in the browser: its language, and the sentences for both outcomes."""

    language: str
    done: str
    failed: str

    def page(self, done: bool) -> bytes:
        """One of them as HTML."""
        text = html.escape(self.done if done else self.failed)
        return (
            f'<!doctype html><html lang="{html.escape(self.language)}"><head><meta charset="utf-8">'
            f"<title>{text}</title></head><body><p>{text}</p></body></html>"
        ).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class _Answer:
    """The browser's answer: a code, or why there is none."""

    code: str = field(default="", repr=False)
    error: str = ""


def authorise(
    transport: Transport,
    pages: BrowserPages,
    show: Callable[[str], None],
    *,
    browse: Callable[[str], object] = webbrowser.open,
    random: Callable[[int], str] = secrets.token_urlsafe,
    wait_s: float = _WAIT_S,
) -> AccessToken:
    """Ask the player in the browser. `show` gets the address, in case no browser opens.

    Raises Failure: denied, no answer within `wait_s` seconds, no network.
    """
    verifier, state = random(64), random(32)
    answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
    with _Quiet(("127.0.0.1", 0), _handler(state, pages, answers)) as receiver:
        receiver.daemon_threads = True
        redirect = f"http://127.0.0.1:{receiver.server_address[1]}/"
        threading.Thread(target=receiver.serve_forever, args=(0.05,), name="login", daemon=True).start()
        try:
            address = f"{transport.server}/oauth?" + urlencode(
                {
                    "response_type": "code",
                    "client_id": _CLIENT_ID,
                    "redirect_uri": redirect,
                    "code_challenge_method": "S256",
                    "code_challenge": challenge(verifier),
                    "scope": " ".join(SCOPES),
                    "state": state,
                }
            )
            show(address)
            with contextlib.suppress(webbrowser.Error, OSError):  # the address is shown anyway
                browse(address)
            answer = answers.get(timeout=wait_s)
        except queue.Empty:
            raise Failure("online.login.too_late", status=1) from None
        finally:
            receiver.shutdown()
    if not answer.code:
        raise Failure("online.login.denied", {"detail": Text(answer.error)}, status=1)
    return _exchanged(transport, answer.code, verifier, redirect)


class _Quiet(ThreadingHTTPServer):
    """Ignores failing requests: whoever sent them, the browser's is still waited for."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Suppresses output in the middle of a login."""


def challenge(verifier: str) -> str:
    """The code challenge of a verifier (RFC 7636, section 4.2)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode("ascii")


def _exchanged(transport: Transport, code: str, verifier: str, redirect: str) -> AccessToken:
    """The token for a code. Raises Failure."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": verifier,
        "redirect_uri": redirect,
        "client_id": _CLIENT_ID,
    }
    try:
        found = wire.access_token(transport.ask("POST", "/api/token", form=form))
    except ServerFault as fault:
        if fault.reason == "other":
            raise Failure("online.login.denied", {"detail": Text(fault.detail)}, status=1) from None
        raise failure(fault) from None
    if found is None:
        raise failure(ServerFault("garbage"))
    return AccessToken(found)


def _handler(state: str, pages: BrowserPages, answers: queue.SimpleQueue[_Answer]) -> type[BaseHTTPRequestHandler]:
    class Redirected(BaseHTTPRequestHandler):
        """Handles the browser's redirect. Requests without the right state came from somebody else."""

        timeout = 10  # seconds; browsers open connections that they may need

        def do_GET(self) -> None:
            """The one request that counts."""
            try:
                parts = urlsplit(self.path)
                given = {name: values[0] for name, values in parse_qs(parts.query, max_num_fields=20).items()}
            except ValueError:  # "http://[::1", or too many fields
                self._show(404, False)
                return
            if parts.path != "/" or not secrets.compare_digest(given.get("state", "").encode(), state.encode()):
                self._show(404, False)
                return
            code = given.get("code", "")
            if _CODE.fullmatch(code):
                self._show(200, True)
                answers.put(_Answer(code=code))
            else:
                self._show(200, False)
                answers.put(_Answer(error=given.get("error_description") or given.get("error", "")))

        def _show(self, status: int, done: bool) -> None:
            body = pages.page(done)
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Logs nothing: the address contains the code."""

    return Redirected


# --- a personal token, and what a token is good for -------------------------------------------------------------------


def read_token(source: IO[str]) -> AccessToken:
    """Read a token from a file or from standard input. Raises Failure for an invalid one."""
    try:
        text = source.read(_LONGEST_FILE)
    except (OSError, ValueError) as error:  # ValueError: no text
        raise Failure("online.bad_token") from error
    return AccessToken(text.strip())


def missing_scopes(transport: Transport, token: AccessToken) -> tuple[str, ...]:
    """Scopes that this program needs and the token lacks. Raises Failure: invalid token, no network."""
    try:
        found = wire.scopes(transport.ask("POST", "/api/token/test", text=token.reveal()), token.reveal())
    except ServerFault as fault:
        raise failure(fault) from None
    if found is None:
        raise failure(ServerFault("token"))
    return tuple(scope for scope in SCOPES if scope not in found)


def revoke(transport: Transport) -> None:
    """Revoke the token that `transport` sends. Raises Failure if the server cannot be reached."""
    try:
        transport.ask("DELETE", "/api/token")
    except ServerFault as fault:
        if fault.reason != "token":  # it is not valid any more
            raise failure(fault) from None
