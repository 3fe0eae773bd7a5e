"""Ten newcomers play their first ten moves in their own words, each word heard as it was said (issue 50)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import chess
import pytest

from tests.drivers.newcomer import Newcomer, described, scripts
from tests.drivers.talking import Talking
from voicechess.app.hearing import Hearing
from voicechess.app.kinds import session_of
from voicechess.app.simulation import Simulation
from voicechess.conversations.welcome import Welcome, WelcomeOutcome
from voicechess.game import events as ev
from voicechess.game.agreement import Player
from voicechess.game.effects import Effect, Say, Think
from voicechess.game.session import Session
from voicechess.meaning import Hypothesis, RecognisedUtterance, Word

MOVES = 10
LONG_ENOUGH_S = 6
"""Seconds of silence after which a repeated move stands."""


class Computed:
    """The welcome and the game without sound: everything is said at once, and the engine plays any legal move."""

    def __init__(self) -> None:
        self._welcome = Welcome()
        self._talking = Talking(self._welcome)
        self.greeting = self._talking.said
        self._session: Session | None = None
        self._simulation: Simulation | None = None
        self._now = 0
        self._said: list[str] = []
        self._random = Random(1)

    @property
    def board(self) -> chess.Board | None:
        return None if self._session is None else self._session.board.copy()

    @property
    def settings(self) -> Mapping[str, object]:
        settings = self._welcome.settings
        return described(settings.white, settings.black, settings.time)

    @property
    def awaits_me(self) -> bool:
        if self._session is None:
            return False
        settings = self._session.settings
        return (settings.white if self._session.board.turn else settings.black) is Player.VOICE

    def say(self, words: str) -> Sequence[str]:
        if self._simulation is None:
            told = self._talking.say(words.lower())
            if self._welcome.outcome is WelcomeOutcome.NEW_GAME:
                told += self._begin()
            return told
        self._now += 1_000
        hypothesis = Hypothesis(tuple(Word(word, self._now, self._now) for word in words.lower().split()))
        said = RecognisedUtterance((hypothesis,), self._now, self._now)
        self._said = []
        self._follow(self._simulation.hear(said, at_ms=self._now))
        self._wait()
        return self._said

    def _begin(self) -> list[str]:
        self._session = session_of(self._welcome.settings)
        self._simulation = Simulation(self._session, Hearing(self._talking.lexicon))
        self._said = []
        self._follow(self._simulation.happen(ev.Started(at_ms=self._now)))
        self._wait()
        return self._said

    def _wait(self) -> None:
        assert self._simulation is not None
        for _ in range(LONG_ENOUGH_S):
            self._now += 1_000
            self._follow(self._simulation.happen(ev.Tick(at_ms=self._now)))

    def _follow(self, effects: tuple[Effect, ...]) -> None:
        """What is said, and the engine's answer to what it was asked."""
        assert self._simulation is not None
        for effect in effects:
            match effect:
                case Say(utterance):
                    self._said.append(self._talking.wording.say(utterance))
                case Think(board):
                    uci = self._random.choice(sorted(map(chess.Move.uci, board.legal_moves)))
                    self._follow(self._simulation.happen(ev.OpponentMoved(at_ms=self._now, uci=uci)))


@pytest.mark.parametrize("script", scripts(), ids=lambda script: str(script["name"]))
def test_a_newcomer_reaches_the_tenth_move(script: Mapping[str, Any]) -> None:
    program = Computed()
    newcomer = Newcomer(script, program)
    newcomer.begin(program.greeting)
    newcomer.play(MOVES)
    print(f"{newcomer.name}: {newcomer.asked} asked, {newcomer.again} again, {newcomer.unanswered}")
    assert newcomer.wanted() == []
    assert newcomer.unanswered == []
