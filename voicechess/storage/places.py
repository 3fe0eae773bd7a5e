"""Where this program keeps its files on each system, and locks between processes.

`VOICECHESS_HOME` puts everything into one folder (tests, portable installations). Otherwise: the XDG folders on Linux
(XDG Base Directory Specification 0.8), Application Support on macOS, LOCALAPPDATA on Windows. The system releases a
lock when its process dies, however it dies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

# --- Folders and files ---

_NAME = "voicechess"


def _home(environ: Mapping[str, str]) -> Path:
    """The home folder, or one that nobody can write to where there is none; then writing fails."""
    given = environ.get("HOME") or environ.get("USERPROFILE")
    if given:
        return Path(given)
    try:
        found = Path.home()
        if found == Path(found.anchor):  # what Python makes of a HOME that is set and empty
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


def models_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder of downloaded speech models."""
    return data_folder(environ, platform) / "models"


def checked_models_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Which speech models have been tried and found whole; may be deleted."""
    return data_folder(environ, platform) / "checked-models.json"


def measured_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """What was measured of speech models beside which nothing can be written."""
    return data_folder(environ, platform) / "measured"


def personal_file(language: str, environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """What was learnt about how its owner speaks a language."""
    return data_folder(environ, platform) / f"calibration-{language}.json"


def token_file(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The logins at servers, where the system has no keyring; only its owner may read it."""
    return data_folder(environ, platform) / "logins.json"


def settings_path(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The file of settings that a person edits."""
    return _folder("XDG_CONFIG_HOME", ".config", environ, platform) / "settings.toml"


# --- Locks ---


class ByteLock:
    """Locks single bytes of a file: many locks, one file, no leftovers.

    A lock excludes other processes; within one process it excludes nobody (POSIX record locks). Raises OSError when
    the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def take(self, number: int = 0) -> bool:
        """Takes lock `number` (0 or more); False when another process has it."""
        assert self._descriptor is not None
        try:
            if sys.platform == "win32":
                import msvcrt

                os.lseek(self._descriptor, number, os.SEEK_SET)
                msvcrt.locking(self._descriptor, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError:
            return False
        return True

    def release(self, number: int = 0) -> None:
        """Gives lock `number` back."""
        if self._descriptor is None:
            return
        if sys.platform == "win32":
            import msvcrt

            os.lseek(self._descriptor, number, os.SEEK_SET)
            msvcrt.locking(self._descriptor, msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, number)

    def close(self) -> None:
        """Releases everything. The file stays: removing it would let two processes lock two files of one name."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> ByteLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
