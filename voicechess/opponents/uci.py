"""UCI with an engine in a child process, by python-chess, guarded against floods and hanging.

python-chess keeps unfinished lines for ever, splits them in quadratic time, and waits without a timeout for engines
that do not answer. Here every wait has a timeout and every failure is an `OpponentError` with a reason key.

The engine also provides the evaluations by which a claim is judged: "cannot be won by normal means" by playing on for
some plies with the engine on both sides; "makes no effort to win" by the plies that were made.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import chess
import chess.engine

from voicechess.opponents.discovery import EngineSpec

# --- the protocol -----------------------------------------------------------------------------------------------------

# It logs a warning for every unknown line: useless to a player, and costly when an engine floods.
logging.getLogger("chess.engine").setLevel(logging.CRITICAL)

_LARGEST_OUTPUT = 4 << 20  # bytes in answer to one question; six seconds of Stockfish are some 20 000
_LINE_COST = 256  # overhead of a line, as bytes
_LONGEST_LINE = 1 << 16
_SLICE = 4096
_KILLED_ENDS_S = 10.0  # seconds for a killed process to be gone; larger: closing waits longer where the system hangs

MATE_SCORE = 100_000
"""Centipawns that represent mate."""


class OpponentError(Exception):
    """The engine failed. `reason`: key below [sentences.opponent]; `hopeless`: a restart cannot help."""

    def __init__(self, reason: str, hopeless: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.hopeless = hopeless


@dataclass(frozen=True, slots=True)
class EngineTimeouts:
    """Timeouts for an engine, in seconds."""

    start: float = 20.0  # for its first output
    grace: float = 2.0  # beyond its thinking time, before it is told to stop
    answer: float = 3.0  # after being told to stop
    end: float = 1.0  # for the process to end


@dataclass(frozen=True, slots=True)
class Thought:
    """Result of a search: the move, and its evaluation in centipawns for the side to move (None: not given)."""

    move: chess.Move
    centipawns: int | None


class GuardedUci(chess.engine.UciProtocol):
    """UCI with a limit on the output for one request; beyond it the process is killed."""

    def __init__(self) -> None:
        super().__init__()
        self._taken = 0
        self.flooded = False

    def question(self) -> None:
        """Start a new request, which resets the limit."""
        self._taken = 0

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Takes the child's output in small slices, up to the limit."""
        raw = data.encode() if isinstance(data, str) else data
        for start in range(0, len(raw), _SLICE):
            if self.flooded:
                return
            piece = raw[start : start + _SLICE]
            self._taken += len(piece) + _LINE_COST * piece.count(b"\n")
            super().pipe_data_received(fd, piece)
            if self._taken > _LARGEST_OUTPUT or len(self.buffer[fd]) > _LONGEST_LINE:
                self.flooded = True
                self.buffer[fd].clear()
                kill(self)

    def process_exited(self) -> None:
        """The child has ended. Its process group is killed too, in case it was a wrapper that left the engine
        running."""
        super().process_exited()
        if os.name == "posix" and self.transport is not None:
            _end_group(self.transport.get_pid())


def kill(protocol: chess.engine.Protocol) -> None:
    """Kill the child process and its group."""
    transport = protocol.transport
    if transport is None or transport.get_returncode() is not None:
        return
    if os.name == "posix":
        # Not through the transport: it polls the child, and asyncio's watcher, which waits for it, then complains of an
        # unknown child.
        _end_group(transport.get_pid())
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            transport.kill()


def _end_group(leader: int) -> None:
    """Kill the process group of a child, which leads its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all have ended; macOS raises the latter
        os.killpg(leader, signal.SIGKILL)


class EngineProcess:
    """One running engine. All methods belong to the event loop that started it."""

    def __init__(self, protocol: GuardedUci, patience: EngineTimeouts) -> None:
        self._protocol = protocol
        self._patience = patience

    @classmethod
    async def start(cls, spec: EngineSpec, patience: EngineTimeouts) -> EngineProcess:
        """Starts the engine and speaks UCI with it.

        Raises OpponentError: "start" (no such program, or one that speaks no UCI), "silent", "gone" or "flood".
        """
        # A process group of its own: Ctrl+C in the terminal is for this program.
        starting = asyncio.ensure_future(GuardedUci.popen(list(spec.command), setpgrp=True, stderr=subprocess.DEVNULL))
        try:
            _, protocol = await asyncio.shield(starting)
        except asyncio.CancelledError:  # asyncio would kill the child, but not its group
            with contextlib.suppress(OSError, ValueError):
                _, protocol = await starting
                await cls(protocol, patience).discard()
            raise
        except (OSError, ValueError) as error:
            raise OpponentError("start") from error
        process = cls(protocol, patience)
        try:
            await asyncio.wait_for(protocol.initialize(), patience.start)
        except TimeoutError as error:
            await process.discard()
            raise OpponentError("silent") from error
        except chess.engine.EngineError as error:
            fault = process._fault(error, otherwise="start")
            await process.discard()
            raise fault from error
        except asyncio.CancelledError:
            await process.discard()
            raise
        return process

    @property
    def plays_chess960(self) -> bool:
        """Whether the engine offers UCI_Chess960."""
        return "UCI_Chess960" in self._protocol.options

    @property
    def offered(self) -> dict[str, tuple[int | None, int | None]]:
        """The engine's options, with their limits."""
        return {name: (option.min, option.max) for name, option in self._protocol.options.items()}

    async def configure(self, options: dict[str, int | bool]) -> None:
        """Set options. Raises OpponentError if the engine is gone or refuses."""
        self._protocol.question()
        try:
            await asyncio.wait_for(self._protocol.configure(dict(options)), self._patience.answer)
        except TimeoutError as error:
            raise OpponentError("silent") from error
        except chess.engine.EngineError as error:
            raise self._fault(error, otherwise="start") from error

    async def think(self, board: chess.Board, seconds: float, depth: int | None, game: object) -> Thought:
        """The engine's move on `board` within about `seconds`.

        An engine that exceeds them is told to stop before it is given up. Raises OpponentError: "silent", "gone",
        "illegal" (an impossible or unreadable move), "no_move" (`bestmove (none)`) or "flood". Cancelling stops it.
        """
        self._protocol.question()
        limit = chess.engine.Limit(time=seconds, depth=depth)
        asked = asyncio.ensure_future(self._protocol.play(board, limit, game=game, info=chess.engine.INFO_SCORE))
        try:
            done, _ = await asyncio.wait({asked}, timeout=seconds + self._patience.grace)
            if not done:
                self._protocol.send_line("stop")
                done, _ = await asyncio.wait({asked}, timeout=self._patience.answer)
            if not done:
                raise OpponentError("silent")
            result = asked.result()
        except chess.engine.EngineError as error:
            raise self._fault(error, otherwise="illegal") from error
        except OSError as error:  # a broken pipe
            raise OpponentError("gone") from error
        finally:
            asked.cancel()
        if result.move is None:
            raise OpponentError("no_move")
        if result.move not in board.legal_moves:  # python-chess lets null moves pass
            raise OpponentError("illegal")
        score = result.info.get("score")
        return Thought(result.move, None if score is None else score.pov(board.turn).score(mate_score=MATE_SCORE))

    def _fault(self, error: chess.engine.EngineError, otherwise: str) -> OpponentError:
        if self._protocol.flooded:
            return OpponentError("flood")
        gone = isinstance(error, chess.engine.EngineTerminatedError)
        return OpponentError("gone" if gone else otherwise)

    async def quit(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        with contextlib.suppress(TimeoutError, chess.engine.EngineError, OSError):
            await asyncio.wait_for(self._protocol.quit(), self._patience.end)
        await self.discard()

    async def discard(self) -> None:
        """Kill the process and wait for its end."""
        kill(self._protocol)
        # Not `_patience.end`: a busy machine takes longer, and closing the transport earlier would poll the child.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._protocol.returncode), _KILLED_ENDS_S)
        if self._protocol.transport is not None:
            self._protocol.transport.close()


# --- judging a claim --------------------------------------------------------------------------------------------------

_SECONDS = 0.1
_DEPTH = 6
_MATE_IN_SIGHT = MATE_SCORE - 1_000


async def play_out(
    process: EngineProcess, board: chess.Board, claimant: chess.Color, plies: int, game: object
) -> tuple[int | None, ...]:
    """The evaluation for the claimant's opponent, in centipawns, before each of `plies` plies; fewer if the game ends.

    None: a mate in sight for the opponent, or no evaluation. `board` is played on. Raises OpponentError.
    """
    scores: list[int | None] = []
    for _ in range(plies):
        if board.is_game_over(claim_draw=False):
            break
        thought = await process.think(board, _SECONDS, _DEPTH, game)
        scores.append(_for_the_opponent(thought, board, claimant))
        board.push(thought.move)
    if board.is_checkmate() and board.turn == claimant:
        scores.append(None)
    return tuple(scores)


def positions_before(board: chess.Board, plies: int) -> list[chess.Board]:
    """The positions before each of the last `plies` of `board`, the earliest first, and `board` itself."""
    past, found = board.copy(), [board.copy()]
    for _ in range(min(plies, len(past.move_stack))):
        past.pop()
        found.append(past.copy())
    return found[::-1]


async def look_back(
    process: EngineProcess, positions: Sequence[chess.Board], claimant: chess.Color, game: object
) -> tuple[int | None, ...]:
    """The evaluation for the claimant's opponent, in centipawns, in each position. None: as in `play_out`."""
    scores = []
    for board in positions:
        thought = await process.think(board, _SECONDS, _DEPTH, game)
        scores.append(_for_the_opponent(thought, board, claimant))
    return tuple(scores)


def _for_the_opponent(thought: Thought, board: chess.Board, claimant: chess.Color) -> int | None:
    score = thought.centipawns
    if score is not None and board.turn == claimant:
        score = -score
    return None if score is None or score >= _MATE_IN_SIGHT else score
