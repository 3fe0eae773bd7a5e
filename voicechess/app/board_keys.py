"""Keys at a terminal that walk over the board: arrows, letters of pieces, and commands of one letter.

They are off until F6 or "Feld für Feld" (`UseBoardKeys`), and on until Escape or the next conversation. Words are
typed as ever wherever a question is open, and into a line that has been begun. What the keys tell is no query to the
game: it is neither in its journal nor does it end the time for a correction. The commands and the moves are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from voicechess.game.cursor import STEPS, WalkedBoard, move_line, next_piece, stepped
from voicechess.meaning import Command
from voicechess.messages import Phrase, Piece, Square

TOGGLE = "f6"
"""Switches the keys on and off. By convention it goes from one part of a window to the next."""

ENTER = ("\r", "\n")
LEAVE = "escape"
LEAVES = ("\x1b", LEAVE)
KINDS = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
"""The pieces, in the order of the letters in `page.piece_letters`."""

HERE, MOVES, HELP = "here", "legal", "help"
LETTERS = ("last_move", "time", MOVES, HERE, HELP)
"""What letters do: a command of the game, or one of those above; their letters are below [sentences.keys.letter]."""


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move made by keys, as a typed line."""

    line: str


Pressed = Phrase | Command | TypedMove


class BoardKeys:
    """The state of the keys. `claimed` is called on the keyboard's thread, everything else on the loop's."""

    def __init__(self) -> None:
        self.on = False
        self._explained = False  # how to use them has been told
        self._square = chess.E2
        self._taken: tuple[chess.Square, str] | None = None  # the square of the piece to move, and the position then

    def claimed(self, key: str, line_begun: bool, words_awaited: bool) -> str | None:
        """The key as it is to be passed to `pressed`, if it belongs to the board and not to the line. `words_awaited`:
        a question is open.

        What switches the keys on or off does so here, since the next key may come before the loop has answered.
        """
        if key == TOGGLE or (self.on and not line_begun and key in LEAVES):
            self.on = not self.on
            return TOGGLE if self.on else LEAVE
        if not self.on or line_begun:
            return None
        letter = len(key) == 1 and key.isprintable() and key != " " and not words_awaited
        return key if letter or key in STEPS or key in ENTER else None

    def leave(self) -> None:
        """Switch them off without a word."""
        self.on, self._taken = False, None

    def begin(self, walked: WalkedBoard | Phrase) -> tuple[Pressed, ...]:
        """Switch them on, if there is a board; the first time on a square of the side that sits before it."""
        if isinstance(walked, Phrase):
            self.leave()
            return (walked,)
        self.on = True
        if not self._explained:
            self._square = chess.E2 if walked.below else chess.E7
        told, self._explained = Phrase("keys.again" if self._explained else "keys.on"), True
        return (told, self._told(walked.board))

    def pressed(
        self, key: str, walked: WalkedBoard | Phrase, words: Callable[[Phrase], str], private: bool = False
    ) -> tuple[Pressed, ...]:
        """What a key gives rise to. `walked`: the position, or the reason why there is none. `words`: makes the text of
        a sentence. `private`: the next move is for an envelope, and nothing may tell it."""
        if key == LEAVE:
            self._taken = None
            return (Phrase("keys.off"),)
        if key == TOGGLE:
            return self.begin(walked)
        if isinstance(walked, Phrase):
            self.leave()
            return (walked, Phrase("keys.off"))
        if key in STEPS:
            return self._walk(stepped(self._square, key, walked.below), walked.board, Phrase("keys.edge"))
        if key in ENTER:
            if private or not walked.here:
                return (Phrase("keys.envelope" if private else "keys.not_here"),)
            return self._chosen(walked.board)
        if key in "12345678":
            square = chess.square(chess.square_file(self._square), int(key) - 1)
            return self._walk(square, walked.board, Phrase("keys.edge"))
        letters = words(Phrase("page.piece_letters"))
        if key.upper() in letters:
            kind = KINDS[letters.index(key.upper())]
            found = next_piece(walked.board, self._square, kind, -1 if key.isupper() else 1)
            return self._walk(found, walked.board, Phrase("page.text.none"))
        return self._letter(key.lower(), walked.board, words)

    def _letter(self, key: str, board: chess.Board, words: Callable[[Phrase], str]) -> tuple[Pressed, ...]:
        found = next((name for name in LETTERS if key in words(Phrase(f"keys.letter.{name}")).lower()), None)
        match found:
            case None:
                return (Phrase("keys.unknown"),)
            case "here":
                return (self._told(board),)
            case "help":
                return (Phrase("keys.help"),)
            case "legal":
                return (Command("legal", (("square", self._square),)),)
        return (Command(found),)

    def _walk(self, square: chess.Square | None, board: chess.Board, otherwise: Phrase) -> tuple[Pressed, ...]:
        if square is None:
            return (otherwise,)
        self._square = square
        return (self._told(board),)

    def _told(self, board: chess.Board) -> Phrase:
        piece = board.piece_at(self._square)
        if piece is None:
            return Phrase("keys.empty", {"square": Square(self._square)})
        return Phrase("keys.square", {"square": Square(self._square), "piece": Piece(piece.piece_type, piece.color)})

    def _chosen(self, board: chess.Board) -> tuple[Pressed, ...]:
        """Take the piece here, or move the one that was taken to this square."""
        taken = None if self._taken is None or self._taken[1] != board.fen() else self._taken[0]
        self._taken = None
        if taken is None:
            piece = board.piece_at(self._square)
            if piece is None or piece.color != board.turn:
                return (Phrase("keys.not_to_move"),)
            self._taken = self._square, board.fen()
            return (Phrase("keys.taken", {"piece": Piece(piece.piece_type), "square": Square(self._square)}),)
        if taken == self._square:
            return (Phrase("keys.put_back"),)
        line = move_line(board, taken, self._square)
        return (Phrase("keys.castling") if line is None else TypedMove(line),)
