"""Mates and wins: a position is told, its only solution is announced move by move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import chess

from voicechess.meaning import Meaning, Reading, SpokenMove
from voicechess.messages import Phrase, Side
from voicechess.moves.matching import Ask, Play, Refuse, decide
from voicechess.moves.saying import said_move
from voicechess.practice.describing import man_on, position_told
from voicechess.practice.exercises.puzzles import draw_puzzle, solutions
from voicechess.practice.task import MISFIT, RIGHT, WRONG, Course, Judgement, Task, Verdict


def announced_move(board: chess.Board, meaning: Meaning) -> chess.Move | Judgement:
    """The move that was announced, by the rules of a game; else why that was none, which counts as nothing."""
    if not isinstance(meaning, SpokenMove):
        return MISFIT
    match decide(board, (Reading(meaning),)):
        case Play(move):
            return move
        case Ask(moves, doubt) if len(moves) == 1 and doubt is not None:
            return Judgement(Verdict.MISFIT, (doubt.phrase,))
        case Refuse(refusal, _):
            return Judgement(Verdict.MISFIT, (refusal.phrase,))
    return Judgement(Verdict.MISFIT, (Phrase("practice.mates.incomplete"),))


@dataclass(frozen=True)
class PuzzleTask(Task):
    """Solve the position `fen`. `kind`: "mate.1", "mate.2" or "win"; `begun`: the first move of two has been made."""

    fen: str
    kind: str
    seed: int = 0
    begun: bool = False

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
        """The moves that solve it: one; the last move of a mate in two may be one of several."""
        return solutions(self.kind, self.fen)

    def ask(self) -> tuple[Phrase, ...]:
        side = {"side": Side(self.board().turn)}
        if self.begun:
            return (Phrase("practice.mates.now_mate", side),)
        return (*self.position(), Phrase(f"practice.mates.{self.kind.replace('.', '_')}", side))

    def position(self) -> tuple[Phrase, ...]:
        return position_told(self.board())

    def judge(self, meaning: Meaning, words: str) -> Judgement:
        board = self.board()
        move = announced_move(board, meaning)
        if isinstance(move, Judgement):
            return move
        if move not in self.solutions:
            return WRONG
        return RIGHT if self.kind != "mate.2" else self._answered(board, move)

    def _answered(self, board: chess.Board, move: chess.Move) -> Judgement:
        board.push(move)
        answers = sorted(board.legal_moves, key=lambda answer: answer.uci())
        answer = Random(self.seed).choice(answers)
        told = Phrase("practice.mates.answered", {"move": said_move(board, answer)})
        board.push(answer)
        left = replace(self, fen=board.fen(en_passant="fen"), kind="mate.1", begun=True)
        return Judgement(Verdict.GOES_ON, (told, *left.ask()), left)

    def solution(self) -> tuple[Phrase, ...]:
        return (Phrase("practice.mates.solution", {"move": said_move(self.board(), self.solutions[0])}),)

    def hint(self) -> tuple[Phrase, ...]:
        move = self.solutions[0]
        piece = self.board().piece_type_at(move.from_square)
        assert piece is not None, "solutions are legal moves"
        return (Phrase("practice.mates.hint", {"man": man_on(piece, move.from_square)}),)

    def recap(self) -> tuple[Phrase, ...]:
        return self.position() if self.begun else ()

    def expects(self) -> Phrase:
        return Phrase("practice.expects.move")


@dataclass(frozen=True)
class Mates(Course):
    """Levels: 1 mate in one; 2 winning a piece; 3 mate in two; 4 all of them."""

    level: int = 1
    key: str = "mates"

    def skills(self) -> tuple[str, ...]:
        by_level = {1: ("mate.1",), 2: ("win",), 3: ("mate.2",)}
        return by_level.get(self.level, ("mate.1", "win", "mate.2"))

    def task(self, skill: str, random: Random) -> Task:
        board = draw_puzzle(skill, random)
        return PuzzleTask(board.fen(), skill, random.getrandbits(32))
