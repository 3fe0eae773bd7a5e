"""Numbers heard: every number that can be said is understood, in one word and in several."""

from __future__ import annotations

import pytest

from voicechess.language.folders import LANGUAGES
from voicechess.language.forms import Forms
from voicechess.language.lexicon import load
from voicechess.language.sentences import load_sentences
from voicechess.language.tokens import read_number, split_compound
from voicechess.language.understanding import understand
from voicechess.meaning import Command, Expectation, Question, QuestionKind


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_that_is_said_is_heard_as_itself(language: str) -> None:
    lexicon, forms = load(language), Forms(load_sentences(language).forms)
    for number in [*range(0, 130), 199, 200, 212, 221, 500, 555, 959, 960, 999, 1000, 1001, 1985, 2023, 9999]:
        heard = understand(forms.number(number), lexicon, Expectation(asked=Question(QuestionKind.LEVEL)))
        assert heard == Command("level", (("number", number),)), forms.number(number)


@pytest.mark.parametrize(
    ("words", "number"), [("ein und zwanzig", 21), ("zwo hundert", 200), ("hundert drei und dreißig", 133), ("40", 40)]
)
def test_german_numbers_in_several_words(words: str, number: int) -> None:
    parts = words.split()
    assert (len(parts), number) in list(read_number(parts, 0, load("de")))


def test_the_longest_number_comes_first() -> None:
    assert next(read_number(["fünf", "und", "dreißig", "minuten"], 0, load("de"))) == (3, 35)
    assert list(read_number(["und"], 0, load("de"))) == []
    assert list(read_number(["99999"], 0, load("de"))) == []
    assert list(read_number(["hundert", "null"], 0, load("de"))) == [(1, 100)]


@pytest.mark.parametrize("word", ["", "und", "zwanzig", "vierer", "undzwanzig", "zweidrei", "a" * 300])
def test_what_is_no_compound(word: str) -> None:
    assert split_compound(word, load("de")) is None
