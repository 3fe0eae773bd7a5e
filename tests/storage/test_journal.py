"""The journal: durable, shared, damaged, full, refused."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from voicechess.game.agreement import GameSettings, Player
from voicechess.game.events import Event, Heard, OpponentMoved, Started, Tick, Trouble
from voicechess.meaning import Reading, SpokenMove
from voicechess.messages import Text
from voicechess.online.lobby import LobbyLink
from voicechess.practice.effects import Examined
from voicechess.storage import database
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal, open_journal

SETTINGS = GameSettings(level=7, time="5+3", black=Player.VOICE)
SAID = Heard(at_ms=5, readings=(Reading(SpokenMove(to_file=4, to_rank=3)),), words="eva vier", began_ms=1, ended_ms=4)
EVENTS: tuple[Event, ...] = (Started(at_ms=0), SAID, OpponentMoved(at_ms=9, uci="e7e5"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "down" / "games.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    found = Journal(path)
    yield found
    found.close()


def full(journal: Journal, pages: int) -> None:
    """Lets the database grow no further than by so many pages: SQLite then reports a full disk."""
    used = journal._database.execute("PRAGMA page_count").fetchone()[0]
    journal._database.execute(f"PRAGMA max_page_count={used + pages}")


def test_games_come_back_as_they_were(path: Path, journal: Journal) -> None:
    record = journal.begin(SETTINGS, datetime(2026, 5, 1, 12, tzinfo=UTC))
    for event in EVENTS:
        record.append(event)
    record.end("1-0", "checkmate")
    journal.close()
    again = Journal(path)
    stored = again.game(record.game_id)
    assert stored.events == EVENTS
    assert stored.summary.settings == SETTINGS
    assert stored.summary.started == datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert (stored.summary.result, stored.summary.termination, stored.summary.actions) == ("1-0", "checkmate", 2)
    assert [game.id for game in again.games()] == [record.game_id]


def test_what_no_game_is_told_of_is_left_out(journal: Journal) -> None:
    """It was still on the queue; with it the game could not be read any more."""
    record = journal.begin(SETTINGS)
    other = (LobbyLink(at_ms=1, up=True), Examined(at_ms=1, index=0, centipawns=None, best=None))
    record.append(EVENTS[0], *other)
    record.append(*other)
    record.append(*EVENTS[1:])
    assert record.complete
    assert journal.game(record.game_id).events == EVENTS


def test_each_event_can_be_read_by_others_as_soon_as_append_returns(path: Path, journal: Journal) -> None:
    record = journal.begin(SETTINGS)
    reader = sqlite3.connect(path)
    for count, event in enumerate(EVENTS, 1):
        record.append(event)
        assert reader.execute("SELECT count(*) FROM event").fetchone() == (count,)
    assert journal._database.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_game_goes_on_where_it_stopped(journal: Journal) -> None:
    record = journal.begin(SETTINGS)
    record.append(EVENTS[0])
    again = journal.resume(record.game_id)
    again.append(EVENTS[1])
    assert journal.game(record.game_id).events == EVENTS[:2]
    with pytest.raises(JournalError) as caught:
        journal.resume(99)
    assert (caught.value.key, caught.value.slots) == ("journal.no_game", {"number": 99})


def test_two_that_write_the_same_game_do_not_mix_their_events(journal: Journal) -> None:
    record = journal.begin(SETTINGS)
    other = journal.resume(record.game_id)
    record.append(EVENTS[0])
    with pytest.raises(JournalError) as caught:
        other.append(EVENTS[1])
    assert caught.value.key == "journal.taken"
    assert journal.game(record.game_id).events == EVENTS[:1]


def test_only_a_game_begun_in_earnest_is_offered(journal: Journal) -> None:
    assert list(journal.unfinished()) == []
    played = journal.begin(SETTINGS)
    played.append(SAID)
    ended = journal.begin(SETTINGS)
    ended.append(SAID)
    ended.end("0-1", "resigned")
    journal.begin(SETTINGS).append(Started(at_ms=0))
    second = journal.begin(SETTINGS)
    second.append(SAID)
    assert [game.id for game in journal.unfinished()] == [second.game_id, played.game_id]


def test_last_times_choice(journal: Journal) -> None:
    assert journal.usual() is None
    journal.set_usual(SETTINGS)
    assert journal.usual() == SETTINGS
    journal.set_preference("usual", "broken")
    assert journal.usual() is None


def test_a_full_disk_is_said_once_and_nothing_is_lost_when_there_is_room_again(journal: Journal) -> None:
    record = journal.begin(SETTINGS)
    full(journal, 1)
    sent: list[Event] = []
    said = []
    for number in range(30):
        event = Trouble(at_ms=number, key="x", detail="y" * 500)
        sent.append(event)
        try:
            record.append(event)
        except JournalError as error:
            said.append(error.key)
    assert said == ["journal.full"]
    assert not record.complete
    kept = journal.game(record.game_id).events
    assert kept == tuple(sent[: len(kept)])
    journal._database.execute("PRAGMA max_page_count=1000000")
    record.append(Tick(at_ms=99))
    record.end("1/2-1/2", "agreed")
    assert record.complete
    assert journal.game(record.game_id).events == (*sent, Tick(at_ms=99))
    assert journal.game(record.game_id).summary.result == "1/2-1/2"


def test_a_disk_that_fails_while_playing_and_works_again(path: Path, journal: Journal) -> None:
    resource = pytest.importorskip("resource", reason="only POSIX limits the size of files")
    record = journal.begin(SETTINGS)
    sent: list[Event] = [Trouble(at_ms=number, key="x", detail="y" * 2000) for number in range(40)]
    said = []
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (80_000, limits[1]))
    try:
        for event in sent:
            try:
                record.append(event)
            except JournalError as error:
                said.append(error.key)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert said in (["journal.full"], ["journal.disk"])
    record.append(Tick(at_ms=99))
    assert record.complete
    journal.close()
    assert Journal(path).game(record.game_id).events == (*sent, Tick(at_ms=99))


def test_a_disk_that_is_full_from_the_beginning_means_memory(path: Path) -> None:
    resource = pytest.importorskip("resource", reason="only POSIX limits the size of files")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        journal, error = open_journal(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert error is not None
    assert error.key == "journal.memory_only"
    assert journal.path is None


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 8000])
def test_a_damaged_journal_is_set_aside_and_kept(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    journal, error = open_journal(path)
    assert error is not None
    aside = path.with_name("games.damaged-1.sqlite")
    assert (error.key, error.slots) == ("journal.set_aside", {"path": Text(str(aside))})
    assert aside.read_bytes() == content
    journal.begin(SETTINGS).append(SAID)
    journal.close()
    assert len(Journal(path).games()) == 1


def test_a_hole_in_the_middle_of_a_journal_does_not_go_unnoticed(path: Path, journal: Journal) -> None:
    record = journal.begin(SETTINGS)
    for number in range(200):
        record.append(Trouble(at_ms=number, key="x", detail="y" * 200))
    journal.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = b"\x99" * 4096
    path.write_bytes(content)
    _, error = open_journal(path)
    assert error is not None
    assert error.key == "journal.set_aside"


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE recipes (name TEXT)")
    foreign.close()
    before = path.read_bytes()
    journal, error = open_journal(path)
    assert error is not None
    assert error.key == "journal.foreign"
    assert journal.path is None
    assert path.read_bytes() == before


def test_a_newer_journal_is_left_alone(path: Path, journal: Journal) -> None:
    journal._database.execute("PRAGMA user_version=2")
    journal.close()
    _, error = open_journal(path)
    assert error is not None
    assert error.key == "journal.newer"


def test_a_home_that_cannot_be_written_means_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    homes = [tmp_path / "file" / "games.sqlite", tmp_path, Path(os.devnull) / "home" / "games.sqlite"]
    if sys.platform == "linux":
        homes.append(Path("/proc/voicechess/games.sqlite"))  # read-only even for root
    for path in homes:
        journal, error = open_journal(path)
        assert error is not None
        assert (error.key, error.slots) == ("journal.unwritable", {"path": Text(str(path))})
        record = journal.begin(SETTINGS)
        record.append(SAID)
        assert journal.game(record.game_id).events == (SAID,)


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("UPDATE event SET body = '{}' WHERE number = 2", "journal.unreadable"),
        ("UPDATE event SET body = x'ff' WHERE number = 2", "journal.unreadable"),
        ("UPDATE event SET body = replace(body, '\"v\":1', '\"v\":9') WHERE number = 2", "journal.newer_game"),
        ("DELETE FROM event WHERE number = 2", "journal.unreadable"),
        ("UPDATE game SET settings = ''", "journal.unreadable"),
        ("UPDATE game SET started = 'yesterday'", "journal.unreadable"),
    ],
)
def test_a_game_that_cannot_be_read_is_refused_whole(journal: Journal, statement: str, key: str) -> None:
    record = journal.begin(SETTINGS)
    for event in EVENTS:
        record.append(event)
    journal._database.execute(statement)
    with pytest.raises(JournalError) as caught:
        journal.game(record.game_id)
    assert (caught.value.key, caught.value.slots) == (key, {"number": record.game_id})
    journal.games()  # the list of the others stays readable


def test_nobody_waits_twice_for_another_program(path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.storage.journal.BUSY_S", 0.05)
    record = journal.begin(SETTINGS)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waited, said = [], []
    for event in EVENTS:
        try:
            record.append(event)
        except JournalError as error:
            said.append(error.key)
        waited.append(journal._database.execute("PRAGMA busy_timeout").fetchone()[0])
    assert (waited, said) == ([50, 0, 0], ["journal.busy"])
    other.execute("ROLLBACK")
    record.append(Tick(at_ms=99))
    record.append(Tick(at_ms=100))
    assert journal._database.execute("PRAGMA busy_timeout").fetchone() == (50,)
    assert journal.game(record.game_id).events == (*EVENTS, Tick(at_ms=99), Tick(at_ms=100))


def test_a_game_begun_while_another_program_holds_the_file_is_written_later(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the sentence promises that is said then."""
    monkeypatch.setattr("voicechess.storage.journal.BUSY_S", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    record = journal.begin(SETTINGS)
    with pytest.raises(JournalError) as caught:
        record.append(EVENTS[0])
    assert (caught.value.key, record.game_id, record.complete) == ("journal.busy", 0, False)
    other.execute("ROLLBACK")
    record.append(*EVENTS[1:])
    assert record.complete
    assert journal.game(record.game_id).events == EVENTS


class _Beside(sqlite3.Connection):
    """While it looks whose file this is, another program makes it ours."""

    path: Path
    made: list[threading.Thread]

    def execute(self, statement: str, *more: object) -> sqlite3.Cursor:
        found = super().execute(statement, *more)  # type: ignore[arg-type]
        if statement == "PRAGMA application_id" and not self.made:
            answer = found.fetchall()
            self.made.append(threading.Thread(target=lambda: Journal(self.path).close()))
            self.made[0].start()
            self.made[0].join(0.5)  # it may have to wait for our look to be over
            return super().execute(f"SELECT {answer[0][0]}")
        return found


def test_the_first_start_of_two_programs_at_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir(parents=True)
    _Beside.path, _Beside.made = path, []
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3,
        "connect",
        lambda *given, **more: connect(*given, **(more if _Beside.made else more | {"factory": _Beside})),
    )
    journal, error = open_journal(path)
    assert error is None
    _Beside.made[0].join()
    journal.begin(SETTINGS).append(SAID)
    journal.close()
    assert len(Journal(path).games()) == 1


class _Failing(sqlite3.Connection):
    """The disk fails at the first look, and SQLite ends the transaction by itself."""

    def execute(self, statement: str, *more: object) -> sqlite3.Cursor:
        if statement == "PRAGMA application_id":
            super().execute("ROLLBACK")
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return super().execute(statement, *more)  # type: ignore[arg-type]


def test_a_disk_that_fails_is_not_taken_for_a_damaged_journal(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal on a full disk was set aside: only the second error was seen."""
    connect = sqlite3.connect
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", lambda *given, **more: connect(*given, **more, factory=_Failing))
        with pytest.raises(JournalError) as caught:
            Journal(path)
    assert caught.value.key == "journal.disk"


def test_a_start_that_another_one_disturbs_is_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite does not wait by itself where two change a new file to WAL mode: its lock is told to be busy at once."""
    prepare, disturbed = database._prepare, list[Path]()

    def once(database: sqlite3.Connection, place: dict[str, Text]) -> None:
        if not disturbed:
            disturbed.append(path)
            raise JournalError("journal.busy", place)
        prepare(database, place)

    monkeypatch.setattr(database, "_prepare", once)
    journal, error = open_journal(path)
    assert (journal.path, error) == (path, None)
    journal.close()


def read_only(path: Path) -> None:
    """As on a disk that cannot be written to, SQLite can make nothing beside the database. Also for root."""
    shm = path.with_name(path.name + "-shm")
    shm.unlink(missing_ok=True)
    shm.symlink_to("/dev/null/nowhere")


def left_by_a_killed_program(path: Path, copy: Path) -> None:
    """The database as it lies there while it is open, with what has been written last beside it."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    for companion in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + companion), copy.with_name(copy.name + companion))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other links")
@pytest.mark.parametrize("killed", [False, True])
def test_games_can_be_read_where_nothing_can_be_written(
    path: Path, journal: Journal, tmp_path: Path, killed: bool
) -> None:
    record = journal.begin(SETTINGS)
    record.append(*EVENTS)
    there = tmp_path / "there" / "games.sqlite"
    if killed:
        left_by_a_killed_program(path, there)
    journal.close()
    if not killed:
        there = path
    read_only(there)
    with pytest.raises(JournalError):
        Journal(there)
    looked = Journal(there, looking=True)
    assert [game.id for game in looked.games()] == [record.game_id]
    assert looked.game(record.game_id).events == EVENTS
    looked.close()
    played, error = open_journal(there)
    assert error is not None and error.key == "journal.unwritable"
    assert (played.path, played.hidden) == (None, None)
    more = played.resume(record.game_id)
    more.append(Tick(at_ms=99))
    assert played.game(record.game_id).events == (*EVENTS, Tick(at_ms=99))
    played.close()


def test_looking_makes_no_file(path: Path) -> None:
    assert Journal(path, looking=True).games() == ()
    assert not path.parent.exists()


def test_what_is_said_about_a_file_that_cannot_be_looked_into_speaks_of_no_game(tmp_path: Path) -> None:
    foreign, damaged, folder = (tmp_path / name for name in ("foreign", "damaged", "folder"))
    database = sqlite3.connect(foreign)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    damaged.write_bytes(b"no database at all" * 100)
    folder.mkdir()
    for path, key in ((foreign, "foreign_file"), (damaged, "damaged"), (folder, "not_readable")):
        with pytest.raises(JournalError) as caught:
            Journal(path, looking=True)
        assert caught.value.key == f"journal.{key}"
    assert open_journal(foreign)[0].hidden is not None


@pytest.mark.parametrize("table", ["event", "game", "preference"])
def test_a_journal_without_one_of_its_tables_is_set_aside(path: Path, journal: Journal, table: str) -> None:
    journal._database.execute("PRAGMA foreign_keys=OFF")
    journal._database.execute(f"DROP TABLE {table}")
    journal.close()
    again, error = open_journal(path)
    assert error is not None and error.key == "journal.set_aside"
    record = again.begin(SETTINGS)
    record.append(*EVENTS)
    assert again.game(record.game_id).events == EVENTS
    again.close()


@pytest.mark.parametrize(
    "change",
    [
        "started = x'ff'",
        "started = 7",
        "started = '9999-12-31T23:59:59-23:00'",
        "settings = x'ff'",
        "settings = CAST(x'ff' AS TEXT)",
        "result = x'ff'",
        "result = 5",
        "result = 'white'",
        "termination = x'ff'",
    ],
)
def test_a_game_with_what_no_game_has_is_passed_over(journal: Journal, change: str) -> None:
    whole, broken = journal.begin(SETTINGS), journal.begin(SETTINGS)
    for record in (whole, broken):
        record.append(SAID)
    journal._database.execute(f"UPDATE game SET {change} WHERE id = ?", (broken.game_id,))
    assert [game.id for game in journal.games()] == [whole.game_id]
    assert [game.id for game in journal.unfinished()] == [whole.game_id]
    with pytest.raises(JournalError) as caught:
        journal.game(broken.game_id)
    assert caught.value.key == "journal.unreadable"


@pytest.mark.parametrize("column", ["number", "body"])
@pytest.mark.parametrize("value", ["x'ff'", "'x'", "CAST(x'ff' AS TEXT)"])
def test_an_event_with_what_no_event_has(journal: Journal, column: str, value: str) -> None:
    record = journal.begin(SETTINGS)
    record.append(SAID)
    journal._database.execute(f"UPDATE event SET {column} = {value}")
    with pytest.raises(JournalError) as caught:
        journal.game(record.game_id)
    assert caught.value.key == "journal.unreadable"


@pytest.mark.parametrize("number", [0, -1, 1 << 63, 10**30])
def test_numbers_that_no_game_has(journal: Journal, number: int) -> None:
    for asked in (journal.game, journal.resume):
        with pytest.raises(JournalError) as caught:
            asked(number)
        assert caught.value.key == "journal.no_game"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
@pytest.mark.parametrize("whole_folder", [False, True])
def test_a_journal_that_is_deleted_during_play_is_begun_anew(path: Path, journal: Journal, whole_folder: bool) -> None:
    journal.begin(SETTINGS).append(*EVENTS)
    record = journal.begin(SETTINGS)
    record.append(EVENTS[0])
    assert record.complete
    if whole_folder:
        shutil.rmtree(path.parent)
    else:
        path.unlink()
    assert not record.complete
    with pytest.raises(JournalError) as caught:
        record.append(EVENTS[1])
    assert caught.value.key == "journal.renewed"
    assert record.complete
    record.append(EVENTS[2])
    reader = Journal(path, looking=True)
    assert [game.id for game in reader.games()] == [record.game_id]
    assert reader.game(record.game_id).events == EVENTS
    reader.close()
    journal.close()
    assert Journal(path).game(record.game_id).events == EVENTS


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
def test_a_journal_that_cannot_be_begun_anew_is_tried_again(path: Path, journal: Journal) -> None:
    record = journal.begin(SETTINGS)
    record.append(EVENTS[0])
    shutil.rmtree(path.parent)
    path.parent.write_text("no folder")
    with pytest.raises(JournalError) as caught:
        record.append(EVENTS[1])
    assert (caught.value.key, record.complete) == ("journal.unwritable", False)
    path.parent.unlink()
    with pytest.raises(JournalError) as caught:
        record.append(EVENTS[2])
    assert (caught.value.key, record.complete) == ("journal.renewed", True)
    assert Journal(path, looking=True).game(record.game_id).events == EVENTS


@pytest.mark.skipif(sys.platform == "win32", reason="Windows replaces no file that is open")
def test_a_journal_in_whose_place_lies_another_is_left_alone(path: Path, journal: Journal, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    Journal(other).close()
    record = journal.begin(SETTINGS)
    other.replace(path)
    with pytest.raises(JournalError) as caught:
        record.append(SAID)
    assert (caught.value.key, record.complete) == ("journal.replaced", False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
@pytest.mark.parametrize("earlier", [False, True])
def test_nobody_else_can_read_the_journal(path: Path, earlier: bool) -> None:
    path.parent.mkdir(parents=True, mode=0o755)
    if earlier:
        Journal(path).close()
        path.chmod(0o644)
    journal = Journal(path)
    journal.begin(SETTINGS).append(SAID)
    files = list(path.parent.iterdir())
    assert len(files) == 4
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    journal.close()
