"""The server's address, the access token, and where it is stored. Nothing here sends anything.

At its start the program only has to know whether somebody has logged in; the client is imported on demand. The token
goes into the system's keyring if there is one, otherwise into a file that only its owner can read. It is in no log,
journal, setting or message.
"""

from __future__ import annotations

import contextlib
import importlib
import ipaddress
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from voicechess import own_files
from voicechess.messages import Failure, Text

LICHESS = "https://lichess.org"
"""The default server."""

_TOKEN_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_LONGEST_TOKEN = 4096
_SERVICE = "voicechess"  # in the keyring
_LONGEST_FILE = 1 << 16


class AccessToken:
    """The access token of an account: never shown, not even in errors."""

    def __init__(self, text: str) -> None:
        """Raises Failure if it cannot be a token; nothing else could be sent in a header."""
        if not 0 < len(text) <= _LONGEST_TOKEN or not _TOKEN_CHARACTERS.issuperset(text):
            raise Failure("online.bad_token")
        self._text = text

    def reveal(self) -> str:
        """The token itself, to send or to store."""
        return self._text

    def __repr__(self) -> str:
        return "AccessToken(…)"


def server_address(text: str) -> str:
    """A server's normalised address: scheme and host. Raises Failure.

    Without TLS only on this machine, since anybody could read the token.
    """
    refused = Failure("online.bad_server", {"address": Text(text[:100])})
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise refused from error
    if not host or parts.username or parts.password or parts.query or parts.fragment or parts.path not in ("", "/"):
        raise refused
    if parts.scheme not in ("https", "http") or (parts.scheme == "http" and not is_loopback(host)):
        raise refused
    if not text.isascii() or not all(c.isalnum() or c in "-.:" for c in host):
        raise refused
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port is None else f":{port}")


def is_loopback(host: str) -> bool:
    """Whether this is a loopback host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Keyring(Protocol):
    """The system's keyring; interface of the library `keyring`."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


def system_keyring(environ: Mapping[str, str] = os.environ) -> Keyring | None:
    """The system's keyring; None if there is none, or if everything is to be in one folder."""
    if environ.get("VOICECHESS_HOME"):
        return None
    try:
        found = importlib.import_module("keyring").get_keyring()
        return found if found.priority >= 1 else None
    except Exception:  # backends raise anything: no library, no session bus, a broken setting
        return None


class TokenStore:
    """Stores one token for each server. `file`: used without a keyring, or if that refuses."""

    def __init__(self, server: str, file: Path, keyring: Keyring | None) -> None:
        self._server, self._file, self._keyring = server, file, keyring

    def read(self) -> AccessToken | None:
        """The token; None if nobody has logged in. Raises Failure ("online.damaged") for an invalid file."""
        kept = None
        if self._keyring is not None:
            with contextlib.suppress(Exception):  # locked, gone, or whatever a backend raises
                kept = self._keyring.get_password(_SERVICE, self._server)
        try:
            kept = kept or self._found().get(self._server)
            return AccessToken(kept) if isinstance(kept, str) else None
        except (OSError, Failure):
            raise Failure("online.damaged", {"path": Text(str(self._file))}) from None

    def keep(self, token: AccessToken) -> None:
        """Store a token, replacing the previous one. Raises Failure for disk errors."""
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
        """Delete the token. Raises Failure for disk errors."""
        if self._keyring is not None:
            with contextlib.suppress(Exception):  # also if there is nothing to delete
                self._keyring.delete_password(_SERVICE, self._server)
        self._write({name: text for name, text in self._kept().items() if name != self._server})

    def _kept(self) -> dict[str, str]:
        """The file's contents; empty if unreadable or damaged, since it is about to be rewritten."""
        try:
            return self._found()
        except OSError:
            return {}

    def _found(self) -> dict[str, str]:
        """The file's contents. Raises OSError if unreadable or damaged."""
        try:
            found = own_files.read_json(self._file, _LONGEST_FILE)
        except FileNotFoundError:
            return {}
        if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
            raise own_files.Unreadable(str(self._file))
        return found

    def _write(self, kept: Mapping[str, str]) -> None:
        try:
            if not kept:
                self._file.unlink(missing_ok=True)
                return
            own_files.write_text(self._file, json.dumps(dict(kept), indent=1))
        except OSError:
            raise Failure("cli.unwritable", {"path": Text(str(self._file))}, status=1) from None
