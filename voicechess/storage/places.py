"""Locations of the program's files on each system, and locks between processes.

`VOICECHESS_HOME` puts everything into one folder (tests, portable installations). Otherwise: the XDG folders on Linux
(XDG Base Directory Specification 0.8), Application Support on macOS, LOCALAPPDATA on Windows. The system releases a
lock when its process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import ClassVar

# --- Folders and files ---

_NAME = "voicechess"


def _home(environ: Mapping[str, str]) -> Path:
    """The home folder, or an unwritable one if there is none, so that writing fails later."""
    given = environ.get("HOME") or environ.get("USERPROFILE")
    if given:
        return Path(given)
    try:
        found = Path.home()
        if found == Path(found.anchor):  # Python's result for an empty HOME
            import pwd

            found = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (RuntimeError, ImportError, KeyError):
        return Path(os.devnull) / "home"
    return found


def _folder(xdg: str, beside_home: str, environ: Mapping[str, str], platform: str) -> Path:
    own = environ.get("VOICECHESS_HOME")
    if own:
        return Path(own)
    home = _home(environ)
    if platform == "darwin":
        return home / "Library" / "Application Support" / _NAME
    if platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData" / "Local") / _NAME
    given = environ.get(xdg, "")
    # The specification: a relative path is invalid and to be ignored.
    return (Path(given) if given.startswith("/") else home / beside_home) / _NAME


def data_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder of games and models; it may not exist yet."""
    return _folder("XDG_DATA_HOME", ".local/share", environ, platform)


def journal_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The database with all games."""
    return data_folder(environ, platform) / "games.sqlite"


def envelope_file(game_id: int, environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The envelope of an adjourned game, with the key of its sealed move."""
    return data_folder(environ, platform) / "envelopes" / f"{game_id}.json"


def page_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The file that redirects a browser to the board's page while that is served."""
    return data_folder(environ, platform) / "board.html"


def models_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder of downloaded speech models."""
    return data_folder(environ, platform) / "models"


def checked_models_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Record of speech models that were tried and found intact; may be deleted."""
    return data_folder(environ, platform) / "checked-models.json"


def measured_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Measurements of speech models in read-only folders."""
    return data_folder(environ, platform) / "measured"


def personal_file(language: str, environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The user's speaker adaptation for a language."""
    return data_folder(environ, platform) / f"calibration-{language}.json"


def token_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Access tokens, where the system has no keyring; readable only by its owner."""
    return data_folder(environ, platform) / "logins.json"


def settings_path(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The settings file that the user edits."""
    return _folder("XDG_CONFIG_HOME", ".config", environ, platform) / "settings.toml"


# --- Locks ---


class _LockFile:
    """A lock file as opened by this process: a single descriptor for all users, and a count per byte.

    POSIX drops all of a process's locks on a file when it closes any descriptor of it, and Windows refuses a byte that
    the same process has locked already. One descriptor with counts avoids both.
    """

    open_files: ClassVar[dict[tuple[int, int], _LockFile]] = {}
    """Open lock files by device and inode."""
    guard: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.users = 0
        self.held: Counter[int] = Counter()
        status = os.fstat(self.descriptor)
        self.identity = (status.st_dev, status.st_ino)

    @classmethod
    def opened(cls, path: Path) -> _LockFile:
        """The instance for this file, created if needed. Raises OSError."""
        with cls.guard:
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                found = cls.open_files.get((status.st_dev, status.st_ino))
                if found is not None:
                    found.users += 1
                    return found
            made = cls(path)
            made.users = 1
            cls.open_files[made.identity] = made
            return made

    def take(self, number: int) -> bool:
        with self.guard:
            if not self.held[number]:
                try:
                    self._lock(number)
                except OSError:
                    return False
            self.held[number] += 1
            return True

    def release(self, number: int) -> None:
        with self.guard:
            self.held[number] -= 1
            if not self.held[number]:
                self._unlock(number)

    def close(self) -> None:
        with self.guard:
            self.users -= 1
            if not self.users:
                del self.open_files[self.identity]
                os.close(self.descriptor)

    if sys.platform == "win32":

        def _lock(self, number: int) -> None:
            import msvcrt

            os.lseek(self.descriptor, number, os.SEEK_SET)
            msvcrt.locking(self.descriptor, msvcrt.LK_NBLCK, 1)

        def _unlock(self, number: int) -> None:
            import msvcrt

            os.lseek(self.descriptor, number, os.SEEK_SET)
            msvcrt.locking(self.descriptor, msvcrt.LK_UNLCK, 1)

    else:

        def _lock(self, number: int) -> None:
            import fcntl

            fcntl.lockf(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)

        def _unlock(self, number: int) -> None:
            import fcntl

            fcntl.lockf(self.descriptor, fcntl.LOCK_UN, 1, number)


class ByteLock:
    """Locks single bytes of a file: many locks, one file, nothing to clean up.

    A lock excludes other processes but nobody within this one, on every system. Libraries for locking (filelock,
    portalocker) lock whole files: that would take, and leave behind, a file for each game. Raises OSError if the file
    cannot be created.
    """

    def __init__(self, path: Path) -> None:
        self._file: _LockFile | None = _LockFile.opened(path)
        self._mine: set[int] = set()

    def take(self, number: int = 0) -> bool:
        """Take lock `number` (0 or more), which may be held already; False if another process has it."""
        assert self._file is not None
        if number not in self._mine:
            if not self._file.take(number):
                return False
            self._mine.add(number)
        return True

    def free(self, number: int = 0) -> bool:
        """Whether no other process has lock `number`; a lock held here stays held."""
        if number in self._mine:
            return True
        taken = self.take(number)
        self.release(number)
        return taken

    def release(self, number: int = 0) -> None:
        """Release lock `number`, if it is held."""
        if self._file is not None and number in self._mine:
            self._mine.remove(number)
            self._file.release(number)

    def close(self) -> None:
        """Release everything. The file stays: removing it would let two processes lock different files of one name."""
        if self._file is not None:
            for number in tuple(self._mine):
                self.release(number)
            self._file.close()
            self._file = None

    def __enter__(self) -> ByteLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
