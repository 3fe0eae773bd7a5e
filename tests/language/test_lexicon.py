"""The language files: whole, consistent, and checked with clear errors."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import LexiconError, load, read, spoken_words
from voicechess.language.patterns import PatternError
from voicechess.language.tokens import tokenise
from voicechess.language.understanding import CHOICES, choices_of
from voicechess.meaning import CASTLING_CHOICES


def raw(language: str = "de") -> dict[str, Any]:
    return tomllib.loads((resources.files("voicechess.language") / language / "words.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_written_as_it_is_looked_up(language: str) -> None:
    lexicon = load(language)
    words = lexicon.spoken_words
    assert len(words) > 200, "the collector found almost nothing"
    for word in sorted(words | lexicon.known_words):
        assert [token.text for token in tokenise(word, lexicon)] == [word]


def test_the_words_a_model_must_know() -> None:
    words = spoken_words()
    assert {"anna", "hector", "hektor", "cäsar", "zwo", "rochade", "remis", "äh", "kaffee", "null", "und"} <= words
    assert not words & {"alpha", "laeufer", "k", "x", "de", "english"}
    assert not any(character in word for word in words for character in "{}()[]| ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_commands_choices_and_answers(language: str) -> None:
    german, other = load("de"), load(language)
    assert german.choices.keys() == other.choices.keys()
    assert german.answers.keys() == other.answers.keys()
    slots = [
        {key: frozenset().union(*(pattern.slots() for pattern in patterns)) for key, patterns in one.commands.items()}
        for one in (german, other)
    ]
    assert slots[0] == slots[1]


def test_the_choices_of_every_question_stand_in_the_language_file() -> None:
    named = {name for question in CHOICES for name in choices_of(question)}
    assert named | set(CASTLING_CHOICES) == set(load("de").choices)


def test_english_hears_german_with_the_same_model() -> None:
    german = load("de").spoken_words - {"springer"}
    english = load("en").restrict(german.__contains__)
    assert english.heard.code == "de"
    assert not english.heard.sayable("springer")
    assert load("de").heard is load("de")


def test_a_model_that_knows_english_hears_english() -> None:
    english = load("en").restrict((load("en").spoken_words - {"bishop"}).__contains__)
    assert english.heard is english
    assert english.sayable("knight") and not english.sayable("bishop")
    assert load("de").restrict(load("en").spoken_words.__contains__).heard.code == "de", "its words are missing"


def test_a_missing_language_is_named() -> None:
    with pytest.raises(LexiconError, match=r"qq/words\.toml"):
        load("qq")


@pytest.mark.parametrize(
    ("section", "key", "value", "message"),
    [
        ("commands", "repeat", ["(noch"], r"commands\.repeat"),
        ("commands", "square", ["was auf {feld}"], r"commands\.square.*feld"),
        ("commands", "repeat", "noch einmal", r"commands\.repeat"),
        ("files", "c", [], r"files\.c"),
        ("ranks", "8", [8], r"ranks\.8"),
        ("answers", "fifth", ["fünfte"], "answers"),
        ("move", "to", None, "move"),
        ("typed", "king", None, r"typed\.king"),
        ("language", "code", "", r"language\.code"),
    ],
)
def test_a_wrong_entry_is_named(section: str, key: str, value: object, message: str) -> None:
    data = raw()
    if value is None:
        del data[section][key]
    else:
        data[section][key] = value
    with pytest.raises((LexiconError, PatternError), match=message):
        read(data)


def test_a_missing_section_is_named() -> None:
    data = raw()
    del data["castling"]
    with pytest.raises(LexiconError, match="castling"):
        read(data)


def test_a_model_that_lacks_words_and_what_stands_in_for_them() -> None:
    lacking = {"hector", "hektor", "cesar", "remis", "unentschieden", "cäsar", "charlie"}
    lexicon = load("de").restrict(lambda word: word not in lacking)
    assert lexicon.file_words(7) == ("hotel",), "the spelling alphabet stands in"
    assert lexicon.file_words(2) == ()
    missing = {idea.key: idea.words for idea in lexicon.unsayable()}
    assert missing["files.c"] == ("cesar", "cäsar")
    assert "files.h" not in missing
    assert "commands.draw_offer" in missing
    assert "commands.draw_accept" not in missing, "'ich nehme an' needs no remis"
    assert load("de").unsayable() == ()


def test_one_of_several_words_is_enough() -> None:
    lexicon = load("de").restrict(lambda word: word not in {"cesar", "springer", "rochade"})
    keys = {idea.key for idea in lexicon.unsayable()}
    assert not keys & {"files.c", "pieces.knight", "castling.kingside"}
    assert lexicon.file_words(2)[0] == "cäsar"


def test_in_english_files_are_said_in_three_alphabets() -> None:
    english = load("en")
    assert [english.file_words(file) for file in (0, 4)] == [("anna", "alpha", "alfa", "a"), ("eva", "echo", "e")]
    assert {"foxtrot", "h"} <= english.spoken_words
    assert "b" not in english.known_words, "typed, it may be a bishop"
    without = replace(english, hears="en").restrict(lambda word: word not in {"hotel", "h"})
    assert [without.file_words(file) for file in (0, 7)] == [("anna", "a"), ("hector", "hektor")]


def test_in_german_other_alphabets_are_listened_for_where_the_model_knows_them() -> None:
    german = load("de")
    assert german.file_words(4) == ("eva",)
    assert german.restrict(german.spoken_words.__contains__).file_words(4) == ("eva",)
    assert german.restrict(lambda word: True).file_words(4) == ("eva", "echo")
    assert german.restrict(lambda word: word != "golf").file_words(4) == ("eva",)
