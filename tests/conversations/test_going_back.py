""" "Zurück" goes back one question in every conversation that asks several; an answer to an earlier question corrects
what was answered, and is told (issue 49: after "Sie haben Weiß" nothing helped)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.drivers.talking import Talking
from voicechess.conversations.calibration import Calibrating
from voicechess.conversations.welcome import Welcome, WelcomeOutcome, WelcomeStep
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Announcer
from voicechess.language.lexicon import load
from voicechess.language.phrases import phrases
from voicechess.online.lobby import FriendsListed, GamesListed, ListGames, OnlinePlayer, OnlineTime, Seek
from voicechess.online.online import Online
from voicechess.online.online_questions import OnlineStep
from voicechess.online.online_wish import Mode
from voicechess.practice.effects import FIRST_NUMBER
from voicechess.practice.menu import ExerciseOffer, MenuStep, Practice
from voicechess.practice.schedule import Bookmark

LEVEL = "Stufe, von eins bis zehn? Eins ist die leichteste."
COLOUR = "Weiß, Schwarz oder Zufall?"
TIME = "Wie viele Minuten? Oder: ohne Uhr."
OPPONENT = "Gegen die Maschine, einen Menschen oder online?"
OFFER = "Gegen die Maschine, mit Weiß, leicht, ohne Uhr: einverstanden?"
NO_WAY = "Weiter zurück geht es nicht."


def welcome(*answers: str, **known: GameSettings) -> tuple[Talking, Welcome]:
    conversation = Welcome(by_voice=False, coin=lambda: False, **known)  # type: ignore[arg-type]
    talk = Talking(conversation)
    for answer in answers if known else ("nein", *answers):  # else one by one
        talk.say(answer)
    return talk, conversation


def test_back_goes_through_every_question_of_the_welcome() -> None:
    talk, _ = welcome("maschine", "weiß", "stufe drei")
    assert [talk.say("zurück") for _ in range(5)] == [
        [LEVEL],
        [COLOUR],
        [OPPONENT],
        [OFFER],
        [NO_WAY, OFFER],
    ]


@pytest.mark.parametrize("words", ["zurück", "korrektur", "nein", "falsch"])
def test_every_word_for_it(words: str) -> None:
    talk, _ = welcome("maschine", "weiß")
    assert talk.say(words) == [COLOUR]
    assert talk.say("schwarz") == ["Sie haben Schwarz.", LEVEL]


@pytest.mark.parametrize("words", ["schwarz", "nein schwarz", "ich meine schwarz", "korrektur schwarz", "zufall"])
def test_the_colour_is_corrected_at_the_next_question(words: str) -> None:
    talk, conversation = welcome("maschine", "weiß")
    assert talk.say(words) == ["Sie haben Schwarz.", LEVEL]
    assert (conversation.settings.white, conversation.settings.black) == (Player.ENGINE, Player.VOICE)


def test_what_was_answered_since_is_not_asked_again() -> None:
    talk, conversation = welcome("maschine", "weiß", "stufe drei")
    assert talk.say("nein schwarz") == ["Sie haben Schwarz.", TIME]
    assert talk.say("stufe fünf") == ["Gut, Stufe fünf.", TIME]
    talk.say("zehn minuten")
    assert conversation.outcome is WelcomeOutcome.NEW_GAME
    agreed = conversation.settings
    assert (agreed.level, agreed.white, agreed.time) == (5, Player.ENGINE, "10")


def test_another_opponent_is_asked_what_that_needs() -> None:
    talk, conversation = welcome("maschine", "weiß")
    assert talk.say("zu zweit") == ["Gut, gegen einen Menschen.", TIME]
    assert conversation.settings.white is conversation.settings.black is Player.VOICE
    assert talk.say("maschine") == ["Gut, gegen die Maschine.", COLOUR]
    assert talk.say("fernpartie") == ["Gut, Fernpartie.", COLOUR]


def test_a_number_alone_corrects_nothing() -> None:
    talk, conversation = welcome("simultan gegen fünf")
    assert talk.say("zwölf")[0] == "Gehört: zwölf."
    assert (conversation.boards, conversation.step) == (5, WelcomeStep.LEVEL)
    assert talk.say("zurück") == [OPPONENT]


def test_silence_is_counted_after_a_correction() -> None:
    talk = Talking(Welcome(coin=lambda: False), heard_out=True)
    for words in ("nein", "maschine", "weiß", "stufe drei", "schwarz"):
        talk.say(words)
    assert talk.wait(20_000) == ["Ich höre nichts.", "Wie viele Minuten, oder ohne Uhr?"]


def test_from_the_settings_of_last_time_and_back() -> None:
    talk, conversation = welcome(usual=GameSettings(level=4))
    talk.say("nein")
    assert talk.say("zurück")[0].startswith("Wie immer")
    talk.say("ja")
    assert conversation.settings.level == 4


def test_in_english_too() -> None:
    conversation = Welcome(by_voice=False, coin=lambda: False)
    talk = Talking(conversation, "en")
    talk.type("no")
    talk.type("machine")
    talk.type("white")
    assert talk.type("no black")[0] == "You have Black."
    assert talk.type("back") == ["White, Black or random?"]


# --- at a server -------------------------------------------------------------------------------------------------


def online(*answers: str) -> tuple[Talking, Online]:
    conversation = Online(by_voice=False)
    talk = Talking(conversation)
    assert isinstance(talk.request(), ListGames)
    talk.tell(GamesListed(at_ms=0, request=1, games=()))
    for answer in answers:
        talk.say(answer)
        if answer == "freund":
            friends = (OnlinePlayer("Bob"), OnlinePlayer("Carl"))
            talk.tell(FriendsListed(at_ms=1, request=talk.request().number, friends=friends))
    return talk, conversation


def test_what_was_answered_around_a_game_at_a_server_is_corrected_and_told() -> None:
    talk, conversation = online("freund", "zwei", "zehn minuten", "gewertet")
    assert conversation.step is OnlineStep.COLOUR
    assert talk.say("zwanzig minuten") == ["Gut, zwanzig Minuten.", COLOUR]
    assert talk.say("nein freundschaftlich") == ["Gut, freundschaftlich.", COLOUR]
    wish = conversation.wish
    assert (wish.name, wish.time, wish.rated) == ("Carl", OnlineTime(1200, 0), False)
    assert not talk.asked, "nothing is asked of the server before everything is known"


def test_another_opponent_at_a_server() -> None:
    talk, conversation = online("computer")
    assert talk.say("gegner suchen")[0] == "Gut, Gegner suchen."
    assert conversation.wish.mode is Mode.SEEK
    talk.say("zehn minuten")
    assert talk.say("zurück") == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]
    talk.say("zehn minuten")
    talk.say("gewertet")
    assert isinstance(talk.request(), Seek)


# --- practice and calibration ------------------------------------------------------------------------------------


def practice(bookmark: Bookmark | None = None) -> tuple[Talking, Practice]:
    offers = [ExerciseOffer(key, 4, lambda *_: None) for key in ("squares", "paths")]  # type: ignore[arg-type]
    conversation = Practice(offers, Announcer(FIRST_NUMBER), bookmark=bookmark)
    return Talking(conversation), conversation  # type: ignore[arg-type]


def test_from_the_level_of_an_exercise_back_to_the_choice() -> None:
    talk, conversation = practice()
    choice = talk.said[-1:]
    assert talk.say("felder")[-1].startswith("Felder")
    assert talk.say("wege")[-1].startswith("Wege"), "another one is named: that is meant"
    assert talk.say("zurück") == choice
    assert talk.say("zurück") == [NO_WAY, *choice]
    talk.say("felder")
    assert talk.say("nein") == choice
    assert conversation.step is MenuStep.EXERCISE


def test_from_the_choice_back_to_where_it_stopped() -> None:
    talk, conversation = practice(Bookmark("squares", 1, "shade", 1))
    goes_on = talk.said[-1:]
    talk.say("nein")
    assert talk.say("zurück") == goes_on
    assert conversation.step is MenuStep.GO_ON


def test_a_phrase_of_the_calibration_is_said_again() -> None:
    conversation = Calibrating(("eva vier", "eva fünf"), load("de"))
    talk = Talking(conversation)
    assert talk.say("zurück") == ["Das war die erste.", "Eva Vier."]
    assert talk.say("eva drei") == ["Eva Fünf."]
    assert talk.say("zurück") == ["Eva Vier."]
    talk.say("eva vier")
    talk.say("eva fünf")
    assert conversation.heard == [("eva vier", "eva vier"), ("eva fünf", "eva fünf")]


def test_the_help_of_the_calibration_is_told_in_parts() -> None:
    talk = Talking(Calibrating(("eva vier", "eva fünf"), load("de")))
    first = talk.say("hilfe")
    assert first[1:] == ["Mehr mit Hilfe.", "Eva Vier."]
    assert len(first[0].split()) < 20
    second = talk.say("hilfe")
    assert "Kopfhörer aus" in second[0]
    assert second[1:] == ["Eva Vier."]
    talk.say("lauter")
    assert talk.say("hilfe") == first


def test_what_is_settled_is_kept_while_one_goes_back() -> None:
    """The terms of the settings file, which nobody was asked about."""
    kept = replace(GameSettings(), laws=2009)
    conversation = Welcome(by_voice=False, settings=kept)
    talk = Talking(conversation)
    for words in ("nein", "maschine", "weiß", "zurück", "schwarz", "stufe eins", "ohne uhr"):
        talk.say(words)
    assert conversation.settings.laws == 2009


def test_corrections_are_listened_for() -> None:
    talk, _ = welcome("maschine", "weiß")
    heard = set(phrases(talk.expectation, load("de")))
    assert {"zufall", "nein schwarz", "maschine", "zurück"} <= heard
    talk.say("schwarz")
    talk.say("zurück")
    assert "zufall" in phrases(talk.expectation, load("de"))
    first, _ = welcome()
    assert "nein schwarz" not in phrases(first.expectation, load("de"))
