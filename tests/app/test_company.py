"""Around games too the player is told from others in the room: before one, in the lobby and in practice."""

from __future__ import annotations

import pytest

from tests.app.test_going_on_speaking import _unhurried, converse  # noqa: F401 - a fixture
from voicechess.app.loop import Terms
from voicechess.conversations.welcome import Welcome, WelcomeStep
from voicechess.game.company import FAR_OFF_DB, MOST_TONES, SAME_VOICE_DB
from voicechess.messages import Tone

PLAYER_DB = -24
AS_LOUD, SOFTER, FAR_OFF = (f"@{PLAYER_DB - below}" for below in (SAME_VOICE_DB, SAME_VOICE_DB + 1, FAR_OFF_DB + 1))
NEXT_MS = 8_000
"""By then what was said to the words before has been heard."""


class Talk:
    """A welcome in which these words are heard, one after the other; `Voice.said` and `tones` tell what came of it."""

    def __init__(self, *words: str, terms: Terms | None = None) -> None:
        self.welcome = Welcome(three_words=False)
        script = [(at * NEXT_MS, said) for at, said in enumerate((f"anna eins@{PLAYER_DB}", *words), 1)]
        until_ms = (len(script) + 1) * NEXT_MS - 1_000  # before silence is noticed
        self.voice = converse(self.welcome, terms or Terms(), *script, until_ms=until_ms)

    @property
    def tones(self) -> int:
        return self.voice.tones.count(Tone.NOT_UNDERSTOOD)


@pytest.mark.parametrize(
    ("words", "tones"),
    [
        (["quatsch"] * 4, MOST_TONES),
        (["zeit", "stellung"] * 2, 4),  # what is understood is met by a tone each time, and counts the second time
    ],
)
def test_others_are_answered_by_two_tones_a_minute_and_no_sentence(words: list[str], tones: int) -> None:
    talk = Talk(*(said + FAR_OFF for said in words))
    assert talk.tones == tones and not any("Gehört" in said or "verstanden" in said for said in talk.voice.said)


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
    assert Talk("maschine" + FAR_OFF, terms=Terms(judges=True)).welcome.step is WelcomeStep.COLOUR
