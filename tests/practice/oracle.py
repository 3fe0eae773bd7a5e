"""The right answers, found another way than the program finds them, and spoken as a player speaks them.

A task of a kind unknown here is answered with what the program itself takes for right: enough for everything about an
exercise except whether its answers are right. A case in `Player.right` checks that too.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess

from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Question, QuestionKind
from voicechess.moves.saying import said_move
from voicechess.practice.exercises.follow import FollowTask
from voicechess.practice.exercises.lesson_questions import JudgeTask, PlayTask
from voicechess.practice.exercises.lessons import LessonTask
from voicechess.practice.exercises.mates import PuzzleTask
from voicechess.practice.exercises.notation import Announce, Locate, MoveTask, SquareName
from voicechess.practice.exercises.paths import PathTask
from voicechess.practice.exercises.recall import RecallTask, SetUpTask
from voicechess.practice.exercises.squares import DiagonalTask, KnightTask, NeighbourTask, ShadeTask
from voicechess.practice.task import AnswerVerdict, Task

STEPS = {
    "north": 8,
    "south": -8,
    "east": 1,
    "west": -1,
    "north_east": 9,
    "north_west": 7,
    "south_east": -7,
    "south_west": -9,
}
WORDS = {
    "de": {
        "light": "hell",
        "dark": "dunkel",
        "yes": "ja",
        "no": "nein",
        "empty": "leer",
        True: "weiß",
        False: "schwarz",
    },
    "en": {"light": "light", "dark": "dark", "yes": "yes", "no": "no", "empty": "empty", True: "white", False: "black"},
}


def verdict(task: Task, words: str, language: str = "de") -> tuple[AnswerVerdict, Task]:
    """The program's verdict on these words, by the best of their meanings; and the task that is open then."""
    expectation = Expectation(task.board(), Question(QuestionKind.EXERCISE))
    assessed = [task.assess(reading.meaning, words) for reading in understand_all(words, load(language), expectation)]
    best = next((one for one in assessed if one.verdict is not AnswerVerdict.MISFIT), assessed[0])
    return best.verdict, best.task or task


class Player:
    """Somebody who knows every answer."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.wording = Wording(language, strict=True)
        self.words = WORDS.get(language, WORDS["en"])  # words that a language lacks are English

    def square(self, square: chess.Square) -> str:
        return self.wording.square(square).lower()

    def piece(self, piece: chess.Piece | None) -> str:
        if piece is None:
            return self.words["empty"]
        kind = self.wording._forms.piece(piece.piece_type).lower()
        return f"{self.words[piece.color]} {kind}"

    def right(self, task: Task) -> list[str]:
        """The words of the right answer; several utterances where several are wanted."""
        match task:
            case ShadeTask():
                dark = (chess.square_file(task.square) + chess.square_rank(task.square)) % 2 == 0
                return [self.words["dark" if dark else "light"]]
            case DiagonalTask():
                board = chess.Board(None)
                board.set_piece_at(task.one, chess.Piece(chess.BISHOP, chess.WHITE))
                return [self.words["yes" if task.other in board.attacks(task.one) else "no"]]
            case NeighbourTask():
                return [self.square(task.square + STEPS[task.direction])]
            case KnightTask():
                return [self.square(square) for square in knight_squares(task.square) if square not in task.named]
            case PathTask():
                return [self.square(square) for square in shortest_way(task)]
            case SquareName():
                return [self.square(task.square)]
            case Announce():
                return [self.wording.move(task.announced).lower()]
            case Locate():
                return [self.square(task.move.to_square)]
            case RecallTask():
                board = set_up(task)
                if task.piece is not None:
                    (square,) = (s for s, piece in board.piece_map().items() if piece == task.piece)
                    return [self.square(square)]
                assert task.square is not None
                return [self.piece(board.piece_at(task.square))]
            case SetUpTask():
                left = [(s, piece) for s, piece in set_up(task).piece_map().items() if (s, piece) not in task.found]
                return [f"{self.piece(piece)} {self.square(square)}" for square, piece in left]
            case FollowTask():
                return [self.followed(task)]
            case PuzzleTask():
                board = chess.Board(task.fen)
                # That a win is one is shown where puzzles are tested: looking for it this way takes seconds.
                move = task.solutions[0] if task.kind == "win" else solve(board, int(task.kind[-1]))
                return [self.wording.move(said_move(board, move)).lower()]
            case LessonTask():
                return self.right(task.question)
            case JudgeTask():
                return [self.words["yes" if judged(task) else "no"]]
            case PlayTask():
                board = task.reached()
                return [self.wording.move(said_move(board, done(task)[0])).lower()]
        return self.taken(task, AnswerVerdict.RIGHT) or self.taken(task, AnswerVerdict.GOES_ON)

    def taken(self, task: Task, as_: AnswerVerdict) -> list[str]:
        """The answers that the program itself assesses so."""
        return [words for words in self.answers(task) if verdict(task, words, self.language)[0] is as_]

    def answers(self, task: Task) -> Iterator[str]:
        """Everything that can be answered, right or wrong."""
        yield from (self.words[word] for word in ("light", "dark", "yes", "no", "empty", True, False))
        yield from (self.square(square) for square in chess.SQUARES)
        for colour in chess.COLORS:
            yield from (self.piece(chess.Piece(kind, colour)) for kind in chess.PIECE_TYPES)
        board = task.board()
        if board is not None:
            yield from (self.wording.move(said_move(board, move)).lower() for move in board.legal_moves)

    def followed(self, task: FollowTask) -> str:
        board = chess.Board(task.game.start)
        for uci in task.game.moves[: task.ply]:
            board.push_uci(uci)
        match task.kind:
            case "where":
                (square,) = board.pieces(task.piece.piece_type, task.piece.color)
                return self.square(square)
            case "what":
                return self.piece(board.piece_at(task.square))
            case "attacker":
                board.push(chess.Move.null())  # those who could take it now
                takers = {move.from_square for move in board.pseudo_legal_moves if move.to_square == task.square}
                assert len(takers) == 1
                return self.piece(board.piece_at(takers.pop()))
            case "check":
                return self.words["yes" if board.checkers() else "no"]
        return self.words[len(task.game.moves[: task.ply]) % 2 == 0]

    def wrong(self, task: Task) -> str:
        """An answer of the right kind that is wrong, whatever the task."""
        right = self.right(task)[0]
        for candidate in self.candidates(task):
            if candidate != right and candidate not in self.right(task):
                return candidate
        raise AssertionError(task)

    def candidates(self, task: Task) -> Iterator[str]:
        match task:
            case LessonTask():
                yield from self.candidates(task.question)
            case JudgeTask():
                yield from (self.words["yes"], self.words["no"])
            case PlayTask():
                board, right = task.reached(), done(task)
                for move in board.legal_moves:
                    if move not in right:
                        yield self.wording.move(said_move(board, move), full=True).lower()
                kind = board.piece_type_at(right[0].from_square)
                piece = self.wording._forms.piece(kind or chess.KING).lower()
                there = {move.to_square for move in board.legal_moves}
                yield from (f"{piece} {self.square(square)}" for square in chess.SQUARES if square not in there)
            case ShadeTask():
                yield from (self.words["light"], self.words["dark"])
            case DiagonalTask() | FollowTask(kind="check"):
                yield from (self.words["yes"], self.words["no"])
            case FollowTask(kind="turn"):
                yield from (self.words[True], self.words[False])
            case FollowTask(kind="what" | "attacker") | RecallTask(piece=None):
                yield from (self.piece(chess.Piece(chess.KING, True)), self.piece(chess.Piece(chess.ROOK, False)))
            case SetUpTask():
                yield from (
                    f"{self.words[True]} {self.piece(chess.Piece(chess.QUEEN, True)).split()[1]} {self.square(s)}"
                    for s in chess.SQUARES
                    if s not in dict(task.placed)
                )
            case PuzzleTask() | MoveTask():
                board = chess.Board(task.fen)
                if isinstance(task, Locate):
                    yield from (self.square(square) for square in chess.SQUARES)
                for move in board.legal_moves:
                    if move not in solutions(task):
                        yield self.wording.move(said_move(board, move), full=True).lower()
            case PathTask():
                reachable = steps(task.piece, task.here, task.forbidden)
                yield from (self.square(square) for square in chess.SQUARES if square not in reachable)
            case NeighbourTask() | KnightTask() | SquareName() | RecallTask() | FollowTask():
                yield from (self.square(square) for square in chess.SQUARES)
            case _:
                yield from self.taken(task, AnswerVerdict.WRONG)


def solutions(task: Task) -> list[chess.Move]:
    if isinstance(task, PuzzleTask):
        return list(task.solutions)
    assert isinstance(task, MoveTask)
    return [task.move]


def judged(task: JudgeTask) -> bool:
    """Whether it is so, from attacks and from moves that leave no king attacked."""
    board = task.reached()
    king = board.king(board.turn)
    attacked = king is not None and board.is_attacked_by(not board.turn, king)
    if task.kind == "check":
        return attacked
    if task.kind == "mate":
        return attacked and not any(lawful(board, move) for move in board.pseudo_legal_moves)
    move = chess.Move.from_uci(task.move)
    if task.kind == "can_castle":
        return move in board.pseudo_legal_moves and lawful(board, move)
    assert move.from_square in board.piece_map()
    return board.is_pseudo_legal(move) and lawful(board, move)


def lawful(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    king = after.king(board.turn)
    return king is None or not (after.is_attacked_by(after.turn, king) or passes_through_check(board, move))


def passes_through_check(board: chess.Board, move: chess.Move) -> bool:
    if board.piece_type_at(move.from_square) != chess.KING or chess.square_distance(*squares(move)) < 2:
        return False
    way = (move.from_square, (move.from_square + move.to_square) // 2)
    return any(board.is_attacked_by(not board.turn, square) for square in way)


def squares(move: chess.Move) -> tuple[chess.Square, chess.Square]:
    return move.from_square, move.to_square


def done(task: PlayTask) -> list[chess.Move]:
    """The moves that do what is wanted, by what they look like in algebraic notation."""
    board = task.reached()
    found = []
    for move in board.legal_moves:
        san = board.san(move)
        does = {
            "go": True,
            "escape": True,
            "capture": "x" in san,
            "give_check": san[-1] in "+#",
            "give_mate": san[-1] == "#",
            "castle": san.startswith("O-O"),
            "en_passant": "x" in san and board.piece_at(move.to_square) is None,
            "promote": f"={chess.piece_symbol(task.becomes or chess.KING).upper()}" in san,
        }
        found += [move] if does[task.kind] else []
    return found


def set_up(task: RecallTask | SetUpTask) -> chess.Board:
    """The position as it was dictated."""
    board = chess.Board(None)
    for square, piece in task.placed:
        board.set_piece_at(square, piece)
    return board


def knight_squares(square: chess.Square) -> list[chess.Square]:
    here = (chess.square_file(square), chess.square_rank(square))
    return [
        other
        for other in chess.SQUARES
        if abs(chess.square_file(other) - here[0]) * abs(chess.square_rank(other) - here[1]) == 2
    ]


def steps(piece: chess.PieceType, square: chess.Square, forbidden: int) -> set[chess.Square]:
    """Where a piece gets to, by python-chess' moves, forbidden squares being pieces of its own."""
    board = chess.Board(None)
    for blocked in chess.SquareSet(forbidden):
        board.set_piece_at(blocked, chess.Piece(chess.KNIGHT, chess.WHITE))
    board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
    return {move.to_square for move in board.pseudo_legal_moves if move.from_square == square}


def shortest_way(task: PathTask) -> list[chess.Square]:
    """By trying all ways of one move, of two, …"""
    ways = [[task.here]]
    seen = {task.here}
    while ways:
        longer = []
        for way in ways:
            for square in sorted(steps(task.piece, way[-1], task.forbidden)):
                if square == task.target:
                    return [*way[1:], square]
                if square not in seen:
                    seen.add(square)
                    longer.append([*way, square])
        ways = longer
    raise AssertionError("there is no way")


def solve(board: chess.Board, moves: int) -> chess.Move:
    """The only move that mates in so many, by trying everything."""
    found = [move for move in board.legal_moves if mates(board, move, moves)]
    assert moves == 1 or len(found) == 1, found
    return found[0]


def mates(board: chess.Board, move: chess.Move, moves: int) -> bool:
    board = board.copy(stack=False)
    board.push(move)
    if board.is_checkmate():
        return True
    if moves == 1 or not any(board.legal_moves):
        return False
    for answer in board.legal_moves:
        after = board.copy(stack=False)
        after.push(answer)
        if not any(mates(after, reply, moves - 1) for reply in after.legal_moves):
            return False
    return True


def plain_gain(board: chess.Board, move: chess.Move) -> int:
    """What the move gains: full minimax without cutting anything off, with everything that can be taken then."""
    worth = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}

    def count(position: chess.Board) -> int:
        return sum(worth[m.piece_type] * (1 if m.color == position.turn else -1) for m in position.piece_map().values())

    def value(position: chess.Board, depth: int) -> int:
        moves = list(position.legal_moves)
        if not moves:
            return -1000 if position.is_check() else 0
        best = -1000
        if depth <= 0 and not position.is_check():
            best = count(position)
            moves = [one for one in moves if position.is_capture(one) or one.promotion]
        for one in moves:
            position.push(one)
            best = max(best, -value(position, depth - 1))
            position.pop()
        return best

    position = board.copy(stack=False)
    before = count(position)
    position.push(move)
    return -value(position, 2) - before
