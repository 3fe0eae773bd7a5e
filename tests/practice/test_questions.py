"""Every question has exactly the answer expected, found another way; and nothing is asked twice in a row.

VOICECHESS_PRACTICE_QUESTIONS: how many questions of all exercises together (300 without it; 100000 for a full proof).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from random import Random

import chess
import pytest

from tests.drivers.exercising import AT_EVERY_LEVEL, BEGAN, course
from tests.practice.oracle import Player, done, mates, plain_gain, verdict
from voicechess.moves.saying import said_move
from voicechess.practice.drill import TaskSequence
from voicechess.practice.exercises.follow import KINDS, GameScore, famous_games, question_at
from voicechess.practice.exercises.lesson_questions import PlayTask
from voicechess.practice.exercises.lessons import LessonTask
from voicechess.practice.exercises.mates import PuzzleTask, draw_puzzle, gains, winning_moves
from voicechess.practice.exercises.notation import Locate
from voicechess.practice.exercises.squares import KnightTask, ShadeTask
from voicechess.practice.schedule import Deck, Grade
from voicechess.practice.task import AnswerVerdict, Course, Task

QUESTIONS = int(os.environ.get("VOICECHESS_PRACTICE_QUESTIONS", "300"))
EACH = max(1, QUESTIONS // len(AT_EVERY_LEVEL))
PUZZLES = max(2, min(EACH // 4, 150))
"""Of each kind; more would take hours, since every one is searched for and proved."""

OTHERS = 400 if EACH < 100 else 4
"""So many other answers are tried with each question."""

MOST_STEPS = 12

every_exercise = pytest.mark.parametrize(("key", "level"), AT_EVERY_LEVEL)


def drawn(key: str, level: int) -> Iterator[Task]:
    """Questions as they are asked, series included."""
    questions = TaskSequence(course(key, level), Deck(), Random(f"{key}{level}"))
    task = None
    for number in range(EACH if key != "mates" else PUZZLES):
        task = questions.after(task, BEGAN + timedelta(minutes=number))
        yield task


@every_exercise
def test_exactly_the_right_answer_is_right(key: str, level: int) -> None:
    player, random = Player("de"), Random(level)
    for asked in drawn(key, level):
        task = asked
        for _ in range(MOST_STEPS):
            right = player.right(task)
            found, following = verdict(task, right[0])
            assert found in (AnswerVerdict.RIGHT, AnswerVerdict.GOES_ON), (task, right)
            others = sorted(set(player.answers(task)) - set(right))
            for other in random.sample(others, min(OTHERS, len(others))):
                worth, then = verdict(task, other)
                taken = worth is AnswerVerdict.RIGHT or (worth is AnswerVerdict.GOES_ON and then != task)
                assert not taken or also_right(task, other, player), (task, other)
            if found is AnswerVerdict.RIGHT:
                break
            task = following
        else:
            raise AssertionError(f"no end: {asked}")


def also_right(task: Task, words: str, player: Player) -> bool:
    """Where more than one answer is right, or the same one has another name."""
    match task:
        case LessonTask():
            return also_right(task.question, words, player)
        case PlayTask():
            return words in {name for move in done(task) for name in names(task, move, player)}
        case ShadeTask():  # white squares are light ones
            same = {player.words["light"]: player.words[True], player.words["dark"]: player.words[False]}
            return words == same[player.right(task)[0]]
        case PuzzleTask(begun=True):  # the mate that ends a mate in two need not be the only one
            board = chess.Board(task.fen)
            return any(
                mates(board, move, 1) and player.wording.move(said_move(board, move)).lower() == words
                for move in board.legal_moves
            )
        case Locate():  # the whole move names its square as well
            return words == player.wording.move(task.announced).lower()
    # Steps that lead on: a path may take another way. That its moves can be made is shown in `test_paths`.
    return task.ident.startswith("path")


def names(task: PlayTask, move: chess.Move, player: Player) -> Iterator[str]:
    """The move as it is announced, and its square alone, where a pawn or the only piece goes there."""
    board = task.reached()
    yield player.wording.move(said_move(board, move)).lower()
    if task.kind in ("go", "capture") or board.piece_type_at(move.from_square) == chess.PAWN:
        yield player.square(move.to_square)


@pytest.mark.parametrize("kind", ["mate.1", "mate.2"])
def test_mates_have_one_solution(kind: str) -> None:
    random, moves = Random(kind), int(kind[-1])
    for _ in range(PUZZLES + 1):
        board = draw_puzzle(kind, random)
        assert board.is_valid()
        assert sum(mates(board, move, moves) for move in board.legal_moves) == 1
        assert moves == 1 or not any(mates(board, move, 1) for move in board.legal_moves)


def test_wins_have_one_solution() -> None:
    """By plain minimax, with nothing cut off; few, for each takes a second."""
    random = Random(5)
    for _ in range(max(1, PUZZLES // 10)):
        board = draw_puzzle("win", random)
        gained = {move: plain_gain(board, move) for move in board.legal_moves}
        (best,) = winning_moves(board)
        assert gained[best] >= 3
        assert all(gain < 2 for move, gain in gained.items() if move != best)


@pytest.mark.parametrize(
    ("fen", "move", "gain"),
    [
        ("k7/1r6/K7/8/8/8/8/1R6 w - - 0 1", "b1b7", False),  # takes a rook, and is stalemate
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8", True),  # takes nothing, and is mate
    ],
)
def test_stalemate_gains_nothing_and_mate_more_than_any_piece(fen: str, move: str, gain: bool) -> None:
    assert gains(chess.Board(fen), chess.Move.from_uci(move), 2) == gain


@every_exercise
def test_nothing_is_asked_twice_in_a_row(key: str, level: int) -> None:
    deck = Deck()
    questions = TaskSequence(course(key, level), deck, Random(level))
    task, last = None, ""
    for number in range(40 if key != "mates" else 3):
        now = BEGAN + timedelta(seconds=5 * number)
        task = questions.after(task, now)
        assert task.ident != last
        last = task.ident
        deck.rate(task.skills, Grade.AGAIN, now)  # whatever is wrong comes soon again, but not at once


@dataclass(frozen=True)
class _OfTwo(Course):
    """A course that has one skill and two questions, one of them rare."""

    level: int = 1
    key: str = "squares"

    def skills(self) -> tuple[str, ...]:
        return ("shade",)

    def task(self, skill: str, random: Random) -> Task:
        return ShadeTask(chess.A1 if random.random() < 0.9 else chess.B1)


def test_nothing_is_asked_twice_in_a_row_where_there_is_hardly_anything_else() -> None:
    questions, task, asked = TaskSequence(_OfTwo(), Deck(), Random(0)), None, []
    for _ in range(20):
        task = questions.after(task, BEGAN)
        asked.append(task.ident)
    assert asked in (["shade.0", "shade.1"] * 10, ["shade.1", "shade.0"] * 10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", famous_games(), ids=lambda game: game.title.key.rpartition(".")[2])
def test_every_question_about_every_position_of_a_game_has_one_answer(kind: str, game: GameScore) -> None:
    player, told, asked = Player("de"), 0, 0
    task = question_at(game, told, 1, 5, kind)
    while task is not None:
        asked += task.kind == kind
        assert verdict(task, player.right(task)[0])[0] is AnswerVerdict.RIGHT, task
        assert verdict(task, player.wrong(task))[0] is AnswerVerdict.WRONG, task
        told += 1
        task = question_at(game, told, 1, 5, kind)
    assert told == len(game.moves)
    assert asked > told // 3


def test_what_is_wrong_comes_again_soon() -> None:
    deck, names = Deck(), tuple(f"file.{number}" for number in range(8))
    now = BEGAN
    for name in names:
        deck.rate((name,), Grade.AGAIN if name == "file.3" else Grade.EASY, now)
    picked = [deck.pick(names, now + timedelta(minutes=minute), Random(minute)) for minute in range(2, 12)]
    assert set(picked) == {"file.3"}
    assert deck.pick(names, now + timedelta(minutes=2), Random(0), without=("file.3",)) != "file.3"


def test_cards_survive_as_json_and_broken_ones_begin_anew() -> None:
    deck = Deck()
    deck.rate(("file.1",), Grade.GOOD, BEGAN)
    again = Deck({**deck.as_json(), "file.2": "nonsense", "file.3": "{}"})
    assert again.stability_days("file.1") == deck.stability_days("file.1")
    assert again.stability_days("file.2") is None
    assert again.stability_days("file.3") is None


def test_knights_are_named_in_any_order_and_two_at_a_time() -> None:
    task = KnightTask(chess.A1)
    found, following = verdict(task, "cesar zwei")
    assert found is AnswerVerdict.GOES_ON
    assert verdict(following, "bella drei")[0] is AnswerVerdict.RIGHT
    assert verdict(task, "bella drei cesar zwei")[0] is AnswerVerdict.RIGHT
    assert verdict(following, "cesar zwei") == (AnswerVerdict.GOES_ON, following)
