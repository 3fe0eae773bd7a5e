"""Opening statistics: the first moves of many games, counted by position, and the format of their index.

A record is 24 bytes, big-endian: the position's key (8), the move (2, see `packed`), two zero bytes, and the numbers of
games that White won (4), that were drawn (4) and that Black won (4). An index is `MAGIC` followed by records sorted by
key and move.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from hashlib import blake2b

import chess

from voicechess.messages import Failure
from voicechess.score.pgn import NULL, TOKEN, plain_dashes, read_tags
from voicechess.score.score import parse_san

MAX_PLIES = 30
"""Plies counted of each game. Larger: a larger index that takes longer to build."""

MAGIC = b"voicechess openings 1\n"
RECORD = struct.Struct(">QHxxIII")

_MOST = 0xFFFF_FFFF
_RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
_STANDARD = ("", "?", "standard", "chess")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move in a position, with the results of the games in which it was played."""

    move: chess.Move
    white: int
    drawn: int
    black: int

    @property
    def count(self) -> int:
        """The number of games."""
        return self.white + self.drawn + self.black

    def points(self, colour: chess.Color) -> int:
        """A side's score in these games in percent, rounded."""
        won = self.white if colour == chess.WHITE else self.black
        return round(100 * (won + self.drawn / 2) / self.count)


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game's contribution to the statistics.

    moves: key of each position with the packed move made in it.
    result: 0 White won, 1 drawn, 2 Black won.
    """

    moves: tuple[tuple[int, int], ...]
    result: int


def position_key(board: chess.Board) -> int:
    """A 64-bit key of the position, independent of the moves leading to it: the BLAKE2b hash of its EPD."""
    return int.from_bytes(blake2b(board.epd().encode(), digest_size=8).digest())


def packed(move: chess.Move) -> int:
    """A move in 16 bits: from-square (6), to-square (6), promotion (4, python-chess' piece type or 0), lowest bits
    first."""
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def unpacked(bits: int) -> chess.Move:
    """The inverse of `packed`."""
    return chess.Move(bits & 63, bits >> 6 & 63, bits >> 12 or None)


def counted_game(text: str) -> CountedGame | None:
    """The first `MAX_PLIES` moves of one PGN game; None for a game without a result, from another starting position or
    of a variant. Raises `Failure` for a move that cannot be read."""
    tags = read_tags(text)
    result = _RESULTS.get(plain_dashes(tags.get("Result", "")).replace(" ", ""))
    usual = "FEN" not in tags and tags.get("Variant", "").strip().lower() in _STANDARD
    if result is None or not usual:
        return None
    board, depth, at = chess.Board(), 0, 0
    moves: list[tuple[int, int]] = []
    while at < len(text) and len(moves) < MAX_PLIES:
        found = TOKEN.match(text, at)
        if found is None:
            break
        at = found.end()
        if found["open"] or found["close"]:
            depth += 1 if found["open"] else -1
        elif found["move"] and not depth:
            if plain_dashes(found[0]) in NULL:
                break
            try:
                move = parse_san(board, found[0])
            except ValueError as error:
                raise Failure("pgn.error.move") from error
            moves.append((position_key(board), packed(move)))
            board.push(move)
        elif found["result"] and not depth:
            break
    return CountedGame(tuple(moves), result)


def record(key: int, move: int, counts: tuple[int, int, int]) -> bytes:
    """One record of the index; counts are (White won, drawn, Black won), capped at 32 bits."""
    return RECORD.pack(key, move, *(min(count, _MOST) for count in counts))
