"""A claim "cannot be won by normal means", judged by playing on: the engine plays both sides for some half-moves."""

from __future__ import annotations

import chess

from voicechess.opponents.uci import MATE_SCORE, EngineProcess

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
        score = thought.centipawns
        if score is not None and board.turn == claimant:
            score = -score
        scores.append(None if score is None or score >= _MATE_IN_SIGHT else score)
        board.push(thought.move)
    if board.is_checkmate() and board.turn == claimant:
        scores.append(None)
    return tuple(scores)
