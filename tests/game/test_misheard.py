"""A move that was heard and not meant: heard once more, the one that sounds like it is proposed."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.hearer import Hearer
from voicechess.game import events as ev
from voicechess.language.confusions import load_confusions

ROOKS = chess.Board("3k4/8/8/8/8/8/8/K6R w - - 0 1")
TWO, THREE = "turm hector zwei", "turm hector drei"
HEARD = ((TWO, 0.0), (THREE, -4.5))
"""So clearly "zwei" that it is made."""


@pytest.fixture
def hearer() -> Hearer:
    """One whose "drei" is taken for "zwei": what is heard is played, and taken back."""
    hearer = Hearer(ROOKS, load_confusions("de"))
    assert hearer.hear(*HEARD) == ["move.repeat h1h2"]
    assert hearer.hear(("nein", 0.0)) == ["move.corrected"]
    return hearer


def proposed(hearer: Hearer) -> list[str]:
    return [move.uci() for move in hearer.session.expectation.asked.candidates]


def test_heard_again_the_one_that_sounds_like_it_is_proposed(hearer: Hearer) -> None:
    assert hearer.hear(*HEARD) == ["ask.plain"]
    assert proposed(hearer) == ["h1h3"]
    assert hearer.hear(("ja", 0.0)) == ["move.repeat h1h3"]


def test_then_it_is_proposed_itself_and_said_again_it_is_made(hearer: Hearer) -> None:
    hearer.hear(*HEARD)
    assert hearer.hear(("nein", 0.0)) == ["ask.plain"]
    assert proposed(hearer) == ["h1h2"]
    assert hearer.hear(*HEARD) == ["move.repeat h1h2"]


def test_what_was_denied_before_another_move_was_played_is_remembered(hearer: Hearer) -> None:
    assert hearer.hear((THREE, 0.0)) == ["move.repeat h1h3"]
    assert hearer.hear(("nein", 0.0)) == ["move.corrected"]
    assert hearer.hear((TWO, 0.0), ("turm hector vier", -4.5)) == ["ask.plain"]
    assert proposed(hearer) == ["h1h4"]


def test_what_was_denied_does_not_count_when_the_question_is_answered_with_the_move(hearer: Hearer) -> None:
    """Heard both times, "drei" is no longer in doubt; "zwei" was denied before."""
    assert hearer.hear((TWO, 0.0), (THREE, -1.0)) == ["ask.plain"]
    assert hearer.hear((THREE, 0.0), (TWO, -2.0)) == ["move.repeat h1h3"]


def test_the_same_after_a_question_that_was_declined() -> None:
    hearer = Hearer(ROOKS, load_confusions("de"))
    assert hearer.hear((TWO, 0.0), (THREE, -1.0)) == ["ask.plain"]
    assert hearer.hear(("keiner", 0.0)) == ["ask.none"]
    assert hearer.hear(*HEARD) == ["move.repeat h1h2"], "both were declined, none is left to be proposed"


def test_another_move_is_made_at_once_and_nothing_is_held_against_the_next(hearer: Hearer) -> None:
    assert hearer.hear((THREE, 0.0)) == ["move.repeat h1h3"]


def test_what_is_typed_was_not_misheard(hearer: Hearer) -> None:
    assert hearer.hear(*HEARD, source=ev.Source.KEYBOARD) == ["move.repeat h1h2"]


def test_a_move_that_sounds_like_no_other_is_made() -> None:
    hearer = Hearer(ROOKS, load_confusions("de"))
    for _ in range(2):
        assert hearer.hear(("könig bella eins", 0.0)) == ["move.repeat a1b1"]
        assert hearer.hear(("nein", 0.0)) == ["move.corrected"]


def test_a_command_beside_half_a_move_that_sounds_like_it_is_asked_about() -> None:
    """ "Linie Eva" was neither move nor command, because "nehme Eva" begins one (issue 49)."""
    hearer = Hearer(chess.Board(), load_confusions("de"))
    assert hearer.hear(("linie eva", 0.0), ("nehme eva acht", -1.5)) == ["confirm.meant"]
    assert hearer.hear(("ja", 0.0)) == ["position.file"]
