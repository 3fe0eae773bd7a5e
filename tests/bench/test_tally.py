"""Counting: alignments, shares, intervals, verdicts."""

from __future__ import annotations

import pytest

from models.bench.model_report import ANSWER, COMMAND, DOUBTFUL, MOVE, NOTHING_OF_OURS, PART, same_move, verdict
from models.bench.report import NOTHING, aligned, interval, tallied
from voicechess.language.lexicon import load

GERMAN = load("de")


def test_alignment_finds_the_word_that_went_missing() -> None:
    assert aligned(["dame", "nach", "eva", "vier"], ["dame", "eva", "vier"]) == [
        ("dame", "dame"),
        ("nach", NOTHING),
        ("eva", "eva"),
        ("vier", "vier"),
    ]
    assert aligned([], ["eva"]) == [(NOTHING, "eva")]
    assert aligned(["a", "b", "c"], ["a", "x", "c"])[1] == ("b", "x")


def test_a_tally_counts_utterances_words_and_confusions() -> None:
    tally = tallied([(["eva", "vier"], ["eva", "vier"]), (["anna", "vier"], ["eva", "vier", "drei"])])
    assert (tally.utterances, tally.right, tally.words, tally.errors) == (2, 1, 4, 2)
    assert tally.utterance_share == 50.0
    assert tally.word_share == 50.0
    assert tally.mistakes() == [(NOTHING, "drei", 1), ("anna", "eva", 1)]
    assert tally.matrix()["vier"] == {"vier": 2}


def test_the_interval_of_few_counts_is_wide() -> None:
    assert interval(10, 10) == pytest.approx((72.2, 100.0), abs=0.1)
    assert interval(0, 0) == (0.0, 100.0)
    low, high = interval(950, 1000)
    assert low < 95.0 < high
    assert high - low < 3.0


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("springer felix drei", MOVE),
        ("kurze rochade", MOVE),
        ("äh springer felix drei", MOVE),
        ("springer felix drei [unk]", DOUBTFUL),
        ("springer felix", PART),
        ("ja", ANSWER),
        ("wie viel zeit", COMMAND),
        ("aufgeben", COMMAND),
        ("aufgeben wetter kaffee", NOTHING_OF_OURS),
        ("[unk]", NOTHING_OF_OURS),
        ("", NOTHING_OF_OURS),
    ],
)
def test_the_verdict_on_bare_words(words: str, kind: str) -> None:
    assert verdict(words.split(), GERMAN) == kind


def test_a_lost_capture_word_is_the_same_move_and_another_square_is_not() -> None:
    said = ["dame", "schlägt", "hector", "acht", "schach"]
    assert same_move(said, ["dame", "hector", "acht"], GERMAN)
    assert not same_move(said, ["dame", "hector", "sieben"], GERMAN)
    assert not same_move(said, ["turm", "schlägt", "hector", "acht"], GERMAN)
    assert not same_move(["aufgeben"], ["aufgeben"], GERMAN)
