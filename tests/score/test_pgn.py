"""PGN: written, read with distrust, and the same again after export, import, export."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from typing import Any

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicechess.laws.clock import Clock
from voicechess.laws.results import Ending, Way
from voicechess.laws.time_controls import parse_time
from voicechess.messages import Failure, Phrase
from voicechess.score.pgn import read_pgn, write_pgn
from voicechess.score.score import Entry, Note, NoteKind, PieceLetters, Score, entry, move_list, parse_san, san

W, B = chess.WHITE, chess.BLACK
TIMES = ("", "5+3", "90/40+30:15+30", "5d3", "5b3", "3h", "5+3~3+2", "10/5:1/5")


def random_game(chance: random.Random, time: str, chess960: bool = False) -> Score:
    """A game of a few moves with its clock, offers and notes, all by chance."""
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
    control = parse_time(time)
    clock = Clock.new(control).start(W, 0)
    score = Score(
        "Anna",
        "Bella",
        "2026.11.21",
        fen=board.fen(),
        chess960=chess960,
        time=control,
        edition=chance.choice((2023, 2009)),
        ending=chance.choice((Ending(Way.UNFINISHED), Ending(Way.TIME, W), Ending(Way.BOTH_LOSE), None)),
    )
    at = 0
    for _ in range(chance.randrange(25)):
        moves = list(board.legal_moves)
        if not moves:
            break
        at += chance.randrange(1, 9_000)
        notes: tuple[Note, ...] = ()
        if chance.random() < 0.2:
            clock = clock.adjust(not board.turn, 60_000, at)
            notes = (Note(chance.choice(list(NoteKind)), board.turn, 60_000, "Ke9 ]}"),)
        clock = clock.press(at)
        move = chance.choice(moves)
        made = entry(move, clock, at, chance.random() < 0.2, notes)
        score = replace(score, entries=(*score.entries, made))
        board.push(move)
    if score.entries and chance.random() < 0.3:
        score = replace(score, after=(Note(chance.choice(list(NoteKind)), W, -1_000, "x"), Note(NoteKind.WARNING, B)))
    return score


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("time", TIMES)
def test_export_import_export_is_identical(time: str, chess960: bool) -> None:
    chance = random.Random(f"{time}{chess960}")
    for _ in range(6):
        score = random_game(chance, time, chess960)
        written = write_pgn(score)
        (read,) = read_pgn(written)
        assert write_pgn(read) == written
        assert [made.move for made in read.entries] == [made.move for made in score.entries]
        assert [(made.white_ms, made.black_ms) for made in read.entries] == [
            (made.white_ms, made.black_ms) for made in score.entries
        ]
        assert read.time == score.time
        assert read.ending == score.ending
        assert read.board().fen() == score.board().fen()


def test_python_chess_reads_what_we_write() -> None:
    score = random_game(random.Random(5), "90/40+30:15+30")
    game = chess.pgn.read_game(io.StringIO(write_pgn(score)))
    assert game is not None
    assert not game.errors
    assert list(game.mainline_moves()) == [made.move for made in score.entries]
    clocks = [node.clock() for node in game.mainline()]
    movers = [made.white_ms if number % 2 == 0 else made.black_ms for number, made in enumerate(score.entries)]
    assert clocks == pytest.approx([ms / 1_000 for ms in movers if ms is not None])


def played(*sans: str) -> Score:
    board = chess.Board()
    entries = []
    for text in sans:
        move = board.parse_san(text)
        entries.append(Entry(move))
        board.push(move)
    return Score(entries=tuple(entries))


def test_a_written_game_in_full() -> None:
    score = Score(
        "Anna", "Bella", "2026.11.21", time=parse_time("5+3"), edition=2023, ending=Ending(Way.RESIGNATION, W)
    )
    e4 = Entry(chess.Move.from_uci("e2e4"), 304_500, 303_000, draw_offered=True)
    note = Note(NoteKind.ILLEGAL, B, 120_000, "Ke6")
    e5 = Entry(chess.Move.from_uci("e7e5"), 424_500, 302_000, notes=(note,))
    assert write_pgn(replace(score, entries=(*score.entries, e4, e5))) == (
        '[Event "?"]\n[Site "?"]\n[Date "2026.11.21"]\n[Round "-"]\n[White "Anna"]\n[Black "Bella"]\n[Result "1-0"]\n'
        '[TimeControl "300+3"]\n[TimeNotation "5+3"]\n[Laws "2023"]\n[Termination "normal"]\n[Ending "resignation"]\n'
        '[ECO "C20"]\n[Opening "King\'s Pawn Game"]\n'
        "\n1. e4 { [%clk 0:05:04.500] (=) } 1... e5\n"
        "{ [%clk 0:05:02] [%oclk 0:07:04.500] [%illegal b 0:02:00 Ke6] } 1-0\n\n"
    )


def test_time_that_the_arbiter_has_taken_comes_back() -> None:
    notes = (Note(NoteKind.ARBITER, B, -90_500), Note(NoteKind.WARNING, W))
    score = Score(entries=(Entry(chess.Move.from_uci("e2e4"), 301_500, 300_000, notes=notes),))
    text = write_pgn(score)
    assert "[%arbiter b -0:01:30.500] [%warning w 0:00:00]" in text
    assert read_pgn(text)[0].entries[0].notes == notes


FORGED = (
    'Eva"]\n[Result "1-0',
    'back\\slash"',
    "a\\",
    '"',
    "line\rbreak\u2028here",
    "{comment} %x",
    "x" * 400,
    "ünïcode ♞",
)


@pytest.mark.parametrize("name", FORGED)
def test_a_name_cannot_forge_a_tag(name: str) -> None:
    written = write_pgn(Score(name, "Bella", entries=played("e4").entries))
    assert written.count('[Result "*"]') == 1
    assert "[Result" not in written.replace('[Result "*"]', "").replace('[Result \\"1-0', "")
    (read,) = read_pgn(written)
    assert read.result == "*"
    assert write_pgn(read) == written
    game = chess.pgn.read_game(io.StringIO(written))
    assert game is not None
    assert game.headers["Result"] == "*"


def test_foreign_tags_and_comments_are_kept() -> None:
    text = (
        '[Event "Cup"]\n[White "A"]\n[Black "B"]\n[Result "0-1"]\n[ECO "C20"]\n[TimeControl "600+5"]\n'
        '[Termination "Black won on time"]\n\n'
        "{Start} 1. e4 {[%eval 0.2] [%clk 0:10:00]} (1. d4 d5 {x} (1... Nf6)) 1... e5 $1 {good} 2. Nf3!? ; line\n 0-1\n"
    )
    (score,) = read_pgn(text)
    assert (score.result, score.ending, score.comment) == ("0-1", None, "Start")
    assert score.entries[0].comment == "[%eval 0.2]"
    assert score.entries[0].white_ms == 600_000
    assert dict(score.tags)["ECO"] == "C20"
    written = write_pgn(score)
    assert write_pgn(read_pgn(written)[0]) == written
    assert '[Termination "Black won on time"]' in written


def test_a_comment_behind_a_move_is_written_again_beside_what_is_our_own() -> None:
    (score,) = read_pgn("1. e4 {[%clk 0:04:58] (=) ein guter Zug} e5 {so?} *")
    (again,) = read_pgn(write_pgn(score))
    assert [made.comment for made in again.entries] == ["ein guter Zug", "so?"]
    assert again.entries == score.entries


def test_german_letters_are_read() -> None:
    (score,) = read_pgn("1. e4 e5 2. Sf3 Sc6 3. Lb5 Dh4 4. 0-0 *")
    assert [made.move.uci() for made in score.entries][2:] == ["g1f3", "b8c6", "f1b5", "d8h4", "e1g1"]


def test_several_games() -> None:
    scores = read_pgn('; x\n1. e4 1-0\n{between}\n[White "A"]\n\n1. d4 *\n\n[White "B"]\n\n*\n')
    assert [len(score.entries) for score in scores] == [1, 1, 0]
    assert [score.white for score in scores] == ["?", "A", "B"]


REFUSED = {
    "": "empty",
    "  \n": "empty",
    "1. e4 Nf3 ) e5 *": "move",
    "1. e4 e5 ) *": "variation",
    "1. e4 ( 1. d4 *": "variation",
    "1. e4 e4 *": "move",
    "1. e4 Z0 *": "null_move",
    "1. -- e5 *": "null_move",
    "1. e4 @@@@ *": "null_move",
    "1. e4 0000 *": "null_move",
    "1. e4 Sf3 *": "move",
    "1. e4 xyzzy e5 *": "move",
    "1. e4 { no end": "comment",
    "1. e4 ~ e5": "token",
    '[FEN "nonsense"]\n\n1. e4 *': "fen",
    '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*': "impossible_fen",
    '[FEN "4k3/8/8/8/8/8/8/4K2r w - - 0 1"]\n[Variant "Atomic"]\n\n*': "variant",
    '[Result "1-0"]\n\n1. e4 0-1': "result",
    "1. e4 e5 2. Qh5 Ke7 3. Qxe5# Kd8 *": "move",
    "\x00": "empty",
    '[A "b"]\n' * 5 + "{": "comment",
    "".join(f'[T{n} "x"]\n' for n in range(101)): "token",
    "1. e4 " + "(" * 50_000: "variation",
    "1. e4 {" + "x" * 4_000_000 + "} *": "too_large",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:20]))
def test_refused_with_its_reason(text: str) -> None:
    with pytest.raises(Failure) as refusal:
        read_pgn(text)
    assert refusal.value.key == "pgn.error." + REFUSED[text]


@settings(max_examples=150)
@given(st.text(alphabet='e4 d5Nf3x()[]{}"\\;%$1.*-0O=\n\rZ@Aö', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        scores = read_pgn(text)
    except Failure as refusal:
        assert refusal.slots["game"]
    else:
        for score in scores:
            written = write_pgn(score)
            assert write_pgn(read_pgn(written)[0]) == written


def test_the_first_of_two_tags_counts() -> None:
    assert read_pgn('[Result "0-1"]\n[Result "1-0"]\n\n1. e4 0-1')[0].result == "0-1"


# Other forms.


def test_german_algebraic() -> None:
    board = chess.Board("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1")
    told = {san(board, move, PieceLetters.GERMAN) for move in board.legal_moves}
    assert {"0-0", "0-0-0", "Txh8+", "Ke2"} <= told
    assert (
        san(chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), chess.Move.from_uci("a7a8q"), PieceLetters.GERMAN) == "a8D+"
    )


def test_both_notations_are_read_back() -> None:
    chance = random.Random(7)
    board = chess.Board()
    for _ in range(150):
        moves = list(board.legal_moves)
        if not moves:
            break
        for move in moves:
            for letters in PieceLetters:
                assert parse_san(board, san(board, move, letters)) == move
        board.push(chance.choice(moves))


@pytest.mark.parametrize("text", ["a8S", "a8=S", "a8(S)", "a8N"])
def test_promotions_are_read_in_every_spelling(text: str) -> None:
    board = chess.Board("8/P6k/8/8/8/8/8/4K3 w - - 0 1")
    assert parse_san(board, text) == chess.Move.from_uci("a7a8n")


@pytest.mark.parametrize("text", ["--", "Z0", "", "Sf3", "Nf6", "e9", "0-0"])
def test_what_is_no_legal_move_is_refused(text: str) -> None:
    with pytest.raises((chess.IllegalMoveError, chess.InvalidMoveError)):
        parse_san(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), text)


def test_the_move_list() -> None:
    score = played("e4", "e5", "Nf3")
    offered = Entry(score.entries[0].move, draw_offered=True)
    score = Score(entries=(offered, *score.entries[1:]))
    assert move_list(score, PieceLetters.GERMAN) == ("1. e4 (=) e5", "2. Sf3")
    timed = Score(entries=tuple(replace(made, white_ms=298_999, black_ms=5_401_000) for made in score.entries))
    assert move_list(timed, PieceLetters.GERMAN) == ("1. e4 (=) (4:58) e5 (1:30:01)", "2. Sf3 (4:58)")


def test_an_ending_has_words() -> None:
    assert Ending(Way.AGREEMENT).words == Phrase("ending.agreement", {})


@pytest.mark.parametrize("between", ["", " ", "$1", "(e5)"])
def test_a_flood_of_comments_is_taken_at_once(between: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may hold millions: were each added to the move by itself, each would cost what all before it have."""
    made: list[chess.Move] = []

    def entry(move: chess.Move, *rest: Any) -> Entry:
        made.append(move)
        return Entry(move, *rest)

    monkeypatch.setattr("voicechess.score.pgn.Entry", entry)
    comments = between.join(f"{{a{number} [%illegal w 0:00:01 x]}}" for number in range(1_000))
    [score] = read_pgn(f'[White "A"]\n\n{comments} 1. e4 {comments} e5 *')
    assert len(made) == 3, "one for each move, one for all comments between them"
    assert score.entries[0].comment.startswith("a0 a1 a2 ")
    assert len(score.entries[0].notes) == 1_000
    assert score.comment.startswith("a0 [%illegal w 0:00:01 x] a1 ")


def test_no_game_comes_to_move_ten_thousand() -> None:
    with pytest.raises(Failure, match="fen"):
        read_pgn(f'[SetUp "1"]\n[FEN "{chess.STARTING_FEN[:-1]}10000"]\n\n1. e4 *')


def test_brackets_without_an_end_are_read_once() -> None:
    """Read on from each beginning, this would take longer than anybody waits."""
    [score] = read_pgn("1. e4 {" + "[%clk 0:00:01 " * 250_000 + "} *")
    assert score.entries[0].comment.startswith("[%clk 0:00:01 [%clk")
