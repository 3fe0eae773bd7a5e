"""Mistyped words are found again; others are not taken for them."""

from __future__ import annotations

import pytest

from voicechess.language.spelling import Spellings, folded, mistakes

WORDS = Spellings.of(["zurücknehmen", "remis", "stellung", "position", "maschine", "aufgeben", "partie", "zug"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("zuruecknehmen", "zurücknehmen"),  # without umlauts, either way
        ("zurucknehmen", "zurücknehmen"),
        ("zurücknehem", "zurücknehmen"),
        ("remie", "remis"),
        ("stelung", "stellung"),
        ("augfeben", "aufgeben"),  # two letters swapped
        ("machine", "maschine"),
    ],
)
def test_a_mistyped_word_is_found(typed: str, meant: str) -> None:
    assert WORDS.near(typed) == (meant,)


@pytest.mark.parametrize("typed", ["salz", "zuge", "", "x" * 200, "stehlampe", "passt", "pausen"])
def test_another_word_is_none_of_them(typed: str) -> None:
    assert WORDS.near(typed) == ()


def test_mistakes_are_counted_up_to_the_most() -> None:
    assert mistakes("remis", "remis", 2) == 0
    assert mistakes("remsi", "remis", 2) == 1
    assert mistakes("abc", "xyz", 1) > 1
    assert folded("größe") == folded("groesse")
