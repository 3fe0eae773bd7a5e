"""Positions in FEN as people write them: impossible rights are dropped and told, Chess960's letters are understood."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.wording import Wording
from voicechess.messages import Failure
from voicechess.score.position import read_position

CASTLING, EN_PASSANT = "fen.castling_dropped", "fen.en_passant_dropped"


@pytest.mark.parametrize(
    ("fen", "kept", "dropped"),
    [
        ("7k/5K2/4R3/8/8/8/8/8 w KQkq - 0 1", "-", [CASTLING]),
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "K", [CASTLING]),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "-", [CASTLING]),  # in chess there is no rook on h1
        ("r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", "KQkq", []),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", []),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HB - 0 1", "K", [CASTLING]),
        (chess.STARTING_FEN.replace("- 0", "e6 0"), "KQkq", [EN_PASSANT]),
        ("7k/5K2/4R3/8/8/8/8/8 w KQkq e6 0 1;", "-", [CASTLING, EN_PASSANT]),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "-", []),
        ("4k3/8/8/8/4P3/8/8/4K3 b – – 0 1", "-", []),
        ("4k3/8/8/8/4P3/8/8/4K3 b - -", "-", []),
    ],
)
def test_what_is_impossible_is_left_out_and_told(fen: str, kept: str, dropped: list[str]) -> None:
    board, told = read_position(fen)
    assert [phrase.key for phrase in told] == dropped
    assert not board.chess960 and board.is_valid()
    assert (board.fen().split()[2]) == kept


@pytest.mark.parametrize(
    "fen",
    [
        "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w GBgb - 0 1",
        "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w KQkq - 0 1",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        "bbrnknrq/pppppppp/8/8/8/8/PPPPPPPP/BBRNKNRQ w KQkq - 0 1",  # kings on e1 and e8, a starting position
    ],
)
def test_the_letters_of_chess960(fen: str) -> None:
    board, told = read_position(fen)
    assert board.chess960 and not told
    assert board.castling_rights.bit_count() == 4


@pytest.mark.parametrize("number", range(0, 960, 7))
def test_every_starting_position_in_both_ways(number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    for fen in (board.fen(), board.shredder_fen()):
        read, told = read_position(fen)
        assert read.castling_rights == board.castling_rights and not told
        assert read.chess960 == board.has_chess960_castling_rights()  # else castling goes as in chess


@pytest.mark.parametrize("fen", ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w QQxx - 0 1", "k" * 300])
def test_what_is_no_position_is_refused(fen: str) -> None:
    with pytest.raises((ValueError, Failure), match=r"\w"):
        read_position(fen)


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("8/8/8/4k3/8/8/8/8 w - - 0 1", "Weiß hat keinen König."),
        ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "Weiß hat mehr als einen König."),
        ("4k3/8/p7/pppppppp/8/8/8/4K3 w - - 0 1", "Schwarz hat mehr als acht Bauern."),
        ("nnnnknnn/nnnnnnnn/n7/8/8/8/8/4K3 w - - 0 1", "Schwarz hat mehr als sechzehn Figuren."),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "Ein Bauer steht auf der ersten oder achten Reihe."),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "Schwarz steht im Schach und ist nicht am Zug."),
    ],
)
def test_what_is_impossible_in_a_position_is_told(fen: str, why: str) -> None:
    with pytest.raises(Failure) as caught:
        read_position(fen)
    assert Wording("de", strict=True).say(caught.value.phrase) == why
