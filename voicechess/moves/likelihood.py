"""Which legal moves are likelier before a word was heard: the recapture.

It only puts questions in order, so that the likelier move is offered first (and, of more than three, offered at all):
no move is played and none is left out for it. A forced move needs no such favour, since nothing legal competes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import chess

RECAPTURE = log(2)
"""So much cheaper a recapture counts where moves are put in order. Most captures are answered by one, so this is
little; what was heard has to decide wherever it says anything."""


def recaptures(board: chess.Board, move: chess.Move) -> bool:
    """Whether `move` takes the man that has just taken something. False where the last move is not known."""
    if not board.move_stack or not board.is_capture(move):
        return False
    last = board.peek()
    before = board.copy(stack=1)
    before.pop()
    return move.to_square == last.to_square and before.is_capture(last)


def in_order(board: chess.Board, costs: Mapping[chess.Move, float]) -> tuple[chess.Move, ...]:
    """The moves to be asked about, likeliest first: by the costs of what was heard, recaptures a little cheaper."""
    return tuple(sorted(costs, key=lambda move: costs[move] - RECAPTURE * recaptures(board, move)))
