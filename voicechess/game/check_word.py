""" "Schach" or "matt", said when its move has been taken already: after a pause it is an utterance of its own."""

from __future__ import annotations

from voicechess.game import questions
from voicechess.game.effects import Hush
from voicechess.game.state import Table
from voicechess.moves.decisions import Ask
from voicechess.moves.refusals import Refusal
from voicechess.moves.saying import check_given


def into_repetition(table: Table) -> None:
    """The move being repeated gives check, as its repetition says; or it is doubtful now, and is asked about."""
    pending = table.pending
    assert pending is not None, "a move is being repeated"
    if check_given(table.board, pending.move) is not None:
        return
    table.pending = table.awaited = None
    table.do(Hush())
    questions.ask(table, Ask((pending.move,), Refusal("no_check")))


def belongs_to_last_move(table: Table) -> bool:
    """Whether the last move gives check: then that is said."""
    if table.open is not None or not table.board.is_check():
        return False
    table.say("check.mate" if table.board.is_checkmate() else "check.check")
    return True
