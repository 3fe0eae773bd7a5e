"""Puzzles from Lichess: that of the day, and some of a theme, as lines of Lichess' puzzle format.

So they are parsed and checked like a player's file (`practice.puzzle_lines`). They are requested without a login: the
program's token has no scope for puzzles, and nobody learns who solves what.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import chess

from voicechess.opponents.lichess.fields import (
    NonsenseError,
    as_object,
    id_of,
    inner_object,
    is_theme,
    number_of,
    objects_of,
    parsed,
    text_of,
)
from voicechess.opponents.lichess.transport import ServerFault, Transport, failure

DAILY, MIXED = "daily", "mix"
"""Names in requests: the puzzle of the day, and any theme."""

_AT_ONCE = 15
"""Puzzles of a theme per request, as many as a session has: Lichess does not want its collection scraped."""

_UCI = re.compile(r"(?:[a-h][1-8]){2}[qrbnk]?")
_LONGEST_GAME = 8_000  # characters
_MOST_MOVES = 60


def fetched(server: str, theme: str) -> tuple[str, ...]:
    """The puzzle of the day (`DAILY`) followed by mixed ones, or some of a theme in Lichess' terms; () if there are
    none.

    Raises Failure: no network, a server that refuses.
    """
    with contextlib.closing(Transport(server)) as transport:
        try:
            if not is_theme(theme):
                raise ServerFault("gone")
            if theme != DAILY:
                return _some(transport, theme)
            found = _lines(transport.ask("GET", "/api/puzzle/daily"))
            with contextlib.suppress(ServerFault):  # the mixed ones are optional
                found += _some(transport, MIXED)
        except ServerFault as fault:
            raise failure(fault) from None
    return found


def _some(transport: Transport, theme: str) -> tuple[str, ...]:
    return _lines(transport.ask("GET", f"/api/puzzle/batch/{theme}", query={"nb": str(_AT_ONCE)}))


def _lines(body: bytes) -> tuple[str, ...]:
    found = lines_of(body)
    if found is None:
        raise ServerFault("garbage")
    return found


def lines_of(body: bytes) -> tuple[str, ...] | None:
    """The puzzles in an answer, one per line; None for an invalid answer.

    Invalid puzzles are left out, unless there is no other.
    """
    try:
        found = as_object(parsed(body))
    except NonsenseError:
        return None
    several = objects_of(found, "puzzles", _AT_ONCE) if "puzzles" in found else (found,)
    lines = []
    for one in several:
        try:
            lines.append(_line(one))
        except NonsenseError:
            continue
    return tuple(lines) if lines or not several else None


def _line(found: Mapping[str, Any]) -> str:
    """PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes. Raises NonsenseError.

    The answer has the game up to the position to be solved; a line starts one ply earlier, with the opponent's move.
    """
    puzzle = as_object(found.get("puzzle"))
    game = text_of(inner_object(found, "game"), "pgn", _LONGEST_GAME)
    solution = puzzle.get("solution")
    if not isinstance(solution, list) or not all(isinstance(uci, str) and _UCI.fullmatch(uci) for uci in solution):
        raise NonsenseError
    board = chess.Board()
    try:
        for san in game.split():
            board.push_san(san)
        came = board.pop()
    except (ValueError, IndexError) as error:
        raise NonsenseError from error
    moves: Sequence[str] = (came.uci(), *solution[:_MOST_MOVES])
    named = (one for one in puzzle.get("themes", ()) if isinstance(one, str) and is_theme(one))
    rating = number_of(puzzle, "rating")
    columns = (id_of(puzzle, "id"), board.fen(), " ".join(moves), "" if rating is None else str(rating))
    return ",".join((*columns, "", "", "", " ".join(named)))
