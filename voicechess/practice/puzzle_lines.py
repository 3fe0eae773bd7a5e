"""Parser of puzzle files: one puzzle or position a line.

Each line may have one of two formats. Lichess' puzzle format: PuzzleId,FEN,Moves,Rating,… with moves in UCI, the first
of them the opponent's (https://database.lichess.org/#puzzles). EPD: a position with `bm` (best moves), `am` (moves to
avoid), `dm` (mate in so many moves; from three on with `pv` or `bm`), `id` and `c0`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

import chess

from voicechess.messages import Failure, Phrase, one_line
from voicechess.practice.exercises.mates import mates_in_one, mates_in_two
from voicechess.score.position import read_position

_CODE = re.compile(r'\s*(\w+)\s+((?:"[^"]*"|[^;"])*?)\s*(?:;|\Z)')
"""An EPD opcode and its operand, up to the semicolon."""

LONGEST_TEXT = 300
"""Characters of a name or comment that are kept. Larger: longer to listen to."""

COMMENT_SIGN = "#"
"""Lines beginning with it are skipped, as are empty ones."""


class Goal(Enum):
    """What solves a puzzle, and thereby the meaning of its `moves`."""

    LINE = "line"  # the opponent's move first, then alternating
    OWN_LINE = "pv"  # the player's move first, then alternating
    BEST = "bm"  # any of these moves
    AVOID = "am"  # any other move
    MATE_1 = "dm1"  # no moves given: mates are searched for
    MATE_2 = "dm2"


LINES = (Goal.LINE, Goal.OWN_LINE)

FEWEST_MOVES: Mapping[Goal, int] = {
    Goal.LINE: 2,
    Goal.OWN_LINE: 1,
    Goal.BEST: 1,
    Goal.AVOID: 1,
    Goal.MATE_1: 0,
    Goal.MATE_2: 0,
}


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and its solution. `fen` is legal, and so are `moves` (UCI), in sequence or each on its own.

    `dropped`: a sentence for each impossible part of the file's position that was dropped.
    """

    goal: Goal
    fen: str
    moves: tuple[str, ...] = ()
    name: str = ""
    comment: str = ""
    dropped: tuple[Phrase, ...] = field(default=(), compare=False)

    @property
    def text(self) -> str:
        """The puzzle serialised without blanks; parsed by `puzzle_of`."""
        fields = (self.goal.value, self.fen, " ".join(self.moves), self.name, self.comment)
        return "|".join(field.replace("|", "/").replace(" ", "_") for field in fields)


@lru_cache(maxsize=1000)
def puzzle_of(text: str) -> Puzzle | None:
    """The puzzle with this `text`; None if it is invalid."""
    try:
        goal, fen, moves, name, comment = (field.replace("_", " ") for field in text.split("|"))
        return _checked(Puzzle(Goal(goal), fen, tuple(moves.split()), name, comment))
    except ValueError:
        return None


class Fault(Enum):
    """What is wrong with a line; the value is a key in [sentences.practice.puzzles.fault]."""

    NO_PUZZLE = "no_puzzle"
    POSITION = "position"
    MOVE = "move"
    TOO_DEEP = "too_deep"  # a mate in three or more without moves
    NO_MATE = "no_mate"  # there is no mate in so few moves
    TORN = "torn"  # the file cannot be read from here on


@dataclass(frozen=True, slots=True)
class Broken:
    """An invalid line; `line` counts from 1."""

    line: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter of puzzles: rating from `low` to `high` (inclusive, None: open), and `theme` among the themes ("":
    any)."""

    low: int | None = None
    high: int | None = None
    theme: str = ""

    @property
    def everything(self) -> bool:
        """Whether every puzzle passes."""
        return self == Wanted()

    def fits(self, rating: str, themes: str) -> bool:
        """Whether a puzzle with these columns passes; one without a rating does not if ratings are limited."""
        if self.theme and self.theme.lower() not in themes.lower().split():
            return False
        if self.low is None and self.high is None:
            return True
        return rating.isdecimal() and (self.low or 0) <= int(rating[:9]) <= (self.high or 10**9)


class _Bad(ValueError):
    """An invalid line, with the reason."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(slots=True)
class _Columns:
    """The positions of the columns: Lichess' order until a heading specifies another."""

    places: Mapping[str, int] = field(
        default_factory=lambda: {"puzzleid": 0, "fen": 1, "moves": 2, "rating": 3, "themes": 7}
    )

    def of(self, parts: Sequence[str], name: str) -> str:
        place = self.places.get(name, len(parts))
        return _cell(parts[place]) if place < len(parts) else ""


def puzzles_in(lines: Iterable[str], wanted: Wanted) -> Iterator[Puzzle | Broken]:
    """The wanted puzzles and the invalid lines in the order of the file. Reads no line ahead."""
    columns = _Columns()
    for number, read in enumerate(lines, 1):
        line = read.lstrip("\ufeff").strip()
        if not line or line.startswith(COMMENT_SIGN):
            continue
        parts = line.split(",")
        heading = [] if "/" in line else [_cell(part).lower() for part in parts]
        if "fen" in heading and "moves" in heading:
            columns.places = {name: place for place, name in enumerate(heading)}
            continue
        try:
            if _is_position(columns.of(parts, "fen")):
                if not wanted.fits(columns.of(parts, "rating"), columns.of(parts, "themes")):
                    continue
                moves = tuple(columns.of(parts, "moves").split())
                yield _checked(Puzzle(Goal.LINE, columns.of(parts, "fen"), moves))
            elif not _is_position(line):
                raise _Bad(Fault.NO_PUZZLE)
            elif wanted.everything:  # EPD has neither ratings nor themes
                yield _epd(line)
        except _Bad as bad:
            yield Broken(number, bad.fault)


def _cell(text: str) -> str:
    return text.strip().strip('"')


def _is_position(text: str) -> bool:
    return text.partition(" ")[0].count("/") == 7


def _epd(line: str) -> Puzzle:
    """Parse a line of EPD. Raises `_Bad`."""
    fields = line.split(None, 4)
    if len(fields) < 5:
        raise _Bad(Fault.NO_PUZZLE)
    position, codes = " ".join(fields[:4]), fields[4]
    counters = codes.split(None, 2)
    if len(counters) == 3 and counters[0].isdecimal() and counters[1].isdecimal():
        codes = counters[2]  # FEN's move counters, which EPD does not have
    board, _ = _position(position)
    try:
        given = chess.Board().set_epd(f"{board.epd()} {_known(codes)}")
    except (ValueError, IndexError, AssertionError) as error:
        raise _Bad(Fault.MOVE) from error
    goal, moves = _solved_by(given)
    return _checked(Puzzle(goal, position, moves, _words(given.get("id")), _words(given.get("c0"))))


def _known(codes: str) -> str:
    """The supported opcodes with their operands; others are ignored, whatever they contain.

    Engines write a mate as "ce +M2"; without moves it becomes `dm`.
    """
    kept: dict[str, str] = {}
    for code, value in _CODE.findall(codes):
        mate = re.fullmatch(r"\+?[M#](\d{1,3})", value)
        if code in ("bm", "am", "pv", "dm"):
            kept[code] = value
        elif code in ("id", "c0"):
            kept[code] = '"' + value.strip('"') + '"'
        elif code == "ce" and mate:
            kept["ce"] = mate[1]
    mate_in = kept.pop("ce", None)
    if mate_in is not None and not kept.keys() & {"bm", "am", "pv", "dm"}:
        kept["dm"] = mate_in
    return "".join(f"{code} {value}; " for code, value in kept.items())


def _solved_by(given: Mapping[str, object]) -> tuple[Goal, tuple[str, ...]]:
    """Goal and moves by the opcodes of a position. Raises `_Bad`."""
    best, avoided, line = (_uci(given.get(code)) for code in ("bm", "am", "pv"))
    depth = given.get("dm")
    if depth in (1, 2):
        return (Goal.MATE_1 if depth == 1 else Goal.MATE_2), ()
    if depth is not None and line:
        return Goal.OWN_LINE, line
    if best or avoided:
        return (Goal.BEST, best) if best else (Goal.AVOID, avoided)
    raise _Bad(Fault.NO_PUZZLE if depth is None else Fault.TOO_DEEP)


def _uci(given: object) -> tuple[str, ...]:
    moves = given if isinstance(given, list) else [given]
    return tuple(move.uci() for move in moves if isinstance(move, chess.Move))


def _words(given: object) -> str:
    return " ".join(one_line(str(given or "")).split())[:LONGEST_TEXT]


def _position(fen: str) -> tuple[chess.Board, tuple[Phrase, ...]]:
    """The position, and a sentence for each part dropped from it. Raises `_Bad` for an impossible position, one of
    Chess960, and one without legal moves."""
    try:
        board, dropped = read_position(fen)
    except (ValueError, Failure) as error:
        raise _Bad(Fault.POSITION) from error
    if board.chess960 or not any(board.legal_moves):
        raise _Bad(Fault.POSITION)
    return board, dropped


def _checked(puzzle: Puzzle) -> Puzzle:
    """The puzzle with position and moves in canonical form. Raises `_Bad` if it has no valid solution."""
    board, dropped = _position(puzzle.fen)
    checked = replace(puzzle, fen=board.fen(), dropped=dropped)
    if puzzle.goal is Goal.MATE_1 and not mates_in_one(board):
        raise _Bad(Fault.NO_MATE)
    if puzzle.goal is Goal.MATE_2 and not mates_in_two(board):
        raise _Bad(Fault.NO_MATE)
    hopeless = puzzle.goal is Goal.AVOID and len(set(puzzle.moves)) >= board.legal_moves.count()
    if hopeless or len(puzzle.moves) < FEWEST_MOVES[puzzle.goal]:
        raise _Bad(Fault.NO_PUZZLE)
    moves = []
    try:
        for uci in puzzle.moves:
            move = board.parse_uci(uci)  # castling may be written as king takes rook
            if not move:
                raise ValueError("a null move")
            moves.append(move.uci())
            if puzzle.goal in LINES:
                board.push(move)
    except ValueError as error:
        raise _Bad(Fault.MOVE) from error
    return replace(checked, moves=tuple(moves))
