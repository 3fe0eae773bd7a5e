"""A sentence of which the recogniser makes two: its end alone is not played where it may mean another piece."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.hearing import Hearing
from voicechess.app.simulation import Simulation
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Say
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.meaning import UNKNOWN_WORD, Hypothesis, RecognisedUtterance, Word


def heard(words: str, began_ms: int, torn: bool = False) -> RecognisedUtterance:
    spoken = tuple(Word(word, began_ms + 300 * n, began_ms + 300 * (n + 1)) for n, word in enumerate(words.split()))
    return RecognisedUtterance((Hypothesis(spoken),), began_ms, spoken[-1].ended_ms, torn=torn)


@pytest.mark.parametrize(
    ("first", "second", "later_ms", "asked"),
    [
        (UNKNOWN_WORD, "hector drei", 600, "meant"),  # the knight goes there, too
        (UNKNOWN_WORD, "hector drei", 3_000, ""),
        (UNKNOWN_WORD, "eva vier", 600, ""),  # nothing but a pawn does
        (UNKNOWN_WORD, "bauer hector drei", 600, ""),
        (UNKNOWN_WORD, "springer hector drei", 600, ""),
    ],
)
def test_a_square_alone_after_words_not_understood_is_asked_about(
    first: str, second: str, later_ms: int, asked: str
) -> None:
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    simulation = Simulation(session, Hearing(load("de")))
    simulation.happen(ev.Started(at_ms=0))
    simulation.hear(heard(first, 5_000), at_ms=5_400)
    effects = simulation.hear(heard(second, 5_300 + later_ms), at_ms=7_000 + later_ms)
    said = [effect.utterance.key for effect in effects if isinstance(effect, Say)]
    assert any(key.startswith("ask.") or "meant" in key for key in said) is bool(asked), said
    assert (session.board.fen() == chess.STARTING_FEN) is bool(asked)


@pytest.mark.parametrize("words", ["felix drei", "springer felix drei", "eva vier"])
def test_a_move_of_which_the_microphone_may_have_lost_a_word_is_asked_about(words: str) -> None:
    """ "Springer" was lost once, and "Felix drei" played (issue 51)."""
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    simulation = Simulation(session, Hearing(load("de")))
    simulation.happen(ev.Started(at_ms=0))
    effects = simulation.hear(heard(words, 5_000, torn=True), at_ms=6_500)
    said = [effect.utterance.key for effect in effects if isinstance(effect, Say)]
    assert any(key.startswith("ask.") or "meant" in key for key in said), said
    assert session.board.fen() == chess.STARTING_FEN
    simulation.hear(heard(words, 9_000), at_ms=10_500)  # the question is answered with the move, whole this time
    assert session.board.move_stack
