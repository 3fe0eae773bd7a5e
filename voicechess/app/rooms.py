"""What the loop knows of the rooms around it: a game, a voice, an ear, an opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import chess

from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.meaning import Expectation
from voicechess.messages import Priority, Tone


class Machine(Protocol):
    """A game or the conversation before it: `Session`, `Welcome`."""

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]: ...


class Voice(Protocol):
    """What speaks: numbers come back in `Spoken` when a text has been said. `tone`: whether tones like it are heard.

    A text that changes while it waits is asked for when its turn has come, on the voice's thread.
    """

    def say(self, number: int, text: str | Callable[[], str], priority: Priority) -> None: ...
    def tone(self, tone: Tone) -> bool: ...
    def hush(self) -> None: ...
    def adjust(self, rate: int, volume: int) -> object: ...


class Ear(Protocol):
    """What listens: told what can be said now. `hearing`: somebody is speaking at this moment."""

    @property
    def hearing(self) -> bool: ...
    def expect(self, expectation: Expectation) -> None: ...


class Opponent(Protocol):
    """Who answers `Think` and `ConsiderDraw` by events."""

    def think(
        self,
        board: chess.Board,
        white_ms: int | None,
        black_ms: int | None,
        white_increment_ms: int,
        black_increment_ms: int,
        level: int,
    ) -> None: ...
    def consider_draw(self, board: chess.Board, level: int) -> None: ...
    def judge_claim(self, board: chess.Board, claimant: chess.Color, plies: int, made: bool = False) -> None: ...
    def stop(self) -> None: ...
    def wanted(self, event: ev.Event) -> bool: ...
