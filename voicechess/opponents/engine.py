"""An engine as the opponent: takes requests from the loop's effects and answers with events from its own thread."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from random import Random

import chess

from voicechess.game.effects import ConsiderDraw, JudgeClaim, Request, SeekHint, Think
from voicechess.game.events import ClaimJudged, Event, HintFound, OpponentAnswered, OpponentFailed, OpponentMoved
from voicechess.laws.chess960 import as_chess
from voicechess.opponents.discovery import EngineSpec
from voicechess.opponents.levels import (
    HIGHEST,
    Level,
    Temper,
    accepts_draw,
    careless_move,
    describe,
    engine_options,
    thinking_seconds,
)
from voicechess.opponents.uci import EngineProcess, EngineTimeouts, OpponentError, look_back, play_out, positions_before

_LOG = logging.getLogger(__name__)

_DRAW_DEPTH = 4
_DRAW_SECONDS = 0.7


@dataclass(frozen=True, slots=True)
class _Stop:
    """Cancel this game's requests."""

    game: int


@dataclass(frozen=True, slots=True)
class _Task:
    """A pending request. `after`: the move to think about once the draw under consideration is declined."""

    request: Request
    after: Think | None = None


@dataclass(slots=True)
class _Known:
    """What the engine has seen of one game; `game` identifies it in the engine's protocol."""

    temper: Temper = field(default_factory=lambda: Temper(1))
    colour: chess.Color | None = None
    restarts_left: int = 1
    game: object = field(default_factory=object)


_Job = Request | _Stop | str


class EngineOpponent:
    """Plays one side of a game, or of several at once, with one UCI engine.

    Several games are told apart by the number in their requests: each has one request at a time, answered in order of
    arrival.

    `post` is called on the engine's thread with OpponentMoved, OpponentAnswered and OpponentFailed; `now` returns the
    game's time in milliseconds. An answer may already be in the caller's queue when `stop` is called or a new request
    made: it carries the number of its request.

    A failing engine is reported, restarted once per game and asked the same again; if it fails after that, this report
    and all later ones are `final`. Reasons: see `uci.OpponentError`, and "chess960" (this engine cannot play the
    position).
    """

    def __init__(
        self,
        spec: EngineSpec,
        post: Callable[[Event], None],
        now: Callable[[], int],
        *,
        random: Random,
        patience: EngineTimeouts | None = None,
    ) -> None:
        self.spec = spec
        self._post = post
        self._now = now
        self._random = random
        self._patience = patience or EngineTimeouts()
        self._closed = False
        self._games: dict[int, _Known] = {}
        self._process: EngineProcess | None = None
        self._configured: Level | None = None
        self._loop = asyncio.new_event_loop()
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._thread = threading.Thread(target=self._run, name="opponent", daemon=True)
        self._thread.start()
        self._put("warm")

    # -- called by the loop, from any thread ---------------------------------------------------------------------

    def ask(self, request: Request) -> None:
        """Start working on a request; its board is copied.

        Think, JudgeClaim and SeekHint replace the previous request of the same game. ConsiderDraw is answered within
        about a second, after which thinking about a move goes on if the offer was declined; JudgeClaim within about
        `plies` / 8 seconds.
        """
        self._put(replace(request, board=request.board.copy()))

    def stop(self, game: int = 0) -> None:
        """Cancel this game's requests."""
        self._put(_Stop(game))

    def close(self) -> None:
        """Ends the engine and the thread; may be called twice."""
        if self._closed:
            return
        self.stop()
        self._put("close")
        self._closed = True
        self._thread.join(2 * self._patience.end + 2)

    # -- in the thread -------------------------------------------------------------------------------------------

    def _put(self, job: _Job) -> None:
        if not self._closed:
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._jobs.put_nowait, job)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(lambda _, context: _LOG.debug("engine: %s", context))
        try:
            self._loop.run_until_complete(self._serve())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        task: asyncio.Task[None] | None = None
        running: _Task | None = None
        waiting: deque[_Task] = deque()
        while True:
            job = await self._jobs.get()
            if running is not None and (task is None or task.done()):
                running = None
            game = job.game if isinstance(job, Request | _Stop) else None
            interrupted = next(
                (one for one in (running, *waiting) if one is not None and one.request.game == game), None
            )
            if interrupted is not None and interrupted is not running:
                waiting.remove(interrupted)
            if task is not None and (job == "close" or (running is not None and running is interrupted)):
                await _cancelled(task)
                running = None
            match job:
                case "close":
                    if self._process is not None:
                        await self._process.quit()
                    return
                case "warm":
                    task = asyncio.create_task(self._warm())
                case ConsiderDraw():
                    waiting.append(_Task(job, _thinking(interrupted)))
                case Think() | JudgeClaim() | SeekHint():
                    waiting.append(_Task(job))
            if running is None and waiting:
                if task is not None:
                    await _cancelled(task)  # only the warm-up
                running = waiting.popleft()
                task = asyncio.create_task(self._done(running))
                task.add_done_callback(lambda _: self._jobs.put_nowait("next"))

    def _done(self, task: _Task) -> Coroutine[None, None, None]:
        match task.request:
            case Think():
                return self._answer(task.request)
            case JudgeClaim():
                return self._judge(task.request)
            case SeekHint():
                return self._hint(task.request)
            case ConsiderDraw():
                return self._consider(task.request, task.after)

    def _known(self, request: Request) -> _Known:
        return self._games.setdefault(request.game, _Known())

    async def _warm(self) -> None:
        with contextlib.suppress(OpponentError):  # the first request reports it
            await self._running()

    async def _running(self) -> EngineProcess:
        if self._process is None:
            self._process = await EngineProcess.start(self.spec, self._patience)
            self._configured = None
        return self._process

    async def _discard(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await process.discard()

    async def _answer(self, request: Think) -> None:
        """Post the move, or the failures before it."""
        known = self._known(request)
        while True:
            try:
                event = await self._decide(request)
            except OpponentError as fault:
                await self._discard()
                final = fault.hopeless or known.restarts_left == 0
                failed = OpponentFailed(at_ms=self._now(), reason=fault.reason, final=final, request=request.number)
                self._post(replace(failed, game=request.game))
                if final:
                    return
                known.restarts_left -= 1
                continue
            self._post(event)
            return

    async def _decide(self, request: Think) -> OpponentMoved:
        level, known = describe(request.level), self._known(request)
        temper = known.temper
        temper.level, known.colour = level.number, request.board.turn
        if not any(request.board.legal_moves):
            raise OpponentError("no_move", hopeless=True)
        process = await self._running()
        board = plain_board(request.board, process.plays_chess960)
        careless = self._random.random() < level.blunder
        move = careless_move(board, self._random) if careless else None
        if move is None:
            clock = request.white_ms if board.turn == chess.WHITE else request.black_ms
            increment = request.white_increment_ms if board.turn == chess.WHITE else request.black_increment_ms
            await self._configure(process, level)
            seconds = thinking_seconds(level, clock, increment)
            thought = await process.think(board, seconds, level.depth, known.game)
            move = thought.move
            if thought.centipawns is not None:
                temper.note(board, thought.centipawns)
            if temper.wants_to_resign(board):
                return OpponentMoved(
                    at_ms=self._now(), uci=None, ended_ms=self._now(), request=request.number, game=request.game
                )
        claims = temper.wants_to_claim(request.board, move)
        return OpponentMoved(
            at_ms=self._now(),
            uci=request.board.uci(move),
            offers_draw=not claims and temper.wants_to_offer(board),
            claims_draw=claims,
            ended_ms=self._now(),
            request=request.number,
            game=request.game,
        )

    async def _configure(self, process: EngineProcess, level: Level) -> None:
        if self._configured != level:
            await process.configure(engine_options(level, process.offered))
            self._configured = level

    async def _consider(self, request: ConsiderDraw, interrupted: Think | None) -> None:
        board, known = request.board, self._known(request)
        asked = interrupted.board.turn if interrupted is not None else known.colour
        colour = asked if asked is not None else not board.turn
        centipawns: int | None = None
        try:
            if any(board.legal_moves):
                process = await self._running()
                plain = plain_board(board, process.plays_chess960)
                thought = await process.think(plain, _DRAW_SECONDS, _DRAW_DEPTH, known.game)
                if thought.centipawns is not None:
                    centipawns = thought.centipawns if board.turn == colour else -thought.centipawns
        except OpponentError:  # the material decides; the next move restarts the engine
            await self._discard()
        accepts = accepts_draw(board, colour, centipawns)
        self._post(OpponentAnswered(at_ms=self._now(), accepts=accepts, request=request.number, game=request.game))
        if interrupted is not None and not accepts:
            await self._answer(interrupted)

    async def _judge(self, request: JudgeClaim) -> None:
        """Post the evaluations of playing on for both sides, or of the moves played; none if the engine cannot play the
        position."""
        scores: tuple[int | None, ...] | None = None
        game = self._known(request).game
        try:
            process = await self._running()
            chess960 = process.plays_chess960
            positions = positions_before(request.board, request.plies) if request.made else [request.board.copy()]
            plain = [plain_board(position, chess960) for position in positions]
            await self._configure(process, describe(HIGHEST))  # claims are judged at full strength
            if request.made:
                scores = await look_back(process, plain, request.claimant, game)
            else:
                scores = await play_out(process, plain[0], request.claimant, request.plies, game)
        except OpponentError:
            await self._discard()
        self._post(ClaimJudged(at_ms=self._now(), scores=scores, request=request.number, game=request.game))

    async def _hint(self, request: SeekHint) -> None:
        """Post the best move at full strength; None if the engine cannot tell."""
        uci: str | None = None
        try:
            process = await self._running()
            board = plain_board(request.board, process.plays_chess960)
            await self._configure(process, describe(HIGHEST))
            thought = await process.think(board, _DRAW_SECONDS, describe(HIGHEST).depth, self._known(request).game)
            uci = request.board.uci(thought.move)
        except OpponentError:
            await self._discard()
        self._post(HintFound(at_ms=self._now(), uci=uci, request=request.number, game=request.game))


async def _cancelled(task: asyncio.Task[None]) -> None:
    """Cancel it, whatever its state."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _thinking(task: _Task | None) -> Think | None:
    """The move request that this task works on, or will after a declined draw."""
    if task is None:
        return None
    return task.request if isinstance(task.request, Think) else task.after


def plain_board(board: chess.Board, plays_chess960: bool) -> chess.Board:
    """The board in a form the engine understands. Raises OpponentError if it needs Chess960 and the engine lacks it."""
    plain = board if not board.chess960 or plays_chess960 else as_chess(board)
    if plain is None:
        raise OpponentError("chess960", hopeless=True)
    return plain
