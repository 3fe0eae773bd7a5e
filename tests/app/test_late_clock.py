"""What the loop is busy with is no sleep of the computer's: a slow disk, a library that takes seconds to load."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from voicechess.app import event_clock
from voicechess.app.around import Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation

LONG_S = 6.0


@dataclass
class Time:
    """The system's two clocks. `asleep_s`: what only one of them has counted."""

    now_s: float = 1_000.0
    asleep_s: float = 0.0


@dataclass
class Machine:
    """Ends after so many events; `does` is what the first takes."""

    expectation = Expectation()
    does: Callable[[], None]
    got: list[ev.Event] = field(default_factory=list)

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        self.got.append(event)
        if len(self.got) == 1:
            self.does()
        return (ef.End(0),) if len(self.got) == 3 else ()


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = Time()
    monkeypatch.setattr(event_clock, "_running_s", lambda: found.now_s + found.asleep_s)
    monkeypatch.setattr(event_clock, "_awake_s", lambda: found.now_s)
    return found


def held(machine: Machine) -> list[ev.Event]:
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(lambda line: None))
    for number in range(2):
        loop.inbox.post(ev.Trouble(at_ms=number, key="program.stumbled"))
    loop.converse(machine, ev.Started(at_ms=0), lambda: False)
    return machine.got


def test_what_the_program_waits_for_is_no_sleep(system: Time) -> None:
    def wait() -> None:
        system.now_s += LONG_S

    assert not [event for event in held(Machine(wait)) if isinstance(event, ev.Suspended)]


def test_sleep_is_noticed_also_while_the_program_is_at_work(system: Time) -> None:
    def sleep() -> None:
        system.now_s += LONG_S
        system.asleep_s += 2 * LONG_S

    (slept,) = [event for event in held(Machine(sleep)) if isinstance(event, ev.Suspended)]
    assert slept.gap_ms == 2 * LONG_S * 1000


def test_a_line_that_takes_long_to_understand_is_no_sleep(system: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first typed line of a program just started loads what it needs, on a slow machine for seconds."""
    understood = Hearing.understood

    def slowly(*asked: Any) -> ev.Heard:
        system.now_s += LONG_S
        return understood(*asked)

    monkeypatch.setattr(Hearing, "understood", slowly)
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(lambda line: None))
    loop.inbox.type_line("Bauer Eva zwei Eva vier")
    loop.inbox.post(ev.Trouble(at_ms=0, key="program.stumbled"))
    machine = Machine(lambda: None)
    loop.converse(machine, ev.Started(at_ms=0), lambda: False)
    assert [type(event) for event in machine.got] == [ev.Started, ev.Heard, ev.Trouble]


@pytest.mark.parametrize(("late_s", "slept"), [(LONG_S, False), (60.0, True)])
def test_a_program_that_was_stopped_has_slept_and_one_that_starved_has_not(
    system: Time, monkeypatch: pytest.MonkeyPatch, late_s: float, slept: bool
) -> None:
    """A thread that waits may wake seconds late where another one loads a library."""
    take = Inbox.take

    def late(box: Inbox, timeout_s: float) -> object:
        system.now_s += late_s
        return take(box, timeout_s)

    monkeypatch.setattr(Inbox, "take", late)
    told = [event for event in held(Machine(lambda: None)) if isinstance(event, ev.Suspended)]
    assert [event.gap_ms for event in told[:1]] == ([int(late_s * 1000)] if slept else [])


def test_a_system_without_a_clock_that_runs_in_sleep_has_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python in a browser names CLOCK_BOOTTIME, and refuses to read it."""

    def refused(_clock: int) -> float:
        raise OSError(28, "Invalid argument")

    monkeypatch.setattr("time.clock_gettime", refused, raising=False)
    clock = EventClock()
    assert clock.now() >= 0 and clock.gap() == 0


def test_both_clocks_of_this_system_run_alike_while_it_is_awake() -> None:
    """The smallest change of many looks, since the process may have to wait between two readings."""
    before = event_clock._slept_s()
    time.sleep(0.2)
    assert min(abs(event_clock._slept_s() - before) for _ in range(1000)) < 0.1
    assert event_clock._awake_s() > 0


def test_what_happens_before_a_conversation_is_no_sleep(system: Time) -> None:
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(lambda line: None))
    system.now_s += LONG_S
    for number in range(2):
        loop.inbox.post(ev.Trouble(at_ms=number, key="program.stumbled"))
    machine = Machine(lambda: None)
    loop.converse(machine, ev.Started(at_ms=0), lambda: False)
    assert not [event for event in machine.got if isinstance(event, ev.Suspended)]


def test_what_was_on_its_way_when_a_game_began_happens_in_it_now(system: Time) -> None:
    """By a server's event stamped before the clock was restarted a game took "ja" for earlier than its question."""
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(60_000), terminal=Terminal(lambda line: None))
    loop.inbox.post(ev.Trouble(at_ms=loop.now(), key="program.stumbled"))
    loop.clock.restart(0)
    loop.inbox.post(ev.Trouble(at_ms=0, key="program.stumbled"))
    machine = Machine(lambda: None)
    loop.converse(machine, ev.Started(at_ms=0), lambda: False)
    assert [event.at_ms for event in machine.got] == [0, 0, 0]
