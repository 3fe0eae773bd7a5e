"""Other processes: one that is killed in the middle, and several at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from voicechess.game.agreement import GameSettings
from voicechess.game.events import OpponentMoved
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal

PLAYER = Path(__file__).with_name("player_process.py")
ROOT = Path(__file__).parents[2]


def play(path: Path, *more: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, str(PLAYER), str(path), *more], stdout=subprocess.PIPE, text=True, env=environment
    )


def line(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


@pytest.mark.parametrize("seed", range(6))
def test_what_was_announced_before_kill_9_is_there(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "games.sqlite"
    process = play(path)
    game = line(process)
    for _ in range(Random(seed).randrange(1, 60)):
        line(process)
    process.kill()
    process.wait()
    assert process.stdout is not None
    rest = process.stdout.read().split()  # announced, but not yet read by us
    process.stdout.close()
    journal = Journal(path)
    stored = journal.game(game).events
    announced = int(rest[-1]) if rest else 0
    assert len(stored) >= announced > 0 or not rest
    assert stored == tuple(OpponentMoved(at_ms=number, uci="e7e5") for number in range(1, len(stored) + 1))
    assert [unfinished.id for unfinished in journal.unfinished()] == [game]
    journal.resume(game).append(OpponentMoved(at_ms=0, uci="e7e5"))
    journal.close()


def test_a_game_that_another_process_plays_is_neither_offered_nor_continued(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    process = play(path, "1")
    game = line(process)
    line(process)
    journal = Journal(path)
    assert list(journal.unfinished()) == []
    with pytest.raises(JournalError) as caught:
        journal.resume(game)
    assert (caught.value.key, caught.value.slots) == ("journal.taken", {"number": game})
    # A game of our own can be played beside it.
    record = journal.begin(GameSettings())
    for number in range(20):
        record.append(OpponentMoved(at_ms=number, uci="e7e5"))
    assert len(journal.game(record.game_id).events) == 20
    process.kill()
    process.communicate()
    assert journal.resume(game).game_id == game
    journal.close()


def test_several_that_start_at_once_share_one_new_journal(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    processes = [play(path, "1") for _ in range(3)]
    games = {line(process) for process in processes}
    assert len(games) == 3
    for process in processes:
        assert line(process) == 1
        process.kill()
        process.communicate()
    journal = Journal(path)
    assert {game.id for game in journal.games()} == games
    journal.close()
