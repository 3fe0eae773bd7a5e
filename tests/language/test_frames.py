"""Words in any order, among words that carry no meaning: what a frame takes, and what it leaves alone."""

from __future__ import annotations

import pytest

from voicechess.language.frames import Frames, WordFrame, read_frames
from voicechess.language.lexicon import load
from voicechess.language.patterns import PatternError
from voicechess.language.tokens import slot_reader
from voicechess.language.understanding import understand
from voicechess.meaning import Command, Expectation, Unclear

FRAMES = {
    "rules": {"back": "(zurück|retour)"},
    "around": {"silent": ["bitte", "den", "auf"], "carrying": ["auf"]},
    "forms": {"'s": "es", "hätt": "hätte"},
    "commands": {"take_back": ["zug; <back>; [letzten]"], "forward": ["zug; vor"], "square": ["{square}; (was|frei)"]},
}


def entry(said: str, frames: Frames) -> tuple[str, dict[str, object]] | None:
    words = said.split()
    found = frames.fitting(words, "commands", None, slot_reader(words, load("de")))
    return None if found is None else (found[0], dict(found[1]))


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("zug zurück", "take_back"),
        ("bitte den letzten zug retour", "take_back"),
        ("retour den zug bitte", "take_back"),
        ("letzten zug letzten zurück", "take_back"),
        ("frei eva vier", "square"),
        ("zug", None),
        ("zug zug zurück", None),
        ("zug zurück heim", None),
        ("auf zug zurück", None),
        ("zug vor zurück", None),
        ("", None),
    ],
)
def test_what_is_needed_is_said_once_and_everything_else_is_silent(said: str, key: str | None) -> None:
    found = entry(said, read_frames(FRAMES))
    assert (found and found[0]) == key


def test_slots_are_filled_wherever_they_stand() -> None:
    assert entry("bitte was eva vier", read_frames(FRAMES)) == ("square", {"square": 28})


def test_two_entries_alike_are_no_meaning_and_the_one_that_needs_more_is() -> None:
    alike = {
        "commands": {
            "pause": ["uhr; [an]"],
            "time": ["uhr; [aus]"],
            "resume": ["uhr; weiter"],
            "end": ["weiter; [uhr]"],
        }
    }
    frames = read_frames(alike)
    assert entry("uhr", frames) is None
    assert entry("uhr an", frames) == ("pause", {})
    assert entry("weiter uhr", frames) == ("resume", {})


def test_shortened_words_are_read_in_full() -> None:
    frames = read_frames(FRAMES)
    assert frames.in_full(["hätt's", "ich's", "o'hara", "gern"]) == ("hätte", "es", "ich", "es", "o'hara", "gern")


@pytest.mark.parametrize("text", ["[a]", "a; [b", "", "a;", "<none>"])
def test_a_frame_that_needs_nothing_or_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        WordFrame(text)


def test_only_what_is_typed_is_read_in_any_order() -> None:
    lexicon, said = load("de"), "die Dame ist wo"
    assert understand(said, lexicon, Expectation(), typed=True) == Command("where", (("piece", 5),))
    assert isinstance(understand(said.lower(), lexicon, Expectation()), Unclear)


@pytest.mark.parametrize("said", ["die dame ist nicht wo", "zurück nicht den zug", "wo ist die dame heute"])
def test_a_denial_or_a_word_that_carries_another_meaning_is_no_command(said: str) -> None:
    assert not isinstance(understand(said, load("de"), Expectation(), typed=True), Command)


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("ich verstehe dich kaum, sprich lauter", "louder"),
        ("das war ein Versehen, nimm den Zug zurück", "take_back"),
        ("ich verstehe dich kaum, sprich leiser", None),
        ("ich verstehe dich kaum, sprich nicht lauter", None),
    ],
)
def test_two_clauses_are_a_command_where_each_means_it(said: str, key: str | None) -> None:
    meaning = understand(said, load("de"), Expectation(), typed=True)
    assert (meaning.name if isinstance(meaning, Command) else None) == key
