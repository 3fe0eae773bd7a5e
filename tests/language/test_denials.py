"""What a typed line says not to do is not done, though a frame would pass over its "not"."""

from __future__ import annotations

import pytest

from tests.drivers.lines import heard_at
from voicechess.game import events as ev
from voicechess.meaning import Answer, AnswerKind, Command, Unclear


def typed(line: str, language: str, place: str = "game") -> ev.Heard:
    return heard_at(line, place, language)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        *(
            ("en", line)
            for line in ("don't take it back", "please do not take that back", "dont undo", "never undo it")
        ),
        *(("en", line) for line in ("no don't put it back", "you don't take it back", "do not speak louder")),
        *(("en", line) for line in ("don't quit", "do not end the game", "don't save the game", "don't wait")),
        *(("en", line) for line in ("I don't want a hint", "don't help me", "don't turn off the sound")),
        *(("de", line) for line in ("nicht lauter", "bitte nicht lauter sprechen", "nie zurücknehmen")),
    ],
)
def test_what_is_denied_is_not_done(language: str, line: str) -> None:
    assert isinstance(typed(line, language).readings[0].meaning, Unclear)


@pytest.mark.parametrize(
    ("language", "line", "command"),
    [
        ("en", "not so fast", "slower"),
        ("en", "I didn't mean that, take it back", "take_back"),
        ("en", "I don't know how this works, which commands are there?", "help"),
        ("de", "schrei nicht so", "softer"),
        ("de", "ich weiß nicht, was ich sagen kann", "help"),
    ],
)
def test_a_denial_that_belongs_to_the_command_is_none_of_it(language: str, line: str, command: str) -> None:
    assert typed(line, language).readings[0].meaning == Command(command)


@pytest.mark.parametrize(("language", "line"), [("de", "nicht Stufe drei"), ("en", "not level three")])
def test_a_level_that_is_denied_is_not_taken_for_the_answer(language: str, line: str) -> None:
    found = typed(line, language, "level")
    assert isinstance(found.readings[0].meaning, Unclear)
    assert all(one.cost for one in found.perhaps)


@pytest.mark.parametrize(
    ("language", "place", "line", "command"),
    [
        ("en", "offer", "one and a half hour", Command("minutes", (("number", 90),))),
        ("en", "offer", "you toss a coin", Command("random")),
        ("de", "time", "ein und eine halbe Stunde", Command("minutes", (("number", 90),))),
    ],
)
def test_words_of_two_terms_that_make_one_are_one(language: str, place: str, line: str, command: Command) -> None:
    assert typed(line, language, place).readings[0].meaning == command


def test_two_times_are_asked_about() -> None:
    found = typed("drei minuten blitz", "de", "time")
    assert isinstance(found.readings[0].meaning, Unclear)
    assert Command("minutes", (("number", 3),)) in [one.meaning for one in found.perhaps]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        *((line, AnswerKind.YES) for line in ("na gut", "na schön", "ach na gut", "na klar", "na sicher", "ist gut")),
        *((line, AnswerKind.NO) for line in ("na", "nicht gut", "gut nein", "ach nein")),
    ],
)
def test_a_reluctant_yes_is_no_denial(line: str, kind: AnswerKind) -> None:
    assert typed(line, "de", "yesno").readings[0].meaning == Answer(kind)
