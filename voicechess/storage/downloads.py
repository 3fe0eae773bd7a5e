"""Downloads a file from an untrusted server.

A download resumes after a break and never exceeds its limits: lengths, ranges and redirects are checked. What was
received stays in a `.part` file, where the next attempt continues; the SHA-256 tells whether the whole is the right
file.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urljoin

import requests
import urllib3

from voicechess import unreached
from voicechess.deadline import within
from voicechess.messages import Failure, Phrase, Text
from voicechess.storage.archives import writing_failed

Progress = Callable[[int, int | None], None]
"""Called with the bytes received so far and in total (None: unknown)."""

_BLOCK = 1 << 16  # bytes read at once
_TIMEOUT_S = 30.0  # of the socket
_FRUITLESS_ATTEMPTS = 4  # consecutive, before giving up
_ANSWER_S = 60.0  # for an answer's beginning, or its next block; the socket's timeout restarts with each byte
_SLOWEST_BYTES_PER_S, _PACE_S = 1000, 60.0  # slower than that for this time is given up: 50 MB would take half a day
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Request:
    """What to download."""

    url: str
    target: Path
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A complete file."""

    path: Path
    in_one_piece: bool  # received by this call on one connection, so it cannot be two halves


class _Broken(Exception):
    """The connection broke; another attempt may help. `reason`: part of a sentence."""

    def __init__(self, reason: Phrase | Text) -> None:
        super().__init__(str(reason))
        self.reason = reason


class _TooSlow(_Broken):
    """Bytes arrive too slowly to be worth waiting for."""


class _Pace:
    """Rate of received bytes, over all attempts."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began_s = clock()
        self._bytes = 0

    def received(self, count: int) -> None:
        """Count received bytes. Raises _TooSlow after a minute with too few."""
        self._bytes += count
        passed_s = self._clock() - self._began_s
        if passed_s >= _PACE_S:
            if self._bytes < _SLOWEST_BYTES_PER_S * passed_s:
                raise _TooSlow(Phrase("unreached.silent"))
            self._began_s, self._bytes = self._clock(), 0


def download(
    request: Request,
    progress: Progress | None = None,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Downloaded:
    """Download to `request.target`. An existing target is complete and used as it is.

    `pause` waits and `clock` returns the time, in seconds. A server that is too slow is given up like one that breaks
    off.

    Raises Failure: "model.bad_address", "model.no_connection", "model.http_error", "model.interrupted",
    "model.too_large", "model.bad_redirect", "model.no_room", "model.unwritable". Keeps what was received.
    """
    if not request.url.startswith(("https://", "http://")):
        raise Failure("model.bad_address", {"address": Text(request.url)})
    part = request.target.with_name(request.target.name + ".part")
    if request.target.exists():
        return Downloaded(request.target, False)
    in_one_piece = _size(part) == 0
    fruitless = 0
    pace = _Pace(clock)
    while True:
        before = _size(part)
        try:
            _attempt(request, part, progress, pace)
            break
        except _Broken as error:
            in_one_piece = False
            fruitless = 0 if _size(part) > before else fruitless + 1
            if fruitless >= _FRUITLESS_ATTEMPTS or isinstance(error, _TooSlow):
                raise _given_up(request, _size(part), error) from error
            pause(min(2.0**fruitless, 8.0))
        except OSError as error:
            raise writing_failed(error, part) from error
    part.replace(request.target)
    return Downloaded(request.target, in_one_piece)


def _given_up(request: Request, received: int, error: _Broken) -> Failure:
    if received:
        return Failure("model.interrupted", {"megabytes": received // 1_000_000}, status=1)
    return Failure("model.no_connection", {"address": Text(request.url), "reason": error.reason}, status=1)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _attempt(request: Request, part: Path, progress: Progress | None, pace: _Pace) -> None:
    """One connection. Raises _Broken if it ended early, Failure if another is pointless."""
    have = _size(part)
    headers = {"User-Agent": "voicechess", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with requests.Session() as session:
        session.auth = _no_login
        try:
            response = within(_ANSWER_S, lambda: _followed(session, request.url, headers))
        except _UNREACHED as error:
            raise _Broken(unreached.reason(error)) from error
        with response:
            _check_status(request, part, response.status_code)
            extent = _extent(response, have)
            if extent is None:  # a server that cannot resume has to start over
                part.unlink(missing_ok=True)
                raise _Broken(Phrase("unreached.garbage"))
            start, total = extent
            if total is not None and total > request.max_bytes:
                raise Failure("model.too_large", {"megabytes": request.max_bytes // 1_000_000}, status=1)
            with part.open("r+b" if part.exists() else "wb") as file:
                file.seek(start)
                file.truncate()
                received = _receive(response, file, start, request.max_bytes, total, progress, pace)
                file.flush()
                os.fsync(file.fileno())
    if total is not None and received != total:
        raise _Broken(Phrase("unreached.broke_off"))


_UNREACHED = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError)
"""Exceptions of the libraries without a (valid) answer."""

_MAX_REDIRECTS = 10


def _no_login(asked: requests.PreparedRequest) -> requests.PreparedRequest:
    """The request unchanged: without this, requests would send a password from ~/.netrc to wherever a download
    redirects."""
    return asked


def _followed(session: requests.Session, url: str, headers: dict[str, str]) -> requests.Response:
    """The answer after all redirects, which must stay on the web and never go from https to http. Raises Failure for
    others or too many, otherwise what requests raises."""
    for _ in range(_MAX_REDIRECTS):
        response = session.get(url, headers=headers, stream=True, timeout=_TIMEOUT_S, allow_redirects=False)
        if "Location" not in response.headers or not 300 <= response.status_code < 400:
            return response
        response.close()
        following = urljoin(url, response.headers["Location"])
        if not following.startswith("https://" if url.startswith("https://") else ("https://", "http://")):
            raise Failure("model.bad_redirect", {"address": Text(following)}, status=1)
        url = following
    raise Failure("model.bad_redirect", {"address": Text(url)}, status=1)


def _check_status(request: Request, part: Path, status: int) -> None:
    """Raises _Broken if another attempt may help, Failure if it is pointless."""
    if status < 300:
        return
    if status == 416:  # the partial file is no prefix of what is there now
        part.unlink(missing_ok=True)
    if status in (416, 429, 500, 502, 503, 504):
        raise _Broken(Phrase("unreached.status", {"status": Text(str(status))}))
    if status < 400:
        raise Failure("model.bad_redirect", {"address": Text(request.url)}, status=1)
    raise Failure("model.http_error", {"number": status, "address": Text(request.url)}, status=1)


def _extent(response: requests.Response, have: int) -> tuple[int, int | None] | None:
    """Offset of the answer's bytes, and the total size; None if they do not fit the partial file."""
    if response.status_code == 206:
        match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if match is not None and int(match[1]) <= have:
            return int(match[1]), None if match[3] == "*" else int(match[3])
        return None
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isascii() and length.isdigit() else None


def _receive(
    response: requests.Response,
    file: IO[bytes],
    start: int,
    most: int,
    total: int | None,
    progress: Progress | None,
    pace: _Pace,
) -> int:
    received = start
    while True:
        try:
            block: bytes = within(_ANSWER_S, lambda: response.raw.read1(_BLOCK, decode_content=False))
        except _UNREACHED as error:
            file.flush()
            raise _Broken(unreached.reason(error)) from error
        if not block:
            return received
        received += len(block)
        if received > most:
            raise Failure("model.too_large", {"megabytes": most // 1_000_000}, status=1)
        file.write(block)
        if progress is not None:
            progress(received, total)
        pace.received(len(block))
