"""What the stand-in answers to those who only look on: puzzles, broadcasts, running games. No account is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import chess
from starlette.responses import Response

from tests.drivers.lichess.exchange import Answer, Asked, StreamResponse, Wire
from tests.drivers.lichess.games import Game, Json
from tests.drivers.lichess.schemas import JSON
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


# --- What is played ---


@dataclass
class Round:
    """A round of a broadcast: the PGN of its games in the order of the boards, and who follows it."""

    id: str
    tour: str
    name: str
    ongoing: bool = True
    games: dict[int, str] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)

    def play(self, board: int, white: str, black: str, moves: str) -> None:
        """How the game at this board stands: moves and result. It is sent to everybody at once, whole."""
        tags = {"Event": self.tour, "White": white, "Black": black, "Variant": "Standard"}
        tags["Result"] = moves.rsplit(maxsplit=1)[-1]
        tags["GameURL"] = f"https://lichess.org/broadcast/cup/round/{self.id}/board{board:03}"
        self.games[board] = "\n".join((*(f'[{name} "{text}"]' for name, text in tags.items()), "", moves, "", ""))
        for wire in self.wires:
            wire.send_text(self.games[board])


def broadcasts(server: Server, asked: Asked) -> Answer:
    active = [
        {
            "tour": {"id": f"t{one.id}", "name": one.tour, "slug": "cup", "createdAt": 1, "url": server.world.url},
            "round": {
                "id": one.id,
                "name": one.name,
                "slug": "round",
                "createdAt": 1,
                "url": server.world.url,
                "ongoing": one.ongoing,
            },
        }
        for one in server.world.rounds.values()
    ]
    return {"active": active, "upcoming": [], "past": {"currentPage": 1, "currentPageResults": []}}


def channels(server: Server, asked: Asked) -> Answer:
    """Each game on a channel of its own."""
    found: Json = {}
    names = ("bot", "best", "classical", "rapid", "blitz")
    for name, game in zip(names, server.world.games.values(), strict=False):
        seat = game.seats[chess.WHITE]
        if seat.account and not game.over:
            user = {"id": seat.account.id, "name": seat.account.name}
            told: Json = {"user": user, "rating": seat.rating, "gameId": game.id, "color": "white"}
            server.check_schema("TvGame", told)
            found[name] = told
    return Response(json.dumps(found), media_type=JSON)


def stream_round(server: Server, asked: Asked) -> Answer:
    one = server.world.rounds.get(asked.path("broadcastRoundId"))
    if one is None:
        raise Missing
    wire = Wire(server, asked, "/api/stream/broadcast/round/{broadcastRoundId}.pgn")
    for pgn in one.games.values():
        wire.send_text(pgn)
    one.wires.append(wire)

    def closed() -> None:
        server.wires.discard(wire)
        one.wires.remove(wire)
        server.world.changed()

    return StreamResponse(wire, closed, "application/x-chess-pgn")


LATE = 3
"""Moves of a running game that nobody is told yet."""


class Spectator:
    """Somebody who looks at a running game: a line each for what may be told of it."""

    def __init__(self, game: Game, wire: Wire, now_ms: int) -> None:
        self._game, self._wire, self._told = game, wire, 0
        wire.send(self._description())
        self._position(game.terms.fen or chess.STARTING_FEN, None)
        self.look(now_ms)

    def look(self, now_ms: int) -> None:
        """Tell what has come since."""
        moves = list(self._game.board.move_stack)
        told = len(moves) if self._game.over else len(moves) - LATE
        board = self._game.board.root()
        for ply, move in enumerate(moves[: max(told, 0)]):
            board.push(move)
            if ply >= self._told:
                self._position(board.fen(), move.uci())
                self._told = ply + 1
        if self._game.over:
            self._wire.send(self._description())
            self._wire.end()

    def _position(self, fen: str, uci: str | None) -> None:
        line: Json = {"fen": " ".join(fen.split()[:2]), "wc": 600, "bc": 600}
        self._wire.send(line if uci is None else line | {"lm": uci})

    def _description(self) -> Json:
        game = self._game
        players = {
            chess.COLOR_NAMES[colour]: {
                "user": {"id": seat.account.id, "name": seat.account.name} if seat.account else None,
                "rating": seat.rating,
            }
            for colour, seat in game.seats.items()
        }
        told: Json = {
            "id": game.id,
            "variant": game.terms.variant_json(),
            "speed": game.terms.speed,
            "initialFen": game.terms.fen or chess.STARTING_FEN,
            "status": {"id": 30, "name": game.status},
            "players": players,
        }
        return told | ({"winner": chess.COLOR_NAMES[game.winner]} if game.winner is not None else {})


def stream_game(server: Server, asked: Asked) -> Answer:
    game = server.world.games.get(asked.path("id"))
    if game is None:
        raise Missing
    wire = Wire(server, asked, "/api/stream/game/{id}")
    spectator = Spectator(game, wire, server.world.now_ms)
    server.world.spectators.setdefault(game.id, []).append(spectator)

    def closed() -> None:
        server.wires.discard(wire)
        server.world.spectators[game.id].remove(spectator)
        server.world.changed()

    return StreamResponse(wire, closed)
