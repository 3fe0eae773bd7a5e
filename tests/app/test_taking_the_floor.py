"""Whoever takes the floor again says what can be said now: after "was war mein Fehler" the game went on listening for
the exercise's words, and "neue Partie" got a tone (issue 49). Every way in and out of every place."""

from __future__ import annotations

from datetime import date
from functools import cache
from itertools import permutations

import chess
import pytest

from tests.app.test_commands_offered import PLACES
from voicechess.app.around import Machine, Terminal
from voicechess.app.displaying import RecordedDisplay
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.kinds import session_of
from voicechess.app.loop import Loop
from voicechess.app.mail import Dated
from voicechess.app.practice_store import PracticeStore
from voicechess.app.practising import GameInside, Performing
from voicechess.display.boards import agreed
from voicechess.display.simul import Display
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence, GameSettings, Player
from voicechess.game.effects import Announcer, Listen
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.practice.after_game import WishfulSession
from voicechess.practice.effects import FIRST_NUMBER
from voicechess.practice.exercises.blindfold import Blindfold
from voicechess.practice.exercises.review import Review
from voicechess.practice.menu import ExerciseOffer, Practice
from voicechess.practice.schedule import Bookmark


class Ear:
    """Notes what it is told to listen for."""

    hearing = False
    expected = Expectation()

    def expect(self, expectation: Expectation, hearing: Hearing) -> None:
        self.expected = expectation


class Floor:
    """A loop with an ear, which hands the floor to one machine after the other."""

    def __init__(self) -> None:
        self.ear = Ear()
        self.loop = Loop(
            Wording("de"), Hearing(load("de")), EventClock(), speech_input=self.ear, terminal=Terminal(lambda _: None)
        )

    def give(self, machine: Machine, *first: ev.Event) -> Expectation:
        """What is listened for when this has the floor."""
        self.loop.exit_code = None
        self.loop.converse(machine, first, lambda: True)
        return self.ear.expected


def _display() -> Machine:
    terms = agreed(GameSettings(white=Player.VOICE, black=Player.VOICE), "display", (3, 3), people=(1, 2))
    return RecordedDisplay(Display([session_of(one) for one in terms]), {})


def _by_post() -> Machine:
    terms = Correspondence(chess.WHITE)
    session = session_of(GameSettings(white=Player.VOICE, black=Player.VOICE, correspondence=terms))
    return Dated(WishfulSession(session), lambda _: None, lambda: date(2026, 1, 1))


def _practising() -> Machine:
    offers = [ExerciseOffer("squares", 3, lambda *_: AssertionError())]  # type: ignore[arg-type]
    speaker = Announcer(FIRST_NUMBER)
    return Performing(Practice(offers, speaker), PracticeStore(None), speaker, GameInside())


WRAPPED = {"display": _display, "correspondence": _by_post, "practising": _practising}


@cache
def machines() -> dict[str, Machine]:
    """Everything that can have the floor, begun."""
    found: dict[str, Machine] = {name: place.make()[0] for name, place in PLACES.items()}  # type: ignore[misc]
    for name, make in WRAPPED.items():
        found[name] = make()
        found[name].handle(ev.Started(at_ms=0))
    return found


def test_whoever_takes_the_floor_is_listened_to() -> None:
    floor, wrong = Floor(), []
    for first, second in permutations(machines(), 2):
        one, other = machines()[first], machines()[second]
        floor.give(other, ev.Tick(at_ms=0))
        if floor.give(one, ev.Tick(at_ms=0)) != one.expectation:
            wrong.append((second, first))
    assert not wrong
    assert len({str(machine.expectation.asked.kind) for machine in machines().values()}) > 10, "they differ"


@pytest.mark.parametrize("name", PLACES)
def test_what_a_machine_says_it_expects_is_what_it_had_listened_for(name: str) -> None:
    machine, effects = PLACES[name].make()
    assert [one.expectation for one in effects if isinstance(one, Listen)][-1] == machine.expectation


def _begun() -> Session:
    session = session_of(GameSettings(white=Player.VOICE, black=Player.VOICE))
    session.handle(ev.Started(at_ms=0))
    return session


def test_after_a_review_the_words_that_its_end_names_are_heard() -> None:
    floor, place = Floor(), next(name for name in PLACES if name.startswith("over "))
    game = machines()[place]
    review = Review(chess.Board(), [chess.Move.from_uci("e2e4")], Announcer(FIRST_NUMBER))
    offers = [ExerciseOffer("review", 1, lambda *_: review)]
    floor.give(game, ev.Tick(at_ms=0))
    practice = Practice(offers, Announcer(FIRST_NUMBER), chosen="review")
    floor.give(practice, ev.Started(at_ms=0))  # type: ignore[arg-type]
    heard = phrases(floor.give(game, ev.Resumed(at_ms=0)), load("de"))
    assert {"neue partie", "was war mein fehler", "üben", "ende"} <= set(heard)


def test_a_replayed_game_tells_what_it_expects_when_it_goes_on() -> None:
    """In an exercise nobody else does: of a game cut off in its middle the same can be said as before."""
    session = _begun()
    speaker = Announcer(FIRST_NUMBER)
    blindfold = Blindfold(session, speaker, Bookmark("blindfold", 1, "", 7), begun=True)
    offers = [ExerciseOffer("blindfold", 1, lambda *_: blindfold)]
    mark = Bookmark("blindfold", 1, "", 7)
    practice = Practice(offers, speaker, chosen="blindfold", level=1, bookmark=mark)
    told = [one.expectation for one in practice.handle(ev.Started(at_ms=0)) if isinstance(one, Listen)]
    assert told and told[-1] == practice.expectation
