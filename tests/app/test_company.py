"""Around games too the player is told from others in the room: before one, in the lobby and in practice."""

from __future__ import annotations

import pytest

from tests.app.test_going_on_speaking import _unhurried, converse  # noqa: F401 - a fixture
from voicechess.app.around import Hooks
from voicechess.conversations.welcome import Welcome, WelcomeStep
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.company import FAR_OFF_DB, MOST_TONES, SAME_VOICE_DB
from voicechess.game.session import Session
from voicechess.messages import Tone
from voicechess.sound.listener import Attention

PLAYER_DB = -24
AS_LOUD, SOFTER, FAR_OFF = (f"@{PLAYER_DB - below}" for below in (SAME_VOICE_DB, SAME_VOICE_DB + 1, FAR_OFF_DB + 1))
NEXT_MS = 8_000
"""By then what was said to the words before has been heard."""


class Talk:
    """A welcome in which these words are heard, one after the other; `Voice.said` and `tones` tell what came of it."""

    def __init__(self, *words: str, hooks: Hooks | None = None) -> None:
        self.welcome = Welcome(three_words=False)
        script = [(at * NEXT_MS, said) for at, said in enumerate((f"nein@{PLAYER_DB}", *words), 1)]
        until_ms = (len(script) + 1) * NEXT_MS - 1_000  # before silence is noticed
        self.voice = converse(self.welcome, hooks or Hooks(), *script, until_ms=until_ms)

    @property
    def tones(self) -> int:
        return self.voice.tones.count(Tone.NOT_UNDERSTOOD)


@pytest.mark.parametrize(
    ("words", "tones"),
    [
        (["quatsch" + SOFTER] * 4, MOST_TONES),
        (["quatsch" + FAR_OFF] * 4, 0),  # who does not speak to the program is not answered (issue 49)
        (
            ["zeit" + FAR_OFF, "stellung" + FAR_OFF] * 2,
            4,
        ),  # what is understood is met by a tone each time, and counts the second time
    ],
)
def test_others_are_answered_by_two_tones_a_minute_and_no_sentence(words: list[str], tones: int) -> None:
    talk = Talk(*words)
    assert talk.tones == tones and not any("Gehört" in said or "Nicht verstanden" in said for said in talk.voice.said)


def test_who_is_as_loud_as_the_player_is_told_each_time() -> None:
    talk = Talk(*["quatsch" + AS_LOUD] * 3)
    assert talk.voice.said.count("Gehört: quatsch.") == 2  # the third time there is help
    assert talk.tones == 0


@pytest.mark.parametrize(
    ("words", "step"),
    [
        (["maschine" + AS_LOUD], WelcomeStep.COLOUR),
        (["maschine" + SOFTER], WelcomeStep.COLOUR),
        (["maschine" + FAR_OFF], WelcomeStep.OPPONENT),
        (["maschine" + FAR_OFF, "maschine" + FAR_OFF], WelcomeStep.COLOUR),
        (["maschine" + FAR_OFF, "mensch" + FAR_OFF], WelcomeStep.OPPONENT),
        (["maschine" + FAR_OFF] * 2 + ["weiß" + FAR_OFF], WelcomeStep.LEVEL),  # who has gone further away
    ],
)
def test_what_is_far_softer_counts_the_second_time(words: list[str], step: WelcomeStep) -> None:
    assert Talk(*words).welcome.step is step


def test_a_machine_that_judges_itself_hears_everything() -> None:
    assert Talk("maschine" + FAR_OFF, hooks=Hooks(tells_speakers=True)).welcome.step is WelcomeStep.COLOUR


def test_in_a_game_who_is_far_off_is_not_answered_unless_they_say_it_twice() -> None:
    """It was asked "Meinten Sie Läufer Bella zwei?" out of nothing (issue 49). What is of the game gets a tone: it may
    be the player, who is softer now."""
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    words = ("eva vier@-24", "eva fünf@-24", *["läufer bella zwei@-33", "quatsch@-33"] * 2, "springer felix drei@-33")
    script = [(at * NEXT_MS, said) for at, said in enumerate(words, 1)]
    voice = converse(session, Hooks(tells_speakers=True), *script, until_ms=(len(script) + 1) * NEXT_MS)
    assert voice.said[2:] == [
        "Bauer Eva zwei Eva vier.",
        "Bauer Eva sieben Eva fünf.",
        "Auf Bella zwei steht Ihr Bauer.",
        "Springer Gustav eins Felix drei.",
    ]
    assert len(voice.tones) == 1 and session.voice_db == -24


def test_far_off_nobody_gets_more_than_two_tones_a_minute_whatever_they_say() -> None:
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    far = [f"läufer {square}@-33" for square in ("bella zwei", "hector acht", "anna eins", "bella acht", "hector eins")]
    words = ("eva vier@-24", "eva fünf@-24", *far, "guten tag@-33")
    script = [(at * NEXT_MS, said) for at, said in enumerate(words, 1)]
    voice = converse(session, Hooks(tells_speakers=True), *script, until_ms=(len(script) + 1) * NEXT_MS)
    assert len(voice.said[2:]) == 2 and len(voice.tones) == 2


def test_who_does_not_speak_to_the_program_is_not_waited_for() -> None:
    attention = Attention()

    class Heard:
        hearing, is_background, speech_ms, since_ms = True, True, 500, 0

    attention.recogniser = Heard()  # type: ignore[assignment]
    assert attention.hearing and not attention.awaited and not attention.near
    Heard.is_background = False
    assert attention.awaited
