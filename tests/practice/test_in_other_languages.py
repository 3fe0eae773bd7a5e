"""Every German dialogue of an exercise, said in the other languages: it goes the same way, with sentences of theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.exercising import Room
from tests.drivers.translating import translated
from tests.practice.test_dialogues import FILES, RESUMED, begun, from_outside, resumed
from voicechess.language.folders import LANGUAGES

GERMAN = "de"
OTHERS = [code for code in LANGUAGES if code != GERMAN]


def said_to_both(german: Room, other: Room, line: str) -> None:
    """A line of the dialogue to the German room, and in the other's language to that."""
    mark, _, words = line.partition(" ")
    typed = mark == ">>"
    lines = [words] if typed else [one.strip() for one in words.split("|")]
    theirs = [translated(one, german.lexicon, other.lexicon, german.expectation, typed)[0] for one in lines]
    for room, said in ((german, lines), (other, theirs)):
        if typed:
            room.type(*said)
        else:
            room.hear(*said, gap=0.4)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    "path", [path for path in FILES if path.read_text("utf-8").startswith(f"{GERMAN} ")], ids=lambda path: path.stem
)
def test_the_same_happens_in_another_language(path: Path, code: str) -> None:
    heading, *lines = path.read_text("utf-8").splitlines()
    _, key, level, seed = heading.split()
    file = [line[2:] for line in lines if line.startswith("= ")]
    german, other = (begun(language, key, int(level), int(seed), file)[0] for language in (GERMAN, code))
    for line in ("", *lines):
        if line == RESUMED:
            german, other = (
                resumed(room, language, key, int(level), file)[0]
                for room, language in ((german, GERMAN), (other, code))
            )
        elif line.startswith("! "):
            for room in (german, other):
                room.event(from_outside(room, line, file))
        elif line.startswith((">> ", "> ")):
            said_to_both(german, other, line)
        assert other.keys == german.keys, line
        assert other.expectation == german.expectation
