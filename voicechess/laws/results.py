"""Every way a game can end (Laws, Art. 5, 6, 9, 10, 11) as one table: points, PGN tag and sentence.

`Way.value` is the identifier of an ending (journal, PGN tag "Ending"); its sentence is in [sentences.ending].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import chess

from voicechess.messages import Phrase, Side, Slot


class Way(Enum):
    """How a game ended."""

    CHECKMATE = "checkmate"
    RESIGNATION = "resignation"
    TIME = "time"
    ILLEGAL_MOVES = "illegal_moves"
    SEALED_MOVE = "sealed_move"
    LATE = "late"
    ARBITER = "arbiter"
    LEFT = "left"
    NO_START = "no_start"
    CHEATING = "cheating"
    SERVER = "server"

    STALEMATE = "stalemate"
    DEAD_POSITION = "dead_position"
    AGREEMENT = "agreement"
    THREEFOLD = "threefold"
    FIVEFOLD = "fivefold"
    FIFTY_MOVES = "fifty_moves"
    SEVENTY_FIVE_MOVES = "seventy_five_moves"
    QUICKPLAY = "quickplay"
    NO_EFFORT = "no_effort"
    TIME_NO_MATE = "time_no_mate"
    ILLEGAL_NO_MATE = "illegal_no_mate"
    SEALED_NO_MATE = "sealed_no_mate"
    RESIGNATION_NO_MATE = "resignation_no_mate"
    BOTH_FLAGS = "both_flags"
    ARBITER_DRAW = "arbiter_draw"
    LEFT_DRAW = "left_draw"
    SERVER_DRAW = "server_draw"

    HALF_POINT = "half_point"
    ONE_AND_HALF = "one_and_half"
    BOTH_WIN = "both_win"
    BOTH_LOSE = "both_lose"
    BOTH_LATE = "both_late"
    VOID = "void"
    REVERSED = "reversed"
    ABORTED = "aborted"
    SERVER_END = "server_end"
    REFERRED = "referred"
    ADJOURNED = "adjourned"
    UNFINISHED = "unfinished"


class Worth(Enum):
    """The points of an ending, the winner's first; with equal points there is no winner.

    An arbiter may deduct and award points (2009: 13.4 e and f; 2023: 12.9.4 and 12.9.5), so each side can have 0, 1/2
    or 1 independently of the other.
    """

    WINNER = "1-0"
    HALF_POINT = "1/2-0"
    ONE_AND_HALF = "1-1/2"
    DRAW = "1/2-1/2"
    BOTH_WIN = "1-1"
    BOTH_LOSE = "0-0"
    NONE = "*"

    @property
    def has_winner(self) -> bool:
        """Whether one side has more points than the other."""
        return self in (Worth.WINNER, Worth.HALF_POINT, Worth.ONE_AND_HALF)

    def result(self, winner: chess.Color | None) -> str:
        """The points in the form "1-0", White's first."""
        return self.value if winner != chess.BLACK else "-".join(reversed(self.value.split("-")))


RESULTS = frozenset(worth.result(colour) for worth in Worth for colour in chess.COLORS)
"""All possible results, "*" included."""

PGN_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
"""The results defined in PGN."""


_NORMAL, _RULES, _TIME = "normal", "rules infraction", "time forfeit"
_ADJUDICATED, _ABANDONED, _OPEN = "adjudication", "abandoned", "unterminated"

# way: points, PGN tag Termination (PGN standard 9.8.1)
TABLE: Mapping[Way, tuple[Worth, str]] = {
    Way.CHECKMATE: (Worth.WINNER, _NORMAL),
    Way.RESIGNATION: (Worth.WINNER, _NORMAL),
    Way.TIME: (Worth.WINNER, _TIME),
    Way.ILLEGAL_MOVES: (Worth.WINNER, _RULES),
    Way.SEALED_MOVE: (Worth.WINNER, _RULES),
    Way.LATE: (Worth.WINNER, _TIME),
    Way.ARBITER: (Worth.WINNER, _ADJUDICATED),
    Way.LEFT: (Worth.WINNER, _ABANDONED),
    Way.NO_START: (Worth.WINNER, _ABANDONED),
    Way.CHEATING: (Worth.WINNER, _RULES),
    Way.SERVER: (Worth.WINNER, _ADJUDICATED),
    Way.STALEMATE: (Worth.DRAW, _NORMAL),
    Way.DEAD_POSITION: (Worth.DRAW, _NORMAL),
    Way.AGREEMENT: (Worth.DRAW, _NORMAL),
    Way.THREEFOLD: (Worth.DRAW, _NORMAL),
    Way.FIVEFOLD: (Worth.DRAW, _NORMAL),
    Way.FIFTY_MOVES: (Worth.DRAW, _NORMAL),
    Way.SEVENTY_FIVE_MOVES: (Worth.DRAW, _NORMAL),
    Way.QUICKPLAY: (Worth.DRAW, _ADJUDICATED),
    Way.NO_EFFORT: (Worth.DRAW, _ADJUDICATED),
    Way.TIME_NO_MATE: (Worth.DRAW, _TIME),
    Way.ILLEGAL_NO_MATE: (Worth.DRAW, _RULES),
    Way.SEALED_NO_MATE: (Worth.DRAW, _RULES),
    Way.RESIGNATION_NO_MATE: (Worth.DRAW, _NORMAL),
    Way.BOTH_FLAGS: (Worth.DRAW, _TIME),
    Way.ARBITER_DRAW: (Worth.DRAW, _ADJUDICATED),
    Way.LEFT_DRAW: (Worth.DRAW, _ABANDONED),
    Way.SERVER_DRAW: (Worth.DRAW, _ADJUDICATED),
    Way.HALF_POINT: (Worth.HALF_POINT, _ADJUDICATED),
    Way.ONE_AND_HALF: (Worth.ONE_AND_HALF, _ADJUDICATED),
    Way.BOTH_WIN: (Worth.BOTH_WIN, _ADJUDICATED),
    Way.BOTH_LOSE: (Worth.BOTH_LOSE, _ADJUDICATED),
    Way.BOTH_LATE: (Worth.BOTH_LOSE, _TIME),
    Way.VOID: (Worth.NONE, _ABANDONED),
    Way.REVERSED: (Worth.NONE, _ABANDONED),
    Way.ABORTED: (Worth.NONE, _ABANDONED),
    Way.SERVER_END: (Worth.NONE, _OPEN),
    Way.REFERRED: (Worth.NONE, _OPEN),
    Way.ADJOURNED: (Worth.NONE, _OPEN),
    Way.UNFINISHED: (Worth.NONE, _OPEN),
}

# What a way becomes if the winner could not mate by any series of legal moves.
_WITHOUT_MATE: Mapping[Way, Way] = {
    Way.TIME: Way.TIME_NO_MATE,
    Way.ILLEGAL_MOVES: Way.ILLEGAL_NO_MATE,
    Way.SEALED_MOVE: Way.SEALED_NO_MATE,
    Way.RESIGNATION: Way.RESIGNATION_NO_MATE,
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. Raises ValueError unless `winner` is set exactly for the ways that have one."""

    way: Way
    winner: chess.Color | None = None

    def __post_init__(self) -> None:
        if TABLE[self.way][0].has_winner != (self.winner is not None):
            raise ValueError(f"{self.way.value} with winner {self.winner}")

    @property
    def result(self) -> str:
        """One of `RESULTS`: "1-0", "0-0" (both lose), "*" (unfinished or void) …"""
        return TABLE[self.way][0].result(self.winner)

    @property
    def pgn_result(self) -> str:
        """The value of the PGN tag Result; "0-0" and the like, unknown to PGN, become "*" (see the tag "Points")."""
        return self.result if self.result in PGN_RESULTS else "*"

    @property
    def termination(self) -> str:
        """The value of the PGN tag Termination."""
        return TABLE[self.way][1]

    @property
    def words(self) -> Phrase:
        """The ending as a sentence of [sentences.ending], with slots `winner` and `loser` if there are any."""
        slots: dict[str, Slot] = {}
        if self.winner is not None:
            slots = {"winner": Side(self.winner), "loser": Side(not self.winner)}
        return Phrase(f"ending.{self.way.value}", slots)


def by_points(white: float, black: float) -> Ending:
    """The ending by the points that the arbiter awards, each 0, 0.5 or 1. Raises KeyError for other values."""
    ways = {(1, 0): Way.ARBITER, (0.5, 0): Way.HALF_POINT, (1, 0.5): Way.ONE_AND_HALF}
    ways |= {(0.5, 0.5): Way.ARBITER_DRAW, (0, 0): Way.BOTH_LOSE, (1, 1): Way.BOTH_WIN}
    way = ways[max(white, black), min(white, black)]
    return Ending(way, None if white == black else white > black)


def lost(way: Way, loser: chess.Color, winner_can_mate: bool) -> Ending:
    """A loss by flag, penalty, sealed move or resignation, or the draw it becomes if the winner cannot mate by any
    series of legal moves. For a resignation that depends on the edition (`editions.resigned`)."""
    if way in _WITHOUT_MATE and not winner_can_mate:
        return Ending(_WITHOUT_MATE[way])
    return Ending(way, not loser)
