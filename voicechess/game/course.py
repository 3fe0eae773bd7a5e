"""The first sentences of a game, and those with which it goes on after the program had ended."""

from __future__ import annotations

import chess

from voicechess.game import adjourning, claiming, ending, turns
from voicechess.game.agreement import GameSettings, Preset
from voicechess.game.commands import last_move
from voicechess.game.phases import Phase, Step
from voicechess.game.state import Table
from voicechess.laws import editions
from voicechess.laws.chess960 import announcement
from voicechess.laws.clock import describe
from voicechess.messages import Duration, Side


def start(table: Table, introduced: bool = False, three_words: bool = True) -> None:
    """Tell the players what they need; the first one's clock starts when that has been said.

    `introduced`: they know the words that always work, and the time that was agreed; `three_words`: see `ev.Started`.
    """
    if table.phase is not Phase.NOT_STARTED:
        return
    table.started_ms = table.now_ms
    if three_words and not introduced:
        table.say("start.three_words")
    _terms(table, introduced)
    decided = editions.finished(table.board)
    if decided is not None:
        ending.finish(table, decided)
        return
    engine = table.engine
    if engine is None:
        last = table.say("start.two_players", {"side": Side(table.turn)})
    elif engine == table.turn:
        last = table.say("start.machine_begins", {"side": Side(not engine)})
    else:
        last = table.say("start.you_begin", {"side": Side(table.turn)})
    table.step(Step.ANNOUNCED)
    if engine == table.turn:
        # The machine need not listen to the greeting.
        turns.go_on(table, table.now_ms)
    else:
        table.wait_for(last, table.now_ms + turns.SPEECH_LIMIT_MS)


def _terms(table: Table, introduced: bool) -> None:
    """What is not as usual: position, edition, time, preset."""
    settings = table.settings
    if settings.chess960 is not None and settings.fen == chess.STARTING_FEN:
        row = announcement(table.board)
        table.say(row.key, dict(row.slots))
    elif settings.fen != GameSettings().fen:
        table.say("start.position")
    if settings.laws != editions.DEFAULT_EDITION:
        table.say("start.laws", {"year": settings.laws})
    if table.timed and not introduced:
        table.say("start.time", {"time": describe(table.clock.control)})
    if settings.default_minutes is not None and table.engine is None:
        default = Duration(settings.default_minutes * 60_000)
        table.say(
            "start.default_time" if settings.default_minutes else "start.default_time_zero", {"duration": default}
        )
    if settings.touch_move:
        table.say("start.touch_move")
    if settings.penalties:
        table.say("start.penalties")
    if settings.preset is Preset.TOURNAMENT:
        table.say("start.tournament" if table.engine is not None else "start.tournament_people")
    elif settings.preset is Preset.STRICT_BLIND:
        table.say("start.strict_blind")


def resume(table: Table, at_ms: int) -> None:
    """The program was away since the last event: that is nobody's time. Say where the game stands and go on."""
    table.clock = table.clock.pause(table.now_ms if table.pending is None else table.pending.ended_ms)
    table.now_ms = max(table.now_ms, at_ms)
    if table.phase is Phase.NOT_STARTED:
        start(table)
        return
    if table.phase is Phase.OVER:
        table.say("over.what_now")
        return
    table.said, table.stands = (), False
    if table.left:
        table.left = table.paused = False
    table.held = None
    table.considering = False
    adjourning.drop(table)
    if table.adjournment is not None:
        table.say("resume.going_on")
        adjourning.come_back(table)
        return
    if table.judging is not None:
        table.open = None
        table.step_to_base()
        claiming.ask_the_engine(table, table.judging)
        return
    if table.phase in (Phase.CONFIRMING, Phase.SEALING) or table.open is not None:
        table.step_to_base()
    pending = table.pending
    if pending is not None:
        # It was heard and not made: say it again, so that it can be corrected as before.
        table.pending = None
        table.clock = table.clock.resume(pending.ended_ms)
        table.step_to_base()
        table.turn_since_ms = 0
        turns.repeat_move(table, pending.move, pending.ended_ms)
        return
    table.say("resume.going_on")
    last = last_move(table)
    if last is not None:
        table.say("score.last", {"side": Side(last.colour), "move": last})
    if table.paused:
        table.say("pause.say_resume")
        return
    told = table.say("turn.side", {"side": Side(table.turn), "number": table.board.fullmove_number})
    if table.engine_to_move:
        if table.phase is not Phase.THINKING:
            table.step_to_base()
        table.clock = table.clock.resume(table.now_ms)
        turns.think(table)
        return
    if table.offer.can_answer(table.turn):
        told = turns.say_offer(table)
    if table.claim is not None:
        told = table.say("claim.which_move")
    table.step(Step.ANNOUNCED)
    table.wait_for(told, table.now_ms + turns.SPEECH_LIMIT_MS)
