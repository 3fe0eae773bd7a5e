"""Many games between two players with client, session and journal: the same at both ends, and at the server."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.drivers.lichess.faults import TERMINAL_ESCAPES, Fault, Kind, refusal, too_many_requests
from tests.drivers.lichess.games import Game, Terms
from tests.drivers.lichess.standin import StandIn
from tests.drivers.lichess.world import Behaviour
from tests.opponents.lichess.players import Announcer, announces, announces_by_lot
from voicechess.language.wording import Wording
from voicechess.opponents.lichess import transport

GAMES = int(os.environ.get("VOICECHESS_ONLINE_GAMES", "40"))
"""A thousand take five minutes: `VOICECHESS_ONLINE_GAMES=1000 pytest tests/opponents/lichess/test_many_games.py`."""

AT_ONCE = 6

MATES = (
    ("f2f3", "e7e5", "g2g4", "d8h4"),
    ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"),
    ("e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "c8g4", "b1c3", "g7g6", "f3e5", "g4d1", "c4f7", "e8e7", "c3d5"),
)


def test_many_games(tmp_path: Path) -> None:
    dice = Random(20)
    with (
        StandIn(behaviour=Behaviour(keep_alive_s=(1, 1))) as lichess,
        Announcer(lichess, "Anna", tmp_path / "anna.db") as anna,
        Announcer(lichess, "Bert", tmp_path / "bert.db", quick=True) as bert,
    ):
        begun: list[Game] = []
        for number in range(GAMES):
            white, black = (anna, bert) if dice.random() < 0.5 else (bert, anna)
            game = lichess.play(white.name, black.name, Terms(300, 2))
            mate = dice.choice(MATES)
            plan = announces(*mate) if number % 4 == 0 else announces_by_lot(number, dice.randint(2, 12))
            white.announce(game.id, plan)
            black.announce(game.id, plan)
            begun.append(game)
            if len(begun) >= AT_ONCE:
                played(lichess, begun[-AT_ONCE], anna, bert)
        for game in begun[-AT_ONCE:]:
            played(lichess, game, anna, bert)
        same_everywhere(lichess, lichess.games(), anna, bert)


def played(lichess: StandIn, game: Game, *players: Announcer) -> None:
    """Wait until both have seen its end."""

    def over() -> bool:
        for player in players:
            player.check()
        return all(game.id in player.over for player in players)

    lichess.until(over)


def same_everywhere(lichess: StandIn, games: list[Game], *players: Announcer) -> None:
    assert lichess.sent_twice() == []
    assert lichess.log.complaints == []
    for game in games:
        won = {None: "1/2-1/2", True: "1-0", False: "0-1"}[game.winner]
        for player in players:
            kept = player.kept[game.id]
            assert kept.moves == tuple(game.moves()), game.id
            assert (kept.result, player.over[game.id].result) == (won, won)
        assert len({player.kept[game.id].termination for player in players}) == 1


STREAM, MOVE = "GET */game/stream/*", "POST */move/*"


@pytest.mark.parametrize("seed", range(int(os.environ.get("VOICECHESS_FAULT_SEEDS", "3"))))
def test_games_in_which_everything_goes_wrong_by_lot(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams cut, garbled and silent, answers lost, refused and late, for both and at any time."""
    monkeypatch.setattr(transport, "READ_S", 3.0)
    dice = Random(seed)
    with (
        StandIn(behaviour=Behaviour(keep_alive_s=(0.2, 0.2)), seed=seed) as lichess,
        Announcer(lichess, "Anna", tmp_path / "anna.db", silence_s=3) as anna,
        Announcer(lichess, "Bert", tmp_path / "bert.db", silence_s=3, quick=True) as bert,
    ):
        pairs = [dice.sample(("Anna", "Bert"), 2) for _ in range(4)]
        games = [lichess.play(white, black, Terms(900, 2)) for white, black in pairs]
        plans = [announces_by_lot(seed * 100 + number, dice.randint(2, 16)) for number in range(4)]
        for number, game in enumerate(games):
            for player in (anna, bert):
                player.announce(game.id, plans[number])
        lichess.break_(
            *(Fault(kind, STREAM, share=0.04, times=6) for kind in (Kind.CUT, Kind.END, Kind.GARBAGE)),
            Fault(Kind.WRONG_TYPES, STREAM, share=0.04, times=6),
            Fault(Kind.ENDLESS, STREAM, share=0.02, times=2, size=300_000),
            Fault(Kind.SILENCE, STREAM, share=0.02, times=1),
            *(Fault(kind, MOVE, share=0.1, times=8) for kind in (Kind.DROP, Kind.LOSE_ANSWER, Kind.SPOIL_ANSWER)),
            refusal(502, "x", MOVE, share=0.1, times=6),
            refusal(400, "Not your turn, or game already over", MOVE, share=0.05, times=4),
            too_many_requests(share=0.02, times=3),
        )
        for game in games:
            played(lichess, game, anna, bert)
        same_everywhere(lichess, games, anna, bert)


def test_strangers_cannot_write_on_the_terminal(tmp_path: Path) -> None:
    """A name and chat lines full of what a terminal obeys, and none of it in anything that is said."""
    with StandIn() as lichess, Announcer(lichess, "Anna", tmp_path / "anna.db", chat=True) as anna:
        lichess.account("evil").name = TERMINAL_ESCAPES
        game = lichess.play("Anna", "evil", Terms(900, 2))
        anna.announce(game.id, announces("e2e4", "", "g1f3"))
        lichess.until(lambda: game.ply == 1)
        lichess.do(lambda world: world.say(game, TERMINAL_ESCAPES, f"{TERMINAL_ESCAPES}Hallo\nda{TERMINAL_ESCAPES}"))
        lichess.move(game.id, "e7e5")
        lichess.until(lambda: game.ply == 3)
        lichess.end(game.id, "resign", True)
        played(lichess, game, anna)
    said = [wording.say(one) for one in anna.said for wording in (Wording("de"), Wording("en"))]
    assert any("Hallo" in line for line in said)
    assert [line for line in said if not line.isprintable() or "\u202e" in line] == []
