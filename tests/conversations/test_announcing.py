"""What every conversation answers alike, and that what it says is numbered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

import chess
import pytest

from tests.drivers.exercising import BEGAN, course
from voicechess.conversations.calibration import Calibrating
from voicechess.conversations.welcome import Welcome
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.game.effects import (
    VOICE_CHANGES,
    AdjustVoice,
    Announcer,
    Hush,
    Mute,
    Say,
    SpeakLanguage,
    VoiceChange,
    WearHeadphones,
    change_told,
)
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.personal import phrases_to_read
from voicechess.meaning import Command, Reading
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FIRST_NUMBER
from voicechess.practice.exercises.review import Review
from voicechess.practice.menu import Practice
from voicechess.practice.schedule import Deck


class Conversation(Protocol):
    def handle(self, event: ev.Event) -> tuple[Any, ...]: ...


LEXICON = load("de")
CONVERSATIONS: dict[str, Callable[[], Conversation]] = {
    "game": lambda: Session(GameSettings()),
    "welcome": Welcome,
    "calibration": lambda: Calibrating(phrases_to_read(LEXICON), LEXICON),
    "practice": lambda: Practice((), Announcer(FIRST_NUMBER)),
    "exercise": lambda: Drill(course("squares", 1), Deck(), Random(1), Announcer(FIRST_NUMBER), BEGAN),
    "review": lambda: Review(chess.Board(), [chess.Move.from_uci("e2e4")], Announcer(FIRST_NUMBER)),
}


def heard(command: str) -> ev.Heard:
    reading = Reading(Command(command), 0.0, command)
    return ev.Heard(at_ms=1, readings=(reading,), words=command, began_ms=1, ended_ms=1)


@pytest.mark.parametrize("name", CONVERSATIONS)
@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("louder", AdjustVoice(volume=1)),
        ("softer", AdjustVoice(volume=-1)),
        ("faster", AdjustVoice(rate=1)),
        ("slower", AdjustVoice(rate=-1)),
        ("headphones", WearHeadphones(True)),
        ("no_headphones", WearHeadphones(False)),
        ("sound_off", Mute(True)),
        ("sound_on", Mute(False)),
        ("english", SpeakLanguage("en")),
        ("german", SpeakLanguage("de")),
    ],
)
def test_the_voice_is_changed_wherever_it_is_asked_for(name: str, command: str, change: VoiceChange) -> None:
    conversation = CONVERSATIONS[name]()
    begun = conversation.handle(ev.Started(at_ms=0))
    # In a game whoever speaks interrupts what is said.
    effects = [effect for effect in conversation.handle(heard(command)) if effect != Hush()]
    assert effects[0] == change
    assert isinstance(effects[1], Say) and effects[1].utterance.key in (change_told(command), "welcome.language")
    numbers = [effect.utterance.number for effect in (*begun, *effects) if isinstance(effect, Say)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "each its own, in order"


def test_every_change_of_the_voice_is_tried_above() -> None:
    told = {"louder", "softer", "faster", "slower", "headphones", "no_headphones", "sound_off", "sound_on"}
    assert set(VOICE_CHANGES) == told | {"english", "german"}
