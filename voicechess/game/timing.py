"""Effects of time alone: flags fall, questions expire, unreported speech counts as said, remaining times are announced.

All of it depends only on due times, so it does not matter how often it is checked.
"""

from __future__ import annotations

from dataclasses import replace

from voicechess.game import absence, claims, questions, stopping, turns
from voicechess.game.phases import PLAYERS_TURN, Phase
from voicechess.game.state import Table
from voicechess.laws.clock import crossed
from voicechess.messages import Duration, Priority, Side, TimeLeft, Tone

FLAG_GRACE_MS = 2_000
"""Time, milliseconds, after a flag fall in which an announcement that ended before may still arrive from the recogniser
or engine. Larger: flags are called later."""

RUNNING = PLAYERS_TURN | {Phase.CONFIRMING, Phase.REPEATING, Phase.THINKING, Phase.ECHOING}
"""Phases in which a clock runs."""


def pass_time(table: Table, until_ms: int) -> None:
    """Do everything due up to `until_ms`, except flags (`flags`)."""
    if table.awaited is not None and table.awaited.until_ms <= until_ms:
        speech_ended(table, table.awaited.until_ms)
    opened, stood = table.open, table.stands
    deadline_ms = None if opened is None or table.phase is not Phase.CONFIRMING else opened.deadline_ms
    if deadline_ms is not None and deadline_ms <= until_ms:
        table.now_ms = max(table.now_ms, deadline_ms)  # the next question has its own deadline
        questions.declined(table, "confirm.silence")
        turns.make_held(table)
        goes_on(table, stood, deadline_ms)
    late_ms = None if table.absent is None or table.phase is Phase.REPEATING else table.absent.loses_at_ms
    if late_ms is not None and late_ms <= until_ms:
        table.now_ms = max(table.now_ms, late_ms)
        absence.overdue(table)


def goes_on(table: Table, stood: bool, at_ms: int) -> None:
    """Restart the clock if it was stopped for a question that was answered; also that of a side missing at a
    resumption."""
    runs = table.phase in RUNNING or (table.phase is Phase.ADJOURNED and table.absent is not None)
    if stood and not table.stands and runs:
        table.clock = table.clock.resume(at_ms)
        table.times.looked_ms = max(table.times.looked_ms, at_ms)


def speech_ended(table: Table, at_ms: int) -> None:
    """The utterance that the game waited for has ended."""
    if table.phase is Phase.REPEATING:
        turns.commit(table, at_ms)
    elif table.phase is Phase.ANNOUNCING:
        turns.go_on(table, at_ms)


def flags(table: Table, now_ms: int) -> None:
    """Claim the win on time (the assistant's duty, Appendix D), once nothing said in time can still arrive."""
    if (
        table.base_phase in (Phase.OVER, Phase.NOT_STARTED, Phase.REPEATING, Phase.JUDGING)
        or table.machine.held is not None
        or claims.asked(table)
    ):
        return
    down = table.clock.flag(now_ms)
    fell_ms = table.clock.fell(down[0], now_ms) if down else None
    if fell_ms is not None and now_ms >= fell_ms + FLAG_GRACE_MS:
        stopping.flag_fell(table, now_ms)


def thresholds(table: Table, now_ms: int) -> None:
    """Announce each remaining time once when it is crossed; never in strict presets."""
    if table.phase in (Phase.REPEATING, Phase.PAUSED) or table.base_phase is Phase.OVER or claims.asked(table):
        return  # checked afterwards: otherwise the frequency of checks would matter
    running = table.clock.running
    since_ms, table.times.looked_ms = table.times.looked_ms, max(now_ms, table.times.looked_ms)
    if running is None or not table.casual or running == table.kind.opponent:
        return
    period = table.clock.side(running).period
    fresh = [
        ms
        for ms in crossed(table.clock, since_ms, now_ms, table.thresholds(running))
        if (running, period, ms) not in table.times.told
    ]
    if fresh:
        table.times.told.update((running, period, ms) for ms in fresh)
        table.sound(Tone.CLOCK_LOW)
        left = TimeLeft(running, fresh[-1])
        if table.kind.announces_both:
            table.say("clock.threshold_side", {"side": Side(running), "duration": left}, Priority.NEXT)
        else:
            table.say("clock.threshold", {"duration": left}, Priority.NEXT)


def jumped(table: Table, before_ms: int | None) -> None:
    """A server has adjusted the player's clock, which showed `before_ms`: the lowest threshold passed by that counts as
    crossed now."""
    left_ms = table.clock.remaining(table.speaker, table.now_ms)
    if before_ms is None or left_ms is None or table.clock.running != table.speaker:
        return
    passed = [ms for ms in table.thresholds(table.speaker) if left_ms <= ms < before_ms]
    fresh = [ms for ms in passed if (table.speaker, 0, ms) not in table.times.told]
    if fresh and table.casual:
        table.times.told.update((table.speaker, 0, ms) for ms in fresh)
        table.sound(Tone.CLOCK_LOW)
        table.say("clock.threshold", {"duration": TimeLeft(table.speaker, left_ms)}, Priority.NEXT)


def suspended(table: Table, at_ms: int, gap_ms: int) -> None:
    """The computer slept for `gap_ms` before `at_ms`, charged to nobody. The game pauses until somebody is there."""
    slept_from_ms = at_ms - gap_ms
    if table.base_phase not in (Phase.NOT_STARTED, Phase.OVER):
        pass_time(table, slept_from_ms)
        if table.phase is Phase.REPEATING:
            # The player's move stands; it can still be taken back.
            turns.commit(table, slept_from_ms)
    table.now_ms = max(table.now_ms, at_ms)
    if not table.kind.runs_clock:
        return
    if table.absent is not None and table.absent.loses_at_ms is not None:
        table.absent = replace(table.absent, loses_at_ms=table.absent.loses_at_ms + gap_ms)
    if table.base_phase is Phase.ADJOURNED:
        table.clock = table.clock.shift(gap_ms)
    if table.base_phase in (Phase.NOT_STARTED, Phase.OVER, Phase.ADJOURNED):
        return
    table.clock = table.clock.pause(slept_from_ms)
    stopping.stop_play(table)
    table.say("pause.suspended", {"duration": Duration(gap_ms)})
    table.say("pause.say_resume")
