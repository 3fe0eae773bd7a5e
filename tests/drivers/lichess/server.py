"""The stand-in's HTTP: which requests there are, what they carry out, what is answered; and where faults strike.

One table of endpoints, `ENDPOINTS`. Each answer and each line of a stream is held against the published description
before it is sent (`Description`), each request before it is carried out: one that does not fit it is answered with 400
and noted as a complaint about the client.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import html
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode

import chess
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.drivers.lichess.faults import ON_KEEP_ALIVE, STREAM_KINDS, Fault, Faults, Kind
from tests.drivers.lichess.games import Account, Game, Json, Refused, Terms
from tests.drivers.lichess.schemas import JSON, NDJSON, Description, Invalid
from tests.drivers.lichess.world import ALL_SCOPES, Missing, Token, World

TOKEN_SECONDS = 31_536_000
ENDLESS_PIECE = b"x" * 65_536


@dataclass
class Exchange:
    """A request and what became of it. `status` None: it was not answered. `at_s`: by the monotonic clock."""

    method: str
    path: str
    account: str | None
    at_s: float = field(default_factory=time.monotonic)
    status: int | None = None
    carried_out: bool = False
    fault: Kind | None = None


class Denied(Exception):
    """401 or 403."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status


@dataclass
class Asked:
    """A request as its endpoint sees it."""

    request: Request
    token: str
    account: Account
    form: Mapping[str, str]
    body: str

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def number(self, name: str) -> int | None:
        return int(self.form[name]) if name in self.form else None


class Wire:
    """A stream that somebody has open."""

    def __init__(self, server: Server, asked: Asked, template: str, method: str = "GET", keep_alive: int = 0) -> None:
        self.token = asked.token
        self._server = server
        self._method, self._template = method, template
        self._what = f"{method} {asked.request.url.path}"
        self._account = asked.account.id
        self._client = asked.request.client
        self._keep_alive = keep_alive
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, line: Json) -> None:
        """Raises nothing: a line that does not fit the description is the stand-in's fault, noted and sent."""
        if set(line) != {"done"}:
            self._server.check(self._method, self._template, 200, NDJSON, line)
        self._lines.put_nowait(json.dumps(line).encode())

    def end(self) -> None:
        self._lines.put_nowait(None)

    def hang_up(self) -> None:
        """The connection is gone, at once."""
        self._server.hang_up(self._client)

    async def body(self) -> AsyncIterator[bytes]:
        """What goes over the wire, empty lines and faults included."""
        before = b""
        while True:
            try:
                line = await asyncio.wait_for(
                    self._lines.get(), self._server.world.behaviour.keep_alive_s[self._keep_alive]
                )
            except TimeoutError:
                line = b""
            if line is None:
                return
            fault = self._server.strikes_line(self._what, self._account, empty=not line)
            match fault and fault.kind:
                case Kind.CUT:
                    yield (line or b'{"type": "gameState"')[: max(1, len(line) // 2)]
                    self._server.hang_up(self._client)
                    await asyncio.Event().wait()
                case Kind.END:
                    return
                case Kind.SILENCE:
                    await asyncio.Event().wait()
                case Kind.GARBAGE:
                    yield (fault.body if fault and fault.body else self._server.faults.garbage()) + b"\n"
                case Kind.ENDLESS:
                    for _ in range((fault.size if fault else 0) // len(ENDLESS_PIECE) + 1):
                        yield ENDLESS_PIECE
                    self._server.hang_up(self._client)
                    await asyncio.Event().wait()
                case Kind.WRONG_TYPES:
                    line = self._server.faults.wrong_types(line)
                case Kind.STALE:
                    yield (before or line) + b"\n"
            before = line or before
            yield line + b"\n"


class StreamResponse(StreamingResponse):
    """A stream whose end is always noticed, whoever ends it."""

    def __init__(self, wire: Wire, closed: Callable[[], None]) -> None:
        super().__init__(wire.body(), media_type=NDJSON)
        self.wire = wire
        self.closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.closed()


Answer = Json | list[Json] | StreamResponse | Response | tuple[int, Json]
Endpoint = Callable[["Server", Asked], Answer]


class Server:
    """The application, and what was asked of it."""

    def __init__(self, world: World, faults: Faults, description: Description | None, dice: Random) -> None:
        self.world = world
        self.faults = faults
        self.description = description
        self.exchanges: list[Exchange] = []
        self.problems: list[str] = []
        """What the stand-in itself has done wrong."""
        self.complaints: list[str] = []
        """Requests that do not fit the description."""
        self.most_at_once: Counter[str] = Counter()
        """By account: how many of its requests, streams aside, were under way at once."""
        self.connections: dict[tuple[str, int], asyncio.Transport] = {}
        self.wires: set[Wire] = set()
        self.unplugged = asyncio.Event()
        self.codes: dict[str, tuple[Account, Mapping[str, str]]] = {}
        self._dice = dice
        self._at_once: Counter[str] = Counter()
        routes = [Route(path, self._serve(path), methods=[method]) for method, path, *_ in ENDPOINTS]
        self.app = Starlette(routes=[*routes, Route("/oauth/consent", self._consent)])

    # --- The way of a request ---

    def _serve(self, template: str) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            text = request.headers.get("authorization", "").removeprefix("Bearer ")
            token = self.world.tokens.get(text)
            exchange = Exchange(request.method, request.url.path, token.account.id if token else None)
            self.exchanges.append(exchange)
            try:
                return await self._carry_out(request, template, text, exchange)
            finally:
                self.world.changed()

        return serve

    async def _carry_out(self, request: Request, template: str, text: str, exchange: Exchange) -> Response:
        # With everything in hand, nothing lies between the decision and what is done.
        raw = (await request.body()).decode("utf-8", "replace")
        fault = self.faults.strikes(f"{exchange.method} {exchange.path}", exchange.account)
        exchange.fault = fault.kind if fault else None
        who = exchange.account or ""
        self._at_once[who] += 1
        self.most_at_once[who] = max(self.most_at_once[who], self._at_once[who])
        try:
            if fault and fault.kind is Kind.ANSWER:
                exchange.status = fault.status
                return Response(fault.body, fault.status, dict(fault.headers), JSON)
            if fault and fault.kind is Kind.DROP:
                return await self._no_answer(request)
            if fault and fault.kind is Kind.SLOW:
                await self._wait(fault.seconds)
            answer = self._answer(request, template, text, raw)
            exchange.carried_out = answer.status_code < 400
            if fault and fault.kind is Kind.LOSE_ANSWER:
                return await self._no_answer(request)
            if fault and fault.kind is Kind.LATE_ANSWER:
                await self._wait(fault.seconds)
            if fault and fault.kind is Kind.DRIP:
                if isinstance(answer, StreamResponse):
                    answer.closed()
                return await self._drip(request)
            if fault and fault.kind is Kind.SPOIL_ANSWER:
                answer = Response(fault.body, answer.status_code, media_type=JSON)
            exchange.status = answer.status_code
            return answer
        finally:
            self._at_once[who] -= 1

    async def _wait(self, seconds: float) -> None:
        """So long, but no longer than there is a network."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.unplugged.wait(), seconds)

    async def _drip(self, request: Request) -> Response:
        """Headers without an end, until the other side has had enough."""
        client = request.client
        transport = self.connections.get((client.host, client.port)) if client else None
        if transport is not None:
            transport.write(b"HTTP/1.1 200 OK\r\nX-Drip: ")
            while not (transport.is_closing() or self.unplugged.is_set()):
                transport.write(b"x")
                await asyncio.sleep(0.05)
        return await self._no_answer(request)

    async def _no_answer(self, request: Request) -> Response:
        self.hang_up(request.client)
        await asyncio.sleep(0)
        return Response()

    def _answer(self, request: Request, template: str, text: str, raw: str) -> Response:
        method, _, scopes, endpoint = next(one for one in ENDPOINTS if one[:2] == (request.method, template))
        try:
            plain = request.headers.get("content-type", "").startswith("text/plain")
            form = {} if plain else dict(parse_qsl(raw, keep_blank_values=True))
            asked = Asked(request, text, self._known(text, scopes), form, raw)
            self._must_fit(method, template, request.query_params, form)
            answer = endpoint(self, asked)
        except Denied as error:
            answer = error.status, {"error": str(error)}
        except Refused as error:
            answer = 400, {"error": str(error)}
        except Missing:
            answer = 404, {"error": "Not found."}
        status = 200
        if isinstance(answer, tuple):
            status, answer = answer
        if isinstance(answer, StreamResponse):
            self.wires.add(answer.wire)
        if isinstance(answer, Response):
            return answer
        if isinstance(answer, list):
            lines = [self.check(method, template, status, NDJSON, line) for line in answer]
            return Response("".join(json.dumps(line) + "\n" for line in lines), status, media_type=NDJSON)
        return Response(json.dumps(self.check(method, template, status, JSON, answer)), status, media_type=JSON)

    def _known(self, text: str, scopes: tuple[str, ...] | None) -> Account:
        """Whose token it is, and whether it allows this: any of the scopes is enough."""
        if scopes is None:
            return Account("", "")
        token = self.world.tokens.get(text)
        if token is None:
            raise Denied(401, "No such token")
        if scopes and not set(scopes) & set(token.scopes):
            raise Denied(403, f"Missing scope: {' or '.join(scopes)}")
        if self.world.behaviour.one_at_a_time and self._at_once[token.account.id] > 1:
            raise Denied(429, "Please only run 1 request(s) at a time")
        return token.account

    def _must_fit(self, method: str, template: str, query: Mapping[str, str], form: Mapping[str, str]) -> None:
        if self.description is None:
            return
        try:
            self.description.request(method, template, query, form)
        except Invalid as error:
            self.complaints.append(str(error))
            raise Refused(str(error)) from error

    def check(self, method: str, template: str, status: int, mime: str, body: Any) -> Any:
        """Hold a body or a line against the description; the same comes back."""
        if self.description is not None:
            try:
                self.description.answer(method, template, status, mime, self._described(body))
            except Invalid as error:
                self.problems.append(str(error))
        return body

    def _described(self, body: Any) -> Any:
        """The body; where it tells of the computer otherwise than described (`Behaviour.bare_computer`), mended."""
        if not self.world.behaviour.bare_computer or not isinstance(body, dict) or body.get("type") != "gameFull":
            return body
        sides = {side: {"id": "", "name": "", **body[side]} for side in ("white", "black")}
        return body | sides

    def strikes_line(self, what: str, account: str, empty: bool) -> Fault | None:
        return self.faults.strikes(what, account, ON_KEEP_ALIVE if empty else STREAM_KINDS)

    def hang_up(self, client: Any) -> None:
        """Close a connection without a word."""
        transport = self.connections.get((client.host, client.port)) if client else None
        if transport is not None:
            transport.close()

    def hang_up_all(self) -> None:
        for transport in list(self.connections.values()):
            transport.abort()

    # --- Login ---

    async def _consent(self, request: Request) -> Response:
        """Where the page of GET /oauth leads: somebody agrees, or does not (no `as`)."""
        asked = dict(request.query_params)
        state = {"state": asked["state"]} if "state" in asked else {}
        answer = {"error": "access_denied", "error_description": "user cancelled authorization", **state}
        if "as" in asked:
            code = f"liu_{self._dice.getrandbits(128):032x}"
            self.codes[code] = self.world.account(asked["as"]), asked
            answer = {"code": code, **state}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", 302)

    def prompt(self, asked: Asked) -> Response:
        query = dict(asked.request.query_params)
        people = [*self.world.accounts, None]
        links = [
            f'<a href="/oauth/consent?{html.escape(urlencode(query | ({"as": name} if name else {})))}">'
            f"{html.escape(f'Authorize as {name}' if name else 'Cancel')}</a>"
            for name in people
        ]
        return Response("<html><body>" + "<br>".join(links) + "</body></html>", media_type="text/html")

    def new_token(self, asked: Asked) -> Answer:
        form = asked.form
        account, prompt = self.codes.pop(form.get("code", ""), (None, {}))
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
        token = f"lio_{self._dice.getrandbits(128):032x}"
        self.world.tokens[token] = Token(account, tuple(prompt.get("scope", "").split()))
        return {"token_type": "Bearer", "access_token": token, "expires_in": TOKEN_SECONDS}

    def revoke(self, asked: Asked) -> Answer:
        del self.world.tokens[asked.token]
        return Response(status_code=204)

    # --- The account ---

    def profile(self, asked: Asked) -> Answer:
        return self._profile(asked.account)

    def _profile(self, account: Account) -> Json:
        rating = {"games": 10, "rating": account.rating, "rd": 60, "prog": 0}
        if account.provisional:
            rating["prov"] = True
        told: Json = {
            "id": account.id,
            "username": account.name,
            "url": f"{self.world.url}/@/{account.id}",
            "perfs": dict.fromkeys(("blitz", "rapid", "classical", "correspondence", "chess960"), rating),
        }
        return told | ({"title": account.title} if account.title else {})

    def statuses(self, asked: Asked) -> Answer:
        names = asked.request.query_params.get("ids", "").split(",")
        people = [self.world.accounts[name.lower()] for name in names if name.lower() in self.world.accounts]
        template = "/api/users/status"
        told: list[Json] = []
        for one in people:
            light: Json = {"id": one.id, "name": one.name} | ({"online": True} if self.world.online(one) else {})
            told.append(self.check("GET", template, 200, JSON, light))
        return Response(json.dumps(told), media_type=JSON)

    def tokens(self, asked: Asked) -> Answer:
        told: Json = {}
        for text in asked.body.split(","):
            token = self.world.tokens.get(text)
            known = token and {"userId": token.account.id, "scopes": ",".join(token.scopes), "expires": None}
            told[text] = known
        return told

    def following(self, asked: Asked) -> Answer:
        return [self._profile(self.world.accounts[one]) for one in asked.account.follows]

    def playing(self, asked: Asked) -> Answer:
        told = []
        for game in self.world.games.values():
            colour = game.colour_of(asked.account)
            if colour is not None and not game.over:
                info = game.info_json(colour, self.world.now_ms)
                opponent = info["opponent"]
                # Here an opponent has an id even when it is the computer.
                info["opponent"] = {**opponent, "id": opponent["id"] or ""}
                told.append({"secondsLeft": 2**31 - 1, **info, "status": game.status})
        told.sort(key=lambda one: (not one["isMyTurn"], one["secondsLeft"]))
        mine = sum(one["isMyTurn"] for one in told)
        return {"nbMyTurn": mine, "nowPlaying": told[: int(asked.request.query_params.get("nb", 9))]}

    def stream_events(self, asked: Asked) -> Answer:
        world, account = self.world, asked.account
        if asked.token in world.events:
            world.events[asked.token].end()
        wire = Wire(self, asked, "/api/stream/event", keep_alive=1)
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
            self.wires.discard(wire)
            if world.events.get(asked.token) is wire:
                del world.events[asked.token]
            world.changed()

        return StreamResponse(wire, closed)

    # --- Seeks and challenges ---

    def seek(self, asked: Asked) -> Answer:
        form = asked.form
        minutes = float(form["time"]) if "time" in form else None
        terms = self._terms(asked, None if minutes is None else round(minutes * 60), asked.number("increment") or 0)
        colour = form.get("color", "random")
        if terms.seconds is None and terms.days is None:
            raise Refused("Either time and increment, or days")
        if terms.variant == "fromPosition":
            raise Refused("A seek cannot be for a position")
        if terms.seconds is None:
            return {"id": self.world.seek(asked.account, terms, colour, None).id}
        if terms.speed not in ("rapid", "classical"):
            raise Refused("Invalid time control: seeks of the Board API are rapid or slower")
        wire = Wire(self, asked, "/api/board/seek", "POST")
        made = self.world.seek(asked.account, terms, colour, wire)

        def closed() -> None:
            self.wires.discard(wire)
            self.world.end_seek(made)

        return StreamResponse(wire, closed)

    def _terms(self, asked: Asked, seconds: int | None, increment: int) -> Terms:
        form = asked.form
        return Terms(
            seconds,
            increment,
            None if seconds is not None else asked.number("days"),
            form.get("rated") == "true",
            form.get("variant", "fromPosition" if form.get("fen") else "standard"),
            form.get("fen") or None,
        )

    def _direct_terms(self, asked: Asked) -> Terms:
        terms = self._terms(asked, asked.number("clock.limit"), asked.number("clock.increment") or 0)
        if terms.variant not in ("standard", "chess960", "fromPosition"):
            raise Refused("This game cannot be played with the Board API.")
        return terms

    def challenges(self, asked: Asked) -> Answer:
        mine = [one for one in self.world.challenges.values() if one.open]
        read = self.world.challenge_json
        return {
            "in": [read(one, asked.account) for one in mine if one.dest is asked.account],
            "out": [read(one, asked.account) for one in mine if one.challenger is asked.account],
        }

    def challenge(self, asked: Asked) -> Answer:
        name = asked.path("username")
        dest = self.world.accounts.get(name.lower())
        if dest is asked.account:
            raise Missing
        if dest is None:
            raise Refused(f"No such user: {name}")
        keeps = asked.form.get("keepAliveStream") == "true"
        colour = asked.form.get("color", "random")
        made = self.world.challenge(asked.account, dest, self._direct_terms(asked), colour, keeps=keeps)
        told = self.world.challenge_json(made, asked.account)
        if not keeps:
            return told
        wire = Wire(self, asked, "/api/challenge/{username}", "POST")
        wire.send(told)
        made.kept = wire

        def closed() -> None:
            self.wires.discard(wire)
            made.kept = None
            self.world.end_challenge(made, "canceled")

        return StreamResponse(wire, closed)

    def play_computer(self, asked: Asked) -> Answer:
        colour = asked.form.get("color", "random")
        game = self.world.play_computer(asked.account, int(asked.form["level"]), self._direct_terms(asked), colour)
        has = game.colour_of(asked.account)
        info = game.info_json(chess.WHITE if has else chess.BLACK, self.world.now_ms)
        told = {name: info[name] for name in ("variant", "speed", "perf", "rated", "fen", "source", "status", "fullId")}
        told |= {"id": game.id, "turns": game.ply, "createdAt": game.created_ms, "player": info["color"]}
        return 201, told

    def _challenge(self, asked: Asked) -> Any:
        found = self.world.challenges.get(asked.path("challengeId"))
        if found is None or asked.account not in (found.challenger, found.dest):
            raise Missing
        return found

    def accept(self, asked: Asked) -> Answer:
        challenge = self._challenge(asked)
        if challenge.dest is not asked.account:
            raise Missing
        self.world.accept(challenge)
        return {"ok": True}

    def decline(self, asked: Asked) -> Answer:
        challenge = self._challenge(asked)
        if challenge.dest is not asked.account or not challenge.open:
            raise Missing
        self.world.decline(challenge, asked.form.get("reason", "").lower())
        return {"ok": True}

    def cancel(self, asked: Asked) -> Answer:
        challenge = self._challenge(asked)
        game = self.world.games.get(challenge.id)
        if game is not None and game.abortable:
            self.world.act(game, game.abort)
        elif challenge.open:
            self.world.end_challenge(challenge, "canceled" if challenge.challenger is asked.account else "declined")
        else:
            raise Missing
        return {"ok": True}

    def show(self, asked: Asked) -> Answer:
        return self.world.challenge_json(self._challenge(asked), asked.account)

    # --- A game ---

    def _game(self, asked: Asked) -> tuple[Game, chess.Color]:
        game = self.world.games.get(asked.path("gameId")[:8])
        colour = game.colour_of(asked.account) if game else None
        if game is None or colour is None:
            raise Missing
        if game.terms.speed in ("ultraBullet", "bullet"):
            raise Refused("This game cannot be played with the Board API.")
        return game, colour

    def stream_game(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        wire = Wire(self, asked, "/api/board/game/stream/{gameId}")
        self.world.watch(game, colour, wire)

        def closed() -> None:
            self.wires.discard(wire)
            self.world.unwatch(game, colour, wire)

        return StreamResponse(wire, closed)

    def move(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        offers = asked.request.query_params.get("offeringDraw") == "true"
        self.world.act(game, lambda now: game.move(colour, asked.path("move"), offers, now))
        return {"ok": True}

    def resign(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        self.world.act(game, lambda now: game.resign(colour, now))
        return {"ok": True}

    def abort(self, asked: Asked) -> Answer:
        self.world.act(game := self._game(asked)[0], game.abort)
        return {"ok": True}

    def draw(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        yes = _yes(asked)
        chat = f"{chess.COLOR_NAMES[colour].capitalize()} {'offers' if yes else 'declines'} draw"
        self.world.act(game, lambda now: game.draw(colour, yes, now), chat)
        return {"ok": True}

    def takeback(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        yes, before = _yes(asked), game.takebacks
        self.world.act(game, lambda now: game.takeback(colour, yes, now))
        chat = "accepted" if game.takebacks != before else "sent" if yes else "declined"
        self.world.say(game, "lichess", f"Takeback {chat}")
        return {"ok": True}

    def claim_victory(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        self.world.act(game, lambda now: game.claim(colour, "timeout", now))
        return {"ok": True}

    def claim_draw(self, asked: Asked) -> Answer:
        game, colour = self._game(asked)
        self.world.act(game, lambda now: game.claim(colour, "draw", now))
        return {"ok": True}

    def write(self, asked: Asked) -> Answer:
        game, _ = self._game(asked)
        self.world.say(game, asked.account.name, asked.form["text"], asked.form["room"])
        return {"ok": True}


def _yes(asked: Asked) -> bool:
    return asked.path("accept") in ("yes", "true", "1", "on")


BOARD = ("board:play",)
READ = ("challenge:read",)
WRITE = ("challenge:write", "bot:play", "board:play")
EVENTS = ("challenge:read", "bot:play", "board:play")
GAME = "/api/board/game/{gameId}"
CHALLENGE = "/api/challenge/{challengeId}"

ENDPOINTS: tuple[tuple[str, str, tuple[str, ...] | None, Endpoint], ...] = (
    ("GET", "/oauth", None, Server.prompt),
    ("POST", "/api/token", None, Server.new_token),
    ("POST", "/api/token/test", None, Server.tokens),
    ("DELETE", "/api/token", (), Server.revoke),
    ("GET", "/api/account", (), Server.profile),
    ("GET", "/api/account/playing", (), Server.playing),
    ("GET", "/api/users/status", None, Server.statuses),
    ("GET", "/api/rel/following", ("follow:read",), Server.following),
    ("GET", "/api/stream/event", EVENTS, Server.stream_events),
    ("POST", "/api/board/seek", BOARD, Server.seek),
    ("GET", "/api/board/game/stream/{gameId}", BOARD, Server.stream_game),
    ("POST", GAME + "/move/{move}", BOARD, Server.move),
    ("POST", GAME + "/resign", BOARD, Server.resign),
    ("POST", GAME + "/abort", BOARD, Server.abort),
    ("POST", GAME + "/draw/{accept}", BOARD, Server.draw),
    ("POST", GAME + "/takeback/{accept}", BOARD, Server.takeback),
    ("POST", GAME + "/claim-victory", BOARD, Server.claim_victory),
    ("POST", GAME + "/claim-draw", BOARD, Server.claim_draw),
    ("POST", GAME + "/chat", BOARD, Server.write),
    ("GET", "/api/challenge", READ, Server.challenges),
    ("POST", "/api/challenge/ai", WRITE, Server.play_computer),
    ("POST", CHALLENGE + "/accept", WRITE, Server.accept),
    ("POST", CHALLENGE + "/decline", WRITE, Server.decline),
    ("POST", CHALLENGE + "/cancel", WRITE, Server.cancel),
    ("GET", CHALLENGE + "/show", READ, Server.show),
    ("POST", "/api/challenge/{username}", WRITE, Server.challenge),
)
"""Method, path, scopes of which any is enough (None: no token is asked for), and what carries it out."""
assert set(ALL_SCOPES) >= {*BOARD, *READ}


def protocol(server: Server) -> type[H11Protocol]:
    """uvicorn's own, which also tells the server of its connections, so that it can hang up."""

    class Protocol(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if self.client:
                server.connections[self.client] = transport

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self.client:
                server.connections.pop(self.client, None)

    return Protocol
