"""The player repeats the opponent's announcement before thinking (Laws, Appendix D.2.1), in tournaments.

A wrong repetition is announced again. The player's time runs: the move was completed with its announcement. Nobody is
held up by a recogniser that does not hear: after some attempts the game goes on.
"""

from __future__ import annotations

import chess

from voicechess.game import commands
from voicechess.game.events import Heard, Source
from voicechess.game.state import Table
from voicechess.messages import Side
from voicechess.moves.matching import Act, Context, Play, decide
from voicechess.moves.saying import said_move

ATTEMPTS = 3


def before(table: Table) -> chess.Board:
    """The position in which the announcement that is to be repeated was made."""
    board = table.board.copy()
    board.pop()
    return board


def hear(table: Table, event: Heard) -> None:
    """A repetition, right or wrong; or a command, which waits for none."""
    board, last = before(table), table.plies[-1].move
    decision = decide(board, event.readings, Context(typed=event.source is Source.KEYBOARD))
    if isinstance(decision, Act):
        commands.obey(table, decision.command)
        return
    if decision == Play(last):
        table.say("echo.right")
    else:
        table.misses += 1
        if table.misses < ATTEMPTS:
            table.say("echo.again", {"side": Side(not table.turn), "move": said_move(board, last)})
            return
        table.say("echo.go_on", {"side": Side(not table.turn), "move": said_move(board, last)})
    table.misses = 0
    table.echo_due = False
    table.step_to_base()
