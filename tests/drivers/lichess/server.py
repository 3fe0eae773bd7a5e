"""The stand-in's HTTP: which requests there are, what they carry out, what is answered; and where faults strike.

One table of endpoints, `ENDPOINTS`. Each answer and each line of a stream is held against the published description
before it is sent (`Description`), each request before it is carried out: one that does not fit it is answered with 400
and noted as a complaint about the client.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.drivers.lichess import account_endpoints, game_endpoints, lobby_endpoints, spectator_endpoints
from tests.drivers.lichess.exchange import Asked, Denied, Endpoint, Exchange, StreamResponse, Wire
from tests.drivers.lichess.faults import ON_KEEP_ALIVE, STREAM_KINDS, Fault, Faults, Kind
from tests.drivers.lichess.games import Account, Refused
from tests.drivers.lichess.schemas import JSON, NDJSON, Description, Invalid
from tests.drivers.lichess.world import ALL_SCOPES, Missing, World


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
        self.dice = dice
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

    def check_schema(self, name: str, body: Any) -> None:
        """Hold something against one schema alone."""
        if self.description is not None:
            try:
                self.description.schema(name, body)
            except Invalid as error:
                self.problems.append(str(error))

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
            code = f"liu_{self.dice.getrandbits(128):032x}"
            self.codes[code] = self.world.account(asked["as"]), asked
            answer = {"code": code, **state}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", 302)


BOARD = ("board:play",)
READ = ("challenge:read",)
WRITE = ("challenge:write", "bot:play", "board:play")
EVENTS = ("challenge:read", "bot:play", "board:play")
GAME = "/api/board/game/{gameId}"
CHALLENGE = "/api/challenge/{challengeId}"

ENDPOINTS: tuple[tuple[str, str, tuple[str, ...] | None, Endpoint], ...] = (
    ("GET", "/oauth", None, account_endpoints.prompt),
    ("POST", "/api/token", None, account_endpoints.new_token),
    ("POST", "/api/token/test", None, account_endpoints.tokens),
    ("DELETE", "/api/token", (), account_endpoints.revoke),
    ("GET", "/api/account", (), account_endpoints.profile),
    ("GET", "/api/account/playing", (), account_endpoints.playing),
    ("GET", "/api/users/status", None, account_endpoints.statuses),
    ("GET", "/api/rel/following", ("follow:read",), account_endpoints.following),
    ("GET", "/api/user/{username}", None, account_endpoints.player),
    ("GET", "/api/crosstable/{user1}/{user2}", None, account_endpoints.crosstable),
    ("GET", "/api/stream/event", EVENTS, account_endpoints.stream_events),
    ("POST", "/api/board/seek", BOARD, lobby_endpoints.seek),
    ("GET", "/api/board/game/stream/{gameId}", BOARD, game_endpoints.stream_game),
    ("POST", GAME + "/move/{move}", BOARD, game_endpoints.move),
    ("POST", GAME + "/resign", BOARD, game_endpoints.resign),
    ("POST", GAME + "/abort", BOARD, game_endpoints.abort),
    ("POST", GAME + "/berserk", BOARD, game_endpoints.berserk),
    ("POST", GAME + "/draw/{accept}", BOARD, game_endpoints.draw),
    ("POST", GAME + "/takeback/{accept}", BOARD, game_endpoints.takeback),
    ("POST", GAME + "/claim-victory", BOARD, game_endpoints.claim_victory),
    ("POST", GAME + "/claim-draw", BOARD, game_endpoints.claim_draw),
    ("POST", GAME + "/chat", BOARD, game_endpoints.write),
    ("POST", "/api/round/{gameId}/add-time/{seconds}", ("challenge:write",), game_endpoints.add_time),
    ("GET", "/api/puzzle/daily", None, spectator_endpoints.daily),
    ("GET", "/api/puzzle/batch/{angle}", None, spectator_endpoints.batch),
    ("GET", "/api/broadcast/top", None, spectator_endpoints.broadcasts),
    ("GET", "/api/tv/channels", None, spectator_endpoints.channels),
    ("GET", "/api/stream/broadcast/round/{broadcastRoundId}.pgn", None, spectator_endpoints.stream_round),
    ("GET", "/api/stream/game/{id}", None, spectator_endpoints.stream_game),
    ("GET", "/api/challenge", READ, lobby_endpoints.challenges),
    ("POST", "/api/challenge/ai", WRITE, lobby_endpoints.play_computer),
    ("POST", CHALLENGE + "/accept", WRITE, lobby_endpoints.accept),
    ("POST", CHALLENGE + "/decline", WRITE, lobby_endpoints.decline),
    ("POST", CHALLENGE + "/cancel", WRITE, lobby_endpoints.cancel),
    ("GET", CHALLENGE + "/show", READ, lobby_endpoints.show),
    ("POST", "/api/challenge/{username}", WRITE, lobby_endpoints.challenge),
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
