"""Answers queries about the position and the game. None of them changes anything.

Positions are read in as few words as possible, since the player's clock is running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

import chess

from voicechess.game.effects import ShowText
from voicechess.game.situation import ToldSoFar
from voicechess.game.state import Table
from voicechess.game.telling import (
    KINDS,
    changes_told,
    group,
    side_in_short,
    side_told,
    sides_in_short,
    sides_told,
)
from voicechess.meaning import Castling, Command, SpokenMove
from voicechess.messages import (
    Duration,
    File,
    Listing,
    Phrase,
    Piece,
    Pieces,
    Priority,
    Rank,
    SaidMove,
    Side,
    Slot,
    Square,
    TimeLeft,
)
from voicechess.moves.fitting import fits
from voicechess.moves.refusals import one_or_many, why_illegal
from voicechess.moves.saying import said_move
from voicechess.score.openings import opening_of

POINTS = {chess.QUEEN: 9, chess.ROOK: 5, chess.BISHOP: 3, chess.KNIGHT: 3, chess.PAWN: 1}
"""Conventional piece values, in pawns."""


def square(table: Table, command: Command) -> None:
    square = _number(command, "square")
    piece = table.board.piece_at(square)
    if piece is None:
        table.say("position.square_empty", {"square": Square(square)})
    else:
        table.say("position.square", {"square": Square(square), "piece": Piece(piece.piece_type, piece.color)})


def where(table: Table, command: Command) -> None:
    kind = _number(command, "piece")
    mine, named = command.slot("own"), command.slot("colour")
    if mine is not None:
        named = _own(table) if mine else not _own(table)
    for colour in chess.COLORS if named is None else (bool(named),):
        squares = _listed(table.board.pieces(kind, colour))
        if squares.items:
            table.say("position.where", {"pieces": Pieces(kind, len(squares.items), colour), "squares": squares})
        else:
            table.say("position.where_none", {"piece": Piece(kind, colour)})


def file(table: Table, command: Command) -> None:
    _say_file(table, _number(command, "file"))


def _say_file(table: Table, file: int) -> None:
    table.told.file = file
    pieces = _line(table.board, chess.SquareSet(chess.BB_FILES[file]), lambda square: Rank(chess.square_rank(square)))
    if pieces.items:
        table.say("position.file", {"file": File(file), "pieces": pieces})
    else:
        table.say("position.file_empty", {"file": File(file)})


def rank(table: Table, command: Command) -> None:
    _say_rank(table, _number(command, "rank"))


def _say_rank(table: Table, rank: int) -> None:
    table.told.rank = rank
    pieces = _line(table.board, chess.SquareSet(chess.BB_RANKS[rank]), lambda square: File(chess.square_file(square)))
    if pieces.items:
        table.say("position.rank", {"rank": Rank(rank), "pieces": pieces})
    else:
        table.say("position.rank_empty", {"rank": Rank(rank)})


def position(table: Table, command: Command) -> None:
    """The position in short."""
    _say_position(table, sides_in_short(table.board))


def position_whole(table: Table, command: Command) -> None:
    _say_position(table, sides_told(table.board))


def _say_position(table: Table, told: Iterable[Phrase]) -> None:
    _say_sides(table, tuple(told))
    _say_turn(table, "position.turn_in_check" if table.board.is_check() else "position.turn")
    table.told.position = len(table.plies), table.board.fen()


def _say_sides(table: Table, told: tuple[Phrase, ...], first: chess.Color = chess.WHITE) -> None:
    """One side, or White and Black: walking begins at its first piece, or at Black's once White's were heard whole."""
    begin, between = (chess.COLORS.index(first),), (chess.COLORS.index(chess.BLACK),)
    numbers = [table.say(phrase.key, phrase.slots).number for phrase in told]
    table.told.piece = begin
    table.told.reading = tuple(zip(numbers, (between, begin) if len(told) > 1 else (begin,), strict=True))


def one_side(table: Table, command: Command) -> None:
    """The pieces of a side, of the player here (of two people, the side to move), or of the opponent."""
    _say_side(table, command, side_told)


def one_side_in_short(table: Table, command: Command) -> None:
    _say_side(table, command, side_in_short)


def _say_side(table: Table, command: Command, told: Callable[[chess.BaseBoard, chess.Color], Phrase]) -> None:
    asked = {"own_pieces": _own(table), "other_pieces": not _own(table)}
    colour = asked.get(command.name, bool(command.slot("colour")))
    _say_sides(table, (told(table.board, colour),), colour)


def _own(table: Table) -> chess.Color:
    voices = [colour for colour in chess.COLORS if table.kind.speaks_for(colour)]
    return voices[0] if len(voices) == 1 else table.turn


def changes(table: Table, command: Command) -> None:
    """Changes since the position was last read, or since the start of the game."""
    count, fen = table.told.position or (0, "")
    board = table.board.copy()
    moves = [board.pop() for _ in range(len(table.plies) - count)][::-1]
    if count > len(table.plies) or fen not in ("", board.fen()):
        position(table, command)  # that position was taken back
        return
    told = changes_told(board, moves)
    _say(table, *(told or (Phrase("position.unchanged"),)))
    table.told.position = len(table.plies), table.board.fen()


def _say(table: Table, *told: Phrase) -> None:
    for phrase in told:
        table.say(phrase.key, phrase.slots)


def position_ranks(table: Table, command: Command) -> None:
    told = []
    for rank in range(8):
        _say_rank(table, rank)
        told.append((table.last_said.number, rank))
    table.told.reading, table.told.rank = tuple(told), None


def heard_whole(told: ToldSoFar, number: int) -> None:
    """Utterance `number` was said to its end: if it told a rank or a side, walking goes on from there."""
    match dict(told.reading).get(number):
        case int(rank):
            told.rank = rank
        case tuple(place):
            told.piece = place


def walk(table: Table, command: Command) -> None:
    """The next rank, file or piece after the last one told, or the one before it; from the first rank, the a-file or
    White's king on."""
    what, _, way = command.name.partition("_")
    step = 1 if way == "next" else -1
    if what == "piece":
        _walk_pieces(table, step)
        return
    last = table.told.rank if what == "rank" else table.told.file
    wanted = (0 if step > 0 else 7) if last is None else last + step
    if not 0 <= wanted <= 7:
        table.say(f"position.no_more_{what}s")
    elif what == "rank":
        _say_rank(table, wanted)
    else:
        _say_file(table, wanted)


def _walk_pieces(table: Table, step: int) -> None:
    """One piece, in the order in which a position is told: White's king, queen and so on, then Black's."""
    places = {_place(piece, square): (piece, square) for square, piece in table.board.piece_map().items()}
    last = table.told.piece
    if last is None:
        last = () if step > 0 else (len(chess.COLORS),)
    onward = [place for place in places if (place > last if step > 0 else place < last)]
    if not onward:
        table.say("position.no_more_pieces")
        return
    table.told.piece = min(onward) if step > 0 else max(onward)
    piece, square = places[table.told.piece]
    told = group(piece.piece_type, 1, Listing((Square(square),)))
    table.say("position.side", {"side": Side(piece.color), "pieces": told})


def _place(piece: chess.Piece, square: chess.Square) -> tuple[int, ...]:
    """Sorts pieces as they are told: by side, kind, rank as that side counts, and file."""
    rank = chess.square_rank(square if piece.color == chess.WHITE else chess.square_mirror(square))
    return (chess.COLORS.index(piece.color), KINDS.index(piece.piece_type), rank, chess.square_file(square))


def material(table: Table, command: Command) -> None:
    for colour in chess.COLORS:
        pieces = tuple(Pieces(kind, count) for kind in KINDS[1:] if (count := len(table.board.pieces(kind, colour))))
        if pieces:
            table.say("position.material", {"side": Side(colour), "pieces": Listing(pieces)})
        else:
            table.say("position.material_none", {"side": Side(colour)})


def material_difference(table: Table, command: Command) -> None:
    """Surplus pieces of each side, by kind, and the difference in points."""
    lead, told = 0, False
    for colour in chess.COLORS:
        more = {kind: _count(table, kind, colour) - _count(table, kind, not colour) for kind in KINDS[1:]}
        pieces = tuple(Pieces(kind, count) for kind, count in more.items() if count > 0)
        if pieces:
            told = True
            table.say("position.more", {"side": Side(colour), "pieces": Listing(pieces)})
        if colour == chess.WHITE:
            lead = sum(POINTS[kind] * count for kind, count in more.items())
    if not told:
        table.say("position.more_none")
    elif lead:
        table.say("position.points", {"side": Side(lead > 0), "count": abs(lead)})
    else:
        table.say("position.points_level")


def _count(table: Table, kind: chess.PieceType, colour: chess.Color) -> int:
    return len(table.board.pieces(kind, colour))


def diagonals(table: Table, command: Command) -> None:
    """Both diagonals of a square, from the a-file on; a corner has only one."""
    square = _number(command, "square")
    file, rank = chess.square_file(square), chess.square_rank(square)
    for step in (1, -1):
        line = [chess.square(f, rank + step * (f - file)) for f in range(8) if 0 <= rank + step * (f - file) < 8]
        if len(line) < 2:
            continue
        slots: dict[str, Slot] = {"first": Square(line[0]), "last": Square(line[-1])}
        pieces = _line(table.board, line, Square)
        if pieces.items:
            table.say("position.diagonal", {**slots, "pieces": pieces})
        else:
            table.say("position.diagonal_empty", slots)


def pawns(table: Table, command: Command) -> None:
    """The pawns file by file, and the files without any."""
    pawns = table.board.pieces_mask(chess.PAWN, chess.WHITE) | table.board.pieces_mask(chess.PAWN, chess.BLACK)
    if not pawns:
        table.say("position.pawns_none")
        return
    empty: list[Slot] = []
    for file in range(8):
        sides: list[Slot] = []
        for colour in chess.COLORS:
            squares = table.board.pieces(chess.PAWN, colour) & chess.BB_FILES[file]
            if squares:
                ranks = Listing(tuple(Rank(chess.square_rank(square)) for square in squares), "row")
                sides.append(Phrase("position.of_side", {"side": Side(colour), "pieces": ranks}))
        if sides:
            table.say("position.pawns", {"file": File(file), "pawns": Listing(tuple(sides), "")})
        else:
            empty.append(File(file))
    if empty:
        table.say("position.pawns_open", {"files": Listing(tuple(empty))})


def undefended(table: Table, command: Command) -> None:
    """The pieces and pawns that no other of their side covers, those of the side to move first."""
    for colour in (table.turn, not table.turn):
        alone = [
            square
            for square in chess.scan_forward(table.board.occupied_co[colour] & ~table.board.kings)
            if not table.board.attackers(colour, square)
        ]
        if alone:
            slots: dict[str, Slot] = {"side": Side(colour), "pieces": _pieces_on(table.board, alone)}
            table.say("position.undefended", slots)
        else:
            table.say("position.undefended_none", {"side": Side(colour)})


def castling(table: Table, command: Command) -> None:
    """Which ways of castling are legal for the player here (of two, the side to move), and why another is not."""
    board = table.board.copy(stack=False)
    if board.turn != (own := _own(table)):
        board.turn, board.ep_square = own, None
    reasons = {side: _why_not(board, side) for side in (Castling.KINGSIDE, Castling.QUEENSIDE)}
    short, long = reasons.values()
    if short is not None and short == long:
        table.say(short.key, short.slots)
        return
    for side, reason in reasons.items():
        key = "position.castling_short" if side is Castling.KINGSIDE else "position.castling_long"
        table.say(key if reason is None else f"{key}_not", {} if reason is None else {"reason": reason})


def _why_not(board: chess.Board, side: Castling) -> Phrase | None:
    spoken = SpokenMove(castling=side)
    return None if fits(board, spoken) else why_illegal(board, spoken).phrase


def pinned(table: Table, command: Command) -> None:
    """The pieces that may not leave the line to their king, with what pins them, those of the side to move first."""
    board = table.board
    for colour in (table.turn, not table.turn):
        items: list[Slot] = []
        for square in chess.scan_forward(board.occupied_co[colour]):
            kind = board.piece_type_at(square)
            if kind is None or not board.is_pinned(colour, square):
                continue
            pinning = board.pin(colour, square) & board.occupied_co[not colour]
            slots: dict[str, Slot] = {"piece": Piece(kind), "square": Square(square)}
            items.append(Phrase("position.pinned_by", {**slots, "attackers": _pieces_on(board, pinning)}))
        if items:
            table.say("position.pinned", {"side": Side(colour), "pieces": Listing(tuple(items), "")})
        else:
            table.say("position.pinned_none", {"side": Side(colour)})


def attacked(table: Table, command: Command) -> None:
    """Tell the attacked pieces of each side and which of them are undefended, the side to move first."""
    board = table.board
    for colour in (table.turn, not table.turn):
        squares = [
            square
            for square in chess.scan_forward(board.occupied_co[colour])
            if board.is_attacked_by(not colour, square)
        ]
        if not squares:
            table.say("position.attacked_none", {"side": Side(colour)})
            continue
        table.say("position.attacked", {"side": Side(colour), "pieces": _pieces_on(board, squares)})
        king = board.king(colour)
        loose = [square for square in squares if square != king and not board.is_attacked_by(colour, square)]
        if loose:
            table.say("position.attacked_loose", {"pieces": _pieces_on(board, loose)})


def doubled_pawns(table: Table, command: Command) -> None:
    """The pawns that share their file with one of their own."""
    _say_pawns(table, command, lambda own, _, square: len(_near(own, square, 0)) > 1)


def isolated_pawns(table: Table, command: Command) -> None:
    """The pawns without one of their own on a neighbouring file."""
    _say_pawns(table, command, lambda own, _, square: len(_near(own, square, 1)) == len(_near(own, square, 0)))


def passed_pawns(table: Table, command: Command) -> None:
    """The pawns with none of the opponent before them, on their own file or a neighbouring one."""

    def is_passed(own: chess.SquareSet, theirs: chess.SquareSet, square: chess.Square) -> bool:
        ahead = 1 if table.board.color_at(square) == chess.WHITE else -1
        rank = chess.square_rank(square)
        return not any(ahead * (chess.square_rank(one) - rank) > 0 for one in _near(theirs, square, 1))

    _say_pawns(table, command, is_passed)


def _near(pawns: chess.SquareSet, square: chess.Square, files: int) -> list[chess.Square]:
    """The pawns at most `files` files away from the square, its own file included."""
    return [one for one in pawns if abs(chess.square_file(one) - chess.square_file(square)) <= files]


def _say_pawns(
    table: Table, command: Command, fits: Callable[[chess.SquareSet, chess.SquareSet, chess.Square], bool]
) -> None:
    """For each side the pawns that match, given its own pawns, the opponent's and their square."""
    told = False
    for colour in chess.COLORS:
        own, theirs = table.board.pieces(chess.PAWN, colour), table.board.pieces(chess.PAWN, not colour)
        squares = _listed(square for square in own if fits(own, theirs, square))
        if squares.items:
            told = True
            table.say(f"position.{command.name}", {"side": Side(colour), "squares": squares})
    if not told:
        table.say(f"position.{command.name}_none")


def opening(table: Table, command: Command) -> None:
    _say(table, opening_told(table.board))


def opening_told(board: chess.Board) -> Phrase:
    """Name of the opening on the board's move stack."""
    if not board.move_stack:
        return Phrase("score.none")
    found = opening_of(board)
    return Phrase("opening.unknown") if found is None else Phrase("opening.name", {"opening": found.spoken})


def show_position(table: Table, command: Command) -> None:
    table.do(ShowText((table.board.fen(),)))
    table.say("show.position")


def moves(table: Table, command: Command) -> None:
    _say_moves(table, 0)


def last_moves(table: Table, command: Command) -> None:
    """Tell the last moves of both sides, as many as {number} says, with their move numbers."""
    first = table.board.fullmove_number - (table.turn == chess.WHITE) - _number(command, "number") + 1
    _say_moves(table, first)


def _say_moves(table: Table, first: int) -> None:
    """The moves from number `first` on."""
    if not table.plies:
        table.say("score.none")
        return
    board = table.board.copy()
    for _ in table.plies:
        board.pop()
    for ply in table.plies:
        if board.fullmove_number < first:
            board.push(ply.move)
            continue
        slots: dict[str, Slot] = {"number": board.fullmove_number, "move": said_move(board, ply.move)}
        table.say("score.white" if board.turn == chess.WHITE else "score.black", slots)
        board.push(ply.move)


def legal(table: Table, command: Command) -> None:
    kind, square = command.slot("piece"), command.slot("square")
    origins = table.board.occupied_co[table.turn]
    if isinstance(kind, int):
        origins &= table.board.pieces_mask(kind, table.turn)
    if isinstance(square, int):
        origins &= chess.BB_SQUARES[square]
    found = False
    for origin in chess.scan_forward(origins):
        moves = list(table.board.generate_legal_moves(chess.BB_SQUARES[origin]))
        piece = table.board.piece_type_at(origin)
        if not moves or piece is None:
            continue
        found = True
        castlings = [m for m in moves if table.board.is_castling(m)]
        targets = dict.fromkeys(move.to_square for move in moves if move not in castlings)
        if targets:
            slots: dict[str, Slot] = {"piece": Piece(piece), "square": Square(origin), "targets": _listed(targets)}
            table.say("legal.moves", slots)
        for castling in castlings:
            table.say("legal.castling", {"move": said_move(table.board, castling)})
    if found:
        return
    if isinstance(square, int) and not origins:
        table.say("legal.nobody", {"square": Square(square), "side": Side(table.turn)})
    elif isinstance(kind, int):
        table.say(one_or_many("legal.none", table.board, kind), {"piece": Piece(kind)})
    else:
        table.say("legal.none_there")


def attackers(table: Table, command: Command) -> None:
    square = _number(command, "square")
    standing = table.board.color_at(square)
    found = False
    for colour in chess.COLORS:
        if colour == standing:
            continue
        attackers = table.board.attackers(colour, square)
        if attackers:
            found = True
            pieces = _pieces_on(table.board, attackers)
            table.say("position.attackers", {"square": Square(square), "side": Side(colour), "pieces": pieces})
    if not found:
        table.say("position.attackers_none", {"square": Square(square)})


def turn(table: Table, command: Command) -> None:
    _say_turn(table, "turn.side_in_check" if table.board.is_check() else "turn.side")


def _say_turn(table: Table, key: str) -> None:
    """Tell who is to move with the sentence of this key, or how the game ended."""
    if table.ending is not None:
        table.say(table.ending.words.key, table.ending.words.slots)
    else:
        table.say(key, {"side": Side(table.turn), "number": table.board.fullmove_number})


def last_move(table: Table, command: Command) -> None:
    last = announced_last(table)
    if last is None:
        table.say("score.none")
    else:
        table.say("score.last", {"side": Side(last.colour), "move": last})


def move_times(table: Table, command: Command) -> None:
    """Time used for each move."""
    if not table.plies:
        table.say("score.none")
        return
    start = table.board.root()
    spent = dict.fromkeys(chess.COLORS, 0)
    moved: list[Slot] = []
    for index, ply in enumerate(table.plies, start.turn == chess.BLACK):
        colour = index % 2 == 0
        total = ply.clock.side(colour).spent_ms
        cost, spent[colour] = max(0, total - spent[colour]), total
        moved.append(Phrase("score.cost", {"side": Side(colour), "duration": Duration(cost)}))
        if colour == chess.BLACK or ply is table.plies[-1]:
            table.say("score.costs", {"number": start.fullmove_number + index // 2, "costs": Listing(tuple(moved), "")})
            moved = []


def announced_last(table: Table) -> SaidMove | None:
    """The last move as announced."""
    if not table.plies:
        return None
    board = table.board.copy()
    board.pop()
    return said_move(board, table.plies[-1].move, table.names_captured)


def time_in_short(table: Table, command: Command) -> None:
    """The clock of the player here; of two people, of the side to move."""
    own = _own(table)
    left_ms = table.clock.remaining(own, table.now_ms)
    if left_ms is None or table.settings.correspondence is not None:
        time(table, command)
        return
    slots: dict[str, Slot] = {"side": Side(own), "duration": TimeLeft(own, left_ms)}
    table.say("clock.threshold_side" if table.kind.announces_both else "clock.threshold", slots, Priority.NEXT)


def last_moves_of_both(table: Table, command: Command) -> None:
    """The last move of each side, with its number."""
    _say_moves(table, table.board.fullmove_number - 1)


def time(table: Table, command: Command) -> None:
    if table.kind.tell_time(table):
        return
    made = (len(table.plies) + 1) // 2
    key = {0: "clock.moves_none", 1: "clock.moves_one"}.get(made, "clock.moves_many")
    slots: dict[str, Slot] = {"moves": Phrase(key, {"count": made} if made > 1 else {})}
    if table.timed:
        for name, colour in (("white", chess.WHITE), ("black", chess.BLACK)):
            slots[name] = TimeLeft(colour, table.clock.remaining(colour, table.now_ms) or 0)
        table.say("clock.both", slots, Priority.NEXT)
    else:
        table.say("clock.untimed", slots)


def _pieces_on(board: chess.Board, squares: Iterable[chess.Square]) -> Listing:
    items: list[Slot] = []
    for square in squares:
        kind = board.piece_type_at(square)
        if kind is not None:
            items.append(Phrase("position.piece_on", {"piece": Piece(kind), "square": Square(square)}))
    return Listing(tuple(items))


def _line(board: chess.Board, squares: Iterable[chess.Square], place: Callable[[chess.Square], Slot]) -> Listing:
    """The pieces on a file or rank, White's first, each with its `place` there; neighbours of a kind together."""
    sides: list[Slot] = []
    for colour in chess.COLORS:
        standing = [(board.piece_type_at(square), square) for square in squares if board.color_at(square) == colour]
        groups: list[Slot] = []
        for kind, run in groupby(standing, key=lambda one: one[0]):
            places = tuple(place(square) for _, square in run)
            if kind is not None:
                groups.append(group(kind, len(places), Listing(places, "row")))
        if groups:
            sides.append(Phrase("position.of_side", {"side": Side(colour), "pieces": Listing(tuple(groups), "")}))
    return Listing(tuple(sides), "groups")


def _listed(squares: Iterable[chess.Square]) -> Listing:
    """Squares from the a-file to the h-file, as people look for them."""
    ordered = sorted(squares, key=lambda square: (chess.square_file(square), chess.square_rank(square)))
    return Listing(tuple(Square(square) for square in ordered))


def _number(command: Command, slot: str) -> int:
    value = command.slot(slot)
    assert isinstance(value, int), f"the language files give {command.name} its {slot}"
    return value
