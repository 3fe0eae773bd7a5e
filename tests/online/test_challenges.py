"""Challenges that arrive in the middle of something else."""

from __future__ import annotations

from itertools import count

import chess
import pytest

from tests.drivers.talking import Talking
from voicechess.conversations.asking import MISSES, SILENCE_MS
from voicechess.conversations.welcome import Welcome, WelcomeOutcome, WelcomeStep
from voicechess.online.challenges import Doorbell
from voicechess.online.lobby import (
    AcceptChallenge,
    CancelSeek,
    ChallengeArrived,
    ChallengeGone,
    DeclineChallenge,
    GameOpened,
    GamesListed,
    LobbyRefused,
    OnlineGame,
    OnlinePlayer,
    OnlineTerms,
    OnlineTime,
    Speed,
)
from voicechess.online.online import Online
from voicechess.online.online_questions import OnlineStep
from voicechess.online.online_wish import Mode, OnlineOutcome, OnlineWish

BLITZ = OnlineTerms(OnlineTime(300, 3), True, colour=chess.WHITE)


def arrived(
    identity: str = "chal0001", name: str = "Bob", terms: OnlineTerms = BLITZ, again: str = ""
) -> ChallengeArrived:
    return ChallengeArrived(
        at_ms=0, id=identity, challenger=OnlinePlayer(name, rating=1500), terms=terms, rematch_of=again
    )


def opened(identity: str = "chal0001") -> GameOpened:
    return GameOpened(at_ms=0, game=OnlineGame(identity, OnlinePlayer("Bob"), BLITZ, speed=Speed.BLITZ))


def welcoming(language: str = "de", by_voice: bool = False) -> tuple[Talking, Doorbell, Welcome]:
    """At the question of the opponent."""
    welcome = Welcome(by_voice=by_voice, three_words=False)
    bell = Doorbell(inner=welcome, numbers=count(1), by_voice=by_voice)
    talk = Talking(bell, language)
    talk.said = talk.say("nein")
    assert welcome.step is WelcomeStep.OPPONENT
    return talk, bell, welcome


CHALLENGED = "Bob, tausendfünfhundert fordert Sie heraus: fünf Minuten, drei Sekunden je Zug, gewertet, Sie haben Weiß."


@pytest.mark.parametrize("words", ["ja", "annehmen"])
def test_a_challenge_is_told_in_the_welcome_and_accepted(words: str) -> None:
    talk, bell, welcome = welcoming()
    assert talk.tell(arrived()) == [f"{CHALLENGED} Annehmen?"]
    assert talk.tell(arrived()) == [], "it comes again whenever the stream is opened"
    assert talk.say(words) == ["Angenommen."]
    assert talk.request() == AcceptChallenge("chal0001", number=1)
    assert talk.tell(opened("other001")) == [] and bell.game is None
    talk.tell(opened())
    assert bell.over and bell.game is not None and bell.game.id == "chal0001"
    assert isinstance(talk.request(), CancelSeek), "one that is answered now would be a second game"
    assert welcome.outcome is None


@pytest.mark.parametrize(("words", "why"), [("nein", "generic"), ("ablehnen", "generic"), ("später", "later")])
def test_it_is_declined_and_the_question_before_is_asked_again(words: str, why: str) -> None:
    talk, bell, welcome = welcoming()
    talk.tell(arrived())
    assert talk.say(words)[0] == "Abgelehnt."
    assert talk.request() == DeclineChallenge("chal0001", why, number=1)
    assert talk.say("mensch") == ["Wie viele Minuten? Oder: ohne Uhr."], "the answer to the welcome again"
    assert not bell.over and welcome.step is WelcomeStep.TIME


def test_in_english() -> None:
    talk, _, _ = welcoming("en")
    told = "Bob, fifteen hundred challenges you: five minutes, three seconds a move, rated, you have White. Accept?"
    said = talk.tell(arrived())
    assert said[0].split(" challenges")[1] == told.split(" challenges")[1]
    assert talk.type("accept") == ["Accepted."]


def test_the_answer_to_a_challenge_does_not_reach_what_was_asked_before() -> None:
    talk, _, welcome = welcoming()
    talk.tell(arrived())
    assert talk.say("maschine") == ["Gehört: maschine.", "Annehmen, ablehnen oder später?"]
    assert talk.say("hilfe")[0].startswith("Ja, oder annehmen, beginnt die Partie.")
    assert talk.say("noch einmal") == [f"{CHALLENGED} Annehmen?"]
    assert welcome.step is WelcomeStep.OPPONENT and not talk.asked


def test_several_are_asked_about_one_after_another() -> None:
    talk, _, _ = welcoming()
    talk.tell(arrived())
    assert talk.tell(arrived("chal0002", "Eve")) == []
    assert talk.say("nein")[1].startswith("Eve, tausendfünfhundert fordert Sie heraus")
    talk.say("ja")
    assert talk.asked[-1] == AcceptChallenge("chal0002", number=2)


def test_one_that_is_taken_back_is_told_and_the_question_before_follows() -> None:
    talk, _, _ = welcoming()
    question = talk.said[-1]
    talk.tell(arrived())
    said = talk.tell(ChallengeGone(at_ms=0, id="chal0001", reason="cancelled"))
    assert said == ["Die Herausforderung von Bob, tausendfünfhundert gilt nicht mehr.", question]


@pytest.mark.parametrize("reason", ["gone", "network"])
def test_one_that_cannot_be_accepted_any_more(reason: str) -> None:
    talk, bell, _ = welcoming()
    talk.tell(arrived())
    talk.say("ja")
    said = talk.tell(LobbyRefused(at_ms=0, request=1, reason=reason))
    assert len(said) == 2 and not bell.over
    assert said[1] == talk.said[-1], "and the welcome goes on"


def test_a_variant_that_is_not_played_is_told_and_declined() -> None:
    talk, _, _ = welcoming()
    said = talk.tell(arrived(terms=OnlineTerms(OnlineTime(300), variant="atomic")))
    assert said[0].endswith("atomic. Das spielt dieses Programm nicht; ich habe abgelehnt.")
    assert talk.request() == DeclineChallenge("chal0001", "standard", number=1)


def test_a_rematch_is_called_one() -> None:
    talk, _, _ = welcoming()
    assert talk.tell(arrived(again="game0001"))[0].startswith("Bob, tausendfünfhundert möchte Revanche: ")


def test_one_that_is_not_answered_stays_open_and_can_still_be_accepted() -> None:
    talk, bell, _ = welcoming(by_voice=True)
    talk.tell(arrived())
    for _ in range(MISSES - 1):
        assert talk.wait(SILENCE_MS) == ["Ich höre nichts.", "Annehmen, ablehnen oder später?"]
    assert talk.wait(SILENCE_MS)[0] == "Sie bleibt offen: Annehmen geht noch."
    assert not talk.asked
    assert talk.say("annehmen") == ["Angenommen."]
    talk.tell(opened())
    assert bell.over


def test_the_silence_of_the_conversation_before_begins_anew() -> None:
    talk, _, _ = welcoming(by_voice=True)
    talk.tell(arrived())
    talk.now += SILENCE_MS
    talk.say("nein")
    assert talk.wait(SILENCE_MS - 1) == []


def test_the_end_is_the_end_of_everything() -> None:
    talk, _, welcome = welcoming()
    talk.tell(arrived())
    assert talk.say("ende") == ["Auf Wiederhören."]
    assert welcome.outcome is WelcomeOutcome.END


def test_while_an_opponent_is_sought() -> None:
    online = Online(by_voice=False, wish=OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=True), numbers=count(1))
    talk = Talking(Doorbell(inner=online, numbers=online.numbers, by_voice=False))
    talk.tell(GamesListed(at_ms=0, request=1, games=()))
    talk.asked.clear()
    talk.tell(arrived())
    assert talk.say("nein") == ["Abgelehnt.", "Ich suche: zehn Minuten, gewertet."]
    talk.tell(arrived("chal0002"))
    talk.tell(opened("seek0001"))
    assert online.outcome is OnlineOutcome.GAME, "the seek was answered while the challenge was asked about"
    assert online.step is OnlineStep.SEEKING


def test_those_that_came_during_a_game_are_asked_about_after_it() -> None:
    bell = Doorbell(inner=Welcome(by_voice=False), by_voice=False, waiting=[arrived()])
    talk = Talking(bell)
    assert talk.said[-1] == f"{CHALLENGED} Annehmen?"


def test_what_the_server_tells_meanwhile_is_said_after_the_answer() -> None:
    online = Online(by_voice=False, numbers=count(1))
    talk = Talking(Doorbell(inner=online, numbers=online.numbers, by_voice=False, waiting=[arrived()]))
    assert talk.said == [f"{CHALLENGED} Annehmen?"]
    assert talk.tell(GamesListed(at_ms=0, request=1, games=())) == []
    assert talk.say("nein") == ["Abgelehnt.", "Gegner suchen, Freund herausfordern oder Computer?"]
    assert talk.say("suchen") == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]


def test_what_the_server_tells_before_the_accepted_game_opens_asks_nothing() -> None:
    online = Online(by_voice=False, numbers=count(1))
    talk = Talking(Doorbell(inner=online, numbers=online.numbers, by_voice=False, waiting=[arrived()]))
    talk.say("ja")
    assert talk.tell(GamesListed(at_ms=0, request=1, games=())) == []
    assert talk.tell(LobbyRefused(at_ms=0, request=2, reason="gone"))[1] == (
        "Gegner suchen, Freund herausfordern oder Computer?"
    )
