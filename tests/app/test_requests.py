"""What an opponent is asked has a number; an answer that comes late is recognised by it."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess
import pytest

from voicechess.app.around import Hooks, Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.loop import Loop
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation

THINK = ef.Think(chess.Board(), None, None)
CONSIDER = ef.ConsiderDraw(chess.Board())
JUDGE = ef.JudgeClaim(chess.Board(), chess.WHITE, 6)
FIRST, SECOND = ef.Think(chess.Board(), None, None, game=1), ef.Think(chess.Board(), None, None, game=2)


@dataclass
class Opponent:
    """Notes the numbers of what it is asked."""

    numbers: list[int] = field(default_factory=list)

    def ask(self, request: ef.Request) -> bool:
        self.numbers.append(request.number)
        return True

    def stop(self, game: int = 0) -> None: ...


@dataclass
class Game:
    """Wants all these things at once; then answers come, and it notes those that reach it."""

    expectation = Expectation()
    wants: tuple[ef.Effect, ...]
    got: list[int] = field(default_factory=list)

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        match event:
            case ev.Started():
                return self.wants
            case ev.OpponentMoved(request=request) | ev.OpponentAnswered(request=request):
                self.got.append(request)
            case ev.Trouble():
                return (ef.End(0),)
        return ()


@dataclass
class Wondering(Game):
    """Wants a hint, and ends with the answer."""

    hints: list[str | None] = field(default_factory=list)

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        if isinstance(event, ev.HintFound):
            self.hints.append(event.uci)
            return (ef.End(0),)
        return super().handle(event)


def test_where_there_is_no_engine_the_answer_is_that_there_is_no_hint() -> None:
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), opponent=None, terminal=Terminal(lambda _: None))
    game = Wondering((ef.SeekHint(chess.Board()),))
    loop.converse(game, ev.Started(at_ms=0), lambda: False)
    assert game.hints == [None]


def reached(*wants: ef.Effect, answers: tuple[int, ...], draw: int = 0) -> list[int]:
    """Which answers reach the game of those to its first, second, … request; `draw` is the one about a draw."""
    opponent = Opponent()
    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), opponent=opponent, terminal=Terminal(lambda _: None))
    for number in answers:
        answer: ev.Event = ev.OpponentMoved(at_ms=0, uci="e7e5", request=number)
        loop.inbox.post(ev.OpponentAnswered(at_ms=0, accepts=False, request=number) if number == draw else answer)
    loop.inbox.post(ev.Trouble(at_ms=0, key="program.stumbled"))
    game = Game(wants)
    loop.converse(game, ev.Started(at_ms=0), lambda: False)
    asked = [effect for effect in wants if isinstance(effect, ef.Request)]
    assert opponent.numbers == list(range(1, len(asked) + 1)), "no number twice"
    return game.got


@pytest.mark.parametrize(
    ("wants", "answers", "got"),
    [
        ((THINK,), (1,), [1]),
        ((THINK,), (1, 1), [1]),
        ((THINK, ef.StopThinking()), (1,), []),
        ((THINK, ef.StopThinking(), THINK), (1, 2), [2]),
        ((THINK, THINK), (1, 2), [2]),
        ((THINK, JUDGE), (1,), []),
        ((FIRST, SECOND), (2, 1), [2, 1]),
        ((FIRST, SECOND, FIRST), (1, 2, 3), [2, 3]),
        ((FIRST, SECOND, ef.StopThinking(1)), (1, 2), [2]),
        ((), (1,), []),
        ((), (0,), [0]),
    ],
)
def test_a_late_answer_is_dropped(wants: tuple[ef.Effect, ...], answers: tuple[int, ...], got: list[int]) -> None:
    assert reached(*wants, answers=answers) == got


def test_a_refused_draw_leaves_the_move_to_be_answered() -> None:
    assert reached(THINK, CONSIDER, answers=(2, 1), draw=2) == [2, 1]


def asked_of_a_server(*, there: bool) -> tuple[list[ef.ServerRequest], list[ev.Event]]:
    """What reaches the server, and what the game gets, when it wants a move and a resignation sent."""
    sent: list[ef.ServerRequest] = []
    got: list[ev.Event] = []

    class Online:
        expectation = Expectation()

        def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
            got.append(event)
            if isinstance(event, ev.Started):
                return ef.SendMove("e2e4", number=1), ef.SendWish(ef.Wish.RESIGN, number=2)
            return ()

    loop = Loop(Wording("de"), Hearing(load("de")), EventClock(), terminal=Terminal(lambda _: None))
    loop.converse(Online(), ev.Started(at_ms=0), lambda: True, Hooks(send=sent.append if there else None))
    return sent, got[1:]


def test_a_server_is_asked_with_the_games_own_numbers() -> None:
    assert asked_of_a_server(there=True) == ([ef.SendMove("e2e4", number=1), ef.SendWish(ef.Wish.RESIGN, number=2)], [])


def test_without_a_server_the_game_learns_that_nothing_was_sent() -> None:
    sent, got = asked_of_a_server(there=False)
    assert not sent
    assert [(one.request, one.reason) for one in got if isinstance(one, ev.ServerRefused)] == [
        (1, "no_server"),
        (2, "no_server"),
    ]
