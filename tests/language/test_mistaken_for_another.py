"""Typed lines that were obeyed as another command, most of them written down by people who saw the places only."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.lines import heard_at
from voicechess.meaning import Command, Meaning, SpokenMove, Unclear


def meant(line: str, language: str, place: str) -> Meaning:
    return heard_at(line, place, language).readings[0].meaning


@pytest.mark.parametrize(
    ("place", "line", "command"),
    [
        ("game", "ich muss mal aufs Klo, halt die Uhr an", "pause"),  # started the clock
        ("game", "ich muss kurz weg. Halt die Uhr an!", "pause"),
        ("game", "seine Uhr ist abgelaufen", "claim_flag"),
        ("people", "Schiedsrichter, halt die Uhr an.", "arbiter_stop"),
        ("people", "Schiedsrichter! Halt die Uhren an!", "arbiter_stop"),
        ("game", "welche Figuren hab ich noch", "own_pieces"),  # those of both sides
        ("game", "Was für Figuren habe ich denn noch auf dem Brett?", "own_pieces"),
        ("game", "wie viele Figuren hab ich noch", "material"),
        ("game", "Schluss mit dem Vorlesen!", "stop"),  # the end
        ("game", "Schluss mit den Ansagen", "thresholds_none"),
        ("shade", "welches Feld nochmal", "repeat"),  # the exercise began again
        ("shade", "welches Feld war das?", "repeat"),
        ("practice", "Felder üben", "exercise_squares"),
    ],
)
def test_in_german(place: str, line: str, command: str) -> None:
    assert meant(line, "de", place) == Command(command)


@pytest.mark.parametrize(
    ("place", "line", "command"),
    [
        ("colour", "you be white", Command("colour", (("colour", False),))),  # White for the player
        ("offer", "you take the black pieces", Command("colour", (("colour", True),))),
        ("colour", "I be white", Command("colour", (("colour", True),))),
        ("game", "please tell me which pieces I still have and where they are", Command("own_pieces")),
        ("game", "which pieces do they still have", Command("other_pieces")),
    ],
)
def test_in_english(place: str, line: str, command: Command) -> None:
    assert meant(line, "en", place) == command


@pytest.mark.parametrize(
    ("line", "language", "hours"),
    [  # each was a number of minutes
        ("eine ganze Stunde bitte", "de", 1),
        ("zwei volle Stunden", "de", 2),
        ("one whole hour", "en", 1),
        ("two full hours", "en", 2),
    ],
)
def test_hours_are_no_minutes(line: str, language: str, hours: int) -> None:
    assert meant(line, language, "time") == Command("hours", (("number", hours),))


@pytest.mark.parametrize("line", ["fünf Sekunden", "fünf Tage", "fünf ganze"])
def test_a_number_of_something_else_is_asked_about_and_no_number_of_minutes(line: str) -> None:
    heard = heard_at(line, "time", "de")
    assert isinstance(heard.readings[0].meaning, Unclear)
    assert all(one.cost > 0 for one in heard.perhaps)


@pytest.mark.parametrize("line", ["castle", "a castle please", "make it a castle"])
def test_a_castle_that_a_pawn_becomes_is_a_rook(line: str) -> None:
    assert meant(line, "en", "promotion") == SpokenMove(promotion=chess.ROOK)


@pytest.mark.parametrize(("line", "language"), [("ja, aber ich will Schwarz", "de"), ("yes but I want black", "en")])
def test_a_yes_with_a_but_has_its_question_asked_again(line: str, language: str) -> None:
    heard = heard_at(line, "usual", language)  # "Help or stop?"
    assert isinstance(heard.readings[0].meaning, Unclear) and heard.perhaps == ()


def test_to_switch_the_clock_off_is_no_claim() -> None:
    assert isinstance(meant("mach die Uhr aus", "de", "game"), Unclear)
