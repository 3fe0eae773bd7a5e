"""Which readings are too close to be told apart: decided at one place, for the game and for practice."""

from __future__ import annotations

import pytest

from voicechess.language.thresholds import contenders, load_thresholds
from voicechess.meaning import Command, Meaning, Reading, SpokenMove, Unclear, UnclearReason

THRESHOLDS = load_thresholds()

TIME, REPEAT = Command("time"), Command("repeat")
THREE, RANK_THREE = Command("number", (("number", 3),)), SpokenMove(to_rank=2)
WHOLE = SpokenMove(to_file=4, to_rank=3)
NOISE = Unclear(UnclearReason.NO_SENSE)
MARGIN = THRESHOLDS.margin


def readings(*heard: tuple[Meaning, float, str]) -> list[Reading]:
    return [Reading(meaning, cost, words) for meaning, cost, words in heard]


def test_what_costs_less_than_the_margin_more_is_close() -> None:
    near, far = MARGIN + 0.1, MARGIN + 0.2
    found = contenders(
        readings((TIME, 0.2, "a"), (REPEAT, near, "b"), (THREE, 0.2 + MARGIN, "c"), (NOISE, far + 1, "d"))
    )
    assert [one.meaning for one in found.readings] == [TIME, REPEAT]
    assert (found.cost, found.likeliest) == (0.2, TIME)


@pytest.mark.parametrize(("meaning", "counts"), [(RANK_THREE, True), (WHOLE, False), (TIME, False)])
def test_a_part_of_a_move_has_a_margin_of_its_own(meaning: Meaning, counts: bool) -> None:
    heard = readings((REPEAT, 0.0, "a"), (meaning, MARGIN + 1, "b"))
    assert (len(contenders(heard, MARGIN, half=MARGIN + 2).readings) == 2) is counts
    assert len(contenders(heard).readings) == 1


def test_nothing_heard_has_no_meaning() -> None:
    found = contenders([])
    assert (found.readings, found.cost, found.likeliest, found.only, found.meanings) == ((), 0.0, None, None, ())


def test_the_only_meaning_has_not_even_noise_beside_it() -> None:
    assert contenders(readings((TIME, 0.0, "time"), (TIME, 0.1, "the time"), (REPEAT, MARGIN, "repeat"))).only == TIME
    assert contenders(readings((TIME, 0.0, "time"), (NOISE, 0.1, "thyme"))).only is None
    assert contenders(readings((TIME, 0.0, "time"), (REPEAT, 0.1, "repeat"))).only is None


def test_what_makes_no_sense_disagrees_with_nothing() -> None:
    assert contenders(readings((TIME, 0.0, "time"), (NOISE, 0.1, "thyme"))).agreed
    assert not contenders(readings((TIME, 0.0, "time"), (REPEAT, 0.1, "time"))).agreed


def test_the_same_words_may_mean_several_things_and_other_words_beside_them_none() -> None:
    three = ((THREE, 0.0, "three"), (RANK_THREE, 0.1, "three"))
    assert contenders(readings(*three)).meanings == (THREE, RANK_THREE)
    assert contenders(readings(*three, (NOISE, 0.2, "tree"))).meanings == (THREE, RANK_THREE)
    assert contenders(readings(*three, (TIME, 0.2, "time"))).meanings == ()
