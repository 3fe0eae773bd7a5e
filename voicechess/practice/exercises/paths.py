"""Paths: from one square to another in as few moves as possible, avoiding forbidden squares."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

import chess

from voicechess.meaning import Meaning, SpokenMove
from voicechess.messages import Listing, Phrase, Piece, Slot, Square
from voicechess.practice.answers import square_said
from voicechess.practice.exercises.squares import square_list
from voicechess.practice.schedule import about
from voicechess.practice.task import MISFIT, RIGHT, AnswerVerdict, Assessment, Course, Task

SPARE_MOVES = 6
"""Moves beyond the shortest path after which an attempt fails. Larger: longer attempts."""

FORBIDDEN = 6
"""Number of forbidden squares from level 3 on. Larger: longer paths."""


def reached(piece: chess.PieceType, square: chess.Square, forbidden: chess.Bitboard) -> chess.SquareSet:
    """The squares that a piece reaches in one move. Forbidden squares can be neither entered nor passed."""
    board = chess.BaseBoard(None)
    board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
    for blocked in chess.scan_forward(forbidden & ~chess.BB_SQUARES[square]):
        board.set_piece_at(blocked, chess.Piece(chess.PAWN, chess.WHITE))
    return chess.SquareSet(board.attacks_mask(square) & ~forbidden)


@lru_cache(maxsize=512)
def shortest(
    piece: chess.PieceType, start: chess.Square, target: chess.Square, forbidden: chess.Bitboard = 0
) -> tuple[chess.Square, ...] | None:
    """A shortest path, without its start; () if the start is the target; None if there is no path."""
    came_from: dict[chess.Square, chess.Square] = {start: start}
    waiting = deque([start])
    while waiting and target not in came_from:
        here = waiting.popleft()
        for square in reached(piece, here, forbidden):
            if square not in came_from:
                came_from[square] = here
                waiting.append(square)
    if target not in came_from:
        return None
    way = []
    here = target
    while here != start:
        way.append(here)
        here = came_from[here]
    return tuple(reversed(way))


@dataclass(frozen=True)
class PathTask(Task):
    """Bring a piece from `start` to `target`; `made`: the squares announced so far."""

    piece: chess.PieceType
    start: chess.Square
    target: chess.Square
    forbidden: chess.Bitboard = 0
    made: tuple[chess.Square, ...] = ()

    @property
    def ident(self) -> str:
        return f"path.{self.piece}.{self.start}.{self.target}.{self.forbidden:x}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"path.{self.piece}",)

    @property
    def here(self) -> chess.Square:
        """The current square of the piece."""
        return self.made[-1] if self.made else self.start

    @property
    def fewest(self) -> int:
        """Number of moves of a shortest path from the start."""
        way = shortest(self.piece, self.start, self.target, self.forbidden)
        assert way, "only existing paths are asked for"
        return len(way)

    def ask(self) -> tuple[Phrase, ...]:
        piece = Piece(self.piece)
        asked = Phrase(
            "practice.paths.ask", {"piece": piece, "start": Square(self.start), "target": Square(self.target)}
        )
        parts = [asked]
        if self.forbidden:
            squares = square_list(chess.SquareSet(self.forbidden))
            parts.append(Phrase("practice.paths.forbidden", {"squares": squares}))
        if self.made:
            parts.append(Phrase("practice.paths.here", {"square": Square(self.here)}))
        return tuple(parts)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        square = square_said(meaning)
        if square is None and isinstance(meaning, SpokenMove) and meaning.origin == self.here:
            square = meaning.target  # "Gustav eins Felix drei": with the origin
        if square is None or (isinstance(meaning, SpokenMove) and meaning.piece not in (None, self.piece)):
            return MISFIT
        if square not in reached(self.piece, self.here, self.forbidden):
            return Assessment(AnswerVerdict.WRONG, (self._why_not(square),))
        made = (*self.made, square)
        if square == self.target:
            return self._arrived(len(made))
        if len(made) >= self.fewest + SPARE_MOVES:
            return Assessment(AnswerVerdict.WRONG, (Phrase("practice.paths.too_long"),))
        return Assessment(
            AnswerVerdict.GOES_ON,
            (Phrase("practice.paths.step", {"number": len(made), "square": Square(square)}),),
            replace(self, made=made),
        )

    def _why_not(self, square: chess.Square) -> Phrase:
        if chess.BB_SQUARES[square] & self.forbidden:
            return Phrase("practice.paths.is_forbidden", {"square": Square(square)})
        slots: dict[str, Slot] = {"piece": Piece(self.piece), "start": Square(self.here), "square": Square(square)}
        return Phrase("practice.paths.unreachable", slots)

    def _arrived(self, moves: int) -> Assessment:
        if moves == self.fewest:
            return RIGHT
        slots = {"moves": moves, "fewest": self.fewest}
        return Assessment(AnswerVerdict.RIGHT, (Phrase("practice.paths.longer", slots),), imperfect=True)

    def solution(self) -> tuple[Phrase, ...]:
        way = shortest(self.piece, self.start, self.target, self.forbidden) or ()
        squares = Listing(tuple(Square(square) for square in way), "")
        return (Phrase("practice.paths.way", {"squares": squares}),)

    def hint(self) -> tuple[Phrase, ...]:
        way = shortest(self.piece, self.here, self.target, self.forbidden) or ()
        return (Phrase("practice.paths.hint", {"square": Square(way[0]), "moves": len(way)}),) if way else ()

    def take_back(self) -> Task | None:
        return replace(self, made=self.made[:-1]) if self.made else None

    def expects(self) -> Phrase:
        return Phrase("practice.expects.square")


@dataclass(frozen=True)
class Paths(Course):
    """Levels: 1 knight, up to two moves; 2 knight, two to six; 3 other pieces with forbidden squares, two to five; 4
    all pieces so."""

    level: int = 1
    key: str = "paths"

    def skills(self) -> tuple[str, ...]:
        others = (chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)
        pieces = {1: (chess.KNIGHT,), 2: (chess.KNIGHT,), 3: others}.get(self.level, (chess.KNIGHT, *others))
        return tuple(f"path.{piece}" for piece in pieces)

    def task(self, skill: str, random: Random) -> Task:
        piece = int(about(skill))
        most = {1: 2, 2: 6}.get(self.level, 5)
        while True:
            forbidden = 0
            if self.level >= 3:
                forbidden = sum(chess.BB_SQUARES[square] for square in random.sample(chess.SQUARES, FORBIDDEN))
            free = [square for square in chess.SQUARES if not forbidden & chess.BB_SQUARES[square]]
            start, target = random.sample(free, 2)
            way = shortest(piece, start, target, forbidden)
            if way is not None and (1 if self.level == 1 else 2) <= len(way) <= most:
                return PathTask(piece, start, target, forbidden)
