"""Locks between processes that the system releases when a process dies, however it dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType


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
