"""What is said around games at a server, in the words a player would say or type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import chess
import pytest

from tests.drivers.talking import Talking
from voicechess.conversations.asking import MISSES, SILENCE_MS
from voicechess.game import events as ev
from voicechess.language.folders import LANGUAGES
from voicechess.online.lobby import (
    CancelSeek,
    ChallengeComputer,
    ChallengeGone,
    ChallengePlayer,
    ChallengeSent,
    FriendsListed,
    GameClosed,
    GameOpened,
    GamesListed,
    ListFriends,
    ListGames,
    LobbyDone,
    LobbyLink,
    LobbyRefused,
    OnlineGame,
    OnlinePlayer,
    OnlineTerms,
    OnlineTime,
    Seek,
    SeekEnded,
    Speed,
    WithdrawChallenge,
)
from voicechess.online.online import PATIENCE_MS, TOLD_FIRST_MS, TOLD_MS, Online
from voicechess.online.online_questions import OnlineStep
from voicechess.online.online_wish import GONE, REFUSED, Mode, OnlineOutcome, OnlineWish

TYPED = ev.Source.KEYBOARD
BOB = OnlinePlayer("Bob", rating=1500, online=True)
FRIENDS = (
    BOB,
    OnlinePlayer("Zoe_99"),
    OnlinePlayer("Berta"),
    OnlinePlayer("zander", online=False),
    OnlinePlayer("x-y-z"),
)
DAYS = OnlineGame("days0001", BOB, OnlineTerms(colour=chess.WHITE), my_turn=True, seconds_left=90_000)
DAYS = replace(DAYS, speed=Speed.CORRESPONDENCE)
THEIRS = replace(DAYS, id="days0002", opponent=OnlinePlayer("Zoe_99"), my_turn=False)
LIVE = replace(DAYS, id="live0001", speed=Speed.RAPID, seconds_left=300)


def opened(game: OnlineGame = LIVE) -> GameOpened:
    return GameOpened(at_ms=0, game=game)


def talking(*games: OnlineGame, language: str = "de", **given: Any) -> Talking:
    """A conversation whose list of games was answered."""
    talk = Talking(Online(**{"by_voice": False, **given}), language)
    listed = GamesListed(at_ms=0, request=talk.request().number, games=games)
    talk.said = talk.tell(listed)
    return talk


def with_friends(*friends: OnlinePlayer, **given: Any) -> Talking:
    """One that has got as far as the list of friends."""
    talk = talking(**given)
    talk.say("freund")
    request = talk.request()
    assert isinstance(request, ListFriends)
    talk.said = talk.tell(FriendsListed(at_ms=0, request=request.number, friends=friends))
    return talk


def online(talk: Talking) -> Online:
    assert isinstance(talk.conversation, Online)
    return talk.conversation


# --- seeking ---------------------------------------------------------------------------------------------------------


def test_a_seek_is_asked_for_in_three_words_and_ends_in_a_game() -> None:
    talk = talking(account=lambda: "anna")
    assert talk.said == ["Bei Lichess als anna.", "Gegner suchen, Freund herausfordern oder Computer?"]
    assert talk.say("gegner suchen") == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]
    assert talk.say("zehn minuten plus fünf gewertet") == ["Ich suche: zehn Minuten, fünf Sekunden je Zug, gewertet."]
    request = talk.request()
    assert request == Seek(OnlineTerms(OnlineTime(600, 5), rated=True), number=request.number)
    assert talk.tell(LobbyDone(at_ms=0, request=request.number)) == []
    assert talk.tell(opened()) == []
    assert (online(talk).outcome, online(talk).game) == (OnlineOutcome.GAME, LIVE)


def test_what_was_not_said_with_the_time_is_asked() -> None:
    talk = talking()
    talk.say("suchen")
    assert talk.say("fünfzehn minuten") == ["Gewertet oder freundschaftlich?"]
    assert talk.say("freundschaftlich") == ["Ich suche: fünfzehn Minuten, freundschaftlich."]
    assert talk.request() == Seek(OnlineTerms(OnlineTime(900)), number=2)


def test_a_seek_may_want_a_colour_and_ratings() -> None:
    """Said with any of its questions, or while it is open: then it goes on with these terms."""
    talk = talking()
    talk.say("suchen")
    assert talk.say("weiß") == ["Gut, Sie haben Weiß.", "Wie viele Minuten, oder Tage?"]
    assert talk.say("zehn minuten") == ["Gewertet oder freundschaftlich?"]
    asked = talk.say("von fünfzehn hundert bis achtzehn hundert")
    assert asked[0] == "Gut, Gegner von tausendfünfhundert bis tausendachthundert."
    sought = "Ich suche: zehn Minuten, gewertet, Sie haben Weiß, Gegner von tausendfünfhundert bis tausendachthundert."
    assert talk.say("gewertet") == [sought]
    terms = OnlineTerms(OnlineTime(600), rated=True, colour=chess.WHITE, ratings=(1500, 1800))
    assert talk.request() == Seek(terms, number=2)
    talk.say("schwarz")
    assert talk.request() == Seek(replace(terms, colour=chess.BLACK), number=3)
    assert talk.type("1400 bis 1500")[0].startswith("Ich suche: zehn Minuten, gewertet, Sie haben Schwarz, Gegner von")
    assert talk.request() == Seek(replace(terms, colour=chess.BLACK, ratings=(1400, 1500)), number=4)
    assert talk.say("egal") == ["Ich suche: zehn Minuten, gewertet."]
    assert talk.request() == Seek(OnlineTerms(OnlineTime(600), rated=True), number=5)


def test_what_a_seek_cannot_want() -> None:
    talk = talking()
    talk.say("suchen")
    assert talk.type("3000 bis 2000") == ["Wertungen gehen von vierhundert bis viertausend."]
    assert talk.say("drei tage") == ["Gewertet oder freundschaftlich?"]
    assert talk.say("weiß")[0] == "Im Fernschach wird die Farbe beim Suchen gelost."
    talk.say("von zwölf hundert bis zwei tausend")
    talk.say("gewertet")
    assert talk.request() == Seek(OnlineTerms(OnlineTime(days=3), rated=True, ratings=(1200, 2000)), number=2)


def test_a_friend_and_the_computer_have_no_ratings() -> None:
    talk = talking()
    talk.say("computer")
    talk.say("stufe drei")
    assert talk.say("fünfzehn hundert bis achtzehn hundert") != []
    assert online(talk).wish.ratings is None


def test_in_english() -> None:
    talk = talking(language="en", account=lambda: "anna")
    assert talk.said == ["At Lichess as anna.", "Find an opponent, challenge a friend, or computer?"]
    assert talk.type("find an opponent") == ["How many minutes? Or how many days a move?"]
    assert talk.type("10+5 rated") == ["Looking for: ten minutes, five seconds a move, rated."]
    assert talk.request() == Seek(OnlineTerms(OnlineTime(600, 5), rated=True), number=2)
    assert talk.type("from 1500 to 1800")
    assert talk.request() == Seek(OnlineTerms(OnlineTime(600, 5), rated=True, ratings=(1500, 1800)), number=3)
    assert talk.type("cancel")[0] == "Cancelled."
    assert isinstance(talk.request(), CancelSeek)


@pytest.mark.parametrize("time", ["fünf minuten", "drei minuten plus zwei", "eine minute"])
def test_blitz_is_not_sought_but_offered_with_a_friend_or_the_computer(time: str) -> None:
    talk = talking()
    talk.say("suchen")
    said = talk.say(time)
    assert said[0].startswith("Suchen geht nur für Schnellschach, klassisches und Fernschach.")
    assert not talk.asked and online(talk).step is OnlineStep.TIME
    assert talk.say("computer") == ["Stufe, von eins bis acht?"]
    assert talk.say("drei") == ["Weiß, Schwarz oder Zufall?"], "the time was named"
    talk.say("weiß")
    assert isinstance(talk.request(), ChallengeComputer)


def test_a_seek_for_days_stays_at_the_server() -> None:
    talk = talking()
    talk.say("suchen")
    assert talk.say("drei tage je zug freundschaftlich") == ["Ich suche: drei Tage je Zug, freundschaftlich."]
    request = talk.request()
    assert request == Seek(OnlineTerms(OnlineTime(days=3)), number=request.number)
    said = talk.tell(LobbyDone(at_ms=0, request=request.number))
    assert said[0].startswith("Die Suche bleibt bei Lichess.") and online(talk).step is OnlineStep.MENU
    assert talk.tell(opened(DAYS)) == ["Ihre Partie gegen Bob beginnt."]
    assert online(talk).outcome is None, "a game of days does not begin at once"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("vier tage", "Tage je Zug gibt es: eins, zwei, drei, fünf, sieben, zehn oder vierzehn."),
        ("fünf stunden", "Höchstens hundertachtzig Minuten und sechzig Sekunden je Zug."),
        ("ohne uhr", "Suchen geht nur mit Uhr. Freund, Computer, oder eine andere Zeit?"),
    ],
)
def test_times_that_cannot_be_sought(words: str, answer: str) -> None:
    talk = talking()
    talk.say("suchen")
    assert talk.say(words)[0] == answer
    assert not talk.asked
    talk.say("zehn minuten gewertet")
    assert isinstance(talk.request(), Seek)


def test_whoever_waits_is_told_so_and_can_cancel() -> None:
    talk = talking(by_voice=True, wish=OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=True))
    seek = talk.request()
    assert talk.wait(TOLD_FIRST_MS - 1) == []
    assert talk.wait(1) == ["Ich suche noch."]
    assert talk.wait(TOLD_MS - 1) == []
    assert talk.wait(1) == ["Ich suche noch."]
    assert talk.say("[unk]") == [], "a noise is no answer to nothing"
    assert talk.say("hilfe")[0].startswith("Abbrechen beendet die Suche. Die Farbe: Weiß, Schwarz, egal.")
    assert talk.say("wiederholen") == ["Ich suche: zehn Minuten, gewertet."]
    assert talk.say("abbrechen") == ["Abgebrochen.", "Gegner suchen, Freund herausfordern oder Computer?"]
    assert isinstance(talk.request(), CancelSeek)
    late = talk.tell(opened())
    assert late == ["Ihre Partie gegen Bob beginnt."], "somebody was faster: its clock runs"
    assert online(talk).outcome is OnlineOutcome.GAME
    assert isinstance(seek, Seek)


def test_a_seek_that_has_run_out_is_asked_about() -> None:
    talk = talking(wish=OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=False))
    seek = talk.request()
    talk.tell(SeekEnded(at_ms=talk.now, request=seek.number))
    assert talk.wait(PATIENCE_MS - 1) == [], "its game may be about to open"
    assert talk.wait(1) == ["Niemand hat angenommen. Weitersuchen?"]
    assert talk.say("ja") == ["Ich suche: zehn Minuten, freundschaftlich."]
    again = talk.request()
    assert again == replace(seek, number=again.number) and again.number > seek.number


def test_a_seek_that_has_ended_with_a_game_is_not_asked_about() -> None:
    talk = talking(wish=OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=False))
    talk.tell(SeekEnded(at_ms=talk.now, request=talk.request().number))
    talk.tell(opened())
    assert online(talk).outcome is OnlineOutcome.GAME


# --- challenges ------------------------------------------------------------------------------------------------------


def test_a_friend_is_challenged_by_number() -> None:
    talk = with_friends(*FRIENDS)
    assert talk.said == [
        "Fünf Freunde. Eins: Bob, tausendfünfhundert, online; zwei: Zoe_99; drei: Berta; vier: zander. "
        "Welche Nummer, oder welcher Name?"
    ]
    assert talk.say("weiter") == ["Fünf: x-y-z."]
    assert talk.say("weiter")[0].startswith("Fünf Freunde. Eins: Bob"), "after the last the first"
    assert talk.say("zwei") == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]
    assert talk.say("fünf minuten plus drei") == ["Gewertet oder freundschaftlich?"]
    assert talk.say("ungewertet") == ["Weiß, Schwarz oder Zufall?"]
    assert talk.say("schwarz") == [
        "Ich fordere Zoe_99 heraus: fünf Minuten, drei Sekunden je Zug, freundschaftlich, Sie haben Schwarz."
    ]
    request = talk.request()
    assert request == ChallengePlayer(
        "Zoe_99", OnlineTerms(OnlineTime(300, 3), colour=chess.BLACK), number=request.number
    )
    talk.tell(ChallengeSent(at_ms=0, request=request.number, id="chal0001"))
    assert talk.wait(TOLD_FIRST_MS) == ["Ich warte noch auf die Antwort."]
    talk.tell(opened(replace(LIVE, id="chal0001")))
    assert online(talk).outcome is OnlineOutcome.GAME and not talk.asked


@pytest.mark.parametrize(
    ("typed", "name"), [("zoe_99", "Zoe_99"), ("Magnus", "Magnus"), ("@hilfe", "hilfe"), ("@12", "12"), ("Eva", "Eva")]
)
def test_a_name_is_typed(typed: str, name: str) -> None:
    talk = with_friends(*FRIENDS)
    assert talk.type(typed) == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]
    assert online(talk).wish.name == name


def test_the_beginning_of_a_friends_name_is_asked_about() -> None:
    talk = with_friends(*FRIENDS)
    assert talk.type("zo") == ["Meinen Sie Zoe_99?"]
    talk.say("ja")
    assert online(talk).wish.name == "Zoe_99"


def test_a_name_is_spelled_with_the_announcing_alphabet() -> None:
    talk = with_friends(*FRIENDS)
    assert talk.say("buchstabieren") == ["Buchstabieren Sie."]
    assert talk.say("martha anna") == ["Martha anna."]
    assert talk.say("gustav") == ["Gustav."]
    assert talk.say("zurück") == ["Gelöscht. Bisher: M, A."]
    for word in ("xanthippe", "neun", "unterstrich", "zwo bindestrich"):
        assert talk.say(word) == [word.capitalize() + "."]
    assert talk.say("fertig") == ["M, A, X, 9, Unterstrich, 2, Bindestrich. Richtig?"]
    assert talk.say("nein") == ["Buchstabieren Sie."]
    talk.say("zurück")
    talk.say("fertig")
    talk.say("ja")
    assert online(talk).wish.name == "max9_2"


def test_one_friend_is_meant_by_the_first_letters() -> None:
    talk = with_friends(*FRIENDS)
    talk.say("buchstabieren")
    assert talk.say("zacharias") == ["Zacharias."], "two begin like that"
    assert talk.say("otto") == ["Meinen Sie Zoe_99?"]
    assert talk.say("nein") == ["Buchstabieren Sie."]
    assert talk.say("eva") == ["Eva."], "declined once"
    assert talk.say("fertig") == ["Z, O, E. Richtig?"]


def test_one_friend_is_one() -> None:
    talk = with_friends(BOB)
    assert talk.said == ["Ein Freund. Eins: Bob, tausendfünfhundert, online. Welche Nummer, oder welcher Name?"]
    assert talk.say("weiter") == talk.said, "there are no others"


def test_without_friends_a_name_is_typed_or_spelled() -> None:
    talk = with_friends()
    assert talk.said == ["Sie folgen niemandem. Tippen Sie einen Namen, oder: buchstabieren."]
    assert talk.type("Bob") == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]


@pytest.mark.parametrize(
    "name", ["Jürgen", "a", "x" * 31, "bob/../x", "bob?", "\x1b[2Jbob", "bob\u202e", "наташа", "_bob", "a b"]
)
def test_a_name_that_none_can_have_is_not_asked_for(name: str) -> None:
    talk = with_friends(*FRIENDS)
    (said, again) = talk.type(name)
    assert said.startswith("So kann bei Lichess niemand heißen: ") and again == "Nummer, Name oder weiter?"
    assert said.isprintable() and len(said) < 90
    assert not talk.asked


def test_names_from_the_server_cannot_do_anything_to_a_terminal_or_go_on_for_ever() -> None:
    strange = OnlinePlayer("\x1b]0;title\x07Eve\x1b[31m\u202e" + "x" * 1000)
    talk = with_friends(strange)
    assert talk.said[0].isprintable() and len(talk.said[0]) < 150
    talk = talking(replace(DAYS, opponent=strange))
    assert talk.said[0].isprintable() and len(talk.said[0]) < 150


def test_an_unknown_player_is_told_and_another_is_asked_for() -> None:
    talk = talking(wish=OnlineWish(Mode.CHALLENGE, "Nobody", time=OnlineTime(600), rated=False, lot=True))
    request = talk.request()
    said = talk.tell(LobbyRefused(at_ms=0, request=request.number, reason="unknown_player"))
    assert said == ["Nobody gibt es bei Lichess nicht."]
    friends = talk.request()
    assert isinstance(friends, ListFriends)
    talk.tell(FriendsListed(at_ms=0, request=friends.number, friends=FRIENDS))
    talk.say("eins")
    assert talk.request() == ChallengePlayer("Bob", OnlineTerms(OnlineTime(600)), number=friends.number + 1), (
        "the rest is known"
    )


@pytest.mark.parametrize("reason", [*sorted(GONE), "nonsense"])
def test_why_a_challenge_led_to_nothing_is_told(reason: str) -> None:
    talk = talking(wish=OnlineWish(Mode.CHALLENGE, "Bob", time=OnlineTime(600), rated=False, lot=True))
    talk.tell(ChallengeSent(at_ms=0, request=talk.request().number, id="chal0001"))
    assert talk.tell(ChallengeGone(at_ms=0, id="other001", reason=reason)) == []
    said = talk.tell(ChallengeGone(at_ms=0, id="chal0001", reason=reason))
    assert len(said) == 2 and said[1] == "Gegner suchen, Freund herausfordern oder Computer?"


def test_a_challenge_is_taken_back_even_if_it_was_not_yet_there() -> None:
    talk = talking(wish=OnlineWish(Mode.CHALLENGE, "Bob", time=OnlineTime(600), rated=False, lot=True))
    request = talk.request()
    assert talk.say("abbrechen")[0] == "Abgebrochen."
    assert not talk.asked
    talk.tell(ChallengeSent(at_ms=0, request=request.number, id="chal0001"))
    assert talk.request() == WithdrawChallenge("chal0001", number=request.number + 1)
    talk = talking(wish=OnlineWish(Mode.CHALLENGE, "Bob", time=OnlineTime(600), rated=False, lot=True))
    talk.tell(ChallengeSent(at_ms=0, request=talk.request().number, id="chal0001"))
    talk.say("zurück")
    assert isinstance(talk.request(), WithdrawChallenge)


def test_a_challenge_for_days_is_not_waited_for() -> None:
    talk = talking(wish=OnlineWish(Mode.CHALLENGE, "Bob", time=OnlineTime(days=2), rated=False, lot=True))
    said = talk.tell(ChallengeSent(at_ms=0, request=talk.request().number, id="chal0001"))
    assert said[0] == "Bob hat Zeit zu antworten. Die Partie steht dann bei den laufenden."
    assert online(talk).step is OnlineStep.MENU


# --- the computer, games in progress, a rematch ----------------------------------------------------------------------


def test_the_servers_computer_without_a_clock() -> None:
    talk = talking()
    assert talk.say("computer") == ["Stufe, von eins bis acht?"]
    assert talk.say("stufe neun")[0] == "Gehört: stufe neun."
    talk.say("acht")
    talk.say("ohne uhr")
    assert talk.say("zufall") == ["Computer, Stufe acht, ohne Uhr."]
    request = talk.request()
    assert request == ChallengeComputer(8, OnlineTerms(), number=request.number)
    assert talk.wait(PATIENCE_MS) == ["Ich warte noch auf Lichess."]
    talk.tell(opened(replace(LIVE, speed=Speed.UNLIMITED)))
    assert online(talk).outcome is OnlineOutcome.GAME


def test_games_in_progress_are_told_at_the_start_and_opened_by_number() -> None:
    talk = talking(DAYS, THEIRS, account=lambda: "anna")
    assert talk.said == [
        "Bei Lichess als anna.",
        "Zwei Partien laufen, eine wartet auf Sie. Eins: gegen Bob, tausendfünfhundert, Sie sind am Zug, "
        "noch ein Tag; zwei: gegen Zoe_99. Welche Nummer?",
    ]
    assert talk.say("drei")[0] == "Gehört: drei."
    assert talk.say("zwei") == []
    assert online(talk).game == THEIRS


def test_the_only_game_in_progress_is_a_question_of_yes_or_no() -> None:
    talk = talking(DAYS)
    assert talk.said[-1].endswith("Weiterspielen?")
    talk.say("ja")
    assert online(talk).game == DAYS
    declined = talking(DAYS)
    assert declined.say("nein") == ["Gegner suchen, Freund herausfordern, Computer oder laufende Partien?"]
    declined.say("laufende partien")
    request = declined.request()
    assert isinstance(request, ListGames), "as they stand now"
    assert declined.tell(GamesListed(at_ms=0, request=request.number, games=()))[0] == "Keine Partie läuft."


@pytest.mark.parametrize("wish", [OnlineWish(), OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=True)])
def test_a_game_whose_clock_runs_is_entered_at_once(wish: OnlineWish) -> None:
    talk = talking(DAYS, LIVE, wish=wish)
    assert talk.said == ["Ihre Partie gegen Bob läuft noch."]
    assert online(talk).game == LIVE and not talk.asked
    left = talking(LIVE, left=frozenset({LIVE.id}))
    assert online(left).outcome is None and left.said[-1].endswith("Weiterspielen?")


def test_games_that_were_there_before_do_not_open_again_when_the_stream_does() -> None:
    talk = Talking(Online(by_voice=False, wish=OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=True)))
    assert talk.tell(opened(DAYS)) == [] and talk.tell(opened(THEIRS)) == [], "before the list is there"
    talk.tell(GamesListed(at_ms=0, request=talk.request().number, games=(DAYS,)))
    assert isinstance(talk.request(), Seek)
    for game in (DAYS, THEIRS):
        assert talk.tell(opened(game)) == [] and online(talk).outcome is None
    talk.tell(GameClosed(at_ms=0, id=DAYS.id))
    assert DAYS not in online(talk).games


def test_variants_that_are_not_played_are_not_offered() -> None:
    atomic = replace(DAYS, terms=replace(DAYS.terms, variant="atomic"))
    talk = talking(atomic)
    assert talk.said == ["Gegner suchen, Freund herausfordern oder Computer?"]
    assert talk.tell(opened(replace(atomic, id="atom0002"))) == []


@pytest.mark.parametrize("level", [None, 3])
def test_a_rematch_has_the_same_terms_and_the_other_colour(level: int | None) -> None:
    before = replace(
        LIVE, opponent=replace(BOB, level=level), terms=OnlineTerms(OnlineTime(300, 3), True, "chess960", chess.WHITE)
    )
    talk = talking(rematch=before)
    who = "Bob, tausendfünfhundert" if level is None else "Computer, Stufe drei"
    rated = "gewertet, " if level is None else ""
    assert talk.said == [
        f"Revanche gegen {who}: fünf Minuten, drei Sekunden je Zug, {rated}Schach960, Sie haben Schwarz?"
    ]
    talk.say("ja")
    terms = replace(before.terms, colour=chess.BLACK)
    request = talk.request()
    expected = ChallengePlayer("Bob", terms, number=2) if level is None else ChallengeComputer(3, terms, number=2)
    assert request == expected
    declined = talking(rematch=before)
    assert declined.say("nein") == ["Gegner suchen, Freund herausfordern oder Computer?"]


# --- what can go wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", [*sorted(REFUSED), "nonsense"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_told_and_something_follows(reason: str, language: str) -> None:
    wish = OnlineWish(Mode.CHALLENGE, "Bob", time=OnlineTime(600), rated=False, lot=True)
    talk = talking(wish=wish, language=language)
    detail = "\x1b[2Jno\n" + "x" * 500
    said = talk.tell(LobbyRefused(at_ms=0, request=talk.request().number, reason=reason, detail=detail, wait_s=60))
    assert said and all(one.isprintable() and len(one) < 250 for one in said)
    if reason in ("token", "scope"):
        assert online(talk).outcome is OnlineOutcome.BACK
    else:
        assert talk.asked or len(said) == 2, "a question follows"


def test_no_network_at_the_start_is_tried_again_or_left() -> None:
    talk = Talking(Online(by_voice=False))
    said = talk.tell(LobbyRefused(at_ms=0, request=talk.request().number, reason="network"))
    assert said == ["Lichess ist nicht zu erreichen.", "Noch einmal versuchen?"]
    assert talk.say("ja") == []
    talk.tell(LobbyRefused(at_ms=0, request=talk.request().number, reason="network"))
    talk.say("nein")
    assert online(talk).outcome is OnlineOutcome.BACK


def test_a_request_that_failed_is_sent_again_only_if_that_is_wanted() -> None:
    talk = talking(wish=OnlineWish(Mode.SEEK, time=OnlineTime(600), rated=True))
    seek = talk.request()
    said = talk.tell(LobbyRefused(at_ms=0, request=seek.number, reason="busy", wait_s=60))
    assert said == ["Lichess bittet um eine Pause: eine Minute.", "Noch einmal versuchen?"]
    assert talk.say("ja") == ["Ich suche: zehn Minuten, gewertet."]
    again = talk.request()
    assert isinstance(again, Seek) and again.number != seek.number
    assert talk.tell(LobbyRefused(at_ms=0, request=seek.number, reason="network")) == [], "the answer to the one before"


def test_a_lost_connection_is_told_once_and_its_return() -> None:
    talk = talking()
    assert talk.tell(LobbyLink(at_ms=0, up=True)) == []
    down = LobbyLink(at_ms=0, up=False, reason="silent")
    assert talk.tell(down) == ["Lichess antwortet nicht. Ich versuche es weiter."]
    assert talk.tell(down) == []
    assert talk.tell(LobbyLink(at_ms=0, up=True)) == ["Lichess ist wieder da."]
    talk.tell(LobbyLink(at_ms=0, up=False, reason="token"))
    assert online(talk).outcome is OnlineOutcome.BACK


# --- asked like everywhere -------------------------------------------------------------------------------------------

PLACES: dict[OnlineStep, Callable[[], Talking]] = {}


def place(step: OnlineStep, *words: str) -> None:
    def made() -> Talking:
        talk = with_friends(*FRIENDS, by_voice=True) if words and words[0] == "freund" else talking(by_voice=True)
        for one in words[1:] if words and words[0] == "freund" else words:
            talk.say(one)
        talk.asked.clear()
        assert online(talk).step is step
        return talk

    PLACES[step] = made


place(OnlineStep.MENU)
place(OnlineStep.TIME, "suchen")
place(OnlineStep.RATED, "suchen", "zehn minuten")
place(OnlineStep.SEEKING, "suchen", "zehn minuten", "gewertet")
place(OnlineStep.LEVEL, "computer")
place(OnlineStep.COLOUR, "computer", "drei", "zehn minuten")
place(OnlineStep.ASKING, "computer", "drei", "zehn minuten", "weiß")
place(OnlineStep.FRIEND, "freund")
place(OnlineStep.SPELLING, "freund", "buchstabieren")
place(OnlineStep.SPELLED, "freund", "buchstabieren", "anna bella", "fertig")
place(OnlineStep.MEANT, "freund", "buchstabieren", "zacharias", "otto")
place(OnlineStep.CHALLENGING, "freund", "eins", "zehn minuten", "gewertet", "zufall")
PLACES[OnlineStep.GAMES] = lambda: talking(DAYS, THEIRS, by_voice=True)
PLACES[OnlineStep.REMATCH] = lambda: talking(rematch=LIVE, by_voice=True)


@pytest.mark.parametrize("step", PLACES)
def test_every_question_has_help_can_be_repeated_and_ends(step: OnlineStep) -> None:
    talk = PLACES[step]()
    first = talk.say("noch einmal")
    assert first
    told = talk.say("hilfe")
    assert len(told) >= 3 and told[-2] == "Mehr mit Hilfe."
    assert talk.say("hilfe")[0].startswith("Und: Zurück.")
    assert talk.say("noch einmal") == first, "help does not take the question's place"
    assert talk.say("lauter") and talk.say("stopp")
    assert talk.say("englisch")[0] == "English from now on." and talk.say("deutsch")[0] == "Jetzt Deutsch."
    assert online(talk).step is step
    talk.say("ende")
    assert online(talk).outcome is OnlineOutcome.END


@pytest.mark.parametrize("step", PLACES)
def test_silence_and_nonsense_are_answered(step: OnlineStep) -> None:
    talk = PLACES[step]()
    waits = step in (OnlineStep.SEEKING, OnlineStep.CHALLENGING, OnlineStep.ASKING)
    assert talk.wait(SILENCE_MS if not waits else TOLD_FIRST_MS)
    for _ in range(MISSES):
        assert talk.say("wetter")
    assert online(talk).step is step


@pytest.mark.parametrize("step", PLACES)
def test_back_leads_out_of_everything(step: OnlineStep) -> None:
    talk = PLACES[step]()
    for _ in range(8):
        if online(talk).over:
            break
        talk.say("zurück")
    assert online(talk).outcome is OnlineOutcome.BACK
    assert not [one for one in talk.asked if isinstance(one, Seek | ChallengePlayer | ChallengeComputer)]


def test_back_goes_one_question_back() -> None:
    talk = with_friends(*FRIENDS)
    for words in ("eins", "zehn minuten", "gewertet"):
        talk.say(words)
    assert talk.say("zurück") == ["Gewertet oder freundschaftlich?"]
    assert talk.say("zurück") == ["Wie viele Minuten? Oder wie viele Tage je Zug?"]
    assert talk.say("zurück")[0].startswith("Fünf Freunde.")
    assert talk.say("zurück") == ["Gegner suchen, Freund herausfordern oder Computer?"]
    talk.say("zurück")
    assert online(talk).outcome is OnlineOutcome.BACK
