"""Unpacks untrusted ZIP archives; SHA-256 of files, and syncing to disk.

An archive is checked completely before the first byte is written. It may lie about sizes, but zipfile returns no more
bytes of an entry than declared, and its checksum then fails.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from voicechess.messages import Failure, Text

_BLOCK = 1 << 16
_REGULAR = (0, stat.S_IFREG, stat.S_IFDIR)
_WINDOWS_DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an unpacked archive: files and total bytes."""

    files: int = 1_000
    max_bytes: int = 2_000_000_000


def unpack(archive: Path, folder: Path, limits: Limits) -> None:
    """Unpack `archive` into the empty folder `folder`, without a single top-level folder that everything in it may
    share.

    Raises Failure: "model.bad_archive" (damaged, no archive, encrypted), "model.unsafe_archive" (paths outside the
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
    """Target path -> file of the archive. Raises Failure."""
    files = [info for info in infos if not info.is_dir()]
    if len(infos) > limits.files or sum(info.file_size for info in infos) > limits.max_bytes:
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
    """The same name for all names that case-insensitive or Unicode-normalising file systems identify."""
    return unicodedata.normalize("NFC", str(path)).casefold()


def _check_name(info: zipfile.ZipInfo) -> None:
    name = info.filename
    parts = name.rstrip("/").split("/")
    if (
        name.startswith("/")
        or "\\" in name
        or ":" in name
        or any(ord(letter) < 32 for letter in name)
        or info.orig_filename != name  # zipfile truncates names at a NUL
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
    """Sync a folder and those below it to disk, where the system can."""
    for place, _, _ in os.walk(folder):
        sync_folder(Path(place))


def sync_folder(folder: Path) -> None:
    """Sync one folder to disk."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in lower-case hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def writing_failed(error: OSError, path: Path) -> Failure:
    """The Failure for a file that could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Failure("model.no_room", {"path": Text(str(path.parent))}, status=1)
    return Failure("model.unwritable", {"path": Text(str(path.parent))}, status=1)
