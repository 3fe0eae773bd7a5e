"""Pawns that are told how far they go are read as their square and its target, and only where one pawn is meant."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.meaning import Expectation, Question
from voicechess.moves.decisions import Play
from voicechess.moves.matching import decide


def played(line: str, board: chess.Board, language: str = "de") -> str | None:
    readings = understand_all(line, load(language), Expectation(board=board), typed=True)
    decision = decide(board, readings, Question(), typed=True)
    return decision.move.uci() if isinstance(decision, Play) else None


@pytest.mark.parametrize(
    ("line", "uci"),
    [
        ("Damenbauer zwei Felder vor.", "d2d4"),
        ("Den Bauern vor dem König zwei vor.", "e2e4"),
        ("Den Bauern vor der Dame nur einen Schritt, auf David drei.", "d2d3"),
        ("Der c-Bauer geht zwei Felder vor.", "c2c4"),
        ("Ich ziehe den d-Bauern einen Schritt vor", "d2d3"),
        ("Bauer Eva zwei zwei Felder vorwärts", "e2e4"),
        ("den Bauern auf g2 einen Schritt vor, bitte", "g2g3"),
        ("Bauer zwei Felder vor", None),  # which one?
        ("Den Bauern vor dem Springer zwei vor", None),  # there are two
        ("Der c-Bauer geht drei Felder vor", None),
        ("Bauer e4 einen Schritt vor", None),  # there is none
    ],
)
def test_the_pawn_that_is_meant_goes_so_far(line: str, uci: str | None) -> None:
    assert played(line, chess.Board()) == uci


@pytest.mark.parametrize(
    ("line", "uci"),
    [
        ("Push the queen's pawn two squares.", "d2d4"),
        ("the pawn in front of the king forward two squares", "e2e4"),
        ("c pawn a square forward", "c2c3"),
        ("king's pawn up two", "e2e4"),
        ("queen's pawn forward one", "d2d3"),
        ("king's pawn up", None),  # how far?
        ("the a pawn one step, please", "a2a3"),
        ("move a pawn one step", None),  # which one?
        ("pawn a two squares", None),  # from a2, or on file a?
        ("my pawn in front of the knight two squares", None),  # there are two
    ],
)
def test_english_pawns_go_so_far_too(line: str, uci: str | None) -> None:
    assert played(line, chess.Board(), "en") == uci


def test_black_goes_down_and_not_through_another_piece() -> None:
    board = chess.Board()
    board.push_san("e4")
    assert played("Königsbauer zwei Felder vor", board) == "e7e5"
    for san in ("Nf6", "Nc3", "a6", "d3", "a5"):
        board.push_san(san)
    assert played("den c-Bauern einen Schritt vor", board) is None
