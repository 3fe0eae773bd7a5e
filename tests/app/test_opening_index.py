"""What is played in a collection: counted once, merged from runs, asked by position; and endgame tables."""

from __future__ import annotations

import os
from pathlib import Path

import chess
import chess.syzygy
import pytest

from voicechess.app import opening_index
from voicechess.app.library import Library, index_path
from voicechess.app.opening_index import OpeningIndex, build
from voicechess.cli import main
from voicechess.language.wording import Wording
from voicechess.messages import Failure
from voicechess.practice.exercises.consulting import TableVerdict, consulted
from voicechess.score.opening_moves import MAX_PLIES, PlayedMove, counted_game, packed, unpacked

GAMES = """[Result "1-0"]

1. e4 {best} c5 (1... e5 2. Nf3) 2. Nf3 1-0

[Result "0-1"]

1. Nf3 c5 2. e4 0-1

[Result "1/2-1/2"]

1. e4 e5 1/2-1/2

[Result "*"]

1. d4 *

[Result "1-0"]
[FEN "4k3/8/8/8/8/8/8/4K2R w - - 0 1"]
[SetUp "1"]

1. Rh8+ 1-0

[Result "1-0"]

1. e4 e4 1-0
"""


def board(*sans: str) -> chess.Board:
    found = chess.Board()
    for san in sans:
        found.push_san(san)
    return found


def told(index: OpeningIndex, position: chess.Board) -> list[tuple[str, int, int, int]]:
    return [(position.san(one.move), one.white, one.drawn, one.black) for one in index.played(position)]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES, "utf-8")
    return path


@pytest.mark.parametrize("in_memory", [1, 3, 400_000])
def test_moves_are_counted_by_position_with_their_results(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr(opening_index, "IN_MEMORY", in_memory)
    built = build([collection, collection], tmp_path / "index")
    assert (built.games, built.unread) == (6, 2)
    index = OpeningIndex(tmp_path / "index")
    assert told(index, board()) == [("e4", 2, 2, 0), ("Nf3", 0, 0, 2)]
    assert told(index, board("e4", "c5")) == [("Nf3", 2, 0, 0)]
    assert told(index, board("Nf3", "c5")) == [("e4", 0, 0, 2)]
    assert told(index, board("e4", "e5")) == []
    assert told(index, board("d4")) == [], "a game without a result"
    (e4, _) = index.played(board())
    assert (e4.count, e4.points(chess.WHITE), e4.points(chess.BLACK)) == (4, 75, 25)
    assert not list(tmp_path.glob(".openings*")), "no run is left"


def test_of_a_large_collection_what_was_played_once_is_left_out(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_index, "MANY_GAMES", 3)
    build([collection], tmp_path / "index")
    assert told(OpeningIndex(tmp_path / "index"), board()) == [("e4", 1, 1, 0)]


def test_no_more_plies_are_counted_than_are_wanted() -> None:
    game = counted_game('[Result "1-0"]\n\n' + "Nf3 Nf6 Ng1 Ng8 " * 20 + "1-0")
    assert game is not None and len(game.moves) == MAX_PLIES


def test_every_move_is_the_same_after_packing() -> None:
    moves = [chess.Move(a, b, p) for a in (0, 12, 63) for b in (1, 62) for p in (None, chess.QUEEN, chess.KNIGHT)]
    assert [unpacked(packed(move)) for move in moves] == moves


def test_what_cannot_be_counted_leaves_the_index_before(collection: Path, tmp_path: Path) -> None:
    path = tmp_path / "index"
    build([collection], path)
    before = path.read_bytes()
    (tmp_path / "none.pgn").write_text('[Result "*"]\n\n1. e4 *\n', "utf-8")
    with pytest.raises(Failure, match=r"openings\.nothing"):
        build([tmp_path / "none.pgn"], path)
    assert path.read_bytes() == before
    (tmp_path / "bad").write_bytes(b"something else")
    with pytest.raises(Failure, match=r"openings\.damaged"):
        OpeningIndex(tmp_path / "bad")
    with pytest.raises(Failure, match=r"openings\.none"):
        OpeningIndex(tmp_path / "gone")


def test_the_command_counts_and_tells(collection: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collection", "--quiet", str(collection)]) == 0
    assert "Gezählt: drei Partien" in capsys.readouterr().out.replace("3 Partien", "drei Partien")
    assert index_path().is_file()
    assert main(["collection", "--quiet", str(collection.parent / "gone.pgn")]) == 2


# --- endgame tables -------------------------------------------------------------------------------------------------


class Tables:
    """A stand-in that knows rook against king, as far as a test needs it: won for the rook's side, mate in so many
    plies as the kings are apart; a rook that is lost draws."""

    wdl = ("KRvK",)

    def probe_wdl(self, position: chess.Board) -> int:
        rook = bool(position.rooks)
        if position.castling_rights or chess.popcount(position.occupied) > 3:
            raise chess.syzygy.MissingTableError("none")
        return 0 if not rook else 2 if position.turn == chess.WHITE else -2

    def probe_dtz(self, position: chess.Board) -> int:
        kings = [position.king(colour) or 0 for colour in chess.COLORS]
        return (1 if position.turn == chess.WHITE else -1) * 2 * chess.square_distance(*kings)

    def close(self) -> None: ...


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Library:
    monkeypatch.setattr(chess.syzygy, "open_tablebase", lambda _: Tables())
    return Library(tmp_path)


@pytest.mark.parametrize(
    ("fen", "verdict"),
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", TableVerdict(2, chess.Move.from_uci("a1a8"), 1)),  # mate before all else
        ("8/8/8/4k3/8/8/8/K6R w - - 0 1", TableVerdict(2, chess.Move.from_uci("a1b2"), 7)),
        ("8/8/8/8/8/8/1k6/R3K3 b - - 0 1", TableVerdict(-2, chess.Move.from_uci("b2a1"), 1)),  # takes it, and draws
        ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", TableVerdict(0, None)),
    ],
)
def test_the_best_move_keeps_what_the_position_is_worth(library: Library, fen: str, verdict: TableVerdict) -> None:
    assert library.verdict(chess.Board(fen)) == verdict


@pytest.mark.parametrize(
    ("fen", "key"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "tables.castling"),
        ("4k3/pp6/8/8/8/8/8/4K2R w - - 0 1", "tables.missing"),
        (chess.STARTING_FEN, "tables.missing"),
    ],
)
def test_why_tables_say_nothing(library: Library, fen: str, key: str) -> None:
    with pytest.raises(Failure, match=key):
        library.verdict(chess.Board(fen))


class OneGame(Library):
    """A collection of one game."""

    def played(self, board: chess.Board) -> tuple[PlayedMove, ...]:
        return (PlayedMove(chess.Move.from_uci("e2e4"), 1, 0, 0),)


def test_a_single_game_is_told_as_one() -> None:
    (told,) = consulted("played_here", chess.Board(), OneGame(None))
    assert Wording("de").say(told).startswith("In einer Partie, Weiß am Zug: Eva vier, einmal")


def test_without_tables_or_in_an_empty_folder_that_is_told(tmp_path: Path) -> None:
    for library, key in ((Library(None), "tables.none"), (Library(tmp_path), "tables.empty")):
        with pytest.raises(Failure, match=key):
            library.verdict(chess.Board("8/8/8/8/8/4k3/8/4K2R w - - 0 1"))
    with pytest.raises(Failure, match=r"cli\.unreadable"):
        Library(tmp_path / "gone").verdict(chess.Board("8/8/8/8/8/4k3/8/4K2R w - - 0 1"))


@pytest.mark.skipif("VOICECHESS_SYZYGY" not in os.environ, reason="no tables (VOICECHESS_SYZYGY names their folder)")
def test_real_tables_mate_in_as_many_plies_as_they_say() -> None:
    library = Library(Path(os.environ["VOICECHESS_SYZYGY"]))
    for fen in ("8/8/8/8/8/4k3/8/4K2R w - - 0 1", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"):
        position = chess.Board(fen)
        claimed, played = library.verdict(position).plies, 0
        while not position.is_game_over():
            best = library.verdict(position).best
            assert best is not None
            position.push(best)
            played += 1
        assert position.is_checkmate() and claimed is not None and abs(played - claimed) <= 1
