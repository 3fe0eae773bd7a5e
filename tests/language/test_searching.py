"""Typed lines that look for games, in both languages; and lines that do not."""

from __future__ import annotations

import pytest

from voicechess.language.lexicon import load
from voicechess.language.understanding import understand
from voicechess.meaning import Command, Expectation, Question, QuestionKind

FOUND = Expectation(asked=Question(QuestionKind.FOUND))


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("Partien gegen Anna", {"against": "anna"}),
        ("verlorene Partien", {"result": 0}),
        ("Partien, die ich verloren habe", {"result": 0}),
        ("zeig mir alle gewonnenen Partien gegen den Computer", {"result": 2, "machine": 1}),
        ("Partien mit Sizilianisch", {"opening": "sizilianisch"}),
        ("Partien mit der Spanischen Eröffnung", {"opening": "spanischen"}),
        ("Partien vom November", {"month": 11}),
        ("Partien aus dem März 2024", {"month": 3, "year": 2024}),
        ("Partien der letzten 30 Tage", {"days": 30}),
        ("Partien von gestern", {"ago": 1}),
        ("Partien mit dieser Stellung", {"here": 1}),
        ("Partien mit dieser Eröffnung", {"here": 2}),
        ("Partien mit Remis", {"result": 1}),
        (
            "verlorene Partien gegen Anna Meier vom November mit Sizilianisch",
            {"result": 0, "against": "anna meier", "month": 11, "opening": "sizilianisch"},
        ),
        ("games against Magnus since 2024", {"against": "magnus", "year": 2024}),
        ("lost games with the Sicilian", {"result": 0, "opening": "sicilian"}),
        ("my games from May", {"month": 5}),
    ],
)
def test_what_is_looked_for(line: str, slots: dict[str, int | str]) -> None:
    for code in ("de", "en"):
        found = understand(line, load(code), Expectation(), typed=True)
        assert isinstance(found, Command) and found.name == "find_games"
        assert dict(found.slots) == slots


@pytest.mark.parametrize(
    "line", ["neue Partie", "Partie zeigen", "eine Partie gegen den Computer", "ich spiele gegen Anna"]
)
def test_what_is_no_search(line: str) -> None:
    assert getattr(understand(line, load("de"), Expectation(), typed=True), "name", "") != "find_games"


def test_in_a_search_a_part_is_enough_and_narrows_it() -> None:
    for line, slots in (
        ("gegen Schulz", {"against": "schulz"}),
        ("vom Mai", {"month": 5}),
        ("seit 3 Tagen", {"days": 3}),
    ):
        found = understand(line, load("de"), FOUND, typed=True)
        assert isinstance(found, Command) and (found.name, dict(found.slots)) == ("narrow", slots)


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("partien gegen anna", {"letter": "a"}),
        ("partien die ich verloren habe", {"result": 0}),
        ("partien mit dieser stellung", {"here": 1}),
        ("partien von heute", {"ago": 0}),
        ("partien der letzten zehn tage", {"number": 10}),
    ],
)
def test_what_is_spoken(line: str, slots: dict[str, int | str]) -> None:
    found = understand(line, load("de"), Expectation())
    assert isinstance(found, Command) and (found.name, dict(found.slots)) == ("find_games", slots)
