"""What the stand-in answers to those who only look on: puzzles. No account is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.drivers.lichess.exchange import Answer, Asked
from tests.drivers.lichess.games import Json
from tests.drivers.lichess.world import Missing

if TYPE_CHECKING:
    from tests.drivers.lichess.server import Server


def puzzle(ident: str, game: str, solution: Sequence[str], themes: Sequence[str] = ("short",)) -> Json:
    """A puzzle: the game up to the opponent's move, and what solves it."""
    players = [{"name": name, "id": name.lower(), "color": side, "rating": 1500} for name, side in _SIDES]
    return {
        "game": {
            "id": "abcdefgh",
            "perf": {"key": "rapid", "name": "Rapid"},
            "rated": True,
            "players": players,
            "pgn": game,
            "clock": "10+0",
        },
        "puzzle": {
            "id": ident,
            "rating": 1500,
            "plays": 10,
            "solution": list(solution),
            "themes": list(themes),
            "initialPly": len(game.split()) - 1,
        },
    }


_SIDES = (("Anna", "white"), ("Bert", "black"))


def daily(server: Server, asked: Asked) -> Answer:
    found = server.world.puzzles.get("daily")
    if not found:
        raise Missing
    return found[0]


def batch(server: Server, asked: Asked) -> Answer:
    most = int(asked.request.query_params.get("nb", 15))
    return {"puzzles": server.world.puzzles.get(asked.path("angle"), [])[:most]}
