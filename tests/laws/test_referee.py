"""python-chess as the referee on random games, and exhaustive search as the referee on locked pawns.

VOICECHESS_REFEREE_GAMES sets the number of random games (default 25).
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable

import chess
import pytest

from voicechess.laws import mating
from voicechess.laws.draws import Claim, claim
from voicechess.laws.editions import EDITIONS, Category, after_move
from voicechess.laws.results import Way

GAMES = int(os.environ.get("VOICECHESS_REFEREE_GAMES", "25"))

_HOLDS: dict[Way, Callable[[chess.Board], bool]] = {
    Way.CHECKMATE: chess.Board.is_checkmate,
    Way.STALEMATE: chess.Board.is_stalemate,
    Way.FIVEFOLD: chess.Board.is_fivefold_repetition,
    Way.SEVENTY_FIVE_MOVES: chess.Board.is_seventyfive_moves,
}
"""How python-chess decides each way. Dead positions it knows only by their material."""
STARTS = (
    chess.STARTING_FEN,
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 130 120",
    "8/5k2/8/3n4/8/2B5/4P3/4K3 w - - 0 1",
    "8/8/4k3/8/4p3/4K3/8/8 w - - 0 1",
)


def check(board: chess.Board, seen: set[Way]) -> bool:
    """Compare every decision about `board`; whether the game is over."""
    ending = after_move(board, EDITIONS[2023])
    outcome = board.outcome()
    if ending is None:
        assert outcome is None, board.fen()
    elif outcome is None:
        # Only dead positions are ours alone.
        assert ending.way is Way.DEAD_POSITION, board.fen()
    else:
        # Two ways can hold at once (the fifth repetition in the seventy-fifth move): the one we name must.
        assert ending.way is Way.DEAD_POSITION or _HOLDS[ending.way](board), board.fen()
        assert ending.pgn_result == outcome.result()
    if ending is not None:
        seen.add(ending.way)
        return True
    for kind, holds in ((Claim.THREEFOLD, board.is_repetition(3)), (Claim.FIFTY_MOVES, board.is_fifty_moves())):
        assert claim(board, kind, EDITIONS[2023], Category.STANDARD).right == holds
    return False


def test_endings_and_claims_are_decided_as_python_chess_decides_them() -> None:
    chance = random.Random(11)
    seen: set[Way] = set()
    for number in range(GAMES):
        board = chess.Board(STARTS[number % len(STARTS)])
        ply = 0
        while not check(board, seen):
            if ply % 10 == 0:
                announced = [None, *board.legal_moves]
                rules = EDITIONS[2023]
                right = (claim(board, one, rules, Category.STANDARD, move).right for one in Claim for move in announced)
                assert any(right) == board.can_claim_draw()
            moves = list(board.legal_moves)
            # Few choices now and then, or nothing is ever repeated.
            board.push(chance.choice(moves if number % 3 else moves[:2]))
            ply += 1
    assert {Way.FIVEFOLD, Way.SEVENTY_FIVE_MOVES, Way.DEAD_POSITION} <= seen


def mate_exists(board: chess.Board, colour: chess.Color, limit: int) -> bool | None:
    """Whether `colour` can mate, by looking at every position that can come about; None beyond `limit` of them."""
    waiting, seen = deque([board]), {board._transposition_key()}
    while waiting:
        position = waiting.popleft()
        moves = list(position.legal_moves)
        if not moves and position.is_check() and position.turn != colour:
            return True
        for move in moves:
            after = position.copy(stack=False)
            after.push(move)
            if after._transposition_key() not in seen:
                seen.add(after._transposition_key())
                waiting.append(after)
        if len(seen) > limit:
            return None
    return False


def random_wall(chance: random.Random) -> chess.Board:
    """Pairs of pawns face to face, two kings, now and then bishops."""
    board = chess.Board(None)
    for file in range(8):
        if chance.random() < 0.95:
            rank = chance.randrange(2, 5)
            board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, chess.WHITE))
            board.set_piece_at(chess.square(file, rank + 1), chess.Piece(chess.PAWN, chess.BLACK))
    free = [square for square in chess.SQUARES if board.piece_at(square) is None]
    pieces = [(chess.KING, chess.WHITE), (chess.KING, chess.BLACK)]
    pieces += [(chess.BISHOP, colour) for colour in chess.COLORS if chance.random() < 0.3]
    for (kind, colour), square in zip(pieces, chance.sample(free, len(pieces)), strict=True):
        board.set_piece_at(square, chess.Piece(kind, colour))
    board.turn = chance.random() < 0.5
    return board


@pytest.mark.parametrize("colour", chess.COLORS)
def test_no_wall_is_called_dead_that_is_not(colour: chess.Color) -> None:
    chance = random.Random(12)
    locked = proved = 0
    for _ in range(3_000):
        board = random_wall(chance)
        if board.is_valid() and mating._locked_out(board, colour):
            locked += 1
            if locked <= 12:
                answer = mate_exists(board, colour, 1_200)
                assert answer is not True, board.fen()
                proved += answer is False
    assert proved > 2
