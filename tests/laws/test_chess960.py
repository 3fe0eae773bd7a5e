"""Chess960: all 960 positions, by number, lot and hand; castling both ways against python-chess."""

from __future__ import annotations

import chess
import pytest

from voicechess.laws.chess960 import (
    CLASSICAL,
    announcement,
    by_hand,
    by_lot,
    by_number,
    castling_steps,
    castling_told,
    number_of,
)
from voicechess.messages import Failure, File, Listing, Phrase, Piece, Square


def test_all_positions_by_number_and_by_hand() -> None:
    seen = set()
    for number in range(960):
        board = by_number(number)
        pieces = [kind for file in range(8) if (kind := board.piece_type_at(file)) is not None]
        assert by_hand(pieces).fen() == board.fen()
        assert number_of(board) == number
        seen.add(tuple(pieces))
    assert len(seen) == 960
    assert by_number(CLASSICAL).board_fen() == chess.STARTING_BOARD_FEN


def test_lots() -> None:
    assert {by_lot(number) for number in range(2_000)} == set(range(960))


ORTHODOX = (chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.QUEEN, chess.KING, chess.BISHOP, chess.KNIGHT, chess.ROOK)


def swapped(first: int, second: int) -> list[chess.PieceType]:
    pieces = list(ORTHODOX)
    pieces[first], pieces[second] = pieces[second], pieces[first]
    return pieces


@pytest.mark.parametrize(
    ("pieces", "key"),
    [
        (swapped(1, 2), "bishops"),
        (swapped(0, 4), "king"),
        ([*ORTHODOX[:7], chess.QUEEN], "count"),
        ([*ORTHODOX[:7], chess.PAWN], "count"),
        (list(ORTHODOX[:7]), "eight"),
    ],
)
def test_what_cannot_be_set_up(pieces: list[chess.PieceType], key: str) -> None:
    with pytest.raises(Failure) as refusal:
        by_hand(pieces)
    assert refusal.value.key == "chess960.error." + key


@pytest.mark.parametrize("number", [-1, 960])
def test_numbers_that_there_are_not(number: int) -> None:
    with pytest.raises(Failure) as refusal:
        by_number(number)
    assert refusal.value.key == "chess960.error.number"


def test_announced_file_by_file() -> None:
    told = announcement(by_number(0))
    assert told.slots["number"] == 0
    pieces = told.slots["pieces"]
    assert isinstance(pieces, Listing)
    assert len(pieces.items) == 8
    assert pieces.items[0] == Phrase("chess960.file", {"file": File(0), "piece": Piece(chess.BISHOP)})


def castling_positions(number: int) -> list[chess.Board]:
    """The side to move with king and rooks only, the other with its king only; White to move and Black to move."""
    boards = []
    for turn in chess.COLORS:
        board = by_number(number)
        board.turn = turn
        ours = board.occupied_co[turn] & (board.kings | board.rooks)
        theirs = board.occupied_co[not turn] & board.kings
        for square in chess.SquareSet(board.occupied & ~ours & ~theirs):
            board.remove_piece_at(square)
        boards.append(board)
    return boards


def free_way(board: chess.Board, rook: chess.Square, kingside: bool) -> bool:
    """Whether only the castling pieces stand where they go (nobody attacks in these positions)."""
    king = board.king(board.turn)
    assert king is not None
    rank = chess.square_rank(king)
    goals = [chess.square(file, rank) for file in ((6, 5) if kingside else (2, 3))]
    way = chess.SquareSet(chess.between(king, goals[0]) | chess.between(rook, goals[1])) | chess.SquareSet(goals)
    return all(square in (king, rook) or board.piece_at(square) is None for square in way)


def test_castling_both_ways_in_all_960_positions() -> None:
    """Possible exactly where the way is free, and python-chess puts king and rook where we say they go."""
    told: list[str] = []
    for number in range(960):
        for board in castling_positions(number):
            possible = set()
            for move in board.generate_castling_moves():
                steps = castling_steps(board, move)
                assert board.piece_at(steps.rook_from) == chess.Piece(chess.ROOK, board.turn)
                after = board.copy(stack=False)
                after.push(move)
                assert after.king(board.turn) == steps.king_to
                assert after.piece_at(steps.rook_to) == chess.Piece(chess.ROOK, board.turn)
                told.append(castling_told(board, move).key.rpartition(".")[2])
                possible.add(steps.rook_from)
            rooks = board.pieces(chess.ROOK, board.turn)
            king = board.king(board.turn)
            assert king is not None
            assert possible == {rook for rook in rooks if free_way(board, rook, rook > king)}, board.fen()
    assert set(told) == {"both", "king_stays", "rook_stays", "change_places"}
    assert len(told) > 3_000


AWKWARD = {
    ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1"): "king_stays",
    ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1"): "rook_stays",
    ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"): "change_places",
    ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1"): "both",
    ("4k3/8/8/8/8/8/8/R1K5 w A - 0 1", "c1a1"): "king_stays",
    ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "e1d1"): "rook_stays",
    ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1"): "change_places",
}


@pytest.mark.parametrize(("fen", "uci"), AWKWARD)
def test_awkward_castlings(fen: str, uci: str) -> None:
    board = chess.Board(fen, chess960=True)
    move = chess.Move.from_uci(uci)
    assert move in board.legal_moves
    assert castling_told(board, move).key == "chess960.castling." + AWKWARD[fen, uci]


def test_ordinary_castling_is_told_the_same_way() -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    told = castling_told(board, chess.Move.from_uci("e8c8"))
    assert (told.slots["rook_from"], told.slots["rook_to"]) == (Square(chess.A8), Square(chess.D8))
