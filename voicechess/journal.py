"""Every event of every game on disk before anything that follows from it is said.

The journal is the game: a game goes on by replaying its events. SQLite in WAL mode with synchronous=FULL: without FULL
the last commit is lost in a power cut (https://www.sqlite.org/pragma.html#pragma_synchronous). A game that is being
played is locked by its process, so a second one neither offers nor continues it.

Nothing here ends a game: `open_journal` always gives a journal, in memory if need be, and a `Recorder` keeps what could
not be written and writes it when the disk lets it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from voicechess.event_codec import CodecError, decode_event, decode_settings, encode_event, encode_settings
from voicechess.file_lock import ByteLock
from voicechess.game.events import Event
from voicechess.game.messages import Text
from voicechess.game.settings import GameSettings
from voicechess.journal_file import JournalError, connect, spoken_errors

__all__ = ["GameSummary", "Journal", "JournalError", "Recorder", "StoredGame", "open_journal"]

_SUMMARY = """
SELECT id, started, settings, result, termination,
  (SELECT count(*) FROM event WHERE event.game = game.id AND kind IN ('Heard', 'OpponentMoved'))
FROM game
"""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list. `result` None: not ended. `actions` counts what players said and engines moved."""

    id: int
    started: datetime
    settings: GameSettings
    result: str | None
    termination: str | None
    actions: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole game, to be replayed."""

    summary: GameSummary
    events: tuple[Event, ...]


class Journal:
    """An open journal; use it from one thread. Raises JournalError everywhere."""

    def __init__(self, path: Path | None) -> None:
        """Opens or makes the journal at `path`; None: in memory, gone with the program."""
        self.path = path
        self._database = connect(path)
        self._locks: ByteLock | None = None
        if path is not None:
            try:
                with spoken_errors(path):
                    self._locks = ByteLock(path.with_suffix(".lock"))
            except JournalError:
                self._database.close()
                raise

    def close(self) -> None:
        """Closes the database and releases the games. May be called twice."""
        self._database.close()
        if self._locks is not None:
            self._locks.close()

    # -- games -----------------------------------------------------------------------------------------------------

    def begin(self, settings: GameSettings, started: datetime | None = None) -> Recorder:
        """A new game, and what writes its events."""
        when = (started or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        with spoken_errors(self.path):
            row = self._database.execute(
                "INSERT INTO game (started, settings) VALUES (?, ?)", (when, encode_settings(settings))
            )
        assert row.lastrowid is not None
        self._lock(row.lastrowid)
        return Recorder(self, row.lastrowid, 0)

    def resume(self, game_id: int) -> Recorder:
        """What writes the further events of a game. Refused ("journal.taken") while another process plays it."""
        if not self._lock(game_id):
            raise JournalError("journal.taken", {"number": game_id})
        with spoken_errors(self.path):
            found = self._database.execute("SELECT count(*) FROM game WHERE id = ?", (game_id,)).fetchone()[0]
            last = self._database.execute("SELECT max(number) FROM event WHERE game = ?", (game_id,)).fetchone()[0]
        if not found:
            raise JournalError("journal.no_game", {"number": game_id})
        return Recorder(self, game_id, last or 0)

    def games(self) -> tuple[GameSummary, ...]:
        """All games that can be read, newest first."""
        with spoken_errors(self.path):
            rows = self._database.execute(_SUMMARY + "ORDER BY id DESC").fetchall()
        found = []
        for row in rows:
            with contextlib.suppress(CodecError, ValueError):
                found.append(_summary(row))
        return tuple(found)

    def game(self, game_id: int) -> StoredGame:
        """One game with its events. Keys: "journal.no_game", "journal.unreadable", "journal.newer_game"."""
        with spoken_errors(self.path):
            row = self._database.execute(_SUMMARY + "WHERE id = ?", (game_id,)).fetchone()
            bodies = self._database.execute(
                "SELECT number, body FROM event WHERE game = ? ORDER BY number", (game_id,)
            ).fetchall()
        if row is None:
            raise JournalError("journal.no_game", {"number": game_id})
        try:
            if [number for number, _ in bodies] != list(range(1, len(bodies) + 1)):
                raise CodecError("an event is missing")
            return StoredGame(_summary(row), tuple(decode_event(body) for _, body in bodies))
        except CodecError as error:
            key = "journal.newer_game" if error.newer else "journal.unreadable"
            raise JournalError(key, {"number": game_id}) from error
        except (TypeError, ValueError) as error:
            raise JournalError("journal.unreadable", {"number": game_id}) from error

    def unfinished(self) -> Iterator[GameSummary]:
        """The games begun in earnest that have not ended and that no other process plays now, newest first."""
        for game in self.games():
            if game.result is None and game.actions > 0 and self._lock(game.id):
                self.release(game.id)
                yield game

    def _lock(self, game_id: int) -> bool:
        return self._locks is None or self._locks.take(game_id)

    def release(self, game_id: int) -> None:
        if self._locks is not None:
            self._locks.release(game_id)

    def write_events(self, game_id: int, first: int, events: list[Event]) -> None:
        rows = [
            (game_id, first + index, type(event).__name__, encode_event(event)) for index, event in enumerate(events)
        ]
        with spoken_errors(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
                self._database.execute("COMMIT")
            except sqlite3.Error:
                with contextlib.suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                raise

    def write_end(self, game_id: int, result: str, termination: str) -> None:
        with spoken_errors(self.path):
            self._database.execute(
                "UPDATE game SET result = ?, termination = ? WHERE id = ?", (result, termination, game_id)
            )

    # -- preferences -----------------------------------------------------------------------------------------------

    def preference(self, name: str) -> str | None:
        """What was kept under this name."""
        with spoken_errors(self.path):
            row = self._database.execute("SELECT value FROM preference WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_preference(self, name: str, value: str) -> None:
        """Keeps a text under a name, for the next start."""
        with spoken_errors(self.path):
            self._database.execute("INSERT OR REPLACE INTO preference VALUES (?, ?)", (name, value))

    def usual(self) -> GameSettings | None:
        """Last time's choice ("wie immer"); None when there is none that can be read."""
        text = self.preference("usual")
        try:
            return None if text is None else decode_settings(text)
        except CodecError:
            return None

    def set_usual(self, settings: GameSettings) -> None:
        """Keeps the choice for next time."""
        self.set_preference("usual", encode_settings(settings))


class Recorder:
    """Writes one game's events.

    When the disk refuses, events are kept and written together as soon as it takes them again. Only the first refusal
    raises; until everything has been written once more, the further ones are known already.
    """

    def __init__(self, journal: Journal, game_id: int, last: int) -> None:
        self.game_id = game_id
        self._journal = journal
        self._last = last
        self._waiting: list[Event] = []
        self._end: tuple[str, str] | None = None
        self._said = False

    @property
    def complete(self) -> bool:
        """Whether everything is on disk."""
        return not self._waiting and self._end is None

    def append(self, *events: Event) -> None:
        """Writes them, all or none; on disk when this returns. Raises JournalError once; they are kept anyway."""
        self._waiting += events
        self._write()

    def end(self, result: str, termination: str) -> None:
        """Writes how the game ended ("1-0", "0-1", "1/2-1/2", "*"). Raises JournalError as `append` does."""
        self._end = (result, termination)
        self._write()

    def _write(self) -> None:
        try:
            if self._waiting:
                self._journal.write_events(self.game_id, self._last + 1, self._waiting)
                self._last += len(self._waiting)
                self._waiting.clear()
            if self._end is not None:
                self._journal.write_end(self.game_id, *self._end)
                self._end = None
        except JournalError:
            if not self._said:
                self._said = True
                raise
        else:
            self._said = False

    def release(self) -> None:
        """Lets other processes continue this game."""
        self._journal.release(self.game_id)


def _summary(row: tuple[int, str, str, str | None, str | None, int]) -> GameSummary:
    number, started, settings, result, termination, actions = row
    return GameSummary(number, datetime.fromisoformat(started), decode_settings(settings), result, termination, actions)


def open_journal(path: Path) -> tuple[Journal, JournalError | None]:
    """The journal at `path`, whatever it takes, and what has to be said about it.

    A damaged one is renamed, never deleted, and a new one begun; where nothing can be written, games are kept in
    memory.
    """
    try:
        return Journal(path), None
    except JournalError as error:
        if error.key != "journal.damaged":
            return Journal(None), _in_memory(error, path)
    try:
        kept = _set_aside(path)
        return Journal(path), JournalError("journal.set_aside", {"path": Text(str(kept))})
    except OSError:
        return Journal(None), JournalError("journal.memory_only", {"path": Text(str(path))})
    except JournalError as error:
        return Journal(None), _in_memory(error, path)


def _in_memory(error: JournalError, path: Path) -> JournalError:
    """What to say when there is no file to write to later: some errors promise that the game will be saved yet."""
    lasting = error.key in ("journal.unwritable", "journal.foreign", "journal.newer")
    return error if lasting else JournalError("journal.memory_only", {"path": Text(str(path))})


def _set_aside(path: Path) -> Path:
    """Renames the database with its companions to the first free name; returns it."""
    number = 1
    while (kept := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    path.replace(kept)
    for companion in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + companion).replace(kept.with_name(kept.name + companion))
    return kept
