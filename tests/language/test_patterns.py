"""The pattern notation: what it matches, what it expands to, what it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import pytest

from voicechess.language.patterns import Literal, Pattern, PatternError, SlotPart


def read_slot(name: str, start: int) -> Iterator[tuple[int, object]]:
    yield start + 1, name.upper()


def ends(pattern: str, sentence: str, *skip: str) -> list[tuple[int, tuple[tuple[str, object], ...]]]:
    return list(Pattern(pattern).match(sentence.split(), 0, read_slot, frozenset(skip)))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("a b", ["a b"]),
        ("(a|b) c", ["a c", "b c"]),
        ("[a] b", ["a b", "b"]),
        ("a [b [c]]", ["a b c", "a b", "a"]),
        ("(a|b [c]) {square}", ["a square", "b c square", "b square"]),
    ],
)
def test_expansions_are_all_sentences_it_stands_for(text: str, sentences: list[str]) -> None:
    found = [
        " ".join(part.text if isinstance(part, Literal) else part.name for part in sentence)
        for sentence in Pattern(text).expand()
    ]
    assert found == sentences


@pytest.mark.parametrize(
    "text", ["(a", "a)", "[a", "a]", "(a]", "", "[a]", "[a] [b]", "a { b", "a {Sq} b", "a (b|) (", "|"]
)
def test_what_cannot_be_read_or_fits_silence_is_refused_by_name(text: str) -> None:
    with pytest.raises(PatternError, match="pattern"):
        Pattern(text)


def test_match_tells_where_it_ends_and_what_filled_the_slots() -> None:
    assert ends("was {square} [jetzt]", "was x jetzt") == [(3, (("square", "SQUARE"),)), (2, (("square", "SQUARE"),))]
    assert ends("was {square}", "wer x") == []


def test_words_to_skip_may_stand_between_but_are_not_needed() -> None:
    assert ends("gebe auf", "äh gebe bitte auf", "äh", "bitte") == [(4, ())]
    assert ends("ich gebe auf", "gebe auf", "ich") == []
    assert ends("ich gebe", "ich ich gebe", "ich") == [(3, ())], "a word that fits is not skipped"
    assert ends("ich gebe auf", "ich gebe auf", "ich") == [(3, ())]


def test_it_knows_its_words_slots_and_beginnings() -> None:
    pattern = Pattern("[die] (reihe|{file}) linie")
    assert pattern.words() == {"die", "reihe", "linie"}
    assert pattern.slots() == {"file"}
    assert pattern.first_words() == {"die", "reihe", ""}
    assert SlotPart("file") in {part for sentence in pattern.expand() for part in sentence}


def test_a_rule_stands_for_its_pattern_and_a_constant_for_no_word() -> None:
    pattern = Pattern("<nice> {number=3} b", {"nice": "(please|kindly)"})
    assert list(pattern.match(["kindly", "b"], 0, read_slot)) == [(2, (("number", 3),))]
    assert pattern.count() == 2
    with pytest.raises(PatternError, match="rule"):
        Pattern("<other> a", {"nice": "b"})


def test_few_sentences_have_every_word_of_a_pattern() -> None:
    rows = list(Pattern("(a|b|c) [d|(e|f)] g").expand_each())
    assert {part.text for row in rows for part in row if isinstance(part, Literal)} == set("abcdefg")
    assert len(rows) <= 4


@pytest.mark.parametrize("unknown", ["", "a", "be", "x"])
def test_few_sentences_of_known_words_have_every_pair_of_neighbours(unknown: str) -> None:
    """A sentence with an unknown word must not be the only one that has a pair of known ones."""
    pattern = Pattern("[a|b] (c|d|e [x]) [{slot}] [f|g|h] [{n=3}] (i|[k] l)")
    known = frozenset("abcdefghiklx") - frozenset(unknown)
    every = [
        sentence
        for sentence in pattern.expand()
        if all(part.text in known for part in sentence if isinstance(part, Literal))
    ]
    few = pattern.expand_pairs(known.__contains__)
    assert set(few) <= set(every)
    assert _pairs(few) == _pairs(every)
    assert len(few) < len(every) / 4


def _pairs(sentences: Iterable[Sequence[Literal | SlotPart]]) -> set[tuple[Literal | SlotPart | None, ...]]:
    return {pair for sentence in sentences for pair in pairwise((None, *sentence, None))}
