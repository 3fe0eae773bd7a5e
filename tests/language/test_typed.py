"""Typed notation: SAN with English and German letters, UCI, long algebraic, bare letters, in any case."""

from __future__ import annotations

import unicodedata

import chess
import pytest

from voicechess.language.alphabets import FIGURINES
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.understanding import understand, understand_all
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Castling,
    CheckWord,
    Command,
    Expectation,
    Meaning,
    Question,
    QuestionKind,
    SpokenMove,
    Unclear,
    UnclearReason,
)

A, B, C, D, E, F, G, H = range(8)
N, K, Q, R, P, L = chess.KNIGHT, chess.KING, chess.QUEEN, chess.ROOK, chess.PAWN, chess.BISHOP


def typed(line: str, question: QuestionKind | None = None, language: str = "de") -> list[Meaning]:
    readings = understand_all(line, load(language), Expectation(asked=Question(question)), typed=True)
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
        *(
            (line, KNIGHT_F3)
            for line in (
                "♘f3",
                "♞f3",
                "♘ f3",
                "12.♘f3",
                "Springer, Felix drei",
                "♞\ufe0ef3",
                "\ufeffSf3",
                "Sf3.",
                "Sf3!",
            )
        ),
        *((line, QUEEN_ON_E8) for line in ("e8=♕", "e8♛", "e8(D)", "e8(♕)", "e8/D")),
        *((line, E_TAKES_D5) for line in ("e×d5", "Exd5")),
        ("♙e4", SpokenMove(P, to_file=E, to_rank=3)),
        ("♕h5†", SpokenMove(Q, to_file=H, to_rank=4, check=CheckWord.CHECK)),
        *(
            (line, SpokenMove(castling=Castling.KINGSIDE))
            for line in ("0–0", "O\u2011O", "0-0", "O-O", "o-o", "00", "kurzrochade")
        ),
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
    "line",
    [
        *("da", "lab", "sf", "e9", "i4", "z3", "nf33", "e4e5e6", "x", "-", "Sf3 Sc3", "e4 foo", "ﬀ"),
        *("-e4", "e2--e4", "e2-xe4", "e4 =", "Sf3=", "i e4", "exd5 von c", "e4½", "e4²", "Sf3/", "e2/e4"),
    ],
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
        ("5+3", QuestionKind.TIME, Command("minutes", (("number", 5), ("number2", 3)))),
        ("90", QuestionKind.TIME, Command("minutes", (("number", 90),))),
        ("Stufe 7", QuestionKind.LEVEL, Command("level", (("number", 7),))),
        ("fünfundvierzig", QuestionKind.LEVEL, Command("level", (("number", 45),))),
        ("D", QuestionKind.PROMOTION, SpokenMove(promotion=Q)),
        ("d", QuestionKind.PROMOTION, SpokenMove(promotion=Q)),
        ("b", QuestionKind.PROMOTION, SpokenMove(promotion=L)),
        ("la\u0308ufer", QuestionKind.PROMOTION, SpokenMove(promotion=L)),
        ("j", QuestionKind.YES_NO, Answer(AnswerKind.YES)),
        ("n", QuestionKind.YES_NO, Answer(AnswerKind.NO)),
        ("N.", QuestionKind.YES_NO, Answer(AnswerKind.NO)),
        ("n", None, SpokenMove(N)),
        ("STOPP", None, Command("stop")),
        ("stop", None, Command("stop")),
    ],
)
def test_commands_and_answers_typed(line: str, question: QuestionKind | None, meaning: Meaning) -> None:
    assert typed(line, question)[0] == meaning


def test_letters_are_notation_only_when_typed() -> None:
    assert understand("sf3", load("de"), Expectation()) == Unclear(UnclearReason.UNKNOWN_WORDS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("line", "letter"),
    [
        *((f"{letter}f3", letter) for letter in "ACFGHVWJÇŽČĈКФΞ"),
        *(("Cc6", "C"), ("cc6", "c"), ("Cxd5", "C"), ("Axb5", "A"), ("CXD5", "C"), ("Cbd7", "C"), ("C3d5", "C")),
        *(("C c6", "C"), ("Hxg4+", "H"), ("e8=C", "C"), ("e8A", "A"), ("12. Cf3", "C"), ("1...Cc6", "C")),
    ],
)
def test_a_letter_that_is_no_piece_is_told_and_never_passed_over(line: str, letter: str, language: str) -> None:
    assert typed(line, language=language) == [Unclear(UnclearReason.UNKNOWN_LETTER, letter)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("line", "sign"),
    [
        *((f"e4 {sign}", sign) for sign in "*&$~_|"),
        *(("e2→e4", "→"), ("e2*e4", "*"), ("(e4)", "("), ("„e4“", "„"), ("e4±", "±"), ("Nf3🙂", "🙂"), ("s.f3", ".")),
        *(("e4 (=)", "("), ("e2, e4", ","), ("e4 =", "="), ("e4\x00", "\x00")),
    ],
)
def test_a_sign_in_a_move_is_told_and_never_passed_over(line: str, sign: str, language: str) -> None:
    assert typed(line, language=language) == [Unclear(UnclearReason.UNKNOWN_SIGN, sign)]


READ = {*"abcdefghkqrntlsp12345678xX:-=+#†‡×!?.,;0oO…\u2010\u2011\u2012\u2013\u2014\u2212", *FIGURINES}
"""What may make another move, or none, of a move; every other character makes none of it."""

STRANGE = [
    chr(code)
    for block in ((0x21, 0x180), (0x391, 0x3CA), (0x410, 0x450), (0x2010, 0x2060), (0x2190, 0x21A0), (0x2600, 0x2670))
    for code in range(*block)
    if unicodedata.normalize("NFC", chr(code)).lower() not in READ
    and unicodedata.category(chr(code)) not in ("Cc", "Cf", "Cn", "Zs", "Zl", "Zp")
]


@pytest.mark.parametrize(
    ("line", "number", "turn", "reason"),
    [
        ("12. Sf3", 12, True, None),
        ("12.Nf6", 12, False, None),
        ("12... Sf6", 12, False, None),
        ("12… Sf6", 12, False, None),
        ("11. Sf3", 12, True, UnclearReason.OTHER_NUMBER),
        ("13...e5", 12, False, UnclearReason.OTHER_NUMBER),
        ("12... e5", 12, True, UnclearReason.OTHER_SIDE),
    ],
)
def test_the_number_before_a_move_is_that_of_the_move_that_comes(
    line: str, number: int, turn: bool, reason: UnclearReason | None
) -> None:
    board = chess.Board()
    board.fullmove_number, board.turn = number, turn
    meaning = understand(line, load("de"), Expectation(board=board), typed=True)
    assert (meaning.reason if isinstance(meaning, Unclear) else None) is reason
    if reason is UnclearReason.OTHER_NUMBER:
        assert meaning == Unclear(reason, "12")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("move", ["Sf3", "exd5", "e2e4", "0-0"])
def test_no_character_of_a_typed_move_is_passed_over(move: str, language: str) -> None:
    """White space, check signs and how good the move is (at its end) are all that may stand in it beside the move."""
    for strange in STRANGE:
        for at in range(len(move) + 1):
            line = move[:at] + strange + move[at:]
            for meaning in typed(line, language=language):
                assert isinstance(meaning, Unclear), (line, meaning)


SPANISH, ICELANDIC, ROMANIAN, DUTCH = "es", "is", "ro", "nl"


@pytest.mark.parametrize(
    ("alphabet", "line", "meaning"),
    [
        (SPANISH, "Cf3", KNIGHT_F3),
        (SPANISH, "cxd5", SpokenMove(None, C, None, D, 4, captures=True)),
        (SPANISH, "Rf3", SpokenMove(K, to_file=F, to_rank=2)),
        (SPANISH, "Sf3", Unclear(UnclearReason.UNKNOWN_LETTER, "S")),
        (ICELANDIC, "Rf3", KNIGHT_F3),
        (ICELANDIC, "Hf3", SpokenMove(R, to_file=F, to_rank=2)),
        (ICELANDIC, "Bf3", SpokenMove(L, to_file=F, to_rank=2)),
        (ROMANIAN, "Nf3", SpokenMove(L, to_file=F, to_rank=2)),
        (ROMANIAN, "e8=C", SpokenMove(to_file=E, to_rank=7, promotion=N)),
        (DUTCH, "Pf3", KNIGHT_F3),
        ("en", "Bb4", BISHOP),
        ("en", "Lb4", Unclear(UnclearReason.UNKNOWN_LETTER, "L")),
        (SPANISH, "♘f3", KNIGHT_F3),
        (SPANISH, "Springer f3", KNIGHT_F3),
    ],
)
def test_other_languages_letters_by_a_setting(alphabet: str, line: str, meaning: Meaning) -> None:
    for language in LANGUAGES:
        found = understand_all(line, load(language, alphabet), Expectation(), typed=True)
        assert [reading.meaning for reading in found] == [meaning]
