"""Braille: known cells and moves, BRF against the published Braille ASCII table."""

from __future__ import annotations

import chess
import pytest

from voicechess.score.braille import (
    brf,
    move_in_braille,
    ordinal,
    position_in_braille,
    score_in_braille,
    text_in_braille,
)
from voicechess.score.score import Entry, Note, NoteKind, PieceLetters, Score, move_list


def braille(fen: str, san: str) -> str:
    board = chess.Board(fen)
    return move_in_braille(board, board.parse_san(san))


MOVES = {
    (chess.STARTING_FEN, "e4"): "⠑⠲",
    (chess.STARTING_FEN, "Nf3"): "⠨⠎⠋⠒",
    ("4k3/8/8/4p3/3P4/8/8/3QK3 w - - 0 1", "dxe5"): "⠙⠭⠑⠢",
    ("4k3/8/8/3p4/8/8/8/3QK2Q w - - 0 1", "Qhxd5"): "⠨⠙⠓⠭⠙⠢",
    ("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "O-O"): "⠴⠤⠴",
    ("3k4/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+"): "⠁⠦⠨⠙⠖",
    ("7k/R7/6K1/8/8/8/8/8 w - - 0 1", "Ra8#"): "⠨⠞⠁⠦⠖⠖",
}


@pytest.mark.parametrize(("fen", "san"), MOVES)
def test_moves(fen: str, san: str) -> None:
    assert braille(fen, san) == MOVES[fen, san]


def test_queen_and_pawn_of_the_d_file_are_told_apart() -> None:
    board = chess.Board("4k3/8/5p2/4p3/3P1Q2/8/8/4K3 w - - 0 1")
    assert len({move_in_braille(board, move) for move in board.legal_moves}) == board.legal_moves.count()


def test_move_numbers_are_ordinals() -> None:
    assert ordinal(12) == "⠼⠂⠆"
    assert ordinal(30) == "⠼⠒⠴"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Weiß: Anna", "⠨⠺⠑⠊⠮⠒⠀⠨⠁⠝⠝⠁"),
        ("fünf Züge, öde.", "⠋⠳⠝⠋⠀⠨⠵⠳⠛⠑⠂⠀⠪⠙⠑⠄"),
        ("4:58", "⠼⠙⠠⠒⠼⠑⠓"),
        ("1:09:30", "⠼⠁⠠⠒⠼⠚⠊⠠⠒⠼⠉⠚"),
        ("01.05.2026", "⠼⠚⠁⠄⠚⠑⠄⠃⠚⠃⠋"),
        ("Stufe 3.", "⠨⠎⠞⠥⠋⠑⠀⠼⠉⠄"),
        ("½-½", "⠼⠁⠆⠤⠼⠁⠆"),
        ("1-0", "⠼⠁⠤⠼⠚"),
        ("3b", "⠼⠉⠠⠃"),
        ("Ångström", "⠨⠁⠝⠛⠎⠞⠗⠪⠍"),
        ("é 王 ٣", "⠑⠀⠢⠀⠢"),
        ("", ""),
    ],
)
def test_words_names_and_numbers(text: str, cells: str) -> None:
    assert text_in_braille(text) == cells


def test_a_score() -> None:
    moves = [chess.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3")]
    score = Score(entries=tuple(Entry(move, draw_offered=move.uci() == "e7e5") for move in moves))
    assert score_in_braille(score) == ("⠼⠂⠀⠑⠲⠀⠑⠢⠀⠶", "⠼⠆⠀⠨⠎⠋⠒")
    timed = Score(entries=tuple(Entry(move, 298_999, 5_401_000, move.uci() == "e7e5") for move in moves[:2]))
    assert score_in_braille(timed) == ("⠼⠂⠀⠑⠲⠀⠼⠙⠠⠒⠼⠑⠓⠀⠑⠢⠀⠶⠀⠼⠁⠠⠒⠼⠉⠚⠠⠒⠼⠚⠁",)


def test_what_happened_stands_before_its_move_and_behind_the_last_one() -> None:
    warned = (Note(NoteKind.WARNING, chess.WHITE),)
    score = Score(entries=(Entry(chess.Move.from_uci("e2e4"), notes=warned),), after=warned)
    cells = text_in_braille("(verwarnt)")
    assert score_in_braille(score, lambda note: "verwarnt") == (f"⠼⠂⠀{cells}⠀⠑⠲", cells)
    assert score_in_braille(score) == ("⠼⠂⠀⠑⠲",)
    assert move_list(score, PieceLetters.GERMAN, lambda note: "verwarnt") == ("1. (verwarnt) e4", "(verwarnt)")
    assert move_list(score, PieceLetters.GERMAN) == ("1. e4",)


def test_a_position() -> None:
    white, black = position_in_braille(chess.Board("4k3/p7/8/8/8/8/1P6/Q3K3 w - - 0 1"))
    assert white == "⠨⠅⠑⠂⠀⠨⠙⠁⠂⠀⠃⠆"
    assert black == "⠨⠅⠑⠦⠀⠁⠶"


def test_brf_is_braille_ascii() -> None:
    """The 64 cells in the order of the published table (Braille ASCII, U+2800 onwards)."""
    cells = "".join(chr(0x2800 + cell) for cell in range(1, 64))
    text = brf((cells[:40], cells[40:]))
    assert text == "A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.\r\n%[$+X!&;:4\\0Z7(_?W]#Y)=\r\n"


def test_brf_wraps_and_turns_pages() -> None:
    _, black = position_in_braille(chess.Board())
    lines = brf((black,)).split("\r\n")
    assert max(map(len, lines)) <= 40
    assert lines[1].startswith("  ")
    assert brf(("⠁",) * 26).count("\f") == 1
    with pytest.raises(ValueError, match="six-dot"):
        brf(("a",))
