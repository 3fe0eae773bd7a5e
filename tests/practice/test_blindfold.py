"""Blindfold against the machine: help that fades, counted, in a game like any other."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.exercising import Room
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Announcer
from voicechess.game.session import Session
from voicechess.meaning import Expectation
from voicechess.practice.after_game import WishfulSession
from voicechess.practice.effects import FIRST_NUMBER, KeepMove
from voicechess.practice.exercises.blindfold import ABOUT_THE_POSITION, FADING, Blindfold, Help, help_at
from voicechess.practice.schedule import Bookmark

FILES = ("anna", "bella", "cesar", "david", "eva", "felix", "gustav", "hector")
WHITE = [f"{name} drei" for name in FILES] + ["anna vier", "bella vier", "cesar vier"]
BLACK = [f"{letter}7{letter}6" for letter in "abcdefgh"] + ["a6a5", "b6b5", "c6c5"]
"""Moves that repeat no position."""


class Game:
    """A game of quiet pawn moves against an engine that answers at once."""

    def __init__(self, level: int) -> None:
        self.session = Session(GameSettings(white=Player.VOICE, black=Player.ENGINE))
        self.machine = Blindfold(self.session, Announcer(FIRST_NUMBER), Bookmark("blindfold", level, "", 7))
        self.room = Room(self.machine)
        self.room.begin()
        self.recorded = 0

    def move(self, words: str) -> list[str]:
        """The player's move and the engine's; the keys said meanwhile."""
        self.room.hear(words)
        keys = list(self.room.keys)
        board = self.session.board
        if board.turn is chess.BLACK and not self.machine.over:
            self.room.event(ev.OpponentMoved(at_ms=self.room.now, uci=BLACK[len(board.move_stack) // 2]))
            keys += self.room.keys
        return keys

    def until(self, move_number: int) -> list[str]:
        """Play until this move is the next."""
        keys = []
        for number in range(len(self.session.plies) // 2 + 1, move_number):
            keys += self.move(WHITE[number - 1])
        assert len(self.session.plies) // 2 + 1 == move_number, self.room.keys
        return keys


def test_the_table_of_help() -> None:
    for level, (whole, last) in FADING.items():
        assert [help_at(level, number) for number in (1, whole, whole + 1, last, last + 1)] == [
            *(Help.POSITION, Help.POSITION, Help.ONLY_LAST_MOVE, Help.ONLY_LAST_MOVE, Help.NOTHING)
        ]


def test_help_fades_and_is_counted() -> None:
    game = Game(3)
    game.room.hear("stellung")
    assert any(key.startswith("position.") for key in game.room.keys)
    assert "practice.blindfold.only_last_move" in game.until(6)
    game.room.hear("was steht auf eva vier")
    assert game.room.keys == ["practice.blindfold.refused_position"]
    game.room.hear("letzter zug")
    assert game.room.keys == ["score.last"]
    assert "practice.blindfold.nothing_more" in game.until(11)
    game.room.hear("letzter zug")
    assert game.room.keys == ["practice.blindfold.refused_all"]
    assert (game.machine.asked, game.machine.given) == (4, 2)
    game.room.hear("aufgeben")
    said = game.room.hear("ja")
    assert said[-1] == "Um Hilfe gebeten haben Sie viermal, davon zweimal vergeblich."
    assert game.machine.over


def test_without_help_that_is_told() -> None:
    game = Game(1)
    game.room.hear("aufgeben")
    assert game.room.hear("ja")[-1] == "Sie haben ohne Hilfe gespielt."


@pytest.mark.parametrize("words", ["wer ist am zug", "hilfe", "wiederholen", "wie viel zeit"])
def test_what_tells_nothing_of_the_position_is_always_answered(words: str) -> None:
    game = Game(3)
    game.until(11)
    game.room.hear(words)
    assert game.room.keys
    assert not any(key.startswith("practice.blindfold") for key in game.room.keys)
    assert game.machine.asked == 0


def test_an_unclear_question_is_the_games_to_ask_about() -> None:
    game = Game(3)
    game.until(11)
    game.room.hear("stellung", "david vier", gap=0.3)
    assert not any(key.startswith("practice.blindfold") for key in game.room.keys)
    assert game.machine.asked == 0


def test_every_event_of_the_game_is_kept_and_replays_to_the_same_game() -> None:
    game = Game(3)
    kept: list[ev.Event] = []
    handle = game.machine.handle

    def keeping(event: ev.Event) -> tuple[object, ...]:
        effects = handle(event)
        kept.extend(effect.event for effect in effects if isinstance(effect, KeepMove))
        return effects

    game.machine.handle = keeping  # type: ignore[method-assign, assignment]
    game.until(4)
    fresh = Session(game.session.settings)
    fresh.handle(ev.Started(at_ms=0))
    for event in kept:
        fresh.handle(event)
    assert fresh.board.fen() == game.session.board.fen()


def test_it_goes_on_with_the_counts_kept() -> None:
    game = Game(2)
    game.until(3)
    game.room.hear("stellung")
    place = game.room.bookmark
    assert place == Bookmark("blindfold", 2, "", 7, asked=1, right=1)
    again = Blindfold(game.session, Announcer(FIRST_NUMBER), place, begun=True)
    room = Room(again)
    room.begin()
    assert "resume.going_on" in room.keys
    room.hear("material")
    assert (again.asked, again.given) == (2, 2)


def test_leaving_the_game_ends_the_exercise_and_keeps_the_place() -> None:
    game = Game(1)
    game.until(2)
    game.room.hear("ende")
    game.room.hear("ja")
    assert game.machine.over
    assert game.room.bookmark is not None
    assert not any(isinstance(effect, ef.End) for effect in game.room.effects)


def test_the_questions_about_the_position_are_commands_of_the_language() -> None:
    assert set(Room(Game(1).machine).lexicon.commands) >= ABOUT_THE_POSITION


def test_the_wish_to_see_ones_mistake_is_noted_once_the_game_is_over() -> None:
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    machine = WishfulSession(session)
    room = Room(_Alone(machine))
    room.begin()
    room.hear("was war mein fehler")
    assert machine.wish is None  # not while it is played
    room.hear("aufgeben")
    room.hear("ja")
    assert session.over
    room.hear("was war mein fehler", "eva vier", gap=0.3)
    assert machine.wish is None
    room.hear("was war mein fehler")
    assert machine.wish == "review"
    assert room.keys == []
    room.hear("üben")
    assert machine.wish == ""


class _Alone:
    """A game's machine where one of practice is wanted."""

    def __init__(self, machine: WishfulSession) -> None:
        self.machine, self.handle = machine, machine.handle

    @property
    def expectation(self) -> Expectation:
        return self.machine.expectation

    def leave(self) -> tuple[()]:
        return ()
