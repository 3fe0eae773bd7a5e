"""What typed words point to that mean nothing: the entries are there, the right one is asked about, and no move is."""

from __future__ import annotations

import pytest

from models.bench.wordings import expectations
from tests.drivers.lines import heard_at
from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.meaning import Command, RecognisedUtterance


def perhaps(said: str, place: str = "game", source: ev.Source = ev.Source.KEYBOARD) -> tuple[str, ...]:
    heard = heard_at(said, place, source=source)
    assert not heard.perhaps or heard.perhaps[0].cost > 0 or place != "game"
    return tuple(one.words for one in heard.perhaps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pointer_names_an_entry_and_its_slots(language: str) -> None:
    lexicon = load(language)
    tables = {**lexicon.commands, **lexicon.choices}
    for (key, slots), _ in lexicon.wordings.pointers.items():
        known = {name for pattern in tables[key] for name in pattern.slots()}
        assert known.issuperset(name for name, _ in slots), key


@pytest.mark.parametrize(
    ("said", "place", "asked"),
    [
        ("zuruecknehem", "game", "zurücknehmen"),  # mistyped
        ("Positon", "game", "Stellung"),
        ("wie viel Holz steht da herum", "game", "Material"),  # a word that is in no pattern
        ("das hat alles keinen Zweck", "game", "aufgeben"),
        ("der Lautsprecher dröhnt", "game", "leiser"),
        ("gegen das Blechding da", "opponent", "Maschine"),
        ("mein Großonkel sitzt neben mir", "opponent", "Mensch"),
        ("ich wäre für das Dunklere zu haben", "colour", "Schwarz"),  # a value that no word names
        ("volles Rohr voraus", "level", "Stufe zehn"),
        ("sagen wir halt zehn Minütchen, zehn Minuten meine ich halt da", "time", "zehn Minuten"),
        ("Schiri, zehn Sekunden kriegt Weiß", "game", "Schiedsrichter Weiß zehn Sekunden dazu"),
        ("Schiri, zehn Minuten kriegt Weiß", "game", "Schiedsrichter Weiß zehn Minuten dazu"),
        ("whatever was it that you shunted last", "game", "letzter Zug"),  # in the other language
    ],
)
def test_the_right_one_is_among_what_is_asked(said: str, place: str, asked: str) -> None:
    assert asked in perhaps(said, place)


@pytest.mark.parametrize("said", ["ich möchte gegen den Computer mit Schwarz spielen", "I would like to play black"])
def test_terms_in_the_middle_of_a_game_ask_for_a_new_one(said: str) -> None:
    assert perhaps(said) == ("neue Partie",)


@pytest.mark.parametrize("said", ["d3=Q", "e2 e9", "xyz", "qwertz asdf", "!!!", "Springer", ""])
def test_notation_and_words_without_sense_point_nowhere(said: str) -> None:
    assert perhaps(said) == ()


def test_minutes_and_seconds_are_not_taken_for_one_of_them() -> None:
    asked = perhaps("Schiri, zehn Minuten und fünf Sekunden kriegt Weiß")
    assert not [one for one in asked if "minuten" in one or "sekunden" in one]


def test_what_is_heard_is_asked_about_no_more_for_rare_words() -> None:
    assert perhaps("wie viel holz steht da herum", source=ev.Source.VOICE) == ()
    assert perhaps("positon", source=ev.Source.VOICE) == ()


def test_what_is_denied_is_not_asked_about_nor_anything_else() -> None:
    assert perhaps("die Waffen streck ich dir noch nicht") == ()


@pytest.mark.parametrize(
    ("said", "white"),
    [("ich fang an", True), ("dann fang ich mal an", True), ("fang du an", False), ("du fängst an", False)],
)
def test_who_begins_has_white(said: str, white: bool) -> None:
    heard = Hearing(load("de")).understood(
        RecognisedUtterance.typed(said, 0), expectations()["colour"], 0, ev.Source.KEYBOARD
    )
    assert heard.readings[0].meaning == Command("colour", (("colour", white),))
