"""The client at the stand-in: every fault for itself, then by lot; the game goes on, and no move is sent twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.drivers.lichess.faults import TERMINAL_ESCAPES, Fault, Kind, refusal, too_many_requests
from tests.drivers.lichess.games import Game, Terms
from tests.drivers.lichess.standin import StandIn
from tests.drivers.lichess.world import SCOPES, Behaviour, Token
from tests.opponents.lichess.robots import Robot, Seen, by_lot, script
from voicechess.game.effects import LobbyRequest, SendMove, SendWish, Wish
from voicechess.game.events import Event, ServerChat, ServerPresence
from voicechess.messages import Failure
from voicechess.online.lobby import (
    AcceptChallenge,
    ChallengeArrived,
    ChallengeComputer,
    ChallengeGone,
    ChallengePlayer,
    ChallengeSent,
    DeclineChallenge,
    FriendsListed,
    GameOpened,
    GamesListed,
    ListFriends,
    ListGames,
    LobbyDone,
    LobbyRefused,
    OnlineTerms,
    OnlineTime,
    Seek,
    WithdrawChallenge,
)
from voicechess.opponents.lichess import transport

STREAM = "GET */game/stream/*"
EVENTS = "GET /api/stream/event"
MOVE = "POST */move/*"
ENDLESS = 300_000


@pytest.fixture
def lichess(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    monkeypatch.setattr(transport, "READ_S", 3.0)
    monkeypatch.setattr(transport, "REQUEST_S", 6.0)
    with StandIn(behaviour=Behaviour(keep_alive_s=(0.1, 0.1))) as standin:
        yield standin


def whole_game(lichess: StandIn, faults: list[Fault], plies: int = 12, seed: int = 1) -> tuple[Seen, Seen]:
    """Two robots play a game with these faults; both know the same of it in the end."""
    with Robot(lichess, "Anna", silence_s=3) as anna, Robot(lichess, "Bert", silence_s=3) as bert:
        game = lichess.play("Anna", "Bert", Terms(600, 5)).id
        white, black = anna.play(game), bert.play(game)
        lichess.break_(*faults)
        bert.go(black, by_lot(seed, plies))
        anna.go(white, by_lot(seed, plies))
        lichess.until(lambda: white.over and black.over)
    truth = lichess.game(game)
    assert (truth.status, truth.winner, truth.ply) == ("resign", plies % 2 == 1, plies)
    assert white.result == black.result == (tuple(truth.moves()), truth.status, truth.winner)
    if all(fault.kind is not Kind.STALE for fault in faults):
        # Where the server says for a moment that the move is gone, nobody can know better than to send it again.
        assert lichess.sent_twice() == []
    assert lichess.log.complaints == []
    if all(fault.seconds < 3 for fault in faults):
        # Else one was given up, and the server is still at it.
        assert (lichess.most_at_once("anna"), lichess.most_at_once("bert")) == (1, 1)
    return white, black


FAULTS = {
    "cut": [Fault(Kind.CUT, STREAM, after=3, times=3)],
    "cut for one": [Fault(Kind.CUT, STREAM, "anna", after=1, times=4)],
    "ended": [Fault(Kind.END, STREAM, after=3, times=3)],
    "silent": [Fault(Kind.SILENCE, STREAM, "anna", after=4)],
    "garbage": [Fault(Kind.GARBAGE, STREAM, after=2, times=6)],
    "endless": [Fault(Kind.ENDLESS, STREAM, after=3, times=2, size=ENDLESS)],
    "wrong types": [Fault(Kind.WRONG_TYPES, STREAM, after=2, times=5)],
    "stale": [Fault(Kind.STALE, STREAM, after=4, times=3)],
    "lost": [Fault(Kind.LOSE_ANSWER, MOVE, times=4, after=1)],
    "dropped": [Fault(Kind.DROP, MOVE, times=4, after=1)],
    "late": [Fault(Kind.LATE_ANSWER, MOVE, seconds=0.3, times=3)],
    "slow": [Fault(Kind.SLOW, MOVE, seconds=0.3, times=3)],
    "not answered": [Fault(Kind.LATE_ANSWER, MOVE, seconds=30, after=1)],
    "dripping": [Fault(Kind.DRIP, MOVE, seconds=30, times=2, after=1)],
    "dripping streams": [Fault(Kind.CUT, STREAM, after=3), Fault(Kind.DRIP, STREAM, seconds=30, times=2)],
    "spoilt": [Fault(Kind.SPOIL_ANSWER, MOVE, body=b"<html>", times=3)],
    "busy": [too_many_requests(MOVE, times=2)],
    "busy for two minutes": [too_many_requests(MOVE, retry_after=120)],
    "busy everywhere": [too_many_requests(retry_after=1, after=1, times=3)],
    "failing": [refusal(status, "x", MOVE) for status in (500, 502, 503, 504)],
    "failing in HTML": [Fault(Kind.ANSWER, MOVE, status=502, body=b"<html>" * 50_000, times=2)],
    "refused": [refusal(400, "Not your turn, or game already over", MOVE, after=2)],
    "both streams": [Fault(Kind.CUT, STREAM, after=4), Fault(Kind.CUT, EVENTS, times=3)],
    "lost and cut": [Fault(Kind.LOSE_ANSWER, MOVE, times=3), Fault(Kind.CUT, STREAM, after=2, times=6)],
    "dropped and cut": [Fault(Kind.DROP, MOVE, times=3), Fault(Kind.CUT, STREAM, after=2, times=6)],
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_game_survives(lichess: StandIn, name: str) -> None:
    faults = FAULTS[name]
    for fault in faults:
        fault.struck = 0
    whole_game(lichess, faults)
    if name not in ("both streams",):
        assert all(fault.struck for fault in faults), faults


SOME = sorted(set(FAULTS) - {"silent", "not answered", "dripping", "dripping streams", "busy for two minutes", "stale"})


@pytest.mark.parametrize("seed", range(int(os.environ.get("VOICECHESS_FAULT_SEEDS", "6"))))
def test_a_game_survives_faults_by_lot(lichess: StandIn, seed: int) -> None:
    """Several of them, in any order, at any time."""
    dice = Random(seed)
    faults = [
        replace(fault, after=dice.randrange(12), times=dice.randint(1, 4), account=dice.choice((None, "anna", "bert")))
        for name in dice.sample(SOME, 5)
        for fault in FAULTS[name]
    ]
    whole_game(lichess, faults, plies=dice.randint(4, 30), seed=seed)


def test_the_network_goes_and_comes_back(lichess: StandIn) -> None:
    with Robot(lichess, "Anna") as anna, Robot(lichess, "Bert") as bert:
        game = lichess.play("Anna", "Bert").id
        white, black = anna.play(game), bert.play(game)
        anna.go(white, script("e2e4"))
        bert.go(black, script("", "e7e5"))
        lichess.until(lambda: len(white.moves) == 2 == len(black.moves))
        lichess.disconnect()
        lichess.until(lambda: white.links and black.links)
        anna.go(white, script("", "", "g1f3"))
        lichess.until(lambda: anna.times.pauses)
        lichess.connect()
        lichess.until(lambda: len(white.moves) == 3 == len(black.moves))
        lichess.until(lambda: white.links[-1].up and black.links[-1].up)
    assert lichess.game(game).moves() == ["e2e4", "e7e5", "g1f3"]
    assert lichess.sent_twice() == []
    # Said once when it goes, once when it comes back.
    assert [link.up for link in black.links] == [False, True]


def test_without_a_network_at_the_start_there_is_one_sentence() -> None:
    with StandIn(listening=False) as lichess, pytest.raises(Failure) as failed, Robot(lichess, "Anna"):
        pass
    assert failed.value.key == "online.failed.unreached"


def test_a_token_that_is_worth_nothing_is_one_sentence(lichess: StandIn) -> None:
    robot = Robot(lichess, "Anna")
    lichess.revoke(robot.text)
    with pytest.raises(Failure) as failed, robot:
        pass
    assert failed.value.key == "online.failed.token"


@pytest.mark.parametrize("cut", [False, True])
def test_a_token_revoked_in_mid_game_is_told_and_nothing_is_asked_any_more(lichess: StandIn, cut: bool) -> None:
    with Robot(lichess, "Anna") as anna:
        game = lichess.play("Anna", "Bert").id
        white = anna.play(game)
        lichess.revoke(anna.text, cut=cut)
        anna.go(white, script("e2e4"))
        refused = lichess.until(lambda: [one.reason for one in white.refused])
        lichess.until(lambda: not cut or [link for link in white.links if link.reason == "token"])
    assert refused == ["token"]
    assert [one.reason for one in white.links if not one.up][:1] in (["token"], ["lost"])
    denied = [one for one in lichess.log.exchanges if one.status == 401]
    assert len(denied) <= 4, "it does not try for ever"


def offer(lichess: StandIn, game_id: str) -> None:
    lichess.do(lambda world: world.act(game := world.games[game_id], lambda now: game.draw(False, True, now)))


def takeback(lichess: StandIn, game_id: str) -> None:
    lichess.do(lambda world: world.act(game := world.games[game_id], lambda now: game.takeback(False, True, now)))


WISHES: dict[Wish, tuple[str, Callable[[StandIn, str], None], Callable[[Game], bool]]] = {
    Wish.RESIGN: ("resign", lambda *_: None, lambda game: game.winner is False),
    Wish.OFFER_DRAW: ("draw/yes", lambda *_: None, lambda game: game.draws == {True}),
    Wish.ACCEPT_DRAW: ("draw/yes", offer, lambda game: game.status == "draw"),
    Wish.DECLINE_DRAW: ("draw/no", offer, lambda game: not game.draws),
    Wish.PROPOSE_TAKEBACK: ("takeback/yes", lambda *_: None, lambda game: game.takes_back == {True}),
    Wish.ACCEPT_TAKEBACK: ("takeback/yes", takeback, lambda game: game.ply == 3),
    Wish.DECLINE_TAKEBACK: (
        "takeback/no",
        takeback,
        lambda game: not game.takes_back,
    ),
}
"""What a player can want in mid-game; what has to be before, and what it has come to."""


@pytest.mark.parametrize("kind", [None, Kind.DROP, Kind.LOSE_ANSWER, Kind.SLOW])
@pytest.mark.parametrize("wish", WISHES)
def test_what_a_player_wants_is_done_once(lichess: StandIn, wish: Wish, kind: Kind | None) -> None:
    path, before, done = WISHES[wish]
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, "e2e4", "e7e5", "g1f3", "b8c6")
    before(lichess, game.id)
    with Robot(lichess, "Anna") as anna:
        white = anna.play(game.id)
        lichess.until(lambda: white.states)
        if kind:
            lichess.break_(Fault(kind, f"POST */{path}", seconds=0.1))
        anna.ask(white, SendWish(wish, 7))
        lichess.until(lambda: lichess.do(lambda _: done(game)) and white.states[-1].moves == tuple(game.moves()))
    carried_out = [one for one in lichess.log.of(path) if one.carried_out]
    assert len(carried_out) == 1
    assert white.refused == []


def test_moves_that_the_server_takes_back_or_has_had_otherwise(lichess: StandIn) -> None:
    with Robot(lichess, "Anna") as anna:
        game = lichess.play("Anna", "Bert").id
        white = anna.play(game)
        lichess.move(game, "e2e4", "e7e5", "g1f3", "b8c6")
        lichess.rewind(game, 3)
        lichess.until(lambda: white.moves == ("e2e4",))
        lichess.rewrite(game, ("d2d4", "d7d5", "c2c4"))
        lichess.until(lambda: white.moves == ("d2d4", "d7d5", "c2c4"))
        # A move made meanwhile for a position that is not there any more is refused, and what stands is told.
        lichess.break_(Fault(Kind.SLOW, MOVE, seconds=0.2))
        lichess.rewind(game, 1)
        lichess.until(lambda: white.moves == ("d2d4", "d7d5"))
        anna.ask(white, SendMove("g1f3", number=3))
        lichess.until(lambda: lichess.log.of("move"))
        lichess.rewrite(game, ("d2d4", "d7d5", "c2c4"))
        lichess.until(lambda: white.refused)
        lichess.until(lambda: white.moves == ("d2d4", "d7d5", "c2c4"))
    assert [(one.request, one.reason) for one in white.refused] == [(3, "move")]


def test_an_opponent_who_goes_and_whose_coming_back_is_never_told(lichess: StandIn) -> None:
    lichess.behaviour.says_back = False
    with Robot(lichess, "Anna") as anna:
        game = lichess.play("Anna", "Bert").id
        lichess.move(game, "e2e4", "e7e5")
        white = anna.play(game)
        with Robot(lichess, "Bert") as bert:
            bert.play(game)
        gone = lichess.until(lambda: [one for one in white.others if isinstance(one, ServerPresence)])
        assert (gone[0].gone, gone[0].claim_ms) == (True, 30_000)
        anna.ask(white, SendWish(Wish.CLAIM_VICTORY, 1))
        assert lichess.until(lambda: white.refused)[0].reason == "wish"
        with Robot(lichess, "Bert") as bert:
            bert.play(game, script("", "", "", "b8c6"))
            lichess.move(game, "g1f3")
            lichess.until(lambda: len(white.moves) == 4)


def test_half_the_time_is_had_in_an_arena_only_before_ones_first_move(lichess: StandIn) -> None:
    with Robot(lichess, "Anna") as anna:
        game = lichess.play("Anna", "Bert", Terms(600))
        white = anna.play(game.id)
        anna.ask(white, SendWish(Wish.BERSERK, 1))
        assert lichess.until(lambda: white.refused)[0].reason == "wish"
        game.arena = True
        anna.ask(white, SendWish(Wish.BERSERK, 2))
        lichess.until(lambda: game.left_ms(True, game.moved_ms) == 300_000)
        assert game.left_ms(False, game.moved_ms) == 600_000 and len(white.refused) == 1
        lichess.move(game.id, "e2e4")
        anna.ask(white, SendWish(Wish.BERSERK, 3))
        lichess.until(lambda: len(white.refused) == 2)


def test_what_the_opponent_writes_has_no_escapes(lichess: StandIn) -> None:
    lichess.account("evil1").name = TERMINAL_ESCAPES
    with Robot(lichess, "Anna") as anna:
        game = lichess.play("Anna", "evil1")
        white = anna.play(game.id)
        lichess.do(lambda world: world.say(game, TERMINAL_ESCAPES, TERMINAL_ESCAPES * 100))
        chat = lichess.until(lambda: [one for one in white.others if isinstance(one, ServerChat)])[0]
    for text in (white.online.opponent.name, chat.name, chat.text):
        assert text.isprintable() and len(text) <= 500


def test_a_game_without_a_clock_and_one_that_expires(lichess: StandIn) -> None:
    with Robot(lichess, "Anna") as anna:
        untimed = anna.play(lichess.play("Anna", "Bert", Terms()).id)
        lichess.behaviour.expires = True
        expiring = anna.play(lichess.play("Anna", "Bert").id)
        lichess.until(lambda: untimed.states and expiring.states)
        lichess.end(expiring.online.id, "aborted")
        lichess.until(lambda: expiring.over)
    assert (untimed.states[0].white_ms, untimed.states[0].black_ms) == (None, None)
    assert 0 < (expiring.states[0].expires_ms or 0) <= 30_000


def test_the_computer_as_it_is_described_and_as_the_server_has_it(lichess: StandIn) -> None:
    with Robot(lichess, "Anna") as anna:
        for bare in (False, True):
            lichess.behaviour.bare_computer = bare
            anna.client.ask(ChallengeComputer(3, OnlineTerms(OnlineTime(600), colour=True), number=int(bare) + 1))
            opened = lichess.until(lambda: [one for one in anna.lobby if isinstance(one, GameOpened)])[-1]
            seen = anna.play(opened.game.id, script("e2e4"))
            assert seen.online.opponent.level == 3
            lichess.until(lambda seen=seen: len(seen.moves) == 2)  # type: ignore[misc]
            anna.lobby.clear()


# --- outside a game ---


def told(lichess: StandIn, robot: Robot, kind: type[Event]) -> Event:
    """The next event of this kind in the lobby."""

    def found() -> Event | None:
        return next((one for one in robot.lobby if isinstance(one, kind)), None)

    event = lichess.until(found)
    assert event is not None
    robot.lobby.remove(event)
    return event


RAPID = OnlineTerms(OnlineTime(600, 5))


@pytest.mark.parametrize("kind", [Kind.DROP, Kind.LOSE_ANSWER])
@pytest.mark.parametrize(
    "request_", [ChallengePlayer("Bert", RAPID, number=1), ChallengeComputer(2, RAPID, number=1), Seek(RAPID, number=1)]
)
def test_what_could_be_two_games_is_asked_for_once(lichess: StandIn, request_: LobbyRequest, kind: Kind) -> None:
    lichess.account("Bert")
    with Robot(lichess, "Anna") as anna:
        lichess.until(lambda: lichess.do(lambda world: world.events))
        lichess.break_(Fault(kind, "POST *"))
        anna.client.ask(request_)
        refused = told(lichess, anna, LobbyRefused)
        assert isinstance(refused, LobbyRefused) and (refused.request, refused.reason) == (1, "network")
        anna.client.ask(ListGames(number=2))
        assert isinstance(told(lichess, anna, GamesListed), GamesListed)
    assert len(lichess.log.of("^POST")) == 1


def test_challenges_and_what_becomes_of_them(lichess: StandIn) -> None:
    with Robot(lichess, "Anna") as anna, Robot(lichess, "Bert") as bert:
        lichess.until(lambda: lichess.do(lambda world: len(world.events) == 2))

        def challenged() -> str:
            anna.client.ask(ChallengePlayer("Bert", RAPID, number=1))
            sent, came = told(lichess, anna, ChallengeSent), told(lichess, bert, ChallengeArrived)
            assert isinstance(sent, ChallengeSent) and isinstance(came, ChallengeArrived) and sent.id == came.id
            return sent.id

        bert.client.ask(DeclineChallenge(challenged(), "toofast", number=2))
        for robot in (anna, bert):
            gone = told(lichess, robot, ChallengeGone)
            assert isinstance(gone, ChallengeGone) and gone.reason == "toofast"
        anna.client.ask(WithdrawChallenge(challenged(), number=3))
        gone = told(lichess, bert, ChallengeGone)
        assert isinstance(gone, ChallengeGone) and gone.reason == "cancelled"
        accepted = challenged()
        bert.client.ask(AcceptChallenge(accepted, number=4))
        for robot in (anna, bert):
            opened = told(lichess, robot, GameOpened)
            assert isinstance(opened, GameOpened) and opened.game.id == accepted
        bert.client.ask(AcceptChallenge(accepted, number=5))
        refused = told(lichess, bert, LobbyRefused)
        assert isinstance(refused, LobbyRefused) and refused.reason == "gone"
        anna.client.ask(ChallengePlayer("Nobody", RAPID, number=6))
        refused = told(lichess, anna, LobbyRefused)
        assert isinstance(refused, LobbyRefused) and (refused.request, refused.detail) == (6, "No such user: Nobody")
    assert lichess.log.complaints == []


def test_two_who_look_for_the_same_find_each_other_and_a_seek_ends_with_its_player(lichess: StandIn) -> None:
    # What is asked for while the event stream is only just being opened waits for that.
    lichess.break_(Fault(Kind.LATE_ANSWER, EVENTS, seconds=0.5, times=2))
    with Robot(lichess, "Bert") as bert:
        with Robot(lichess, "Anna") as anna:
            anna.client.ask(Seek(RAPID, number=1))
            told(lichess, anna, LobbyDone)
            bert.client.ask(Seek(OnlineTerms(OnlineTime(900, 5)), number=2))
            told(lichess, bert, LobbyDone)
            assert len(lichess.do(lambda world: world.seeks)) == 2
            bert.client.ask(Seek(RAPID, number=3))
            told(lichess, anna, GameOpened)
            told(lichess, bert, GameOpened)
            anna.client.ask(Seek(RAPID, number=4))
            told(lichess, anna, LobbyDone)
        lichess.until(lambda: not lichess.do(lambda world: world.seeks))
    assert lichess.log.complaints == []


def test_friends_are_listed_and_without_the_scope_it_is_told(lichess: StandIn) -> None:
    lichess.account("Anna").follows = ["clara", "bert"]
    lichess.account("Clara")
    with Robot(lichess, "Bert"), Robot(lichess, "Anna") as anna:
        lichess.until(lambda: lichess.do(lambda world: len(world.events) == 2))
        anna.client.ask(ListFriends(number=1))
        friends = told(lichess, anna, FriendsListed)
        assert isinstance(friends, FriendsListed)
        assert [(one.name, one.online) for one in friends.friends] == [("Bert", True), ("Clara", False)]
        lichess.do(lambda world: world.tokens.update({anna.text: Token(world.account("anna"), SCOPES)}))
        anna.client.ask(ListFriends(number=2))
        refused = told(lichess, anna, LobbyRefused)
        assert isinstance(refused, LobbyRefused) and refused.reason == "scope"
