"""No sentence belongs to two meanings: every expansion of every pattern, whatever was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from voicechess.language.announcements import announced_moves
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.patterns import Literal, Pattern
from voicechess.language.tokens import slot_reader, tokenise
from voicechess.language.understanding import CHOICES, choices_of, understand
from voicechess.meaning import Answer, Command, Expectation, Question, QuestionKind


def fillings(lexicon: Lexicon) -> Mapping[str, tuple[str, ...]]:
    """A few words for each slot, the awkward ones among them."""
    first = [words[0] for words in lexicon.files]
    numbers = [lexicon.numerals.words[n][0] for n in (1, 2, 8, 20)]
    return {
        "file": tuple(first),
        "rank": tuple(words[0] for words in lexicon.ranks),
        "square": (f"{first[0]} {lexicon.ranks[0][0]}", f"{first[7]} {lexicon.ranks[7][0]}"),
        "piece": tuple(word for words in lexicon.pieces.values() for word in words),
        "pieces": tuple(word for words in lexicon.plurals.values() for word in words),
        "colour": tuple(word for words in lexicon.colours.values() for word in words),
        "number": tuple(numbers),
        "own": tuple(word for words in lexicon.own.values() for word in words),
        "letter": (first[0], lexicon.letters["o"][0], lexicon.numerals.words[1][0]),
    }


def sentences(pattern: Pattern, lexicon: Lexicon) -> Iterator[str]:
    words = fillings(lexicon)
    for sentence in pattern.expand():
        places = [(part.text,) if isinstance(part, Literal) else words[part.name] for part in sentence]
        for chosen in product(*places):
            yield " ".join(chosen)


def entries(lexicon: Lexicon, section: str) -> Mapping[str, tuple[Pattern, ...]]:
    return {"answers": lexicon.answers, "commands": lexicon.commands, "choices": lexicon.choices}[section]


def owners(sentence: str, lexicon: Lexicon, sections: tuple[str, ...]) -> set[str]:
    """Every entry that has a pattern for the whole sentence, and "move" if it announces one or a part of one."""
    tokens = tokenise(sentence, lexicon)
    words = tuple(token.text for token in tokens)
    read_slot = slot_reader(words, lexicon)
    found = {
        f"{section}.{key}"
        for section in sections
        for key, patterns in entries(lexicon, section).items()
        for pattern in patterns
        if any(end == len(words) for end, _ in pattern.match(words, 0, read_slot, lexicon.fillers))
    }
    return found | ({"move"} if announced_moves(tokens, lexicon) else set())


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_and_answers_mean_one_thing(language: str) -> None:
    lexicon, seen = load(language), 0
    for section in ("answers", "commands"):
        for key, patterns in entries(lexicon, section).items():
            for sentence in {sentence for pattern in patterns for sentence in sentences(pattern, lexicon)}:
                seen += 1
                assert owners(sentence, lexicon, ("answers", "commands")) == {f"{section}.{key}"}, sentence
    assert seen > 400, "the collector found almost nothing"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("question", list(CHOICES))
def test_choices_mean_one_thing_where_they_are_asked_for(language: str, question: QuestionKind) -> None:
    lexicon, seen = load(language), 0
    for key in choices_of(question):
        for sentence in {sentence for pattern in lexicon.choices[key] for sentence in sentences(pattern, lexicon)}:
            seen += 1
            found = owners(sentence, lexicon, ("answers", "commands", "choices"))
            rivals = {f"choices.{choice}" for choice in choices_of(question)}
            others = {o for o in found if not o.startswith("choices.") or o in rivals}
            # A lone number is also a rank: only exercises ask for both, and get both readings.
            assert others - {"move"} == {f"choices.{key}"}, sentence
            meaning = understand(sentence, lexicon, Expectation(asked=Question(question)))
            assert isinstance(meaning, Command)
            # What is put on squares and what is taken away can be said in a row, and is one meaning.
            assert meaning.name == ("placed" if key == "remove" else key), sentence
    assert seen >= len(choices_of(question))


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_and_answers_are_understood_whatever_was_asked(language: str) -> None:
    lexicon = load(language)
    for question in (None, *QuestionKind):
        for key, patterns in lexicon.commands.items():
            first = next(sentences(patterns[0], lexicon))
            meaning = understand(first, lexicon, Expectation(asked=Question(question)))
            assert isinstance(meaning, Command), (question, first)
            assert meaning.name == key, (question, first)
        for patterns in lexicon.answers.values():
            first = next(sentences(patterns[0], lexicon))
            assert isinstance(understand(first, lexicon, Expectation(asked=Question(question))), Answer), (
                question,
                first,
            )


def test_german_sentences_keep_their_meaning_in_an_english_game() -> None:
    german, english = load("de"), load("en")
    for key, patterns in german.commands.items():
        for sentence in {sentence for pattern in patterns for sentence in sentences(pattern, german)}:
            meaning = understand(sentence, english, Expectation(), typed=True)
            assert isinstance(meaning, Command), sentence
            assert meaning.name == key, sentence
