"""Lines that are typed or come through a pipe, as fast as somebody likes."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from voicechess.app.around import Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.loop import Loop
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation

MOST = 10
OFFERED = 200


@dataclass
class Slow:
    """A game that is busy with its beginning until everybody has typed as much as there is room for."""

    expectation = Expectation()
    typing: threading.Thread
    loop: Loop
    waiting_at_first: int = 0
    got: list[str] = field(default_factory=list)

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        if isinstance(event, ev.Started):
            self.typing.start()
            self.typing.join(1.0)
            self.waiting_at_first = self.loop.inbox._queue.qsize()
        if isinstance(event, ev.Heard):
            self.got.append(event.words)
        return ()


def test_a_pipe_that_never_stops_waits_for_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """`yes e4 | voicechess play` took 45 megabytes a second."""
    monkeypatch.setattr("voicechess.app.inbox.MOST_LINES", MOST)
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(lambda _: None))
    lines = [f"line {number}" for number in range(OFFERED)]

    def type_all() -> None:
        for line in lines:
            loop.inbox.type_line(line)

    machine = Slow(threading.Thread(target=type_all, daemon=True), loop)
    loop.converse(machine, ev.Started(at_ms=0), lambda: len(machine.got) == OFFERED)
    assert machine.waiting_at_first <= MOST
    assert machine.got == lines, "none is lost"
