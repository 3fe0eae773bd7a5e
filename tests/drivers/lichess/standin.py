"""The stand-in itself: a server of its own thread, begun and ended by a test, and all that a test does to it.

    with StandIn() as lichess:
        anna, bert = lichess.token("Anna"), lichess.token("Bert")
        lichess.break_(Fault(Kind.CUT, "GET */stream/*", account="anna"))
        ... clients at lichess.url ...
        lichess.until(lambda: lichess.game(id).over)

Leaving it fails the test when the stand-in itself has done something that its description does not allow.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import unescape
from random import Random
from types import TracebackType
from typing import Self, TypeVar

import chess
import uvicorn

from tests.drivers.lichess.clock import Clock, Timetable, WallClock
from tests.drivers.lichess.exchange import Exchange
from tests.drivers.lichess.faults import Fault, Faults
from tests.drivers.lichess.games import Account, Game, Sent, Terms
from tests.drivers.lichess.schemas import FOLDER, Description
from tests.drivers.lichess.server import Server, protocol
from tests.drivers.lichess.world import ALL_SCOPES, Behaviour, Challenge, Token, World

T = TypeVar("T")

PATIENCE_S = 120
"""How long a test waits for what must come, however busy the machine is."""


@dataclass
class Log:
    """What has happened at the stand-in."""

    exchanges: list[Exchange]
    complaints: list[str]
    problems: list[str]

    def of(self, pattern: str) -> list[Exchange]:
        """Requests whose "METHOD /path" a regular expression finds."""
        return [one for one in self.exchanges if re.search(pattern, f"{one.method} {one.path}")]


class StandIn:
    """Lichess, as far as this project needs it, on 127.0.0.1.

    `clock`: HandClock for tests that must not wait. `listening`: False begins without a network (`connect` mends it).
    `described`: whether everything is held against the published description; None: where that is there.
    """

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        port: int = 0,
        seed: int = 1,
        listening: bool = True,
        described: bool | None = None,
        behaviour: Behaviour | None = None,
    ) -> None:
        self.behaviour = behaviour or Behaviour()
        self.random = Random(seed)
        self._clock = clock or WallClock()
        self._port = port
        self._listening = listening
        self._description = Description() if (FOLDER.is_dir() if described is None else described) else None
        self._faults = Faults(Random(seed + 1))
        self._condition = threading.Condition()
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="stand-in", daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self._server: Server
        self._world: World
        self._stop: asyncio.Event
        self._socket: socket.socket
        self._http: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None

    # --- Beginning and ending ---

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(PATIENCE_S)
        if self._failed:
            raise self._failed
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE_S)
        if error is None:
            assert not self._thread.is_alive(), "the stand-in does not end"
            assert not self._server.problems, self._server.problems[:5]

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as error:
            self._failed = error
            self._ready.set()
            raise

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._world = World(Timetable(self._clock), self.random, self.behaviour, self._changed)
        self._server = Server(self._world, self._faults, self._description, self.random)
        self._loop.set_exception_handler(lambda _, context: self._server.problems.append(f"{context}"))
        self._bind()
        self._world.url = self.url
        if self._listening:
            await self._connect()
        timetable = asyncio.create_task(self._world.times.run())
        timetable.add_done_callback(self._timetable_ended)
        self._ready.set()
        await self._stop.wait()
        timetable.cancel()
        await self._disconnect()
        self._socket.close()

    def _timetable_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception():
            self._server.problems.append(repr(task.exception()))

    def _changed(self) -> None:
        with self._condition:
            self._condition.notify_all()

    # --- The network ---

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def connect(self) -> None:
        """The network is there (again)."""
        asyncio.run_coroutine_threadsafe(self._connect(), self._loop).result(PATIENCE_S)

    def disconnect(self) -> None:
        """The network is gone: every connection breaks, none can be made. Everybody's clocks run on."""
        asyncio.run_coroutine_threadsafe(self._disconnect(), self._loop).result(PATIENCE_S)

    def _bind(self) -> None:
        # Bound but not listened at: nobody else has the port, and whoever tries it is refused.
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", self._port))
        self._port = self._socket.getsockname()[1]

    async def _connect(self) -> None:
        if self._http:
            return
        self._server.unplugged.clear()
        config = uvicorn.Config(
            self._server.app,
            http=protocol(self._server),
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=60,
        )
        self._http = uvicorn.Server(config)
        self._serving = asyncio.create_task(self._http.serve([self._socket]))
        while not self._http.started:
            await asyncio.sleep(0.01)

    async def _disconnect(self) -> None:
        if self._http is None or self._serving is None:
            return
        self._http.should_exit = True
        self._server.unplugged.set()
        for one in self._http.servers:
            one.close()
        self._server.hang_up_all()
        await self._serving
        self._http = self._serving = None
        if not self._stop.is_set():
            self._bind()

    # --- What a test does and sees ---

    def do(self, act: Callable[[World], T]) -> T:
        """Do or look at something between two requests."""

        async def acting() -> T:
            found = act(self._world)
            self._changed()
            return found

        return asyncio.run_coroutine_threadsafe(acting(), self._loop).result(PATIENCE_S)

    def until(self, condition: Callable[[], T]) -> T:
        """Wait until the condition is something true; fails the test when it never is."""
        deadline = time.monotonic() + PATIENCE_S
        while not (found := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f"never came; the last requests: {self.log.exchanges[-10:]}")
            with self._condition:
                self._condition.wait(0.05)
        return found

    @property
    def log(self) -> Log:
        return Log(list(self._server.exchanges), list(self._server.complaints), list(self._server.problems))

    @property
    def checked(self) -> int:
        """How many lines and bodies were held against the description."""
        return self._description.checked if self._description else 0

    def advance(self, ms: int) -> None:
        """Move a HandClock; what falls due on the way happens."""
        self.do(lambda world: world.times.advance(ms))

    def account(self, name: str, rating: int = 1500, **other: object) -> Account:
        """Make somebody an account, or find it again."""
        made = Account(name.lower(), name, rating, **other)  # type: ignore[arg-type]
        return self.do(lambda world: world.accounts.setdefault(made.id, made))

    def token(self, name: str, scopes: Sequence[str] = ALL_SCOPES) -> str:
        """A personal token of somebody, who has an account now if they had none."""
        account = self.account(name)
        token = f"lip_{account.id}_{self.random.getrandbits(64):016x}"
        self.do(lambda world: world.tokens.update({token: Token(account, tuple(scopes))}))
        return token

    def revoke(self, token: str, cut: bool = False) -> None:
        """The token is worth nothing from now on; with `cut` its open streams end as well."""

        def act(world: World) -> None:
            del world.tokens[token]
            for wire in list(self._server.wires) if cut else ():
                if wire.token == token:
                    wire.hang_up()

        self.do(act)

    def break_(self, *faults: Fault) -> None:
        self._faults.add(*faults)

    def mend(self) -> None:
        """No faults any more."""
        self._faults.lift()

    def game(self, game_id: str) -> Game:
        return self.do(lambda world: world.games[game_id])

    def games(self) -> list[Game]:
        return self.do(lambda world: list(world.games.values()))

    def challenge(self, by: str, to: str, terms: Terms | None = None, colour: str = "random") -> Challenge:
        """Somebody who needs no client challenges somebody, and keeps it up."""
        mine, theirs = self.account(by), self.account(to)
        made = terms or Terms(600)
        return self.do(lambda world: world.challenge(mine, theirs, made, colour, keeps=True))

    def play(self, white: str, black: str, terms: Terms | None = None) -> Game:
        """A game of these two begins."""
        challenge = self.challenge(white, black, terms, "white")
        self.do(lambda world: world.accept(challenge))
        return self.game(challenge.id)

    def rewind(self, game_id: str, plies: int) -> None:
        """The server takes moves back by itself."""
        self.do(lambda world: world.act(world.games[game_id], lambda now: world.games[game_id].rewind(plies, now)))

    def rewrite(self, game_id: str, moves: Sequence[str]) -> None:
        """The server has had other moves all along."""
        self.do(lambda world: world.act(world.games[game_id], lambda now: world.games[game_id].rewrite(moves, now)))

    def move(self, game_id: str, *moves: str) -> None:
        """Moves of whoever is to move, without a client. Raises Refused."""
        for uci in moves:
            self.do(
                lambda world, uci=uci: world.act(  # type: ignore[misc]
                    game := world.games[game_id], lambda now: game.move(game.board.turn, uci, False, now)
                )
            )

    def end(self, game_id: str, status: str, winner: chess.Color | None = None) -> None:
        """The game ends so, whatever the laws say."""
        game = self.game(game_id)
        self.do(lambda world: world.act(game, lambda now: game.end(status, winner, now)))

    def sent_twice(self) -> list[Sent]:
        """Moves that any player sent again after they had been made."""
        return self.do(lambda world: [one for game in world.games.values() for one in game.sent_twice()])

    def most_at_once(self, account: str) -> int:
        """How many requests of an account were under way at once, streams aside."""
        return self._server.most_at_once[account]

    def browser(self, name: str | None) -> Callable[[str], bool]:
        """What opens the login page as somebody with this account, and agrees; None: does not agree."""

        def opens(url: str) -> bool:
            with urllib.request.urlopen(url, timeout=PATIENCE_S) as page:
                links = re.findall(r'href="([^"]*)"', page.read().decode())
            ending = f"&as={name.lower()}" if name else ""
            chosen = next(
                link for link in map(unescape, links) if (link.endswith(ending) if ending else "as=" not in link)
            )
            # What the client answers at its end of the loopback is its affair.
            with contextlib.suppress(OSError), urllib.request.urlopen(self.url + chosen, timeout=PATIENCE_S):
                pass
            return True

        return opens
