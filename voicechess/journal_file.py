"""The journal's database file: opened, checked, and its errors as sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from voicechess.failure import Failure
from voicechess.game.messages import Text

_APPLICATION = 0x766F6963  # "voic", so that a foreign database is never written to
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
_BUSY_S = 2.0


class JournalError(Failure):
    """Something is wrong with the journal. Keys below [sentences.journal]."""


@contextmanager
def spoken_errors(path: Path | None) -> Iterator[None]:
    """Turns what SQLite and the system say into sentences."""
    place = {"path": Text(str(path) if path else ":memory:")}
    try:
        yield
    except sqlite3.Error as error:
        raise JournalError(_key(error), place) from error
    except OSError as error:
        raise JournalError("journal.unwritable", place) from error


def _key(error: sqlite3.Error) -> str:
    match (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF:
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
        case sqlite3.SQLITE_ERROR | sqlite3.SQLITE_MISMATCH:  # tables that are not ours
            return "journal.damaged"
        case _:
            return "journal.disk"


def connect(path: Path | None) -> sqlite3.Connection:
    """The database at `path`, made when there is none; None: in memory. Raises JournalError.

    In WAL mode, every commit written through to the disk, each statement outside a transaction a transaction.
    """
    with spoken_errors(path):
        if path is not None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(path or ":memory:", timeout=_BUSY_S, isolation_level=None)
        try:
            _prepare(database, {"path": Text(str(path) if path else ":memory:")})
        except BaseException:
            database.close()
            raise
    return database


def _prepare(database: sqlite3.Connection, place: dict[str, Text]) -> None:
    run = database.execute
    empty = _check_identity(database, place)  # before anything is written
    run("PRAGMA journal_mode=WAL")
    run("PRAGMA synchronous=FULL")
    run("PRAGMA foreign_keys=ON")
    if run("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise JournalError("journal.damaged", place)
    if not empty:
        return
    run("BEGIN IMMEDIATE")
    try:
        if _check_identity(database, place):  # again: two programs may start for the first time at once
            for statement in _SCHEMA.split(";")[:-1]:
                run(statement)
            run(f"PRAGMA application_id={_APPLICATION}")
            run(f"PRAGMA user_version={_SCHEMA_VERSION}")
    except BaseException:
        run("ROLLBACK")
        raise
    run("COMMIT")


def _check_identity(database: sqlite3.Connection, place: dict[str, Text]) -> bool:
    """Whether the database is empty. Raises JournalError when it belongs to something else or to the future."""
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if application == 0 and database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        return True
    if application != _APPLICATION:
        raise JournalError("journal.foreign", place)
    if version > _SCHEMA_VERSION:
        raise JournalError("journal.newer", place)
    return False
