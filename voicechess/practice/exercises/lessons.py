"""Lessons for beginners, one a level: the board, the moves of each piece, promotion, check, mate, castling, en passant.

A lesson teaches in a few sentences and asks five questions, on a board with more and more pieces; then the next lesson
begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import chess

from voicechess.meaning import Meaning
from voicechess.messages import Phrase
from voicechess.practice.exercises.lesson_questions import BoardTask, JudgeTask, PlayTask
from voicechess.practice.exercises.mates import draw_puzzle, mates_in_one
from voicechess.practice.exercises.paths import PathTask, shortest
from voicechess.practice.exercises.squares import DIRECTIONS, NeighbourTask, ShadeTask, neighbour
from voicechess.practice.positions import position_for
from voicechess.practice.schedule import about
from voicechess.practice.task import Assessment, Course, Task, level_told

Maker = Callable[[Random], Task]
"""Generates a question of a lesson."""

_OFFICERS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
_AROUND = 3
"""Distance from a piece, in king's moves, of squares asked about that it does not reach. Larger: easier questions."""


# --- Positions ---


def _board(pieces: Mapping[chess.Square, chess.Piece], turn: chess.Color = chess.WHITE) -> chess.Board:
    board = chess.Board(None)
    for square, piece in pieces.items():
        board.set_piece_at(square, piece)
    board.turn = turn
    return board


def _free(board: chess.Board, piece: chess.Piece) -> list[chess.Square]:
    """The empty squares on which the piece may stand."""
    ends = chess.BB_BACKRANKS if piece.piece_type == chess.PAWN else 0
    return [square for square in chess.SQUARES if not (board.occupied | ends) & chess.BB_SQUARES[square]]


def _scattered(letters: str, random: Random, turn: chess.Color = chess.WHITE) -> chess.Board:
    """A valid position with these pieces, both kings among them, on random squares."""
    while True:
        board = _board({}, turn)
        for letter in letters:
            piece = chess.Piece.from_symbol(letter)
            board.set_piece_at(random.choice(_free(board, piece)), piece)
        if board.is_valid():
            return board


def _in_reach(kind: chess.PieceType, origin: chess.Square) -> list[chess.Square]:
    """The squares that a white piece reaches on an empty board; for a pawn all those around it and the double step."""
    if kind == chess.PAWN:
        around = chess.SquareSet(chess.BB_KING_ATTACKS[origin])
        return [*around, origin + 16] if chess.square_rank(origin) < 6 else list(around)
    return list(_board({origin: chess.Piece(kind, chess.WHITE)}).attacks(origin))


def _alone(kind: chess.PieceType, men: int, random: Random) -> chess.Board:
    """A white piece, and `men` black ones preferably within its reach; no kings besides."""
    ranks = range(1, 6) if kind == chess.PAWN else range(8)
    origin = chess.square(random.randrange(8), random.choice(ranks))
    board = _board({origin: chess.Piece(kind, chess.WHITE)})
    near = set(_in_reach(kind, origin))
    if kind == chess.KNIGHT:  # pieces around it, which it jumps over
        near |= set(chess.SquareSet(chess.BB_KING_ATTACKS[origin]))
    kinds = _OFFICERS[1:] if kind == chess.KING else (chess.PAWN, *_OFFICERS)
    for _ in range(men):
        what = chess.Piece(random.choice(kinds), chess.BLACK)
        free = _free(board, what)
        board.set_piece_at(random.choice([square for square in free if square in near] or free), what)
    return board


# --- The moves of pieces ---


def can_move(kind: chess.PieceType, men: int) -> Maker:
    """Can the piece go there? Yes and no are equally likely; for no, preferably a square blocked by a piece."""

    def made(random: Random) -> Task:
        wanted = random.random() < 0.5
        while True:
            board = _alone(kind, men, random)
            (origin,) = board.pieces(kind, chess.WHITE)
            legal = {move.to_square for move in board.legal_moves}
            squares = sorted(legal) if wanted else _not_reached(kind, origin, legal)
            if squares:
                move = chess.Move(origin, random.choice(squares))
                return JudgeTask("can_move", board.fen(), move=move.uci())

    return made


def _not_reached(kind: chess.PieceType, origin: chess.Square, legal: set[chess.Square]) -> list[chess.Square]:
    blocked = [square for square in _in_reach(kind, origin) if square not in legal]
    near = [square for square in chess.SQUARES if 0 < chess.square_distance(origin, square) <= _AROUND]
    return blocked or [square for square in near if square not in legal]


def go(kind: chess.PieceType) -> Maker:
    """Name a square to which the piece can go."""

    def made(random: Random) -> Task:
        while True:
            board = _alone(kind, 0, random)
            if kind != chess.PAWN or board.pawns & chess.BB_RANK_2:  # where it has two moves
                return PlayTask("go", board.fen())

    return made


def capture(kind: chess.PieceType, men: int) -> Maker:
    """Which of `men` pieces can it capture?"""

    def made(random: Random) -> Task:
        while True:
            board = _alone(kind, men, random)
            captures = [board.is_capture(move) for move in board.legal_moves]
            if any(captures) and sum(captures) < men:
                return PlayTask("capture", board.fen())

    return made


def path(kind: chess.PieceType) -> Maker:
    """Find a path from one square to another in two moves."""

    def made(random: Random) -> Task:
        while True:
            start, target = random.sample(chess.SQUARES, 2)
            way = shortest(kind, start, target)
            if way is not None and len(way) == 2:
                return TwoMoves(kind, start, target)

    return made


class TwoMoves(PathTask):
    """A path of two moves, with an explanation of the answer's form."""

    def ask(self) -> tuple[Phrase, ...]:
        return (*super().ask(), Phrase("practice.lessons.two_moves"))


def _piece_lesson(kind: chess.PieceType) -> tuple[Maker, ...]:
    return can_move(kind, 0), go(kind), can_move(kind, 2), capture(kind, 3), path(kind)


# --- Promotion ---


def promote(becomes: chess.PieceType, men: int) -> Maker:
    """Promote a pawn to a piece, with up to `men` black pieces in front of it."""

    def made(random: Random) -> Task:
        while True:
            board = _before_promotion(men, random)
            if any(board.legal_moves):
                return PlayTask("promote", board.fen(), becomes=becomes)

    return made


def _before_promotion(men: int, random: Random) -> chess.Board:
    pawn = chess.square(random.randrange(8), 6)
    board = _board({pawn: chess.Piece(chess.PAWN, chess.WHITE)})
    before = [square for square in chess.SquareSet(chess.BB_KING_ATTACKS[pawn]) if square > pawn + 1]
    for square in random.sample(before, min(men, len(before))):
        board.set_piece_at(square, chess.Piece(random.choice(_OFFICERS), chess.BLACK))
    return board


def can_promote(random: Random) -> Task:
    """Can the pawn go to this square of the last rank?"""
    wanted = random.random() < 0.5
    while True:
        board = _before_promotion(1, random)
        (pawn,) = board.pieces(chess.PAWN, chess.WHITE)
        legal = {move.to_square for move in board.legal_moves}
        there = [square for square in chess.SquareSet(chess.BB_KING_ATTACKS[pawn]) if square > pawn + 1]
        squares = [square for square in there if (square in legal) is wanted]
        if squares:
            move = chess.Move(pawn, random.choice(squares), chess.QUEEN)
            return JudgeTask("can_move", board.fen(), move=move.uci())


def promote_anywhere(random: Random) -> Task:
    """Promote in a full position, sometimes with a capture, as White or Black."""
    board, move = position_for("promotion", random)
    return PlayTask("promote", board.fen(), becomes=move.promotion)


# --- Check and mate ---


def in_check(letters: str) -> Maker:
    """Is Black in check?"""

    def made(random: Random) -> Task:
        wanted = random.random() < 0.5
        while True:
            board = _scattered(letters, random, chess.BLACK)
            if board.is_check() is wanted and any(board.legal_moves):
                return JudgeTask("check", board.fen())

    return made


def give_check(letters: str) -> Maker:
    """Give check as White; some moves do, but not all."""

    def made(random: Random) -> Task:
        while True:
            board = _scattered(letters, random)
            checks = [board.gives_check(move) for move in board.legal_moves]
            if any(checks) and not all(checks):
                return PlayTask("give_check", board.fen())

    return made


def escape(letters: str) -> Maker:
    """Get White out of check."""

    def made(random: Random) -> Task:
        while True:
            board = _scattered(letters, random)
            if board.is_check() and any(board.legal_moves):
                return PlayTask("escape", board.fen())

    return made


def is_mate(random: Random) -> Task:
    """Is this check mate?"""
    wanted = random.random() < 0.5
    while True:
        board = draw_puzzle("mate.1", random)
        mating = mates_in_one(board)
        checks = [move for move in board.legal_moves if board.gives_check(move) and move not in mating]
        if wanted or checks:
            board.push(random.choice(mating if wanted else checks))
            return JudgeTask("mate", board.fen())


def give_mate(random: Random) -> Task:
    """Mate in one, with exactly one solution."""
    return PlayTask("give_mate", draw_puzzle("mate.1", random).fen())


def mate_or_stalemate(random: Random) -> Task:
    """Is it mate or stalemate? Black has no moves against a queen."""
    wanted = random.random() < 0.5
    while True:
        board = _scattered("KQk", random, chess.BLACK)
        if not any(board.legal_moves) and board.is_check() is wanted:
            return JudgeTask("mate", board.fen())


# --- Castling ---

_SIDES = {"K": (chess.H1, chess.G1), "Q": (chess.A1, chess.C1)}
"""Castling letter -> the rook's square, and the king's after castling."""


def _before_castling(rights: str, letters: str, random: Random) -> chess.Board:
    """White's king and rooks with these castling rights, and black pieces on random squares, the king on its side."""
    while True:
        board = _board({chess.E1: chess.Piece(chess.KING, chess.WHITE)})
        for letter in rights:
            board.set_piece_at(_SIDES[letter][0], chess.Piece(chess.ROOK, chess.WHITE))
        for letter in letters:
            piece = chess.Piece.from_symbol(letter)
            free = [s for s in _free(board, piece) if letter != "k" or chess.square_rank(s) > 5]
            board.set_piece_at(random.choice(free), piece)
        board.set_castling_fen(rights)
        if board.is_valid() or "k" not in letters:
            return board


def castle(rights: str, letters: str) -> Maker:
    """Castle; exactly one side is possible."""

    def made(random: Random) -> Task:
        while True:
            sides = rights if letters else random.choice(rights)
            board = _before_castling(sides, letters, random)
            if len(list(board.generate_castling_moves())) == 1:
                return PlayTask("castle", board.fen())

    return made


def can_castle(letters: str) -> Maker:
    """Can White castle, with these black pieces on the board?"""

    def made(random: Random) -> Task:
        wanted, side = random.random() < 0.5, random.choice(sorted(_SIDES))
        while True:
            board = _before_castling(side, letters, random)
            if any(board.generate_castling_moves()) is wanted:
                move = chess.Move(chess.E1, _SIDES[side][1])
                return JudgeTask("can_castle", board.fen(), move=move.uci())

    return made


# --- En passant ---


def _pawns(random: Random) -> tuple[chess.Square, chess.Square]:
    """The squares of a white pawn on the fifth rank and of a black pawn beside it."""
    file = random.randrange(8)
    beside = random.choice([other for other in (file - 1, file + 1) if 0 <= other < 8])
    return chess.square(file, 4), chess.square(beside, 4)


def _before_en_passant(pawn: chess.Square, other: chess.Square, letters: str, random: Random) -> chess.Board:
    """Black to move, with a pawn on `other`, and further pieces off its file."""
    black = chess.Piece(chess.PAWN, chess.BLACK)
    board = _board({pawn: chess.Piece(chess.PAWN, chess.WHITE), other: black}, chess.BLACK)
    way = chess.BB_FILES[chess.square_file(other)]
    for letter in letters:
        piece = chess.Piece.from_symbol(letter)
        squares = [square for square in _free(board, piece) if not way & chess.BB_SQUARES[square]]
        board.set_piece_at(random.choice(squares), piece)
    return board


def en_passant(letters: str) -> Maker:
    """Capture a black pawn en passant."""

    def made(random: Random) -> Task:
        while True:
            pawn, passed = _pawns(random)
            board = _before_en_passant(pawn, passed + 16, letters, random)
            task = PlayTask("en_passant", board.fen(), (chess.Move(passed + 16, passed).uci(),))
            if (not letters or board.is_valid()) and _made_legally(board, task) and task.solutions:
                return task

    return made


def _made_legally(board: chess.Board, task: BoardTask) -> bool:
    board = board.copy()
    for uci in task.made:
        if chess.Move.from_uci(uci) not in board.legal_moves:
            return False
        board.push_uci(uci)
    return True


def can_en_passant(random: Random) -> Task:
    """Can it be captured en passant? The pawn has moved one or two steps."""
    pawn, passed = _pawns(random)
    steps = random.choice((8, 16))
    board = _before_en_passant(pawn, passed + steps, "", random)
    move = chess.Move(pawn, passed + 8)
    return JudgeTask("can_move", board.fen(), (chess.Move(passed + steps, passed).uci(),), move.uci())


def too_late(random: Random) -> Task:
    """Can it be captured en passant? The pawn has moved two steps, now or a move of both kings ago."""
    late = random.random() < 0.5
    while True:
        pawn, passed = _pawns(random)
        board = _before_en_passant(pawn, passed + 16, "Kk", random)
        task = JudgeTask("can_move", board.fen(), move=chess.Move(pawn, passed + 8).uci())
        if not board.is_valid() or not any(board.legal_moves):
            continue
        task = replace(task, made=(chess.Move(passed + 16, passed).uci(),))
        if late:
            task = replace(task, made=(*task.made, *_kings_step(board, task, random)))
        if len(task.made) in (1, 3) and _made_legally(board, task) and task.answer is not late:
            return task


def _kings_step(board: chess.Board, task: BoardTask, random: Random) -> tuple[str, ...]:
    """A quiet move of each king; () if there is none."""
    if not _made_legally(board, task):
        return ()
    after, steps = task.reached(), []
    for _ in chess.COLORS:
        moves = [m for m in after.legal_moves if after.piece_type_at(m.from_square) == chess.KING]
        moves = [m for m in moves if not after.is_capture(m)]
        if not moves:
            return ()
        move = random.choice(moves)
        steps.append(move.uci())
        after.push(move)
    return tuple(steps)


# --- The board itself ---


def beside(directions: Sequence[str]) -> Maker:
    """Which square is next to this one in a direction?"""

    def made(random: Random) -> Task:
        direction = random.choice(directions)
        squares = [square for square in chess.SQUARES if neighbour(square, direction) is not None]
        return NeighbourTask(random.choice(squares), direction)

    return made


def shade(side: int) -> Maker:
    """Is a square light or dark? On the first `side` files and ranks."""

    def made(random: Random) -> Task:
        return ShadeTask(chess.square(random.randrange(side), random.randrange(side)))

    return made


_ASIDE = ("east", "west")
_UP = ("north", "south")
_SLANTING = tuple(direction for direction in DIRECTIONS if direction not in (*_ASIDE, *_UP))


def _of_either(make: Maker) -> Maker:
    """The question as it is, or with colours reversed, equally likely."""

    def made(random: Random) -> Task:
        task = make(random)
        return task.mirrored() if isinstance(task, BoardTask) and random.random() < 0.5 else task

    return made


# --- The lessons ---

LESSONS: Mapping[str, tuple[Maker, ...]] = {
    "board": (beside(_ASIDE), beside(_UP), shade(4), beside(_SLANTING), shade(8)),
    "rook": _piece_lesson(chess.ROOK),
    "bishop": _piece_lesson(chess.BISHOP),
    "queen": _piece_lesson(chess.QUEEN),
    "king": _piece_lesson(chess.KING),
    "knight": _piece_lesson(chess.KNIGHT),
    "pawn": (
        can_move(chess.PAWN, 0),
        go(chess.PAWN),
        can_move(chess.PAWN, 2),
        capture(chess.PAWN, 2),
        can_move(chess.PAWN, 3),
    ),
    "promotion": (
        promote(chess.QUEEN, 0),
        promote(chess.KNIGHT, 0),
        can_promote,
        promote(chess.ROOK, 2),
        promote_anywhere,
    ),
    "check": (
        in_check("KRk"),
        in_check("KBNkp"),
        give_check("KQk"),
        escape("Kkr"),
        escape("KRBkqp"),
    ),
    "mate": (is_mate, give_mate, is_mate, give_mate, mate_or_stalemate),
    "castling": (
        castle("KQ", ""),
        can_castle("n"),
        can_castle("kr"),
        castle("KQ", "krb"),
        _of_either(can_castle("kqn")),
    ),
    "en_passant": (
        en_passant(""),
        can_en_passant,
        _of_either(en_passant("Kk")),
        too_late,
        _of_either(en_passant("KNkr")),
    ),
}
"""The questions of each lesson in order; a lesson's level is its place here, from 1."""


@dataclass(frozen=True)
class LessonTask(Task):
    """Question `step`, from 0, of a lesson; `seed` generates the following ones."""

    lesson: str
    seed: int
    step: int
    question: Task

    @property
    def ident(self) -> str:
        return self.question.ident

    @property
    def skills(self) -> tuple[str, ...]:
        return (f"lesson.{self.lesson}",)

    def _taught(self) -> Phrase:
        return level_told(Lessons(list(LESSONS).index(self.lesson) + 1))

    def ask(self) -> tuple[Phrase, ...]:
        return self.question.ask()

    def repeated(self) -> tuple[Phrase, ...]:
        return (self._taught(), *self.ask()) if self.step == 0 else self.ask()

    def hint(self) -> tuple[Phrase, ...]:
        return (self._taught(),)

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        assessed = self.question.assess(meaning, words)
        return assessed if assessed.task is None else replace(assessed, task=replace(self, question=assessed.task))

    def take_back(self) -> Task | None:
        before = self.question.take_back()
        return None if before is None else replace(self, question=before)

    def solution(self) -> tuple[Phrase, ...]:
        return self.question.solution()

    def expects(self) -> Phrase:
        return self.question.expects()

    def position(self) -> tuple[Phrase, ...]:
        return self.question.position()

    def recap(self) -> tuple[Phrase, ...]:
        return (self._taught(),) if self.step == 0 else self.question.recap()

    def board(self) -> chess.Board | None:
        return self.question.board()

    def follow_up(self) -> Task | None:
        return _question(self.lesson, self.seed, self.step + 1)

    @property
    def tries(self) -> int:
        return self.question.tries


def _question(lesson: str, seed: int, step: int) -> LessonTask | None:
    """A question of a lesson; None past the last one."""
    makers = LESSONS[lesson]
    if step == len(makers):
        return None
    return LessonTask(lesson, seed, step, makers[step](Random(seed + step)))


@dataclass(frozen=True)
class Lessons(Course):
    """Levels: one for each of `LESSONS`; each leads to the next."""

    level: int = 1
    key: str = "lessons"

    def skills(self) -> tuple[str, ...]:
        return (f"lesson.{list(LESSONS)[self.level - 1]}",)

    def task(self, skill: str, random: Random) -> Task:
        task = _question(about(skill), random.getrandbits(32), 0)
        assert task is not None, "a lesson has questions"
        return task

    def leads_to(self) -> Course | None:
        return Lessons(self.level + 1) if self.level < len(LESSONS) else None

    def finished(self) -> tuple[Phrase, ...]:
        return () if self.level < len(LESSONS) else (Phrase("practice.lessons.done"),)
