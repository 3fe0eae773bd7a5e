"""An engine as the opponent: asked by the loop's effects, answering with events from a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random

import chess

from voicechess.game.effects import ConsiderDraw, JudgeClaim, Request, Think
from voicechess.game.events import ClaimJudged, Event, OpponentAnswered, OpponentFailed, OpponentMoved
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


_Job = Request | str


class EngineOpponent:
    """Plays one side with a UCI engine.

    `post` is called from the engine's thread with OpponentMoved, OpponentAnswered and OpponentFailed; `now` tells the
    game's time in milliseconds. An answer may already lie in the caller's queue when `stop` is called, or when
    something else is asked: it has the number of its request.

    A failing engine is reported, started again once and asked the same again without being told; when it fails after
    that, the report is `final`, and so is every later one. Reasons: see `uci.OpponentError`, and "chess960" (this
    engine cannot play the position).
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
        self._game = object()
        self._temper = Temper(1)
        self._colour: chess.Color | None = None
        self._process: EngineProcess | None = None
        self._configured: Level | None = None
        self._restarts_left = 1
        self._loop = asyncio.new_event_loop()
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._thread = threading.Thread(target=self._run, name="opponent", daemon=True)
        self._thread.start()
        self._put("warm")

    # -- called by the loop, from any thread ---------------------------------------------------------------------

    def ask(self, request: Request) -> None:
        """Begins to look for the answer; its board is copied.

        Think and JudgeClaim replace what was asked before. ConsiderDraw is answered within about a second, and thinking
        about a move goes on afterwards if the offer was refused; JudgeClaim within about `plies` / 8 seconds.
        """
        self._put(replace(request, board=request.board.copy()))

    def stop(self) -> None:
        """No answer is wanted any more."""
        self._put("stop")

    def new_game(self) -> None:
        """Forgets what was thought about the game before; a failed engine gets a new chance."""
        self.stop()
        self._put("new")

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
            with contextlib.suppress(RuntimeError):  # the loop ended
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
        current: Think | None = None
        while True:
            job = await self._jobs.get()
            busy = task is not None and not task.done()
            if task is not None and job != "warm":
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
            match job:
                case "close":
                    if self._process is not None:
                        await self._process.quit()
                    return
                case "new":
                    self._game, self._temper, self._restarts_left = object(), Temper(1), 1
                case "stop":
                    current = None
                case "warm":
                    task = asyncio.create_task(self._warm())
                case Think():
                    current = job
                    task = asyncio.create_task(self._answer(job))
                case JudgeClaim():
                    task = asyncio.create_task(self._judge(job))
                case ConsiderDraw():
                    task = asyncio.create_task(self._consider(job, current if busy else None))

    async def _warm(self) -> None:
        with contextlib.suppress(OpponentError):  # whoever asks first will hear of it
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
        """Posts the move, or the failures on the way to it."""
        while True:
            try:
                event = await self._decide(request)
            except OpponentError as fault:
                await self._discard()
                final = fault.hopeless or self._restarts_left == 0
                self._post(OpponentFailed(at_ms=self._now(), reason=fault.reason, final=final, request=request.number))
                if final:
                    return
                self._restarts_left -= 1
                continue
            self._post(event)
            return

    async def _decide(self, request: Think) -> OpponentMoved:
        level = describe(request.level)
        self._temper.level = level.number
        self._colour = request.board.turn
        if not any(request.board.legal_moves):
            raise OpponentError("no_move", hopeless=True)
        process = await self._running()
        board = _plain(request.board, process.plays_chess960)
        careless = self._random.random() < level.blunder
        move = careless_move(board, self._random) if careless else None
        if move is None:
            clock = request.white_ms if board.turn == chess.WHITE else request.black_ms
            increment = request.white_increment_ms if board.turn == chess.WHITE else request.black_increment_ms
            await self._configure(process, level)
            seconds = thinking_seconds(level, clock, increment)
            thought = await process.think(board, seconds, level.depth, self._game)
            move = thought.move
            if thought.centipawns is not None:
                self._temper.scores.append(thought.centipawns)
            if self._temper.wants_to_resign(board):
                return OpponentMoved(at_ms=self._now(), uci=None, ended_ms=self._now(), request=request.number)
        claims = self._temper.wants_to_claim(request.board, move)
        return OpponentMoved(
            at_ms=self._now(),
            uci=request.board.uci(move),
            offers_draw=not claims and self._temper.wants_to_offer(board),
            claims_draw=claims,
            ended_ms=self._now(),
            request=request.number,
        )

    async def _configure(self, process: EngineProcess, level: Level) -> None:
        if self._configured != level:
            await process.configure(engine_options(level, process.offered))
            self._configured = level

    async def _consider(self, request: ConsiderDraw, interrupted: Think | None) -> None:
        board = request.board
        known = interrupted.board.turn if interrupted is not None else self._colour
        colour = known if known is not None else not board.turn
        centipawns: int | None = None
        try:
            if any(board.legal_moves):
                process = await self._running()
                plain = _plain(board, process.plays_chess960)
                thought = await process.think(plain, _DRAW_SECONDS, _DRAW_DEPTH, self._game)
                if thought.centipawns is not None:
                    centipawns = thought.centipawns if board.turn == colour else -thought.centipawns
        except OpponentError:  # the material decides; the next move starts the engine again
            await self._discard()
        accepts = accepts_draw(board, colour, centipawns)
        self._post(OpponentAnswered(at_ms=self._now(), accepts=accepts, request=request.number))
        if interrupted is not None and not accepts:
            await self._answer(interrupted)

    async def _judge(self, request: JudgeClaim) -> None:
        """Posts the scores of play for both sides, or of what was played; none when the engine cannot play it."""
        scores: tuple[int | None, ...] | None = None
        try:
            process = await self._running()
            chess960 = process.plays_chess960
            positions = positions_before(request.board, request.plies) if request.made else [request.board.copy()]
            plain = [_plain(position, chess960) for position in positions]
            await self._configure(process, describe(HIGHEST))  # a verdict is given with full strength
            if request.made:
                scores = await look_back(process, plain, request.claimant, self._game)
            else:
                scores = await play_out(process, plain[0], request.claimant, request.plies, self._game)
        except OpponentError:
            await self._discard()
        self._post(ClaimJudged(at_ms=self._now(), scores=scores, request=request.number))


def _plain(board: chess.Board, plays_chess960: bool) -> chess.Board:
    """The board as an engine without Chess960 understands it. Raises OpponentError where that cannot be.

    Once nobody can castle, or kings and rooks stand where they do in chess, Chess960 is chess.
    """
    if not board.chess960 or plays_chess960:
        return board
    plain = chess.Board(board.fen(en_passant="fen"))
    if plain.castling_rights != board.castling_rights or plain.status() & chess.STATUS_BAD_CASTLING_RIGHTS:
        raise OpponentError("chess960", hopeless=True)
    if plain.clean_castling_rights() != board.clean_castling_rights():
        raise OpponentError("chess960", hopeless=True)
    return plain
