"""The exercises touch nothing: no clock, thread, disk or engine; randomness and times are handed in."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import voicechess.practice
from tests.practice.exercising import EXERCISES, course
from voicechess.language.wording import Wording
from voicechess.messages import Phrase
from voicechess.practice.skills import skill_phrase

FOLDER = Path(voicechess.practice.__file__).parent
RIM = {"store", "performing", "examiner", "room"}
"""The modules that touch the world."""

PURE = sorted(path for path in FOLDER.glob("*.py") if path.stem not in RIM)
LIBRARY = {
    *("__future__", "abc", "collections", "dataclasses", "datetime", "enum", "functools", "html", "json", "logging"),
    *("math", "random", "statistics", "typing", "zlib", "chess"),
}
DATA = {"follow": {"tomllib", "importlib"}, "deck": {"fsrs"}}
"""What single modules may use as well: the games' file, and the schedule."""


def test_the_collector_found_the_modules() -> None:
    assert len(PURE) > 15
    assert {path.stem for path in FOLDER.glob("*.py")} >= RIM


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.stem)
def test_pure(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Attribute):
            assert node.attr not in ("now", "today", "utcnow"), f"{path.stem}: times are handed in"
        for name in names:
            first, *rest = name.split(".")
            if first == "voicechess":
                assert rest[0] in ("game", "language", "practice"), name
                assert rest[0] != "practice" or rest[1] not in RIM, name
            else:
                assert first in LIBRARY | DATA.get(path.stem, set()), name
                assert first != "random" or rest == ["Random"], "randomness is handed in"


@pytest.mark.parametrize(("key", "level"), EXERCISES)
@pytest.mark.parametrize("language", ["de", "en"])
def test_everything_learnt_has_a_name(key: str, level: int, language: str) -> None:
    wording = Wording(language, strict=True)
    names = [wording.say(skill_phrase(skill)) for skill in course(key, level).skills()]
    assert len(set(names)) == len(names)
    assert wording.say(Phrase(f"practice.exercise.{key}"))
