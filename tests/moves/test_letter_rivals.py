"""A file that was heard as a letter: the move is played only where no letter that sounds like it gives a legal one."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest

from tests.drivers.positions import POSITIONS
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.game.agreement import Player
from voicechess.language.confusions import load_confusions
from voicechess.language.lexicon import FILE_KEYS, load
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import Hypothesis, RecognisedUtterance, Word
from voicechess.moves.decisions import Ask, Decision, Play
from voicechess.moves.matching import decide

ENGLISH = Hearing(replace(load("en"), hears="en"))
MIDDLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1"
RANKS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


def heard(fen: str, line: str, hearing: Hearing = ENGLISH) -> Decision:
    board = chess.Board(fen)
    words = tuple(Word(text, n * 300, n * 300 + 250) for n, text in enumerate(line.split()))
    expectation = session_at(board, Player.ENGINE).expectation
    said = RecognisedUtterance((Hypothesis(words),), 0, 3000)
    return decide(board, hearing.understood(said, expectation, 0).readings, expectation.asked)


@pytest.mark.parametrize(
    ("fen", "line", "offered", "then"),
    [
        (chess.STARTING_FEN, "e four", "e2e4", ["b2b4", "c2c4"]),
        (chess.STARTING_FEN, "knight a three", "b1a3", ["g1h3"]),
        (chess.STARTING_FEN, "b two b four", "b2b4", ["c2c4", "d2d4"]),
        (MIDDLE, "bishop b five", "c4b5", ["e3c5", "c4d5"]),
        (MIDDLE, "bishop b four", "e3d4", []),  # which is not legal
    ],
)
def test_the_move_is_asked_about_where_another_letter_gives_a_legal_one(
    fen: str, line: str, offered: str, then: list[str]
) -> None:
    moves = tuple(map(chess.Move.from_uci, (offered,))), tuple(map(chess.Move.from_uci, then))
    assert heard(fen, line) == Ask(moves[0], rest=moves[1])


@pytest.mark.parametrize(
    ("fen", "line", "played"),
    [
        (chess.STARTING_FEN, "knight f three", "g1f3"),
        (chess.STARTING_FEN, "i'd like to go knight c three", "b1c3"),
        (MIDDLE, "knight takes e five", "f3e5"),
        (chess.STARTING_FEN, "echo four", "e2e4"),
        (chess.STARTING_FEN, "eva two echo four", "e2e4"),
        (chess.STARTING_FEN, "pawn delta two david four", "d2d4"),
    ],
)
def test_what_only_one_letter_can_be_is_played_and_so_is_every_name(fen: str, line: str, played: str) -> None:
    assert heard(fen, line) == Play(chess.Move.from_uci(played))


@pytest.mark.parametrize("fen", POSITIONS.values(), ids=POSITIONS)
def test_no_pawn_is_moved_that_another_letter_moves_as_well(fen: str) -> None:
    board, alike = chess.Board(fen), load_confusions("en").letters
    pushes = {
        chess.square_name(move.to_square)
        for move in board.legal_moves
        if board.piece_type_at(move.from_square) == chess.PAWN and not board.is_capture(move) and not move.promotion
    }
    for square in pushes:
        file, rank = square[0], square[1]
        rivals = {f"{other}{rank}" for other in alike.get(file, {})} & {
            chess.square_name(move.to_square)
            for move in board.legal_moves
            if board.piece_type_at(move.from_square) == chess.PAWN
        }
        assert isinstance(heard(fen, f"{file} {RANKS[int(rank) - 1]}"), Ask if rivals else Play), (file, rank)


def test_a_letter_that_sounds_like_it_is_always_a_rival() -> None:
    costs = [cost for said in load_confusions("en").letters.values() for cost in said.values()]
    assert costs and max(costs) < load_thresholds().margin < load_thresholds().full
    assert load_confusions("en").letters.keys() <= set(FILE_KEYS)
    assert load_confusions("de").letters == {}


def test_german_letters_are_what_they_were() -> None:
    assert heard(chess.STARTING_FEN, "e vier", Hearing(load("de"))) == Play(chess.Move.from_uci("e2e4"))
