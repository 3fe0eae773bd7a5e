"""Every skill that an exercise schedules has a name of its own, in both languages."""

from __future__ import annotations

import pytest

from tests.drivers.exercising import EXERCISES, course
from voicechess.language.wording import Wording
from voicechess.messages import Phrase
from voicechess.practice.schedule import skill_phrase


@pytest.mark.parametrize(("key", "level"), EXERCISES)
@pytest.mark.parametrize("language", ["de", "en"])
def test_everything_learnt_has_a_name(key: str, level: int, language: str) -> None:
    wording = Wording(language, strict=True)
    names = [wording.say(skill_phrase(skill)) for skill in course(key, level).skills()]
    assert len(set(names)) == len(names)
    assert wording.say(Phrase(f"practice.exercise.{key}"))
