"""When an engine accepts, offers or claims a draw, and when it resigns. Pure: from evaluations, not from feelings.

UCI knows no draw offers and no resigning, so this is decided here. Evaluations are centipawns from the engine's own
side. No single evaluation ends a game: a search that was cut off can report any number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

_VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}

_LOST = -1200
_LOST_MATERIAL = -800
_LOST_MOVES = 3
_LOWEST_LEVEL_TO_RESIGN = 5  # who learns to mate must be allowed to

_LEVEL_SCORE = 15
_LEVEL_MOVES = 6
_EARLIEST_OFFER = 40
_MOVES_BETWEEN_OFFERS = 20

_ACCEPT_WHEN_WORSE = -40
_ACCEPT_WHEN_EVEN = 25


def material(board: chess.Board, colour: chess.Color) -> int:
    """What `colour` has more than its opponent, in centipawns."""
    return sum(
        value * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, value in _VALUES.items()
    )


def simplified(board: chess.Board) -> bool:
    """Whether so little is left that play for a win is hard: at most four pieces besides kings and pawns."""
    return chess.popcount(board.occupied & ~board.kings & ~board.pawns) <= 4


def accepts_draw(board: chess.Board, colour: chess.Color, centipawns: int | None) -> bool:
    """Whether an engine playing `colour` takes a draw that is offered to it.

    It does when it is worse, or when an even position has become simple, late or stuck. `centipawns` None (nothing
    was evaluated) counts the material instead.
    """
    score = material(board, colour) if centipawns is None else centipawns
    if score <= _ACCEPT_WHEN_WORSE:
        return True
    if score > _ACCEPT_WHEN_EVEN:
        return False
    return simplified(board) or board.fullmove_number >= _EARLIEST_OFFER or board.halfmove_clock >= 30


def can_claim(board: chess.Board, move: chess.Move) -> bool:
    """Whether a draw can be claimed with `move` (Laws, articles 9.2.1 and 9.3.1).

    Only with a move, never instead of one: a claim that the laws in force do not grant then costs nothing.
    """
    after = board.copy()
    after.push(move)
    return (after.halfmove_clock >= 100 or after.is_repetition(3)) and not after.is_checkmate()


@dataclass(slots=True)
class Temper:
    """What one engine has seen of one game: `scores` holds the evaluation of each of its moves, oldest first."""

    level: int
    scores: list[int] = field(default_factory=list)
    last_offer: int | None = None

    def wants_to_resign(self, board: chess.Board) -> bool:
        """Whether the engine, to move on `board`, gives up: hopeless several times, and the material agrees."""
        recent = self.scores[-_LOST_MOVES:]
        return (
            self.level >= _LOWEST_LEVEL_TO_RESIGN
            and len(recent) == _LOST_MOVES
            and max(recent) <= _LOST
            and material(board, board.turn) <= _LOST_MATERIAL
        )

    def wants_to_offer(self, board: chess.Board) -> bool:
        """Whether the engine offers a draw with this move; remembers that it did."""
        recent = self.scores[-_LEVEL_MOVES:]
        if len(recent) < _LEVEL_MOVES or max(abs(score) for score in recent) > _LEVEL_SCORE:
            return False
        if board.fullmove_number < _EARLIEST_OFFER or not simplified(board):
            return False
        if self.last_offer is not None and board.fullmove_number - self.last_offer < _MOVES_BETWEEN_OFFERS:
            return False
        self.last_offer = board.fullmove_number
        return True

    def wants_to_claim(self, board: chess.Board, move: chess.Move) -> bool:
        """Whether the engine claims the draw it could have: it does unless it thinks that it is winning."""
        if not can_claim(board, move):
            return False
        score = self.scores[-1] if self.scores else material(board, board.turn)
        return score <= 100
