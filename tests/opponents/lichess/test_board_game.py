"""One game at the server: what its stream tells, and what is sent: never twice, whatever is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import chess
import pytest

from tests.opponents.lichess.doubles import LONG_S, Double, Pauses, Posted, Script, game_full, game_state
from voicechess.game.effects import GiveTime, LookUpOpponent, SendChat, SendMove, SendWish, Wish
from voicechess.game.events import (
    Event,
    ServerChat,
    ServerLink,
    ServerPresence,
    ServerProfile,
    ServerRated,
    ServerRefused,
    ServerState,
)
from voicechess.opponents.lichess.board_game import BoardGame
from voicechess.opponents.lichess.feeds import Errands
from voicechess.opponents.lichess.transport import ServerFault
from voicechess.opponents.lichess.wire import GameFinished

STREAM = "/api/board/game/stream/abcd1234"
GAME = "/api/board/game/abcd1234"
MOVE = f"{GAME}/move/e2e4"
LOST = ServerFault("lost", acted=True)
OFFLINE = ServerFault("network")


class Table:
    """A game that is played, the server it is played at, and what reached the program."""

    def __init__(self) -> None:
        self.server, self.posted, self.pauses, self.errands = Double(), Posted(), Pauses(), Errands()
        self.errands.start()
        self.now_s = 0.0
        self.game = BoardGame(
            "abcd1234",
            "anna",
            self.server.transport,
            self.errands,
            self.posted,
            lambda: 7_000,
            now_s=lambda: self.now_s,
            pause=self.pauses,
        )

    def begin(self, moves: str = "", **more: Any) -> Script:
        stream = Script(game_full(moves, **more))
        self.server.streams(STREAM, stream)
        self.game.enter()
        self.game.begin()
        assert isinstance(first := self.posted.next(), ServerState)
        assert first.first
        return stream

    def settle(self) -> None:
        """Waits until everything that was asked is done; more can be asked then."""
        settled = threading.Event()
        self.errands.put(settled.set)
        assert settled.wait(LONG_S)

    def done(self) -> list[Event]:
        """What was posted until everything that was asked is done."""
        assert self.errands.close(LONG_S)
        return self.posted.waiting()


@pytest.fixture
def table() -> Iterator[Table]:
    one = Table()
    yield one
    one.game.leave()
    one.errands.close(1)
    events = one.posted.history
    for event, following in zip(events, [*events[1:], None], strict=True):
        if isinstance(event, ServerLink) and event.up:
            assert isinstance(following, ServerState), "what waits to be sent waits for this"


def states(events: list[Event]) -> list[tuple[str, ...]]:
    return [event.moves for event in events if isinstance(event, ServerState)]


def refusals(events: list[Event]) -> list[tuple[int, str]]:
    return [(event.request, event.reason) for event in events if isinstance(event, ServerRefused)]


# --- the stream ---


def test_the_game_is_known_before_it_begins(table: Table) -> None:
    table.server.streams(STREAM, Script(game_full("e2e4", colour="black")))
    game = table.game.enter()
    assert (game.id, game.terms.colour, game.opponent.name, game.my_turn) == ("abcd1234", chess.BLACK, "Bert", True)
    assert (game.terms.time.seconds, game.terms.time.increment, game.terms.rated) == (600, 5, True)
    assert game.site == "https://chess.example/abcd1234"
    assert table.posted.waiting() == [], "nobody would hear it yet"
    table.game.begin()
    state = table.posted.next()
    assert isinstance(state, ServerState) and state.first and state.moves == ("e2e4",)


@pytest.mark.parametrize(
    ("moves", "colour", "white_ms", "black_ms"),
    [
        ("e2e4", "black", 600_000, 600_000),
        ("e2e4 e7e5", "white", 597_000, 600_000),
        ("e2e4 e7e5", "black", 597_000, 600_000),
        ("e2e4 e7e5 g1f3", "white", 600_000, 597_000),
    ],
)
def test_time_runs_between_entering_a_game_and_beginning_it(
    table: Table, moves: str, colour: str, white_ms: int, black_ms: int
) -> None:
    table.server.streams(STREAM, Script(game_full(moves, colour=colour)))
    table.game.enter()
    table.now_s += 3
    table.game.begin()
    state = table.posted.next()
    assert isinstance(state, ServerState)
    assert (state.at_ms, state.white_ms, state.black_ms) == (7_000, white_ms, black_ms)


def test_what_happens_comes_in_order(table: Table) -> None:
    stream = table.begin()
    stream.push(
        b"",
        game_state("e2e4"),
        {"type": "opponentGone", "gone": True, "claimWinInSeconds": 8},
        {"type": "chatLine", "room": "player", "username": "Bert", "text": "Hallo"},
        {"type": "chatLine", "room": "spectator", "username": "Carl", "text": "Hu"},
        {"type": "somethingNew"},
        game_state("e2e4 e7e5", bdraw=True),
    )
    got = [table.posted.next() for _ in range(4)]
    assert got == [
        ServerState(at_ms=7_000, moves=("e2e4",), white_ms=600_000, black_ms=600_000),
        ServerPresence(at_ms=7_000, gone=True, claim_ms=8_000),
        ServerChat(at_ms=7_000, name="Bert", text="Hallo"),
        ServerState(at_ms=7_000, moves=("e2e4", "e7e5"), white_ms=600_000, black_ms=600_000, black_draws=True),
    ]


@pytest.mark.parametrize("fault", ["lost", "silent"])
def test_a_broken_stream_is_told_and_opened_again_at_once(table: Table, fault: str) -> None:
    stream = table.begin()
    table.server.streams(STREAM, Script(game_full("e2e4 e7e5")))
    stream.cut(fault)
    down, up, state = (table.posted.next() for _ in range(3))
    assert down == ServerLink(at_ms=7_000, up=False, reason=fault)
    assert up == ServerLink(at_ms=7_000, up=True)
    assert isinstance(state, ServerState) and state.first and state.moves == ("e2e4", "e7e5")
    assert table.pauses.seconds == [0]


def test_pauses_grow_to_ten_seconds_and_it_is_told_once(table: Table) -> None:
    stream = table.begin()
    table.server.streams(STREAM, *[OFFLINE] * 6, Script(game_full("e2e4")))
    stream.cut()
    events = [table.posted.next() for _ in range(3)]
    assert [type(event) for event in events] == [ServerLink, ServerLink, ServerState]
    assert table.pauses.seconds == [0, 1, 2, 4, 8, 10, 10]


def test_whoever_finds_the_server_again_how_the_game_stands_is_told(table: Table) -> None:
    table.begin("e2e4")
    table.game._contact.lost("game", "silent")
    table.game._contact.found("game")
    events = [table.posted.next() for _ in range(3)]
    assert [type(event) for event in events] == [ServerLink, ServerLink, ServerState]


def test_a_stream_that_the_server_closes_is_opened_again(table: Table) -> None:
    stream = table.begin()
    table.server.streams(STREAM, Script(game_full()))
    stream.end()
    assert table.posted.next() == ServerLink(at_ms=7_000, up=False, reason="closed")


def test_when_the_game_is_over_the_server_may_close_it(table: Table) -> None:
    stream = table.begin()
    stream.push(game_state("e2e4", status="resign", winner="white")).end()
    state = table.posted.next()
    assert isinstance(state, ServerState) and state.status == "resign" and state.winner is chess.WHITE
    assert stream.closed.wait(LONG_S)
    assert table.server.opened == [STREAM] and table.posted.waiting() == []


@pytest.mark.parametrize(
    "garbage", [b"{", b"[]", b'{"type": 3}', b"\xff", game_state(moves="e9e4"), game_state(wtime="x")]
)
def test_garbage_is_told_and_the_truth_is_fetched(table: Table, garbage: object) -> None:
    stream = table.begin()
    table.server.streams(STREAM, Script(game_full("e2e4")))
    stream.push(garbage)
    down, up, state = (table.posted.next() for _ in range(3))
    assert down == ServerLink(at_ms=7_000, up=False, reason="garbage") and isinstance(up, ServerLink)
    assert isinstance(state, ServerState) and state.moves == ("e2e4",)


def test_a_stream_that_does_not_begin_with_the_whole_game_is_none(table: Table) -> None:
    stream = table.begin()
    table.server.streams(STREAM, Script(game_state("e2e4")), Script(game_full("e2e4")))
    stream.cut()
    assert [type(table.posted.next()) for _ in range(3)] == [ServerLink, ServerLink, ServerState]
    assert table.server.opened == [STREAM] * 3


def test_a_token_that_is_not_valid_any_more_ends_the_attempts(table: Table) -> None:
    stream = table.begin()
    table.server.streams(STREAM, ServerFault("token"))
    stream.cut()
    assert table.posted.next() == ServerLink(at_ms=7_000, up=False, reason="lost")
    assert table.posted.next() == ServerLink(at_ms=7_000, up=False, reason="token")
    table.game.leave()
    assert table.server.opened == [STREAM, STREAM]


@pytest.mark.parametrize("reason", ["gone", "scope"])
def test_a_game_that_cannot_be_had_any_more_says_why(table: Table, reason: str) -> None:
    stream = table.begin()
    table.server.streams(STREAM, ServerFault(reason))
    stream.cut()
    table.posted.next()
    assert table.posted.next() == ServerLink(at_ms=7_000, up=False, reason=reason)


# --- moves ---


def test_a_move_is_sent_once(table: Table) -> None:
    table.begin()
    table.game.send(SendMove("e2e4", number=1))
    assert table.done() == []
    assert table.server.posts() == [MOVE]


def test_a_move_can_offer_a_draw(table: Table) -> None:
    table.begin()
    table.game.send(SendMove("e2e4", offers_draw=True, number=1))
    table.done()
    assert table.server.posts() == [MOVE + "?offeringDraw=true"]


def test_a_move_whose_answer_is_lost_and_that_arrived_is_not_sent_again(table: Table) -> None:
    old = table.begin()
    table.server.answers(MOVE, LOST)
    table.server.streams(STREAM, Script(game_full("e2e4")))
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert table.server.posts() == [MOVE]
    assert states(events) == [("e2e4",)] and refusals(events) == []
    assert old.stopped, "the old stream goes when the new one is there"


def test_a_move_whose_answer_is_lost_and_that_did_not_arrive_is_sent_again(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, LOST, ServerFault("server", acted=True), b"{}")
    table.server.streams(STREAM, Script(game_full()), Script(game_full()))
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert table.server.posts() == [MOVE] * 3
    assert refusals(events) == []


def test_a_move_that_the_stream_has_told_before_its_answer_was_lost_needs_nothing_more(table: Table) -> None:
    stream = table.begin()

    def answer() -> bytes:
        stream.push(game_state("e2e4"))
        assert isinstance(state := table.posted.next(), ServerState) and state.moves == ("e2e4",)
        raise LOST

    table.server.answers(MOVE, answer)
    table.game.send(SendMove("e2e4", number=1))
    assert table.done() == []
    assert table.server.opened == [STREAM]


def test_a_move_that_was_made_with_the_reply_is_not_sent_again(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, LOST)
    table.server.streams(STREAM, Script(game_full("e2e4 c7c5")))
    table.game.send(SendMove("e2e4", number=1))
    assert states(table.done()) == [("e2e4", "c7c5")]
    assert table.server.posts() == [MOVE]


def test_castling_is_known_however_the_server_writes_it(table: Table) -> None:
    before = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5"
    table.begin(before)
    table.server.answers(f"{GAME}/move/e1g1", LOST)
    table.server.streams(STREAM, Script(game_full(f"{before} e1h1")))
    table.game.send(SendMove("e1g1", number=1))
    events = table.done()
    assert len(table.server.posts()) == 1 and refusals(events) == []


def test_when_somebody_else_has_moved_on_this_account_nothing_is_sent_again(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, LOST)
    table.server.streams(STREAM, Script(game_full("d2d4")))
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert table.server.posts() == [MOVE]
    assert refusals(events) == [(1, "lost")] and states(events) == [("d2d4",)]


def test_without_a_network_a_move_waits_and_is_sent_then(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, OFFLINE, OFFLINE, OFFLINE, b"{}")
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert table.server.posts() == [MOVE] * 4, "it never left this machine"
    assert table.pauses.seconds == [0, 1, 2]
    assert [event.up for event in events if isinstance(event, ServerLink)] == [False, True]
    assert states(events) == [()], "what stands, now that the server is there again"


def test_too_many_requests_are_waited_for(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, ServerFault("busy", wait_s=75), b"{}")
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert table.pauses.seconds == [75]
    assert events[0] == ServerLink(at_ms=7_000, up=False, reason="busy")
    assert table.server.posts() == [MOVE] * 2


def test_a_refused_move_is_told_and_then_what_stands(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, ServerFault("other", "Not your turn"))
    table.server.streams(STREAM, Script(game_full("d2d4")))
    table.game.send(SendMove("e2e4", number=4))
    events = table.done()
    assert [type(event) for event in events] == [ServerRefused, ServerState]
    assert refusals(events) == [(4, "move")] and states(events) == [("d2d4",)]


def test_a_move_refused_because_it_was_made_is_no_refusal(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, ServerFault("other"))
    table.server.streams(STREAM, Script(game_full("e2e4")))
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert refusals(events) == [] and states(events) == [("e2e4",)]


def test_a_move_asked_for_again_before_the_server_tells_it_is_not_sent_again(table: Table) -> None:
    table.begin()
    table.game.send(SendMove("e2e4", number=1))
    table.game.send(SendMove("e2e4", number=2))
    table.done()
    assert table.server.posts() == [MOVE]


def test_a_move_from_a_position_that_came_back_is_sent(table: Table) -> None:
    """The server has told the accepted move and taken it back: the next one from there is another."""
    stream = table.begin()
    table.game.send(SendMove("e2e4", number=1))
    table.settle()
    for moves in ("e2e4", ""):
        stream.push(game_state(moves))
        assert isinstance(state := table.posted.next(), ServerState) and " ".join(state.moves) == moves
    table.game.send(SendMove("d2d4", number=2))
    table.done()
    assert table.server.posts() == [MOVE, f"{GAME}/move/d2d4"]


def test_an_accepted_move_that_a_new_stream_does_not_tell_is_sent_again(table: Table) -> None:
    """The first line of a stream is the truth: the server accepted the move and has lost it."""
    stream = table.begin()
    table.game.send(SendMove("e2e4", number=1))
    table.settle()
    table.server.streams(STREAM, Script(game_full("")))
    stream.cut()
    while not (isinstance(state := table.posted.next(), ServerState) and state.first):
        pass
    table.game.send(SendMove("e2e4", number=2))
    table.done()
    assert table.server.posts() == [MOVE, MOVE]


def test_a_token_revoked_in_mid_game_is_told(table: Table) -> None:
    table.begin()
    table.server.answers(MOVE, ServerFault("token"))
    table.game.send(SendMove("e2e4", number=1))
    events = table.done()
    assert refusals(events) == [(1, "token")]
    assert ServerLink(at_ms=7_000, up=False, reason="token") in events
    assert table.server.posts() == [MOVE]


# --- wishes ---

PATHS = {
    Wish.RESIGN: "resign",
    Wish.ABORT: "abort",
    Wish.BERSERK: "berserk",
    Wish.OFFER_DRAW: "draw/yes",
    Wish.ACCEPT_DRAW: "draw/yes",
    Wish.DECLINE_DRAW: "draw/no",
    Wish.PROPOSE_TAKEBACK: "takeback/yes",
    Wish.ACCEPT_TAKEBACK: "takeback/yes",
    Wish.DECLINE_TAKEBACK: "takeback/no",
    Wish.CLAIM_VICTORY: "claim-victory",
    Wish.CLAIM_DRAW: "claim-draw",
}


@pytest.mark.parametrize("wish", Wish)
@pytest.mark.parametrize("colour", ["white", "black"])
def test_every_wish_has_its_request(table: Table, wish: Wish, colour: str) -> None:
    other = "b" if colour == "white" else "w"
    table.begin("e2e4", colour=colour, **{f"{other}draw": True, f"{other}takeback": True})
    table.game.send(SendWish(wish, number=1))
    table.done()
    assert table.server.posts() == [f"{GAME}/{PATHS[wish]}"]


@pytest.mark.parametrize("wish", [Wish.ACCEPT_DRAW, Wish.ACCEPT_TAKEBACK])
def test_an_offer_that_is_gone_is_not_accepted_for_that_would_be_an_offer(table: Table, wish: Wish) -> None:
    table.begin("e2e4")
    table.game.send(SendWish(wish, number=3))
    assert refusals(table.done()) == [(3, "wish")]
    assert table.server.posts() == []


@pytest.mark.parametrize(
    ("wish", "before", "after", "times"),
    [
        (Wish.ACCEPT_TAKEBACK, {"btakeback": True}, {}, 1),
        (Wish.ACCEPT_TAKEBACK, {"btakeback": True}, {"btakeback": True}, 2),
        (Wish.ACCEPT_DRAW, {"bdraw": True}, {"status": "draw"}, 1),
        (Wish.ACCEPT_DRAW, {"bdraw": True}, {"bdraw": True}, 2),
        (Wish.OFFER_DRAW, {}, {"wdraw": True}, 1),
        (Wish.OFFER_DRAW, {}, {}, 2),
        (Wish.PROPOSE_TAKEBACK, {}, {"wtakeback": True}, 1),
        (Wish.RESIGN, {}, {"status": "resign"}, 1),
        (Wish.RESIGN, {}, {}, 2),
    ],
)
def test_a_wish_whose_answer_is_lost_is_sent_again_only_if_it_is_still_one(
    table: Table, wish: Wish, before: dict[str, Any], after: dict[str, Any], times: int
) -> None:
    table.begin("e2e4", **before)
    table.server.answers(f"{GAME}/{PATHS[wish]}", LOST, b"{}")
    table.server.streams(STREAM, Script(game_full("e2e4", **after)))
    table.game.send(SendWish(wish, number=1))
    assert refusals(table.done()) == []
    assert len(table.server.posts()) == times


def test_a_takeback_that_was_granted_is_not_proposed_again(table: Table) -> None:
    table.begin("e2e4 e7e5")
    table.server.answers(f"{GAME}/takeback/yes", LOST)
    table.server.streams(STREAM, Script(game_full("")))
    table.game.send(SendWish(Wish.PROPOSE_TAKEBACK, number=1))
    assert states(table.done()) == [()]
    assert len(table.server.posts()) == 1


# --- the end ---


def test_the_change_of_the_rating_is_told_for_rated_games(table: Table) -> None:
    table.begin()
    table.game.rated(GameFinished("abcd1234", rated=True, change=-9))
    table.game.rated(GameFinished("abcd1234", rated=False))
    assert table.posted.waiting() == [ServerRated(at_ms=7_000, change=-9)]


def test_what_was_asked_for_is_sent_before_the_game_is_left(table: Table) -> None:
    table.begin()
    table.game.send(SendWish(Wish.RESIGN, number=1))
    table.game.close()
    assert table.server.posts() == [f"{GAME}/resign"]


# --- besides the game ---


@pytest.mark.parametrize(
    ("request_", "path", "form"),
    [
        (GiveTime(15, number=3), "/api/round/abcd1234/add-time/15", {}),
        (SendChat("Thank you!", number=3), f"{GAME}/chat", {"room": "player", "text": "Thank you!"}),
    ],
)
@pytest.mark.parametrize(
    ("answer", "refused"),
    [({"ok": True}, []), (LOST, [(3, "lost")]), (OFFLINE, [(3, "network")]), (ServerFault("other"), [(3, "other")])],
)
def test_time_and_lines_are_sent_once(
    table: Table, request_: GiveTime | SendChat, path: str, form: dict[str, str], answer: object, refused: list[object]
) -> None:
    table.begin()
    table.server.answers(path, answer)
    table.game.send(request_)
    assert refusals(table.done()) == refused
    assert table.server.asked == [("POST", path, form)]


def test_who_the_opponent_is(table: Table) -> None:
    table.begin()
    table.server.answers("/api/user/Bert", {"id": "bert", "title": "FM", "profile": {"flag": "DE"}})
    table.server.answers("/api/crosstable/anna/Bert", {"users": {"anna": 1.5, "bert": 0.5}, "nbGames": 2})
    table.game.send(LookUpOpponent(number=1))
    (told,) = table.done()
    assert told == ServerProfile(at_ms=7_000, title="FM", country="DE", games=2, half_points=(3, 1))


def test_a_record_that_is_not_told_keeps_nothing_else_back(table: Table) -> None:
    table.begin()
    table.server.answers("/api/user/Bert", {"id": "bert"})
    table.server.answers("/api/crosstable/anna/Bert", ServerFault("gone"))
    table.game.send(LookUpOpponent(number=1))
    assert table.done() == [ServerProfile(at_ms=7_000)]


@pytest.mark.parametrize("answer", [OFFLINE, ServerFault("gone"), b"[]"])
def test_an_opponent_who_cannot_be_looked_up(table: Table, answer: object) -> None:
    table.begin()
    table.server.answers("/api/user/Bert", answer)
    table.game.send(LookUpOpponent(number=4))
    assert [number for number, _ in refusals(table.done())] == [4]


def test_of_the_computer_nothing_is_asked(table: Table) -> None:
    table.begin(black={"aiLevel": 3})
    table.game.send(LookUpOpponent(number=1))
    assert table.done() == [ServerProfile(at_ms=7_000)]
    assert table.server.asked == []
