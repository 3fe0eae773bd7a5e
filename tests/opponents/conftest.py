"""Opponents for tests: engines that fail on purpose, and the events they post."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from voicechess.game.events import Event
from voicechess.opponents.discovery import EngineSpec
from voicechess.opponents.engine import EngineOpponent
from voicechess.opponents.uci import EngineTimeouts

BAD_ENGINE = Path(__file__).with_name("bad_engine.py")
# Engines that answer are waited for as long as a busy machine may need, those that never do only briefly; nothing is
# asserted about time.
PATIENT = EngineTimeouts(start=50, grace=30, answer=50, end=0.5)
SOON_TOLD_TO_STOP = EngineTimeouts(start=50, grace=0.1, answer=50, end=0.5)
SOON_GIVEN_UP = EngineTimeouts(start=50, grace=0.1, answer=0.4, end=0.5)
IMPATIENT_AT_START = EngineTimeouts(start=0.5, grace=0.1, answer=0.4, end=0.5)
GIVE_UP_S = 600


@dataclass
class Listener:
    """An opponent and what it posts."""

    events: queue.Queue[Event] = field(default_factory=queue.Queue)
    opponent: EngineOpponent = field(init=False)

    def next(self) -> Event:
        """The next event posted; fails the test when none comes at all."""
        return self.events.get(timeout=GIVE_UP_S)


Start = Callable[..., Listener]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts an opponent: `start("mode", "e2e4")` for a bad one, `start(spec=...)` for any; closed after the test."""
    listeners: list[Listener] = []

    def begin(
        mode: str = "good",
        move: str = "e2e4",
        spec: EngineSpec | None = None,
        patience: EngineTimeouts = PATIENT,
        seed: int = 1,
    ) -> Listener:
        command = (sys.executable, str(BAD_ENGINE), mode, move, str(tmp_path / "starts"))
        listener = Listener()
        listener.opponent = EngineOpponent(
            spec or EngineSpec("Test", command),
            listener.events.put,
            lambda: 4711,
            random=Random(seed),
            patience=patience,
        )
        listeners.append(listener)
        return listener

    yield begin
    for listener in listeners:
        listener.opponent.close()
