"""Hints in a casual game: first the piece, then its file, then the move; the result says how many were given.

The engine is asked with a numbered request, at full strength. An answer about an outdated position is dropped.
"""

from __future__ import annotations

import chess

from voicechess.game import actions
from voicechess.game.effects import SeekHint
from voicechess.game.phases import PLAYERS_TURN, QUESTIONS
from voicechess.game.situation import Hint
from voicechess.game.state import Table
from voicechess.meaning import Command
from voicechess.messages import File, Piece

MOST_STEPS = 3
"""Number of hints per move: piece, file, move."""


def hint(table: Table, command: Command) -> None:
    """Ask the engine, or give the next hint for this position."""
    if table.phase not in PLAYERS_TURN and table.phase not in QUESTIONS:
        actions.not_your_turn(table)
        return
    known = table.machine.hint
    if known is None or known.fen != table.board.fen():
        table.machine.hint = Hint(table.board.fen())
        table.do(SeekHint(table.board.copy()))
        return
    if known.uci is None:
        table.say("tip.wait")
        return
    if known.told < MOST_STEPS:
        known.told += 1
        table.machine.hints += 1
    _tell(table, known)


def found(table: Table, uci: str | None) -> None:
    """The engine's answer; None: no engine, or no move found."""
    known = table.machine.hint
    if known is None or known.uci is not None or known.fen != table.board.fen():
        return
    try:
        legal = bool(table.board.parse_uci(uci or ""))
    except ValueError:
        legal = False
    if not legal:
        table.machine.hint = None
        table.say("tip.none")
        return
    known.uci, known.told = uci, 1
    table.machine.hints += 1
    _tell(table, known)


def _tell(table: Table, known: Hint) -> None:
    move = table.board.parse_uci(known.uci or "")
    kind = table.board.piece_type_at(move.from_square)
    assert kind is not None, "a legal move has a piece"
    if known.told == 1:
        table.say("tip.piece", {"piece": Piece(kind)})
    elif known.told == 2:
        table.say("tip.file", {"piece": Piece(kind), "file": File(chess.square_file(move.from_square))})
    else:
        table.say("tip.move", {"move": table.announced(move)})
