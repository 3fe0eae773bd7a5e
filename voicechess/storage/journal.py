"""The journal: every event of every game, on disk before anything that follows from it is said.

The journal is the game: a game is resumed by replaying its events. SQLite in WAL mode with synchronous=FULL: without
FULL a power cut loses the last commit (https://www.sqlite.org/pragma.html#pragma_synchronous). A game in progress is
locked by its process, so a second one neither offers nor resumes it.

Nothing here ends a game: `open_journal` always returns a journal, in memory if need be, and a `Recorder` keeps what
could not be written and writes it when the disk allows. Read-only callers open it for reading, which needs no write
access.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from voicechess.game.agreement import GameSettings
from voicechess.game.events import Event
from voicechess.laws.results import RESULTS
from voicechess.messages import Text
from voicechess.storage.codec import (
    CodecError,
    decode_event,
    decode_settings,
    encode_event,
    encode_settings,
    is_of_game,
)
from voicechess.storage.database import (
    BUSY_S,
    JournalError,
    connect,
    connect_copy,
    connect_to_look,
    spoken_errors,
    transaction,
)
from voicechess.storage.places import ByteLock

__all__ = ["GameSummary", "Journal", "JournalError", "Recorder", "StoredGame", "open_journal"]

_LAST_NUMBER = (1 << 63) - 1
"""SQLite's largest row id."""

_LAST_PLAYED = "last_played"
"""Preference with the number of the game played last."""

_SUMMARY = """
SELECT id, started, settings, result, termination,
  (SELECT count(*) FROM event WHERE event.game = game.id AND kind IN ('Heard', 'OpponentMoved'))
FROM game
"""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list."""

    id: int
    started: datetime
    settings: GameSettings
    result: str | None  # None: unfinished
    termination: str | None
    actions: int  # events of players and engines


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A complete game for replay."""

    summary: GameSummary
    events: tuple[Event, ...]


class Journal:
    """An open journal; belongs to one thread. Any method raises JournalError.

    `hidden`: why the games on disk are not visible in this one, which is in memory; None if they are.
    """

    def __init__(self, path: Path | None, *, looking: bool = False) -> None:
        """Open or create the journal at `path`; None: in memory, lost with the program.

        `looking`: read-only, without needing write access.
        """
        self.path = path
        self.hidden: JournalError | None = None
        self.renewed = False
        self._looking = looking
        self._played = 0  # the game recorded as the one played last
        self._database = connect_to_look(path) if looking and path is not None else connect(path)
        self._locks: ByteLock | None = None
        with self._spoken_errors():
            self._file = _identity(path)
        self._rescued: _Rows | None = None
        if path is not None and not looking:
            try:
                self._make_locks(path)
            except JournalError:
                self._database.close()
                raise

    @classmethod
    def copied(cls, path: Path) -> Journal:
        """A copy of the journal at `path` in memory: games can be resumed from it, but nothing is saved."""
        database = connect_copy(path)
        journal = cls(None)
        journal._database.close()
        journal._database = database
        return journal

    def _make_locks(self, path: Path) -> None:
        with spoken_errors(path):
            self._locks = ByteLock(path.with_suffix(".lock"))

    def _spoken_errors(self) -> AbstractContextManager[None]:
        return spoken_errors(self.path, self._looking)

    def close(self) -> None:
        """Close the database and release the games. May be called twice."""
        self._database.close()
        if self._locks is not None:
            self._locks.close()

    # -- games -----------------------------------------------------------------------------------------------------

    def begin(self, settings: GameSettings, started: datetime | None = None) -> Recorder:
        """Begin a new game; returns its recorder. If the disk refuses, its first event reports that, and the game is
        written once the disk allows."""
        when = (started or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        return Recorder(self, 0, 0, (when, encode_settings(settings)))

    def resume(self, game_id: int) -> Recorder:
        """The recorder of a resumed game. Refused ("journal.taken") while another process plays it."""
        if not 0 < game_id <= _LAST_NUMBER:
            raise JournalError("journal.no_game", {"number": game_id})
        if not self._lock(game_id):
            raise JournalError("journal.taken", {"number": game_id})
        with self._spoken_errors():
            found = self._database.execute("SELECT count(*) FROM game WHERE id = ?", (game_id,)).fetchone()[0]
            last = self._database.execute("SELECT max(number) FROM event WHERE game = ?", (game_id,)).fetchone()[0]
        if not found:
            raise JournalError("journal.no_game", {"number": game_id})
        if not isinstance(last or 0, int):
            raise JournalError("journal.unreadable", {"number": game_id})
        return Recorder(self, game_id, last or 0)

    def games(self) -> tuple[GameSummary, ...]:
        """All readable games, newest first."""
        with self._spoken_errors():
            rows = self._database.execute(_SUMMARY + "ORDER BY id DESC").fetchall()
        found = []
        for row in rows:
            with contextlib.suppress(CodecError, ValueError):
                found.append(_summary(row))
        return tuple(found)

    def game(self, game_id: int) -> StoredGame:
        """One game with its events. Keys: "journal.no_game", "journal.unreadable", "journal.newer_game"."""
        if not 0 < game_id <= _LAST_NUMBER:
            raise JournalError("journal.no_game", {"number": game_id})
        with self._spoken_errors():
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

    def by_last_played(self) -> tuple[GameSummary, ...]:
        """As `games`, but the one played last comes first, even if it was not begun last."""
        last = self.preference(_LAST_PLAYED)
        return tuple(sorted(self.games(), key=lambda game: str(game.id) != last))

    def unfinished(self) -> Iterator[GameSummary]:
        """Unfinished games with moves that no other process is playing, the one played last first, then the newest."""
        for game in self.by_last_played():
            if game.result is None and game.actions > 0 and (self._locks is None or self._locks.free(game.id)):
                yield game

    def _lock(self, game_id: int) -> bool:
        return self._locks is None or self._locks.take(game_id)

    def release(self, game_id: int) -> None:
        if self._locks is not None:
            self._locks.release(game_id)

    def write_game(self, started: str, settings: str, wait: bool = True) -> int:
        """Create a game, locked for this process; its number. `wait`: for another program's lock."""
        with self._writing(0, wait):
            row = self._database.execute("INSERT INTO game (started, settings) VALUES (?, ?)", (started, settings))
        assert row.lastrowid is not None
        self._lock(row.lastrowid)
        return row.lastrowid

    def write_events(self, game_id: int, first: int, events: list[Event], wait: bool = True) -> None:
        """Write these events, all or none, numbered from `first`."""
        rows = [
            (game_id, first + index, type(event).__name__, encode_event(event)) for index, event in enumerate(events)
        ]
        with self._writing(game_id, wait):
            self._database.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
            if self._played != game_id:
                self._database.execute("INSERT OR REPLACE INTO preference VALUES (?, ?)", (_LAST_PLAYED, str(game_id)))
        self._played = game_id

    def write_end(self, game_id: int, result: str, termination: str, wait: bool = True) -> None:
        """Write the result."""
        with self._writing(game_id, wait):
            self._database.execute(
                "UPDATE game SET result = ?, termination = ? WHERE id = ?", (result, termination, game_id)
            )

    @contextlib.contextmanager
    def _writing(self, game_id: int, wait: bool) -> Iterator[None]:
        """A transaction in the file at the journal's path."""
        with self._spoken_errors():
            if not self.in_place:
                self._renew(game_id)
            self._database.execute(f"PRAGMA busy_timeout = {int(BUSY_S * 1000) if wait else 0}")
            with transaction(self._database):
                yield

    # -- a file that is deleted while it is open -------------------------------------------------------------------

    @property
    def in_place(self) -> bool:
        """Whether the open file is still at its path: a deleted file can be written to, but is lost."""
        try:
            return self._rescued is None and _identity(self.path) == self._file
        except OSError:  # unknown; writing will tell
            return True

    def _renew(self, game_id: int) -> None:
        """Recreate the file with this game; the others are lost with it. Sets `renewed`, to be announced."""
        assert self.path is not None
        if self._rescued is None:
            if _identity(self.path) is not None:  # another file is there now: two programs would corrupt each other's
                raise JournalError("journal.replaced", {"path": Text(str(self.path))})
            run = self._database.execute
            self._rescued = _Rows(
                run("SELECT * FROM game WHERE id = ?", (game_id,)).fetchall(),
                run("SELECT * FROM event WHERE game = ?", (game_id,)).fetchall(),
            )
            # Before opening the new one: closing removes the log next to it by name.
            self._database.close()
        fresh = connect(self.path)
        try:
            with transaction(fresh):
                fresh.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?)", self._rescued.games)
                fresh.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", self._rescued.events)
        except BaseException:
            fresh.close()
            raise
        self._database, self._file, self._rescued, self.renewed = fresh, _identity(self.path), None, True
        self._played = 0
        if self._locks is not None:
            self._locks.close()
        self._make_locks(self.path)
        if game_id:
            self._lock(game_id)

    # -- preferences -----------------------------------------------------------------------------------------------

    def preference(self, name: str) -> str | None:
        """The value of a preference; None if it was never set."""
        with self._spoken_errors():
            row = self._database.execute("SELECT value FROM preference WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_preference(self, name: str, value: str) -> None:
        """Store a preference for later starts."""
        with self._spoken_errors():
            self._database.execute("INSERT OR REPLACE INTO preference VALUES (?, ?)", (name, value))

    def usual(self) -> GameSettings | None:
        """The terms chosen last ("wie immer"); None if there are none, or they cannot be read."""
        text = self.preference("usual")
        try:
            return None if text is None else decode_settings(text)
        except CodecError:
            return None

    def set_usual(self, settings: GameSettings) -> None:
        """Store the terms for next time."""
        self.set_preference("usual", encode_settings(settings))


class Recorder:
    """Writes one game's events.

    If the disk refuses, events are kept and written together as soon as it accepts them again. Only the first refusal
    raises; until everything has been written, further ones are no news, and the game does not wait for a lock that is
    still held.
    """

    def __init__(self, journal: Journal, game_id: int, last: int, beginning: tuple[str, str] | None = None) -> None:
        """`beginning`: start time and settings of a game that is not in the journal yet."""
        self.game_id = game_id
        """The game's number; 0 until it could be written."""
        self._journal = journal
        self._last = last
        self._beginning = beginning
        self._waiting: list[Event] = []
        self._end: tuple[str, str] | None = None
        self._refused = self._said = False
        if beginning is not None:
            try:
                self._begin()
            except JournalError:
                self._refused = True  # reported with the first event

    @property
    def complete(self) -> bool:
        """Whether everything is on disk."""
        return not self._waiting and self._beginning is None and self._end is None and self._journal.in_place

    def append(self, *events: Event) -> None:
        """Write these events, all or none; they are on disk when this returns. Raises JournalError once; they are kept
        anyway.

        "journal.renewed" is raised although they were written: the file had been deleted, and was recreated. Events
        that belong to no game, still queued when it began or resumed, are dropped: they would make the game unreadable.
        """
        self._waiting += filter(is_of_game, events)
        self._write()

    def end(self, result: str, termination: str) -> None:
        """Write the result (one of `RESULTS`). Raises JournalError as `append` does."""
        self._end = (result, termination)
        self._write()

    def _begin(self) -> None:
        if self._beginning is not None:
            self.game_id = self._journal.write_game(*self._beginning, wait=not self._refused)
            self._beginning = None

    def _write(self) -> None:
        try:
            self._begin()
            if self._waiting:
                self._journal.write_events(self.game_id, self._last + 1, self._waiting, wait=not self._refused)
                self._last += len(self._waiting)
                self._waiting.clear()
            if self._end is not None:
                self._journal.write_end(self.game_id, *self._end, wait=not self._refused)
                self._end = None
        except JournalError:
            self._refused = True
            if not self._said:
                self._said = True
                raise
        else:
            self._refused = self._said = False
            if self._journal.renewed:
                self._journal.renewed = False
                raise JournalError("journal.renewed", {"path": Text(str(self._journal.path))})

    def release(self) -> None:
        """Let other processes resume this game."""
        if self.game_id:
            self._journal.release(self.game_id)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of one game from a file that was deleted."""

    games: list[tuple[object, ...]]
    events: list[tuple[object, ...]]


def _identity(path: Path | None) -> tuple[int, int] | None:
    """The file at a path, by device and inode; None if there is none. Raises OSError if that cannot be determined."""
    if path is None:
        return None
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _summary(row: Sequence[object]) -> GameSummary:
    """A row of the list of games. Raises CodecError for invalid values."""
    number, started, settings, result, termination, actions = row
    if not (isinstance(number, int) and isinstance(actions, int)):
        raise CodecError("no numbers")
    if not (isinstance(started, str) and isinstance(settings, str)):
        raise CodecError("no texts")
    if not (result is None or (isinstance(result, str) and result in RESULTS)):
        raise CodecError("no result")
    if not (termination is None or isinstance(termination, str)):
        raise CodecError("no termination")
    try:
        when = datetime.fromisoformat(started)
        when.astimezone()  # the last representable date has no local time
    except (ValueError, OverflowError) as error:
        raise CodecError("no time") from error
    return GameSummary(number, when, decode_settings(settings), result, termination, actions)


def kept_preference(path: Path, name: str) -> str | None:
    """A preference in the journal at `path`; None also if that cannot be read."""
    try:
        with contextlib.closing(Journal(path, looking=True)) as journal:
            return journal.preference(name)
    except JournalError:
        return None


def open_journal(path: Path) -> tuple[Journal, JournalError | None]:
    """The journal at `path` in any circumstances, and what has to be said about it.

    A damaged one is renamed, never deleted, and a new one created; if nothing can be written, games are kept in memory,
    together with the readable ones on disk.
    """
    try:
        return Journal(path), None
    except JournalError as error:
        if error.key != "journal.damaged":
            return _in_memory(error, path)
    try:
        kept = _set_aside(path)
        return Journal(path), JournalError("journal.set_aside", {"path": Text(str(kept))})
    except OSError:
        return _in_memory(JournalError("journal.memory_only"), path)
    except JournalError as error:
        return _in_memory(error, path)


def _in_memory(error: JournalError, path: Path) -> tuple[Journal, JournalError]:
    """The readable games in memory, and what to say if there will be no file to write to: some errors promise that the
    game will still be saved."""
    lasting = error.key in ("journal.unwritable", "journal.foreign", "journal.newer")
    told = error if lasting else JournalError("journal.memory_only", {"path": Text(str(path))})
    try:
        return Journal.copied(path), told
    except JournalError as unreadable:
        journal = Journal(None)
        journal.hidden = unreadable
        return journal, told


def _set_aside(path: Path) -> Path:
    """Rename the database with its companion files to the first free name; returns it."""
    number = 1
    while (kept := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    path.replace(kept)
    for companion in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + companion).replace(kept.with_name(kept.name + companion))
    return kept
