"""Notation aloud: announcing written moves, and naming the target square of announced ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import chess

from voicechess.meaning import Castling, Meaning, SpokenMove, is_whole_move
from voicechess.messages import Listing, Phrase, SaidMove, Side, Slot, Square, Text
from voicechess.moves.fitting import fits
from voicechess.moves.saying import said_move
from voicechess.practice.answers import square_said
from voicechess.practice.positions import position_for
from voicechess.practice.schedule import FILES, PIECES, RANKS
from voicechess.practice.task import MISFIT, RIGHT, WRONG, AnswerVerdict, Assessment, Course, Task
from voicechess.score.score import PieceLetters, san

REVERSED_SHARE = 0.25
"""Share of tasks, 0 to 1, that give the announcement and ask for the square."""

_SPECIAL = ("captures", "origin", "castling.kingside", "castling.queenside", "promotion", "en_passant", "check")


def skills_of(announced: SaidMove) -> tuple[str, ...]:
    """All skills trained by announcing a move."""
    if announced.castling is not None:
        return (f"castling.{announced.castling.value}",)
    found = [
        f"file.{chess.square_file(announced.to_square)}",
        f"rank.{chess.square_rank(announced.to_square)}",
        f"piece.{announced.piece}",
    ]
    found += ["captures"] if announced.captured is not None and not announced.en_passant else []
    found += ["en_passant"] if announced.en_passant else []
    found += ["promotion"] if announced.promotion is not None else []
    found += ["check"] if announced.check is not None else []
    needs = announced.piece != chess.PAWN and (announced.needs_file or announced.needs_rank)
    found += ["origin"] if needs else []
    return tuple(found)


@dataclass(frozen=True)
class SquareName(Task):
    """Announce a written square. `in_words`: see `Notation`."""

    square: chess.Square
    in_words: Callable[[str], bool] = field(compare=False)

    @property
    def ident(self) -> str:
        return f"square.{self.square}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"file.{chess.square_file(self.square)}", f"rank.{chess.square_rank(self.square)}")

    def ask(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.notation.square", {"text": Text(chess.square_name(self.square))}),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = square_said(meaning)
        if said is None:
            return MISFIT
        if not self.in_words(words):
            return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.notation.in_words"),))
        return RIGHT if said == self.square and meaning == _bare(said) else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.right_is", {"answer": Square(self.square)}),)

    def expects(self) -> Phrase:
        return Phrase("practice.notation.in_words")


def _bare(square: chess.Square) -> SpokenMove:
    return SpokenMove(to_file=chess.square_file(square), to_rank=chess.square_rank(square))


@dataclass(frozen=True)
class MoveTask(Task):
    """A move in a generated position; base of both directions."""

    fen: str
    uci: str
    letters: PieceLetters = field(compare=False)
    in_words: Callable[[str], bool] = field(compare=False)

    def board(self) -> chess.Board:
        return chess.Board(self.fen)

    @property
    def move(self) -> chess.Move:
        """The move of the task."""
        return chess.Move.from_uci(self.uci)

    @property
    def announced(self) -> SaidMove:
        """The move's announcement."""
        return said_move(self.board(), self.move)

    @property
    def ident(self) -> str:
        return f"{type(self).__name__}.{self.uci}.{self.fen}"

    @property
    def skills(self) -> tuple[str, ...]:
        return skills_of(self.announced)


@dataclass(frozen=True)
class Announce(MoveTask):
    """Announce a written move.

    `form`: "short" (SAN), "squares" (the piece and both squares) or "position" (all pieces, and both squares).
    """

    form: str = "short"

    def ask(self) -> tuple[Phrase, ...]:
        board, move = self.board(), self.move
        if self.form == "short":
            return (Phrase("practice.notation.short", {"text": Text(san(board, move, self.letters))}),)
        piece = board.piece_type_at(move.from_square)
        assert piece is not None, "the move is legal"
        promoted = "" if move.promotion is None else f" {self.letters.letter(move.promotion)}"
        squares = f"{chess.square_name(move.from_square)} {chess.square_name(move.to_square)}{promoted}"
        if self.form == "squares":
            return (
                Phrase("practice.notation.squares", {"text": Text(f"{self.letters.letter(piece)} {squares}".strip())}),
            )
        slots: dict[str, Slot] = {
            "white": self._pieces(board, chess.WHITE),
            "black": self._pieces(board, chess.BLACK),
            "side": Side(board.turn),
            "text": Text(squares),
        }
        return (Phrase("practice.notation.position", slots),)

    def _pieces(self, board: chess.Board, colour: chess.Color) -> Listing:
        pieces = [
            (kind, square) for kind in reversed(chess.PIECE_TYPES) for square in sorted(board.pieces(kind, colour))
        ]
        return Listing(
            tuple(Text(f"{self.letters.letter(kind)} {chess.square_name(square)}".strip()) for kind, square in pieces),
            "",
        )

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        if not is_whole_move(meaning):
            return MISFIT
        if not self.in_words(words):
            return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.notation.in_words"),))
        found = fits(self.board(), meaning)
        if self.move not in found or meaning.castling is Castling.UNSPECIFIED:
            return WRONG
        if len(found) > 1:
            return Assessment(AnswerVerdict.WRONG, (Phrase("practice.notation.ambiguous"),))
        announced = self.announced
        if announced.piece == chess.PAWN and announced.captured is not None and meaning.from_file is None:
            # A game accepts it if only one pawn can capture; the announcement of Appendix D names the file.
            return Assessment(AnswerVerdict.WRONG, (Phrase("practice.notation.pawn_file"),))
        return RIGHT

    def solution(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.notation.announced", {"move": self.announced}),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.move")


@dataclass(frozen=True)
class Locate(MoveTask):
    """Name the target square of an announced move, typed or spoken."""

    def ask(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.notation.where", {"move": self.announced}),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        said = square_said(meaning)
        if said is None or meaning != _bare(said):
            return self._whole_move(meaning)
        return RIGHT if said == self.move.to_square else WRONG

    def _whole_move(self, meaning: Meaning) -> Assessment:
        """Assess a whole move, which names its square as well."""
        if not is_whole_move(meaning):
            return MISFIT
        return RIGHT if fits(self.board(), meaning) == (self.move,) else WRONG

    def solution(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.notation.is_square", {"text": Text(chess.square_name(self.move.to_square))}),)

    def expects(self) -> Phrase:
        return Phrase("practice.expects.square")


@dataclass(frozen=True)
class Notation(Course):
    """Levels: 1 squares; 2 simple moves; 3 captures and moves with an origin; 4 all kinds of moves."""

    letters: PieceLetters  # of the language
    in_words: Callable[[str], bool]  # whether a line has spoken words only, no notation
    level: int = 1
    key: str = "notation"

    def skills(self) -> tuple[str, ...]:
        names = (*FILES, *RANKS)
        by_level = {1: names, 2: (*names, *PIECES), 3: (*names, *PIECES, "captures", "origin")}
        return by_level.get(self.level, (*names, *PIECES, *_SPECIAL))

    def task(self, skill: str, random: Random) -> Task:
        if self.level == 1:
            file, rank = random.randrange(8), random.randrange(8)
            kind, _, number = skill.partition(".")
            file, rank = (int(number), rank) if kind == "file" else (file, int(number))
            return SquareName(chess.square(file, rank), self.in_words)
        board, move = position_for(skill, random)
        fen, uci = board.fen(en_passant="fen"), move.uci()
        castles = board.is_castling(move)
        if random.random() < REVERSED_SHARE and not castles:
            return Locate(fen, uci, self.letters, self.in_words)
        forms = ("short",) if castles else ("short", "short", "squares", "position")
        return Announce(fen, uci, self.letters, self.in_words, random.choice(forms))
