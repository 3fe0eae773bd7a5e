"""What can sensibly be said in each phase: the frame for the recogniser's phrases and for understanding."""

from __future__ import annotations

from voicechess.game import arbiter, claiming, echoing
from voicechess.game.phases import Phase
from voicechess.game.queries import ADVICE, POSITION_QUERIES, QUERIES
from voicechess.game.settings import Preset
from voicechess.game.table import Table
from voicechess.language.meaning import Expectation, Question

ALWAYS = frozenset({"repeat", "stop", "help", "louder", "softer", "faster", "slower", "end"})
ABOUT_THE_GAME = frozenset(QUERIES) | {"last_move", "time", "save", "new_game"}
PLAYING = frozenset({"resign", "draw_offer", "adjust"})
CASUAL = frozenset({"take_back", "pause", "correct", "thresholds", "thresholds_seconds", "thresholds_none"})
CLAIMS = claiming.CLAIMS | {"adjourn", "adjourn_hours", "seal"}
BESIDE = frozenset(arbiter.ARBITER) | {"arbiter_start"}
"""Where two people play, an arbiter may be there, and they may go back together."""

ANSWERING_A_DRAW = frozenset({"draw_accept", "draw_decline"})

COMMANDS: dict[Phase, frozenset[str]] = {
    Phase.NOT_STARTED: frozenset(),
    Phase.LISTENING: ALWAYS | ABOUT_THE_GAME | PLAYING | CASUAL | CLAIMS | {"spell"},
    Phase.DRAW_OFFERED: ALWAYS | ABOUT_THE_GAME | PLAYING | CASUAL | CLAIMS | ANSWERING_A_DRAW | {"spell"},
    Phase.REPEATING: ALWAYS | {"correct", "draw_offer"},
    Phase.CHOOSING: ALWAYS | ABOUT_THE_GAME | {"correct", "spell", "resign"},
    Phase.COMPLETING: ALWAYS | ABOUT_THE_GAME | {"correct", "spell", "resign"},
    Phase.PROMOTING: ALWAYS | {"correct", "resign"},
    Phase.CONFIRMING: ALWAYS | {"time", "last_move"},
    Phase.THINKING: ALWAYS | ABOUT_THE_GAME | PLAYING | CASUAL,
    Phase.ANNOUNCING: ALWAYS | ABOUT_THE_GAME | PLAYING | CASUAL,
    Phase.ECHOING: ALWAYS | ABOUT_THE_GAME | PLAYING | CLAIMS,
    Phase.JUDGING: ALWAYS | ABOUT_THE_GAME | {"resign"},
    Phase.SEALING: ALWAYS | {"seal", "adjourn", "time", "resign"},
    Phase.ADJOURNED: ALWAYS | ABOUT_THE_GAME | {"resume", "resign", "draw_offer", "change"},
    Phase.PAUSED: ALWAYS | ABOUT_THE_GAME | {"resume", "resign"},
    Phase.OVER: ALWAYS | ABOUT_THE_GAME,
}
"""What the recogniser listens for. Other commands that are typed are answered as well."""


def expectation(table: Table) -> Expectation:
    """What can be said now."""
    opened = table.open
    commands = COMMANDS[table.phase]
    preset = table.settings.preset
    if preset is Preset.STRICT_BLIND and table.phase is not Phase.OVER:
        commands -= POSITION_QUERIES
    if preset is not Preset.CASUAL:
        commands -= ADVICE | (CASUAL - {"correct"})
    if table.settings.penalties:
        commands |= {"ready"} if table.phase is Phase.PROMOTING else {"claim_illegal"}
    if table.adjournment is not None and table.phase is Phase.CONFIRMING:
        commands |= {"change"}
    if table.engine is None and table.phase in (Phase.LISTENING, Phase.DRAW_OFFERED, Phase.PAUSED):
        commands |= BESIDE
    if table.engine is None and table.phase is Phase.ADJOURNED:
        commands |= arbiter.VERDICTS | {"absent"}
    if table.phase is Phase.ADJOURNED and table.offer.by is not None:
        commands |= ANSWERING_A_DRAW
    if table.may_be_missing:
        commands |= {"absent"}
    if table.absent is not None and table.phase in (Phase.LISTENING, Phase.DRAW_OFFERED, Phase.ADJOURNED):
        commands |= {"present"}
    if table.phase is Phase.ECHOING:
        return Expectation(echoing.before(table), Question.REPEAT_MOVE, (table.plies[-1].move,), commands=commands)
    # Moves are listened for even where none can be made: a recogniser that has no words for them would bend them into
    # commands, or into the "ja" that a question waits for. They are answered with why not.
    board = None if table.phase in (Phase.NOT_STARTED, Phase.OVER) else table.board.copy(stack=False)
    if opened is None:
        question = Question.YES_NO if table.phase is Phase.DRAW_OFFERED else None
        return Expectation(board, question, commands=commands)
    return Expectation(board, opened.question, opened.candidates, opened.partial, commands, opened.whole)
