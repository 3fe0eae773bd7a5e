"""Moves that come faster than they can be said, and games that nobody follows any more."""

from __future__ import annotations

from dataclasses import replace

import chess

from tests.drivers.exercising import watched
from voicechess.game import events as ev
from voicechess.game.effects import Announcer, Say
from voicechess.practice.effects import FollowLive, LiveFound, LiveGame, LiveLink, LiveOffer, PracticeEffect
from voicechess.practice.exercises.analysed import AnalysisStep
from voicechess.practice.exercises.following import PATIENCE_MS, SETTLED_MS, Following
from voicechess.practice.exercises.watching import Watching


def game(moves: str, number: int = 1) -> LiveGame:
    pgn = f'[White "Ada"]\n[Black "Bo"]\n\n{moves}\n'
    return LiveGame(at_ms=0, number=number, key="1", title="Ada – Bo", pgn=pgn)


def said(effects: tuple[PracticeEffect, ...]) -> list[int]:
    return [effect.utterance.number for effect in effects if isinstance(effect, Say)]


def opened(moves: str) -> Following:
    """Following this game, whose last move has been said."""
    following = Following(1, Announcer())
    following.handle(ev.Started(at_ms=0))
    following.handle(game(moves))
    numbers = said(following.handle(ev.Tick(at_ms=SETTLED_MS)))
    assert numbers
    following.handle(ev.Spoken(at_ms=SETTLED_MS, number=numbers[-1]))
    return following


def test_moves_that_come_while_one_is_said_are_said_after_it() -> None:
    following = opened("1. e4 *")
    (number,) = said(following.handle(game("1. e4 e5 *")))
    assert not said(following.handle(game("1. e4 e5 2. Nf3 *")))
    assert not said(following.handle(game("1. e4 e5 2. Nf3 Nc6 *")))
    both = following.handle(ev.Spoken(at_ms=0, number=number))
    assert len(said(both)) == 2
    assert not said(following.handle(ev.Spoken(at_ms=0, number=number)))


def test_what_is_not_followed_any_more_says_nothing() -> None:
    following = opened("1. e4 *")
    assert following.handle(game("1. e4 e5 *", number=2)) == ()
    assert following.handle(LiveLink(at_ms=0, number=2, up=False, reason="network")) == ()
    assert FollowLive("") in following.leave()


def test_a_round_that_is_gone_ends_it_and_a_game_that_came_stays() -> None:
    following = Following(1, Announcer())
    assert following.handle(LiveLink(at_ms=0, number=1, up=False, reason="gone"))
    assert following.over
    following = opened("1. e4 *")
    assert said(following.handle(LiveLink(at_ms=0, number=1, up=False, reason="gone")))
    assert not following.over


def test_the_board_of_a_game_that_is_followed_is_seen() -> None:
    room = watched()
    assert isinstance(room.machine, Watching) and room.machine.scene is None
    room.event(LiveFound(at_ms=0, number=room.live, offers=(LiveOffer("game:g1", "Robin", player=True),)))
    room.hear("eins")
    room.event(replace(game("1. e4 *"), number=room.live))
    room.event(ev.Tick(at_ms=room.now + SETTLED_MS))
    scene = room.machine.scene
    assert scene is not None and scene.board.piece_at(chess.E4)


def test_it_is_told_that_no_game_comes_and_lines_are_taken_then() -> None:
    following = Following(1, Announcer())
    following.handle(ev.Tick(at_ms=0))
    assert following.busy
    assert said(following.handle(ev.Tick(at_ms=PATIENCE_MS)))
    assert not said(following.handle(ev.Tick(at_ms=PATIENCE_MS + 1)))
    assert said(following.handle(ev.Tick(at_ms=2 * PATIENCE_MS)))
    assert not following.busy
    assert following.step is AnalysisStep.WAITING
