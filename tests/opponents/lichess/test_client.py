"""A client at the stand-in: what happens outside games, and the faults that can befall it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import chess
import pytest

from tests.drivers.lichess.clock import HandClock
from tests.drivers.lichess.faults import Fault, Kind, refusal, too_many_requests
from tests.drivers.lichess.games import Terms
from tests.drivers.lichess.standin import StandIn
from tests.drivers.lichess.world import Behaviour
from tests.opponents.lichess.doubles import Double, Pauses, Posted, Script
from voicechess.game.effects import LobbyRequest, SendMove, SendWish, Wish
from voicechess.game.events import Event, ServerLink, ServerRated, ServerState
from voicechess.messages import Failure
from voicechess.online.lobby import (
    AcceptChallenge,
    CancelSeek,
    ChallengeArrived,
    ChallengeComputer,
    ChallengeGone,
    ChallengePlayer,
    ChallengeSent,
    DeclineChallenge,
    FriendsListed,
    GameClosed,
    GameOpened,
    GamesListed,
    ListFriends,
    ListGames,
    LobbyDone,
    LobbyLink,
    LobbyRefused,
    OnlineTerms,
    OnlineTime,
    Seek,
    SeekEnded,
    Speed,
    WithdrawChallenge,
)
from voicechess.opponents.lichess.board_game import BoardGame
from voicechess.opponents.lichess.client import LichessClient
from voicechess.opponents.lichess.login import AccessToken

RAPID = OnlineTerms(OnlineTime(600, 5), colour=chess.WHITE)
E = TypeVar("E", bound=Event)


class Player:
    """A client, and everything it has posted, in any order."""

    def __init__(self, lichess: StandIn, name: str, token: str | None = None) -> None:
        self.posted = Posted()
        self.pauses = Pauses()
        self.client = LichessClient(
            lichess.url, AccessToken(token or lichess.token(name)), self.posted, lambda: 5, pause=self.pauses
        )
        self._kept: list[Event] = []

    def get(self, kind: type[E], when: Callable[[E], bool] = lambda event: True) -> E:
        """The next event of a kind, wherever it stands among others."""
        looked = 0
        while True:
            for place in range(looked, len(self._kept)):
                event = self._kept[place]
                if isinstance(event, kind) and when(event):
                    del self._kept[place]
                    return event
            looked = len(self._kept)
            self._kept.append(self.posted.next())

    def ask(self, request: LobbyRequest) -> Event:
        """Asks, and gives the answer."""
        self.client.ask(request)
        kinds = LobbyDone | LobbyRefused | ChallengeSent | GamesListed | FriendsListed
        return self.get(Event, lambda event: isinstance(event, kinds) and event.request == request.number)

    def refused(self, request: LobbyRequest) -> tuple[str, str, int]:
        answer = self.ask(request)
        assert isinstance(answer, LobbyRefused), answer
        return answer.reason, answer.detail, answer.wait_s


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn(HandClock(), behaviour=Behaviour(keep_alive_s=(0.05, 0.05))) as standin:
        yield standin
        assert standin.log.complaints == [], "requests that do not fit the description"
        assert standin.sent_twice() == []


@pytest.fixture
def player(lichess: StandIn) -> Iterator[Callable[[str], Player]]:
    made: list[Player] = []

    def make(name: str) -> Player:
        made.append(one := Player(lichess, name))
        assert one.client.connect().name == name
        assert one.get(LobbyLink).up
        return one

    yield make
    for one in made:
        one.client.close()


Make = Callable[[str], Player]


# --- logging in ---


def test_a_wrong_token(lichess: StandIn) -> None:
    with pytest.raises(Failure) as raised:
        Player(lichess, "Anna", "lip_wrong").client.connect()
    assert raised.value.key == "online.failed.token"


def test_no_network_at_the_start(lichess: StandIn) -> None:
    one = Player(lichess, "Anna")
    lichess.disconnect()
    with pytest.raises(Failure) as raised:
        one.client.connect()
    assert raised.value.key == "online.failed.unreached"
    lichess.connect()
    assert one.client.connect().id == "anna", "it can be tried again"
    one.client.close()


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (Fault(Kind.SPOIL_ANSWER, "GET /api/account", body=b"<html>"), "online.failed.server"),
        (Fault(Kind.ANSWER, "GET /api/account", status=503), "online.failed.server"),
        (too_many_requests("GET /api/account"), "online.failed.busy"),
    ],
)
def test_a_server_that_does_not_want(lichess: StandIn, fault: Fault, key: str) -> None:
    lichess.break_(fault)
    with pytest.raises(Failure) as raised:
        Player(lichess, "Anna").client.connect()
    assert raised.value.key == key


# --- seeks ---


def test_two_seeks_meet(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    assert anna.ask(Seek(OnlineTerms(OnlineTime(900, 10)), number=1)) == LobbyDone(at_ms=5, request=1)
    assert isinstance(bert.ask(Seek(OnlineTerms(OnlineTime(900, 10)), number=1)), LobbyDone)
    one, other = anna.get(GameOpened), bert.get(GameOpened)
    assert one.game.id == other.game.id and one.game.speed is Speed.RAPID
    assert anna.get(SeekEnded).request == 1


def test_a_seek_for_a_colour_and_ratings_meets_who_has_them(lichess: StandIn, player: Make) -> None:
    lichess.account("Zoe", rating=2000)
    anna, bert, zoe = player("Anna"), player("Bert"), player("Zoe")
    wanted = OnlineTerms(OnlineTime(900, 10), colour=chess.BLACK, ratings=(1400, 1800))
    anna.ask(Seek(wanted, number=1))
    zoe.ask(Seek(OnlineTerms(OnlineTime(900, 10)), number=1))
    lichess.until(lambda: lichess.do(lambda world: len(world.seeks)) == 2)
    bert.ask(Seek(OnlineTerms(OnlineTime(900, 10)), number=1))
    assert anna.get(GameOpened).game.opponent.name in ("Bert", "Zoe")
    assert not lichess.log.complaints


def test_a_cancelled_seek_is_gone(lichess: StandIn, player: Make) -> None:
    anna = player("Anna")
    anna.ask(Seek(RAPID, number=1))
    lichess.until(lambda: lichess.do(lambda world: len(world.seeks)) == 1)
    assert isinstance(anna.ask(CancelSeek(number=2)), LobbyDone)
    lichess.until(lambda: lichess.do(lambda world: len(world.seeks)) == 0)
    anna.ask(ListGames(number=3))
    assert not [event for event in anna.posted.all if isinstance(event, SeekEnded)], "nobody wants to hear of it"


def test_a_new_seek_takes_the_place_of_the_old_one(lichess: StandIn, player: Make) -> None:
    anna = player("Anna")
    anna.ask(Seek(RAPID, number=1))
    anna.ask(Seek(OnlineTerms(OnlineTime(1800)), number=2))
    lichess.until(lambda: lichess.do(lambda world: len(world.seeks)) == 1)


def test_a_seek_whose_connection_breaks_is_told(lichess: StandIn, player: Make) -> None:
    anna = player("Anna")
    lichess.break_(Fault(Kind.CUT, "POST /api/board/seek"))
    anna.ask(Seek(RAPID, number=7))
    assert anna.get(SeekEnded).request == 7


def test_a_seek_for_days_is_left_at_the_server(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    for one in (anna, bert):
        assert isinstance(one.ask(Seek(OnlineTerms(OnlineTime(days=3)), number=1)), LobbyDone)
    assert anna.get(GameOpened).game.speed is Speed.CORRESPONDENCE


@pytest.mark.parametrize(
    ("time", "reason"),
    [(OnlineTime(180, 2), "too_fast"), (OnlineTime(60), "too_fast"), (OnlineTime(), "untimed")],
)
def test_the_board_api_has_no_such_seeks(lichess: StandIn, player: Make, time: OnlineTime, reason: str) -> None:
    assert player("Anna").refused(Seek(OnlineTerms(time), number=1)) == (reason, "", 0)
    assert lichess.log.of("POST /api/board/seek") == [], "the server was not even asked"


# --- challenges ---


def test_a_challenge_is_accepted(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    sent = anna.ask(ChallengePlayer("bert", RAPID, number=1))
    assert isinstance(sent, ChallengeSent)
    arrived = bert.get(ChallengeArrived)
    assert arrived.id == sent.id and arrived.terms.colour is chess.BLACK and arrived.terms.time == RAPID.time
    assert isinstance(bert.ask(AcceptChallenge(arrived.id, number=1)), LobbyDone)
    assert anna.get(GameOpened).game.id == bert.get(GameOpened).game.id == sent.id
    assert not [event for event in anna.posted.all if isinstance(event, ChallengeGone)]


def test_a_challenge_lives_longer_than_twenty_seconds(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    sent = anna.ask(ChallengePlayer("Bert", RAPID, number=1))
    assert isinstance(sent, ChallengeSent)
    lichess.advance(120_000)
    assert isinstance(bert.ask(AcceptChallenge(sent.id, number=1)), LobbyDone)


def test_a_challenge_is_declined(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    sent = anna.ask(ChallengePlayer("Bert", RAPID, number=1))
    assert isinstance(sent, ChallengeSent)
    assert isinstance(bert.ask(DeclineChallenge(sent.id, "toofast", number=1)), LobbyDone)
    assert anna.get(ChallengeGone) == ChallengeGone(at_ms=5, id=sent.id, reason="toofast")


def test_a_challenge_is_withdrawn(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    sent = anna.ask(ChallengePlayer("Bert", RAPID, number=1))
    assert isinstance(sent, ChallengeSent)
    assert isinstance(anna.ask(WithdrawChallenge(sent.id, number=2)), LobbyDone)
    assert bert.get(ChallengeGone).reason == "cancelled"
    assert bert.refused(AcceptChallenge(sent.id, number=1))[0] == "gone"


def test_a_challenge_for_days(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    terms = OnlineTerms(OnlineTime(days=7), rated=True)
    assert isinstance(anna.ask(ChallengePlayer("Bert", terms, number=1)), ChallengeSent)
    arrived = bert.get(ChallengeArrived)
    assert arrived.terms.time == OnlineTime(days=7) and arrived.terms.rated


def test_a_position_and_no_clock(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    anna.ask(ChallengePlayer("Bert", OnlineTerms(variant="fromPosition", fen=fen), number=1))
    terms = bert.get(ChallengeArrived).terms
    assert (terms.time, terms.variant, terms.fen) == (OnlineTime(), "fromPosition", fen)


@pytest.mark.parametrize("name", ["Nobody", "Jürgen", "../account", "a b", "", "\x1b[2J", "x" * 500])
def test_an_unknown_player(lichess: StandIn, player: Make, name: str) -> None:
    assert player("Anna").refused(ChallengePlayer(name, RAPID, number=1))[0] == "unknown_player"


@pytest.mark.parametrize("challenge", ["", "../../x", "abcdefgh"])
def test_an_unknown_challenge(lichess: StandIn, player: Make, challenge: str) -> None:
    for request in (
        AcceptChallenge(challenge, number=1),
        DeclineChallenge(challenge, number=2),
        WithdrawChallenge(challenge, number=3),
    ):
        assert player("Anna").refused(request)[0] == "gone"


@pytest.mark.parametrize("level", [1, 8])
def test_the_servers_computer(lichess: StandIn, player: Make, level: int) -> None:
    anna = player("Anna")
    assert isinstance(anna.ask(ChallengeComputer(level, OnlineTerms(OnlineTime(180)), number=1)), LobbyDone)
    assert anna.get(GameOpened).game.opponent.level == level


# --- lists ---


def test_friends_who_are_there_come_first(lichess: StandIn, player: Make) -> None:
    anna, _ = player("Anna"), player("Bert")
    lichess.account("Carl")
    lichess.account("Anna").follows = ["carl", "bert"]
    listed = anna.ask(ListFriends(number=1))
    assert isinstance(listed, FriendsListed)
    assert [(friend.name, friend.online) for friend in listed.friends] == [("Bert", True), ("Carl", False)]


def test_without_the_scope_the_friends_are_not_told(lichess: StandIn) -> None:
    one = Player(lichess, "Anna", lichess.token("Anna", ("board:play", "challenge:read", "challenge:write")))
    one.client.connect()
    assert one.refused(ListFriends(number=1))[0] == "scope"
    one.client.close()


def test_games_in_progress(lichess: StandIn, player: Make) -> None:
    game = lichess.play("Anna", "Bert", Terms(600))
    anna = player("Anna")
    assert anna.get(GameOpened).game.id == game.id, "and they come by themselves"
    listed = anna.ask(ListGames(number=1))
    assert isinstance(listed, GamesListed)
    assert [(one.id, one.opponent.name, one.my_turn) for one in listed.games] == [(game.id, "Bert", True)]


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        (too_many_requests("GET /api/account/playing", retry_after=90), ("busy", "", 90)),
        (refusal(400, "Nein\x1b[2J", "GET /api/account/playing"), ("other", "Nein", 0)),
        (Fault(Kind.ANSWER, "GET /api/account/playing", status=500), ("server", "", 0)),
        (Fault(Kind.SPOIL_ANSWER, "GET /api/account/playing", body=b"[]"), ("server", "", 0)),
        (Fault(Kind.DROP, "GET /api/account/playing"), ("network", "", 0)),
    ],
)
def test_a_request_that_fails_is_answered(
    lichess: StandIn, player: Make, fault: Fault, answer: tuple[str, str, int]
) -> None:
    anna = player("Anna")
    lichess.break_(fault)
    assert anna.refused(ListGames(number=1)) == answer


def test_nothing_is_asked_twice_by_itself(lichess: StandIn, player: Make) -> None:
    """A challenge to the computer whose answer is lost may have made a game: the event stream tells."""
    anna = player("Anna")
    lichess.break_(Fault(Kind.LOSE_ANSWER, "POST /api/challenge/ai"))
    assert anna.refused(ChallengeComputer(1, RAPID, number=1))[0] == "network"
    assert anna.get(GameOpened).game.opponent.level == 1
    assert len(lichess.games()) == 1


# --- the event stream ---


@pytest.mark.parametrize("kind", [Kind.CUT, Kind.GARBAGE, Kind.ENDLESS])
def test_the_event_stream_breaks_and_is_opened_again(lichess: StandIn, player: Make, kind: Kind) -> None:
    anna = player("Anna")
    lichess.break_(Fault(kind, "GET /api/stream/event", account="anna", body=b"<html>"))
    assert not anna.get(LobbyLink).up
    assert anna.get(LobbyLink).up
    lichess.challenge("Bert", "Anna", Terms(600))
    assert anna.get(ChallengeArrived).challenger.name == "Bert"


def test_two_programs_of_one_player_take_turns_at_the_event_stream(lichess: StandIn) -> None:
    token = lichess.token("Anna")
    one, other = Player(lichess, "Anna", token), Player(lichess, "Anna", token)
    for player in (one, other):
        player.client.connect()
        assert player.get(LobbyLink).up
    game = lichess.play("Anna", "Bert")
    for player in (one, other):
        assert player.get(GameOpened).game.id == game.id
        assert not [event for event in player.posted.all[1:] if isinstance(event, LobbyLink)], "nobody hears of it"
        player.client.close()


def test_a_seek_waits_for_no_event_stream() -> None:
    """Without the event stream a game that begins would go unnoticed."""
    server, posted = Double(), Posted()
    server.answers("/api/account", {"id": "anna", "username": "Anna"})
    client = LichessClient("", AccessToken("x"), posted, lambda: 5, transport=server.transport, pause=Pauses())
    client.connect()
    client.ask(Seek(RAPID, number=1))
    assert posted.until(LobbyRefused) == LobbyRefused(at_ms=5, request=1, reason="network")
    server.streams("/api/stream/event", Script(b""))
    assert posted.until(LobbyLink) == LobbyLink(at_ms=5, up=True)
    server.streams("/api/board/seek", Script().end())
    client.ask(Seek(RAPID, number=2))
    assert posted.until(LobbyDone) == LobbyDone(at_ms=5, request=2)
    assert server.asked[-1][2] == {
        "rated": "false",
        "variant": "standard",
        "time": "10",
        "increment": "5",
        "color": "white",
    }
    client.close()


# --- a game at the stand-in ---


def test_a_game_from_the_first_move_to_the_rating(lichess: StandIn, player: Make) -> None:
    anna, bert = player("Anna"), player("Bert")
    made = lichess.play("Anna", "Bert", Terms(600, rated=True))
    (told, mine), (_, theirs) = anna.client.enter(made.id), bert.client.enter(made.id)
    assert told.terms.rated and told.terms.time == OnlineTime(600) and told.opponent.name == "Bert"
    mine.begin()
    theirs.begin()
    for number, uci in enumerate(["e2e4", "e7e5", "g1f3", "b8c6"]):
        (mine, theirs)[number % 2].send(SendMove(uci, number=number))
        for one in (anna, bert):
            one.get(ServerState, lambda state, uci=uci: state.moves[-1:] == (uci,))  # type: ignore[misc]
    theirs.send(SendWish(Wish.RESIGN, number=9))
    for one in (anna, bert):
        end = one.get(ServerState, lambda state: state.status == "resign")
        assert end.winner is chess.WHITE
        assert one.get(GameClosed).id == made.id
        assert one.get(ServerRated).change is not None


def test_several_games_each_with_a_queue_of_its_own(lichess: StandIn, player: Make) -> None:
    anna = player("Anna")
    queues = []
    for other in ("Bert", "Carl"):
        made = lichess.play("Anna", other, Terms(None, 0, 3))
        posted = Posted()
        _, game = anna.client.enter(made.id, posted)
        game.begin()
        queues.append((made, game, posted))
    for made, game, posted in queues:
        assert isinstance(posted.next(), ServerState)
        game.send(SendMove("d2d4", number=1))
        assert isinstance(state := posted.next(), ServerState) and state.moves == ("d2d4",)
        assert lichess.game(made.id).ply == 1


def test_a_game_that_is_not_there(lichess: StandIn, player: Make) -> None:
    anna = player("Anna")
    for wrong in ("zzzzzzzz", "../../account"):
        with pytest.raises(Failure) as raised:
            anna.client.enter(wrong)
        assert raised.value.key == "online.failed.gone"
    assert [one.path for one in lichess.log.of("game/stream")] == ["/api/board/game/stream/zzzzzzzz"]


def test_the_token_is_revoked_in_mid_game(lichess: StandIn) -> None:
    token = lichess.token("Anna")
    anna = Player(lichess, "Anna", token)
    anna.client.connect()
    made = lichess.play("Anna", "Bert", Terms(600))
    _, game = anna.client.enter(made.id)
    game.begin()
    lichess.revoke(token, cut=True)
    assert anna.get(ServerLink, lambda link: link.reason == "token")
    assert anna.get(LobbyLink, lambda link: link.reason == "token")
    anna.client.close()


def in_a_game(lichess: StandIn, player: Make) -> tuple[Player, BoardGame]:
    """Anna in a game against Bert, whose state has arrived."""
    anna = player("Anna")
    _, game = anna.client.enter(lichess.play("Anna", "Bert", Terms(600)).id)
    game.begin()
    anna.get(ServerState)
    return anna, game


def test_the_network_goes_and_comes_back(lichess: StandIn, player: Make) -> None:
    anna, game = in_a_game(lichess, player)
    lichess.disconnect()
    assert not anna.get(ServerLink).up
    game.send(SendMove("e2e4", number=1))
    lichess.connect()
    anna.get(ServerState, lambda state: state.moves == ("e2e4",))


def test_what_the_machine_missed_while_it_slept_is_asked_for(lichess: StandIn, player: Make) -> None:
    anna, game = in_a_game(lichess, player)
    game.renew()
    assert anna.get(ServerState).first
    assert not [event for event in anna.posted.all if isinstance(event, ServerLink)]
