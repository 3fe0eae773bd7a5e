"""The moments of a finished game that mattered: where a move gave away the most.

What an evaluation is worth is measured as the share of points to be expected, not in pawns: a pawn lost in an even game
matters, one lost with a queen more does not. The curve is the one Lichess publishes for its accuracy figures
(https://lichess.org/page/accuracy).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from voicechess.messages import Men, Ordinal, Phrase, Side
from voicechess.moves.saying import said_move

MATE = 20_000
"""Centipawns from here on mean mate: Sunfish calls it about 50 000, python-chess 100 000 here; no position has more."""

LEAST_LOSS = 0.08
"""A move that gives away less of the points to be expected (0 to 1) is no moment."""

MOST_MOMENTS = 3


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An engine's view of a position: centipawns for the side to move, and the best move (None: there is none)."""

    centipawns: int
    best: chess.Move | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A move that gave something away. `ply` counts from 0; `before`, `after`: centipawns for who made it."""

    ply: int
    fen: str
    played: chess.Move
    best: chess.Move
    before: int
    after: int

    @property
    def loss(self) -> float:
        """What was given away of the points to be expected, 0 to 1."""
        return expected_points(self.before) - expected_points(self.after)

    @property
    def board(self) -> chess.Board:
        """The position in which it was played."""
        return chess.Board(self.fen)

    def told(self, number: int) -> Phrase:
        """The moment in words, as the `number`-th."""
        board = self.board
        return Phrase(
            "practice.review.moment",
            {
                "which": Ordinal(number),
                "number": board.fullmove_number,
                "side": Side(board.turn),
                "played": said_move(board, self.played),
                "judgement": self.judgement(),
                "better": said_move(board, self.best),
            },
        )

    def judgement(self) -> Phrase:
        """What it cost."""
        if self.before >= MATE > self.after:
            return Phrase("practice.review.lost_mate")
        if self.after <= -MATE < self.before:
            return Phrase("practice.review.allowed_mate")
        pawns = round((self.before - self.after) / 100)
        return (
            Phrase("practice.review.cost_pawns", {"pawns": Men(chess.PAWN, pawns)})
            if pawns
            else Phrase("practice.review.cost_little")
        )


def expected_points(centipawns: int) -> float:
    """The share of points to be expected, 0 to 1, for the side the centipawns are for."""
    return 1 / (1 + math.exp(-0.00368208 * max(-2000, min(2000, centipawns))))


def settled(board: chess.Board) -> Evaluation | None:
    """The evaluation of a position without moves or with a mate at once; None where an engine has to look.

    A mate at once is looked for here because an engine on a busy machine may run out of time before it sees it.
    """
    if not any(board.legal_moves):
        return Evaluation(-100_000 if board.is_check() else 0, None)
    mate = next((move for move in board.legal_moves if _mates(board, move)), None)
    return None if mate is None else Evaluation(99_999, mate)


def _mates(board: chess.Board, move: chess.Move) -> bool:
    if not board.gives_check(move):
        return False
    board.push(move)
    mated = board.is_checkmate()
    board.pop()
    return mated


def find_moments(
    start: chess.Board,
    moves: Sequence[chess.Move],
    evaluations: Sequence[Evaluation | None],
    colour: chess.Color | None = None,
) -> tuple[Moment, ...]:
    """At most three moments, in the order of the game.

    `evaluations[i]` is of the position before move `i`, the last one of the end; None and missing ones are passed over.
    `colour`: whose moves are looked at, None for both.
    """
    board = start.copy(stack=False)
    found = []
    for ply, move in enumerate(moves):
        before = evaluations[ply] if ply < len(evaluations) else None
        after = evaluations[ply + 1] if ply + 1 < len(evaluations) else None
        looked_at = colour in (None, board.turn)
        best = before.best if before is not None else None
        if looked_at and before is not None and after is not None and best is not None and best != move:
            found.append(Moment(ply, board.fen(), move, best, before.centipawns, -after.centipawns))
        board.push(move)
    worst = sorted(found, key=lambda moment: -moment.loss)[:MOST_MOMENTS]
    return tuple(sorted((m for m in worst if m.loss >= LEAST_LOSS), key=lambda moment: moment.ply))
