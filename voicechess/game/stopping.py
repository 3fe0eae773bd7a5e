"""Stopping the clocks: the pause, and the end of the game with its result."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from voicechess.game import questions
from voicechess.game.agreement import Preset
from voicechess.game.effects import GameEnded, NewGame, StopThinking
from voicechess.game.phases import Adjourned, Judging, Over, Pause, Paused, Phase
from voicechess.game.state import Table
from voicechess.laws.draws import DrawOffer
from voicechess.laws.editions import fallen_flag
from voicechess.laws.results import Ending, Way
from voicechess.meaning import Command
from voicechess.messages import Side


def stop_play(table: Table) -> None:
    """Pause from any phase, except during a repetition. An envelope stays closed."""
    if isinstance(table.base, Adjourned | Over):
        table.step_to_base()
        return
    table.clock = table.clock.pause(table.now_ms)
    if table.kind.against_engine and (table.engine_to_move or table.judging is not None):
        table.do(StopThinking())
    if table.phase is not Phase.PAUSED:
        table.enter(Paused(table.paused or Pause.STOPPED))


def leave(table: Table) -> None:
    """The player leaves; the game is kept with its clock stopped until somebody comes back."""
    stop_play(table)
    if table.paused is not None:
        table.amend(Paused(Pause.LEFT))


def start_again(table: Table, ending: Ending) -> None:
    """This game is void, and another one starts."""
    finish(table, ending, asks=False)
    table.say("new_game")
    table.do(NewGame())


def finish(table: Table, ending: Ending, asks: bool = True) -> None:
    """End the game with `ending`, now. `asks`: ask what to do next."""
    thinks = table.engine_to_move and table.phase in (Phase.THINKING, Phase.CONFIRMING)
    if table.kind.against_engine and (thinks or table.judging is not None):
        table.do(StopThinking())
    table.clock = table.clock.pause(table.now_ms)
    table.forget()
    table.enter(Over(ending))
    words = ending.words
    table.say(words.key, dict(words.slots))
    if table.settings.preset is Preset.STRICT_BLIND and table.told.refused_queries:
        table.say("over.refused_queries", {"count": table.told.refused_queries})
    hints = table.machine.hints
    if hints:
        table.say("over.hint" if hints == 1 else "over.hints", {} if hints == 1 else {"count": hints})
    table.do(GameEnded(ending.result, ending.way.value))
    if asks:
        table.say("over.what_now")


def agree(table: Table) -> None:
    """A draw was agreed. An event's rules may require the arbiter's consent (2023: 9.1.1)."""
    if table.settings.draw_consent and table.kind.both_here:
        questions.confirm(
            table, Command("draw_accept"), key="confirm.draw_consent", agreed=_drawn, otherwise=_no_consent
        )
    else:
        finish(table, Ending(Way.AGREEMENT))


def _drawn(table: Table, command: Command) -> None:
    finish(table, Ending(Way.AGREEMENT))


def _no_consent(table: Table, command: Command) -> None:
    table.offer = DrawOffer()
    table.say("draw.no_consent")
    table.step_to_base()


def flag_fell(table: Table, at_ms: int, ruled: Sequence[chess.Color] = ()) -> bool:
    """Whether a flag was down at `at_ms` and has ended the game (if both are, play may go on). A game on a server is
    never ended by the clock here. `ruled`: sides whose flags the arbiter found down, whatever order the clock
    recorded."""
    first = tuple(ruled) or (table.clock.flag(at_ms) if table.kind.decided_here else ())
    if not first:
        return False
    # A side in its last period has no time left to play on with.
    last_period = any(table.clock.last_period(colour) for colour in first)
    ending = fallen_flag(table.board, first, last_period)
    if ending is None:
        table.clock = table.clock.play_on(at_ms)
        return False
    if table.postponed is not None and ending.way in (Way.TIME, Way.TIME_NO_MATE) and first == table.postponed[:1]:
        _decide_postponed(table, *table.postponed, at_ms)
    else:
        finish(table, ending)
    return True


def _decide_postponed(table: Table, by: chess.Color, claim: Command, at_ms: int) -> None:
    """The claimant's flag has fallen before the arbiter decided (2009: 10.2 b; 2023: Guidelines III.5)."""
    if table.open is not None:
        table.step_to_base()
    table.clock = table.clock.pause(at_ms)
    table.postponed = None
    table.enter(Judging(claim, by_arbiter=True, flagged=True))
    table.say("claim.flagged", {"side": Side(by)})
