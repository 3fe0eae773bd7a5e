"""A move amid words that belong to none is asked about; notation with a mistake in it is not."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.beside import moves_beside
from voicechess.language.lexicon import load
from voicechess.language.tokens import tokenise
from voicechess.language.understanding import EDGE_WORD_COST, understand_all
from voicechess.meaning import Castling, Expectation, Question, QuestionKind, SpokenMove

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


@pytest.mark.parametrize(
    ("line", "language"),
    [("Springer f3 nein", "de"), ("Springer f3 nee", "de"), ("knight f3 no", "en"), ("knight f3, no", "en")],
)
def test_a_move_with_a_no_behind_it_is_asked_about(line: str, language: str) -> None:
    found = understand_all(line, load(language), Expectation(board=chess.Board()), typed=True)
    assert [(one.meaning, one.cost > 0) for one in found] == [(SpokenMove(chess.KNIGHT, to_file=5, to_rank=2), True)]


@pytest.mark.parametrize(
    ("line", "language", "piece"),
    [
        ("ach, was solls, mach halt 'ne dame draus", "de", chess.QUEEN),
        ("Der Bauer soll ein Turm werden.", "de", chess.ROOK),
        ("pferd bitte, das gibt schach", "de", chess.KNIGHT),
        ("turn it into a bishop just for laughs", "en", chess.BISHOP),
        ("normalerweise dame, aber hier wärs patt, also turm", "de", None),
        ("bloß keine Dame", "de", None),
        ("keine Dame sondern einen Turm", "de", None),  # asked about
        ("soll ich die Dame nehmen", "de", None),
    ],
)
def test_the_only_piece_that_a_line_names_is_what_a_pawn_becomes(
    line: str, language: str, piece: chess.PieceType | None
) -> None:
    expectation = Expectation(chess.Board("8/4P3/8/8/8/8/k7/4K3 w - - 0 1"), Question(QuestionKind.PROMOTION))
    readings = understand_all(line, load(language), expectation, typed=True)
    sure = [one.meaning for one in readings if isinstance(one.meaning, SpokenMove) and not one.cost]
    assert sure == ([SpokenMove(promotion=piece)] if piece else [])


@pytest.mark.parametrize(
    ("line", "language", "piece", "doubt"),
    [
        ("ich möchte einen springer", "de", chess.KNIGHT, 0.0),
        ("eine königin bitte", "de", chess.QUEEN, 0.0),
        ("der bauer wird ein läufer", "de", chess.BISHOP, 0.0),
        ("mach einen turm daraus", "de", chess.ROOK, 0.0),
        ("i'd like a bishop", "en", chess.BISHOP, 0.0),
        ("make it a queen", "en", chess.QUEEN, 0.0),
        ("turn it into a rook please", "en", chess.ROOK, 0.0),
        ("drei eine neue dame", "de", chess.QUEEN, EDGE_WORD_COST),  # read back
        ("keine dame", "de", None, 0.0),
        ("keine dame einen turm", "de", chess.ROOK, EDGE_WORD_COST),
        ("a knight not a queen", "en", chess.KNIGHT, EDGE_WORD_COST),
        ("dame nein turm", "de", None, 0.0),
        ("eine dame [unk]", "de", None, 0.0),
        ("ja eine dame", "de", None, 0.0),  # somebody answers another question
    ],
)
def test_a_spoken_wish_for_a_piece_is_what_a_pawn_becomes(
    line: str, language: str, piece: chess.PieceType | None, doubt: float
) -> None:
    expectation = Expectation(chess.Board("8/4P3/8/8/8/8/k7/4K3 w - - 0 1"), Question(QuestionKind.PROMOTION))
    best = understand_all(line, load(language), expectation)[0]
    if piece is None:
        assert not isinstance(best.meaning, SpokenMove)
    else:
        assert (best.meaning, best.cost) == (SpokenMove(promotion=piece), doubt)
