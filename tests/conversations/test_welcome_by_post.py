"""Correspondence games in the conversation before a game: those that wait, and a new one."""

from __future__ import annotations

import pytest

from tests.conversations.test_welcome import Talk
from voicechess.conversations.welcome import Welcome, WelcomeOutcome, WelcomeStep
from voicechess.correspondence.open_letters import OpenCorrespondence
from voicechess.game import events as ev
from voicechess.game.agreement import Correspondence, Player
from voicechess.messages import Phrase, Side

OPEN = (
    OpenCorrespondence(11, opponent="Hans", colour=True, number=7, yours=True),
    OpenCorrespondence(
        12, "", colour=False, number=12, yours=True, reminders=(Phrase("post.last_day", {"side": Side(False)}),)
    ),
    OpenCorrespondence(13, "", colour=True, number=7, yours=False),
    OpenCorrespondence(14, "", True, 7, False, reminders=(Phrase("post.silent", {"side": Side(True), "days": 15}),)),
)
"""The third asks for nothing."""


def test_correspondence_games_that_wait_are_told_at_the_start_and_opened_by_number() -> None:
    talk = Talk(Welcome(by_voice=False, post=OPEN, unfinished=True))
    assert talk.said[-1] == (
        "Drei Fernpartien warten auf Sie. Nummer eins: gegen Hans, Zug sieben, Sie sind am Zug. "
        "Nummer zwei: Sie mit Schwarz, Zug zwölf, Sie sind am Zug. Schwarz: Heute ist der letzte Tag. "
        "Nummer drei: Sie mit Weiß, Zug sieben, die Antwort steht aus. "
        "Weiß schweigt seit fünfzehn Tagen. Schicken Sie die Zeile noch einmal. Welche Nummer? Oder: nein."
    )
    assert talk.say("vier") == ["Gehört: vier.", "Welche Nummer? Oder: nein."]
    talk.say("zwei")
    assert talk.welcome.outcome is WelcomeOutcome.OPEN
    assert talk.welcome.opened == OPEN[1]


def test_who_wants_none_of_them_goes_on_as_ever() -> None:
    talk = Talk(Welcome(by_voice=False, post=OPEN, unfinished=True))
    assert talk.say("nein") == ["Eine Partie ist nicht zu Ende. Weiterspielen?"]


def test_all_that_are_open_are_told_on_request_and_another_opponent_is_one() -> None:
    """'Fernpartie' was taken for 'Ende'."""
    talk = Talk(Welcome(by_voice=False, post=OPEN))
    (told,) = talk.say("fernpartie")
    assert "Nummer vier: Sie mit Weiß, Zug sieben, die Antwort steht aus. Weiß schweigt" in told
    assert talk.say("gegen die maschine") == ["Weiß, Schwarz oder Zufall?"]
    again = Talk(Welcome(by_voice=False, post=OPEN))
    assert again.say("gegen einen menschen")[0].startswith("Wie viele Minuten")


def test_a_single_game_is_opened_by_yes() -> None:
    talk = Talk(Welcome(by_voice=False, post=OPEN[:1]))
    assert talk.said[-1].startswith("Eine Fernpartie wartet auf Sie. Nummer eins: gegen Hans")
    talk.say("ja")
    assert talk.welcome.opened == OPEN[0]


def test_games_that_wait_for_the_other_side_are_told_when_they_are_asked_for() -> None:
    talk = Talk(Welcome(by_voice=False, post=OPEN[2:3]))
    assert talk.welcome.step is WelcomeStep.OFFER
    assert talk.say("fernpartie") == [
        "Offene Fernpartien: eins. Nummer eins: Sie mit Weiß, Zug sieben, die Antwort steht aus. "
        "Welche Nummer? Oder: nein."
    ]
    talk.say("eins")
    assert talk.welcome.opened == OPEN[2]


@pytest.mark.parametrize(
    ("said", "notation"),
    [("drei tage je zug", "3days"), ("zehn züge in fünfzig tagen", "50days/10"), ("ohne zeit", "")],
)
def test_a_new_correspondence_game_is_agreed_by_voice(said: str, notation: str) -> None:
    talk = Talk(Welcome(by_voice=False, post=OPEN[2:3]))
    talk.say("fernpartie")
    assert talk.say("nein") == ["Weiß, Schwarz oder Zufall?"]
    assert talk.say("schwarz") == ["Sie haben Schwarz.", "Wie viele Tage je Zug? Oder: zehn Züge in fünfzig Tagen."]
    talk.say("sechshundert tage")
    assert not talk.welcome.over
    talk.say(said)
    settings = talk.welcome.settings
    assert settings.correspondence == Correspondence(colour=False)
    assert (settings.white, settings.black, settings.time) == (Player.VOICE, Player.VOICE, notation)


def test_correspondence_in_english() -> None:
    talk = Talk(Welcome(by_voice=False, post=OPEN[:2]), "en")
    assert talk.said[-1].startswith(
        "Two correspondence games wait for you. Number one: against Hans, move seven, your move."
    )
    talk.say("no", ev.Source.KEYBOARD)
    talk.say("correspondence", ev.Source.KEYBOARD)
    talk.say("no", ev.Source.KEYBOARD)
    talk.say("white", ev.Source.KEYBOARD)
    assert talk.say("ten moves in fifty days", ev.Source.KEYBOARD) == [
        "Good. Correspondence, you with White, ten moves in fifty days."
    ]
