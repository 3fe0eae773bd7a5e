"""What is heard clearly may have its words in any order; noise, bystanders and half-heard words may not (issue 50)."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.hearing import ANY_ORDER_FIT, Hearing
from voicechess.app.simulation import session_at
from voicechess.game.agreement import Player
from voicechess.language.lexicon import load
from voicechess.language.readings import ELSEWHERE_DB
from voicechess.meaning import (
    Command,
    Expectation,
    Hypothesis,
    Meaning,
    RecognisedUtterance,
    SpeakingLevel,
    SpokenMove,
    Unclear,
    Word,
)

TAKE_BACK = "das wollte ich nicht ziehen"
LEXICON = load("de")


def meant(words: str, fit: float = 5.0, snr_db: float = 40.0, softest_db: float = 0.0) -> Meaning:
    """What is understood in a game against the machine; its first word is so much softer than the loudest."""
    said = tuple(
        Word(text, 300 * n, 300 * n + 250, below_db=0.0 if n else softest_db) for n, text in enumerate(words.split())
    )
    heard = RecognisedUtterance(
        (Hypothesis(said, fit=fit),), 0, 300 * len(said), SpeakingLevel(-20.0, -10.0, -20.0 - snr_db)
    )
    return Hearing(LEXICON).understood(heard, EXPECTED, 0).readings[0].meaning


EXPECTED: Expectation = session_at(chess.Board(), Player.ENGINE).expectation


def test_a_sentence_in_its_own_order_is_understood() -> None:
    assert meant(TAKE_BACK) == Command("take_back")
    assert meant("den Springer setze ich auf Felix drei".lower()) == SpokenMove(chess.KNIGHT, to_file=5, to_rank=2)


@pytest.mark.parametrize(
    ("fit", "snr_db", "softest_db"),
    [(ANY_ORDER_FIT - 1, 40.0, 0.0), (5.0, 8.0, 0.0), (5.0, 40.0, ELSEWHERE_DB)],
)
def test_not_where_it_may_be_something_else(fit: float, snr_db: float, softest_db: float) -> None:
    assert isinstance(meant(TAKE_BACK, fit, snr_db, softest_db), Unclear)


def test_not_with_a_word_that_is_none_of_ours() -> None:
    assert isinstance(meant(TAKE_BACK.replace("nicht", "[unk]")), Unclear)


@pytest.mark.parametrize(
    "sentence", ["ich ziehe mal den springer nach felix drei", "also ich spiele mal den springer nach felix drei"]
)
def test_a_particle_takes_no_piece(sentence: str) -> None:
    """ "mal" is a word for taking too: a knight that was to go to f3 was taken there instead."""
    assert meant(sentence) == SpokenMove(chess.KNIGHT, to_file=5, to_rank=2)


def test_a_particle_that_may_have_lost_its_piece_takes() -> None:
    assert meant("mal springer felix drei") == SpokenMove(captures=True, captured=chess.KNIGHT, to_file=5, to_rank=2)
