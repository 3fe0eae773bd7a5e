"""A position in short says as much as the whole: from either, the position can be set up again."""

from __future__ import annotations

from random import Random

import chess

from voicechess.game.telling import changes_told, sides_in_short, sides_told
from voicechess.messages import File, Listing, Phrase, Piece, Rank, Side, Slot, Square

GAMES = 60


def set_up(told: tuple[Phrase, ...]) -> chess.BaseBoard:
    """The position that these sentences tell, as a listener sets it up."""
    board = chess.BaseBoard(None)
    for phrase in told:
        side, pieces = phrase.slots["side"], phrase.slots["pieces"]
        assert isinstance(side, Side)
        assert isinstance(pieces, Listing)
        for one in pieces.items:
            assert isinstance(one, Phrase)
            place(board, one, side.colour)
    return board


def place(board: chess.BaseBoard, phrase: Phrase, colour: chess.Color) -> None:
    first, second = (0, 1) if colour else (7, 6)
    match phrase.key.removeprefix("position."):
        case "castled_short":
            pieces = [(chess.KING, chess.square(6, first)), (chess.ROOK, chess.square(5, first))]
        case "castled_long":
            pieces = [(chess.KING, chess.square(2, first)), (chess.ROOK, chess.square(3, first))]
        case "pawns_at_home":
            pieces = [(chess.PAWN, chess.square(file, second)) for file in range(8)]
        case "pawns_else_at_home":
            away = phrase.slots["pawns"]
            assert isinstance(away, Phrase)
            place(board, away, colour)
            named = {chess.square_file(square) for square in board.pieces(chess.PAWN, colour)}
            pieces = [(chess.PAWN, chess.square(file, second)) for file in set(range(8)) - named]
        case _:
            kind, places = phrase.slots["piece"], phrase.slots["places"]
            assert isinstance(kind, Piece)
            assert isinstance(places, Listing)
            pieces = [(kind.kind, square) for one in places.items for square in squares(one)]
    for kind, square in pieces:
        assert board.piece_at(square) is None
        board.set_piece_at(square, chess.Piece(kind, colour))


def squares(slot: Slot) -> list[chess.Square]:
    if isinstance(slot, Square):
        return [slot.index]
    assert isinstance(slot, Phrase)
    files, rank = slot.slots["files"], slot.slots["rank"]
    assert isinstance(files, Listing)
    assert isinstance(rank, Rank)
    return [chess.square(file.index, rank.index) for file in files.items if isinstance(file, File)]


def changed(before: chess.Board, told: tuple[Phrase, ...]) -> chess.BaseBoard:
    """The position after these changes."""
    board = chess.BaseBoard(None)
    left = before.piece_map()
    for phrase in told:
        side, changes = phrase.slots["side"], phrase.slots["changes"]
        assert isinstance(side, Side)
        assert isinstance(changes, Listing)
        for change in changes.items:
            assert isinstance(change, Phrase)
            start = change.slots["square" if change.key == "position.lost" else "start"]
            assert isinstance(start, Square)
            piece = left.pop(start.index)
            assert piece.color == side.colour
            assert change.slots["piece"] == Piece(piece.piece_type)
            if change.key == "position.lost":
                continue
            target, became = change.slots["target"], change.slots.get("became", Piece(piece.piece_type))
            assert isinstance(target, Square)
            assert isinstance(became, Piece)
            board.set_piece_at(target.index, chess.Piece(became.kind, side.colour))
    for square, piece in left.items():
        assert board.piece_at(square) is None
        board.set_piece_at(square, piece)
    return board


def test_every_position_can_be_set_up_from_what_is_told_of_it() -> None:
    random = Random(22)
    for number in range(GAMES):
        board = chess.Board.from_chess960_pos(random.randrange(960)) if number % 3 == 0 else chess.Board()
        before, since = board.copy(), random.randrange(1, 30)
        while not board.is_game_over() and board.ply() < 160:
            board.push(random.choice(list(board.legal_moves)))
            whole, short = set_up(sides_told(board)), set_up(sides_in_short(board))
            assert whole.board_fen() == short.board_fen() == board.board_fen()
            moves = board.move_stack[len(before.move_stack) :]
            assert changed(before, changes_told(before, moves)).board_fen() == board.board_fen()
            if len(moves) > since:
                before = board.copy()


def test_what_comes_back_to_its_square_has_not_changed() -> None:
    moves = [chess.Move.from_uci(uci) for uci in ("g1f3", "g8f6", "f3g1", "f6g8")]
    assert changes_told(chess.Board(), moves) == ()


def test_each_piece_is_followed_on_its_way() -> None:
    """Two knights that change places by way of others are not taken for one that has moved."""
    moves = [chess.Move.from_uci(uci) for uci in ("b1c3", "a7a6", "c3d5", "a6a5", "g1f3", "a5a4", "d5f4", "a4a3")]
    white, _ = changes_told(chess.Board(), moves)
    changes = white.slots["changes"]
    assert isinstance(changes, Listing)
    ways = {(c.slots["start"], c.slots["target"]) for c in changes.items if isinstance(c, Phrase)}
    assert ways == {(Square(chess.B1), Square(chess.F4)), (Square(chess.G1), Square(chess.F3))}
