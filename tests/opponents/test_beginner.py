"""Level 1 can be beaten by somebody who knows the moves and takes what stands unprotected."""

from __future__ import annotations

from random import Random

import chess
import pytest

from voicechess.game.effects import Think
from voicechess.game.events import OpponentMoved
from voicechess.opponents.discovery import sunfish
from voicechess.opponents.levels import material

from .conftest import Start

_WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
_MOST_PLIES = 100


def beginner(board: chess.Board, random: Random) -> chess.Move:
    """Mates in one if there is a mate, else takes the most, and mostly sees when the piece that moves can be taken."""

    def worth(move: chess.Move) -> float:
        gain: float = _WORTH[board.piece_type_at(move.to_square) or chess.KING]
        gain += 8 if move.promotion == chess.QUEEN else 0
        board.push(move)
        if board.is_checkmate():
            gain = 1000
        elif board.is_stalemate():
            gain = -1000
        elif random.random() < 0.7 and board.is_attacked_by(board.turn, move.to_square):
            gain -= _WORTH[board.piece_type_at(move.to_square) or chess.KING]
        board.pop()
        return gain + random.random() / 2

    return max(board.legal_moves, key=worth)


@pytest.mark.parametrize("seed", range(3))
def test_a_beginner_is_well_ahead_of_level_one(start: Start, seed: int) -> None:
    listener = start(spec=sunfish(), seed=seed)
    random = Random(seed)
    board = chess.Board()
    colour = chess.WHITE if seed % 2 == 0 else chess.BLACK
    while not board.is_game_over() and board.ply() < _MOST_PLIES:
        if board.turn == colour:
            board.push(beginner(board, random))
            continue
        listener.opponent.ask(Think(board, None, None, level=1))
        event = listener.next()
        assert isinstance(event, OpponentMoved)
        assert event.uci is not None  # it never resigns: who learns to mate must be allowed to
        board.push_uci(event.uci)
    lost = board.is_checkmate() and board.turn == colour
    assert not lost
    assert board.is_checkmate() or material(board, colour) >= 300
