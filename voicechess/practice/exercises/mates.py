"""Mates and wins: a position with exactly one solution, announced move by move.

Mate in one, mate in two, and moves that win a piece by force. Solutions are found by exhaustive search, so a mate is
proven. A win is proven within the search: two plies and all captures that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

import chess

from voicechess.meaning import Meaning, Reading, SpokenMove
from voicechess.messages import Phrase, Side
from voicechess.moves.decisions import Ask, Play, Refuse
from voicechess.moves.matching import decide
from voicechess.moves.saying import said_move
from voicechess.practice.positions import piece_on, position_told
from voicechess.practice.task import MISFIT, RIGHT, WRONG, AnswerVerdict, Assessment, Course, Task

# --- Positions with exactly one solution ---

WORTH: Mapping[chess.PieceType, int] = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}

WINS_AT_LEAST = 3
"""Material gained by a win, in pawns, at least. Larger: fewer, clearer positions."""

RIVALS_BELOW = 2
"""Material gained by every other move, in pawns, is less than this. Larger: more positions qualify, less clearly."""

_MATED = 1000  # value of a mate in pawns, above any material


def mates_in_one(board: chess.Board) -> list[chess.Move]:
    """All moves that give mate."""
    return list(_mating(board))


def _mating(board: chess.Board) -> Iterator[chess.Move]:
    for move in board.legal_moves:
        if board.gives_check(move):
            board.push(move)
            mate = board.is_checkmate()
            board.pop()
            if mate:
                yield move


def mates_in_two(board: chess.Board) -> list[chess.Move]:
    """All moves that force mate in exactly two; [] if there is a mate in one."""
    if any(_mating(board)):
        return []
    return [move for move in list(board.legal_moves) if _forces_mate_next(board, move)]


def _forces_mate_next(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    try:
        answers = list(board.legal_moves)
        if not answers:
            return False  # stalemate; mate in one was ruled out
        for answer in answers:
            board.push(answer)
            mate = next(_mating(board), None)
            board.pop()
            if mate is None:
                return False
        return True
    finally:
        board.pop()


def material(board: chess.BaseBoard, colour: chess.Color) -> int:
    """A side's material balance in pawns."""
    return sum(
        worth * (len(board.pieces(kind, colour)) - len(board.pieces(kind, not colour))) for kind, worth in WORTH.items()
    )


def gains(board: chess.Board, move: chess.Move, pawns: int) -> bool:
    """Whether `move` gains at least `pawns` of material.

    Evaluated after every reply, the best move then, and all captures that follow. Mate counts as more than any gain.
    """
    wanted = material(board, board.turn) + pawns
    board.push(move)
    value = -_best(board, 2, -wanted, 1 - wanted)
    board.pop()
    return value >= wanted


def _best(board: chess.Board, depth: int, alpha: int, beta: int) -> int:
    """Alpha-beta search: material for the side to move, in pawns, after `depth` plies and a quiescence search."""
    moves = list(board.legal_moves)
    if not moves:
        return -_MATED if board.is_check() else 0
    if depth <= 0 and not board.is_check():
        standing = material(board, board.turn)
        if standing >= beta:
            return standing
        alpha = max(alpha, standing)
        moves = [move for move in moves if board.is_capture(move) or move.promotion]
        best = standing
    else:
        best = -_MATED
    moves.sort(key=lambda move: WORTH[board.piece_type_at(move.to_square) or chess.KING], reverse=True)
    for move in moves:
        board.push(move)
        value = -_best(board, depth - 1, -beta, -alpha)
        board.pop()
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def winning_moves(board: chess.Board) -> list[chess.Move]:
    """A list with the only move that wins a piece; [] if there is none or another gains `RIVALS_BELOW` or more."""
    found: list[chess.Move] = []
    for move in list(board.legal_moves):
        if gains(board, move, RIVALS_BELOW):
            found.append(move)
            if len(found) > 1:
                return []
    return [move for move in found if gains(board, move, WINS_AT_LEAST)]


_SOLVERS: Mapping[str, Callable[[chess.Board], list[chess.Move]]] = {
    "mate.1": mates_in_one,
    "mate.2": mates_in_two,
    "win": winning_moves,
}


@lru_cache(maxsize=256)
def solutions(kind: str, fen: str) -> tuple[chess.Move, ...]:
    """The moves that solve a position. `kind`: "mate.1", "mate.2" or "win"."""
    return tuple(_SOLVERS[kind](chess.Board(fen)))


def draw_puzzle(kind: str, random: Random) -> chess.Board:
    """A random position with exactly one solution. `kind`: "mate.1", "mate.2" or "win"."""
    sets = _WIN_SETS if kind == "win" else _MATE_SETS
    while True:
        board = _scatter(*random.choice(sets), random, near_edge=kind != "win")
        if board is None or (kind == "win" and not _promising(board)):
            continue
        found = solutions(kind, board.fen())
        if len(found) == 1 and not (kind == "win" and _obvious(board, found[0])):
            return board if random.random() < 0.5 else board.mirror()


def _promising(board: chess.Board) -> bool:
    """Whether a quiet move wins by a check or double attack: a fast filter that rejects most positions."""
    for move in list(board.legal_moves):
        if board.is_capture(move) or move.promotion:
            continue
        board.push(move)
        attacked = board.attacks_mask(move.to_square) & board.occupied_co[board.turn] & ~board.pawns
        double = board.is_check() or chess.popcount(attacked) > 1
        board.pop()
        if double and gains(board, move, WINS_AT_LEAST):
            return True
    return False


def _obvious(board: chess.Board, move: chess.Move) -> bool:
    """Whether the winning move is a capture, promotion or mate instead of a fork, pin, skewer or attack."""
    return board.is_capture(move) or bool(move.promotion) or move in _mating(board)


def _scatter(white: str, black: str, random: Random, near_edge: bool) -> chess.Board | None:
    """A position with White to move and the pieces on random squares; None if it is invalid."""
    board = chess.Board(None)
    edge = [square for square in chess.SQUARES if chess.BB_SQUARES[square] & _EDGE]
    king = random.choice(edge if near_edge else chess.SQUARES)
    board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
    for letter in white + black:
        piece = chess.Piece.from_symbol(letter)
        free = [square for square in chess.SQUARES if not board.occupied & chess.BB_SQUARES[square]]
        if piece.piece_type == chess.PAWN:
            free = [square for square in free if 1 <= chess.square_rank(square) <= 6]
        if letter == "p" and near_edge:
            free = [square for square in free if chess.square_distance(square, king) <= 1] or free
        board.set_piece_at(random.choice(free), piece)
    return board if board.is_valid() else None


_EDGE = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H
_MATE_SETS = (
    ("KQ", ""),
    ("KQN", "p"),
    ("KRR", "p"),
    ("KQR", "r"),
    ("KRB", "pp"),
    ("KQB", "pp"),
    ("KRN", "pp"),
    ("KQ", "pn"),
)
_WIN_SETS = (("KN", "rb"), ("KR", "bn"), ("KQ", "rn"), ("KB", "rr"), ("KNP", "q"), ("KBP", "rn"), ("KQP", "rb"))


# --- The exercise ---


def announced_move(board: chess.Board, meaning: Meaning) -> chess.Move | Assessment:
    """The announced move, understood as in a game, or a misfit with the reason if it is not one legal move."""
    if not isinstance(meaning, SpokenMove):
        return MISFIT
    match decide(board, (Reading(meaning),)):
        case Play(move):
            return move
        case Ask(moves, doubt) if len(moves) == 1 and doubt is not None:
            return Assessment(AnswerVerdict.MISFIT, (doubt.phrase,))
        case Refuse(refusal, _):
            return Assessment(AnswerVerdict.MISFIT, (refusal.phrase,))
    return Assessment(AnswerVerdict.MISFIT, (Phrase("practice.mates.incomplete"),))


@dataclass(frozen=True)
class PuzzleTask(Task):
    """Find the solution of the position `fen`."""

    fen: str
    kind: str  # "mate.1", "mate.2" or "win"
    seed: int = 0
    begun: bool = False  # the first of two moves has been made

    @property
    def ident(self) -> str:
        return f"{self.kind}.{self.fen}"

    @property
    def skills(self) -> tuple[str, ...]:
        return ("mate.2" if self.begun else self.kind,)

    def board(self) -> chess.Board:
        return chess.Board(self.fen)

    @property
    def solutions(self) -> tuple[chess.Move, ...]:
        """The solutions: one; several are possible for the last move of a mate in two."""
        return solutions(self.kind, self.fen)

    def ask(self) -> tuple[Phrase, ...]:
        side = {"side": Side(self.board().turn)}
        if self.begun:
            return (Phrase("practice.mates.now_mate", side),)
        return (*self.position(), Phrase(f"practice.mates.{self.kind.replace('.', '_')}", side))

    def position(self) -> tuple[Phrase, ...]:
        return position_told(self.board())

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        board = self.board()
        move = announced_move(board, meaning)
        if isinstance(move, Assessment):
            return move
        if move not in self.solutions:
            return WRONG
        return RIGHT if self.kind != "mate.2" else self._answered(board, move)

    def _answered(self, board: chess.Board, move: chess.Move) -> Assessment:
        board.push(move)
        answers = sorted(board.legal_moves, key=lambda answer: answer.uci())
        answer = Random(self.seed).choice(answers)
        told = Phrase("practice.mates.answered", {"move": said_move(board, answer)})
        board.push(answer)
        left = replace(self, fen=board.fen(en_passant="fen"), kind="mate.1", begun=True)
        return Assessment(AnswerVerdict.GOES_ON, (told, *left.ask()), left)

    def solution(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.mates.solution", {"move": said_move(self.board(), self.solutions[0])}),)

    def hint(self) -> tuple[Phrase, ...]:
        move = self.solutions[0]
        piece = self.board().piece_type_at(move.from_square)
        assert piece is not None, "solutions are legal moves"
        return (Phrase("practice.mates.hint", {"piece": piece_on(piece, move.from_square)}),)

    def recap(self) -> tuple[Phrase, ...]:
        return self.position() if self.begun else ()

    def expects(self) -> Phrase:
        return Phrase("practice.expects.move")


@dataclass(frozen=True)
class Mates(Course):
    """Levels: 1 mate in one; 2 winning a piece; 3 mate in two; 4 all of these."""

    level: int = 1
    key: str = "mates"

    def skills(self) -> tuple[str, ...]:
        by_level = {1: ("mate.1",), 2: ("win",), 3: ("mate.2",)}
        return by_level.get(self.level, ("mate.1", "win", "mate.2"))

    def task(self, skill: str, random: Random) -> Task:
        board = draw_puzzle(skill, random)
        return PuzzleTask(board.fen(), skill, random.getrandbits(32))
