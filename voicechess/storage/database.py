"""The journal's database file: opening, checks, and errors as sentences.

For writing (`connect`), for reading only (`connect_to_look`: also on a full or read-only disk), or as a writable copy
in memory (`connect_copy`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from voicechess import own_files
from voicechess.messages import Failure, Text

_APPLICATION = 0x766F6963  # "voic"; a foreign database is never written to
_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
CREATE TABLE event (
  game INTEGER NOT NULL REFERENCES game (id),
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "game": ("id", "started", "settings", "result", "termination"),
    "event": ("game", "number", "kind", "body"),
    "preference": ("name", "value"),
}
BUSY_S = 2.0
"""Timeout, seconds, of a statement that waits for another program's lock. Larger: a game waits longer."""

_PAUSE_S = 0.02

_WAL, _SHM = "-wal", "-shm"


class JournalError(Failure):
    """A problem with the journal. Keys below [sentences.journal]."""


@contextmanager
def spoken_errors(path: Path | None, looking: bool = False) -> Iterator[None]:
    """Translates errors of SQLite and the system into sentences; those for `looking` promise nothing about saving."""
    place = {"path": Text(str(path) if path else ":memory:")}
    try:
        yield
    except sqlite3.Error as error:
        key = _key(error)
        raise JournalError("journal.not_readable" if looking and key != "journal.damaged" else key, place) from error
    except OSError as error:
        raise JournalError("journal.not_readable" if looking else "journal.unwritable", place) from error


def _key(error: sqlite3.Error) -> str:
    match _code(error):
        case sqlite3.SQLITE_FULL:
            return "journal.full"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return "journal.damaged"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "journal.busy"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return "journal.unwritable"
        case sqlite3.SQLITE_CONSTRAINT:
            return "journal.taken"
        case sqlite3.SQLITE_ERROR | sqlite3.SQLITE_MISMATCH:  # foreign tables
            return "journal.damaged"
        case _:
            return "journal.disk"


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for errors of Python's module itself."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def connect(path: Path | None) -> sqlite3.Connection:
    """The database at `path`, created if missing; None: in memory. Raises JournalError.

    In WAL mode with every commit synced to disk; each statement outside a transaction is a transaction. Readable only
    by its owner.
    """
    patience = time.monotonic() + BUSY_S
    while True:
        try:
            return _open(path)
        except JournalError as error:
            # SQLite does not wait where two programs change a new database to WAL mode at once.
            if error.key != "journal.busy" or time.monotonic() >= patience:
                raise
        time.sleep(_PAUSE_S)


def _open(path: Path | None) -> sqlite3.Connection:
    with spoken_errors(path):
        if path is not None:
            own_files.make_folder(path.parent)
            with contextlib.suppress(FileExistsError):  # SQLite would make it world-readable
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        database = _connected(str(path or ":memory:"))
        try:
            _prepare(database, {"path": Text(str(path) if path else ":memory:")})
        except BaseException:
            database.close()
            raise
    if path is not None:
        _make_private(path)
    return database


def _connected(name: str, uri: bool = False) -> sqlite3.Connection:
    database = sqlite3.connect(name, timeout=BUSY_S, isolation_level=None, uri=uri)
    # Invalid text is rejected by its reader, and does not make the whole database fail.
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def _make_private(path: Path) -> None:
    """Restrict the permissions of a file that an earlier version left world-readable."""
    for name in (path.name, path.name + _WAL, path.name + _SHM):
        file = path.with_name(name)
        with contextlib.suppress(OSError):  # missing, somebody else's, or on a read-only disk
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def connect_to_look(path: Path) -> sqlite3.Connection:
    """The database at `path` for reading only; an empty one if there is none. Raises JournalError.

    Works on a full or read-only disk, where SQLite cannot create the companion files of WAL mode: without such files
    the database is complete, and one left by a killed program is copied to memory.
    """
    place = {"path": Text(str(path))}
    with spoken_errors(path, looking=True):
        if not path.exists():
            return connect(None)
        database = _opened_to_look(path)
        try:
            if _check_identity(database, place, looking=True):
                database.close()
                return connect(None)
            check_tables(database, place, _COLUMNS)
        except BaseException:
            database.close()
            raise
    return database


def _opened_to_look(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    try:
        return _looked_into(f"{address}?mode=ro")
    except sqlite3.OperationalError as error:
        if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise
    log = path.with_name(path.name + _WAL)
    if not log.exists() or log.stat().st_size == 0:
        return _looked_into(f"{address}?mode=ro&immutable=1")
    with own_files.brief_folder() as folder:
        for name in (path.name, log.name):
            shutil.copyfile(path.with_name(name), folder / name)
        with contextlib.closing(_looked_into((folder / path.name).as_uri())) as copied:
            return _in_memory(copied)


def _looked_into(address: str) -> sqlite3.Connection:
    """An open database that was read once, which proves that it can be."""
    database = _connected(address, uri=True)
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        database.close()
        raise
    return database


def connect_copy(path: Path) -> sqlite3.Connection:
    """A writable copy of the database at `path` in memory. Raises JournalError."""
    with contextlib.closing(connect_to_look(path)) as database, spoken_errors(path, looking=True):
        return _in_memory(database)


def _in_memory(database: sqlite3.Connection) -> sqlite3.Connection:
    copied = _connected(":memory:")
    database.backup(copied)
    return copied


@contextmanager
def transaction(database: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """A transaction: all or nothing."""
    database.execute(f"BEGIN {kind}")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # After most disk errors SQLite has rolled back itself, and a second error would hide the first.
        with contextlib.suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


def _prepare(database: sqlite3.Connection, place: dict[str, Text]) -> None:
    run = database.execute
    empty = _check_identity(database, place)  # before anything is written
    run("PRAGMA journal_mode=WAL")
    run("PRAGMA synchronous=FULL")
    run("PRAGMA foreign_keys=ON")
    if run("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise JournalError("journal.damaged", place)
    if empty:
        with transaction(database):
            if _looked(database, place):  # again: two programs may create it at once
                for statement in _SCHEMA.split(";")[:-1]:
                    run(statement)
                run(f"PRAGMA application_id={_APPLICATION}")
                run(f"PRAGMA user_version={_SCHEMA_VERSION}")
    check_tables(database, place, _COLUMNS)


def _check_identity(database: sqlite3.Connection, place: dict[str, Text], looking: bool = False) -> bool:
    """Whether the database is empty. Raises JournalError for a foreign or newer one.

    In one transaction, since another program may initialise it meanwhile.
    """
    with transaction(database, "DEFERRED"):
        return _looked(database, place, looking)


def _looked(database: sqlite3.Connection, place: dict[str, Text], looking: bool = False) -> bool:
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if application == 0 and database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        return True
    if application != _APPLICATION:
        raise JournalError("journal.foreign_file" if looking else "journal.foreign", place)
    if version > _SCHEMA_VERSION:
        raise JournalError("journal.newer_file" if looking else "journal.newer", place)
    return False


def check_tables(
    database: sqlite3.Connection, place: Mapping[str, Text], wanted: Mapping[str, tuple[str, ...]]
) -> None:
    """Whether these tables exist with these columns. Raises JournalError("journal.damaged")."""
    for table, columns in wanted.items():
        found = tuple(row[0] for row in database.execute("SELECT name FROM pragma_table_info(?)", (table,)))
        if found != columns:
            raise JournalError("journal.damaged", place)
