"""Seeks and challenges at the stand-in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import chess

from tests.drivers.lichess.exchange import Answer, Asked, StreamResponse, Wire
from tests.drivers.lichess.games import Refused, Terms
from tests.drivers.lichess.world import Missing

if TYPE_CHECKING:
    from tests.drivers.lichess.server import Server


def seek(server: Server, asked: Asked) -> Answer:
    form = asked.form
    minutes = float(form["time"]) if "time" in form else None
    terms = _terms(asked, None if minutes is None else round(minutes * 60), asked.number("increment") or 0)
    colour = form.get("color", "random")
    low, _, high = form.get("ratingRange", "0-9999").partition("-")
    ratings = (int(low), int(high))
    if terms.seconds is None and terms.days is None:
        raise Refused("Either time and increment, or days")
    if terms.variant == "fromPosition":
        raise Refused("A seek cannot be for a position")
    if terms.seconds is None:
        return {"id": server.world.seek(asked.account, terms, colour, None, ratings).id}
    if terms.speed not in ("rapid", "classical"):
        raise Refused("Invalid time control: seeks of the Board API are rapid or slower")
    wire = Wire(server, asked, "/api/board/seek", "POST")
    made = server.world.seek(asked.account, terms, colour, wire, ratings)

    def closed() -> None:
        server.wires.discard(wire)
        server.world.end_seek(made)

    return StreamResponse(wire, closed)


def _terms(asked: Asked, seconds: int | None, increment: int) -> Terms:
    form = asked.form
    return Terms(
        seconds,
        increment,
        None if seconds is not None else asked.number("days"),
        form.get("rated") == "true",
        form.get("variant", "fromPosition" if form.get("fen") else "standard"),
        form.get("fen") or None,
    )


def _direct_terms(asked: Asked) -> Terms:
    terms = _terms(asked, asked.number("clock.limit"), asked.number("clock.increment") or 0)
    if terms.variant not in ("standard", "chess960", "fromPosition"):
        raise Refused("This game cannot be played with the Board API.")
    return terms


def challenges(server: Server, asked: Asked) -> Answer:
    mine = [one for one in server.world.challenges.values() if one.open]
    read = server.world.challenge_json
    return {
        "in": [read(one, asked.account) for one in mine if one.dest is asked.account],
        "out": [read(one, asked.account) for one in mine if one.challenger is asked.account],
    }


def challenge(server: Server, asked: Asked) -> Answer:
    name = asked.path("username")
    dest = server.world.accounts.get(name.lower())
    if dest is asked.account:
        raise Missing
    if dest is None:
        raise Refused(f"No such user: {name}")
    keeps = asked.form.get("keepAliveStream") == "true"
    colour = asked.form.get("color", "random")
    made = server.world.challenge(asked.account, dest, _direct_terms(asked), colour, keeps=keeps)
    told = server.world.challenge_json(made, asked.account)
    if not keeps:
        return told
    wire = Wire(server, asked, "/api/challenge/{username}", "POST")
    wire.send(told)
    made.kept = wire

    def closed() -> None:
        server.wires.discard(wire)
        made.kept = None
        server.world.end_challenge(made, "canceled")

    return StreamResponse(wire, closed)


def play_computer(server: Server, asked: Asked) -> Answer:
    colour = asked.form.get("color", "random")
    game = server.world.play_computer(asked.account, int(asked.form["level"]), _direct_terms(asked), colour)
    has = game.colour_of(asked.account)
    info = game.info_json(chess.WHITE if has else chess.BLACK, server.world.now_ms)
    told = {name: info[name] for name in ("variant", "speed", "perf", "rated", "fen", "source", "status", "fullId")}
    told |= {"id": game.id, "turns": game.ply, "createdAt": game.created_ms, "player": info["color"]}
    return 201, told


def _challenge(server: Server, asked: Asked) -> Any:
    found = server.world.challenges.get(asked.path("challengeId"))
    if found is None or asked.account not in (found.challenger, found.dest):
        raise Missing
    return found


def accept(server: Server, asked: Asked) -> Answer:
    challenge = _challenge(server, asked)
    if challenge.dest is not asked.account:
        raise Missing
    server.world.accept(challenge)
    return {"ok": True}


def decline(server: Server, asked: Asked) -> Answer:
    challenge = _challenge(server, asked)
    if challenge.dest is not asked.account or not challenge.open:
        raise Missing
    server.world.decline(challenge, asked.form.get("reason", "").lower())
    return {"ok": True}


def cancel(server: Server, asked: Asked) -> Answer:
    challenge = _challenge(server, asked)
    game = server.world.games.get(challenge.id)
    if game is not None and game.abortable:
        server.world.act(game, game.abort)
    elif challenge.open:
        server.world.end_challenge(challenge, "canceled" if challenge.challenger is asked.account else "declined")
    else:
        raise Missing
    return {"ok": True}


def show(server: Server, asked: Asked) -> Answer:
    return server.world.challenge_json(_challenge(server, asked), asked.account)
