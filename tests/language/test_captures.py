"""Captures without a square: "schlag die Dame", "take it". They are asked about, and never played at once."""

from __future__ import annotations

import chess
import pytest

from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.meaning import Expectation, RecognisedUtterance
from voicechess.moves.decisions import Act, Ask, Decision, Refuse
from voicechess.moves.matching import decide

QUEEN = "rnb1kbnr/ppp1pppp/8/3q4/3P4/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 4"
"""The knight on c3 can take the queen on d5, and nothing else."""

TWO_TAKE = "rnb1kbnr/ppp1pppp/8/3q4/2P5/2N5/PP3PPP/R1BQKBNR w KQkq - 0 4"
"""The knight on c3 and the pawn on c4 can take the queen, the queen on d1 too."""


def decision(line: str, fen: str = QUEEN, language: str = "de", moves: tuple[str, ...] = ()) -> Decision:
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    said = RecognisedUtterance.typed(line, 0)
    heard = Hearing(load(language)).understood(said, Expectation(board), 0, ev.Source.KEYBOARD)
    return decide(board, heard.readings)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("schlag die Dame", "de"),
        ("die Dame schlagen", "de"),
        ("nimm die Dame", "de"),
        ("ich möchte die Dame schlagen", "de"),
        ("schlag sie", "de"),
        ("den schlage ich", "de"),
        ("schlag sie mit dem Springer", "de"),
        ("schlag zurück", "de"),
        ("der Springer nimmt sie", "de"),
        ("take the queen", "en"),
        ("I'll take the queen", "en"),
        ("recapture", "en"),
        ("knight takes it", "en"),
        ("take her with the knight", "en"),
    ],
)
def test_a_capture_without_its_square_is_asked_about(line: str, language: str) -> None:
    assert decision(line, language=language) == Ask((chess.Move.from_uci("c3d5"),))


def test_several_ways_are_a_choice() -> None:
    taken = decision("schlag die Dame", TWO_TAKE)
    assert isinstance(taken, Ask)
    assert {move.uci() for move in taken.moves} == {"c3d5", "c4d5", "d1d5"}


def test_it_is_what_has_just_moved() -> None:
    moves = ("e2e4", "e7e5", "g1f3", "b8c6", "d2d4", "e5d4")
    before = decision("nimm ihn", chess.STARTING_FEN, moves=moves)  # on d4 by two; c6 cannot be taken
    assert isinstance(before, Ask)
    assert {move.uci() for move in before.moves} == {"f3d4", "d1d4"}
    elsewhere = (*moves[:4], "d2d4", "f7f5")  # e5 and f5 can be taken; f5 has just moved
    assert decision("nimm ihn", chess.STARTING_FEN, moves=elsewhere) == Ask((chess.Move.from_uci("e4f5"),))


@pytest.mark.parametrize(
    ("line", "language", "key"),
    [
        ("schlag den Turm", "de", "cannot_capture"),
        ("take the rook", "en", "cannot_capture"),
    ],
)
def test_what_cannot_be_captured_is_refused_with_the_reason(line: str, language: str, key: str) -> None:
    refused = decision(line, language=language)
    assert isinstance(refused, Refuse)
    assert refused.refusal.key == key


def test_nothing_to_capture() -> None:
    refused = decision("nimm ihn", chess.STARTING_FEN)
    assert isinstance(refused, Refuse)
    assert refused.refusal.key == "capture_nowhere"


@pytest.mark.parametrize("line", ["nimm ihn zurück", "nimm zurück", "das nehme ich zurück"])
def test_taking_back_captures_nothing(line: str) -> None:
    taken = decision(line)
    assert isinstance(taken, Act)
    assert taken.command.name == "take_back"


@pytest.mark.parametrize("line", ["ich schlage vor", "sag mal", "ich nehme an"])
def test_other_words_with_the_same_verbs_are_no_capture(line: str) -> None:
    assert not isinstance(decision(line), Ask | Refuse)
