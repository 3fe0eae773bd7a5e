"""All the terms of a game in one sentence, and one of those that were offered changed."""

from __future__ import annotations

import pytest

from voicechess.app.hearing import Hearing
from voicechess.app.simulation import Simulation
from voicechess.conversations.welcome import Welcome, WelcomeOutcome
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.language.lexicon import load
from voicechess.meaning import RecognisedUtterance


def talked(welcome: Welcome, *lines: str) -> Welcome:
    simulation = Simulation(welcome, Hearing(load("de")))
    simulation.happen(ev.Started(at_ms=0))
    for number, line in enumerate(lines, 1):
        simulation.hear(RecognisedUtterance.typed(line, 5_000 * number))
    return welcome


@pytest.mark.parametrize(
    ("lines", "human", "level", "time"),
    [
        (("gegen den Computer mit Schwarz Stufe drei zehn Minuten",), "black", 3, "10"),
        (("mit Weiß gegen die Maschine ganz leicht ohne Uhr",), "white", 1, ""),
        (("gegen den Computer mit Schwarz und zehn Minuten", "Stufe drei"), "black", 3, "10"),
        (("wir spielen zu zweit ohne Uhr",), "both", 2, ""),
    ],
)
def test_several_terms_at_once_are_not_asked_for_again(
    lines: tuple[str, ...], human: str, level: int, time: str
) -> None:
    welcome = talked(Welcome(), *lines)
    assert welcome.outcome is WelcomeOutcome.NEW_GAME
    voice, engine = Player.VOICE, Player.ENGINE
    sides = {"black": (engine, voice), "white": (voice, engine), "both": (voice, voice)}[human]
    assert (welcome.settings.white, welcome.settings.black) == sides
    assert (welcome.settings.level, welcome.settings.time) == (level, time)


def test_one_of_the_terms_that_are_offered_can_be_another() -> None:
    welcome = talked(Welcome(settings=GameSettings(level=7)), "lieber Schwarz", "zehn Minuten", "ja")
    assert welcome.outcome is WelcomeOutcome.NEW_GAME
    assert (welcome.settings.black, welcome.settings.level, welcome.settings.time) == (Player.VOICE, 7, "10")


def test_what_points_to_an_answer_is_asked_about_and_taken_with_a_yes() -> None:
    welcome = talked(Welcome(), "was kann diese Maschinerie")
    assert welcome.outcome is None
