"""Recall: a position is dictated, then asked back in another order or reconstructed by voice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

import chess

from voicechess.meaning import Meaning
from voicechess.messages import Listing, Phrase, Piece, Slot, Square
from voicechess.practice.answers import NamedPiece, empty_said, piece_said, placed_said, square_said
from voicechess.practice.schedule import about, kind_of
from voicechess.practice.task import MISFIT, RIGHT, WRONG, AnswerVerdict, Assessment, Course, Task

Placed = tuple[chess.Square, chess.Piece]

EMPTY_SHARE = 0.5
"""Probability, 0 to 1, of a question about an empty square for each position."""

_MOST: Mapping[chess.PieceType, int] = {
    chess.QUEEN: 1,
    chess.ROOK: 2,
    chess.BISHOP: 2,
    chess.KNIGHT: 2,
    chess.PAWN: 8,
}


def draw_position(count: int, random: Random) -> tuple[Placed, ...]:
    """A random valid position of `count` pieces (at least two), in the order of dictation."""
    while True:
        board = chess.Board(None)
        squares = random.sample(chess.SQUARES, count)
        pieces = [chess.Piece(chess.KING, chess.WHITE), chess.Piece(chess.KING, chess.BLACK)]
        pool = [
            chess.Piece(kind, colour) for kind, most in _MOST.items() for colour in chess.COLORS for _ in range(most)
        ]
        pieces += random.sample(pool, count - 2)
        random.shuffle(pieces)
        placed = tuple(zip(squares, pieces, strict=True))
        for square, piece in placed:
            board.set_piece_at(square, piece)
        board.turn = random.random() < 0.5
        if board.is_valid() and not board.is_check():
            return placed


def placed_phrase(square: chess.Square, piece: chess.Piece) -> Phrase:
    """ "weißer Turm Anna eins"."""
    slots: dict[str, Slot] = {"piece": Piece(piece.piece_type, piece.color), "square": Square(square)}
    return Phrase("practice.recall.placed", slots)


def dictated(placed: tuple[Placed, ...]) -> tuple[Phrase, ...]:
    """The dictation of a position."""
    pieces = tuple(placed_phrase(square, piece) for square, piece in placed)
    return (Phrase("practice.recall.dictation", {"count": len(pieces), "pieces": Listing(pieces, "")}),)


@dataclass(frozen=True)
class RecallTask(Task):
    """A question about a dictated position.

    Either `square` (what is on it?) or `piece` (where is it? only if there is one of its kind). `later`: the following
    questions.
    """

    placed: tuple[Placed, ...]
    square: chess.Square | None
    piece: chess.Piece | None
    later: tuple[tuple[chess.Square | None, chess.Piece | None], ...]
    first: bool = True

    @property
    def ident(self) -> str:
        return f"recall.{self.square}.{self.piece}.{self.placed}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"recall.{len(self.placed)}",)

    @property
    def answer(self) -> chess.Piece | chess.Square | None:
        """The piece on the square (None: empty), or the square of the piece."""
        if self.piece is not None:
            return next(square for square, piece in self.placed if piece == self.piece)
        return dict(self.placed).get(self.square) if self.square is not None else None

    def ask(self) -> tuple[Phrase, ...]:
        opening = (*dictated(self.placed), Phrase("practice.recall.now")) if self.first else ()
        return (*opening, self._question())

    def _question(self) -> Phrase:
        if self.piece is not None:
            return Phrase("practice.recall.where", {"piece": Piece(self.piece.piece_type, self.piece.color)})
        assert self.square is not None, "either a piece or a square is set"
        return Phrase("practice.recall.what", {"square": Square(self.square)})

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        answer = self.answer
        if self.piece is not None:
            said = square_said(meaning)
            if said is None:
                return MISFIT
            return RIGHT if said == answer else WRONG
        if empty_said(meaning):
            return RIGHT if answer is None else WRONG
        named = piece_said(meaning)
        if named is None:
            placed = placed_said(meaning)  # "weißer Turm Anna eins" names the square as well
            if placed is None or placed.square != self.square:
                return MISFIT
            named = NamedPiece(placed.kind, placed.colour)
        if not isinstance(answer, chess.Piece) or named.kind != answer.piece_type:
            return WRONG
        if named.colour is None:
            return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.recall.colour_too"),))
        return RIGHT if named.colour == answer.color else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        answer = self.answer
        if isinstance(answer, chess.Piece):
            return (Phrase("practice.right_is", {"answer": Piece(answer.piece_type, answer.color)}),)
        if answer is None:
            return (Phrase("practice.recall.is_empty"),)
        return (Phrase("practice.right_is", {"answer": Square(answer)}),)

    def hint(self) -> tuple[Phrase, ...]:
        return dictated(self.placed)

    def recap(self) -> tuple[Phrase, ...]:
        return () if self.first else dictated(self.placed)

    def follow_up(self) -> Task | None:
        if not self.later:
            return None
        (square, piece), *rest = self.later
        return replace(self, square=square, piece=piece, later=tuple(rest), first=False)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.square" if self.piece is not None else "practice.expects.piece")


@dataclass(frozen=True)
class SetUpTask(Task):
    """Reconstruct the dictated position piece by piece, in any order."""

    placed: tuple[Placed, ...]
    found: frozenset[Placed] = frozenset()

    @property
    def ident(self) -> str:
        return f"set_up.{self.placed}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"set_up.{len(self.placed)}",)

    def ask(self) -> tuple[Phrase, ...]:
        if self.found:
            return (Phrase("practice.recall.set_up_more", {"count": len(self.placed) - len(self.found)}),)
        return (*dictated(self.placed), Phrase("practice.recall.set_up"))

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = placed_said(meaning)
        if said is None:
            return MISFIT
        here = dict(self.placed).get(said.square)
        if said.colour is None:
            if here is not None and here.piece_type == said.kind:
                return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.recall.colour_too"),))
            return WRONG
        one = (said.square, chess.Piece(said.kind, said.colour))
        if one not in self.placed:
            return WRONG
        if one in self.found:
            return Assessment(AnswerVerdict.GOES_ON, (Phrase("practice.recall.already"),), self)
        found = self.found | {one}
        left = len(self.placed) - len(found)
        if not left:
            return RIGHT
        key = "practice.recall.left_one" if left == 1 else "practice.recall.left"
        return Assessment(AnswerVerdict.GOES_ON, (Phrase(key, {"count": left}),), replace(self, found=found))

    def solution(self) -> tuple[Phrase, ...]:
        left = tuple(placed_phrase(square, piece) for square, piece in self.placed if (square, piece) not in self.found)
        return (Phrase("practice.recall.missing", {"pieces": Listing(left, "")}),)

    def hint(self) -> tuple[Phrase, ...]:
        return dictated(self.placed)

    def recap(self) -> tuple[Phrase, ...]:
        return dictated(self.placed) if self.found else ()

    def expects(self) -> Phrase:
        return Phrase("practice.expects.placed")


@dataclass(frozen=True)
class Recall(Course):
    """Levels: 1 to 3 ask about three, five and eight pieces; 4 and 5 have five and eight pieces reconstructed."""

    level: int = 1
    key: str = "recall"

    def skills(self) -> tuple[str, ...]:
        by_level = {1: "recall.3", 2: "recall.5", 3: "recall.8", 4: "set_up.5"}
        return (by_level.get(self.level, "set_up.8"),)

    def task(self, skill: str, random: Random) -> Task:
        placed = draw_position(int(about(skill)), random)
        if kind_of(skill) == "set_up":
            return SetUpTask(placed)
        (square, piece), *later = _questions(placed, random)
        return RecallTask(placed, square, piece, tuple(later))


def _questions(placed: tuple[Placed, ...], random: Random) -> list[tuple[chess.Square | None, chess.Piece | None]]:
    """A question for each piece, in another order than dictated, and sometimes one about an empty square."""
    order = list(placed)
    while order == list(placed):
        random.shuffle(order)
    questions: list[tuple[chess.Square | None, chess.Piece | None]] = []
    for square, piece in order:
        once = sum(other == piece for _, other in placed) == 1
        questions.append((None, piece) if once and random.random() < 0.5 else (square, None))
    if random.random() < EMPTY_SHARE:
        taken = {square for square, _ in placed}
        empty = random.choice([square for square in chess.SQUARES if square not in taken])
        questions.insert(random.randrange(len(questions) + 1), (empty, None))
    return questions
