"""A position set up piece by piece: contradictions are reported at once, and every step can be undone."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from voicechess.messages import Listing, Phrase, Piece, Side, Slot, Square

MOST_PAWNS, MOST_MEN = 8, 16
"""Largest numbers of a side: pawns, and pieces and pawns together."""

ROOKS_AT_HOME = {
    (chess.WHITE, True): (chess.E1, chess.H1),
    (chess.WHITE, False): (chess.E1, chess.A1),
    (chess.BLACK, True): (chess.E8, chess.H8),
    (chess.BLACK, False): (chess.E8, chess.A8),
}
"""Colour and whether kingside -> the squares of king and rook."""

Wing = tuple[chess.Color, bool]


def said(key: str, slots: dict[str, Slot] | None = None) -> Phrase:
    """A sentence of [sentences.practice.set_up]."""
    return Phrase(f"practice.set_up.{key}", slots or {})


class BuiltPosition:
    """Begins as an empty board with White to move and no castling rights. Each change is a step for `undo`."""

    def __init__(self) -> None:
        self.board = chess.Board(None)
        self.castling_said = False  # whether castling rights were given or denied explicitly
        self._steps: list[tuple[chess.Board, bool, Phrase]] = []

    @property
    def empty(self) -> bool:
        """Whether there are no pieces."""
        return not self.board.occupied

    @property
    def changed(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._steps)

    # --- steps ---------------------------------------------------------------------------------------------------

    def put(self, square: chess.Square, piece: chess.Piece) -> Phrase | None:
        """Place a piece, replacing any on the square; returns the reason as a sentence if it is impossible."""
        wrong = self._contradicts(square, piece)
        if wrong is None:
            self._step(Phrase("practice.piece_on", _piece_on(piece, square)))
            self.board.set_piece_at(square, piece)
            self._drop_rights()
        return wrong

    def remove(self, square: chess.Square) -> None:
        """Empty a square."""
        self._step(said("empty_square", {"square": Square(square)}))
        self.board.remove_piece_at(square)
        self._drop_rights()

    def clear(self) -> None:
        """Remove all pieces."""
        self._step(said("cleared_all"))
        self.board = chess.Board(None)
        self.castling_said = False

    def start(self) -> None:
        """Set up the starting position, with all castling rights."""
        self._step(said("started"))
        self.board = chess.Board()
        self.castling_said = True

    def take(self, board: chess.Board) -> None:
        """Take over a whole position, with side to move, rights and counters."""
        self._step(said("taken"))
        self.board = board.copy(stack=False)
        self.castling_said = True

    def turn(self, colour: chess.Color) -> None:
        """Set the side to move."""
        self._step(said("to_move", {"side": Side(colour)}))
        self.board.turn = colour

    def castling(self, *wings: Wing) -> Phrase | None:
        """Grant castling rights; returns what is missing as a sentence if one is impossible, and grants none then."""
        for wing in wings:
            if wing not in self.possible:
                king, rook = ROOKS_AT_HOME[wing]
                return said("not_home", {"side": Side(wing[0]), "king": Square(king), "rook": Square(rook)})
        self._step(said("castling_undone"))
        self.castling_said = True
        for wing in wings:
            self.board.castling_rights |= chess.BB_SQUARES[ROOKS_AT_HOME[wing][1]]
        return None

    def no_castling(self, *colours: chess.Color) -> None:
        """Remove all castling rights of these sides."""
        self._step(said("castling_undone"))
        self.castling_said = True
        for colour in colours:
            self.board.castling_rights &= ~(chess.BB_RANK_1 if colour == chess.WHITE else chess.BB_RANK_8)

    def undo(self) -> Phrase | None:
        """Undo the last step; returns its description, None if there is none."""
        if not self._steps:
            return None
        self.board, self.castling_said, told = self._steps.pop()
        return told

    def _step(self, told: Phrase) -> None:
        self._steps.append((self.board.copy(stack=False), self.castling_said, told))

    def _drop_rights(self) -> None:
        """Drop castling rights whose king or rook is not on its square."""
        for wing in ROOKS_AT_HOME:
            if wing not in self.possible:
                self.board.castling_rights &= ~chess.BB_SQUARES[ROOKS_AT_HOME[wing][1]]

    # --- validity ------------------------------------------------------------------------------------------------

    def _contradicts(self, square: chess.Square, piece: chess.Piece) -> Phrase | None:
        if piece.piece_type == chess.PAWN and chess.square_rank(square) in (0, 7):
            return said("no_pawn_there", {"square": Square(square)})
        after = self.board.copy(stack=False)
        after.remove_piece_at(square)
        king = after.king(piece.color)
        if piece.piece_type == chess.KING and king is not None:
            return said("second_king", {"piece": Piece(chess.KING, piece.color), "square": Square(king)})
        if piece.piece_type == chess.PAWN and len(after.pieces(chess.PAWN, piece.color)) >= MOST_PAWNS:
            return said("all_pawns", {"side": Side(piece.color)})
        if chess.popcount(after.occupied_co[piece.color]) >= MOST_MEN:
            return said("all_men", {"side": Side(piece.color)})
        return None

    def faults(self) -> tuple[Phrase, ...]:
        """The reasons why the position is invalid; () if it is valid."""
        board = self.board
        kingless = [side for side in chess.COLORS if board.king(side) is None]
        missing = tuple(Phrase("fen.no_king", {"side": Side(side)}) for side in kingless)
        if missing:
            return missing
        for side in chess.COLORS:
            if _promoted(board, side) > MOST_PAWNS - len(board.pieces(chess.PAWN, side)):
                return (said("promoted", {"side": Side(side)}),)
        king, other = board.king(board.turn), board.king(not board.turn)
        assert king is not None and other is not None
        if chess.square_distance(king, other) == 1:
            return (said("kings_touch", {"square": Square(king), "other": Square(other)}),)
        if attackers := board.attackers(board.turn, other):
            pieces = tuple(
                Phrase("practice.piece_on", _piece_on(piece, square))
                for square in attackers
                if (piece := board.piece_at(square)) is not None
            )
            return (said("in_check", {"side": Side(not board.turn), "pieces": Listing(pieces)}),)
        return () if board.is_valid() else (Phrase("fen.otherwise"),)

    # --- castling ------------------------------------------------------------------------------------------------

    @property
    def possible(self) -> tuple[Wing, ...]:
        """The castling rights for which king and rook are on their squares."""
        return tuple(self._at_home())

    def _at_home(self) -> Iterator[Wing]:
        for wing, (king, rook) in ROOKS_AT_HOME.items():
            colour = wing[0]
            if self.board.king(colour) == king and self.board.piece_at(rook) == chess.Piece(chess.ROOK, colour):
                yield wing

    @property
    def rights(self) -> tuple[Wing, ...]:
        """The castling rights granted."""
        rights = self.board.castling_rights
        return tuple(wing for wing, (_, rook) in ROOKS_AT_HOME.items() if rights & chess.BB_SQUARES[rook])


def wings_told(wings: tuple[Wing, ...]) -> Listing:
    """ "Weiß kurz und lang, Schwarz kurz"."""
    told: list[Slot] = []
    for colour in chess.COLORS:
        own = [kingside for of, kingside in wings if of == colour]
        if own:
            key = "both_wings" if len(own) == 2 else "short_wing" if own[0] else "long_wing"
            told.append(said(key, {"side": Side(colour)}))
    return Listing(tuple(told), "")


def _promoted(board: chess.Board, colour: chess.Color) -> int:
    """The number of a side's pieces that must be promoted pawns: those in excess of the starting position's, counting
    bishops by the colour of their squares."""
    bishops = board.pieces(chess.BISHOP, colour)
    counts = [(len(bishops & squares), 1) for squares in (chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES)]
    counts += [
        (len(board.pieces(kind, colour)), at_start)
        for kind, at_start in ((chess.QUEEN, 1), (chess.ROOK, 2), (chess.KNIGHT, 2))
    ]
    return sum(max(0, count - at_start) for count, at_start in counts)


def _piece_on(piece: chess.Piece, square: chess.Square) -> dict[str, Slot]:
    return {"piece": Piece(piece.piece_type, piece.color), "square": Square(square)}
