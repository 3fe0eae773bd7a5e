"""Every exercise at every level: right, wrong, nearly misheard, helped, stopped and resumed."""

from __future__ import annotations

from random import Random

import pytest

from tests.drivers.exercising import AT_EVERY_LEVEL, Room, course, drilled, open_task
from tests.practice.oracle import Player
from voicechess.game.effects import Hush, Listen, Say
from voicechess.language.folders import LANGUAGES
from voicechess.messages import Priority
from voicechess.practice.drill import Drill

LONGEST = 12
"""No answer takes more utterances."""

every_exercise = pytest.mark.parametrize(("key", "level"), AT_EVERY_LEVEL)


def answer(room: Room, drill: Drill, player: Player) -> list[str]:
    """Say the right answer of the open task, all of it; the keys of the last sentences."""
    asked, keys = drill.score[0], []
    for _ in range(LONGEST):
        if drill.score[0] != asked:
            break
        room.hear(player.right(open_task(drill))[0])
        keys += room.keys
    assert drill.score[0] == asked + 1, (open_task(drill), room.expectation)
    return keys


@every_exercise
@pytest.mark.parametrize("language", LANGUAGES)
def test_right_answers_are_right(key: str, level: int, language: str) -> None:
    room, drill = drilled(key, level, language=language)
    player = Player(language)
    for count in range(1, 5):
        assert "practice.right" in answer(room, drill, player)
        assert drill.score == (count, count)
    room.hear("ende" if language == "de" else "end")
    assert room.keys[0] == "practice.summary"
    assert room.keys[1:] in ([], ["practice.summary_time"])
    assert drill.over
    assert [kept.right for kept in room.answers] == [True] * 4
    assert all(kept.tries == 1 and not kept.hints and kept.skills for kept in room.answers)


@every_exercise
def test_wrong_answers_are_wrong_and_the_solution_is_told(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    player = Player("de")
    for _ in range(3):
        task = open_task(drill)
        for attempt in range(task.tries):
            wrong = player.wrong(open_task(drill))
            room.hear(wrong)
            assert room.keys[0] == "practice.wrong"
            assert ("practice.try_again" in room.keys) == (attempt + 1 < task.tries)
        solution = [phrase.key for phrase in task.solution()]
        assert set(solution) <= set(room.keys)
    assert drill.score == (3, 0)
    room.hear("ende")
    assert [kept.right for kept in room.answers] == [False] * 3


@every_exercise
def test_a_wrong_then_a_right_answer_is_solved_but_not_known(key: str, level: int) -> None:
    """Except where there are only two answers: these have one try."""
    player = Player("de")
    begun = (drilled(key, level, seed) for seed in range(20))
    found = next(((room, drill) for room, drill in begun if open_task(drill).tries > 1), None)
    if found is None:
        made = course(key, level)
        assert {made.task(skill, Random(1)).tries for skill in made.skills()} == {1}
        return
    room, drill = found
    room.hear(player.wrong(open_task(drill)))
    assert "practice.right" in answer(room, drill, player)
    room.hear("ende")
    assert [(kept.right, kept.tries) for kept in room.answers] == [(False, 2)]


@every_exercise
def test_a_near_miss_is_asked_for_again_and_counts_for_nothing(key: str, level: int) -> None:
    """Two close readings, one of them right: neither is counted, whichever is the likelier."""
    player = Player("de")
    for order in (1, -1):
        room, drill = drilled(key, level)
        task = open_task(drill)
        heard = [player.right(task)[0], player.wrong(task)][::order]
        room.hear(*heard, gap=0.4)
        assert room.keys == ["practice.once_more"]
        room.hear(*heard, gap=0.4)
        assert room.keys == ["practice.did_you_say"]
        room.hear("nein")
        assert room.keys == ["practice.then_again"]
        assert drill.score == (0, 0)
        assert open_task(drill).ident == task.ident
        room.hear(*heard, gap=0.4)
        room.hear(*heard, gap=0.4)
        room.hear("ja")
        assert room.keys[0] == ("practice.wrong" if order == -1 else room.keys[0])
        if order == 1:
            assert "practice.wrong" not in room.keys


@every_exercise
def test_a_clearly_dearer_reading_does_not_matter(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    player = Player("de")
    task = open_task(drill)
    room.hear(player.right(task)[0], player.wrong(task), gap=5.0)
    assert "practice.once_more" not in room.keys
    assert "practice.wrong" not in room.keys


def test_an_answer_that_may_have_been_nothing_is_asked_about() -> None:
    """ "dunkel" was told to be no answer where a sound that is no word was a little likelier (issue 49)."""
    room, drill = drilled("squares", 1)
    right = Player("de").right(open_task(drill))[0]
    room.hear("[unk]", right, gap=0.3)
    assert room.keys == ["practice.once_more"]
    room.hear("[unk]", right, gap=0.3)
    assert room.keys == ["practice.did_you_say"]
    room.hear("ja")
    assert room.keys[0] == "practice.right"


@every_exercise
def test_what_is_no_answer_is_no_mistake(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    task = open_task(drill)
    for noise in ("[unk]", "kaffee essen", "remis anbieten", "keine uhr"):
        room.hear(noise)
        assert room.keys[0] in ("practice.heard_otherwise", "practice.nothing_heard"), noise
    assert drill.score == (0, 0)
    assert open_task(drill) is task


@every_exercise
def test_stop_hushes_and_keeps_the_question(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    task = open_task(drill)
    assert room.hear("stopp") == ["Gestoppt."]
    assert room.effects[0] == Hush()
    assert isinstance(room.effects[1], Say) and room.effects[1].utterance.priority is Priority.NOW
    assert open_task(drill) is task
    said = room.hear("wiederholen")
    assert said[-1] == room.wording.say(task.ask()[-1])


@every_exercise
def test_correction_takes_a_misheard_answer_back(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    player = Player("de")
    closes = open_task(drill).tries == 1
    room.hear(player.wrong(open_task(drill)))
    assert drill.score == ((1, 0) if closes else (0, 0))
    room.hear("korrektur")
    assert room.keys[0] == "practice.corrected"
    assert drill.score == (0, 0)
    answer(room, drill, player)
    room.hear("korrektur")
    assert room.keys == ["practice.nothing_to_correct"]
    room.hear("ende")
    assert [kept.right for kept in room.answers] == [True]


@every_exercise
def test_hint_then_solution(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    has_hint = bool(open_task(drill).hint())
    room.hear("tipp")
    assert drill.score[0] == (0 if has_hint else 1)
    if has_hint:
        room.hear("tipp")
    assert drill.score == (1, 0)
    room.hear("weiß nicht")
    assert drill.score == (2, 0)
    room.hear("überspringen")
    assert drill.score == (2, 0)


@every_exercise
def test_help_and_pause(key: str, level: int) -> None:
    room, drill = drilled(key, level)
    task = open_task(drill)
    room.hear("hilfe")
    assert room.keys == [f"practice.{key}.explain", task.expects().key, "help.more"]
    room.hear("hilfe")
    assert room.keys == ["practice.help"]
    room.hear("hilfe")
    assert room.keys == ["practice.help_also"]
    room.hear("pause")
    room.hear(Player("de").right(task)[0])
    assert room.keys == ["practice.paused"]
    room.hear("weiter")
    assert room.keys[-1] == task.ask()[-1].key
    assert drill.score == (0, 0)


@every_exercise
@pytest.mark.parametrize("answered", [0, 2])
def test_it_goes_on_where_it_was_stopped(key: str, level: int, answered: int) -> None:
    """Ended at any point, the same question comes again, with the counts as they were."""
    room, drill = drilled(key, level)
    player = Player("de")
    for _ in range(answered):
        answer(room, drill, player)
    task, score = open_task(drill), drill.score
    bookmark = room.bookmark
    room.hear("ende")
    again, drill_again = drilled(key, level, seed=99, bookmark=bookmark)
    assert again.keys[0] == "practice.going_on"
    assert open_task(drill_again).ident == task.ident
    assert drill_again.score == score
    assert "practice.right" in answer(again, drill_again, player)


def test_a_bookmark_of_another_level_is_not_taken() -> None:
    room, _ = drilled("squares", 1)
    _, drill = drilled("squares", 4, bookmark=room.bookmark)
    assert open_task(drill).ident.startswith("knight")


def test_typed_letters_are_no_announcement() -> None:
    room, drill = drilled("notation", 1)
    task = open_task(drill)
    letters = room.wording.say(task.ask()[0])[-2:]
    room.type(letters)
    assert room.keys == ["practice.notation.in_words"]
    room.type(Player("de").right(task)[0])
    assert room.keys[0] == "practice.right"


def test_answer_times_count_from_the_end_of_the_question() -> None:
    room, drill = drilled("squares", 1)
    room.hear(Player("de").right(open_task(drill))[0], after_ms=1234)
    said = room.hear("ende")
    assert [kept.answer_ms for kept in room.answers] == [1234]
    assert said[-1] == "Bis zur Antwort meist eine Sekunde."


def test_a_command_that_may_have_been_an_answer_is_not_obeyed() -> None:
    room, drill = drilled("squares", 1)
    for command in ("ende", "tipp", "überspringen", "weiß nicht"):
        room.hear(command, "hell", gap=0.4)
        assert room.keys == ["practice.once_more"]
    assert not drill.over
    assert drill.score == (0, 0)


def test_what_may_have_been_anything_is_not_judged() -> None:
    """Talk in the room: many hypotheses, none of which has much of a share."""
    room, drill = drilled("squares", 2)
    right = Player("de").right(open_task(drill))[0]
    room.hear(right, "[unk] kaffee", "heute morgen", "[unk] auto", "noch arbeit", "immer wieder", gap=0.05)
    assert room.keys[0] in ("practice.heard_otherwise", "practice.once_more")
    assert drill.score == (0, 0)


def test_the_expectation_is_one_of_exercises() -> None:
    room, _ = drilled("squares", 1)
    assert any(isinstance(effect, Listen) for effect in room.effects)
