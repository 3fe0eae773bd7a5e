"""What the stand-in answers about accounts: login, profiles, who is there, games in progress, and the event stream."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.responses import Response

from tests.drivers.lichess.exchange import Answer, Asked, StreamResponse, Wire
from tests.drivers.lichess.games import Account, Json
from tests.drivers.lichess.schemas import JSON
from tests.drivers.lichess.world import Missing, Token

if TYPE_CHECKING:
    from tests.drivers.lichess.server import Server

TOKEN_SECONDS = 31_536_000


def prompt(server: Server, asked: Asked) -> Response:
    query = dict(asked.request.query_params)
    people = [*server.world.accounts, None]
    links = [
        f'<a href="/oauth/consent?{html.escape(urlencode(query | ({"as": name} if name else {})))}">'
        f"{html.escape(f'Authorize as {name}' if name else 'Cancel')}</a>"
        for name in people
    ]
    return Response("<html><body>" + "<br>".join(links) + "</body></html>", media_type="text/html")


def new_token(server: Server, asked: Asked) -> Answer:
    form = asked.form
    account, prompt = server.codes.pop(form.get("code", ""), (None, {}))
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    wrong = {
        "code": account is None,
        "hash of code_verifier does not match code_challenge": prompt.get("code_challenge") != challenge,
        "redirect_uri": prompt.get("redirect_uri") != form.get("redirect_uri"),
        "client_id": prompt.get("client_id") != form.get("client_id"),
    }
    if account is None or any(wrong.values()):
        what = next(what for what, is_wrong in wrong.items() if is_wrong)
        return 400, {"error": "invalid_grant", "error_description": what}
    token = f"lio_{server.dice.getrandbits(128):032x}"
    server.world.tokens[token] = Token(account, tuple(prompt.get("scope", "").split()))
    return {"token_type": "Bearer", "access_token": token, "expires_in": TOKEN_SECONDS}


def revoke(server: Server, asked: Asked) -> Answer:
    del server.world.tokens[asked.token]
    return Response(status_code=204)


# --- The account ---


def profile(server: Server, asked: Asked) -> Answer:
    return _profile(server, asked.account)


def _profile(server: Server, account: Account) -> Json:
    rating = {"games": 10, "rating": account.rating, "rd": 60, "prog": 0}
    if account.provisional:
        rating["prov"] = True
    told: Json = {
        "id": account.id,
        "username": account.name,
        "url": f"{server.world.url}/@/{account.id}",
        "perfs": dict.fromkeys(("blitz", "rapid", "classical", "correspondence", "chess960"), rating),
    }
    if account.country:
        told["profile"] = {"flag": account.country}
    return told | ({"title": account.title} if account.title else {})


def player(server: Server, asked: Asked) -> Answer:
    account = server.world.accounts.get(asked.path("username").lower())
    if account is None:
        raise Missing
    return _profile(server, account)


def crosstable(server: Server, asked: Asked) -> Answer:
    """What two players have made against each other in the games that are over here."""
    try:
        pair = [server.world.account(asked.path(name)) for name in ("user1", "user2")]
    except KeyError:
        raise Missing from None
    points = {one.id: 0.0 for one in pair}
    played = 0
    for game in server.world.games.values():
        seats = {colour: seat.account for colour, seat in game.seats.items()}
        if game.over and game.status != "aborted" and set(map(id, seats.values())) == set(map(id, pair)):
            played += 1
            for colour, account in seats.items():
                assert account is not None
                points[account.id] += 0.5 if game.winner is None else float(game.winner == colour)
    return {"users": points, "nbGames": played}


def statuses(server: Server, asked: Asked) -> Answer:
    names = asked.request.query_params.get("ids", "").split(",")
    people = [server.world.accounts[name.lower()] for name in names if name.lower() in server.world.accounts]
    template = "/api/users/status"
    told: list[Json] = []
    for one in people:
        light: Json = {"id": one.id, "name": one.name} | ({"online": True} if server.world.online(one) else {})
        told.append(server.check("GET", template, 200, JSON, light))
    return Response(json.dumps(told), media_type=JSON)


def tokens(server: Server, asked: Asked) -> Answer:
    told: Json = {}
    for text in asked.body.split(","):
        token = server.world.tokens.get(text)
        known = token and {"userId": token.account.id, "scopes": ",".join(token.scopes), "expires": None}
        told[text] = known
    return told


def following(server: Server, asked: Asked) -> Answer:
    return [_profile(server, server.world.accounts[one]) for one in asked.account.follows]


def playing(server: Server, asked: Asked) -> Answer:
    told = []
    for game in server.world.games.values():
        colour = game.colour_of(asked.account)
        if colour is not None and not game.over:
            info = game.info_json(colour, server.world.now_ms)
            opponent = info["opponent"]
            # Here an opponent has an id even when it is the computer.
            info["opponent"] = {**opponent, "id": opponent["id"] or ""}
            told.append({"secondsLeft": 2**31 - 1, **info, "status": game.status})
    told.sort(key=lambda one: (not one["isMyTurn"], one["secondsLeft"]))
    mine = sum(one["isMyTurn"] for one in told)
    return {"nbMyTurn": mine, "nowPlaying": told[: int(asked.request.query_params.get("nb", 9))]}


def stream_events(server: Server, asked: Asked) -> Answer:
    world, account = server.world, asked.account
    if asked.token in world.events:
        world.events[asked.token].end()
    wire = Wire(server, asked, "/api/stream/event", keep_alive=1)
    world.events[asked.token] = wire
    for challenge in world.challenges.values():
        if challenge.open and account in (challenge.challenger, challenge.dest):
            told = world.challenge_json(challenge, account)
            wire.send({"type": "challenge", "challenge": told, "compat": {"bot": False, "board": True}})
    for game in world.games.values():
        colour = game.colour_of(account)
        if colour is not None and not game.over:
            wire.send({"type": "gameStart", "game": world.info(game, colour)})

    def closed() -> None:
        server.wires.discard(wire)
        if world.events.get(asked.token) is wire:
            del world.events[asked.token]
        world.changed()

    return StreamResponse(wire, closed)
