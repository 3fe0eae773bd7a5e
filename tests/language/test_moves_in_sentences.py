"""Moves in sentences: none is taken for another one, nearly all are played at once, the rest is asked about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import chess
import pytest

from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.language.lexicon import Lexicon, load
from voicechess.meaning import Expectation, RecognisedUtterance
from voicechess.moves.decisions import Ask, Complete, Decision, Play
from voicechess.moves.matching import decide

FOLDER = Path(__file__).parent / "wordings"
SENTENCES = 580

NAMES = {
    "de": {
        chess.PAWN: ("der Bauer", "den Bauern", "dem Bauern", "mein Bauer", "meinen Bauern", "meinem Bauern"),
        chess.QUEEN: ("die Dame", "die Dame", "der Dame", "meine Dame", "meine Dame", "meiner Dame"),
        **{
            piece: tuple(f"{article} {name}" for article in ("der", "den", "dem", "mein", "meinen", "meinem"))
            for piece, name in (
                *((chess.KNIGHT, "Springer"), (chess.BISHOP, "Läufer"), (chess.ROOK, "Turm"), (chess.KING, "König")),
            )
        },
    },
    "en": {
        piece: tuple(f"{article} {chess.piece_name(piece)}" for article in ("the", "the", "the", "my", "my", "my"))
        for piece in chess.PIECE_TYPES
    },
}
"""Who does something, what something is done to, what it is done with; the same of one's own."""


def said(template: str, board: chess.Board, move: chess.Move, lexicon: Lexicon) -> str:
    names = NAMES[lexicon.code]
    piece = board.piece_type_at(move.from_square) or chess.PAWN
    taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
    squares = {
        name: f"{lexicon.files[chess.square_file(square)][0]} {lexicon.ranks[chess.square_rank(square)][0]}"
        for name, square in (("from", move.from_square), ("to", move.to_square))
    }
    forms = dict(zip(("nom", "acc", "dat", "my_nom", "my_acc", "my_dat"), names[piece], strict=True))
    line = template.format(
        **forms, **squares, piece=names[piece][0].split()[1], taken="", taken_acc=names[taken][1] if taken else ""
    )
    return line.replace(" ihn ", " sie ") if piece == chess.QUEEN else line


def position(template: str, chance: Random) -> tuple[chess.Board, chess.Move]:
    """A position of a game and a move in it of which this can be said."""
    while True:
        board = chess.Board()
        for _ in range(chance.randrange(6, 60)):
            moves = list(board.legal_moves)
            if moves:
                board.push(chance.choice(moves))
        fitting = [
            move
            for move in board.legal_moves
            if not move.promotion and not board.is_castling(move) and board.is_capture(move) == ("{taken}" in template)
        ]
        if fitting:
            return board, chance.choice(fitting)


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_move_in_a_sentence_is_taken_for_another_one(language: str) -> None:
    lexicon, chance = load(language), Random(50)
    hearing, found = Hearing(lexicon), Counter[str]()
    lines = (FOLDER / f"moves.{language}.txt").read_text(encoding="utf-8").splitlines()
    templates = [line for line in lines if line and not line.startswith("#")]
    for number in range(SENTENCES):
        template = templates[number % len(templates)]
        board, move = position(template, chance)
        line = said(template, board, move, lexicon)
        expectation = Expectation(board.copy(stack=False))
        heard = hearing.understood(RecognisedUtterance.typed(line, 0), expectation, 0, ev.Source.KEYBOARD)
        match decide(board, heard.readings, typed=True):
            case Play(played):
                assert played == move, (line, board.fen(), played)
                found["played"] += 1
            case Ask(moves):
                found["asked, as several can be meant" if len(moves) > 1 else "asked"] += 1
            case Complete():
                found["asked, as several can be meant"] += 1
            case other:
                pytest.fail(f"{line}: {other}")
    clear = found["played"] + found["asked"]
    assert clear > SENTENCES * 0.9 and found["played"] >= 0.95 * clear, found


def typed_in_english(fen: str, line: str) -> Decision:
    expectation = Expectation(board=chess.Board(fen))
    heard = Hearing(load("en")).understood(RecognisedUtterance.typed(line, 0), expectation, 0, ev.Source.KEYBOARD)
    return decide(chess.Board(fen), heard.readings, expectation.asked, typed=True)


@pytest.mark.parametrize(
    ("fen", "line", "move"),
    [
        (chess.STARTING_FEN, "d pawn to d four", "d2d4"),
        (chess.STARTING_FEN, "queen pawn to d4", "d2d4"),
        (chess.STARTING_FEN, "king knight f three", "g1f3"),
        (chess.STARTING_FEN, "i want to develop my knight to c3", "b1c3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "I'd like to castle on the king's side", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "queenside castle", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "the h rook takes h8", "h1h8"),
        ("6k1/2P5/8/8/8/8/6K1/8 w - - 0 1", "c8 makes a queen", "c7c8q"),
        ("6k1/2P5/8/8/8/8/6K1/8 w - - 0 1", "pawn to c8 promoting to a queen", "c7c8q"),
        ("1r4k1/2P5/8/8/8/8/6K1/8 w - - 0 1", "c takes b8 and promotes to a rook", "c7b8r"),
    ],
)
def test_moves_as_english_speakers_put_them(fen: str, line: str, move: str) -> None:
    assert typed_in_english(fen, line) == Play(chess.Move.from_uci(move))


def test_a_file_before_a_piece_is_no_article() -> None:
    rooks = "3r2k1/5ppp/8/3n4/8/8/8/R4RK1 w - - 0 1"
    assert not isinstance(typed_in_english(rooks, "a rook to d1"), Play), "an article, or the one from the a-file"
    assert typed_in_english(rooks, "f rook to d1") == Play(chess.Move.from_uci("f1d1"))
