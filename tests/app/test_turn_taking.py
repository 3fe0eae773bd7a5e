"""No player is interrupted by the opponent's answer or the clock; and noise holds neither up for long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest

from voicechess.app.around import Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.app.turn_taking import POLITE_MS
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, Hypothesis, RecognisedUtterance, Word

STEP_MS = 50
ASLEEP_MS = 60_000


class Clock(EventClock):
    """Stands still by itself. `sleeps_at_ms`: the computer sleeps in the first wait from then on."""

    now_ms = 0
    sleeps_at_ms = -1

    def now(self) -> int:
        return self.now_ms

    @contextmanager
    def waiting(self) -> Iterator[None]:
        with super().waiting():
            if 0 <= self.sleeps_at_ms <= self.now_ms:
                self.now_ms, self.sleeps_at_ms = self.now_ms + ASLEEP_MS, -1
            yield


@dataclass
class Room:
    """Time passes with every look at who speaks. `speech`: stretches (from, to, words), heard at their end."""

    speech: list[tuple[int, int, str]]
    answer_at_ms: int = -1
    answers: tuple[ev.Event, ...] = (ev.OpponentMoved(at_ms=0, uci="e7e5"),)
    inbox: Inbox = field(default_factory=Inbox)
    clock: Clock = field(default_factory=Clock)

    @property
    def hearing(self) -> bool:
        before, self.clock.now_ms = self.clock.now_ms, self.clock.now_ms + STEP_MS
        now = self.clock.now_ms
        if before < self.answer_at_ms <= now:
            for answer in self.answers:
                self.inbox.post(replace(answer, at_ms=now))
        for began, ended, words in self.speech:
            if before < ended <= now:
                spoken = tuple(Word(word, began, ended) for word in words.split())
                self.inbox.post(RecognisedUtterance((Hypothesis(spoken),), began, ended))
        return any(began <= now < ended for began, ended, _ in self.speech)

    def expect(self, expectation: Expectation, hearing: Hearing) -> None: ...


@dataclass
class Machine:
    """Notes what reaches it, and when."""

    expectation = Expectation()
    clock: Clock
    got: list[tuple[str, int]] = field(default_factory=list)

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        best = event.readings[0].meaning if isinstance(event, ev.Heard) else None
        self.got.append((best.name if isinstance(best, Command) else type(event).__name__, self.clock.now_ms))
        return ()


def reached(
    *speech: tuple[int, int, str],
    answer_at_ms: int = -1,
    sleeps_at_ms: int = -1,
    until_ms: int = 9_000,
    answers: tuple[ev.Event, ...] = Room.answers,
) -> Machine:
    room = Room(list(speech), answer_at_ms, answers)
    room.clock.sleeps_at_ms = sleeps_at_ms
    loop = Loop(
        Wording("de"),
        Hearing(load("de")),
        room.clock,
        inbox=room.inbox,
        speech_input=room,
        terminal=Terminal(lambda _: None),
    )
    machine = Machine(room.clock)
    loop.converse(machine, ev.Started(at_ms=0), lambda: room.clock.now_ms > until_ms)
    return machine


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.app.loop.TICK_S", 0.001)  # time passes by itself here


def when(machine: Machine, name: str) -> int:
    return next(at for got, at in machine.got if got == name)


def test_the_answer_waits_for_whoever_is_speaking() -> None:
    machine = reached((1_000, 2_200, "zeit"), answer_at_ms=1_500)
    names = [name for name, _ in machine.got if name not in ("Tick", "Started")]
    assert len(names) == 2 and names[1] == "OpponentMoved", "what was said is answered first"
    assert 2_200 <= when(machine, "OpponentMoved") <= 2_200 + 4 * STEP_MS


def test_what_a_server_tells_waits_as_well_and_keeps_its_order() -> None:
    told = (ev.ServerLink(at_ms=0, up=True), ev.ServerState(at_ms=0), ev.ServerPresence(at_ms=0, gone=True))
    machine = reached((1_000, 2_200, "zeit"), answer_at_ms=1_500, answers=told)
    names = [name for name, _ in machine.got if name not in ("Tick", "Started")]
    assert names == ["time", "ServerLink", "ServerState", "ServerPresence"]
    assert when(machine, "ServerLink") >= 2_200


def test_in_a_quiet_room_it_comes_at_once() -> None:
    assert when(reached(answer_at_ms=1_500), "OpponentMoved") <= 1_500 + 3 * STEP_MS


def test_the_clock_waits_too() -> None:
    machine = reached((1_000, 2_200, "zeit"))
    assert not any(name == "Tick" and 1_000 + STEP_MS < at <= 2_200 for name, at in machine.got)
    assert any(name == "Tick" and at > 2_200 for name, at in machine.got)


@pytest.mark.parametrize("noise", [((0, 9_000, "[unk]"),), tuple((n, n + 600, "[unk]") for n in range(0, 9_000, 600))])
def test_noise_holds_up_nothing_for_long(noise: tuple[tuple[int, int, str], ...]) -> None:
    """One long utterance, or one after the other without a pause."""
    machine = reached(*noise, answer_at_ms=POLITE_MS - 1_000)
    assert when(machine, "OpponentMoved") <= POLITE_MS + 4 * STEP_MS
    assert [at for name, at in machine.got if name == "Tick"][-1] > 8_000
    assert not any(name == "Suspended" for name, _ in machine.got), "waiting is no sleep: by ear, noise stopped games"


def test_sleep_is_noticed_while_somebody_is_speaking() -> None:
    machine = reached((1_000, 2_200, "zeit"), sleeps_at_ms=1_500, until_ms=2 * ASLEEP_MS)
    assert [name for name, _ in machine.got].count("Suspended") == 1
