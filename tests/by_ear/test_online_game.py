"""Games at the stand-in, played by ear against a second program that is typed at: two of them at once.

Found by voice, from the friend's number to the colour; the opponent's moves are known only from what is heard.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import pytest

from tests.app.test_online_games import Table, moves_by
from tests.by_ear.test_whole_game import Game
from tests.drivers.blind_player import BlindPlayer
from tests.drivers.lichess.games import Terms
from tests.drivers.lichess.standin import StandIn
from tests.drivers.online_player import OnlinePlayer
from tests.drivers.virtual_sound import VirtualSound, missing
from voicechess.storage.journal import Journal
from voicechess.storage.places import settings_path

SCHOLARS_MATE = ("e2e4", "f1c4", "d1h5", "h5f7")
ANSWERS = (
    ("Eva vier", "e7e5", "Eva fünf"),
    ("Cesar vier", "b8c6", "Cesar sechs"),
    ("Hector fünf", "g8f6", "Felix sechs"),
)
"""What the other program says of the move, the answer to it, and the square that is named when it is typed."""


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        yield standin


def by_ear(lichess: StandIn, folder: Path, model: Path, names: tuple[str, str]) -> int:
    """The first of these two plays the other by ear, and mates; how often something was said or heard twice."""
    homes = [folder / name for name in names]
    for name, home in zip(names, homes, strict=True):
        home.mkdir()
        (home / "token").write_text(lichess.token(name))
        settings_path({"VOICECHESS_HOME": str(home)}).write_text("[voice]\nrate = 210\n", "utf-8")
    lichess.account(names[0]).follows = [names[1].lower()]
    (folder / f"sound-{names[0]}").mkdir()
    sound = VirtualSound(folder / f"sound-{names[0]}")
    sound.start()
    try:
        online = ("online", "play", "--server", lichess.url, "--token", str(homes[0] / "token"))
        with OnlinePlayer(homes[1], lichess.url, "play", "--token", str(homes[1] / "token")) as other:
            other.hears("Gegner suchen")
            with BlindPlayer(sound, model, *online, home=homes[0]) as player:
                return _played(player, other)
    finally:
        sound.stop()


def _played(player: BlindPlayer, other: OnlinePlayer) -> int:
    player.listen(0, lambda: any("Gegner suchen" in line for line in player.lines))
    player.say_until("Freund", "Welche Nummer")
    player.say_until("eins", "Wie viele Minuten")
    player.say_until("zehn Minuten", "Gewertet oder")
    player.say_until("freundschaftlich", "Weiß, Schwarz")
    player.say_until("Weiß", "Ich fordere")
    other.hears("fordert Sie heraus", "zehn Minuten, freundschaftlich")
    other.type("ja")
    player.listen(0, lambda: any("Sie beginnen" in line for line in player.lines))
    game = Game(player, chess.Board())
    for uci, (heard, answer, square) in zip(SCHOLARS_MATE[:-1], ANSWERS, strict=True):
        before = len(player.lines)
        since = game.make(chess.Move.from_uci(uci))
        other.hears("Weiß", heard)
        moves_by(other, answer, square)
        game.hear_answer(since, before)
        assert game.board.peek().uci() == answer
    player.say_until("Dame schlägt Felix sieben", "matt")
    other.hears("Schachmatt")
    player.listen(0, lambda: any("Schachmatt" in line for line in player.lines))
    player.leave()
    other.type("ende")
    assert other.ends() == 0
    return game.again


@pytest.mark.sound
def test_two_games_by_ear_at_once(lichess: StandIn, model_path: Path, tmp_path: Path) -> None:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    pairs = (("Anna", "Bert"), ("Clara", "David"))
    with ThreadPoolExecutor(len(pairs)) as together:
        again = list(together.map(lambda names: by_ear(lichess, tmp_path, model_path, names), pairs))
    assert len(lichess.games()) == len(pairs)
    for names in pairs:
        game = next(one for one in lichess.games() if one.seats[chess.WHITE].account == lichess.account(names[0]))
        assert (game.status, game.winner) == ("mate", chess.WHITE)
        moves = [move.uci() for move in game.board.move_stack]
        assert moves[::2] == list(SCHOLARS_MATE) and moves[1::2] == [answer for _, answer, _ in ANSWERS]
        for name in names:
            journal = Journal(tmp_path / name / "games.sqlite")
            try:
                (entry,) = journal.games()
                assert entry.result == "1-0" and entry.settings.site == f"{lichess.url}/{game.id}"
            finally:
                journal.close()
    assert lichess.sent_twice() == []
    print(f"said or heard twice: {again}")


MENU = "Gegner suchen, Freund herausfordern oder Computer?"


@pytest.fixture
def table(lichess: StandIn, tmp_path: Path) -> Table:
    return Table(lichess, tmp_path)


def anna(table: Table, sound: VirtualSound, model: Path, *arguments: str) -> BlindPlayer:
    """Anna, who plays by ear."""
    at = ("--server", table.lichess.url, "--token", str(table.folder / "Anna.token"))
    return BlindPlayer(sound, model, "online", *arguments, *at)


@pytest.mark.sound
def test_challenges_are_declined_by_ear(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    table: Table,
) -> None:
    """First one's own by the friend, then the friend's by voice."""
    lichess = table.lichess
    with table.sits("Bert", "play") as bert:
        bert.hears("Gegner suchen")
        challenge = ("challenge", "Bert", "--time", "5+3", "--casual", "--colour", "white")
        with anna(table, virtual_sound, model_path, *challenge) as player:
            bert.hears("fordert Sie heraus")
            bert.type("nein")
            player.listen(0, lambda: player.lines[-2:] == ["Bert lehnt ab.", MENU])
            theirs = lichess.challenge("Bert", "Anna", Terms(300, 3))
            player.listen(0, lambda: player.lines[-1].endswith("Annehmen?"))
            player.say_until("nein", f"Abgelehnt. {MENU}")
            lichess.until(lambda: lichess.do(lambda world: world.challenges[theirs.id].status) == "declined")
            player.leave()
    assert lichess.games() == []


@pytest.mark.sound
def test_a_rematch_by_ear(
    virtual_sound: VirtualSound,
    quick_voice: None,
    model_path: Path,
    table: Table,
) -> None:
    """The other side gives up; in the rematch the colours are changed."""
    lichess = table.lichess
    lichess.play("Anna", "Bert", Terms(300, 3))
    with table.sits("Bert", "play") as bert:
        bert.hears("Ihre Partie gegen Anna läuft noch.")
        with anna(table, virtual_sound, model_path, "play") as player:
            player.listen(0, lambda: any("Sie beginnen" in line for line in player.lines))
            bert.type("aufgeben")
            bert.type("ja")
            player.listen(0, lambda: player.lines[-1].endswith("neue Partie, oder Ende?"))
            player.say_until("neue Partie", "Sie haben Schwarz?")
            player.say_until("ja", "Ich fordere Bert heraus")
            bert.hears("Eine Herausforderung ist da.")
            bert.type("neue partie")
            bert.hears("Annehmen?")
            bert.type("ja")
            player.listen(0, lambda: player.lines[-1] == "Der Gegner beginnt.")
    first, second = lichess.games()
    assert first.over
    assert second.seats[chess.BLACK].account == lichess.account("Anna")
