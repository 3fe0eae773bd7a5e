"""Puzzles of one's own: what a line says, what comes back, and how much of a file is read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random

import chess
import pytest

from tests.drivers.exercising import BEGAN, OWN_PUZZLES, drilled, open_task
from voicechess.game.effects import Announcer
from voicechess.practice.drill import Drill, TaskSequence
from voicechess.practice.effects import FIRST_NUMBER, Examine, Examined, StopExamining
from voicechess.practice.exercises.puzzles import FEW, OwnPuzzle, Puzzles, skill_of
from voicechess.practice.puzzle_lines import Broken, Fault, Goal, Puzzle, Wanted, puzzle_of, puzzles_in
from voicechess.practice.report import by_skill
from voicechess.practice.schedule import Answered, Deck, Grade

MATE = "6k1/5ppp/2n5/8/8/7P/5PP1/R5K1 b - - 0 1"
FORK = "r3k3/8/8/3N4/8/8/8/4K3 w - -"


def read(*lines: str, wanted: Wanted | None = None) -> list[Puzzle | Broken]:
    return list(puzzles_in(lines, wanted or Wanted()))


def made_up(number: int) -> str:
    """A line of Lichess' format: the same mate, at another move of the game."""
    return f"p{number},6k1/5ppp/2n5/8/8/7P/5PP1/R5K1 b - - 0 {number + 1},c6d4 a1a8,{1000 + number},80,90,9,mateIn1,,"


@pytest.mark.parametrize(
    ("line", "goal", "moves"),
    [
        (f"x,{MATE},c6d4 a1a8", Goal.LINE, ("c6d4", "a1a8")),
        (f'"x","{MATE}","c6d4 a1a8","900"', Goal.LINE, ("c6d4", "a1a8")),
        (f"{FORK} bm Nc7+ Nf6+;", Goal.BEST, ("d5c7", "d5f6")),
        (f"{FORK} 0 1 am Ne7; bm Nc7+", Goal.BEST, ("d5c7",)),
        (f"{FORK} 3 17 am Ne7;", Goal.AVOID, ("d5e7",)),
        ("8/8/8/8/8/k1K5/8/7Q w - - dm 1; bm Qa8;", Goal.MATE_1, ()),
        ("k7/8/2K5/8/8/8/8/7R w - - dm 2;", Goal.MATE_2, ()),
        ("1k6/8/2K5/8/8/8/8/7R w - - dm 3; pv Rh7 Ka8 Kb6 Kb8 Rh8;", Goal.OWN_LINE, None),
        ("x,4k2r/8/8/8/8/8/8/4K3 b k - 0 1,e8h8 e1e2", Goal.LINE, ("e8g8", "e1e2")),
    ],
)
def test_what_a_line_asks_for(line: str, goal: Goal, moves: tuple[str, ...] | None) -> None:
    (puzzle,) = read(line)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.goal is goal
    assert moves is None or puzzle.moves == moves
    assert puzzle_of(puzzle.text) == puzzle
    assert len(puzzle.text.split()) == 1  # as the names of skills are kept


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("1. e4 e5 2. Nf3 Nc6", Fault.NO_PUZZLE),
        ("PNG\x00\x1a/////// q", Fault.NO_PUZZLE),
        (f"x,{MATE},c6d4", Fault.NO_PUZZLE),  # the opponent's move alone
        (f"x,{MATE},", Fault.NO_PUZZLE),
        (f"{FORK} acd 12;", Fault.NO_PUZZLE),
        (FORK, Fault.NO_PUZZLE),
        ("8/8/8/8/8/8/8/8 w - - bm Kd4;", Fault.POSITION),
        (f"x,{MATE.replace('k', 'K')},c6d4 a1a8", Fault.POSITION),
        ("x,k7/8/8/8/8/8/8/K7 w - - 0 99999999,a1a2 a8a7", Fault.POSITION),
        ("k7/2Q5/8/8/8/8/8/K7 b - - bm Ka7;", Fault.POSITION),  # stalemate
        (f"x,{MATE},c6d4 a1a9", Fault.MOVE),
        (f"x,{MATE},c6d4 a1b2", Fault.MOVE),
        (f"x,{MATE},c6d4 0000", Fault.MOVE),
        (f"{FORK} bm Qh8;", Fault.MOVE),
        ("1k6/8/2K5/8/8/8/8/7R w - - dm 3;", Fault.TOO_DEEP),
        (f"{FORK} dm 1;", Fault.NO_MATE),
        (f"{FORK} dm 2;", Fault.NO_MATE),
    ],
)
def test_a_line_that_is_none_is_named_and_the_others_are_read(line: str, fault: Fault) -> None:
    found = read("# mine", "", line, made_up(1))
    assert found[0] == Broken(3, fault)
    assert isinstance(found[1], Puzzle)


@pytest.mark.parametrize("text", ["", "||||", "bm|x|y", "bm|k7/8/8/8/8/8/8/K7_w_-_-_0_1|a1a8||", "bm" + "|" * 9])
def test_a_kept_puzzle_that_is_none_is_passed_over(text: str) -> None:
    assert puzzle_of(text) is None
    deck = Deck()
    deck.rate([f"puzzle.{text}"], Grade.AGAIN, BEGAN)
    assert Puzzles(deck).empty


def test_a_heading_says_where_the_columns_stand() -> None:
    found = read("Themes,Rating,Moves,FEN", f"fork mateIn1,1500,c6d4 a1a8,{MATE}", wanted=Wanted(1400, 1600, "matein1"))
    assert [type(one) for one in found] == [Puzzle]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (Wanted(1002), 8),
        (Wanted(high=1002), 3),
        (Wanted(1002, 1004), 3),
        (Wanted(theme="MATEIN1"), 10),
        (Wanted(theme="mate"), 0),
        (Wanted(3000), 0),
    ],
)
def test_puzzles_are_chosen_by_rating_and_theme(wanted: Wanted, count: int) -> None:
    found = read(*map(made_up, range(10)), f"x,{MATE},c6d4 a1a8", f"{FORK} bm Nc7+;", wanted=wanted)
    assert sum(isinstance(one, Puzzle) for one in found) == count


def test_a_million_lines_are_read_no_further_than_to_the_next_puzzle() -> None:
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for number in range(1_000_000):
            count += 1
            yield made_up(number)

    room, _ = drilled("puzzles", 1)
    course = Puzzles(Deck(), lambda: puzzles_in(lines(), Wanted()))
    drill = Drill(course, Deck(), Random(1), Announcer(FIRST_NUMBER), BEGAN)
    room.machine = drill
    room.begin()
    for answered in range(1, 2 * FEW):
        assert count <= answered + 1
        room.hear("turm anna acht")
        assert drill.score == (answered, answered)


def test_what_was_not_known_comes_back_and_what_was_solved_does_not() -> None:
    deck = Deck()
    lines = [made_up(number) for number in range(40)]
    questions = TaskSequence(Puzzles(deck, lambda: puzzles_in(lines, Wanted())), deck, Random(3))
    first = questions.after(None, BEGAN)
    deck.rate(first.skills, Grade.AGAIN, BEGAN)
    task, asked = first, []
    for minute in range(1, 12):
        now = BEGAN + timedelta(minutes=10 * minute)
        task = questions.after(task, now)
        asked.append(task.ident)
        deck.rate(task.skills, Grade.GOOD, now)
    assert 1 <= asked.count(first.ident) <= 5
    others = [ident for ident in asked if ident != first.ident]
    assert len(set(others)) == len(others)
    assert deck.known("puzzle") == first.skills
    # In the next session, even without the file; what was answered before is not asked again.
    later = Deck(deck.as_json())
    assert TaskSequence(Puzzles(later), later, Random(1)).after(None, BEGAN + timedelta(days=30)).ident == first.ident
    seen = [skill_of(puzzle) for puzzle in read(*lines[:5]) if isinstance(puzzle, Puzzle)]
    fresh = Puzzles(Deck(), lambda: puzzles_in(lines, Wanted()), [*seen, "mate.1"])
    assert fresh.skills() == tuple(skill_of(puzzle) for puzzle in read(lines[5]) if isinstance(puzzle, Puzzle))


def test_few_puzzles_are_read_once_and_come_again() -> None:
    read_files = 0

    def find() -> Iterator[Puzzle | Broken]:
        nonlocal read_files
        read_files += 1
        return puzzles_in(OWN_PUZZLES, Wanted())

    deck = Deck()
    questions = TaskSequence(Puzzles(deck, find), deck, Random(1))
    task, asked = None, []
    for _ in range(6):
        task = questions.after(task, BEGAN)
        asked.append(task.ident)
    assert asked[:2] * 3 == asked
    assert read_files == 1
    assert isinstance(task, OwnPuzzle)


def test_what_refutes_a_wrong_move_is_asked_of_the_engine_and_not_waited_for() -> None:
    room, drill = drilled("puzzles", 1)
    room.hear("turm anna sieben")
    assert not drill.busy  # what does not mate needs no engine
    room.hear("turm anna acht")
    room.hear("dame felix sieben")
    (examine,) = [effect for effect in room.effects if isinstance(effect, Examine)]
    assert examine.boards[0].piece_at(chess.F7) == chess.Piece(chess.QUEEN, chess.WHITE)
    assert drill.busy
    room.hear("stopp")
    room.hear("")
    assert drill.busy
    room.hear("springer felix sieben")
    assert StopExamining() in room.effects
    assert room.keys[0] == "practice.puzzles.answered"
    assert room.event(Examined(at_ms=room.now, index=0, centipawns=0, best="a8f8")) == []  # late


def test_a_word_while_the_engine_looks_does_not_save_the_last_try() -> None:
    room, drill = drilled("puzzles", 1, lines=[f"{FORK} bm Nc7+;"])
    room.hear("springer eva sieben")
    room.event(Examined(at_ms=room.now, index=0, centipawns=None, best="garbage"))
    assert room.keys == ["practice.try_again"]
    room.hear("springer eva sieben")
    room.hear("springer cesar sieben")
    assert room.keys[0] == "practice.puzzles.solution"
    assert drill.score == (1, 0)


def test_a_mate_in_two_is_played_to_its_end() -> None:
    room, drill = drilled("puzzles", 1, lines=["k7/8/2K5/8/8/8/8/7R w - - dm 2;"])
    room.hear("turm hector sieben")
    assert room.keys == ["practice.wrong"]
    room.event(Examined(at_ms=room.now, index=0, centipawns=-900, best="a8b8"))
    assert room.keys[0] == "practice.good_too"
    while drill.score == (0, 0):
        solution = open_task(drill)
        assert isinstance(solution, OwnPuzzle)
        room.hear(room.wording.say(solution.hints()[2][0]).lower().replace(".", "").replace(",", ""))
    assert room.keys[0] == "practice.right"


def test_the_report_counts_puzzles_of_ones_own_together() -> None:
    skills = [skill_of(puzzle) for puzzle in read(*map(made_up, range(4))) if isinstance(puzzle, Puzzle)]
    answers = [Answered(BEGAN, "puzzles", 1, (skill,), right=index > 0) for index, skill in enumerate(skills)]
    (count,) = by_skill(answers)
    assert (count.skill, count.asked, count.right) == ("puzzle", 4, 3)
