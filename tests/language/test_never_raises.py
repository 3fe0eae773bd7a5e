"""Any line has a meaning: no characters, words or scores make understanding raise or be slow."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.readings import interpret
from voicechess.language.understanding import understand_all
from voicechess.meaning import (
    UNKNOWN_WORD,
    Answer,
    Command,
    Expectation,
    Hypothesis,
    Question,
    QuestionKind,
    SpokenMove,
    Unclear,
    UnclearReason,
    Word,
)

WORDS = sorted(
    load("de").known_words | load("en").known_words | {UNKNOWN_WORD, "e4", "Sf3", "b", "B", "x", "0-0", "40", "+"}
)

expectations = st.builds(
    Expectation,
    board=st.none() | st.just(chess.Board()),
    asked=st.builds(
        Question,
        kind=st.none() | st.sampled_from(QuestionKind),
        candidates=st.just(()) | st.just((chess.Move.from_uci("b1d2"), chess.Move.from_uci("f1d2"))),
    ),
)
lines = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@settings(max_examples=250)
@given(lines, expectations, st.booleans(), st.sampled_from(LANGUAGES))
def test_any_line_has_a_meaning(line: str, expectation: Expectation, typed: bool, language: str) -> None:
    readings = understand_all(line, load(language), expectation, typed)
    assert readings
    for reading in readings:
        assert isinstance(reading.meaning, SpokenMove | Command | Answer | Unclear)
        assert reading.cost >= 0
        if isinstance(reading.meaning, SpokenMove):
            assert reading.meaning != SpokenMove(), "a move of which nothing was said"
        if UNKNOWN_WORD in line.split() and not typed:
            assert reading.cost > 0 or isinstance(reading.meaning, Unclear), "unknown words beside it and yet clean"


@settings(max_examples=60)
@given(st.lists(st.tuples(lines, st.floats(-1e6, 1e6)), max_size=5), expectations, st.booleans())
def test_any_hypotheses_have_readings(heard: list[tuple[str, float]], expectation: Expectation, typed: bool) -> None:
    hypotheses = [Hypothesis(tuple(Word(w, 0, 0) for w in line.split()), score) for line, score in heard]
    readings = interpret(hypotheses, expectation, load("de"), typed)
    assert readings
    assert [reading.cost for reading in readings] == sorted(reading.cost for reading in readings)
    assert len({reading.meaning for reading in readings}) == len(readings)


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize(
    "line",
    [
        "\0\x1b[2J\x07",
        "\ud800",
        "e4\ud800",
        "ＥＶＡ ４",
        "².³",
        "٣",
        "İİİ",
        "ß" * 299,
        "und" * 99,
        "ein" * 99,
        "b" * 299,
        "b d " * 70,
        "- " * 140,
        "bdbdbdbd bdbdbdb1",
        "'" * 300,
        "e.p.e.p.",
        "🂡♞♘e4",
        "\u202ee4",
    ],
)
def test_strange_lines(line: str, typed: bool) -> None:
    for question in (None, *QuestionKind):
        assert understand_all(line, load("de"), Expectation(asked=Question(question)), typed)


@pytest.mark.parametrize("line", ["e4 " * 3_334, "x" * 10_000, "[unk] " * 2_000, "\n" * 10_000])
def test_lines_that_are_too_long(line: str) -> None:
    for typed in (False, True):
        (reading,) = understand_all(line, load("de"), Expectation(), typed)
        assert reading.meaning == Unclear(UnclearReason.TOO_LONG)
