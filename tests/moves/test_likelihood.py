"""The recapture is offered first; it is never played for being one."""

from __future__ import annotations

from random import Random

import chess
import pytest

from tests.drivers.events import some_move, spoken
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import Reading, SpokenMove
from voicechess.moves.decisions import Ask, Play
from voicechess.moves.fitting import RECAPTURE, recaptures
from voicechess.moves.matching import decide

THRESHOLDS = load_thresholds()

CAPTURED = "e2e4 d7d5 b1c3 d5e4"
"""Black has just taken on e4; the knight can take back, and has other moves."""
TAKES_BACK, ELSEWHERE = chess.Move.from_uci("c3e4"), chess.Move.from_uci("c3d5")


def after(moves: str) -> chess.Board:
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    return board


def test_only_taking_what_has_just_taken_is_a_recapture() -> None:
    board = after(CAPTURED)
    assert [move for move in board.legal_moves if recaptures(board, move)] == [TAKES_BACK]
    assert not recaptures(chess.Board(board.fen()), TAKES_BACK), "the last move is not known"
    quiet = after("e2e4 d7d5")
    assert not any(recaptures(quiet, move) for move in quiet.legal_moves)


@pytest.mark.parametrize(
    ("above", "first"), [(0.0, TAKES_BACK), (0.9 * RECAPTURE, TAKES_BACK), (1.1 * RECAPTURE, ELSEWHERE)]
)
def test_it_is_offered_first_where_what_was_heard_says_little(above: float, first: chess.Move) -> None:
    board = after(CAPTURED)
    readings = [Reading(spoken(board, ELSEWHERE)), Reading(spoken(board, TAKES_BACK), above)]
    decision = decide(board, readings)
    assert isinstance(decision, Ask) and decision.moves[0] == first
    assert set(decision.moves) == {TAKES_BACK, ELSEWHERE}


def test_a_recapture_alone_is_never_played() -> None:
    """Whatever is heard, with whatever costs: what is played is the same without knowing what was just taken."""
    known = after(CAPTURED)
    unknown = chess.Board(known.fen())
    random = Random(11)
    legal = list(known.legal_moves)
    asked = played = 0
    for _ in range(3_000):
        meanings: list[SpokenMove] = [spoken(known, TAKES_BACK)]
        meanings += [spoken(known, random.choice(legal)), some_move(random)]
        random.shuffle(meanings)
        readings = [Reading(one, random.choice((0.0, 0.3, random.uniform(0, 2 * THRESHOLDS.half)))) for one in meanings]
        decision, plain = decide(known, readings), decide(unknown, readings)
        assert type(decision) is type(plain)
        if isinstance(decision, Play):
            played += 1
            assert decision == plain
        if isinstance(decision, Ask) and isinstance(plain, Ask):
            asked += 1
            assert len(decision.moves) == len(plain.moves)
    assert asked > 500 and played > 100, "there was nothing to compare"


def test_silence_about_the_move_is_no_recapture() -> None:
    """A reading too poor to be asked about, or only half a move, stays what it is."""
    board = after(CAPTURED)
    assert not isinstance(decide(board, [Reading(spoken(board, TAKES_BACK), 1.1)]), Play)
    assert not isinstance(decide(board, [Reading(SpokenMove(captures=True))]), Play)
    assert not isinstance(decide(board, [Reading(SpokenMove(piece=chess.KNIGHT))]), Play)
