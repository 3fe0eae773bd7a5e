"""German words become sounds of a diphone voice, of which every passage was recorded, and come back labelled."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from models.bench import diphones
from models.bench.diphones import PEOPLE, SILENCE, plan
from models.languages import CODES, table
from models.languages.voices import voices

SPRINGER = ("S", "p", "r", "'I", "N", "3")
EVA = ("'e:", "v", "a")


class Everything:
    """As if every passage had been recorded."""

    def __contains__(self, passage: object) -> bool:
        return True

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(())

    def __len__(self) -> int:
        return 0


class Without(Everything):
    """Every passage but these."""

    def __init__(self, *passages: str) -> None:
        self.passages = passages

    def __contains__(self, passage: object) -> bool:
        return passage not in self.passages


@pytest.mark.parametrize("code", CODES)
def test_every_sound_of_a_language_can_be_said_by_everyone(code: str) -> None:
    sounds = table(code, "sounds")["sounds"]
    for person in PEOPLE.values():
        assert {*sounds["vowels"], *sounds["consonants"]} <= voices(code).tongues[person.tongue].keys()


def test_the_nearest_sounds_are_taken_with_the_german_ones_as_labels() -> None:
    said = plan([SPRINGER, EVA], "hy_fi_mv_diphone", Everything(), random.Random(1))
    assert said is not None
    assert [piece.sound for piece in said.pieces] == ["#", *["S", "p", "r", "i", "N", "e", "r", "e:", "v", "a"], "#"]
    assert [(one.phone, one.word) for one in said.said] == [
        *((sound.lstrip("'"), 0) for sound in SPRINGER), *((sound.lstrip("'"), 1) for sound in EVA),
    ]  # fmt: skip
    assert said.said[0].begin == 0 and all(a.end == pytest.approx(b.begin) for a, b in pairwise(said.said))
    whole = sum(piece.seconds for piece in said.pieces[1:-1])
    assert said.said[-1].end == pytest.approx(whole)


def test_a_passage_that_was_never_recorded_is_gone_around() -> None:
    said = plan([EVA], "hy_fi_mv_diphone", Without("#-e:"), random.Random(1))
    assert said is not None and [piece.sound for piece in said.pieces] == ["#", "e", "v", "a", "#"]
    between = plan([EVA, SPRINGER], "hy_fi_mv_diphone", Without("a-S", "a-s"), random.Random(1))
    assert between is not None and [piece.sound for piece in between.pieces][3:6] == ["a", "#", "S"]
    assert plan([EVA], "hy_fi_mv_diphone", Without("v-a", "f-a"), random.Random(1)) is None


def test_haste_and_pauses() -> None:
    usual, fast = (plan([SPRINGER], "lp_diphone", Everything(), random.Random(1), pace=pace) for pace in (1.0, 2.0))
    assert usual and fast and fast.said[-1].end == pytest.approx(usual.said[-1].end / 2)
    paused = plan([EVA, EVA], "lp_diphone", Everything(), random.Random(1), pauses=1.0)
    assert paused and [piece.sound for piece in paused.pieces].count(SILENCE) == 3
    assert paused.said[3].begin > paused.said[2].end


def test_chance_is_drawn_from_what_was_given_and_from_nothing_else() -> None:
    first, again, other = (
        plan([SPRINGER, EVA], "czech_ph", Everything(), random.Random(seed), spread=0.2, freedom=2.0, pauses=0.3)
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_other_names_of_sounds() -> None:
    said = plan([("!", "pF", "UR", ":")], "kal_diphone", Everything(), random.Random(1))
    assert said is not None and [one.phone for one in said.said] == ["p", "f", "U", "r"]
    assert diphones.PEOPLE["kal_diphone"].pause == said.pieces[0].sound == "pau"
