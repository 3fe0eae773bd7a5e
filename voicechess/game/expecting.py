"""What can sensibly be said in each phase: the frame for the recogniser's phrases and for understanding."""

from __future__ import annotations

from voicechess.game import claims, repetition, rulings
from voicechess.game.effects import VOICE_CHANGES
from voicechess.game.phases import Phase
from voicechess.game.queries import QUERIES
from voicechess.game.state import Table
from voicechess.meaning import NOTHING_ASKED, Asked, Expectation, Question

ALWAYS = frozenset({"repeat", "stop", "help", "end", *VOICE_CHANGES})
ABOUT_THE_GAME = frozenset(QUERIES) | {"last_move", "time", "save", "new_game"}
PLAYING = frozenset({"resign", "draw_offer", "draw_accept", "draw_decline", "adjust", "correct", "spell"})
CASUAL = frozenset({"take_back", "pause", "resume", "thresholds", "thresholds_seconds", "thresholds_none"})
CLAIMS = claims.CLAIMS | {"claim_flag", "claim_illegal", "adjourn", "adjourn_hours", "seal", "change"}
BESIDE = frozenset(rulings.ARBITER) | {"arbiter_start", "absent", "present"}

WHENEVER = ALWAYS | ABOUT_THE_GAME | PLAYING | CASUAL | CLAIMS | BESIDE
"""Listened for in every phase but one, also where they are answered with why not: a recogniser without the words for
"Pause" bends them into others, into a move or into the "ja" that a question waits for."""

AFTER = frozenset({"mistake", "practise"})
"""What may be asked for when a game is over; `practice.after` answers it."""

COMMANDS: dict[Phase, frozenset[str]] = {
    **dict.fromkeys(Phase, WHENEVER),
    Phase.NOT_STARTED: frozenset(),
    # Now a move is taken back or stands: every other word is a rival of "nein" and "Korrektur".
    Phase.REPEATING: ALWAYS | {"correct", "draw_offer"},
    Phase.PROMOTING: WHENEVER | {"ready"},
    Phase.OVER: WHENEVER | AFTER,
}
"""What the recogniser listens for. Other commands that are typed are answered as well."""


def expectation(table: Table) -> Expectation:
    """What can be said now."""
    opened = table.open
    commands = COMMANDS[table.phase]
    if table.phase is Phase.ECHOING:
        return Expectation(repetition.before(table), Asked(Question.REPEAT_MOVE, (table.plies[-1].move,)), commands)
    # Moves are listened for even where none can be made: a recogniser that has no words for them would bend them into
    # commands, or into the "ja" that a question waits for. They are answered with why not.
    board = None if table.phase in (Phase.NOT_STARTED, Phase.OVER) else table.board.copy(stack=False)
    if opened is None:
        asked = Asked(Question.YES_NO) if table.phase is Phase.DRAW_OFFERED else NOTHING_ASKED
        return Expectation(board, asked, commands)
    return Expectation(board, opened.asked, commands)
