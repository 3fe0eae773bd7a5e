"""Lessons: what is asked has the answer that is held to be right, over many positions; and one leads to the next."""

from __future__ import annotations

from random import Random

import chess
import pytest

from tests.drivers.exercising import drilled, open_task
from tests.practice.oracle import Player, done, judged
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.meaning import Answer, AnswerKind, SpokenMove
from voicechess.practice.exercises.lesson_questions import BoardTask, JudgeTask, PlayTask
from voicechess.practice.exercises.lessons import LESSONS, Lessons, LessonTask
from voicechess.practice.exercises.paths import PathTask
from voicechess.practice.task import AnswerVerdict, Task, level_told

SEEDS = 40
EVERY_QUESTION = [(lesson, step) for lesson, makers in LESSONS.items() for step in range(len(makers))]
every_question = pytest.mark.parametrize(("lesson", "step"), EVERY_QUESTION)


def questions(lesson: str, step: int) -> list[Task]:
    make = LESSONS[lesson][step]
    return [make(Random(f"{lesson}{step}{seed}")) for seed in range(SEEDS if lesson != "mate" else SEEDS // 2)]


def by_name(task: BoardTask, kind: chess.PieceType, square: chess.Square) -> SpokenMove:
    return SpokenMove(piece=kind, to_file=chess.square_file(square), to_rank=chess.square_rank(square))


@every_question
def test_the_answer_is_the_one_found_another_way(lesson: str, step: int) -> None:
    for task in questions(lesson, step):
        match task:
            case JudgeTask():
                assert task.answer is judged(task), task
                said = {kind: task.assess(Answer(kind), "").verdict for kind in (AnswerKind.YES, AnswerKind.NO)}
                right = AnswerKind.YES if judged(task) else AnswerKind.NO
                assert said.pop(right) is AnswerVerdict.RIGHT
                assert set(said.values()) == {AnswerVerdict.WRONG}
            case PlayTask():
                assert set(task.solutions) == set(done(task)) != set(), task
            case PathTask():
                assert task.fewest == 2


@every_question
def test_boards_are_as_the_rules_have_them(lesson: str, step: int) -> None:
    for task in questions(lesson, step):
        if not isinstance(task, BoardTask):
            continue
        board = chess.Board(task.fen)
        for uci in task.made:
            assert chess.Move.from_uci(uci) in board.legal_moves
            board.push_uci(uci)
        assert not board.pawns & chess.BB_BACKRANKS
        if all(board.king(colour) is not None for colour in chess.COLORS):
            assert board.is_valid(), board.fen()
        else:
            assert not board.was_into_check()
        assert chess.Board(task.mirrored().fen) == chess.Board(task.fen).mirror()


@every_question
def test_yes_and_no_are_both_asked_for(lesson: str, step: int) -> None:
    asked = {task.answer for task in questions(lesson, step) if isinstance(task, JudgeTask)}
    assert asked in (set(), {True, False})


@every_question
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_words(lesson: str, step: int, language: str) -> None:
    wording = Wording(language, strict=True)
    for task in questions(lesson, step):
        for phrase in (*task.ask(), *task.solution(), task.expects()):
            assert wording.say(phrase)


@every_question
def test_what_is_wrong_is_answered_by_the_reason(lesson: str, step: int) -> None:
    """Every square of the board, announced for every piece that there is: right, wrong with a reason, or no answer."""
    for task in questions(lesson, step)[:5]:
        if not isinstance(task, PlayTask):
            continue
        board = task.reached()
        lawful = {(board.piece_type_at(move.from_square), move.to_square) for move in board.legal_moves}
        right = {(board.piece_type_at(move.from_square), move.to_square) for move in task.solutions}
        for kind in {piece.piece_type for piece in board.piece_map().values() if piece.color == board.turn}:
            for square in chess.SQUARES:
                found = task.assess(by_name(task, kind, square), "")
                if found.verdict is AnswerVerdict.RIGHT:
                    assert (kind, square) in right or task.kind == "castle", (task, found)
                else:
                    assert found.say, (task, kind, square)
                if (kind, square) not in lawful and task.kind != "castle":
                    assert found.verdict is AnswerVerdict.WRONG, (task, kind, square, found)


def test_an_illegal_king_move_is_a_mistake_and_told_why() -> None:
    task = PlayTask("go", "8/8/8/8/4K3/8/3r4/8 w - - 0 1")
    found = task.assess(by_name(task, chess.KING, chess.D3), "")
    assert found.verdict is AnswerVerdict.WRONG
    assert [phrase.key for phrase in found.say] == ["refuse.into_check"]


def test_a_piece_that_is_not_there_is_no_mistake() -> None:
    task = PlayTask("go", "8/8/8/8/4R3/8/8/8 w - - 0 1")
    found = task.assess(by_name(task, chess.QUEEN, chess.E8), "")
    assert found.verdict is AnswerVerdict.MISFIT
    assert [phrase.key for phrase in found.say] == ["refuse.no_such_piece"]


def test_a_square_alone_is_where_the_piece_goes_that_is_asked_about() -> None:
    task = PlayTask("go", "8/8/8/8/4R3/8/8/8 w - - 0 1")
    for square, verdict in ((chess.E8, AnswerVerdict.RIGHT), (chess.F5, AnswerVerdict.WRONG)):
        bare = SpokenMove(to_file=chess.square_file(square), to_rank=chess.square_rank(square))
        assert task.assess(bare, "").verdict is verdict


@pytest.mark.parametrize(("level", "lesson"), list(enumerate(LESSONS, 1))[:-1])
def test_a_lesson_has_five_questions_and_leads_to_the_next(level: int, lesson: str) -> None:
    room, drill = drilled("lessons", level)
    player = Player("de")
    for step in range(5):
        task = open_task(drill)
        assert isinstance(task, LessonTask)
        assert (task.lesson, task.step) == (lesson, step)
        room.hear("weiß nicht")
    assert [kept.level for kept in room.answers] == [level] * 4  # the last one can still be corrected
    following = level + 1
    assert drill.course == Lessons(following)
    assert f"practice.lessons.level_{following}" in room.keys
    assert room.bookmark is not None
    assert room.bookmark.level == following
    for words in player.right(open_task(drill)):
        room.hear(words)
    room.hear("ende")
    assert [kept.level for kept in room.answers] == [level] * 5 + [following]


def test_what_was_taught_is_said_again() -> None:
    """With the first question, and as a hint at any."""
    room, drill = drilled("lessons", 2)
    taught = level_told(Lessons(2))
    asked = [phrase.key for phrase in open_task(drill).ask()]
    room.hear("wiederholen")
    assert room.keys == [taught.key, *asked]
    room.hear("weiß nicht")
    room.hear("wiederholen")
    assert room.keys == [phrase.key for phrase in open_task(drill).ask()]
    room.hear("tipp")
    assert room.keys == [taught.key]


def test_it_goes_on_in_the_lesson_where_it_was_stopped() -> None:
    room, drill = drilled("lessons", 3)
    for _ in range(7):
        room.hear("weiß nicht")
    task, mark = open_task(drill), room.bookmark
    assert mark is not None
    assert (mark.level, mark.depth) == (4, 2)
    _, again = drilled("lessons", 4, seed=9, bookmark=mark)
    assert open_task(again) == task
