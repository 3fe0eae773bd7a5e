"""Pieces on squares, as many as are said in one breath: what they mean, and that every pair of their words is listened
for."""

from __future__ import annotations

from itertools import pairwise

import chess
import pytest

from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.language.placements import REST, placements
from voicechess.language.tokens import tokenise
from voicechess.meaning import Expectation, Question, QuestionKind
from voicechess.practice.answers import NamedPiece, Placement, placements_said

GERMAN = load("de")
SET_UP = Expectation(asked=Question(QuestionKind.SET_UP))
WHITE_KING = Placement(chess.G1, NamedPiece(chess.KING, chess.WHITE))


def read(line: str, typed: bool = False) -> tuple[tuple[Placement, ...], str]:
    found = placements(tokenise(line, GERMAN, typed), GERMAN)
    return ((), "") if found is None else (placements_said(found), str(found.slot(REST) or ""))


def test_a_colour_and_a_piece_hold_until_another_is_said() -> None:
    found, rest = read("weiß könig gustav eins bauern anna zwei bella zwei schwarz turm anna acht")
    assert found[0] == WHITE_KING
    assert [(one.square, one.piece) for one in found[1:]] == [
        (chess.A2, NamedPiece(chess.PAWN, chess.WHITE)),
        (chess.B2, NamedPiece(chess.PAWN, chess.WHITE)),
        (chess.A8, NamedPiece(chess.ROOK, chess.BLACK)),
    ]
    assert not rest


@pytest.mark.parametrize("line", ["lösche eva vier", "eva vier leer", "eva vier ist leer", "springer eva vier weg"])
def test_a_square_is_emptied(line: str) -> None:
    assert read(line) == ((Placement(chess.E4, None),), "")


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("weiß könig gustav eins dame", "dame"),
        ("weiß könig gustav eins dame turm", "dame turm"),
        ("weiß könig gustav eins und schwarz", "schwarz"),
        ("weiß könig gustav eins papier anna zwei", "papier anna zwei"),
        ("weiß könig gustav eins lösche", "lösche"),
    ],
)
def test_what_cannot_be_read_is_told_and_nothing_is_passed_over(line: str, rest: str) -> None:
    assert read(line) == ((WHITE_KING,), rest)


@pytest.mark.parametrize("line", ["was kann springer gustav eins", "feld gustav eins", "gustav eins", "weiß am zug"])
def test_other_sentences_are_none(line: str) -> None:
    assert read(line) == ((), "")


def test_typed_letters_are_pieces_and_a_square_without_one_is_a_pawns() -> None:
    found, rest = read("Weiß: Kg1, g2; Be4", typed=True)
    kinds = [one.piece.kind for one in found if one.piece is not None]
    assert kinds == [chess.KING, chess.PAWN, chess.PAWN] and not rest


def test_every_pair_of_words_of_a_row_of_pieces_is_listened_for() -> None:
    listened = {pair for phrase in phrases(SET_UP, GERMAN) for pair in pairwise(phrase.split())}
    files = [GERMAN.file_words(file)[0] for file in range(8)]
    ranks = [words[0] for words in GERMAN.ranks]
    pieces = {words[0] for table in (GERMAN.pieces, GERMAN.plurals) for words in table.values()}
    colours = [word for words in GERMAN.colours.values() for word in words]
    wanted = {(rank, word) for rank in ranks for word in (*pieces, *colours, *files, "leer")}
    wanted |= {(colour, piece) for colour in colours for piece in pieces}
    wanted |= {(word, file) for word in (*pieces, "lösche") for file in files}
    assert not wanted - listened
