"""Playing strength of the levels 1 to 10, and when an engine offers, accepts or claims a draw, or resigns.

A level has three parameters: how often a move is picked blindly (`blunder`), the search depth, and the time.
Depth-limited engines are still too strong for a beginner: even one ply of search takes every hanging piece, and
Stockfish's lowest setting is about Elo 1350. So the lower levels now and then play a random legal move, which loses
pieces the way a beginner does.

UCI has neither draw offers nor resignation, so both are decided here, from evaluations alone: centipawns from the
engine's side. No single evaluation ends a game: an interrupted search can report any number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import chess

# --- levels -----------------------------------------------------------------------------------------------------------

LOWEST = 1
HIGHEST = 10

_LEAST_SECONDS = 0.05
_MOVES_TO_COME = 30  # moves to spread the remaining time over
_INCREMENT_SHARE = 0.8
_LARGEST_SHARE = 0.2  # largest share of the remaining time for one move
_SPARE_SECONDS = 0.2  # overhead of the pipe and this program


@dataclass(frozen=True, slots=True)
class Level:
    """One level."""

    number: int
    blunder: float  # probability, 0 to 1, of a random move
    depth: int | None  # plies; None: no limit
    seconds: float  # most time for a move, if the clock allows it
    elo: int | None = None  # limit for Stockfish (UCI_Elo); None together with `skill` None means full strength
    skill: int | None = None  # Stockfish's Skill Level, for strengths below its lowest Elo

    @property
    def key(self) -> str:
        """Key of the sentence that describes this level, below [sentences]."""
        return f"level.{self.number}"


LEVELS: Mapping[int, Level] = {
    level.number: level
    for level in (
        Level(1, 0.80, 1, 1.0, skill=0),
        Level(2, 0.65, 1, 1.0, skill=0),
        Level(3, 0.50, 1, 1.0, skill=0),
        Level(4, 0.35, 1, 1.0, skill=0),
        Level(5, 0.20, 2, 1.0, skill=1),
        Level(6, 0.10, 2, 1.0, elo=1400),
        Level(7, 0.03, 3, 1.5, elo=1600),
        Level(8, 0.0, 4, 2.0, elo=1900),
        Level(9, 0.0, None, 3.0, elo=2300),
        Level(10, 0.0, None, 6.0),
    )
}


def describe(number: int) -> Level:
    """The level of this number, clamped to 1 to 10."""
    return LEVELS[min(max(number, LOWEST), HIGHEST)]


def thinking_seconds(level: Level, clock_ms: int | None, increment_ms: int = 0) -> float:
    """Seconds that an engine may think about its next move, at least 0.05.

    `clock_ms`: its own clock, None if untimed.
    """
    if clock_ms is None:
        return level.seconds
    clock = max(clock_ms, 0) / 1000 - _SPARE_SECONDS
    share = clock / _MOVES_TO_COME + _INCREMENT_SHARE * max(increment_ms, 0) / 1000
    return max(_LEAST_SECONDS, min(level.seconds, share, clock * _LARGEST_SHARE))


def careless_move(board: chess.Board, random: Random) -> chess.Move | None:
    """A random legal move; a pawn promotes to a queen. None if there is no legal move."""
    moves = [move for move in board.legal_moves if move.promotion in (None, chess.QUEEN)]
    return random.choice(moves) if moves else None


def engine_options(level: Level, offered: Mapping[str, tuple[int | None, int | None]]) -> dict[str, int | bool]:
    """UCI options that limit an engine to `level`, out of those it offers.

    `offered`: option name -> smallest and largest value (None for options that are no numbers).
    """

    def clamp(name: str, value: int) -> int:
        low, high = offered[name]
        value = value if low is None else max(value, low)
        return value if high is None else min(value, high)

    wanted: dict[str, int | bool] = {}
    if "Threads" in offered:
        wanted["Threads"] = clamp("Threads", 1)
    if "TABLE_SIZE" in offered:  # sunfish: entries of a dict of about 300 bytes; the default takes 300 MB
        wanted["TABLE_SIZE"] = clamp("TABLE_SIZE", 100_000)
    elif "Hash" in offered:
        wanted["Hash"] = clamp("Hash", 16)
    if "UCI_LimitStrength" in offered and "UCI_Elo" in offered:
        wanted["UCI_LimitStrength"] = level.elo is not None
        if level.elo is not None:
            wanted["UCI_Elo"] = clamp("UCI_Elo", level.elo)
    if "Skill Level" in offered:
        wanted["Skill Level"] = clamp("Skill Level", 20 if level.skill is None else level.skill)
    return wanted


# --- draws and resigning ----------------------------------------------------------------------------------------------

_VALUES = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}

_LOST = -1200
_LOST_MATERIAL = -800
_LOST_MOVES = 3
_LOWEST_LEVEL_TO_RESIGN = 5  # a beginner must be allowed to practise mating

_LEVEL_SCORE = 15
_LEVEL_MOVES = 6
_EARLIEST_OFFER = 40
_MOVES_BETWEEN_OFFERS = 20

_ACCEPT_WHEN_WORSE = -40
_ACCEPT_WHEN_EVEN = 25


def material(board: chess.Board, colour: chess.Color) -> int:
    """Material balance of `colour`, in centipawns."""
    return sum(
        value * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour)))
        for kind, value in _VALUES.items()
    )


def simplified(board: chess.Board) -> bool:
    """Whether so little material is left that playing for a win is hard: at most four pieces besides kings and
    pawns."""
    return chess.popcount(board.occupied & ~board.kings & ~board.pawns) <= 4


def accepts_draw(board: chess.Board, colour: chess.Color, centipawns: int | None) -> bool:
    """Whether an engine playing `colour` accepts a draw.

    It does if it is worse, or if an even position has become simple, late or blocked. `centipawns` None (no
    evaluation): the material is counted instead.
    """
    score = material(board, colour) if centipawns is None else centipawns
    if score <= _ACCEPT_WHEN_WORSE:
        return True
    if score > _ACCEPT_WHEN_EVEN:
        return False
    return simplified(board) or board.fullmove_number >= _EARLIEST_OFFER or board.halfmove_clock >= 30


def can_claim(board: chess.Board, move: chess.Move) -> bool:
    """Whether a draw can be claimed with `move` (Laws, articles 9.2.1 and 9.3.1).

    Only with a move, never instead of one, so that a rejected claim costs nothing.
    """
    after = board.copy()
    after.push(move)
    return (after.halfmove_clock >= 100 or after.is_repetition(3)) and not after.is_checkmate()


@dataclass(slots=True)
class Temper:
    """One engine's view of one game: `scores` has the evaluation of each of its moves, oldest first, `plies` the number
    of plies before the last one noted."""

    level: int
    scores: list[int] = field(default_factory=list)
    last_offer: int | None = None
    plies: list[int] = field(default_factory=list)

    def note(self, board: chess.Board, centipawns: int) -> None:
        """Note the evaluation of the engine's move on `board`. Evaluations of positions that were not reached, or were
        taken back, are dropped, and so is a draw it would have offered there."""
        while self.plies and self.plies[-1] >= board.ply():
            self.plies.pop()
            self.scores.pop()
        if self.last_offer is not None and self.last_offer >= board.fullmove_number:
            self.last_offer = None
        self.plies.append(board.ply())
        self.scores.append(centipawns)

    def wants_to_resign(self, board: chess.Board) -> bool:
        """Whether the engine, to move on `board`, resigns: hopeless several times in a row, confirmed by the
        material."""
        recent = self.scores[-_LOST_MOVES:]
        return (
            self.level >= _LOWEST_LEVEL_TO_RESIGN
            and len(recent) == _LOST_MOVES
            and max(recent) <= _LOST
            and material(board, board.turn) <= _LOST_MATERIAL
        )

    def wants_to_offer(self, board: chess.Board) -> bool:
        """Whether the engine offers a draw with this move; remembers it."""
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
        """Whether the engine claims an available draw: unless it thinks it is winning."""
        if not can_claim(board, move):
            return False
        score = self.scores[-1] if self.scores else material(board, board.turn)
        return score <= 100
