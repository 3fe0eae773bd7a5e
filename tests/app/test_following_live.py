"""`voicechess live` as a whole at the stand-in, and that nobody follows a game who plays one there."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.app.test_practising import KEYBOARD, ROOT
from tests.drivers.lichess.games import Terms
from tests.drivers.lichess.spectator_endpoints import Round
from tests.drivers.lichess.standin import PATIENCE_S, StandIn
from voicechess.app.online import token_store
from voicechess.app.practice_server import PracticeServer
from voicechess.cli import main
from voicechess.game.events import Event
from voicechess.opponents.lichess.login import AccessToken
from voicechess.practice.effects import FindLive, LiveFound, RequestFailed


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        standin.do(lambda world: world.rounds.update(round001=Round("round001", "Cup", "Runde 3")))
        yield standin


def play(lichess: StandIn, moves: str) -> None:
    lichess.do(lambda world: world.rounds["round001"].play(1, "Ada", "Bo", moves))


class Player:
    """Somebody at the keyboard of the program, who reads what it says."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self._running = running
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._running.stdout is not None
        for line in self._running.stdout:
            self._said.put(line.rstrip("\n"))

    def hears(self, wanted: str) -> None:
        while wanted not in self._said.get(timeout=PATIENCE_S):
            pass

    def types(self, line: str) -> None:
        assert self._running.stdin is not None
        self._running.stdin.write(f"{line}\n")
        self._running.stdin.flush()


@contextmanager
def program(*arguments: str) -> Iterator[Player]:
    running = subprocess.Popen(
        [sys.executable, "-m", "voicechess", *arguments, *KEYBOARD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        encoding="utf-8",
    )
    try:
        yield Player(running)
        assert running.wait(PATIENCE_S) == 0
    finally:
        running.kill()
        running.communicate()


def test_a_broadcast_is_followed_move_by_move(lichess: StandIn) -> None:
    play(lichess, "1. e4 *")
    with program("live", "--server", lichess.url) as player:
        player.hears("Eins: Cup, Runde 3")
        player.types("eins")
        player.hears("Ada – Bo.")
        player.hears("Eva vier.")
        play(lichess, "1. e4 c5 *")
        player.hears("Cesar fünf.")
        player.types("bester zug")
        player.hears("rechnet keine Maschine mit")
        player.types("pause")
        player.hears("Angehalten.")
        play(lichess, "1. e4 c5 2. Nf3 *")
        player.hears("Neue Züge.")
        player.types("weiter")
        player.hears("Springer Felix drei.")
        lichess.disconnect()
        player.hears("Der Server ist nicht zu erreichen.")
        lichess.connect()
        player.hears("Die Verbindung ist wieder da.")
        play(lichess, "1. e4 c5 2. Nf3 1/2-1/2")
        player.hears("remis.")
        player.types("ende")
        player.types("ja")
        player.hears("Übertragung beendet.")
    lichess.until(lambda: not lichess.do(lambda world: world.rounds["round001"].wires))


def test_a_running_game_is_followed_by_its_page(lichess: StandIn) -> None:
    game = lichess.play("Cem", "Dana")
    lichess.move(game.id, "e2e4", "e7e5", "g1f3", "b8c6")
    with program("live", f"https://lichess.org/{game.id}", "--server", lichess.url) as player:
        player.hears("Cem – Dana.")
        player.hears("Eva vier.")
        lichess.move(game.id, "f1b5")
        player.hears("Eva fünf.")
        player.types("ende")
        player.types("ja")
        player.hears("Übertragung beendet.")


def test_what_is_not_there_any_more_ends_it(lichess: StandIn) -> None:
    with program("live", "abcdefgh", "--server", lichess.url) as player:
        player.hears("Das gibt es beim Server nicht mehr.")


def test_what_is_no_game_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["live", "http://lichess.org/@/someone", *KEYBOARD]) == 2
    assert capsys.readouterr().err.startswith("Das ist keine Partie und keine Runde: http://lichess.org/@/someone.")


# --- fair play ----------------------------------------------------------------------------------------------------


def asked(lichess: StandIn) -> Event:
    posted: queue.SimpleQueue[Event] = queue.SimpleQueue()
    PracticeServer(lichess.url, posted.put, lambda: 0).ask(FindLive(7))
    return posted.get(timeout=PATIENCE_S)


def test_who_plays_there_by_the_clock_follows_no_game(lichess: StandIn) -> None:
    token_store(lichess.url).keep(AccessToken(lichess.token("Anna")))
    assert isinstance(asked(lichess), LiveFound)
    by_days = lichess.play("Anna", "Bert", Terms(days=3))
    assert isinstance(asked(lichess), LiveFound), "in games of days books are allowed, and so is this"
    game = lichess.play("Anna", "Bert", Terms(600))
    found = asked(lichess)
    assert isinstance(found, RequestFailed)
    assert found.reason.key == "practice.live.playing"
    lichess.end(game.id, "draw")
    assert isinstance(asked(lichess), LiveFound)
    assert not lichess.game(by_days.id).over


def test_where_nobody_can_tell_whether_they_play_nothing_is_followed(lichess: StandIn) -> None:
    token_store(lichess.url).keep(AccessToken(lichess.token("Anna")))
    lichess.disconnect()
    found = asked(lichess)
    assert isinstance(found, RequestFailed)
    assert found.reason.key == "online.failed.unreached"


def test_a_login_that_is_not_valid_any_more_plays_nothing(lichess: StandIn) -> None:
    token = lichess.token("Anna")
    token_store(lichess.url).keep(AccessToken(token))
    lichess.revoke(token)
    assert isinstance(asked(lichess), LiveFound)
