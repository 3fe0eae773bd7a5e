"""Getting a file from a server, and unpacking an archive: neither is trusted.

A download goes on after a break and never takes more than allowed: lengths, ranges and redirections are checked. What
was received stays in a `.part` file, so that the next attempt continues there; whether the whole is the right file is
for its SHA-256 to say. Of a ZIP archive everything is checked before the first byte is written. It may lie about sizes,
but zipfile gives no more bytes of an entry than the entry says, and its checksum then fails.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import re
import shutil
import ssl
import stat
import time
import unicodedata
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from voicechess.deadline import within
from voicechess.messages import Failure, Text

# --- Downloading ---

Progress = Callable[[int, int | None], None]
"""Told the bytes received so far and those of the whole (None: the server does not say)."""

_BLOCK = 1 << 16
_TIMEOUT_S = 30.0
_FRUITLESS_ATTEMPTS = 4
_ANSWER_S = (
    60.0  # an answer's beginning, or its next bytes, take no longer; the socket's timeout begins anew with each byte
)
_SLOWEST_BYTES_PER_S, _PACE_S = 1000, 60.0  # slower for this time is no download: 50 MB would take half a day
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


@dataclass(frozen=True, slots=True)
class Request:
    """What to download: from where, to which file, and the most bytes it may have."""

    url: str
    target: Path
    most_bytes: int


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A complete file. `in_one_piece`: this call received it on one connection, so it cannot be two halves."""

    path: Path
    in_one_piece: bool


class _Broken(Exception):
    """The connection broke; another attempt may help."""


class _TooSlow(_Broken):
    """Bytes come, but so few that there is no use in waiting."""


class _Pace:
    """How quickly bytes come, over all attempts."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began_s = clock()
        self._bytes = 0

    def received(self, count: int) -> None:
        """This many bytes more. Raises _TooSlow after a minute with too few."""
        self._bytes += count
        passed_s = self._clock() - self._began_s
        if passed_s >= _PACE_S:
            if self._bytes < _SLOWEST_BYTES_PER_S * passed_s:
                raise _TooSlow("timed out")
            self._began_s, self._bytes = self._clock(), 0


class _OnlyWeb(urllib.request.HTTPRedirectHandler):
    """Follows redirections to the web only, and never from https to http."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """The request to follow with. Raises Failure when it leads somewhere else."""
        if not newurl.startswith("https://") and not (newurl.startswith("http://") and req.type == "http"):
            raise Failure("model.bad_redirect", {"address": Text(newurl)}, status=1)
        followed = super().redirect_request(req, fp, code, msg, headers, newurl)
        if followed is not None and "Range" in req.headers:
            followed.add_header("Range", req.headers["Range"])
        return followed


def download(
    request: Request,
    progress: Progress | None = None,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Downloaded:
    """Downloads into `request.target`. A target that is there is complete and taken as it is.

    `pause` waits and `clock` tells the time, in seconds. A server that is too slow to be of use is given up like one
    that breaks off.

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
    return Failure("model.no_connection", {"address": Text(request.url), "reason": Text(str(error))}, status=1)


def writing_failed(error: OSError, path: Path) -> Failure:
    """What to say when a file could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Failure("model.no_room", {"path": Text(str(path.parent))}, status=1)
    return Failure("model.unwritable", {"path": Text(str(path.parent))}, status=1)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _attempt(request: Request, part: Path, progress: Progress | None, pace: _Pace) -> None:
    """One connection. Raises _Broken when it ended early, Failure when there is no use in another."""
    have = _size(part)
    headers = {"User-Agent": "voicechess", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    opener = urllib.request.build_opener(_OnlyWeb)
    try:
        asked = urllib.request.Request(request.url, headers=headers)
        response = within(_ANSWER_S, lambda: opener.open(asked, timeout=_TIMEOUT_S))
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:  # what we have is no beginning of what is there now
            part.unlink(missing_ok=True)
            raise _Broken("416") from error
        if error.code in (429, 500, 502, 503, 504):
            raise _Broken(str(error.code)) from error
        if 300 <= error.code < 400:
            raise Failure("model.bad_redirect", {"address": Text(request.url)}, status=1) from error
        raise Failure("model.http_error", {"number": error.code, "address": Text(request.url)}, status=1) from error
    except ssl.SSLError as error:
        raise _Broken(str(error)) from error
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
        raise _Broken(str(getattr(error, "reason", error))) from error
    with response:
        extent = _extent(response, have)
        if extent is None:  # a server that does not know how to go on must begin again
            part.unlink(missing_ok=True)
            raise _Broken("Content-Range")
        start, total = extent
        if total is not None and total > request.most_bytes:
            raise Failure("model.too_large", {"megabytes": request.most_bytes // 1_000_000}, status=1)
        with part.open("r+b" if part.exists() else "wb") as file:
            file.seek(start)
            file.truncate()
            received = _receive(response, file, start, request.most_bytes, total, progress, pace)
            file.flush()
            os.fsync(file.fileno())
    if total is not None and received != total:
        raise _Broken("incomplete")


def _extent(response: http.client.HTTPResponse, have: int) -> tuple[int, int | None] | None:
    """Where the bytes of the answer begin, and how many the whole has; None when they fit nothing we have."""
    if response.status == 206:
        match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if match is not None and int(match[1]) <= have:
            return int(match[1]), None if match[3] == "*" else int(match[3])
        return None
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isascii() and length.isdigit() else None


def _receive(
    response: http.client.HTTPResponse,
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
            block = within(_ANSWER_S, lambda: response.read1(_BLOCK))
        except (http.client.HTTPException, OSError, ValueError) as error:
            file.flush()
            raise _Broken(str(error)) from error
        if not block:
            return received
        received += len(block)
        if received > most:
            raise Failure("model.too_large", {"megabytes": most // 1_000_000}, status=1)
        file.write(block)
        if progress is not None:
            progress(received, total)
        pace.received(len(block))


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in lower-case hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- Unpacking ---

_BLOCK = 1 << 16
_REGULAR = (0, stat.S_IFREG, stat.S_IFDIR)
_WINDOWS_DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may become: files and bytes altogether."""

    files: int = 1_000
    most_bytes: int = 2_000_000_000


def unpack(archive: Path, folder: Path, limits: Limits) -> None:
    """Unpacks `archive` into the empty folder `folder`, without the one folder that everything in it may share.

    Raises Failure: "model.bad_archive" (damaged, no archive, encrypted), "model.unsafe_archive" (names outside the
    folder, links, two names that are one file on some systems), "model.archive_too_large", "model.no_room".
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            _write(opened, _checked(opened.infolist(), limits), folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError) as error:
        raise Failure("model.bad_archive", status=1) from error
    except OSError as error:
        raise writing_failed(error, folder / "x") from error


def _unsafe(name: str) -> Failure:
    return Failure("model.unsafe_archive", {"name": Text(name.encode("ascii", "replace").decode()[:60])}, status=1)


def _checked(infos: list[zipfile.ZipInfo], limits: Limits) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """The files of the archive by where they go. Raises Failure."""
    files = [info for info in infos if not info.is_dir()]
    if len(infos) > limits.files or sum(info.file_size for info in infos) > limits.most_bytes:
        raise Failure("model.archive_too_large", status=1)
    for info in infos:
        _check_name(info)
    if not files:
        raise Failure("model.bad_archive", status=1)
    paths = [PurePosixPath(info.filename) for info in files]
    tops = {path.parts[0] for path in paths}
    shared = 1 if len(tops) == 1 and all(len(path.parts) > 1 for path in paths) else 0
    members = {PurePosixPath(*path.parts[shared:]): info for path, info in zip(paths, files, strict=True)}
    taken = {_folded(path) for path in members}
    folders = {_folded(parent) for path in members for parent in path.parents if parent.parts}
    if len(taken) != len(files) or taken & folders:
        raise _unsafe(str(paths[0]))
    return members


def _folded(path: PurePosixPath) -> str:
    """One name for all names that are the same file on systems that do not tell case or accents' encodings apart."""
    return unicodedata.normalize("NFC", str(path)).casefold()


def _check_name(info: zipfile.ZipInfo) -> None:
    name = info.filename
    parts = name.rstrip("/").split("/")
    if (
        name.startswith("/")
        or "\\" in name
        or ":" in name
        or any(ord(letter) < 32 for letter in name)
        or info.orig_filename != name  # zipfile cuts names at a NUL
        or any(part in ("", ".", "..") or part.endswith((" ", ".")) or len(part) > 120 for part in parts)
        or any(part.split(".")[0].casefold() in _WINDOWS_DEVICES for part in parts)
        or len(parts) > 8
        or stat.S_IFMT(info.external_attr >> 16) not in _REGULAR
    ):
        raise _unsafe(name)
    if info.flag_bits & 0x1:  # encrypted
        raise Failure("model.bad_archive", status=1)


def _write(opened: zipfile.ZipFile, members: dict[PurePosixPath, zipfile.ZipInfo], folder: Path) -> None:
    for path, info in members.items():
        target = folder.joinpath(*path.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(info) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file, _BLOCK)
            file.flush()
            os.fsync(file.fileno())


def sync_folders(folder: Path) -> None:
    """Writes the names in a folder and those below it through to the disk, where systems can."""
    for place, _, _ in os.walk(folder):
        sync_folder(Path(place))


def sync_folder(folder: Path) -> None:
    """Writes the names in one folder through to the disk."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
