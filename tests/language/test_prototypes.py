"""Did-you-mean by likeness: what a typed line resembles is asked about, with its slots, and never what denies."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.folders import LANGUAGES, PROTOTYPES, read_data
from voicechess.language.lexicon import load
from voicechess.language.prototypes import as_prototype, resembled
from voicechess.language.wordings import as_target
from voicechess.meaning import Command


def best(line: str, language: str = "de", chosen: tuple[str, ...] = ()) -> Command | None:
    lexicon = load(language)
    found = resembled(line.split(), line.split(), lexicon, lexicon.commands, chosen)
    return max(found, key=lambda command: found[command], default=None)


@pytest.mark.parametrize(
    ("line", "language", "meant"),
    [
        ("welche figur steht wohl so auf eva vier", "de", Command("square", (("square", chess.E4),))),
        ("ob du den letzten zug rückgängig machst", "de", Command("take_back")),
        ("deine stimme ist mir arg leise", "de", Command("louder")),
        ("please undo the last thing I moved", "en", Command("take_back")),
    ],
)
def test_it_resembles_what_people_said(line: str, language: str, meant: Command) -> None:
    assert best(line, language) == meant


def test_what_denies_resembles_only_what_denies() -> None:
    assert best("sprich lauter mit mir") == Command("louder")
    assert best("sprich nicht lauter mit mir") != Command("louder")


def test_words_that_have_nothing_in_common_resemble_nothing() -> None:
    assert best("xylophon quarzt jodelnd") is None


def test_squares_and_pieces_are_compared_as_such() -> None:
    assert as_prototype(["was", "steht", "auf", "eva", "vier"], load("de")) == ("was", "steht", "auf", "{square}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prototype_is_of_an_entry(language: str) -> None:
    lexicon = load(language)
    for entry, sentences in read_data(language, PROTOTYPES).items():
        assert as_target(entry)[0] in {*lexicon.commands, *lexicon.choices}
        assert sentences
