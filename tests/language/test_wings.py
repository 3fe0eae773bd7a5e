"""Pieces called by the wing they began on are those pieces, wherever they have gone; one that is gone is told."""

from __future__ import annotations

from random import Random

import chess
import pytest

from voicechess.language.lexicon import load
from voicechess.language.understanding import understand_all
from voicechess.language.wings import on_squares
from voicechess.meaning import Expectation, Question, Unclear, UnclearReason
from voicechess.moves.decisions import Play
from voicechess.moves.matching import decide

LEXICONS = (load("de"), load("en"))


def after(moves: str) -> chess.Board:
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    return board


@pytest.mark.parametrize(
    ("moves", "line", "uci"),
    [
        ("", "Königsbauer e4", "e2e4"),
        ("", "koenigsbauer eva vier", "e2e4"),
        ("", "Damenbauer zwei Felder", "d2d4"),
        ("", "den Damenbauern zwei Felder vor", "d2d4"),
        ("", "Damenspringer Cäsar drei", "b1c3"),
        ("", "Königsspringer f3", "g1f3"),
        ("", "Königs-Springer nach f3", "g1f3"),
        ("", "king's knight f3", "g1f3"),
        ("", "queen's pawn to d4", "d2d4"),
        ("", "Königsläuferbauer f4", "f2f4"),
        ("", "queen's bishop's pawn c4", "c2c4"),
        ("e4 e5", "Königsläufer Cäsar vier", "f1c4"),
        ("e4 e5", "kings bishop c4", "f1c4"),
        ("Nf3 d5 Nd4 d4 Nb3 a6".replace("d4 Nb3", "Nc6 Nb3"), "Königsspringer d4", "b3d4"),  # both knights near b3
        ("Nf3 a6 Nd4 a5 Nc3 a4", "Königsspringer b5", "d4b5"),
        ("Nf3 a6 Nd4 a5 Nc3 a4", "Damenspringer b5", "c3b5"),
        ("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O a6", "Königsturm e1", "f1e1"),
        ("e4 d5", "Königsbauer schlägt Damenbauer", "e4d5"),
        ("e4 d5", "e4 takes queen's pawn", "e4d5"),
        ("e4 d5 exd5 Qxd5", "Damenspringer c3", "b1c3"),
    ],
)
def test_the_piece_that_began_there_moves(moves: str, line: str, uci: str | None) -> None:
    board = after(moves)
    for lexicon in LEXICONS:
        decision = decide(
            board, understand_all(line, lexicon, Expectation(board=board), typed=True), Question(), typed=True
        )
        played = decision.move.uci() if isinstance(decision, Play) else None
        assert played == uci, decision


@pytest.mark.parametrize(
    ("moves", "line", "name"),
    [
        ("e4 d5 exd5 a6", "Bauer d6 schlägt Damenbauer", "Damenbauer"),
        ("e4 d5 exd5 a6 d4 a5 d6", "Damenbauer d5", "Damenbauer"),
        ("d4 e5 dxe5 d5 exd6 a6", "Damenbauer schlägt Damenbauer", "Damenbauer"),  # captured en passant
    ],
)
def test_a_piece_that_is_gone_is_told(moves: str, line: str, name: str) -> None:
    found = understand_all(line, LEXICONS[0], Expectation(board=after(moves)), typed=True)
    assert [one.meaning for one in found] == [Unclear(UnclearReason.NO_SUCH_PIECE, name)]


def test_from_another_position_nobody_knows_where_a_piece_began() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1")
    assert on_squares("Königsspringer f3", LEXICONS, board) == Unclear(UnclearReason.NO_SUCH_PIECE, "Königsspringer")


@pytest.mark.parametrize("seed", range(5))
def test_no_name_ever_means_another_piece(seed: int) -> None:
    """Every piece is followed through games at random, by a count of its own."""
    random, board = Random(seed), chess.Board()
    where = {name: chess.parse_square(home) for name, home in (("Königsspringer", "g1"), ("Damenturm", "a1"))}
    for _ in range(120):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = random.choice(legal)
        rook = (chess.A1, chess.D1) if board.is_queenside_castling(move) and board.turn else None
        for name, square in list(where.items()):
            if move.from_square == square:
                where[name] = move.to_square
            elif move.to_square == square:
                del where[name]
            elif rook and square == rook[0]:
                where[name] = rook[1]
        board.push(move)
        if board.turn == chess.WHITE:
            for name in ("Königsspringer", "Damenturm"):
                found = on_squares(name, LEXICONS, board)
                assert (
                    (isinstance(found, str) and found.endswith(chess.square_name(where[name])))
                    if name in where
                    else isinstance(found, Unclear)
                )
