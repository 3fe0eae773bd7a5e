"""The journal: durable, shared, damaged, full, refused."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from voicechess.game.events import Event, Heard, OpponentMoved, Started, Tick, Trouble
from voicechess.game.messages import Text
from voicechess.game.settings import GameSettings, Player
from voicechess.journal import Journal, JournalError, open_journal
from voicechess.language.meaning import Reading, SpokenMove

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
