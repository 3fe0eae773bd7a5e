"""Squares: their colours, neighbours, diagonals, and knight moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import chess

from voicechess.meaning import Meaning
from voicechess.messages import Listing, Phrase, Square
from voicechess.practice.answers import shade_said, square_said, squares_said, yes_said
from voicechess.practice.schedule import about, kind_of
from voicechess.practice.task import MISFIT, RIGHT, WRONG, AnswerVerdict, Assessment, Course, Task

DIRECTIONS: Mapping[str, tuple[int, int]] = {
    "north": (0, 1),
    "north_east": (1, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south": (0, -1),
    "south_west": (-1, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
"""Direction -> steps in files and ranks; north is towards the eighth rank."""


def is_light(square: chess.Square) -> bool:
    """Whether a square is light; a1 is dark."""
    return bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])


def on_one_diagonal(one: chess.Square, other: chess.Square) -> bool:
    """Whether two different squares are on one diagonal."""
    files = abs(chess.square_file(one) - chess.square_file(other))
    return files != 0 and files == abs(chess.square_rank(one) - chess.square_rank(other))


def neighbour(square: chess.Square, direction: str) -> chess.Square | None:
    """The next square in a direction; None beyond the edge."""
    files, ranks = DIRECTIONS[direction]
    file, rank = chess.square_file(square) + files, chess.square_rank(square) + ranks
    return chess.square(file, rank) if 0 <= file < 8 and 0 <= rank < 8 else None


def square_list(squares: chess.SquareSet | frozenset[chess.Square]) -> Listing:
    """Squares in order, for a sentence."""
    return Listing(tuple(Square(square) for square in sorted(squares)))


@dataclass(frozen=True)
class ShadeTask(Task):
    """Is this square light or dark?"""

    square: chess.Square

    @property
    def ident(self) -> str:
        return f"shade.{self.square}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"shade.{self.square}",)

    def ask(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.squares.shade", {"square": Square(self.square)}),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = shade_said(meaning)
        if said is None:
            return MISFIT
        return RIGHT if said is is_light(self.square) else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        key = "light" if is_light(self.square) else "dark"
        return (Phrase(f"practice.squares.{key}", {"square": Square(self.square)}),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.shade")

    @property
    def tries(self) -> int:
        return 1


@dataclass(frozen=True)
class DiagonalTask(Task):
    """Are these two squares on one diagonal?"""

    one: chess.Square
    other: chess.Square

    @property
    def ident(self) -> str:
        return f"diagonal.{self.one}.{self.other}"

    @property
    def skills(self) -> tuple[str, ...]:
        return ("diagonal",)

    def ask(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.squares.diagonal", {"one": Square(self.one), "other": Square(self.other)}),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = yes_said(meaning)
        if said is None:
            return MISFIT
        return RIGHT if said is on_one_diagonal(self.one, self.other) else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        key = "on_diagonal" if on_one_diagonal(self.one, self.other) else "off_diagonal"
        return (Phrase(f"practice.squares.{key}", {"one": Square(self.one), "other": Square(self.other)}),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.yes_no")

    @property
    def tries(self) -> int:
        return 1


@dataclass(frozen=True)
class NeighbourTask(Task):
    """Which square is next to this one in a direction?"""

    square: chess.Square
    direction: str

    @property
    def ident(self) -> str:
        return f"neighbour.{self.square}.{self.direction}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"neighbour.{self.direction}",)

    @property
    def answer(self) -> chess.Square:
        """The right answer."""
        found = neighbour(self.square, self.direction)
        assert found is not None, "only squares on the board are asked for"
        return found

    def ask(self) -> tuple[Phrase, ...]:
        return (Phrase(f"practice.squares.neighbour.{self.direction}", {"square": Square(self.square)}),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = square_said(meaning)
        if said is None:
            return MISFIT
        return RIGHT if said == self.answer else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.right_is", {"answer": Square(self.answer)}),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.square")


@dataclass(frozen=True)
class KnightTask(Task):
    """Which squares does a knight reach from here? They are named in any order."""

    square: chess.Square
    named: frozenset[chess.Square] = frozenset()

    @property
    def ident(self) -> str:
        return f"knight.{self.square}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"knight.{self.square}",)

    @property
    def answers(self) -> frozenset[chess.Square]:
        """All right answers."""
        return frozenset(chess.SquareSet(chess.BB_KNIGHT_ATTACKS[self.square]))

    def ask(self) -> tuple[Phrase, ...]:
        if self.named:
            return (
                Phrase(
                    "practice.squares.knight_more",
                    {"square": Square(self.square), "named": square_list(self.named)},
                ),
            )
        return (Phrase("practice.squares.knight", {"square": Square(self.square), "count": len(self.answers)}),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = frozenset(squares_said(meaning))
        if not said:
            return MISFIT
        if not said <= self.answers:
            return WRONG
        if said <= self.named:
            return Assessment(AnswerVerdict.GOES_ON, (Phrase("practice.squares.already"),), self)
        named = self.named | said
        if named == self.answers:
            return RIGHT
        left = len(self.answers - named)
        said_so = Phrase("practice.squares.left_one" if left == 1 else "practice.squares.left", {"count": left})
        return Assessment(AnswerVerdict.GOES_ON, (said_so,), replace(self, named=named))

    def solution(self) -> tuple[Phrase, ...]:
        left = self.answers - self.named
        return (Phrase("practice.right_is", {"answer": square_list(left)}),)

    def hint(self) -> tuple[Phrase, ...]:
        first = min(self.answers - self.named)
        return (Phrase("practice.squares.knight_hint", {"square": Square(first)}),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.square")


@dataclass(frozen=True)
class Squares(Course):
    """Levels: 1 colours; 2 neighbours; 3 diagonals; 4 knight moves; 5 all of these."""

    level: int = 1
    key: str = "squares"

    def skills(self) -> tuple[str, ...]:
        shades = tuple(f"shade.{square}" for square in chess.SQUARES)
        neighbours = tuple(f"neighbour.{direction}" for direction in DIRECTIONS)
        knights = tuple(f"knight.{square}" for square in chess.SQUARES)
        by_level = {1: shades, 2: neighbours, 3: ("diagonal",), 4: knights}
        return by_level.get(self.level, (*shades, *neighbours, "diagonal", *knights))

    def task(self, skill: str, random: Random) -> Task:
        match kind_of(skill):
            case "shade":
                return ShadeTask(int(about(skill)))
            case "neighbour":
                direction = about(skill)
                return NeighbourTask(
                    random.choice([s for s in chess.SQUARES if neighbour(s, direction) is not None]), direction
                )
            case "knight":
                return KnightTask(int(about(skill)))
        return _diagonal(random)


def _diagonal(random: Random) -> DiagonalTask:
    """A question whose answer is equally likely yes or no; for no, squares of one colour that are not adjacent."""
    one = random.choice(chess.SQUARES)
    if random.random() < 0.5:
        others = [square for square in chess.SQUARES if on_one_diagonal(one, square)]
    else:
        others = [
            square
            for square in chess.SQUARES
            if chess.square_distance(one, square) > 1
            and not on_one_diagonal(one, square)
            and is_light(one) == is_light(square)
        ]
    return DiagonalTask(one, random.choice(others))
