"""The program itself, killed as by a power cut at any moment of an online game, and started again: the game goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.drivers.lichess.faults import Fault, Kind
from tests.drivers.lichess.games import Game, Terms
from tests.drivers.lichess.standin import PATIENCE_S, StandIn
from tests.drivers.online_player import OnlinePlayer
from tests.opponents.lichess.players import Announcer, announces_by_lot
from tests.opponents.lichess.robots import Robot, by_lot
from tests.opponents.lichess.test_many_games import played, same_everywhere
from voicechess.app.games import replay
from voicechess.storage.journal import Journal
from voicechess.storage.places import data_folder, journal_file

MOMENTS = ("typed", "received", "carried out", "answered", "told", "any")
"""When the program is killed: as soon as the move is typed; when the server has got it and does nothing yet; when it
has made it and says nothing; when it has answered; when the opponent has moved; at any time."""

AGAIN_S = 5
"""A player whose move has not reached the server after this long says it again."""


class Blind:
    """Plays Anna's side through the keyboard of the program, by what the server knows."""

    def __init__(self, lichess: StandIn, home: Path, game: Game, seed: int) -> None:
        self.lichess, self.home, self.game = lichess, home, game
        self.dice = Random(seed)
        self.seed = seed
        self.token = home / "token"
        self.token.write_text(lichess.token("Anna"))
        self.kills = 0
        self.program = self.start()

    def start(self) -> OnlinePlayer:
        return OnlinePlayer(self.home, self.lichess.url, "play", "--token", str(self.token))

    def kill(self) -> None:
        self.program.kill()
        self.kills += 1
        self.lichess.until(lambda: not self.game.seats[True].streams)
        self.program = self.start()

    def says(self, line: str, until: Callable[[], object]) -> None:
        """Says it, and again if that had no effect."""
        deadline = time.monotonic() + PATIENCE_S
        while not until():
            assert time.monotonic() < deadline, (line, self.program.said)
            self.lichess.until(lambda: self.game.over or self.game.seats[True].streams)
            self.program.type(line)
            again = time.monotonic() + AGAIN_S
            while time.monotonic() < again and not until():
                time.sleep(0.02)

    def move(self, moment: str = "") -> None:
        """The next move, with the program killed at some moment of it."""
        lichess, game = self.lichess, self.game
        ply = game.ply
        uci = self.dice.choice(lichess.do(lambda _: sorted(move.uci() for move in game.board.legal_moves)))
        match moment:
            case "typed" | "any":
                lichess.until(lambda: game.seats[True].streams)
                self.program.type(uci)
                if moment == "any":
                    time.sleep(self.dice.random() * 1.5)
                self.kill()
            case "received" | "carried out":
                kind = Kind.SLOW if moment == "received" else Kind.LATE_ANSWER
                lichess.break_(fault := Fault(kind, "POST */move/*", "anna", seconds=3600))
                self.says(uci, lambda: fault.struck)
                lichess.mend()
                self.kill()
            case "answered":
                self.says(uci, lambda: game.ply > ply)
                self.kill()
        self.says(uci, lambda: game.ply > ply)
        assert game.moves()[ply] == uci
        lichess.until(lambda: game.ply > ply + 1 or game.over)
        if moment == "told":
            self.kill()


@pytest.mark.parametrize("seed", range(int(os.environ.get("VOICECHESS_KILLS", "1"))))
def test_a_game_goes_on_after_any_power_cut(seed: int) -> None:
    home = data_folder()
    home.mkdir(exist_ok=True)
    with StandIn(seed=seed) as lichess, Robot(lichess, "Bert") as bert:
        game = lichess.play("Anna", "Bert", Terms(1800, 10))
        bert.play(game.id, by_lot(seed, 1000))
        anna = Blind(lichess, home, game, seed)
        moments = list(MOMENTS)
        anna.dice.shuffle(moments)
        with anna.program:
            for moment in moments:
                if game.over:
                    break
                anna.move(moment)
            anna.says("aufgeben", lambda: game.over or "Wirklich aufgeben?" in anna.program.heard())
            anna.says("ja", lambda: game.over)
            anna.program.hears("gewinnt")
            anna.program.type("ende")
            assert anna.program.ends() == 0
        assert lichess.sent_twice() == []
        assert anna.kills == len(MOMENTS) or game.status != "resign"
        journal = Journal(journal_file())
        kept = [journal.game(one.id) for one in journal.games()]
        journal.close()
    assert [one.summary.settings.site.rpartition("/")[2] for one in kept] == [game.id]
    assert [ply.move.uci() for ply in replay(kept[0]).plies] == game.moves()
    assert kept[0].summary.result == {True: "1-0", False: "0-1", None: "1/2-1/2"}[game.winner]


@pytest.mark.parametrize("seed", range(int(os.environ.get("VOICECHESS_POWER_CUTS", "4"))))
def test_a_game_goes_on_after_power_cuts_between_any_two_steps(tmp_path: Path, seed: int) -> None:
    """Client, session and journal in this process, gone every few steps: an event handled, written, an effect."""
    dice = Random(seed)
    path = tmp_path / "anna.db"
    plan = announces_by_lot(seed, 12)
    cuts = 0
    with StandIn(seed=seed) as lichess, Announcer(lichess, "Bert", tmp_path / "bert.db") as bert:
        game = lichess.play(*dice.choice((("Anna", "Bert"), ("Bert", "Anna"))), Terms(1800, 5))
        bert.announce(game.id, plan)
        while True:
            anna = Announcer(lichess, "Anna", path, quick=seed % 2 == 0, dies_after=dice.randint(1, 60))
            with anna:
                anna.announce(game.id, plan)
                lichess.until(lambda anna=anna: anna.problems or anna.dead.is_set() or game.id in anna.over)  # type: ignore[misc]
                anna.check()
                if anna.dead.is_set():
                    anna.die()
                    cuts += 1
            if game.id in anna.over:
                break
        played(lichess, game, bert)
        same_everywhere(lichess, [game], anna, bert)
    assert cuts
