"""Typed notation: SAN with English and German letters, UCI, long algebraic, bare letters, in any case."""

from __future__ import annotations

import chess
import pytest

from voicechess.language.lexicon import load
from voicechess.language.understanding import understand, understand_all
from voicechess.meaning import (
    Asked,
    Castling,
    CheckWord,
    Command,
    Expectation,
    Meaning,
    Question,
    SpokenMove,
    Unclear,
    UnclearReason,
)

A, B, C, D, E, F, G, H = range(8)
N, K, Q, R, P, L = chess.KNIGHT, chess.KING, chess.QUEEN, chess.ROOK, chess.PAWN, chess.BISHOP


def typed(line: str, question: Question | None = None, language: str = "de") -> list[Meaning]:
    readings = understand_all(line, load(language), Expectation(asked=Asked(question)), typed=True)
    assert all(reading.cost == 0 for reading in readings)
    return [reading.meaning for reading in readings]


KNIGHT_F3 = SpokenMove(N, to_file=F, to_rank=2)
PAWN_E4 = SpokenMove(to_file=E, to_rank=3)
E_TAKES_D5 = SpokenMove(None, E, None, D, 4, captures=True)
QUEEN_ON_E8 = SpokenMove(to_file=E, to_rank=7, promotion=Q)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        *((line, KNIGHT_F3) for line in ("Sf3", "Nf3", "sf3", "nf3", "SF3", "s f3", "S f 3", "springer f3", "Sf3!?")),
        *((line, KNIGHT_F3) for line in ("12. Sf3", "12.Sf3", "12... Nf3", "Springer-f3", "Springer nach F3")),
        *((line, PAWN_E4) for line in ("e4", "E4", "e 4", "1.e4", "e4.", "Eva 4", "eva vier", "e vier", "echo 4")),
        *(
            (line, SpokenMove(None, E, 1, E, 3))
            for line in ("e2e4", "e2-e4", "e2 e4", "e2 - e4", "E2E4", "e 2 e 4", "e2–e4")
        ),
        *((line, E_TAKES_D5) for line in ("exd5", "e:d5", "e x d5", "EXD5", "eva x d5", "e schlägt d5")),
        *((line, QUEEN_ON_E8) for line in ("e8=D", "e8=Q", "e8D", "e8Q", "e8d", "e8q", "e8 d", "e8 Dame", "e8=d")),
        ("e7e8q", SpokenMove(None, E, 6, E, 7, promotion=Q)),
        ("e7e8d", SpokenMove(None, E, 6, E, 7, promotion=Q)),
        ("e7-e8=T", SpokenMove(None, E, 6, E, 7, promotion=R)),
        ("Sg1-f3", SpokenMove(N, G, 0, F, 2)),
        ("Ng1xf3", SpokenMove(N, G, 0, F, 2, captures=True)),
        ("Sbd2", SpokenMove(N, B, None, D, 1)),
        ("S1f3", SpokenMove(N, None, 0, F, 2)),
        ("N1xf3+", SpokenMove(N, None, 0, F, 2, captures=True, check=CheckWord.CHECK)),
        ("Dh5#", SpokenMove(Q, to_file=H, to_rank=4, check=CheckWord.MATE)),
        ("Txd5 matt", SpokenMove(R, to_file=D, to_rank=4, captures=True, check=CheckWord.MATE)),
        ("exd6 e.p.", SpokenMove(None, E, None, D, 5, captures=True, en_passant=True)),
        ("exd6ep", SpokenMove(None, E, None, D, 5, captures=True, en_passant=True)),
        ("bxc3", SpokenMove(None, B, None, C, 2, captures=True)),
        ("dxd5", SpokenMove(Q, to_file=D, to_rank=4, captures=True)),
        ("b4", SpokenMove(to_file=B, to_rank=3)),
        ("B4", SpokenMove(to_file=B, to_rank=3)),
        ("D4", SpokenMove(to_file=D, to_rank=3)),
        ("Dd4", SpokenMove(Q, to_file=D, to_rank=3)),
        ("ed5", SpokenMove(None, E, None, D, 4)),
        ("exd", SpokenMove(None, E, None, D, captures=True)),
        *((line, SpokenMove(castling=Castling.KINGSIDE)) for line in ("0-0", "O-O", "o-o", "00", "kurzrochade")),
        *((line, SpokenMove(castling=Castling.QUEENSIDE)) for line in ("0-0-0", "O-O-O", "lange Rochade", "ooo")),
        ("O-O+", SpokenMove(castling=Castling.KINGSIDE, check=CheckWord.CHECK)),
        ("Laeufer auf c vier", SpokenMove(L, to_file=C, to_rank=3)),
        ("Koenig e2", SpokenMove(K, to_file=E, to_rank=1)),
        ("turm a1 d1", SpokenMove(R, A, 0, D, 0)),
        ("s", SpokenMove(N)),
        ("d", SpokenMove(to_file=D)),
    ],
)
def test_notation(line: str, move: SpokenMove) -> None:
    assert typed(line) == [move]


BISHOP, PAWN = SpokenMove(L, to_file=B, to_rank=3), SpokenMove(P, to_file=B, to_rank=3)


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("Bb4", {BISHOP, PAWN}),  # SAN's bishop, or a German Bauer
        ("bb4", {BISHOP, PAWN, SpokenMove(None, B, None, B, 3)}),
        ("dd4", {SpokenMove(Q, to_file=D, to_rank=3), SpokenMove(None, D, None, D, 3)}),
        (
            "bc3",
            {SpokenMove(None, B, None, C, 2), SpokenMove(L, to_file=C, to_rank=2), SpokenMove(P, to_file=C, to_rank=2)},
        ),
        (
            "Bxc3",
            {SpokenMove(L, to_file=C, to_rank=2, captures=True), SpokenMove(P, to_file=C, to_rank=2, captures=True)},
        ),
    ],
)
def test_letters_that_mean_two_things_give_both_readings(line: str, moves: set[SpokenMove]) -> None:
    assert set(typed(line)) == moves


def test_san_comes_before_the_german_bauer_and_english_knows_no_bauer() -> None:
    assert typed("Bb4")[0] == BISHOP
    assert typed("Bb4", language="en") == [BISHOP]
    assert typed("Lb4", language="en") == [BISHOP]


@pytest.mark.parametrize(
    "line", ["da", "lab", "sf", "e9", "i4", "z3", "nf33", "e4e5e6", "x", "-", "Sf3 Sc3", "e4 foo", "ﬀ"]
)
def test_what_is_no_notation(line: str) -> None:
    assert isinstance(understand(line, load("de"), Expectation(), typed=True), Unclear)


@pytest.mark.parametrize(
    ("line", "question", "meaning"),
    [
        ("was steht auf e4?", None, Command("square", (("square", chess.E4),))),
        ("zurueck zu zug 12", None, Command("retrace", (("number", 12),))),
        ("Schiedsrichter: Weiss 2 Minuten dazu", None, Command("arbiter_add", (("colour", True), ("number", 2)))),
        ("J'adoube", None, Command("adjust")),
        ("fuenfzig zuege", None, Command("claim_fifty")),
        ("5+3", Question.TIME, Command("minutes", (("number", 5), ("number2", 3)))),
        ("90", Question.TIME, Command("minutes", (("number", 90),))),
        ("Stufe 7", Question.LEVEL, Command("level", (("number", 7),))),
        ("fünfundvierzig", Question.LEVEL, Command("level", (("number", 45),))),
        ("D", Question.PROMOTION, SpokenMove(promotion=Q)),
        ("d", Question.PROMOTION, SpokenMove(promotion=Q)),
        ("b", Question.PROMOTION, SpokenMove(promotion=L)),
        ("la\u0308ufer", Question.PROMOTION, SpokenMove(promotion=L)),
        ("STOPP", None, Command("stop")),
        ("stop", None, Command("stop")),
    ],
)
def test_commands_and_answers_typed(line: str, question: Question | None, meaning: Meaning) -> None:
    assert typed(line, question)[0] == meaning


def test_letters_are_notation_only_when_typed() -> None:
    assert understand("sf3", load("de"), Expectation()) == Unclear(UnclearReason.UNKNOWN_WORDS)
