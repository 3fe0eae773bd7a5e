"""A newcomer is offered one game: "ja" begins it, and what is named of it is settled and told back (issue 50)."""

from __future__ import annotations

import pytest

from tests.drivers.talking import Talking
from voicechess.conversations.welcome import Welcome, WelcomeOutcome
from voicechess.game.agreement import GameSettings, Player

OFFER = "Gegen die Maschine, mit Weiß, leicht, ohne Uhr: einverstanden?"
WHITE, BLACK, PEOPLE = (Player.VOICE, Player.ENGINE), (Player.ENGINE, Player.VOICE), (Player.VOICE, Player.VOICE)


def offered(**known: GameSettings) -> Talking:
    return Talking(Welcome(by_voice=False, coin=lambda: False, account=lambda: True, **known))  # type: ignore[arg-type]


def agreed(talk: Talking) -> tuple[Player, Player, int, str] | None:
    welcome = talk.conversation
    assert isinstance(welcome, Welcome)
    settings = welcome.settings
    begun = welcome.outcome is WelcomeOutcome.NEW_GAME
    return (settings.white, settings.black, settings.level, settings.time) if begun else None


@pytest.mark.parametrize("words", ["ja", "einverstanden", "ja gern", "passt", "in ordnung", "okay"])
def test_a_yes_begins_the_game_as_it_was_offered(words: str) -> None:
    talk = offered()
    assert talk.said[-1] == OFFER
    talk.say(words)
    assert agreed(talk) == (*WHITE, 2, "")


@pytest.mark.parametrize(
    ("words", "told", "rest", "game"),
    [
        ("lieber schwarz", "Mit Schwarz.", "Leicht, ohne Uhr: einverstanden?", (*BLACK, 2, "")),
        ("nein schwarz", "Mit Schwarz.", "Leicht, ohne Uhr: einverstanden?", (*BLACK, 2, "")),
        ("zufall", "Mit Schwarz.", "Leicht, ohne Uhr: einverstanden?", (*BLACK, 2, "")),
        ("schwerer", "Stufe vier.", "Gegen die Maschine, mit Weiß, ohne Uhr: einverstanden?", (*WHITE, 4, "")),
        ("leichter", "Stufe eins.", "Gegen die Maschine, mit Weiß, ohne Uhr: einverstanden?", (*WHITE, 1, "")),
        ("stufe sieben", "Stufe sieben.", "Gegen die Maschine, mit Weiß, ohne Uhr: einverstanden?", (*WHITE, 7, "")),
        ("fünf minuten", "Fünf Minuten.", "Gegen die Maschine, mit Weiß, leicht: einverstanden?", (*WHITE, 2, "5")),
        ("gegen einen menschen", "Zu zweit.", "Ohne Uhr: einverstanden?", (*PEOPLE, 2, "")),
        ("gegen die maschine", "Gegen die Maschine.", "Mit Weiß, leicht, ohne Uhr: einverstanden?", (*WHITE, 2, "")),
        (
            "mit schwarz und zehn minuten",
            "Mit Schwarz, zehn Minuten.",
            "Leicht: einverstanden?",
            (*BLACK, 2, "10"),
        ),
    ],
)
def test_what_is_named_is_told_back_and_only_the_rest_is_offered(
    words: str, told: str, rest: str, game: tuple[Player, Player, int, str]
) -> None:
    talk = offered()
    assert talk.say(words) == [told, rest]
    talk.say("ja")
    assert agreed(talk) == game


def test_all_at_once_begins_the_game() -> None:
    talk = offered()
    assert talk.say("gegen den computer mit schwarz stufe drei zehn minuten") == [
        "Gegen die Maschine, mit Schwarz, Stufe drei, zehn Minuten."
    ]
    assert agreed(talk) == (*BLACK, 3, "10")


def test_with_a_clock_is_asked_how_long() -> None:
    talk = offered()
    assert talk.say("mit uhr") == ["Wie viele Minuten? Oder: ohne Uhr."]
    assert talk.say("zehn") == ["Zehn Minuten.", "Gegen die Maschine, mit Weiß, leicht: einverstanden?"]


@pytest.mark.parametrize(
    ("words", "question", "answer", "told", "game"),
    [
        (
            "andere stufe",
            "Stufe, von eins bis zehn? Eins ist die leichteste.",
            "die dritte",
            "Stufe drei.",
            (*WHITE, 3, ""),
        ),
        ("farbe ändern", "Weiß, Schwarz oder Zufall?", "schwarz", "Mit Schwarz.", (*BLACK, 2, "")),
        ("anderer gegner", "Gegen die Maschine, einen Menschen oder online?", "mensch", "Zu zweit.", (*PEOPLE, 2, "")),
        ("andere zeit", "Wie viele Minuten? Oder: ohne Uhr.", "zehn", "Zehn Minuten.", (*WHITE, 2, "10")),
    ],
)
def test_what_is_to_be_different_is_asked(
    words: str, question: str, answer: str, told: str, game: tuple[Player, Player, int, str]
) -> None:
    talk = offered()
    assert talk.say(words) == [question]
    assert talk.say(answer)[0] == told
    talk.say("ja")
    assert agreed(talk) == game


@pytest.mark.parametrize("line", ["ich möchte eine Partie Schach spielen", "lass uns anfangen", "los geht's", "Schach"])
def test_who_wants_to_play_begins_what_is_offered(line: str) -> None:
    talk = offered()
    talk.type(line)
    assert agreed(talk) == (*WHITE, 2, "")


def test_a_greeting_is_returned_and_the_question_asked_again() -> None:
    talk = offered()
    assert talk.type("Guten Abend") == ["Hallo.", OFFER]


def test_the_second_of_ten_levels_is_level_two() -> None:
    talk = offered()
    for words in ("nein", "maschine", "weiß"):
        talk.say(words)
    assert talk.say("die zweite") == ["Wie viele Minuten? Oder: ohne Uhr."]
    talk.say("zehn")
    assert agreed(talk) == (*WHITE, 2, "10")


def test_a_number_alone_is_a_level_and_then_minutes() -> None:
    talk = offered()
    assert talk.say("drei")[0] == "Stufe drei."
    assert talk.say("drei")[0] == "Drei Minuten."


def test_no_asks_for_what_was_not_named() -> None:
    talk = offered()
    talk.say("schwarz")
    assert talk.say("nein") == ["Stufe, von eins bis zehn? Eins ist die leichteste."]
    assert talk.say("vier") == ["Stufe vier.", "Ohne Uhr: einverstanden?"]
    assert talk.say("nein") == ["Wie viele Minuten? Oder: ohne Uhr."]
    talk.say("drei")
    assert agreed(talk) == (*BLACK, 4, "3")


def test_what_was_named_can_be_changed_and_taken_back() -> None:
    talk = offered()
    talk.say("schwarz")
    assert talk.say("nein weiß") == ["Mit Weiß.", "Leicht, ohne Uhr: einverstanden?"]
    assert talk.say("zurück") == ["Leicht, ohne Uhr: einverstanden?"]
    assert talk.say("zurück") == [OFFER]


def test_whatever_is_as_good_takes_the_rest_as_it_is() -> None:
    talk = offered()
    talk.say("schwarz")
    assert talk.say("egal") == ["Leicht, ohne Uhr."]
    assert agreed(talk) == (*BLACK, 2, "")


def test_online_from_the_offer() -> None:
    talk = offered()
    talk.say("online")
    assert isinstance(talk.conversation, Welcome) and talk.conversation.outcome is WelcomeOutcome.ONLINE


def test_what_was_played_last_is_an_offer_too() -> None:
    talk = offered(usual=GameSettings(level=4, time="5+3", laws=2009))
    assert talk.say("lieber schwarz") == [
        "Mit Schwarz.",
        "Stufe vier, fünf Minuten, drei Sekunden je Zug: einverstanden?",
    ]
    talk.say("ja")
    assert agreed(talk) == (*BLACK, 4, "5+3")
    assert isinstance(talk.conversation, Welcome) and talk.conversation.settings.laws == 2009


def test_the_first_move_is_a_yes() -> None:
    talk = offered()
    assert talk.say("eva fünf")[0] == "Gehört: eva fünf."
    talk.say("eva vier")
    assert agreed(talk) == (*WHITE, 2, "")
    assert isinstance(talk.conversation, Welcome) and talk.conversation.opening is not None


def test_in_english() -> None:
    talk = Talking(Welcome(by_voice=False), "en")
    assert talk.said[-1] == "Against the machine, with White, easy, no clock: agreed?"
    assert talk.type("I'd rather have Black") == ["With Black.", "Easy, no clock: agreed?"]
    assert talk.type("harder") == ["Level four.", "No clock: agreed?"]
    talk.type("five minutes")
    assert agreed(talk) == (*BLACK, 4, "5")


def test_a_colour_outlasts_the_thought_of_playing_a_person() -> None:
    talk = offered()
    talk.say("Schwarz")
    talk.say("gegen einen Menschen")
    assert talk.say("gegen die Maschine") == ["Gegen die Maschine.", "Leicht, ohne Uhr: einverstanden?"]
    talk.say("ja")
    assert agreed(talk) == (*BLACK, 2, "")
