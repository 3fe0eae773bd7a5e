"""A move amid words that belong to none is asked about; notation with a mistake in it is not."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.beside import moves_beside
from voicechess.language.lexicon import load
from voicechess.language.tokens import tokenise
from voicechess.meaning import Castling, SpokenMove

C, D, E, F, G, H = range(2, 8)


def beside(line: str, language: str = "de") -> tuple[SpokenMove, ...]:
    lexicon = load(language)
    return moves_beside(tokenise(line, lexicon, typed=True), lexicon)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("Ick zieh den Bauern uff d vier.", SpokenMove(chess.PAWN, to_file=D, to_rank=3)),
        ("Springer an den Rand, Heinrich drei.", SpokenMove(chess.KNIGHT, to_file=H, to_rank=2)),
        ("Bauer g drei, damit der Läufer raus kann.", SpokenMove(chess.PAWN, to_file=G, to_rank=2)),
        ("c2-c4, das Angebot steht.", SpokenMove(None, C, 1, C, 3)),
        ("Kurze Rochade, damit mein König sicher steht.", SpokenMove(castling=Castling.KINGSIDE)),
    ],
)
def test_the_move_is_found(line: str, move: SpokenMove) -> None:
    assert beside(line) == (move,)


def test_english_articles_are_no_files() -> None:
    assert beside("let me hop a knight over to f3, cheeky", "en") == (SpokenMove(chess.KNIGHT, to_file=F, to_rank=2),)


@pytest.mark.parametrize(
    "line",
    [
        "springer foo f3",
        "e4 foo",
        "ich ziehe den Springer nicht nach Felix drei",
        "wer hat denn da den Springer so dreist nach Felix drei gesetzt",
        "wir treffen uns dort um acht",
    ],
)
def test_what_is_not_asked_about(line: str) -> None:
    assert beside(line) == ()
