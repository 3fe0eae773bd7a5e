"""A game is what its players know of it, whatever another version of the program would make of the same words."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import chess
import pytest

from tests.drivers.events import ending_fits, random_event, spoken
from tests.game.test_random_games import GAMES, STEPS, check
from voicechess.app.kinds import session_of
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Say
from voicechess.game.phases import Phase
from voicechess.game.session import Session
from voicechess.meaning import Reading

PEOPLE = GameSettings(black=Player.VOICE, time="5+3")


def heard(board: chess.Board, uci: str, at_ms: int) -> ev.Heard:
    reading = Reading(spoken(board, chess.Move.from_uci(uci)))
    return ev.Heard(at_ms=at_ms, readings=(reading,), words=uci, began_ms=at_ms - 900, ended_ms=at_ms - 100)


def journal_of(settings: GameSettings, moves: tuple[str, ...]) -> tuple[Session, list[ev.Event]]:
    """A game in which these moves are announced, and its events as they are kept."""
    session, kept = session_of(settings), list[ev.Event]()
    stood: tuple[str, ...] | None = None
    waiting: list[ev.Event] = [ev.Started(at_ms=0)]
    for number in range(len(moves) + 1):
        while waiting:
            event = waiting.pop(0)
            effects = session.handle(event)
            kept.append(event)
            if session.standing.moves != stood:
                kept.append(session.standing)
                stood = session.standing.moves
            waiting += [
                ev.Spoken(at_ms=event.at_ms + 700, number=one.utterance.number)
                for one in effects
                if isinstance(one, Say)
            ]
        if number < len(moves):
            waiting.append(heard(session.board, moves[number], 4_000 * (number + 1)))
    return session, kept


def replayed(settings: GameSettings, events: list[ev.Event]) -> Session:
    session = session_of(settings)
    for event in events:
        session.handle(event)
    return session


def told(session: Session) -> tuple[object, ...]:
    """What a player knows: the moves, and the time as the clock shows it."""
    clock = session.clock.pause(10**6)
    return [ply.move.uci() for ply in session.plies], session.board.fen(), session.phase, clock.white, clock.black


MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")


@pytest.mark.parametrize("other", ["unclear", "another move"])
@pytest.mark.parametrize("ply", range(len(MOVES)))
def test_a_move_that_would_not_be_made_any_more_has_been_made(ply: int, other: str) -> None:
    """As a later version might, which asks about these words, or takes them for others."""
    session, events = journal_of(PEOPLE, MOVES)
    at = [n for n, event in enumerate(events) if isinstance(event, ev.Heard)][ply]
    event = events[at]
    assert isinstance(event, ev.Heard)
    before = chess.Board()
    for uci in MOVES[:ply]:
        before.push_uci(uci)
    another = next(move for move in before.legal_moves if move.uci() != MOVES[ply])
    readings = () if other == "unclear" else (Reading(spoken(before, another)),)
    events[at] = replace(event, readings=readings)
    again = replayed(PEOPLE, events)
    assert told(again) == told(session)
    check(again)
    # And it goes on from there.
    for one in (session, again):
        one.handle(heard(one.board, "b5a4", 40_000))
        one.handle(ev.Tick(at_ms=90_000))
    assert [ply.move.uci() for ply in again.plies] == [*MOVES, "b5a4"]
    assert told(again) == told(session)


def test_a_mate_that_nobody_gave_ends_nothing() -> None:
    """Left out, the check for it would end the game in the replay, and no phase leads out of that."""
    _, events = journal_of(PEOPLE, ("f2f3", "e7e5", "g2g4", "a7a6", "a2a3"))
    board = chess.Board()
    for uci in ("f2f3", "e7e5", "g2g4"):
        board.push_uci(uci)
    at = [n for n, event in enumerate(events) if isinstance(event, ev.Heard)][3]
    events[at] = heard(board, "d8h4", events[at].at_ms)
    again = replayed(PEOPLE, events)
    assert [ply.move.uci() for ply in again.plies] == ["f2f3", "e7e5", "g2g4", "a7a6", "a2a3"]
    assert again.phase is Phase.LISTENING
    check(again)


def test_the_mate_that_was_given_ends_the_game() -> None:
    session, events = journal_of(PEOPLE, ("f2f3", "e7e5", "g2g4", "d8h4"))
    at = [n for n, event in enumerate(events) if isinstance(event, ev.Heard)][3]
    events[at] = replace(heard(chess.Board(), "a2a3", events[at].at_ms), readings=())
    again = replayed(PEOPLE, events)
    assert again.ending == session.ending is not None
    assert [ply.move.uci() for ply in again.plies] == ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_the_time_that_had_run_when_it_was_written_down_is_not_charged_again() -> None:
    """Where another version counted it otherwise, for a person or for the machine."""
    for settings in (PEOPLE, GameSettings(time="5+3")):
        session, _ = journal_of(settings, MOVES[:1])
        stood = session.standing
        told = replace(stood, black=replace(stood.black, bank_ms=stood.black.bank_ms - 250))
        session.handle(told)
        assert session.clock.remaining(chess.BLACK, stood.at_ms) == told.black.bank_ms
        assert session.clock.remaining(chess.BLACK, stood.at_ms + 1_000) == told.black.bank_ms - 1_000


def test_moves_that_are_none_change_nothing() -> None:
    session, _ = journal_of(PEOPLE, MOVES)
    before = told(session)
    session.handle(replace(session.standing, moves=("e2e5",)))
    assert told(session) == before


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_made_of_the_words_the_game_stands_as_it_stood(name: str, seed: int) -> None:
    random = Random(f"standing {name} {seed}")
    settings = GAMES[name]
    live, other = session_of(settings), session_of(settings)
    now_ms, unsaid, stood = 0, list[int](), None
    for step in range(STEPS):
        now_ms += random.choice([0, 5, 300, 2_000, 9_000]) if step else 0
        event = random_event(live, random, now_ms, unsaid) if step else ev.Started(at_ms=0)
        unsaid += [one.utterance.number for one in live.handle(event) if isinstance(one, Say)]
        disturbed = isinstance(event, ev.Heard) and random.random() < 0.3
        other.handle(random_event(other, random, now_ms, []) if disturbed else event)
        if live.standing.moves != stood:
            stood = live.standing.moves
            other.handle(live.standing)
            assert [ply.move for ply in other.plies] == [ply.move for ply in live.plies]
            assert other.standing.moves == stood
            assert ending_fits(other)
        check(other)
