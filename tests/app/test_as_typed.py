"""Clear speech that would mean something only as a typed line is asked about: nothing is done without a yes."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from tests.app.test_any_order import LEXICON, said
from voicechess.app.as_typed import ASKED_FIT, BEAM
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.conversations.asking import awaited
from voicechess.game.agreement import Player
from voicechess.game.events import Heard, Source
from voicechess.language.lexicon import load
from voicechess.language.understanding import choices, understand
from voicechess.meaning import Command, Expectation, Hypothesis, QuestionKind, RecognisedUtterance, Unclear, Word
from voicechess.moves.decisions import Act, Ask, NotUnderstood, Play
from voicechess.moves.matching import decide

GAME = session_at(chess.Board(), Player.ENGINE).expectation
MOVES = "wie waren die züge bis jetzt"
LEVEL = awaited(QuestionKind.LEVEL)


def heard(
    *lines: str,
    expectation: Expectation = GAME,
    language: str = "de",
    fit: float = 5.0,
    snr_db: float = 40.0,
    softest_db: float = 0.0,
) -> Heard:
    spoken = said(*lines, fit=fit, snr_db=snr_db, softest_db=softest_db)
    return Hearing(load(language)).understood(spoken, expectation, 0)


def names(event: Heard) -> list[str]:
    return [one.meaning.name for one in event.perhaps if isinstance(one.meaning, Command)]


def test_what_means_something_only_if_typed_is_asked_about() -> None:
    assert isinstance(understand(MOVES, LEXICON, GAME), Unclear)
    event = heard(MOVES)
    assert names(event) == ["moves"]
    assert isinstance(decide(chess.Board(), event.readings), NotUnderstood)


@pytest.mark.parametrize(
    ("fit", "snr_db", "softest_db"), [(ASKED_FIT - 1, 40.0, 0.0), (5.0, 3.0, 0.0), (5.0, 40.0, 20.0)]
)
def test_it_is_not_where_it_may_be_talk_or_noise(fit: float, snr_db: float, softest_db: float) -> None:
    assert not names(heard(MOVES, fit=fit, snr_db=snr_db, softest_db=softest_db))


def test_a_less_likely_hypothesis_counts_too() -> None:
    assert names(heard("wir waren die läufer bis jetzt", MOVES)) == ["moves"]
    farther = [Word(text, 0, 0) for text in MOVES.split()]
    nearest = said("wir waren die läufer bis jetzt").hypotheses[0]
    beyond = Hypothesis(tuple(farther), log_likelihood=-BEAM - 1, fit=5.0)
    both = RecognisedUtterance((nearest, beyond), 0, 900, said(MOVES).level)
    assert not names(Hearing(LEXICON).understood(both, GAME, 0))


def test_a_move_is_asked_about_and_never_played() -> None:
    event = heard("push the gustav pawn one square", language="en")
    assert decide(chess.Board(), event.readings) == Ask((chess.Move.from_uci("g2g3"),))


def test_an_answer_to_the_open_question_counts_if_it_fits_well() -> None:
    level = Command("level", (("number", 8),))
    well, badly = (heard("heute probiere ich die acht", expectation=LEVEL, fit=fit) for fit in (3.0, -3.0))
    assert decide(chess.Board(), well.readings, LEVEL.asked) == Act(level)
    assert isinstance(badly.readings[0].meaning, Unclear)
    assert names(badly) == ["level"]


def test_two_squares_heard_nearly_as_well_are_asked_about() -> None:
    event = heard("is there anything on e four", "is there anything on b four", language="en")
    assert names(event) == ["square", "square"]


def test_the_program_is_not_ended_by_a_word_among_others_in_place_of_an_answer() -> None:
    asked = awaited(QuestionKind.OPPONENT)
    assert "end" not in choices(asked)
    event = heard("just you end me", expectation=asked, language="en", fit=-5.0)
    assert names(event) == ["end"]
    assert isinstance(decide(chess.Board(), event.readings, asked.asked), NotUnderstood)


def test_soft_words_at_the_edges_may_be_the_players() -> None:
    """They count as a bystander's, and the room as loud, where a sentence begins with a soft word."""
    whole = "von wem wird eva vier angegriffen"
    near = said(whole.removeprefix("von "), snr_db=7.0)
    wider = replace(said(whole).hypotheses[0], edge_below_db=1.9)
    both = replace(near, hypotheses=(*near.hypotheses, wider))
    assert names(Hearing(LEXICON).understood(both, GAME, 0)) == ["attackers"]
    assert not names(Hearing(LEXICON).understood(near, GAME, 0))


def test_a_soft_word_in_the_middle_is_the_players() -> None:
    first = said(MOVES).hypotheses[0]
    softer = [replace(one, below_db=15.0 * (one.text == "züge")) for one in first.words]
    spoken = replace(said(MOVES), hypotheses=(replace(first, words=tuple(softer)),))
    assert names(Hearing(LEXICON).understood(spoken, GAME, 0)) == ["moves"]


def test_words_that_sound_the_same_stand_for_each_other() -> None:
    assert names(heard("how are we doing four time", language="en")) == ["time"]
    assert names(heard("how are we doing five time", language="en")) != ["time"]
    lines = load("en").frames.sounding_alike("four to players")
    assert lines[0] == "four to players"
    assert "for two players" in lines


def test_a_part_of_the_words_is_not_obeyed_if_the_whole_would_mean_something_else() -> None:
    """ "What pieces have I" is about the material, "what pieces have I got" about the player's own pieces."""
    first = said("what pieces have i got").hypotheses[0]
    words = tuple(replace(one, below_db=5.0 * (one.text != "i")) for one in first.words)
    spoken = replace(said(""), hypotheses=(replace(first, words=words),))
    event = Hearing(load("en")).understood(spoken, GAME, 0)
    assert event.readings[0].trimmed
    assert names(event) == ["own_pieces", "material"]
    assert isinstance(decide(chess.Board(), event.readings), NotUnderstood)


@pytest.mark.parametrize(
    ("line", "language", "move"),
    [
        ("felix drei springer", "de", "g1f3"),
        ("auf felix drei den springer", "de", "g1f3"),
        ("e four pawn", "en", "e2e4"),
    ],
)
def test_a_move_whose_piece_comes_last_is_asked_about(line: str, language: str, move: str) -> None:
    """ "Felix drei Springer" was asked back as "what is on Felix three?"."""
    typed = Hearing(load(language)).understood(RecognisedUtterance.typed(line, 0), GAME, 0, Source.KEYBOARD)
    for event in (heard(line, language=language), typed):
        assert decide(chess.Board(), event.readings, typed=event is typed) == Ask((chess.Move.from_uci(move),))


def test_no_move_is_made_of_a_line_that_ends_in_a_piece_by_chance() -> None:
    for line in (
        "david vier dame",
        "steht auf felix drei ein springer",
        "felix drei keinen springer",
        "f3 nicht springer",
    ):
        typed = Hearing(LEXICON).understood(RecognisedUtterance.typed(line, 0), GAME, 0, Source.KEYBOARD)
        for event in (heard(line), typed):
            assert not isinstance(decide(chess.Board(), event.readings, typed=event is typed), Ask | Play), line
