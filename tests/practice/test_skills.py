"""Every skill that an exercise schedules has a name of its own, in both languages."""

from __future__ import annotations

import pytest

from tests.drivers.exercising import AT_EVERY_LEVEL, course
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.messages import Phrase
from voicechess.practice.schedule import skill_phrase


@pytest.mark.parametrize(("key", "level"), AT_EVERY_LEVEL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_learnt_has_a_name(key: str, level: int, language: str) -> None:
    wording = Wording(language, strict=True)
    names = [wording.say(skill_phrase(skill)) for skill in course(key, level).skills()]
    assert len(set(names)) == len(names)
    assert wording.say(Phrase(f"practice.exercise.{key}"))
