"""Players who use the client as the program does, and move by themselves: what they saw and sent is kept.

They move when a state says that it is their turn, once, and again when the client says that the server has refused, or
the state after it has no such move: it is the client that is to see to it that nothing is sent twice.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Self

import chess

from tests.drivers.lichess.standin import StandIn
from voicechess.game.effects import SendMove, SendWish, ServerRequest, Wish
from voicechess.game.events import Event, ServerLink, ServerRefused, ServerState
from voicechess.online.lobby import GameClosed, OnlineGame
from voicechess.opponents.lichess.board_game import BoardGame
from voicechess.opponents.lichess.client import LichessClient
from voicechess.opponents.lichess.login import AccessToken
from voicechess.opponents.lichess.transport import LineStream, Transport

OVER = ("aborted", "mate", "resign", "stalemate", "timeout", "draw", "outoftime", "noStart", "unknownFinish")


class Skipping:
    """Seconds that pass as they do, but pauses are skipped: nobody waits, and everybody believes they have waited."""

    def __init__(self) -> None:
        self._skipped = 0.0
        self.pauses: list[float] = []

    def now_s(self) -> float:
        return time.monotonic() + self._skipped

    def pause(self, seconds: float, wake: threading.Event) -> None:
        self.pauses.append(seconds)
        self._skipped += seconds
        # So many attempts a second are enough.
        wake.wait(min(seconds, 0.01))


class QuickTransport(Transport):
    """Streams that are silent are given up soon."""

    silence_s = 20.0

    def stream(
        self,
        method: str,
        path: str,
        *,
        form: Mapping[str, str] | None = None,
        silence_s: float = 20.0,
        silence_ends: bool = False,
    ) -> LineStream:
        return super().stream(method, path, form=form, silence_s=self.silence_s, silence_ends=silence_ends)


def idle(_board: chess.Board, _colour: chess.Color) -> ServerRequest | None:
    """Does nothing."""
    return None


Brain = Callable[[chess.Board, chess.Color], ServerRequest | None]
"""What to do in this position; None: nothing, it is not one's turn."""


def by_lot(seed: int, plies: int) -> Brain:
    """Moves drawn by the position alone, so that the same game comes about whatever goes wrong; then resigns."""

    def brain(board: chess.Board, colour: chess.Color) -> ServerRequest | None:
        if board.turn != colour:
            return None
        if board.ply() >= plies:
            return SendWish(Wish.RESIGN)
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        return SendMove(board.uci(Random(f"{seed} {board.fen()}").choice(moves)))

    return brain


def script(*moves: str) -> Brain:
    """These moves, as far as they go."""

    def brain(board: chess.Board, colour: chess.Color) -> ServerRequest | None:
        told = board.ply()
        return SendMove(moves[told]) if board.turn == colour and told < len(moves) else None

    return brain


@dataclass
class Seen:
    """A game as a robot knows it."""

    online: OnlineGame
    game: BoardGame
    brain: Brain
    asked_after: tuple[str, ...] | None = None
    """After these moves something was asked for, and is not answered yet."""
    states: list[ServerState] = field(default_factory=list)
    links: list[ServerLink] = field(default_factory=list)
    refused: list[ServerRefused] = field(default_factory=list)
    others: list[Event] = field(default_factory=list)

    @property
    def moves(self) -> tuple[str, ...]:
        return self.states[-1].moves if self.states else ()

    @property
    def over(self) -> bool:
        return bool(self.states) and self.states[-1].status in OVER

    @property
    def result(self) -> tuple[tuple[str, ...], str, chess.Color | None]:
        """Moves, how it ended, who won."""
        last = self.states[-1]
        return last.moves, last.status, last.winner


class Robot:
    """One account with a client of its own. Closes with the block."""

    def __init__(self, standin: StandIn, name: str, *, silence_s: float = 20.0, times: Skipping | None = None) -> None:
        self.standin = standin
        self.times = times or Skipping()
        self.text = standin.token(name)
        token = AccessToken(self.text)
        transport = QuickTransport(standin.url, token, now=self.times.now_s)
        transport.silence_s = silence_s
        self.client = LichessClient(
            standin.url,
            token,
            self._post,
            self.now_ms,
            transport=transport,
            now_s=self.times.now_s,
            pause=self.times.pause,
        )
        self.lobby: list[Event] = []
        self.games: dict[str, Seen] = {}
        self._numbers = iter(range(1, 1_000_000))
        self._events: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"robot {name}", daemon=True)
        self.problems: list[BaseException] = []

    def __enter__(self) -> Self:
        self.client.connect()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self._events.put(None)
        self._thread.join(60)
        self.check()

    def check(self) -> None:
        """Fails the test if something has failed on a thread of this robot."""
        if self.problems:
            raise self.problems[0]

    def play(self, game_id: str, brain: Brain = idle) -> Seen:
        """Enter a game, and play it."""
        online, game = self.client.enter(game_id)
        seen = self.games[game_id] = Seen(online, game, brain)
        # The client posts for all its games alike; whose it is, it says by the game that is entered.
        game._post = lambda event: self._events.put(lambda: self._handle(seen, event))
        game.begin()
        return seen

    def go(self, seen: Seen, brain: Brain) -> None:
        """From now on play like this."""

        def act() -> None:
            seen.brain = brain
            if seen.states and seen.asked_after is None:
                self._act(seen, seen.states[-1])

        self._events.put(act)

    def leave(self, seen: Seen) -> None:
        """As the program does when a game is over."""
        seen.game.leave()
        del self.games[seen.online.id]

    def ask(self, seen: Seen, request: ServerRequest) -> None:
        seen.game.send(request)

    def now_ms(self) -> int:
        """What events are stamped with."""
        return int(time.monotonic() * 1000)

    def _post(self, event: Event) -> None:
        self._events.put(lambda: self.lobby.append(event))

    def _run(self) -> None:
        while (act := self._events.get()) is not None:
            try:
                act()
            except BaseException as error:
                self.problems.append(error)

    def _handle(self, seen: Seen, event: Event) -> None:
        match event:
            case ServerState():
                seen.states.append(event)
                if seen.asked_after != event.moves:
                    seen.asked_after = None
                if event.status == "started" and seen.asked_after is None:
                    self._act(seen, event)
            case ServerLink():
                seen.links.append(event)
            case ServerRefused():
                seen.refused.append(event)
                seen.asked_after = None
            case _:
                seen.others.append(event)

    def _act(self, seen: Seen, state: ServerState) -> None:
        board = chess.Board(seen.online.terms.fen or chess.STARTING_FEN)
        for uci in state.moves:
            board.push_uci(uci)
        request = seen.brain(board, seen.online.terms.colour is not chess.BLACK)
        if request is not None:
            seen.asked_after = state.moves
            seen.game.send(request)


def closed(robot: Robot) -> Iterator[str]:
    """Which games its event stream has told the end of."""
    return (event.id for event in robot.lobby if isinstance(event, GameClosed))
