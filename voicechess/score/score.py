"""The score of a game (Laws, Art. 8): every move with both clock times, draw offers, penalties, and the ending.

A `Score` is independent of file formats; `pgn` and `braille` write it as text. Algebraic notation, with English or
German letters (Laws, Appendix C), is written and read here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

import chess

from voicechess.laws.clock import Clock
from voicechess.laws.results import Ending
from voicechess.laws.time_controls import TimeControl
from voicechess.messages import Phrase

# --- The score ---


class NoteKind(Enum):
    """Kinds of incidents noted at a move; the value is the name in PGN comments."""

    ILLEGAL = "illegal"  # an illegal attempt before this move
    CLAIM = "claim"  # an incorrect claim before this move
    UNWINNABLE = "unwinnable"  # a claim referred to the arbiter: cannot be won by normal means
    NO_EFFORT = "noeffort"  # a claim referred to the arbiter: no effort to win
    PENALTY = "penalty"  # time added for the opponent of `colour`, or just a mention
    ARBITER = "arbiter"  # time set, added or taken by the arbiter
    WARNING = "warning"  # `colour` was warned by the arbiter
    RETRACE = "retrace"  # the game was taken back to this move


@dataclass(frozen=True, slots=True)
class Note:
    """An incident in a game."""

    kind: NoteKind
    colour: chess.Color
    ms: int = 0  # time added for it, negative if taken
    text: str = ""  # the announced or claimed move, in notation


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of the score."""

    move: chess.Move
    white_ms: int | None = None  # White's remaining time after it; None: unknown or untimed
    black_ms: int | None = None
    draw_offered: bool = False
    notes: tuple[Note, ...] = ()  # incidents before this move
    comment: str = ""  # foreign text

    def left_ms(self, colour: chess.Color) -> int | None:
        """A side's remaining time after this move in milliseconds; None if unknown or untimed."""
        return self.white_ms if colour == chess.WHITE else self.black_ms


def entry(
    move: chess.Move,
    clock: Clock,
    at_ms: int,
    draw_offered: bool = False,
    notes: tuple[Note, ...] = (),
) -> Entry:
    """The entry of a move completed at `at_ms`; `clock`: the clock after the press."""
    left = [clock.remaining(colour, at_ms) for colour in chess.COLORS]
    return Entry(move, left[0], left[1], draw_offered, notes)


UNKNOWN_TAG = "?"
"""PGN's name of an unknown player."""

UNDATED = "????.??.??"
"""PGN's date of a game without a known one."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one game."""

    white: str = UNKNOWN_TAG  # names
    black: str = UNKNOWN_TAG
    date: str = UNDATED  # "YYYY.MM.DD" with "?" for unknown digits
    fen: str = chess.STARTING_FEN  # of the starting position
    chess960: bool = False
    time: TimeControl | None = None  # None: unknown
    edition: int | None = None  # of the laws
    ending: Ending | None = None  # None: unfinished or unknown
    result: str = "*"  # used instead of `ending` if a foreign score has no more than "1-0"
    entries: tuple[Entry, ...] = ()
    after: tuple[Note, ...] = ()  # incidents since the last move
    comment: str = ""
    tags: tuple[tuple[str, str], ...] = ()  # foreign PGN tags without a field here, in their order
    dropped: tuple[Phrase, ...] = field(default=(), compare=False)
    """A sentence for each impossible part dropped from the starting position when it was read."""

    @property
    def players(self) -> tuple[str, ...]:
        """The known names of the players, White's first."""
        return tuple(name for name in (self.white, self.black) if name != UNKNOWN_TAG)

    @property
    def pgn_result(self) -> str:
        """ "1-0", "0-1", "1/2-1/2" or "*"."""
        return self.ending.pgn_result if self.ending is not None else self.result

    def start(self) -> chess.Board:
        """A new board with the starting position."""
        return chess.Board(self.fen, chess960=self.chess960)

    def board(self) -> chess.Board:
        """The position after the last move, with all moves on its stack. Raises AssertionError on illegal moves."""
        board = self.start()
        for made in self.entries:
            assert board.is_legal(made.move), made.move.uci()
            board.push(made.move)
        return board

    def positions(self) -> Iterator[tuple[chess.Board, Entry]]:
        """Each entry with the position before it; always the same board object, which must not be modified."""
        board = self.start()
        for made in self.entries:
            yield board, made
            board.push(made.move)


def sheet_time(ms: int) -> str:
    """A remaining time as on a score sheet, "4:58" or "1:29:30", rounded down to seconds."""
    seconds = ms // 1_000
    hours, minutes = seconds // 3_600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


# --- Algebraic notation ---


class PieceLetters(Enum):
    """Piece letters of a language: the value has those of king, queen, rook, bishop, knight, in this order."""

    ENGLISH = "KQRBN"
    GERMAN = "KDTLS"

    def letter(self, piece: chess.PieceType) -> str:
        """The letter of a piece; a pawn has none."""
        order = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
        return self.value[order.index(piece)] if piece in order else ""


_TO_GERMAN = str.maketrans(PieceLetters.ENGLISH.value, PieceLetters.GERMAN.value)
# B is no German piece letter, so both alphabets can be read at the same time.
_TO_ENGLISH = str.maketrans(PieceLetters.GERMAN.value, PieceLetters.ENGLISH.value)
_FIGURINES = str.maketrans(
    {symbol: "" if letter in "Pp" else letter.upper() for letter, symbol in chess.UNICODE_PIECE_SYMBOLS.items()}
    | dict.fromkeys("\ufe0e\ufe0f", "")
    | dict.fromkeys("‐‑‒–—―−", "-")
)
"""Figurines to English letters, none for a pawn; variation selectors to nothing; dashes to hyphens."""
_TRIMMED = re.compile(r"(?:[+#†‡]+|e\.?p\.?)+$")


def san(board: chess.Board, move: chess.Move, letters: PieceLetters = PieceLetters.ENGLISH) -> str:
    """A legal move in standard algebraic notation. German: "Sf3", "e8D", "0-0" (Laws, C.2, C.11, C.13)."""
    english = board.san(move)
    if letters is PieceLetters.ENGLISH:
        return english
    return english.translate(_TO_GERMAN).replace("=", "").replace("O", "0")


EN_PASSANT = " e.p."
"""Suffix of an en passant capture on a score sheet (Laws 2023 and 2009, C.12)."""


def parse_san(board: chess.Board, text: str) -> chess.Move:
    """Parse a legal move in SAN with English or German letters or figurines and dashes of any kind.

    Raises ValueError (one of python-chess' three subclasses) for anything else, null moves included.
    """
    trimmed = _TRIMMED.sub("", text.strip().translate(_FIGURINES)).replace(":", "x")
    castling = trimmed.upper().replace("0", "O")
    if castling in ("O-O", "O-O-O"):
        return board.parse_san(castling)
    english = trimmed[:1].translate(_TO_ENGLISH) + trimmed[1:]
    promoted = re.fullmatch(r"(.*[18])=?\(?([QRBNDTLSqrbndtls])\)?", english)
    if promoted and english[0] in "abcdefgh":
        english = f"{promoted[1]}={promoted[2].upper().translate(_TO_ENGLISH)}"
    move = board.parse_san(english)
    if not move:
        raise chess.IllegalMoveError("a null move is no move")
    return move


def move_list(
    score: Score, letters: PieceLetters = PieceLetters.ENGLISH, told: Callable[[Note], str] | None = None
) -> tuple[str, ...]:
    """The game, one line per move number: "1. e4 (4:58) e5 (=) (4:52)", with draw offers and the mover's remaining time
    if known. `told`: renders an incident, shown in brackets before the move it preceded, and en passant is marked;
    None: neither."""

    def written(board: chess.Board, made: Entry) -> str:
        parts = [f"({told(note)})" for note in made.notes] if told is not None else []
        passant = EN_PASSANT if told is not None and board.is_en_passant(made.move) else ""
        parts.append(san(board, made.move, letters) + passant + (" (=)" if made.draw_offered else ""))
        left_ms = made.left_ms(board.turn)
        return " ".join(parts if left_ms is None else [*parts, f"({sheet_time(left_ms)})"])

    after = [f"({told(note)})" for note in score.after] if told is not None else []
    return (*by_numbers(score, lambda number: f"{number}.", " ", "…", written), *after)


def by_numbers(
    score: Score,
    numbered: Callable[[int], str],
    space: str,
    missing: str,
    written: Callable[[chess.Board, Entry], str],
) -> tuple[str, ...]:
    """The game as one line per move number. `missing` stands for White's move if Black begins."""
    lines: list[str] = []
    for board, made in score.positions():
        if board.turn == chess.WHITE:
            lines.append(numbered(board.fullmove_number) + space + written(board, made))
        elif lines:
            lines[-1] += space + written(board, made)
        else:
            lines.append(numbered(board.fullmove_number) + space + missing + space + written(board, made))
    return tuple(lines)


def piece_list(board: chess.Board, colour: chess.Color) -> Sequence[tuple[chess.PieceType, chess.Square]]:
    """A side's pieces in listing order: king, queens, rooks, bishops, knights, pawns, each by file, then rank."""
    order = (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
    return [
        (kind, square)
        for kind in order
        for square in sorted(board.pieces(kind, colour), key=lambda s: (chess.square_file(s), s))
    ]


def german_position(board: chess.Board) -> tuple[str, str]:
    """White's pieces and Black's in the order of `piece_list`, with German letters: "Kg1 Dd1 … a2 b2"."""
    white, black = (
        " ".join(
            PieceLetters.GERMAN.letter(kind) + chess.square_name(square) for kind, square in piece_list(board, colour)
        )
        for colour in chess.COLORS
    )
    return white, black
