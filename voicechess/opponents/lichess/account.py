"""Logging in at Lichess, and where the token is kept.

OAuth 2 with PKCE (RFC 7636, S256) as a native app does it (RFC 8252): the system's browser asks the player, and Lichess
sends it back to a port of this machine that only this program listens on. Clients are not registered there. A personal
token, made on the site, does as well.

The token goes into the system's keyring where there is one, else into a file that only its owner can read. It stands in
no log, no journal, no setting and no message.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import importlib
import json
import os
import queue
import re
import secrets
import threading
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import parse_qs, urlencode, urlsplit

from voicechess.messages import Failure, Text
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.transport import AccessToken, ServerFault, Transport, failure

SCOPES = ("board:play", "challenge:read", "challenge:write", "follow:read")
"""What the token is to allow: to play, to see and make challenges, and to see whom one follows (friends)."""

_CLIENT_ID = "voicechess"
_SERVICE = "voicechess"  # in the keyring
_WAIT_S = 600.0  # somebody may have to find their password
_CODE = re.compile(r"[A-Za-z0-9_]{1,4096}")
_LONGEST_FILE = 1 << 16


# --- logging in with the browser --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BrowserPages:
    """What the browser shows in the end: in which language, and the sentences for both outcomes."""

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
    """What came back from the browser: a code, or why there is none."""

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
    """Asks the player in the browser. `show` gets the address, for whom no browser opens.

    Raises Failure: denied, no answer within `wait_s` seconds, no network.
    """
    verifier, state = random(64), random(32)
    answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(state, pages, answers)) as receiver:
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
            with contextlib.suppress(webbrowser.Error, OSError):  # the address is shown
                browse(address)
            answer = answers.get(timeout=wait_s)
        except queue.Empty:
            raise Failure("online.login.too_late", status=1) from None
        finally:
            receiver.shutdown()
    if not answer.code:
        raise Failure("online.login.denied", {"detail": Text(answer.error)}, status=1)
    return _exchanged(transport, answer.code, verifier, redirect)


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
        """Takes what the browser was sent back with. Whatever does not know the state came from somebody else."""

        timeout = 10  # seconds; browsers open connections that they may need

        def do_GET(self) -> None:
            """The one request that counts."""
            parts = urlsplit(self.path)
            try:
                given = {name: values[0] for name, values in parse_qs(parts.query, max_num_fields=20).items()}
            except ValueError:
                given = {}
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
            """Nothing is logged: the code stands in the address."""

    return Redirected


# --- a personal token, and what a token is good for -------------------------------------------------------------------


def read_token(source: IO[str]) -> AccessToken:
    """A token from a file or from standard input. Raises Failure when it is none."""
    try:
        text = source.read(_LONGEST_FILE)
    except (OSError, ValueError) as error:  # ValueError: no text
        raise Failure("online.bad_token") from error
    return AccessToken(text.strip())


def missing_scopes(transport: Transport, token: AccessToken) -> tuple[str, ...]:
    """What the token does not allow and this program needs. Raises Failure: not valid, no network."""
    try:
        found = wire.scopes(transport.ask("POST", "/api/token/test", text=token.reveal()), token.reveal())
    except ServerFault as fault:
        raise failure(fault) from None
    if found is None:
        raise failure(ServerFault("token"))
    return tuple(scope for scope in SCOPES if scope not in found)


def revoke(transport: Transport) -> None:
    """Makes the server forget the token that `transport` sends. Raises Failure when it cannot be reached."""
    try:
        transport.ask("DELETE", "/api/token")
    except ServerFault as fault:
        if fault.reason != "token":  # it is not valid any more
            raise failure(fault) from None


# --- where it is kept -------------------------------------------------------------------------------------------------


class Keyring(Protocol):
    """The system's keyring, as the library of that name has it."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


def system_keyring(environ: Mapping[str, str] = os.environ) -> Keyring | None:
    """The system's keyring; None where there is none, or where everything is to lie in one folder."""
    if environ.get("VOICECHESS_HOME"):
        return None
    try:
        found = importlib.import_module("keyring").get_keyring()
        return found if found.priority >= 1 else None
    except Exception:  # its backends raise what they like: no library, no session bus, a broken setting
        return None


class TokenStore:
    """Keeps one token for each server. `file`: where there is no keyring, or where it refuses."""

    def __init__(self, server: str, file: Path, keyring: Keyring | None) -> None:
        self._server, self._file, self._keyring = server, file, keyring

    def read(self) -> AccessToken | None:
        """The token; None: nobody has logged in."""
        kept = None
        if self._keyring is not None:
            with contextlib.suppress(Exception):  # locked, gone, or whatever a backend raises
                kept = self._keyring.get_password(_SERVICE, self._server)
        kept = kept or self._kept().get(self._server)
        try:
            return AccessToken(kept) if isinstance(kept, str) else None
        except Failure:
            return None

    def keep(self, token: AccessToken) -> None:
        """Keeps it instead of the one before. Raises Failure when the disk refuses."""
        if self._in_keyring(token):
            self._write({name: text for name, text in self._kept().items() if name != self._server})
        else:
            self._write(self._kept() | {self._server: token.reveal()})

    def _in_keyring(self, token: AccessToken) -> bool:
        if self._keyring is None:
            return False
        try:
            self._keyring.set_password(_SERVICE, self._server, token.reveal())
            return self._keyring.get_password(_SERVICE, self._server) == token.reveal()
        except Exception:
            return False

    def forget(self) -> None:
        """Forgets it. Raises Failure when the disk refuses."""
        if self._keyring is not None:
            with contextlib.suppress(Exception):  # also when there is nothing to delete
                self._keyring.delete_password(_SERVICE, self._server)
        self._write({name: text for name, text in self._kept().items() if name != self._server})

    def _kept(self) -> dict[str, str]:
        """What is in the file; nothing where it cannot be read or is damaged."""
        try:
            with self._file.open(encoding="utf-8") as file:
                found = json.loads(file.read(_LONGEST_FILE))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {name: text for name, text in found.items() if isinstance(text, str)}

    def _write(self, kept: Mapping[str, str]) -> None:
        try:
            if not kept:
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary = self._file.with_name(self._file.name + ".new")
            temporary.unlink(missing_ok=True)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(dict(kept), file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self._file)
        except OSError:
            raise Failure("cli.unwritable", {"path": Text(str(self._file))}, status=1) from None
