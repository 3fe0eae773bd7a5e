"""Paths: every step that is taken can be made, and the count of the shortest way is right."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.exercising import drilled, open_task
from tests.practice.oracle import shortest_way, steps
from voicechess.meaning import SpokenMove
from voicechess.practice.exercises.paths import SPARE_MOVES, PathTask, reached, shortest
from voicechess.practice.task import AnswerVerdict


def square_meant(square: chess.Square, piece: chess.PieceType | None = None) -> SpokenMove:
    return SpokenMove(piece=piece, to_file=chess.square_file(square), to_rank=chess.square_rank(square))


@pytest.mark.parametrize("piece", [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING])
@pytest.mark.parametrize("forbidden", [0, chess.BB_D4 | chess.BB_E5 | chess.BB_B2, chess.BB_RANK_4 & ~chess.BB_H4])
def test_exactly_the_legal_steps_can_be_made(piece: chess.PieceType, forbidden: int) -> None:
    for square in chess.SQUARES:
        if forbidden & chess.BB_SQUARES[square]:
            continue
        task = PathTask(piece, square, chess.A1 if square != chess.A1 else chess.C3, forbidden)
        taken = (
            {
                target
                for target in chess.SQUARES
                if task.assess(square_meant(target), "").verdict is not AnswerVerdict.WRONG
            }
            if shortest(piece, task.start, task.target, forbidden)
            else set(reached(piece, square, forbidden))
        )
        assert taken == steps(piece, square, forbidden)


def test_the_shortest_way_is_as_short_as_trying_everything_finds_it() -> None:
    for start in range(0, 64, 5):
        for target in range(0, 64, 3):
            if start == target:
                continue
            way = shortest(chess.KNIGHT, start, target, 0)
            assert way is not None
            assert len(way) == len(shortest_way(PathTask(chess.KNIGHT, start, target)))


def test_the_first_level_has_ways_of_one_move_and_the_others_none() -> None:
    lengths: dict[int, set[int]] = {1: set(), 2: set()}
    for level, found in lengths.items():
        for seed in range(60):
            task = open_task(drilled("paths", level, seed)[1])
            assert isinstance(task, PathTask)
            found.add(len(shortest_way(task)))
    assert lengths[1] == {1, 2} and min(lengths[2]) == 2


def test_there_may_be_no_way() -> None:
    assert shortest(chess.BISHOP, chess.A1, chess.A2, 0) is None
    assert shortest(chess.ROOK, chess.A1, chess.H8, chess.BB_A2 | chess.BB_B1) is None


def test_a_longer_way_arrives_but_is_not_perfect() -> None:
    task = PathTask(chess.KNIGHT, chess.G1, chess.F3)
    for square in (chess.H3, chess.G1):
        assessed = task.assess(square_meant(square), "")
        assert assessed.verdict is AnswerVerdict.GOES_ON
        assert isinstance(assessed.task, PathTask)
        task = assessed.task
    assessed = task.assess(square_meant(chess.F3, chess.KNIGHT), "")
    assert assessed.verdict is AnswerVerdict.RIGHT
    assert assessed.imperfect
    assert [phrase.slots["moves"] for phrase in assessed.say] == [3]
    assert not PathTask(chess.KNIGHT, chess.G1, chess.F3).assess(square_meant(chess.F3), "").imperfect


def test_wandering_about_ends() -> None:
    task = PathTask(chess.KNIGHT, chess.A1, chess.H8)
    for number in range(task.fewest + SPARE_MOVES - 1):
        assessed = task.assess(square_meant(chess.B3 if number % 2 == 0 else chess.A1), "")
        assert isinstance(assessed.task, PathTask), number
        task = assessed.task
    assert task.assess(square_meant(chess.B3 if task.here == chess.A1 else chess.A1), "").verdict is AnswerVerdict.WRONG


def test_another_piece_or_another_origin_is_no_answer() -> None:
    task = PathTask(chess.KNIGHT, chess.G1, chess.F3)
    assert task.assess(square_meant(chess.F3, chess.ROOK), "").verdict is AnswerVerdict.MISFIT
    with_origin = SpokenMove(from_file=6, from_rank=0, to_file=5, to_rank=2)
    assert task.assess(with_origin, "").verdict is AnswerVerdict.RIGHT
    assert task.assess(SpokenMove(from_file=0, from_rank=0, to_file=5, to_rank=2), "").verdict is AnswerVerdict.MISFIT


def test_a_step_is_taken_back() -> None:
    room, drill = drilled("paths", 2)
    task = open_task(drill)
    assert isinstance(task, PathTask)
    room.hear(room.wording.square(shortest_way(task)[0]).lower())
    assert open_task(drill) != task
    room.hear("zurück")
    assert open_task(drill) == task
    room.hear("zurück")
    assert room.keys == ["practice.nothing_to_take_back"]


def test_a_way_that_is_longer_than_need_be_is_right_but_not_known() -> None:
    """It is counted, but not among the right ones, and comes again as one that took two tries (SM-2, schedule.py)."""
    room, drill = drilled("paths", 1)
    task = open_task(drill)
    assert isinstance(task, PathTask)
    there = next(square for square in sorted(steps(task.piece, task.start, 0)) if square != task.target)
    detour = PathTask(task.piece, there, task.target)
    for square in (there, *shortest_way(detour)):
        room.hear(room.wording.square(square).lower())
    assert "practice.paths.longer" in room.keys
    assert drill.score == (1, 0)
    room.hear("ende")
    assert [(kept.right, kept.tries) for kept in room.answers] == [(False, 1)]
