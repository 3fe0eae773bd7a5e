"""Every command in every place is done there, or refused with where it goes: none is met by "not understood"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

import chess
import pytest

from tests.drivers.displays import agreed_in
from tests.drivers.exercising import Room, analysed, drilled
from tests.drivers.talking import Talking
from tests.online.test_online import talking as online
from tests.practice.test_menu import practice
from voicechess.app.hearing import Hearing
from voicechess.app.kinds import session_of
from voicechess.conversations.welcome import Welcome, WelcomeStep
from voicechess.display.display_games import DisplayEffect, KeepAt
from voicechess.display.simul import Display
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence, GameSettings, Player, Preset
from voicechess.game.commands import COMMANDS
from voicechess.game.effects import Listen, Say, Sound
from voicechess.game.elsewhere import PLACES
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import Lexicon, load
from voicechess.language.patterns import SlotPart
from voicechess.language.sentences import load_sentences
from voicechess.meaning import Expectation, RecognisedUtterance
from voicechess.online.online import Online
from voicechess.score.letters import LineNotation

LEXICONS = {code: load(code) for code in LANGUAGES}
COMMAND_NAMES = sorted(load("de").commands)
MEANS_NOTHING = re.compile(
    r"not_understood\.(nothing$|unknown_words|no_sense)|welcome\.(not_understood|heard_otherwise)|practice\.nothing_heard"
)
"""Sentences that give no reason. What was heard may be told, if where it goes is told with it."""


def sentence(name: str, lexicon: Lexicon) -> str:
    """The command in words."""
    filled = {
        "file": lexicon.files[4][0],
        "rank": lexicon.ranks[3][0],
        "square": f"{lexicon.files[4][0]} {lexicon.ranks[3][0]}",
        "piece": lexicon.pieces[chess.KNIGHT][0],
        "pieces": lexicon.plurals[chess.KNIGHT][0],
        "colour": lexicon.colours[chess.WHITE][0],
        "number": lexicon.numerals.words[2][0],
        "own": lexicon.own[True][0],
        "letter": lexicon.letters["k"][0],
    }
    parts = next(iter(lexicon.commands[name][0].expand()))
    words = " ".join(filled[part.name] if isinstance(part, SlotPart) else part.text for part in parts)
    if name == "suppose":
        words += " e5 " + lexicon.correspondence.line["reply"][0] + " d4"
    return words


# --- the places ---------------------------------------------------------------------------------------------------


class Machine(Protocol):
    """A game, or several."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[DisplayEffect, ...]: ...


def in_game(moves: str = "", **settings: object) -> Callable[[str], list[str]]:
    """What a game says to a typed line, after these moves."""
    return machine(session_of(GameSettings(**settings)), moves)  # type: ignore[arg-type]


def machine(session: Machine, moves: str = "", *events: ev.Event) -> Callable[[str], list[str]]:
    """The same of a game or a display in which this has happened."""
    now, hearing = [0], Hearing(LEXICONS["de"])

    def told(event: ev.Event) -> list[str]:
        keys, waiting = list[str](), [event]
        while waiting:
            for effect in session.handle(waiting.pop(0)):
                if isinstance(effect, KeepAt):
                    continue
                if not isinstance(effect, Say | Listen | Sound):
                    keys.append(type(effect).__name__)  # done, and told where it is done
                if isinstance(effect, Say):
                    keys.append(effect.utterance.key)
                    waiting.append(ev.Spoken(at_ms=now[0], number=effect.utterance.number))
        return keys

    def type_line(line: str) -> list[str]:
        now[0] += 3_000
        said = RecognisedUtterance.typed(line, now[0])
        keys = told(hearing.understood(said, session.expectation, now[0], ev.Source.KEYBOARD))
        now[0] += 3_000
        return keys + told(ev.Tick(at_ms=now[0]))

    told(ev.Started(at_ms=0))
    for event in events:
        told(event)
    for move in moves.split():
        type_line(move)
    return type_line


def display(moves: str = "", **terms: str) -> Callable[[str], list[str]]:
    """What a simultaneous display says to a typed line."""
    settings = agreed_in(terms)
    played = [ev.ServerState(at_ms=0, moves=(), game=one.board) for one in settings if "served" in terms]
    return machine(Display([session_of(one) for one in settings]), moves, *played)


def served(*played: str, moves: str = "", status: str = "started") -> Callable[[str], list[str]]:
    """What a game at a server says, after these moves there."""
    state = ev.ServerState(at_ms=0, moves=played, status=status, winner=None if status == "started" else chess.WHITE)

    settings = GameSettings(white=Player.VOICE, black=Player.SERVER, black_name="Anna")
    return machine(session_of(settings), moves, state)


def talk(conversation: Welcome | Online, talking: Talking) -> Callable[[str], list[str]]:
    """What a conversation says to a typed line; "over" if it leads on to another."""

    def said(line: str) -> list[str]:
        meant = Hearing(talking.lexicon).understood(
            RecognisedUtterance.typed(line, 1), talking.expectation, 1, ev.Source.KEYBOARD
        )
        effects = conversation.handle(meant)
        keys = [effect.utterance.key for effect in effects if isinstance(effect, Say)]
        return keys + ["over"] * conversation.over

    return said


def room(made: Room) -> Callable[[str], list[str]]:
    def said(line: str) -> list[str]:
        made.type(line)
        return [*made.keys, *(type(effect).__name__ for effect in made.effects)]

    return said


def before_a_game(step: WelcomeStep) -> Callable[[str], list[str]]:
    welcome = Welcome(usual=GameSettings(), rematch=(GameSettings(),))
    talking = Talking(welcome)
    talking.spoken(welcome._enter(step, 0))
    return talk(welcome, talking)


def online_menu() -> Callable[[str], list[str]]:
    talking = online()
    assert isinstance(talking.conversation, Online)
    return talk(talking.conversation, talking)


def exercise(key: str) -> Callable[[str], list[str]]:
    return room(drilled(key, 1)[0])


PEOPLE = {"white": Player.VOICE, "black": Player.VOICE}
PGN = ['[White "Anna"]', '[Black "Bert"]', "", "1. e4 e5 2. Nf3 Nc6 *"]

PLACES_TO_BE: Mapping[str, Callable[[], Callable[[str], list[str]]]] = {
    "two people": lambda: in_game("e4", **PEOPLE),
    "machine": lambda: in_game(white=Player.VOICE, black=Player.ENGINE),
    "machine thinks": lambda: in_game("e4", white=Player.VOICE, black=Player.ENGINE),
    "clock": lambda: in_game("e4", time="5+3", **PEOPLE),
    "tournament": lambda: in_game("e4", preset=Preset.TOURNAMENT, time="5+3", **PEOPLE),
    "tournament machine": lambda: in_game(preset=Preset.TOURNAMENT, white=Player.VOICE, black=Player.ENGINE),
    "strict blind": lambda: in_game("e4", preset=Preset.STRICT_BLIND, **PEOPLE),
    "post": lambda: in_game(
        "e4", correspondence=Correspondence(chess.WHITE, LineNotation.SAN, "K7QM"), time="", **PEOPLE
    ),
    "pause": lambda: in_game("e4 pause", **PEOPLE),
    "over": lambda: in_game("f3 e5 g4 Dh4", **PEOPLE),
    "server": served,
    "server, they think": lambda: served("e2e4"),
    "server, a move on its way": lambda: served(moves="e4"),
    "server, over": lambda: served("e2e4", status="resign"),
    "display": lambda: display(boards="3"),
    "display, they think": lambda: display("e4", boards="2"),
    "display, people and clocks": lambda: display("e4", boards="2", people="1,2", time="5+3"),
    "display, paused": lambda: display("pause", boards="2", time="5+3"),
    "display, a game over": lambda: display("aufgeben ja", boards="2", people="1,2"),
    "display at a server": lambda: display(served="Anna, Bert"),
    "which move": lambda: in_game("d4 a6 Sf3 a5 Sd2", **PEOPLE),
    **{f"welcome {step.value}": partial(before_a_game, step) for step in WelcomeStep if step is not WelcomeStep.DONE},
    "online": online_menu,
    "menu": lambda: room(practice()[0]),
    **{key: partial(exercise, key) for key in ("notation", "squares", "paths", "follow", "recall", "mates", "puzzles")},
    "analysis": lambda: room(analysed(PGN)[0]),
}


@pytest.mark.parametrize("place", PLACES_TO_BE)
def test_every_command_is_done_or_refused_with_where_it_goes(place: str) -> None:
    silent, reasonless = list[str](), list[str]()
    for name in COMMAND_NAMES:
        said = PLACES_TO_BE[place]()(sentence(name, LEXICONS["de"]))
        if not said:
            silent.append(name)
        elif any(MEANS_NOTHING.match(key) for key in said) and not any(key.startswith("elsewhere.") for key in said):
            reasonless.append(name)
    assert (silent, reasonless) == ([], [])


@pytest.mark.parametrize("place", PLACES_TO_BE)
def test_words_without_sense_are_answered_with_what_fits_or_what_is_awaited(place: str) -> None:
    """Never with "not understood" alone (issue 50)."""
    spoken = [key for key in PLACES_TO_BE[place]()("qwertz asdf") if "." in key]
    assert len(spoken) > 1 and not MEANS_NOTHING.match(spoken[-1]), spoken


def test_every_command_has_its_place_and_every_place_its_sentence() -> None:
    for code, lexicon in LEXICONS.items():
        assert set(PLACES) - set(lexicon.commands) == {"say_text"}, "that is only typed, with any words behind it"
        nowhere = {name for name in lexicon.commands if name not in PLACES and name not in COMMANDS}
        assert nowhere == set(), code
        for place in {*PLACES.values(), "game", "single"}:
            assert f"elsewhere.{place}" in load_sentences(code).templates, place


def test_no_refusal_is_bare() -> None:
    for code in LEXICONS:
        assert "command.not_here" not in load_sentences(code).templates


OF_THE_MACHINE = {"absent.against_machine", "arbiter.none", "arbiter.not_for_machines"}
OF_ONE_GAME = ("absent", "adjourn", "arbiter", "reversed", "seal", "change", "present")
"""What a display has nothing of: it is interrupted as a whole, and has no arbiter to be called."""


@pytest.mark.parametrize("place", [name for name in PLACES_TO_BE if "server" in name])
def test_at_a_server_no_reason_speaks_of_a_machine(place: str) -> None:
    said = {name: PLACES_TO_BE[place]()(sentence(name, LEXICONS["de"])) for name in COMMAND_NAMES}
    assert {name for name, keys in said.items() if OF_THE_MACHINE & set(keys)} == set()


@pytest.mark.parametrize("place", [name for name in PLACES_TO_BE if name.startswith("display")])
def test_in_a_display_what_is_of_one_game_is_told_as_that(place: str) -> None:
    asked = [name for name in COMMAND_NAMES if name.startswith(OF_ONE_GAME) and name != "changes"]
    assert len(asked) > 20
    said = {name: PLACES_TO_BE[place]()(sentence(name, LEXICONS["de"])) for name in asked}
    assert {name: keys for name, keys in said.items() if keys != ["elsewhere.single"]} == {}


def test_remis_reklamieren_at_a_server_asks_which_claim_while_the_opponent_is_there() -> None:
    assert served("e2e4", "e7e5")("Remis reklamieren") == ["claim.which"]
