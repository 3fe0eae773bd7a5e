"""Questions about the position and the game, answered. None of them changes anything.

Long answers are several utterances, so that "Stopp" ends them between two breaths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import chess

from voicechess.game.messages import File, Listing, Man, Men, Phrase, Rank, Side, Slot, Square
from voicechess.game.reasons import one_or_many
from voicechess.game.saying import said_move
from voicechess.game.table import Table
from voicechess.language.meaning import Command

KINDS = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)


def _square(table: Table, command: Command) -> None:
    square = _number(command, "square")
    piece = table.board.piece_at(square)
    if piece is None:
        table.say("position.square_empty", {"square": Square(square)})
    else:
        table.say("position.square", {"square": Square(square), "man": Man(piece.piece_type, piece.color)})


def _where(table: Table, command: Command) -> None:
    kind = _number(command, "piece")
    named = command.slot("colour")
    for colour in chess.COLORS if named is None else (bool(named),):
        squares = _listed(table.board.pieces(kind, colour))
        if squares.items:
            table.say("position.where", {"men": Men(kind, len(squares.items), colour), "squares": squares})
        else:
            table.say("position.where_none", {"man": Man(kind, colour)})


def _file(table: Table, command: Command) -> None:
    file = _number(command, "file")
    men = _men_on(table.board, chess.SquareSet(chess.BB_FILES[file]), with_file=True)
    if men.items:
        table.say("position.file", {"file": File(file), "men": men})
    else:
        table.say("position.file_empty", {"file": File(file)})


def _rank(table: Table, command: Command) -> None:
    _say_rank(table, _number(command, "rank"))


def _say_rank(table: Table, rank: int) -> None:
    men = _men_on(table.board, chess.SquareSet(chess.BB_RANKS[rank]), with_file=True)
    if men.items:
        table.say("position.rank", {"rank": Rank(rank), "men": men})
    else:
        table.say("position.rank_empty", {"rank": Rank(rank)})


def _position(table: Table, command: Command) -> None:
    for colour in chess.COLORS:
        _say_side(table, colour)
    _turn(table, command)


def _position_colour(table: Table, command: Command) -> None:
    _say_side(table, bool(command.slot("colour")))


def _say_side(table: Table, colour: chess.Color) -> None:
    table.say("position.side", {"side": Side(colour)})
    for kind in KINDS:
        squares = _listed(table.board.pieces(kind, colour))
        if squares.items:
            table.say("position.kind", {"men": Men(kind, len(squares.items)), "squares": squares})


def _position_ranks(table: Table, command: Command) -> None:
    for rank in range(8):
        _say_rank(table, rank)


def _material(table: Table, command: Command) -> None:
    for colour in chess.COLORS:
        men = tuple(Men(kind, count) for kind in KINDS[1:] if (count := len(table.board.pieces(kind, colour))))
        if men:
            table.say("position.material", {"side": Side(colour), "men": Listing(men)})
        else:
            table.say("position.material_none", {"side": Side(colour)})


def _moves(table: Table, command: Command) -> None:
    if not table.plies:
        table.say("score.none")
        return
    board = table.board.copy()
    for _ in table.plies:
        board.pop()
    for ply in table.plies:
        slots: dict[str, Slot] = {"number": board.fullmove_number, "move": said_move(board, ply.move)}
        table.say("score.white" if board.turn == chess.WHITE else "score.black", slots)
        board.push(ply.move)


def _legal(table: Table, command: Command) -> None:
    kind, square = command.slot("piece"), command.slot("square")
    origins = table.board.occupied_co[table.turn]
    if isinstance(kind, int):
        origins &= table.board.pieces_mask(kind, table.turn)
    if isinstance(square, int):
        origins &= chess.BB_SQUARES[square]
    found = False
    for origin in chess.scan_forward(origins):
        moves = list(table.board.generate_legal_moves(chess.BB_SQUARES[origin]))
        man = table.board.piece_type_at(origin)
        if not moves or man is None:
            continue
        found = True
        castlings = [m for m in moves if table.board.is_castling(m)]
        targets = dict.fromkeys(move.to_square for move in moves if move not in castlings)
        if targets:
            slots: dict[str, Slot] = {"man": Man(man), "square": Square(origin), "targets": _listed(targets)}
            table.say("legal.moves", slots)
        for castling in castlings:
            table.say("legal.castling", {"move": said_move(table.board, castling)})
    if found:
        return
    if isinstance(square, int) and not origins:
        table.say("legal.nobody", {"square": Square(square), "side": Side(table.turn)})
    elif isinstance(kind, int):
        table.say(one_or_many("legal.none", table.board, kind), {"man": Man(kind)})
    else:
        table.say("legal.none_there")


def _attackers(table: Table, command: Command) -> None:
    square = _number(command, "square")
    standing = table.board.color_at(square)
    found = False
    for colour in chess.COLORS:
        if colour == standing:
            continue
        attackers = table.board.attackers(colour, square)
        if attackers:
            found = True
            men = _men_on(table.board, attackers, with_colour=False)
            table.say("position.attackers", {"square": Square(square), "side": Side(colour), "men": men})
    if not found:
        table.say("position.attackers_none", {"square": Square(square)})


def _turn(table: Table, command: Command) -> None:
    key = "turn.side_in_check" if table.board.is_check() else "turn.side"
    table.say(key, {"side": Side(table.turn), "number": table.board.fullmove_number})


def _men_on(
    board: chess.Board, squares: Iterable[chess.Square], with_file: bool = False, with_colour: bool = True
) -> Listing:
    items: list[Slot] = []
    for square in squares:
        piece = board.piece_at(square)
        if piece is not None:
            man = Man(piece.piece_type, piece.color if with_file or with_colour else None)
            items.append(Phrase("position.man_on", {"man": man, "square": Square(square)}))
    return Listing(tuple(items))


def _listed(squares: Iterable[chess.Square]) -> Listing:
    """Squares from the a-file to the h-file, as people look for them."""
    ordered = sorted(squares, key=lambda square: (chess.square_file(square), chess.square_rank(square)))
    return Listing(tuple(Square(square) for square in ordered))


def _number(command: Command, slot: str) -> int:
    value = command.slot(slot)
    assert isinstance(value, int), f"the language files give {command.name} its {slot}"
    return value


QUERIES: Mapping[str, Callable[[Table, Command], None]] = {
    "square": _square,
    "where": _where,
    "file": _file,
    "rank": _rank,
    "position": _position,
    "position_colour": _position_colour,
    "position_ranks": _position_ranks,
    "material": _material,
    "moves": _moves,
    "legal": _legal,
    "attackers": _attackers,
    "turn": _turn,
}

NEEDS: Mapping[str, str] = {"square": "square", "where": "piece", "file": "file", "rank": "rank", "attackers": "square"}
"""The slot without which a query says nothing."""

POSITION_QUERIES = frozenset(QUERIES) - {"turn", "moves"}
"""What strict-blind play refuses."""

ADVICE = frozenset({"legal", "attackers"})
"""What a tournament refuses: nobody may be helped to find a move (Laws, Art. 11.3)."""
