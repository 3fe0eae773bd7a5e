"""The server's address, the token that allows to play there, and where it is kept. Nothing here sends anything.

A start of the program only has to know whether somebody has logged in; what sends is loaded when they go there. The
token goes into the system's keyring where there is one, else into a file that only its owner can read. It stands in no
log, no journal, no setting and no message.
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
"""The server where nothing else is asked for."""

_TOKEN_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_LONGEST_TOKEN = 4096
_SERVICE = "voicechess"  # in the keyring
_LONGEST_FILE = 1 << 16


class AccessToken:
    """What allows to play on an account: shown nowhere, not even where something goes wrong."""

    def __init__(self, text: str) -> None:
        """Raises Failure when it cannot be one; nothing else could be sent in a header."""
        if not 0 < len(text) <= _LONGEST_TOKEN or not _TOKEN_CHARACTERS.issuperset(text):
            raise Failure("online.bad_token")
        self._text = text

    def reveal(self) -> str:
        """The token itself, to send or to keep."""
        return self._text

    def __repr__(self) -> str:
        return "AccessToken(…)"


def server_address(text: str) -> str:
    """The address of a server as it is used: scheme and host. Raises Failure.

    Without TLS only on this machine: the token would be there for all to read.
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
    """Whether it is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
        """The token; None: nobody has logged in. Raises Failure ("online.damaged") for a file that makes no sense."""
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
        """What is in the file; nothing where it cannot be read or is damaged: it is about to be written anew."""
        try:
            return self._found()
        except OSError:
            return {}

    def _found(self) -> dict[str, str]:
        """What is in the file. Raises OSError where it cannot be read or is damaged."""
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
