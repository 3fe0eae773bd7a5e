"""What can be done in a game at the stand-in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess

from tests.drivers.lichess.exchange import Answer, Asked, StreamResponse, Wire
from tests.drivers.lichess.games import Game, Refused
from tests.drivers.lichess.world import Missing

if TYPE_CHECKING:
    from tests.drivers.lichess.server import Server


def _game(server: Server, asked: Asked) -> tuple[Game, chess.Color]:
    game = server.world.games.get(asked.path("gameId")[:8])
    colour = game.colour_of(asked.account) if game else None
    if game is None or colour is None:
        raise Missing
    if game.terms.speed in ("ultraBullet", "bullet"):
        raise Refused("This game cannot be played with the Board API.")
    return game, colour


def stream_game(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    wire = Wire(server, asked, "/api/board/game/stream/{gameId}")
    server.world.watch(game, colour, wire)

    def closed() -> None:
        server.wires.discard(wire)
        server.world.unwatch(game, colour, wire)

    return StreamResponse(wire, closed)


def move(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    offers = asked.request.query_params.get("offeringDraw") == "true"
    server.world.act(game, lambda now: game.move(colour, asked.path("move"), offers, now))
    return {"ok": True}


def resign(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    server.world.act(game, lambda now: game.resign(colour, now))
    return {"ok": True}


def abort(server: Server, asked: Asked) -> Answer:
    server.world.act(game := _game(server, asked)[0], game.abort)
    return {"ok": True}


def draw(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    yes = _yes(asked)
    chat = f"{chess.COLOR_NAMES[colour].capitalize()} {'offers' if yes else 'declines'} draw"
    server.world.act(game, lambda now: game.draw(colour, yes, now), chat)
    return {"ok": True}


def takeback(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    yes, before = _yes(asked), game.takebacks
    server.world.act(game, lambda now: game.takeback(colour, yes, now))
    chat = "accepted" if game.takebacks != before else "sent" if yes else "declined"
    server.world.say(game, "lichess", f"Takeback {chat}")
    return {"ok": True}


def claim_victory(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    server.world.act(game, lambda now: game.claim(colour, "timeout", now))
    return {"ok": True}


def claim_draw(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    server.world.act(game, lambda now: game.claim(colour, "draw", now))
    return {"ok": True}


def berserk(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    server.world.act(game, lambda now: game.berserk(colour, now))
    return {"ok": True}


def add_time(server: Server, asked: Asked) -> Answer:
    game, colour = _game(server, asked)
    server.world.act(game, lambda now: game.give_time(colour, int(asked.path("seconds")), now))
    return {"ok": True}


def write(server: Server, asked: Asked) -> Answer:
    game, _ = _game(server, asked)
    server.world.say(game, asked.account.name, asked.form["text"], asked.form["room"])
    return {"ok": True}


def _yes(asked: Asked) -> bool:
    return asked.path("accept") in ("yes", "true", "1", "on")
