"""Typed lines in which somebody corrects himself: what is said last counts, and only what can be put in its place. And
what else decides between two commands of the same words."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Meaning,
    Question,
    QuestionKind,
    RecognisedUtterance,
    SpokenMove,
    Unclear,
)

A, B, C, D, E, F, G, H = range(8)


def typed(line: str, question: QuestionKind | None = None, language: str = "de") -> Meaning:
    expectation = Expectation(chess.Board(), Question(question))
    return understand_all(line, load(language), expectation, typed=True)[0].meaning


@pytest.mark.parametrize(
    ("line", "language", "question", "name", "slots"),
    [
        ("weiß, äh nein, doch schwarz", "de", QuestionKind.COLOUR, "colour", {"colour": False}),
        ("schwarz oder doch weiß", "de", QuestionKind.COLOUR, "colour", {"colour": True}),
        ("Vier, nein Moment, lieber nur drei", "de", QuestionKind.LEVEL, "level", {"number": 3}),
        ("zehn Minuten, ach nein, zwanzig", "de", QuestionKind.TIME, "minutes", {"number": 20}),
        ("lauter, nein leiser", "de", None, "softer", {}),
        ("wohin kann die Dame, ich meine, der Turm?", "de", None, "legal", {"piece": chess.ROOK}),
        ("was steht auf a4, nein, b4", "de", None, "square", {"square": chess.B4}),
        ("wer greift e4 an, Moment, e5?", "de", None, "attackers", {"square": chess.E5}),
        ("white, hang on, no, I'll take black today", "en", QuestionKind.COLOUR, "colour", {"colour": False}),
        ("six, no, make that seven", "en", QuestionKind.LEVEL, "level", {"number": 7}),
        ("where's the queen, I mean the king", "en", None, "where", {"piece": chess.KING}),
    ],
)
def test_the_last_counts(
    line: str, language: str, question: QuestionKind | None, name: str, slots: dict[str, int]
) -> None:
    meaning = typed(line, question, language)
    assert isinstance(meaning, Command)
    assert (meaning.name, dict(meaning.slots)) == (name, slots)


def test_a_square_behind_a_piece_is_that_piece_s_and_a_whole_move_stands_for_another() -> None:
    knight = SpokenMove(chess.KNIGHT, to_file=F, to_rank=2)
    assert typed("Springer c3, nein, f3") == knight
    assert typed("Dame h5, nein, Springer f3") == knight
    assert typed("e4, nein quatsch, d4") == SpokenMove(to_file=D, to_rank=3)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Bauer e4. nein danke", "de"),
        ("Bauer e4 nein danke", "de"),
        ("Bauer e4, nein, lieber nicht", "de"),
        ("e4, nein, bitte warte mal", "de"),
        ("Springer f3, nein, doch nicht", "de"),
        ("Springer f3, nein, nicht f3", "de"),
        ("Springer f3, nein nicht c3", "de"),
        ("Springer f3, nein, kein Springer", "de"),
        ("Springer c3, ich meine, ach egal", "de"),
        ("e4, nein, Pause", "de"),
        ("knight f3, no sorry, not f3", "en"),
        ("e4, no thanks", "en"),
        ("knight f3, actually don't", "en"),
        ("knight f3, wait, no", "en"),
        ("nicht e4", "de"),
        ("nicht Springer f3", "de"),
        ("not e4", "en"),
        ("soll ich e4 spielen?", "de"),
        ("kann ich Springer f3 spielen?", "de"),
        ("vielleicht e4", "de"),
        ("should I play knight f3?", "en"),
        ("maybe e4", "en"),
    ],
)
def test_a_move_that_is_denied_or_wondered_about_is_not_played(line: str, language: str) -> None:
    best = understand_all(line, load(language), Expectation(chess.Board(), Question(None)), typed=True)[0]
    assert isinstance(best.meaning, Unclear) or best.cost > 0, "it is asked about at most"


@pytest.mark.parametrize("line", ["soll ich springer felix drei spielen", "kann ich eva vier spielen"])
def test_nor_is_one_that_is_heard(line: str) -> None:
    best = understand_all(line, load("de"), Expectation(chess.Board(), Question(None)))[0]
    assert isinstance(best.meaning, SpokenMove) and best.cost > 0, "it is asked about"


@pytest.mark.parametrize(
    ("line", "language"),
    [("Soll ich vielleicht e4 spielen oder lieber d4?", "de"), ("should I play e4, or rather d4?", "en")],
)
def test_who_wonders_which_of_two_moves_to_play_plays_none(line: str, language: str) -> None:
    expectation, said = Expectation(chess.Board(), Question(None)), RecognisedUtterance.typed(line, 0)
    heard = Hearing(load(language)).understood(said, expectation, 0, ev.Source.KEYBOARD)
    best = heard.readings[0]
    assert isinstance(best.meaning, Unclear) or best.cost > 0


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("hast du Remis gesagt?", "de"),
        ("ist das remis?", "de"),
        ("soll ich Remis anbieten?", "de"),
        ("did I offer a draw?", "en"),
        ("who offered a draw?", "en"),
        ("maybe a draw", "en"),
    ],
)
def test_who_only_asks_about_a_draw_offers_none(line: str, language: str) -> None:
    expectation, said = Expectation(chess.Board(), Question(None)), RecognisedUtterance.typed(line, 0)
    heard = Hearing(load(language)).understood(said, expectation, 0, ev.Source.KEYBOARD)
    assert isinstance(heard.readings[0].meaning, Unclear)
    assert Command("draw_offer") in [one.meaning for one in heard.perhaps], "it is asked about"


@pytest.mark.parametrize(("line", "language"), [("willst du remis?", "de"), ("shall we call it a draw?", "en")])
def test_who_offers_a_draw_by_a_question_offers_it(line: str, language: str) -> None:
    best = understand_all(line, load(language), Expectation(chess.Board(), Question(None)), typed=True)[0]
    assert (best.meaning, best.cost) == (Command("draw_offer"), 0)


def test_answers_are_corrected_by_answers() -> None:
    assert typed("nein, warte, doch, ja", QuestionKind.YES_NO) == Answer(AnswerKind.YES)
    assert typed("ja, nein, doch nicht", QuestionKind.YES_NO) == Answer(AnswerKind.NO)
    assert typed("nein, den zweiten", QuestionKind.WHICH_MOVE) == Answer(AnswerKind.CHOICE, 2)


@pytest.mark.parametrize(
    ("line", "question", "name"),
    [
        ("was habe ich meine Steine", None, "own_pieces"),  # "ich meine" takes nothing back here
        ("ich biete Remis an, ich meine es ernst", None, "draw_offer"),
        ("gegen den Computer, aber lieber mit Weiß", QuestionKind.OPPONENT, "terms"),  # a colour replaces no opponent
    ],
)
def test_what_is_no_correction(line: str, question: QuestionKind | None, name: str) -> None:
    meaning = typed(line, question)
    assert isinstance(meaning, Command)
    assert meaning.name == name


@pytest.mark.parametrize(
    ("line", "language", "name"),
    [
        ("darf ich den noch mal machen?", "de", "take_back"),
        ("darf ich das noch mal hören?", "de", "repeat"),
        ("wollen wir uns nicht auf ein Unentschieden einigen?", "de", "draw_offer"),
        ("kannst du nicht so laut reden?", "de", "softer"),
        ("a1?", "de", "square"),
        ("das Telefon läutet, unterbrechen wir bitte die Partie", "de", "pause"),
        ("read me the position", "en", "position"),
        ("read me the whole position", "en", "position_whole"),
    ],
)
def test_which_command_is_meant(line: str, language: str, name: str) -> None:
    meaning = typed(line, language=language)
    assert isinstance(meaning, Command)
    assert meaning.name == name


def test_that_a_game_is_saved_does_not_save_it() -> None:
    assert isinstance(typed("die Partie ist gespeichert"), Unclear)
    assert typed("die Partie soll gespeichert werden") == Command("save")


def test_a_square_that_a_pawn_can_go_to_is_a_move_with_any_sign() -> None:
    assert typed("e4?") == SpokenMove(to_file=E, to_rank=3)
