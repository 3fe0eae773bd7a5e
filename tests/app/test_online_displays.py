"""Games in progress at the stand-in as the boards of a display, typed: played, cut off, killed, resumed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from tests.drivers.lichess.faults import Fault, Kind
from tests.drivers.lichess.games import Game, Terms
from tests.drivers.lichess.standin import StandIn
from tests.drivers.online_player import OnlinePlayer
from voicechess.storage.journal import open_journal

DAYS = Terms(days=3)


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        yield standin


@pytest.fixture
def home(lichess: StandIn, tmp_path: Path) -> Path:
    (tmp_path / "token").write_text(lichess.token("Anna"))
    return tmp_path


def sits(lichess: StandIn, home: Path, *arguments: str) -> OnlinePlayer:
    return OnlinePlayer(home, lichess.url, *arguments, "--token", str(home / "token"))


def plays(anna: OnlinePlayer, lichess: StandIn, game: Game, typed: str, plies: int) -> None:
    """Types a move until it is there: one that is typed while the board changes is asked about."""
    while len(lichess.game(game.id).board.move_stack) < plies:
        anna.type(typed)
        line = anna.until(lambda line: "Noch einmal" in line or "Bauer" in line or "Springer" in line, typed)
        if "noch einmal" not in line:
            lichess.until(lambda: len(lichess.game(game.id).board.move_stack) >= plies)


def test_three_games_are_played_killed_and_gone_on_with(lichess: StandIn, home: Path) -> None:
    bert, carl = lichess.play("Anna", "Bert", DAYS), lichess.play("Anna", "Carl", DAYS)
    dora = lichess.play("Dora", "Anna", DAYS)
    lichess.move(dora.id, "d2d4")
    with sits(lichess, home, "simul") as anna:
        anna.hears("Drei Partien bei Lichess, drei warten auf Sie.")
        for number in ("eins", "zwei", "drei"):
            anna.hears(f"Brett {number}.")
            against = anna.hears("Partie gegen")
            game = bert if "Bert" in against else carl if "Carl" in against else dora
            plays(anna, lichess, game, "David fünf" if game is dora else "Eva vier", 2 if game is dora else 1)
        lichess.move(carl.id, "c7c5")
        anna.hears("Schwarz: Cesar fünf.")
        anna.kill()
    lichess.move(bert.id, "e7e5")
    with sits(lichess, home, "play") as anna:
        anna.hears("Welche Nummer?")
        anna.type("zurück")
        anna.type("zurück")
        anna.hears("Weiterspielen?")  # the game of the journal is a board of that display
        anna.type("ja")
        anna.hears("Drei Partien bei Lichess, zwei warten auf Sie.")
        anna.hears("Brett zwei.")  # where the giver was last
        anna.hears("Schwarz zog Cesar fünf.")
        plays(anna, lichess, carl, "Springer Felix drei", 3)
        anna.hears("Brett eins.")
        anna.hears("Schwarz: Eva fünf.")
        anna.type("tipp")
        anna.hears("Hilfe ist erst nach der Partie erlaubt.")
        anna.type("aufgeben")
        anna.hears("Brett eins: Wirklich aufgeben?")
        anna.type("ja")
        lichess.until(lambda: lichess.game(bert.id).over)
        anna.hears("Weiß gibt auf")
        anna.type("stand")
        anna.hears("Eine Niederlage. Es laufen: Brett zwei und drei.")
        anna.type("ende")
        anna.type("ja")
        assert anna.ends() == 0
    assert lichess.sent_twice() == []
    journal, _ = open_journal(home / "games.sqlite")
    try:
        kept = {game.settings.site.rpartition("/")[2]: game for game in journal.games()}
    finally:
        journal.close()
    assert set(kept) == {bert.id, carl.id, dora.id}, "one entry a game"
    assert sorted(game.settings.board for game in kept.values()) == [1, 2, 3]
    assert (kept[bert.id].result, kept[carl.id].result) == ("0-1", None)
    assert lichess.game(bert.id).winner == chess.BLACK


def test_a_board_whose_connection_breaks_does_not_disturb_the_others(lichess: StandIn, home: Path) -> None:
    games = [lichess.play("Anna", name, DAYS) for name in ("Bert", "Carl")]
    with sits(lichess, home, "simul") as anna:
        anna.hears("zwei warten auf Sie.")
        first, second = games if "Bert" in anna.hears("Partie gegen") else games[::-1]
        stream = f"GET */game/stream/{second.id}"
        cut = Fault(Kind.CUT, stream, times=1)
        lichess.break_(cut, Fault(Kind.DROP, stream, times=None))
        lichess.until(lambda: cut.struck)
        plays(anna, lichess, first, "Eva vier", 1)
        anna.hears("Brett zwei.")
        lichess.mend()
        plays(anna, lichess, second, "David vier", 1)
        for game in (first, second):
            lichess.move(game.id, "g8f6")
        anna.hears("Brett eins.")
        anna.hears("Schwarz: Springer Felix sechs.")
        anna.type("ende")
        anna.type("ja")
        assert anna.ends() == 0
    assert lichess.sent_twice() == []


def test_without_games_and_with_one(lichess: StandIn, home: Path) -> None:
    with sits(lichess, home, "play") as anna:
        anna.hears("Gegner suchen")
        anna.type("simultan")
        anna.hears("Keine Partie läuft.")
        anna.kill()
    lichess.play("Anna", "Bert", DAYS)
    with sits(lichess, home, "simul") as anna:
        anna.hears("Ihre Partie gegen Bert läuft noch.")
        anna.hears("Sie beginnen.")
        anna.kill()
    lichess.play("Anna", "Carl", DAYS)
    with sits(lichess, home, "play") as anna:
        anna.hears("Welche Nummer?")
        anna.type("simultan gegen drei")
        anna.hears("Maschinen neben Ihnen spielen nicht mit.")
        anna.hears("Zwei Partien bei Lichess, zwei warten auf Sie.")
        anna.kill()
