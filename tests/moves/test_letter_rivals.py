"""A file that was heard as a letter: the move is asked about where another letter was heard as well."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from tests.drivers.positions import POSITIONS
from voicechess.app.adjustments import SpokenWords, adjusted
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.game.agreement import Player
from voicechess.game.events import Source
from voicechess.language.confusions import load_confusions
from voicechess.language.lexicon import FILE_KEYS, load
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import (
    NO_QUESTION,
    Expectation,
    Hypothesis,
    Question,
    QuestionKind,
    Reading,
    RecognisedUtterance,
    SpeakingLevel,
    SpokenMove,
    Word,
)
from voicechess.moves.decisions import Ask, AskPromotion, Decision, Play, Refuse
from voicechess.moves.letter_rivals import LEAST_MARGIN, NAME_COST, RIVAL_COST
from voicechess.moves.matching import decide

ENGLISH = Hearing(replace(load("en"), hears="en"))
GERMAN = Hearing(load("de"))
MIDDLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1"
RANKS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def heard(
    fen: str,
    *lines: str,
    hearing: Hearing = ENGLISH,
    apart: float = 0.5,
    snr_db: int = 30,
    asked: Question = NO_QUESTION,
) -> Decision:
    """What is done about these hypotheses, each of them less likely by `apart` than the one before it, so far above
    the noise of the room, with this question open."""
    board = chess.Board(fen)
    hypotheses = tuple(
        Hypothesis(tuple(Word(text, n * 300, n * 300 + 250) for n, text in enumerate(line.split())), -apart * at)
        for at, line in enumerate(lines)
    )
    expectation = replace(session_at(board, Player.ENGINE).expectation, asked=asked)
    said = RecognisedUtterance(hypotheses, 0, 3000, SpeakingLevel(-25.0, -10.0, -25.0 - snr_db))
    return decide(board, hearing.understood(said, expectation, 0).readings, expectation.asked)


@pytest.mark.parametrize(
    ("fen", "lines", "offered", "then"),
    [
        (chess.STARTING_FEN, ("e four", "b four"), "e2e4", ["b2b4"]),
        (chess.STARTING_FEN, ("knight a three", "knight h three"), "b1a3", ["g1h3"]),
        (chess.STARTING_FEN, ("b two b four", "d two d four"), "b2b4", ["d2d4"]),
        (MIDDLE, ("bishop b five", "bishop c five"), "c4b5", ["e3c5"]),
        (MIDDLE, ("bishop b four", "bishop d four"), "e3d4", []),  # which is not legal
    ],
)
def test_the_move_is_asked_about_where_another_letter_was_heard_that_gives_a_legal_one(
    fen: str, lines: tuple[str, ...], offered: str, then: list[str]
) -> None:
    moves = tuple(map(chess.Move.from_uci, (offered,))), tuple(map(chess.Move.from_uci, then))
    assert heard(fen, *lines, apart=RIVAL_COST - 0.5, snr_db=10) == Ask(moves[0], rest=moves[1])


BISHOP = "4k3/7p/8/2B5/8/8/7P/4K3 w - - 0 1"
PAWN_AND_KING = "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "lines", "offered"),
    [
        (PAWN_AND_KING, ("e seven e six", "e seven d six"), "e7e6"),
        (PAWN_AND_KING, ("e seven e six", "d seven e six"), "e7e6"),
        (PAWN_AND_KING, ("e seven e six", "c seven d six"), "e7e6"),
        (chess.STARTING_FEN, ("knight c three", "knight d three"), "b1c3"),
        (BISHOP, ("bishop c to b four", "bishop c two b four"), "c5b4"),
    ],
)
def test_a_legal_move_is_asked_about_where_an_illegal_one_was_heard_with_another_letter(
    fen: str, lines: tuple[str, ...], offered: str
) -> None:
    assert heard(fen, *lines) == Ask((chess.Move.from_uci(offered),))
    assert heard(fen, lines[0]) == Play(chess.Move.from_uci(offered))


@pytest.mark.parametrize(
    ("fen", "lines", "letters", "played"),
    [
        (chess.STARTING_FEN, ("e four", "b four"), "eb", "e2e4"),
        (chess.STARTING_FEN, ("d four", "e four"), "de", "d2d4"),
        (chess.STARTING_FEN, ("b two b four", "d two d four"), "bd", "b2b4"),
        (PAWN_AND_KING, ("e seven e six", "d seven e six"), "ed", "e7e6"),
        (chess.STARTING_FEN, ("knight c three", "knight d three"), "cd", "b1c3"),
    ],
)
def test_another_letter_is_a_rival_up_to_the_margin_that_was_measured(
    fen: str, lines: tuple[str, ...], letters: str, played: str
) -> None:
    margin = max(LEAST_MARGIN, load_confusions("en").margins.get(letters[0], {}).get(letters[1], 0.0))
    assert isinstance(heard(fen, *lines, apart=margin - 0.1), Ask)
    assert heard(fen, *lines, apart=margin + 0.1) == Play(chess.Move.from_uci(played))


@pytest.mark.parametrize("lines", [("d four", "e four"), ("knight c three", "knight d three")])
def test_in_noise_every_letter_is_a_rival_further_than_that(lines: tuple[str, ...]) -> None:
    assert isinstance(heard(chess.STARTING_FEN, *lines, apart=RIVAL_COST - 0.1, snr_db=10), Ask)
    assert isinstance(heard(chess.STARTING_FEN, *lines, apart=RIVAL_COST - 0.1), Play)
    assert isinstance(heard(chess.STARTING_FEN, *lines, apart=RIVAL_COST + 0.1, snr_db=10), Play)


def test_letters_that_are_not_alike_stay_as_near_as_they_were_heard() -> None:
    assert isinstance(heard(chess.STARTING_FEN, "g four", "a four", apart=LEAST_MARGIN + 0.25), Ask)


def test_a_name_beside_a_letter_stays_as_near_as_it_was_heard() -> None:
    assert isinstance(heard(chess.STARTING_FEN, "d four", "echo four", apart=LEAST_MARGIN + 0.25), Ask)


ROOKS = "R7/4k3/8/8/8/8/8/R3K3 w - - 0 1"


def test_a_move_from_a_rank_is_asked_about_where_an_illegal_one_from_a_file_of_it_was_heard() -> None:
    lines = ("rook eight b eight", "rook h eight b eight")
    assert heard(ROOKS, *lines) == Ask((chess.Move.from_uci("a8b8"),))
    assert heard(ROOKS, lines[0]) == Play(chess.Move.from_uci("a8b8"))
    assert heard(ROOKS, *lines, apart=RIVAL_COST + 0.5) == Play(chess.Move.from_uci("a8b8"))
    assert heard(ROOKS, lines[0], "rook a eight b eight") == Play(chess.Move.from_uci("a8b8"))


QUEEN = "2q4k/8/8/8/8/8/8/4K3 b - - 0 1"
BEHIND_A_KNIGHT = "n1q4k/8/8/8/8/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "lines", "offered"),
    [
        (QUEEN, ("queen cesar eight goes to eva eight", "queen cesar eight goes to anna eight"), ["c8e8", "c8a8"]),
        (QUEEN, ("queen to eva eight", "queen goes anna eight"), ["c8e8", "c8a8"]),
        (chess.STARTING_FEN, ("eva four", "caesar four"), ["e2e4", "c2c4"]),
        (chess.STARTING_FEN, ("eva two eva four", "cesar two cesar four"), ["e2e4", "c2c4"]),
    ],
)
def test_in_noise_a_move_is_asked_about_where_another_name_was_heard_that_noise_makes_of_it(
    fen: str, lines: tuple[str, ...], offered: list[str]
) -> None:
    asked = Ask(tuple(map(chess.Move.from_uci, offered)))
    assert heard(fen, *lines, apart=NAME_COST - 0.1, snr_db=10) == asked
    assert heard(fen, *lines, apart=NAME_COST - 0.1) == Play(asked.moves[0])
    assert heard(fen, *lines, apart=NAME_COST + 0.2, snr_db=10) == Play(asked.moves[0])


@pytest.mark.parametrize(
    ("fen", "lines", "played"),
    [
        (QUEEN, ("queen cesar eight goes to anna eight", "queen cesar eight goes to eva eight"), "c8a8"),  # never so
        (BEHIND_A_KNIGHT, ("queen to eva eight", "queen to anna eight"), "c8e8"),  # not legal
        (QUEEN, ("queen to gustav eight", "queen to david eight"), "c8g8"),
        (QUEEN, ("queen to eva eight", "queen to alpha eight"), "c8e8"),
        (chess.STARTING_FEN, ("eva four", "eva three"), "e2e4"),
        (chess.STARTING_FEN, ("eva four", "knight cesar three"), "e2e4"),
    ],
)
def test_other_names_are_as_near_as_they_were_heard(fen: str, lines: tuple[str, ...], played: str) -> None:
    assert heard(fen, *lines, apart=NAME_COST - 0.5, snr_db=10) == Play(chess.Move.from_uci(played))


EIGHT = "r3k3/8/8/8/8/8/8/4K3 b - - 0 1"


@pytest.mark.parametrize("lost", ["a", "h"])
@pytest.mark.parametrize("name", ["anna", "alpha"])
def test_a_letter_behind_a_name_is_the_eight_that_was_heard_there_as_well(name: str, lost: str) -> None:
    whole, without_its_end = f"rook {name} eight {name} six", f"rook {name} {lost} {name} six"
    assert heard(EIGHT, without_its_end, whole, apart=0.0) == Play(chess.Move.from_uci("a8a6"))
    assert not isinstance(heard(EIGHT, without_its_end), Play)


def test_it_is_so_of_both_ranks_of_a_move() -> None:
    lines = ("rook anna a bella a", "rook anna a bella eight", "rook anna eight bella eight")
    assert heard(EIGHT, *lines, apart=0.0) == Play(chess.Move.from_uci("a8b8"))


def test_an_eight_that_was_not_heard_is_not_put_there() -> None:
    assert not isinstance(heard(EIGHT, "rook anna a bella a", "rook anna seven bella seven", apart=0.0), Play)


KNIGHT = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1"
TO_EVA_TWO = "knight gustav two eva two", "knight gustav to eva two"


def test_a_second_rank_that_was_heard_for_to_is_not_counted_where_it_is_illegal() -> None:
    asked = Ask((chess.Move.from_uci("g1e2"),))
    assert heard(KNIGHT, *TO_EVA_TWO, apart=2.0) == heard(KNIGHT, *TO_EVA_TWO, apart=2.0, snr_db=10) == asked
    assert heard(KNIGHT, TO_EVA_TWO[1]) == Play(asked.moves[0])
    assert isinstance(heard(KNIGHT, TO_EVA_TWO[0]), Refuse)
    from_both = KNIGHT.replace("4K1N1", "4K1NN")
    assert heard(from_both, *TO_EVA_TWO, apart=2.0) == asked


def test_a_to_that_was_heard_for_a_second_rank_is_not_counted_either() -> None:
    knight = "4k3/7p/8/8/8/8/N6P/4K3 w - - 0 1"
    lines = ("anna to cesar three", "anna two cesar three")
    assert heard(knight, *lines, apart=1.0) == Play(chess.Move.from_uci("a2c3"))
    assert isinstance(heard(knight, lines[0]), Ask)
    pawn = "4k3/8/8/8/8/2p5/1P6/4K3 w - - 0 1"
    assert heard(pawn, "bella to cesar three", "bella two cesar three") == heard(pawn, "bella two cesar three")


def test_saying_such_a_move_again_where_that_was_asked_for_is_a_yes() -> None:
    asked = Question(QuestionKind.WHICH_MOVE, (chess.Move.from_uci("g1e2"),), whole=True)
    assert heard(KNIGHT, *TO_EVA_TWO, apart=2.0, snr_db=10, asked=asked) == Play(asked.candidates[0])
    other = replace(asked, candidates=(chess.Move.from_uci("c3e2"),))
    assert not isinstance(heard(KNIGHT, *TO_EVA_TWO, apart=2.0, snr_db=10, asked=other), Play)


ROOK = "5r2/8/k7/8/8/8/8/K7 b - - 0 1"


@pytest.mark.parametrize("hearing", [ENGLISH, GERMAN], ids=["en", "de"])
@pytest.mark.parametrize(
    ("line", "uci"),
    [
        ("turm felix acht auf a acht", "f8a8"),  # had been "auf Eva acht"
        ("turm f acht auf anna acht", "f8a8"),
        ("turm foxtrot acht nach e acht", "f8e8"),
        ("turm f acht nach felix sieben", "f8f7"),
    ],
)
def test_a_letter_among_names_is_asked_about_however_clear_it_was(hearing: Hearing, line: str, uci: str) -> None:
    assert heard(ROOK, line, hearing=hearing) == Ask((chess.Move.from_uci(uci),))


@pytest.mark.parametrize(
    ("line", "uci"),
    [
        ("rook felix eight to a eight", "f8a8"),
        ("rook f takes alpha eight", "f8a8"),
        ("move the rook foxtrot eight to e eight", "f8e8"),
    ],
)
def test_so_it_is_in_english_words(line: str, uci: str) -> None:
    assert heard(ROOK, line) == Ask((chess.Move.from_uci(uci),))


@pytest.mark.parametrize(
    ("line", "uci"),
    [
        ("rook felix eight to echo eight", "f8e8"),
        ("rook f eight to a eight", "f8a8"),
        ("move a rook felix eight to anna eight", "f8a8"),  # "a" is an article here
    ],
)
def test_names_and_letters_by_themselves_are_played_and_an_article_is_no_letter(line: str, uci: str) -> None:
    assert heard(ROOK, line) == Play(chess.Move.from_uci(uci))


def test_the_words_of_the_likeliest_hypothesis_say_whether_letters_and_names_are_mixed() -> None:
    names, mixed = "rook felix eight to anna eight", "rook felix eight to a eight"
    assert heard(ROOK, names, mixed) == Play(chess.Move.from_uci("f8a8"))
    assert heard(ROOK, mixed, names) == Ask((chess.Move.from_uci("f8a8"),))


def test_the_rivals_of_a_letter_among_names_are_marked_as_well() -> None:
    board = chess.Board(ROOK)
    words = "rook felix eight to e eight"
    meanings = [SpokenMove(chess.ROOK, 5, 7, file, 7) for file in (4, 0, 7)]
    named = Reading(meanings[2], 3.0, "rook felix eight to hector eight")
    rule = SpokenWords(RecognisedUtterance((), 0, 0), Expectation(board=board), ENGLISH.lexicon)
    readings = adjusted(rule, (Reading(meanings[0], 0.1, words), Reading(meanings[1], 1.0, words, letter=True), named))
    assert {one.meaning for one in readings if one.suspect} == set(meanings[:2])


def test_a_promotion_with_a_letter_among_names_is_asked_about_before_its_piece() -> None:
    board = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
    assert isinstance(heard(board, "anna seven takes bella eight"), AskPromotion)
    decision = heard(board, "anna seven takes b eight")
    assert isinstance(decision, Ask) and len(decision.moves) == 1


def test_typed_letters_among_names_are_played() -> None:
    board = chess.Board(ROOK)
    expectation = session_at(board, Player.ENGINE).expectation
    line = tuple(Word(text, 0, 0) for text in ("rook", "felix", "eight", "a", "eight"))
    typed = ENGLISH.understood(RecognisedUtterance((Hypothesis(line),), 0, 0), expectation, 0, Source.KEYBOARD)
    assert decide(board, typed.readings, expectation.asked, typed=True) == Play(chess.Move.from_uci("f8a8"))


def test_an_illegal_move_is_refused_whatever_other_letter_was_heard() -> None:
    assert isinstance(heard(PAWN_AND_KING, "c seven c six", "d seven d six"), Refuse)


def test_letters_that_nobody_can_tell_apart_are_together_an_announcement() -> None:
    one_of_four = ("b two d four", "d two d four", "c two d four", "e two d four")
    assert heard(chess.STARTING_FEN, *one_of_four, apart=0.1) == Ask((chess.Move.from_uci("d2d4"),))
    illegal = ("c seven c six", "d seven d six", "b seven b six", "g seven g six")
    assert isinstance(heard(PAWN_AND_KING, *illegal, apart=0.1), Refuse)


def test_a_legal_move_among_them_is_not_played_for_it() -> None:
    lines = ("e two e four", "b two e four", "c two e four", "d two e four")
    assert not isinstance(heard(chess.STARTING_FEN, *lines, apart=0.1), Play)


@pytest.mark.parametrize(
    ("fen", "line", "played"),
    [
        (chess.STARTING_FEN, "e four", "e2e4"),
        (chess.STARTING_FEN, "knight f three", "g1f3"),
        (chess.STARTING_FEN, "i'd like to go knight c three", "b1c3"),
        (chess.STARTING_FEN, "c four", "c2c4"),
        (MIDDLE, "knight takes e five", "f3e5"),
        (chess.STARTING_FEN, "echo four", "e2e4"),
        (chess.STARTING_FEN, "eva two echo four", "e2e4"),
        (chess.STARTING_FEN, "pawn delta two david four", "d2d4"),
    ],
)
def test_what_only_one_letter_can_be_is_played_and_so_is_every_name(fen: str, line: str, played: str) -> None:
    assert heard(fen, line) == Play(chess.Move.from_uci(played))


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_no_pawn_is_moved_beside_a_letter_that_was_heard_as_well(fen: str) -> None:
    board, alike = chess.Board(fen), load_confusions("en").letters
    pushes = {
        chess.square_name(move.to_square)
        for move in board.legal_moves
        if board.piece_type_at(move.from_square) == chess.PAWN and not board.is_capture(move) and not move.promotion
    }
    for square in pushes:
        file, number = square[0], RANKS[int(square[1]) - 1]
        for other in alike.get(file, {}):
            found = heard(fen, f"{file} {number}", f"{other} {number}")
            assert isinstance(found, Ask), (square, other)
            assert chess.square_name(found.moves[0].to_square) == square


def test_a_letter_that_was_heard_nearly_as_likely_is_always_a_rival() -> None:
    costs = [cost for said in load_confusions("en").letters.values() for cost in said.values()]
    assert costs and max(costs) < load_thresholds().margin < load_thresholds().full
    assert load_confusions("en").letters.keys() <= set(FILE_KEYS)
    assert load_confusions("de").letters == {}


def test_margins_are_measured_of_letters_that_are_alike_and_wider_than_the_least() -> None:
    found = load_confusions("en")
    assert found.margins and load_confusions("de").margins == {}
    for heard_letter, said in found.margins.items():
        assert said.keys() <= found.letters[heard_letter].keys()
        assert all(LEAST_MARGIN < margin <= RIVAL_COST for margin in said.values())


def test_german_letters_are_what_they_were() -> None:
    assert heard(chess.STARTING_FEN, "e vier", hearing=GERMAN) == Play(chess.Move.from_uci("e2e4"))
