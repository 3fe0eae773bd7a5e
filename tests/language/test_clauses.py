"""A typed line of several clauses is a command where one of them is and the others say nothing that we know."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.game import events as ev
from voicechess.game.agreement import Player
from voicechess.language.frames import joined
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand
from voicechess.meaning import Answer, AnswerKind, Command, Expectation, Question, QuestionKind, RecognisedUtterance


def command(said: str) -> str | None:
    meaning = understand(said, load("de"), Expectation(), typed=True)
    return meaning.name if isinstance(meaning, Command) else None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Geht das auch leiser? Die Kleine schläft.", "softer"),
        ("Die Kleine schläft, geht das auch leiser?", "softer"),
        ("Leiser weil der Opa schläft", "softer"),
        ("Halt mal die Uhr an, es hat geklingelt.", "pause"),
        ("Nee, das ist vorbei, ich gebe auf.", "resign"),
        ("Ich komme nicht mit, sprich langsamer", "slower"),
        ("Die Figuren, wo stehen sie? Sag mir bitte.", "position"),
    ],
)
def test_what_says_nothing_beside_a_command_does_not_matter(said: str, name: str) -> None:
    assert command(said) == name


@pytest.mark.parametrize(
    "said",
    [
        "Leiser, die Dame schläft",  # a word of ours
        "Ich gebe auf, nein",
        "Ich gebe auf, das glaube ich nicht",
        "Er sagt, ich gebe auf",
        "Wenn der Opa schläft, leiser",
        "Pause, ich gebe auf",  # two commands
        "Die Kleine schläft, der Opa schläft",
    ],
)
def test_what_denies_or_is_something_else_keeps_a_command_from_counting(said: str) -> None:
    assert command(said) is None


@pytest.mark.parametrize(
    ("said", "choice"),
    [("Nee, den anderen, den zweiten.", 2), ("Nein, den ersten", 1), ("Den ersten, den zweiten", None)],
)
def test_an_answer_may_begin_with_a_no(said: str, choice: int | None) -> None:
    candidates = tuple(chess.Move.from_uci(uci) for uci in ("b1d2", "f3d2"))
    board = chess.Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    expectation = Expectation(board, Question(QuestionKind.WHICH_MOVE, candidates))
    meaning = understand(said, load("de"), expectation, typed=True)
    assert (meaning.choice if isinstance(meaning, Answer) and meaning.kind is AnswerKind.CHOICE else None) == choice


def test_a_yes_counts_only_beside_what_says_nothing_anywhere() -> None:
    asked = Expectation(asked=Question(QuestionKind.YES_NO))
    assert understand("Ja, warum nicht", load("de"), asked, typed=True) == Answer(AnswerKind.YES)
    assert understand("Ja, der Opa schläft", load("de"), asked, typed=True) != Answer(AnswerKind.YES)


def test_a_command_beside_another_word_of_ours_is_asked_about() -> None:
    said = RecognisedUtterance.typed("Leiser, die Dame schläft", 0)
    expectation = session_at(chess.Board(), Player.ENGINE).expectation
    heard = Hearing(load("de")).understood(said, expectation, 0, ev.Source.KEYBOARD)
    assert [one.words for one in heard.perhaps] == ["leiser"]


def test_two_files_of_frames_are_one() -> None:
    first = {"rules": {"a": "(b|c)"}, "around": {"silent": ["d"]}}
    second = {"rules": {"a": "(e)", "f": "g"}, "around": {"silent": ["h"]}, "clauses": {"joining": ["i"]}}
    both = {"rules": {"a": "(b|c|e)", "f": "g"}, "around": {"silent": ["d", "h"]}, "clauses": {"joining": ["i"]}}
    assert joined(first, second) == both
