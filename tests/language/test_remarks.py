"""Remarks that are no command: thanks, and an age."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.hearer import Hearer
from tests.practice.test_menu import practice
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand
from voicechess.meaning import Answer, Command, Expectation, Question, QuestionKind, Unclear, UnclearReason


def understood(line: str, language: str, question: QuestionKind | None = QuestionKind.LEVEL) -> object:
    return understand(line, load(language), Expectation(asked=Question(question)), typed=True)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("danke", "de"),
        ("Danke schön!", "de"),
        ("vielen Dank.", "de"),
        ("thanks", "de"),
        ("thank you", "en"),
        ("thanks a lot", "en"),
        ("danke", "en"),
    ],
)
def test_a_lone_thank_you_is_thanks(line: str, language: str) -> None:
    for question in (None, QuestionKind.LEVEL, QuestionKind.YES_NO):
        meaning = understood(line, language, question)
        assert isinstance(meaning, Unclear) and meaning.reason is UnclearReason.THANKS, (line, question)


@pytest.mark.parametrize("line", ["danke, Stufe drei", "nein danke", "sag danke", "danke, das war alles, Ende"])
def test_who_thanks_and_says_more_says_the_rest(line: str) -> None:
    assert isinstance(understood(line, "de"), Command | Answer)


@pytest.mark.parametrize(
    ("line", "language"),
    [("ich bin erst neun", "de"), ("ich bin neun", "de"), ("mein Sohn ist sechs", "de"), ("i am nine", "en")],
)
def test_an_age_is_no_level_and_no_time(line: str, language: str) -> None:
    for question in (QuestionKind.LEVEL, QuestionKind.TIME):
        assert isinstance(understood(line, language, question), Unclear), line


@pytest.mark.parametrize(
    ("line", "level"),
    [("ich bin erst neun, leicht bitte", 2), ("Stufe neun", 9), ("neun", 9), ("ich nehme neun", 9)],
)
def test_a_level_is_one_beside_an_age_as_well(line: str, level: int) -> None:
    meaning = understood(line, "de")
    assert isinstance(meaning, Command) and meaning.slot("number") == level


def test_thanks_in_a_game_are_answered_and_change_nothing() -> None:
    hearer = Hearer(chess.Board())
    assert hearer.hear(("danke", 0.0), source=ev.Source.KEYBOARD) == ["not_understood.thanks"]
    assert not hearer.tone
    assert hearer.hear(("eva vier", 0.0))[-1] == "move.repeat e2e4"


@pytest.mark.parametrize(
    ("line", "language"), [("Guten Abend!", "de"), ("hallo zusammen", "de"), ("good evening", "en")]
)
def test_only_a_typed_greeting_is_one(line: str, language: str) -> None:
    meaning = understood(line, language)
    assert isinstance(meaning, Unclear) and meaning.reason is UnclearReason.GREETING
    heard = understand(line.lower().rstrip("!"), load(language), Expectation())
    assert isinstance(heard, Unclear) and heard.reason is not UnclearReason.GREETING


@pytest.mark.parametrize(
    ("line", "language", "reason"),
    [
        ("gut gespielt", "de", UnclearReason.PRAISE),
        ("guter Zug!", "de", UnclearReason.PRAISE),
        ("well played", "en", UnclearReason.PRAISE),
        ("bist du noch da?", "de", UnclearReason.GREETING),
        ("can you hear me?", "en", UnclearReason.GREETING),
    ],
)
def test_praise_and_whether_somebody_is_there_are_answered(line: str, language: str, reason: UnclearReason) -> None:
    """ "Gut gespielt" was asked back as resigning, and "war das ein guter Zug" was given a hint."""
    meaning = understood(line, language, None)
    assert isinstance(meaning, Unclear) and meaning.reason is reason
    heard = understand(line.lower().rstrip("?!"), load(language), Expectation())
    assert heard != meaning


@pytest.mark.parametrize(
    ("line", "language", "name"),
    [
        ("war das ein guter Zug", "de", "evaluation"),
        ("was wäre ein guter Zug", "de", "hint"),
        ("was that a good move", "en", "evaluation"),
        ("ist das Schach", "de", "turn"),
    ],
)
def test_who_asks_about_a_move_praises_nothing(line: str, language: str, name: str) -> None:
    meaning = understood(line, language, None)
    assert isinstance(meaning, Command) and meaning.name == name


def test_praise_in_a_game_is_answered() -> None:
    assert Hearer(chess.Board()).hear(("gut gespielt", 0.0), source=ev.Source.KEYBOARD) == ["not_understood.praise"]


def test_thanks_in_practice_are_answered() -> None:
    room, _ = practice()
    assert room.type("danke") == ["Gern."]
    room.type("felder")
    room.type("eins")
    assert room.type("Danke!") == ["Gern."]


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Stufe drei", "de"),
        ("Stufe drei bitte", "de"),
        ("mach es schwerer", "de"),
        ("zehn Minuten", "de"),
        ("level three", "en"),
        ("make it harder", "en"),
    ],
)
def test_terms_in_the_middle_of_a_game_are_told_to_belong_before_it(line: str, language: str) -> None:
    in_a_game = Expectation(chess.Board(), commands=frozenset({"new_game", "faster", "louder"}))
    assert understand(line, load(language), in_a_game, typed=True) == Unclear(UnclearReason.TERMS)
    in_a_question = Expectation(chess.Board(), Question(QuestionKind.YES_NO), in_a_game.commands)
    assert understand(line, load(language), in_a_question, typed=True) != Unclear(UnclearReason.TERMS)
    assert understand(line, load(language), in_a_game) != Unclear(UnclearReason.TERMS)  # heard: anybody may say it


@pytest.mark.parametrize("line", ["drei", "ich habe keine Zeit", "wo sind die Kinder"])
def test_what_is_no_term_of_a_game_is_not_told_to_be_one(line: str) -> None:
    in_a_game = Expectation(chess.Board(), commands=frozenset({"new_game"}))
    assert understand(line, load("de"), in_a_game, typed=True) != Unclear(UnclearReason.TERMS)
