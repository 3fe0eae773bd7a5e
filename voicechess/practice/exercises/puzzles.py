"""Puzzles from the player's file: the position, the opponent's move if the file has one, then the player's.

Any mate is right, whatever the file says, as at Lichess. Failed puzzles come back by the schedule even without the
file, since the skill of a puzzle contains the puzzle itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

import chess

from voicechess.game.telling import sides_told
from voicechess.meaning import Meaning
from voicechess.messages import File, Listing, Phrase, Piece, Side, Slot, Text
from voicechess.moves.saying import said_move
from voicechess.practice.exercises.mates import announced_move, mates_in_one, mates_in_two
from voicechess.practice.positions import position_in_short
from voicechess.practice.puzzle_lines import LINES, Broken, Goal, Puzzle, puzzle_of
from voicechess.practice.schedule import PUZZLE, Deck, about
from voicechess.practice.task import RIGHT, AnswerVerdict, Assessment, Course, Task

# --- One puzzle ---

_MATES = {Goal.MATE_1: 1, Goal.MATE_2: 2}


@dataclass(frozen=True)
class OwnPuzzle(Task):
    """A puzzle of the player's file. `made`: the moves made since `puzzle.fen`; `before`: sentences before it."""

    puzzle: Puzzle
    made: tuple[chess.Move, ...] = ()
    before: tuple[Phrase, ...] = ()

    @property
    def ident(self) -> str:
        return f"{self.puzzle.text} {' '.join(move.uci() for move in self.made)}"

    @property
    def skills(self) -> tuple[str, ...]:
        return (skill_of(self.puzzle),)

    @cached_property
    def _board(self) -> chess.Board:
        board = chess.Board(self.puzzle.fen)
        for move in self.made:
            board.push(move)
        return board

    def board(self) -> chess.Board:
        return self._board.copy(stack=False)

    @property
    def _begun(self) -> bool:
        return len(self.made) > (self.puzzle.goal is Goal.LINE)

    def preface(self) -> tuple[Phrase, ...]:
        named = (Phrase("practice.puzzles.named", {"name": Text(self.puzzle.name)}),) if self.puzzle.name else ()
        return (*self.before, *named, *self.puzzle.dropped)

    def ask(self) -> tuple[Phrase, ...]:
        if self._begun:
            return (self._question(),)
        start = chess.Board(self.puzzle.fen)
        if self.puzzle.goal is not Goal.LINE:
            return (*position_in_short(start), self._question())
        came = Phrase("practice.puzzles.came", {"side": Side(start.turn), "move": said_move(start, self.made[0], True)})
        return (*position_in_short(start), came, self._question())

    def _question(self) -> Phrase:
        side = {"side": Side(self._board.turn)}
        goal = self.puzzle.goal
        if goal in _MATES:
            return Phrase(f"practice.mates.mate_{self._mate_in}", side)
        return Phrase(f"practice.puzzles.{'ask' if goal in LINES else goal.value}", side)

    @property
    def _mate_in(self) -> int:
        return _MATES[self.puzzle.goal] - self._begun

    def position(self) -> tuple[Phrase, ...]:
        return sides_told(self._board)

    def recap(self) -> tuple[Phrase, ...]:
        return self.position() if self._begun else ()

    def expects(self) -> Phrase:
        return Phrase("practice.expects.move")

    # --- the solution --------------------------------------------------------------------------------------------

    @cached_property
    def _solutions(self) -> tuple[chess.Move, ...]:
        """The right moves, best first; with moves to avoid, all other moves."""
        board, moves = self.board(), [chess.Move.from_uci(uci) for uci in self.puzzle.moves]
        match self.puzzle.goal:
            case Goal.LINE | Goal.OWN_LINE:
                return tuple(moves[len(self.made) : len(self.made) + 1])
            case Goal.BEST:
                return tuple(moves)
            case Goal.AVOID:
                return tuple(move for move in board.legal_moves if move not in moves)
        return tuple(mates_in_one(board) if self._mate_in == 1 else mates_in_two(board))

    def assess(self, meaning: Meaning, words: str) -> Assessment:
        board = self.board()
        move = announced_move(board, meaning)
        if isinstance(move, Assessment):
            return move
        right = move in self._solutions
        board.push(move)
        if board.is_checkmate():
            return self._solved()
        if right:
            return self._answered(move, board)
        if board.is_stalemate():
            return Assessment(AnswerVerdict.WRONG, (Phrase("practice.puzzles.stalemate"),))
        if self._mate_wanted():
            return Assessment(AnswerVerdict.WRONG, (Phrase("practice.puzzles.no_mate"),))
        return Assessment(AnswerVerdict.WRONG, refute=board)

    def _mate_wanted(self) -> bool:
        """Whether the solution's move mates."""
        board = self.board()
        board.push(self._solutions[0])
        return board.is_checkmate()

    def _answered(self, move: chess.Move, after: chess.Board) -> Assessment:
        """Assess a right move: solved, or the opponent's reply and the remaining task."""
        answer = self._answer(after)
        if answer is None:
            return self._solved()
        told = Phrase("practice.puzzles.answered", {"move": said_move(after, answer, True)})
        left = replace(self, made=(*self.made, move, answer), before=())
        return Assessment(AnswerVerdict.GOES_ON, (told, left._question()), left)

    def _answer(self, after: chess.Board) -> chess.Move | None:
        if self.puzzle.goal in LINES:
            following = self.puzzle.moves[len(self.made) + 1 :]
            return after.parse_uci(following[0]) if len(following) > 1 else None
        if self.puzzle.goal is Goal.MATE_2 and not self._begun:
            return min(after.legal_moves, key=lambda move: move.uci())
        return None

    def _solved(self) -> Assessment:
        return Assessment(AnswerVerdict.RIGHT, self._comment()) if self.puzzle.comment else RIGHT

    def _comment(self) -> tuple[Phrase, ...]:
        comment = Phrase("practice.puzzles.comment", {"comment": Text(self.puzzle.comment)})
        return (comment,) if self.puzzle.comment else ()

    def solution(self) -> tuple[Phrase, ...]:
        """The rest of the solution, and the file's comment."""
        board = self.board()
        if self.puzzle.goal is Goal.AVOID:
            avoided = Listing(tuple(said_move(board, board.parse_uci(uci)) for uci in self.puzzle.moves))
            return (Phrase("practice.puzzles.avoided", {"moves": avoided}), *self._comment())
        moves = []
        left = self.puzzle.moves[len(self.made) :] if self.puzzle.goal in LINES else (self._solutions[0].uci(),)
        for uci in left:
            move = board.parse_uci(uci)
            moves.append(said_move(board, move))
            board.push(move)
        return (Phrase("practice.puzzles.solution", {"moves": Listing(tuple(moves), "")}), *self._comment())

    def hints(self) -> tuple[tuple[Phrase, ...], ...]:
        """The piece, then its file, then the move, which must still be announced. () if moves are to be avoided."""
        if self.puzzle.goal is Goal.AVOID:
            return ()
        board, move = self.board(), self._solutions[0]
        kind = board.piece_type_at(move.from_square)
        assert kind is not None, "solutions are legal moves"
        return (
            (Phrase("tip.piece", {"piece": Piece(kind)}),),
            (Phrase("tip.file", {"piece": Piece(kind), "file": File(chess.square_file(move.from_square))}),),
            (Phrase("tip.move", {"move": said_move(board, move)}),),
        )


def skill_of(puzzle: Puzzle) -> str:
    """The puzzle's skill in the schedule, from which it can be recreated."""
    return f"{PUZZLE}.{puzzle.text}"


# --- A file of them ---

Find = Callable[[], Iterator[Puzzle | Broken]]

FEW = 100
"""Number of puzzles up to which a file is kept in memory instead of being read again. Larger: more memory."""

MOST_BROKEN = 3
"""Reports of skipped lines in a session at most. Larger: more interruptions by a bad file."""


class Puzzles(Course):
    """The puzzles of a file in order, each once, mixed with failed ones that are due again.

    `find` iterates over the file from its beginning, read only up to the next puzzle; None: no file. `seen`: the skills
    of puzzles answered before, which come again only after all others.
    """

    key = "puzzles"
    level = 1

    def __init__(self, deck: Deck, find: Find | None = None, seen: Iterable[str] = ()) -> None:
        self._deck, self._find = deck, find
        self._seen = {skill for skill in seen if skill.startswith(f"{PUZZLE}.")}
        self._few: list[Puzzle] = []
        self._source = self._once()
        self._next: Puzzle | None = None
        self._first_broken: Broken | None = None
        self._broken = self._told_broken = 0
        self._any = self._anew = False

    @property
    def empty(self) -> bool:
        """Whether there are no puzzles."""
        return not self.skills()

    def skills(self) -> tuple[str, ...]:
        """The failed puzzles and the next one of the file; () if there are none."""
        if self._next is None and self._find is not None:
            self._next = self._following()
        known = [skill for skill in self._deck.known(PUZZLE) if puzzle_of(about(skill)) is not None]
        return tuple(dict.fromkeys((*known, *(() if self._next is None else (skill_of(self._next),)))))

    def task(self, skill: str, random: Random) -> Task:
        if self._next is None or skill != skill_of(self._next):
            puzzle = puzzle_of(about(skill))
            assert puzzle is not None, "`skills` has validated it"
            return _put(puzzle, (Phrase("practice.puzzles.again"),))
        puzzle, self._next = self._next, None
        self._seen.add(skill)
        return _put(puzzle, tuple(self._before()))

    def _once(self) -> Iterator[Puzzle | Broken]:
        """One pass over the file, or over the puzzles in memory if there are few."""
        if self._few or self._find is None:
            yield from self._few
            return
        few: list[Puzzle] = []
        for found in self._find():
            if isinstance(found, Puzzle) and len(few) <= FEW:
                few.append(found)
            yield found
        if len(few) <= FEW:
            self._few = few

    def _following(self) -> Puzzle | None:
        """The next puzzle not yet seen; after the last one all come again. None if the file has none."""
        while True:
            for found in self._source:
                if isinstance(found, Broken):
                    self._first_broken = self._first_broken or found
                    self._broken += 1
                    continue
                self._any = True
                if skill_of(found) not in self._seen:
                    return found
            if not self._any:
                return None
            self._seen.clear()
            self._source, self._anew = self._once(), True

    def _before(self) -> Iterator[Phrase]:
        """Sentences before the next puzzle: skipped lines, and that the file begins again."""
        if self._first_broken is not None and self._told_broken < MOST_BROKEN:
            fault = Phrase(f"practice.puzzles.fault.{self._first_broken.fault.value}")
            slots: dict[str, Slot] = {"count": self._broken, "line": self._first_broken.line, "fault": fault}
            yield Phrase(f"practice.puzzles.{'broken' if self._broken == 1 else 'several_broken'}", slots)
            self._told_broken += 1
        self._first_broken, self._broken = None, 0
        if self._anew:
            yield Phrase("practice.puzzles.anew")
        self._anew = False


def _put(puzzle: Puzzle, before: tuple[Phrase, ...]) -> OwnPuzzle:
    made = (chess.Board(puzzle.fen).parse_uci(puzzle.moves[0]),) if puzzle.goal is Goal.LINE else ()
    return OwnPuzzle(puzzle, made, before)
