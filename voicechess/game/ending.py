"""A game is over: clocks stop, the result is said and stands."""

from __future__ import annotations

from voicechess.game.agreement import Preset
from voicechess.game.effects import GameEnded, StopThinking
from voicechess.game.phases import Phase, Step
from voicechess.game.state import Bound, Table
from voicechess.laws.draws import DrawOffer
from voicechess.laws.editions import fallen_flag
from voicechess.laws.results import Ending


def finish(table: Table, ending: Ending) -> None:
    """End the game with `ending`, now."""
    if table.judging is not None or (table.engine_to_move and table.phase in (Phase.THINKING, Phase.CONFIRMING)):
        table.do(StopThinking())
    table.clock = table.clock.pause(table.now_ms)
    table.pending = table.open = table.held = table.awaited = table.claim = None
    table.offer, table.bound, table.adjournment = DrawOffer(), Bound(), None
    table.paused = table.stands = table.considering = False
    table.judging = table.win_claim = table.absent = None
    table.step(Step.ENDED)
    table.ending = ending
    words = ending.words
    table.say(words.key, dict(words.slots))
    if table.settings.preset is Preset.STRICT_BLIND and table.refused_queries:
        table.say("over.refused_queries", {"count": table.refused_queries})
    table.do(GameEnded(ending.result, ending.way.value))
    table.say("over.what_now")


def flag_fell(table: Table, at_ms: int) -> bool:
    """Whether a flag was down at `at_ms` and what becomes of it has ended the game (both down: play may go on)."""
    first = table.clock.flag(at_ms)
    if not first:
        return False
    last_period = all(table.clock.last_period(colour) for colour in first)
    ending = fallen_flag(table.board, first, last_period)
    if ending is None:
        table.clock = table.clock.play_on(at_ms)
        return False
    finish(table, ending)
    return True
