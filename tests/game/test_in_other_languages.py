"""Every German dialogue, said in the other languages: what happens is the same, and each sentence is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.display.test_simul import FILES as DISPLAYS
from tests.drivers.dialogues import FOLDER, Play, read
from tests.drivers.displays import DisplayPlay
from tests.drivers.translating import SaidInAnother
from voicechess.language.folders import LANGUAGES
from voicechess.messages import Phrase, Text, Utterance

GERMAN = "de"
OTHERS = [code for code in LANGUAGES if code != GERMAN]
FILES = [path for path in (*sorted(FOLDER.glob("*.txt")), *DISPLAYS) if "lang" not in read(path).settings]
SAME = ("! ", "? ", "phase: ", "position: ", "clock: ")
WRITTEN_IN_WORDS = ("! ShowText", "! ShowLetter", "! SendChat")


class DisplayInAnother(SaidInAnother, DisplayPlay):
    """The same of a simultaneous display."""


def done(lines: list[str]) -> list[str]:
    """What was done and what stands at the end, without what is written in words."""
    return [line for line in lines if line.startswith(SAME) and not line.startswith(WRITTEN_IN_WORDS)]


def messages(play: Play, by: Play) -> Iterator[str]:
    """What was said, in the language of `by`; only the key of what repeats the words that were heard."""
    for message in play.said:
        yield message.key if has_text(message) else by.wording.say(message)


def has_text(message: Utterance | Phrase) -> bool:
    """Whether words stand in it that somebody said or wrote."""
    slots = message.slots.values()
    return any(isinstance(slot, Text) or (isinstance(slot, Phrase) and has_text(slot)) for slot in slots)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_happens_in_another_language(path: Path, code: str) -> None:
    dialogue = read(path)
    in_another = replace(dialogue, settings={**dialogue.settings, "lang": code})
    german: Play = DisplayPlay(dialogue) if path in DISPLAYS else Play(dialogue)
    other: Play = DisplayInAnother(in_another) if path in DISPLAYS else SaidInAnother(in_another)
    assert done(other.run()) == done(german.run())
    assert list(messages(other, german)) == list(messages(german, german))
