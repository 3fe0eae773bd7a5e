"""Hypotheses into readings: literal, ranked by score, each meaning once."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.hearing import interpret
from voicechess.language.lexicon import load
from voicechess.language.meaning import Expectation, Hypothesis, Reading, SpokenMove, Unclear, UnclearReason, Word

KNIGHT = SpokenMove(chess.KNIGHT, to_file=5, to_rank=2)
BISHOP = SpokenMove(chess.BISHOP, to_file=5, to_rank=2)


def hypothesis(text: str, score: float) -> Hypothesis:
    return Hypothesis(tuple(Word(word, 0, 0) for word in text.split()), score)


def heard(*hypotheses: tuple[str, float]) -> tuple[Reading, ...]:
    return interpret([hypothesis(*one) for one in hypotheses], Expectation(), load("de"))


def test_a_reading_costs_what_its_words_score_below_the_best() -> None:
    readings = heard(("läufer felix drei", 90.5), ("springer felix drei", 92.0))
    assert readings == (Reading(KNIGHT, 0.0, "springer felix drei"), Reading(BISHOP, 1.5, "läufer felix drei"))


def test_the_same_meaning_counts_once_at_its_lower_cost() -> None:
    readings = heard(("pferd felix drei", 9.0), ("springer felix drei", 10.0), ("springer nach felix drei", 8.0))
    assert readings == (Reading(KNIGHT, 0.0, "springer felix drei"),)


def test_noise_that_scores_best_stays_first() -> None:
    readings = heard(("[unk]", 10.0), ("springer felix drei", 7.0))
    assert readings[0].meaning == Unclear(UnclearReason.NOTHING)
    assert readings[1] == Reading(KNIGHT, 3.0, "springer felix drei")


def test_at_the_same_score_a_meaning_comes_before_none() -> None:
    assert heard(("[unk]", 1.0), ("springer felix drei", 1.0))[0].meaning == KNIGHT


def test_costs_of_understanding_and_of_scores_add_up() -> None:
    readings = heard(("springer felix drei heute", 2.0), ("läufer felix drei", 1.5))
    assert [(reading.meaning, reading.cost) for reading in readings] == [(BISHOP, 0.5), (KNIGHT, 1.0)]


@pytest.mark.parametrize("hypotheses", [(), (("", 0.0),)])
def test_nothing_heard_is_a_reading_too(hypotheses: tuple[tuple[str, float], ...]) -> None:
    assert [reading.meaning for reading in heard(*hypotheses)] == [Unclear(UnclearReason.NOTHING)]
