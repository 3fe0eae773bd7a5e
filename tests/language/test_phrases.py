"""What the recogniser is told to listen for: every sensible pair of words, nothing the model lacks, not too much."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import chess
import pytest

from tests.drivers.positions import POSITIONS
from voicechess.app.simulation import session_at
from voicechess.game.agreement import Player
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.phrases import MAX_PHRASES, phrases
from voicechess.language.tokens import tokenise
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Question, QuestionKind
from voicechess.moves.saying import said_move

GERMAN = load("de")
ENGLISH = replace(load("en"), hears="en")


def pairs(listened: tuple[str, ...]) -> set[tuple[str, str]]:
    return {pair for phrase in listened for pair in pairwise(["<s>", *phrase.split(), "</s>"])}


def lacking(sentence: str, listened: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pairs of neighbouring words of a sentence that no phrase holds; if none, the bigram model has it whole."""
    words = [token.text for token in tokenise(sentence, GERMAN)]
    return [pair for pair in pairwise(["<s>", *words, "</s>"]) if pair not in listened]


@pytest.mark.parametrize("name", POSITIONS)
def test_every_announcement_of_every_legal_move_can_be_heard_whole(name: str) -> None:
    board, wording = chess.Board(POSITIONS[name]), Wording("de")
    listened = pairs(phrases(Expectation(board=board), GERMAN))
    for move in board.legal_moves:
        for full in (False, True):
            text = wording.move(said_move(board, move), full)
            assert not lacking(text, listened), text


@pytest.mark.parametrize("name", POSITIONS)
def test_legal_moves_stand_there_as_whole_phrases_which_makes_them_likelier(name: str) -> None:
    board, wording = chess.Board(POSITIONS[name]), Wording("de")
    listened = set(phrases(Expectation(board=board), GERMAN))
    for move in board.legal_moves:
        said = replace(said_move(board, move), check=None)
        assert wording.move(said).lower() in listened
        if said.castling is None:
            assert wording.move(said, full=True).lower().removeprefix("bauer ") in listened


def test_illegal_announcements_can_be_heard_as_what_they_are() -> None:
    listened = pairs(phrases(Expectation(board=chess.Board()), GERMAN))
    wording = Wording("de")
    for piece in ("könig", "dame", "turm", "läufer", "springer", "pferd", "bauer"):
        for square in chess.SQUARES:
            for link in ("", "schlägt ", "nimmt ", "nach "):
                assert not lacking(f"{piece} {link}{wording.square(square)}", listened)
    for origin in chess.SQUARES:
        assert not lacking(f"{wording.square(origin)} {wording.square(63 - origin)}", listened)
        assert not lacking(f"{wording.file(origin % 8)} schlägt {wording.square(origin)}", listened)
        assert not lacking(f"turm {wording.file(origin % 8)} {wording.square(63 - origin)}", listened)
        assert not lacking(f"dame {wording.square(origin)} schach", listened)
        assert not lacking(f"dame {wording.square(origin)} matt", listened)
    for words in (
        "kurze rochade",
        "lange rochade",
        "eva acht dame",
        "eva acht springer",
        "rochade",
        "nein turm anna drei",
    ):
        assert not lacking(words, listened)


def test_only_the_commands_that_are_valid_now() -> None:
    few = phrases(Expectation(board=chess.Board(), commands=frozenset({"repeat"})), GERMAN)
    assert "wiederholen" in few
    assert "ich gebe auf" not in few
    assert "ich gebe auf" in phrases(Expectation(), GERMAN)
    assert {"ja", "nein", "äh", "kaffee"} <= set(few)


@pytest.mark.parametrize(
    ("question", "sentences"),
    [
        (QuestionKind.YES_NO, ["ja", "nein", "richtig", "falsch"]),
        (
            QuestionKind.WHICH_MOVE,
            ["die zweite", "von gustav", "von drei", "bella", "drei", "keiner", "springer", "schlägt"],
        ),
        (QuestionKind.COMPLETE, ["vier", "anna", "von eva", "felix drei"]),
        (
            QuestionKind.PROMOTION,
            [
                "dame",
                "springer",
                "turm",
                "läufer",
                "in dame",
                "königin",
                "ich möchte einen läufer",
                "mach eine dame daraus",
                "keinen turm",
            ],
        ),
        (QuestionKind.COLOUR, ["weiß", "schwarz", "zufall", "wie immer"]),
        (QuestionKind.OPPONENT, ["gegen die maschine", "mensch", "computer"]),
        (QuestionKind.LEVEL, ["stufe drei", "zehn", "acht"]),
        (QuestionKind.TIME, ["fünf minuten", "neunzig minuten plus dreißig", "fünf plus drei", "ohne uhr"]),
        (QuestionKind.TRY_MICROPHONE, ["anna eins"]),
        (QuestionKind.EXERCISE, ["hell", "weißer springer", "drei", "felix drei", "springer felix drei", "weiß nicht"]),
    ],
)
def test_answers_to_each_question_can_be_heard(question: QuestionKind, sentences: list[str]) -> None:
    listened = pairs(phrases(Expectation(asked=Question(question), commands=frozenset()), GERMAN))
    known = {word for pair in listened for word in pair}
    for sentence in sentences:
        words = [word for word in sentence.split() if word not in GERMAN.fillers]
        assert set(words) <= known, sentence
        if words == sentence.split() and question is not QuestionKind.TIME:
            assert not lacking(sentence, listened), sentence


def test_a_model_with_few_words_is_never_offered_others() -> None:
    known = {"anna", "eva", "hotel", "eins", "vier", "springer", "nach", "ja", "und", "was", "steht", "auf", "dame"}
    lexicon = GERMAN.restrict(known.__contains__)
    for question in (None, *QuestionKind):
        found = phrases(Expectation(chess.Board(), Question(question)), lexicon)
        assert found
        assert {word for phrase in found for word in phrase.split()} <= known
    assert not lacking("springer nach hotel vier", pairs(phrases(Expectation(board=chess.Board()), lexicon)))


def test_a_model_without_any_of_our_words_gets_nothing() -> None:
    lexicon = GERMAN.restrict(lambda _word: False)
    for question in (None, *QuestionKind):
        assert phrases(Expectation(chess.Board(), Question(question)), lexicon) == ()


@pytest.mark.parametrize("name", POSITIONS)
def test_they_are_bounded_and_without_doubles(name: str) -> None:
    for question in (None, *QuestionKind):
        for lexicon in (GERMAN, ENGLISH):
            found = phrases(Expectation(chess.Board(POSITIONS[name]), Question(question)), lexicon)
            assert 100 < len(found) < MAX_PHRASES
            assert len(set(found)) == len(found)


def test_english_files_are_listened_for_in_every_alphabet_and_mixed() -> None:
    found = phrases(Expectation(board=chess.Board()), ENGLISH)
    assert {"knight felix three", "knight foxtrot three", "knight f three", "golf two golf four"} <= set(found)
    for said in ("knight golf one felix three", "bishop takes b five", "rook h one hotel four", "pawn e two echo four"):
        assert not set(pairwise(("<s>", *said.split(), "</s>"))) - pairs(found), said


def test_an_english_game_listens_for_german() -> None:
    board = chess.Board()
    assert phrases(Expectation(board=board), load("en")) == phrases(Expectation(board=board), GERMAN)


def test_asking_leaves_the_board_alone() -> None:
    board = chess.Board()
    phrases(Expectation(board=board), GERMAN)
    assert board == chess.Board()


def test_answers_are_listened_for_as_people_say_them_and_a_yes_begins_with_one() -> None:
    lexicon, board = load("de"), chess.Board()
    asked = set(phrases(Expectation(board, Question(QuestionKind.YES_NO), frozenset({"help"})), lexicon))
    assert {"ja genau", "nein danke", "nein falsch"} <= asked
    assert not {"passt", "mach nur", "los"} & asked
    moves = (chess.Move.from_uci("b1d2"), chess.Move.from_uci("f3d2"))
    which = set(phrases(Expectation(board, Question(QuestionKind.WHICH_MOVE, moves), frozenset({"help"})), lexicon))
    assert any("anderen" in one.split() for one in which) and any(one.startswith("den ersten") for one in which)


def test_words_of_lines_in_any_order_are_listened_for_where_the_model_knows_them() -> None:
    asked = Expectation(asked=Question(QuestionKind.OPPONENT), commands=frozenset(GERMAN.commands))
    offered = {word for phrase in phrases(asked, GERMAN) for word in phrase.split()}
    assert {"trainieren", "niemanden", "überhaupt", "gehts"} <= offered
    fewer = replace(GERMAN, silent=frozenset({"niemanden"}))
    assert not any("niemanden" in phrase.split() for phrase in phrases(asked, fewer))
    alone = {word for phrase in phrases(Expectation(board=chess.Board()), GERMAN) for word in phrase.split()}
    assert "trainieren" not in alone  # where no wordings are listened for


@pytest.mark.parametrize("lexicon", [GERMAN, ENGLISH], ids=["de", "en"])
def test_every_word_that_a_typed_move_may_have_can_be_heard(lexicon: Lexicon) -> None:
    """ "Läufer frisst auf Cesar zwei" was heard as "Läufer vier ist …": "frisst" had not been offered."""
    expected = session_at(chess.Board(), Player.ENGINE).expectation
    listened = {word for phrase in phrases(expected, lexicon) for word in phrase.split()}
    around = lexicon.heard.wordings
    links = (around.move, lexicon.heard.move)
    words = {word for table in links for patterns in table.values() for one in patterns for word in one.words()}
    missing = {word for word in words.union(around.pieces) if lexicon.heard.sayable(word)} - listened
    assert words and not missing
