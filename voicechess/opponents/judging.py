"""A claim "cannot be won by normal means", judged by playing on: the engine plays both sides for some half-moves; or
"makes no effort to win", judged by the half-moves that were made."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from voicechess.opponents.uci import MATE_SCORE, EngineProcess, Thought

_SECONDS = 0.1
_DEPTH = 6
_MATE_IN_SIGHT = MATE_SCORE - 1_000


async def play_out(
    process: EngineProcess, board: chess.Board, claimant: chess.Color, plies: int, game: object
) -> tuple[int | None, ...]:
    """The advantage of the claimant's opponent in centipawns before each of `plies` half-moves; fewer when it ends.

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
    """The positions before each of the last `plies` half-moves of `board`, the earliest first, and `board` itself."""
    past, found = board.copy(), [board.copy()]
    for _ in range(min(plies, len(past.move_stack))):
        past.pop()
        found.append(past.copy())
    return found[::-1]


async def look_back(
    process: EngineProcess, positions: Sequence[chess.Board], claimant: chess.Color, game: object
) -> tuple[int | None, ...]:
    """The advantage of the claimant's opponent in centipawns in each position. None: as in `play_out`."""
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
