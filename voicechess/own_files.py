"""The one door through which the program reads and writes files of its own: calibration, logins, envelopes, manifests.

Anything may lie where such a file should: a pipe that nobody writes to, a device without an end, a gigabyte, a hundred
thousand brackets, a number of four hundred digits (issue 49). Nothing here waits, and every fault is an `Unreadable`,
which is an OSError. What is written is whole or not there at all, and nobody else can read it.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LARGEST = 1 << 20
"""Bytes of a file that are read, where nothing else is asked for; a longer one is refused."""

DEEPEST = 64
"""Brackets inside each other in JSON; ours have a handful."""

_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ ]*([.:].*)?", re.IGNORECASE)

IN_USE_S = 2.0
"""Seconds for which a file is tried again that another program has open on Windows; longer lets slower scanners end,
and saving waits for it."""

LEFT_AFTER_S = 86_400
"""A brief folder that is so old, in seconds, belongs to no program any more: none is used for longer than seconds."""

_BRIEF = "voicechess-brief-"
"""What such folders are called; `sound.render`, which imports nothing of the package, calls its own so too."""

_LONGEST_NUMBER = 18
"""Digits of a whole number: as many as fit into 64 bits, so that every one can also be taken as a float."""

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', re.DOTALL)


class Unreadable(OSError):
    """There is something, but it is not what this program writes: no regular file, too large, no text, no JSON."""


class TooLarge(Unreadable):
    """It has more bytes than are read."""


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """What is in a regular file. Raises FileNotFoundError where there is none, `Unreadable`, or another OSError."""
    try:
        # A pipe that nobody writes to would be waited for.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except NotADirectoryError as error:
        raise FileNotFoundError(path) from error
    except ValueError as error:  # a name that no file can have
        raise Unreadable(str(path)) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable(f"no regular file: {path}")
        content = file.read(largest + 1)
    if len(content) > largest:
        raise TooLarge(f"too large: {path}")
    return content


def read_text(path: Path, largest: int = LARGEST) -> str:
    """The same as text in UTF-8, with or without a mark at its beginning."""
    try:
        return read_bytes(path, largest).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"no text: {path}") from error


def read_json(path: Path, largest: int = LARGEST) -> Any:
    """The same as JSON (`parse_json`)."""
    try:
        return parse_json(read_text(path, largest))
    except ValueError as error:
        raise Unreadable(f"no JSON: {path}") from error


def parse_json(text: str, infinite: bool = False) -> Any:
    """JSON that is not nested deeply and has finite numbers only, or also infinite ones where they have a meaning.

    Raises ValueError for any other, and nothing else.
    """
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += bool(found[1]) - bool(found[2])
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
    number = _number if infinite else _finite
    return json.loads(text, parse_int=_whole, parse_float=number, parse_constant=number)


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError("too long a number")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if math.isnan(number):
        raise ValueError("no number")
    return number


def _finite(digits: str) -> float:
    number = _number(digits)
    if math.isinf(number):
        raise ValueError("no finite number")
    return number


def is_there(path: Path) -> bool:
    """Whether there is something; a name that is longer than any may be has nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def make_folder(path: Path) -> None:
    """A folder that nobody else can look into, and those above it that are missing. Raises OSError."""
    if path.is_dir():
        return
    if path.parent != path:
        make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


def put_in_place(fresh: Path, path: Path) -> None:
    """Give a file that is written the name of another, which is gone then. Raises OSError.

    Windows refuses that while a virus scanner or a synchronised folder has either open, mostly for some milliseconds:
    there it is tried again for `IN_USE_S`.
    """
    until = time.monotonic() + IN_USE_S
    while True:
        try:
            fresh.replace(path)
            return
        except PermissionError:
            if sys.platform != "win32" or path.is_dir() or time.monotonic() >= until:
                raise
        time.sleep(0.05)


def write_text(path: Path, text: str) -> None:
    """Write a file of ours in place of what is there: whole, on the disk, and only for its owner. Raises OSError."""
    make_folder(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
        put_in_place(fresh, path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


@contextlib.contextmanager
def brief_folder() -> Iterator[Path]:
    """An empty folder for a moment, among the system's temporary ones. Those that programs which were killed have left
    there are removed. Raises OSError."""
    _remove_left(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_BRIEF, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _remove_left(among: Path) -> None:
    with contextlib.suppress(OSError):
        for left in among.glob(f"{_BRIEF}*"):
            found = left.lstat()
            ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
            if ours and stat.S_ISDIR(found.st_mode) and time.time() - found.st_mtime > LEFT_AFTER_S:
                shutil.rmtree(left, ignore_errors=True)


def none_left(error: BaseException | None) -> bool:
    """Whether something failed because this process, or the system, has no file descriptor left: that passes."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            return True
        error = error.__cause__ or error.__context__
    return False


def may_be_written(path: Path) -> bool:
    """Whether something can be written there without waiting for a reader or going into a device: there is nothing, or
    a regular file. A folder is refused when it is written to. On Windows some names are devices in every folder and
    with every ending (Microsoft, "Naming Files, Paths, and Namespaces")."""
    if sys.platform == "win32" and _RESERVED.fullmatch(path.name):
        return False
    try:
        return stat.S_IFMT(path.stat().st_mode) in (stat.S_IFREG, stat.S_IFDIR)
    except (OSError, ValueError):
        return True
