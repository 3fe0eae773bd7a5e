"""The stand-in for Lichess itself: its endpoints, laws, clocks and faults; everything held against the description."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlparse
from urllib.request import urlopen

import pytest

from tests.drivers.lichess.clock import DAY_MS, HandClock, WallClock
from tests.drivers.lichess.faults import GARBAGE_LINES, TERMINAL_ESCAPES, Fault, Kind, refusal, too_many_requests
from tests.drivers.lichess.games import CLAIM_AFTER_MS, FIRST_MOVE_MS, UNTIMED_MS, Terms
from tests.drivers.lichess.schemas import FOLDER, Description, Invalid
from tests.drivers.lichess.server import ENDPOINTS
from tests.drivers.lichess.standin import StandIn
from tests.drivers.lichess.world import Behaviour
from tests.opponents.lichess.visitor import BROKEN, OVER, Json, Visitor

RUY_LOPEZ = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
GAME = "/api/board/game"


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn(HandClock(), behaviour=Behaviour(keep_alive_s=(0.05, 0.05))) as standin:
        yield standin


@pytest.fixture
def anna(lichess: StandIn) -> Visitor:
    return Visitor(lichess, "Anna")


@pytest.fixture
def bert(lichess: StandIn) -> Visitor:
    return Visitor(lichess, "Bert")


# --- Against the description ---


@pytest.mark.shared
def test_everything_it_sends_is_held_against_the_description(lichess: StandIn, anna: Visitor, bert: Visitor) -> None:
    """A whole evening of it: every endpoint and every kind of line; the fixture fails on anything that does not fit."""
    if not FOLDER.is_dir():
        pytest.skip("the published description is not here")
    lichess.account("Clara", title="BOT", provisional=True)
    lichess.account("Anna").follows = ["bert", "clara"]
    events = anna.events()
    assert anna.get("/api/account")[0] == 200
    assert anna.ask("GET", "/api/account/playing?nb=5")[0] == 200
    followed = anna.response("GET", "/api/rel/following").read().decode().splitlines()
    assert [json.loads(line)["id"] for line in followed] == ["bert", "clara"]
    assert anna.get("/api/users/status?ids=bert,anna")[1][1] == {"id": "anna", "name": "Anna", "online": True}
    told = anna.post("/api/token/test")[1]
    assert told == {"": None}

    _, made = anna.post("/api/challenge/Bert", clock__limit=300, clock__increment=2, rated="true", color="white")
    assert bert.get("/api/challenge")[1]["in"][0]["id"] == made["id"]
    assert bert.get(f"/api/challenge/{made['id']}/show")[1]["direction"] == "in"
    assert bert.post(f"/api/challenge/{made['id']}/accept") == (200, {"ok": True})
    game = events.next_of("gameStart")["game"]["gameId"]
    stream, other = anna.watch(game), bert.watch(game)
    for number, uci in enumerate(RUY_LOPEZ):
        assert (anna, bert)[number % 2].move(game, uci) == (200, {"ok": True})
    assert anna.move(game, "e1e3")[0] == anna.post(f"{GAME}/{game}/berserk")[0] == 400
    assert anna.post(f"{GAME}/{game}/chat", room="player", text=TERMINAL_ESCAPES)[0] == 200
    assert bert.post(f"/api/round/{game}/add-time/15") == (200, {"ok": True})
    assert anna.get("/api/user/Clara")[1]["title"] == "BOT"
    assert anna.get("/api/user/Nobody")[0] == anna.get("/api/crosstable/anna/nobody")[0] == 404
    assert anna.get("/api/crosstable/anna/bert") == (200, {"users": {"anna": 0, "bert": 0}, "nbGames": 0})
    assert anna.post(f"{GAME}/{game}/draw/yes")[0] == 200
    assert bert.post(f"{GAME}/{game}/draw/no")[0] == 200
    assert bert.post(f"{GAME}/{game}/takeback/yes")[0] == 200
    assert anna.post(f"{GAME}/{game}/takeback/yes")[0] == 200
    other.close()
    lichess.until(lambda: lichess.game(game).seats[False].streams == 0)
    lichess.advance(2 * CLAIM_AFTER_MS)
    assert bert.post(f"{GAME}/{game}/claim-victory")[0] == 400
    assert anna.post(f"{GAME}/{game}/claim-draw")[0] == 200
    seen: list[Json] = []
    while seen[-1:] != [OVER]:
        seen.append(stream.next())
    assert {line["type"] for line in seen[:-1]} == {"gameFull", "gameState", "chatLine", "opponentGone"}
    assert events.next_of("gameFinish")["game"]["ratingDiff"] == 0
    assert anna.get("/api/crosstable/anna/bert")[1] == {"users": {"anna": 0.5, "bert": 0.5}, "nbGames": 1}

    for wanted in ({"days": 3}, {"clock.limit": 600, "clock.increment": 0, "variant": "chess960"}, {}):
        status, ai = anna.post("/api/challenge/ai", level=3, color="white", **wanted)
        assert status == 201
        watched = anna.watch(ai["id"])
        assert watched.next()["white"]["id"] == "anna"
        watched.close()
        assert anna.post(f"{GAME}/{ai['id']}/abort")[0] == 200
    assert anna.post("/api/board/seek", days=2, rated="false")[0] == 200
    assert anna.post("/api/board/seek", time=5, increment=0)[0] == 400
    assert anna.post("/api/challenge/Nobody", days=2)[0] == 400
    for ending, who in (("cancel", anna), ("decline", bert)):
        _, made = anna.post("/api/challenge/Bert", days=2)
        assert who.post(f"/api/challenge/{made['id']}/{ending}")[0] == 200
    assert events.next_of("challengeCanceled")
    assert events.next_of("challengeDeclined")["challenge"]["declineReasonKey"] == "generic"
    assert bert.post("/api/challenge/nowhere1/accept")[0] == 404
    assert lichess.checked > 60
    assert lichess.log.complaints == []
    events.close()


@pytest.mark.shared
def test_the_description_has_every_endpoint_that_it_describes() -> None:
    if not FOLDER.is_dir():
        pytest.skip("the published description is not here")
    description = Description()
    missing = {path for method, path, *_ in ENDPOINTS if description.operation(method, path) is None}
    assert missing == {
        *("/api/users/status", "/api/rel/following", "/api/user/{username}", "/api/crosstable/{user1}/{user2}"),
        *("/api/puzzle/daily", "/api/puzzle/batch/{angle}", "/api/tv/channels", "/api/broadcast/top"),
        "/api/stream/broadcast/round/{broadcastRoundId}.pgn",
    }


@pytest.mark.shared
def test_the_description_refuses_what_is_not_so() -> None:
    """The check can fail: for lines, bodies, requests, and for the alternatives of the description."""
    if not FOLDER.is_dir():
        pytest.skip("the published description is not here")
    description = Description()
    state = {"type": "gameState", "moves": "", "wtime": 1, "btime": 1, "winc": 0, "binc": 0, "status": "started"}
    stream = ("GET", GAME + "/stream/{gameId}", 200, "application/x-ndjson")
    description.answer(*stream, state)
    for wrong in ({"wtime": "1"}, {"wtime": None}, {"status": "won"}, {"type": "x"}, {"winner": "red"}):
        with pytest.raises(Invalid):
            description.answer(*stream, state | wrong)
    with pytest.raises(Invalid):
        description.answer(*stream, {name: value for name, value in state.items() if name != "moves"})
    with pytest.raises(Invalid, match="not described"):
        description.answer("GET", "/api/account", 200, "text/html", {})
    seek: tuple[str, str, dict[str, str]] = ("POST", "/api/board/seek", {})
    description.request(*seek, {"time": "10", "increment": "5", "rated": "true", "color": "white"})
    description.request(*seek, {"days": "3"})
    for form in ({"time": "300", "increment": "0"}, {"days": "4"}, {"days": "3", "colour": "white"}, {"time": "ten"}):
        with pytest.raises(Invalid):
            description.request(*seek, form)
    # "yes" is a word in this YAML.
    offer = description.operation("POST", GAME + "/{gameId}/draw/{accept}")
    assert offer and offer["parameters"][1]["schema"]["anyOf"][1]["const"] == "yes"


def test_a_request_that_is_not_described_is_a_complaint(lichess: StandIn, anna: Visitor) -> None:
    if not FOLDER.is_dir():
        pytest.skip("the published description is not here")
    assert anna.post("/api/board/seek", minutes=10)[0] == 400
    assert "field minutes is not described" in lichess.log.complaints[0]


# --- Laws and clocks ---


def test_a_game_from_challenge_to_mate_as_both_see_it(lichess: StandIn, anna: Visitor, bert: Visitor) -> None:
    events = {anna: anna.events(), bert: bert.events()}
    game = lichess.play("Anna", "Bert", Terms(300, 2, rated=True)).id
    streams = [anna.watch(game), bert.watch(game)]
    for number, uci in enumerate(FOOLS_MATE):
        assert (anna, bert)[number % 2].move(game, uci)[0] == 200
    for stream in streams:
        assert stream.next()["state"]["moves"] == ""
        for count in range(1, 5):
            assert stream.next()["moves"] == " ".join(FOOLS_MATE[:count])
        assert stream.next() == OVER
    won = {anna: -8, bert: 8}
    for who, stream in events.items():
        assert stream.next_of("gameFinish")["game"]["ratingDiff"] == won[who]
    assert lichess.game(game).status == "mate"


def test_clocks_stand_until_both_have_moved_then_run_with_increments(
    lichess: StandIn, anna: Visitor, bert: Visitor
) -> None:
    game = lichess.play("Anna", "Bert", Terms(60, 10)).id
    stream = anna.watch(game)
    stream.next()
    for uci, who in zip(RUY_LOPEZ[:4], (anna, bert) * 2, strict=True):
        lichess.advance(5_000)
        who.move(game, uci)
    clocks = [(state["wtime"], state["btime"]) for state in (stream.next() for _ in range(4))]
    assert clocks == [(60_000, 60_000), (60_000, 60_000), (65_000, 60_000), (65_000, 65_000)]
    lichess.advance(64_999)
    assert not lichess.game(game).over
    lichess.advance(1)
    assert stream.next() | {"moves": ""} == {
        **{"type": "gameState", "moves": "", "wtime": 0, "btime": 65_000, "winc": 10_000, "binc": 10_000},
        **{"status": "outoftime", "winner": "black"},
    }
    assert stream.next() == OVER


def test_a_flag_draws_against_a_bare_king(lichess: StandIn) -> None:
    game = lichess.play("Anna", "Bert", Terms(60, variant="fromPosition", fen="8/8/4k3/8/8/3QK3/8/8 b - - 0 1"))
    lichess.move(game.id, "e6f6", "d3d4", "f6e6")
    lichess.advance(60_000)
    assert (game.status, game.winner) == ("outoftime", None)


def test_days_a_move(lichess: StandIn, anna: Visitor) -> None:
    game = lichess.play("Anna", "Bert", Terms(days=3))
    lichess.advance(2 * DAY_MS)
    lichess.move(game.id, "e2e4")
    stream = anna.watch(game.id)
    told = stream.next()
    assert (told["daysPerTurn"], told["speed"], "clock" in told) == (3, "correspondence", False)
    assert (told["state"]["wtime"], told["state"]["btime"]) == (3 * DAY_MS, 3 * DAY_MS)
    lichess.advance(3 * DAY_MS)
    assert game.status == "outoftime"


def test_without_a_clock_the_times_are_the_largest_number(lichess: StandIn, anna: Visitor) -> None:
    game = lichess.play("Anna", "Bert", Terms())
    state = anna.watch(game.id).next()["state"]
    assert (state["wtime"], state["btime"]) == (UNTIMED_MS, UNTIMED_MS)
    lichess.advance(100 * DAY_MS)
    assert not game.over


def test_a_game_from_a_seek_expires_without_its_first_move(lichess: StandIn, anna: Visitor, bert: Visitor) -> None:
    events = anna.events()
    seek = anna.response("POST", "/api/board/seek", time=10, increment=0)
    assert bert.response("POST", "/api/board/seek", time=10, increment=0).read().strip() == b""
    assert seek.read().strip() == b""
    game = lichess.game(events.next_of("gameStart")["game"]["gameId"])
    white = next(who for who in (anna, bert) if game.seats[True].account is lichess.account(who.name))
    stream = white.watch(game.id)
    lichess.advance(1_000)
    again = white.watch(game.id).next()["state"]["expiration"]
    assert again == {"idleMillis": 1_000, "millisToMove": FIRST_MOVE_MS}
    lichess.advance(FIRST_MOVE_MS - 1_000)
    assert stream.next()["state"]["status"] == "started"
    assert stream.next()["status"] == "aborted"


def test_a_seek_ends_with_its_connection(lichess: StandIn, anna: Visitor) -> None:
    seek = anna.response("POST", "/api/board/seek", time=10, increment=5)
    lichess.until(lambda: lichess.do(lambda world: len(world.seeks)) == 1)
    seek.close()
    lichess.until(lambda: lichess.do(lambda world: len(world.seeks)) == 0)


def test_takebacks_and_draws(lichess: StandIn, anna: Visitor, bert: Visitor) -> None:
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, *RUY_LOPEZ[:3])
    stream = bert.watch(game.id)
    stream.next()
    anna.post(f"{GAME}/{game.id}/takeback/yes")
    assert stream.next()["wtakeback"] is True
    bert.post(f"{GAME}/{game.id}/takeback/yes")
    assert stream.next_of("gameState")["moves"] == "e2e4 e7e5"
    # The other has moved meanwhile: both moves go.
    anna.move(game.id, "g1f3")
    bert.move(game.id, "b8c6")
    anna.post(f"{GAME}/{game.id}/takeback/yes")
    bert.post(f"{GAME}/{game.id}/takeback/yes")
    assert game.moves() == ["e2e4", "e7e5"]
    anna.post(f"{GAME}/{game.id}/move/g1f3?offeringDraw=true")
    assert game.draws == {True}
    bert.move(game.id, "b8c6")
    assert game.draws == set()
    bert.post(f"{GAME}/{game.id}/draw/yes")
    anna.post(f"{GAME}/{game.id}/draw/yes")
    assert (game.status, game.winner) == ("draw", None)


def test_going_coming_back_and_claiming(lichess: StandIn, anna: Visitor, bert: Visitor) -> None:
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, *RUY_LOPEZ[:4])
    mine, theirs = anna.watch(game.id), bert.watch(game.id)
    assert mine.next()["type"] == "gameFull"

    def leave() -> None:
        theirs.close()
        lichess.until(lambda: game.seats[False].streams == 0)
        lichess.advance(1_000)

    leave()
    assert mine.next() == {"type": "opponentGone", "gone": True, "claimWinInSeconds": 30}
    assert anna.post(f"{GAME}/{game.id}/claim-victory")[0] == 400
    theirs = bert.watch(game.id)
    assert mine.next() == {"type": "opponentGone", "gone": False}
    leave()
    assert mine.next()["gone"] is True
    lichess.behaviour.says_back = False
    theirs = bert.watch(game.id)
    leave()
    assert mine.next()["gone"] is True
    lichess.advance(CLAIM_AFTER_MS)
    assert mine.next() == {"type": "opponentGone", "gone": True, "claimWinInSeconds": 0}
    assert anna.post(f"{GAME}/{game.id}/claim-victory")[0] == 200
    assert (game.status, game.winner) == ("timeout", True)


@pytest.mark.parametrize(("terms", "says"), [(None, "e1g1"), (True, "e1h1")])
def test_castling_either_way(lichess: StandIn, anna: Visitor, terms: bool | None, says: str) -> None:
    lichess.behaviour.king_takes_rook = terms
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, *RUY_LOPEZ, "e1g1")
    assert anna.watch(game.id).next()["state"]["moves"].endswith(says)


def test_chess960_and_positions(lichess: StandIn, anna: Visitor) -> None:
    shuffled = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9"
    game = lichess.play("Anna", "Bert", Terms(600, variant="chess960", fen=shuffled))
    assert anna.watch(game.id).next()["initialFen"] == shuffled
    assert anna.post("/api/challenge/ai", level=1, variant="fromPosition", fen="8/8/8/8 w")[0] == 400
    assert anna.post("/api/challenge/ai", level=1, variant="atomic")[0] == 400


def test_the_computer_plays_to_the_end(lichess: StandIn, anna: Visitor) -> None:
    lichess.behaviour.bare_computer = False
    _, made = anna.post("/api/challenge/ai", level=8, clock__limit=600, clock__increment=0, color="white")
    stream = anna.watch(made["id"])
    assert stream.next()["black"]["aiLevel"] == 8
    game = lichess.game(made["id"])
    while not game.over:
        moves = lichess.do(lambda _: [] if game.over else sorted(move.uci() for move in game.board.legal_moves))
        count = game.ply
        if moves and game.board.turn:
            anna.move(game.id, moves[count % len(moves)])
        lichess.until(lambda count=count: game.over or game.ply > count)  # type: ignore[misc]
        lichess.until(lambda: game.over or game.board.turn)
    assert game.status in ("mate", "draw", "stalemate")


def test_a_challenge_nobody_keeps_alive_ends_after_twenty_seconds(
    lichess: StandIn, anna: Visitor, bert: Visitor
) -> None:
    events = bert.events()
    anna.post("/api/challenge/Bert", clock__limit=600, clock__increment=0)
    lichess.advance(20_000)
    assert events.next_of("challengeCanceled")
    kept = anna.response("POST", "/api/challenge/Bert", clock__limit=600, clock__increment=0, keepAliveStream="true")
    made = events.next_of("challenge")["challenge"]["id"]
    lichess.advance(60_000)
    bert.post(f"/api/challenge/{made}/accept")
    assert [json.loads(line) for line in kept.read().splitlines() if line][1:] == [{"done": "accepted"}]


def test_one_event_stream_a_token_and_everything_pending_when_it_opens(
    lichess: StandIn, anna: Visitor, bert: Visitor
) -> None:
    lichess.play("Anna", "Bert")
    lichess.challenge("Bert", "Anna")
    first = anna.events()
    assert {first.next()["type"], first.next()["type"]} == {"gameStart", "challenge"}
    second = anna.events()
    assert first.next() == OVER
    assert {second.next()["type"], second.next()["type"]} == {"gameStart", "challenge"}


# --- Login ---


def test_login_by_pkce_and_logout(lichess: StandIn) -> None:
    lichess.account("Anna")
    came: list[dict[str, list[str]]] = []

    class Loopback(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            came.append(parse_qs(urlparse(self.path).query))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    server = http.server.HTTPServer(("127.0.0.1", 0), Loopback)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    redirect = f"http://127.0.0.1:{server.server_port}/"
    verifier = "v" * 64
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked = {"response_type": "code", "client_id": "me", "redirect_uri": redirect, "code_challenge_method": "S256"}
    asked |= {"code_challenge": digest, "scope": "board:play challenge:read", "state": "s1"}
    page = f"{lichess.url}/oauth?{urlencode(asked)}"

    def exchange(**other: str) -> tuple[int, dict[str, str]]:
        form = {"grant_type": "authorization_code", "code": came[-1]["code"][0], "code_verifier": verifier}
        return Visitor(lichess, "x").post("/api/token", **form, redirect_uri=redirect, client_id="me", **other)

    lichess.browser("Anna")(page)
    assert came[-1]["state"] == ["s1"]
    status, told = exchange()
    assert status == 200
    anna = Visitor(lichess, "Anna")
    anna.headers = {"Authorization": f"Bearer {told['access_token']}"}
    assert anna.get("/api/account")[1]["id"] == "anna"
    assert anna.get("/api/rel/following") == (403, {"error": "Missing scope: follow:read"})
    assert exchange()[0] == 400
    lichess.browser("Anna")(page)
    verifier = "w" * 64
    assert exchange()[1]["error"] == "invalid_grant"
    lichess.browser(None)(page)
    assert came[-1]["error"] == ["access_denied"]
    assert anna.ask("DELETE", "/api/token") == (204, None)
    assert anna.get("/api/account")[0] == 401
    server.shutdown()
    server.server_close()


# --- Faults ---


def test_no_network_and_a_network_again() -> None:
    with StandIn(listening=False) as lichess:
        anna = Visitor(lichess, "Anna")
        with pytest.raises(ConnectionRefusedError):
            anna.get("/api/account")
        lichess.connect()
        assert anna.get("/api/account")[0] == 200
        stream = anna.events()
        lichess.disconnect()
        assert stream.next() == BROKEN
        with pytest.raises(ConnectionRefusedError):
            anna.get("/api/account")
        lichess.connect()
        assert anna.get("/api/account")[0] == 200


def test_answers_that_refuse(lichess: StandIn, anna: Visitor) -> None:
    lichess.break_(
        too_many_requests(retry_after=90),
        too_many_requests(),
        refusal(401, "No such token"),
        refusal(500, "x", after=1),
    )
    response = anna.response("GET", "/api/account")
    assert (response.status, response.headers["Retry-After"]) == (429, "90")
    response = anna.response("GET", "/api/account")
    assert (response.status, response.headers["Retry-After"]) == (429, None)
    assert anna.get("/api/account")[0] == 401
    assert [anna.get("/api/account")[0] for _ in range(3)] == [200, 500, 200]


def test_answers_that_are_lost(lichess: StandIn, anna: Visitor, bert: Visitor) -> None:
    game = lichess.play("Anna", "Bert")
    lichess.break_(Fault(Kind.DROP, "POST */move/*", account="anna"))
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        anna.move(game.id, "e2e4")
    assert game.moves() == []
    lichess.break_(Fault(Kind.LOSE_ANSWER, "POST */move/*", account="anna"))
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        anna.move(game.id, "e2e4")
    assert game.moves() == ["e2e4"]
    assert lichess.sent_twice() == []
    assert anna.move(game.id, "e2e4")[0] == 400
    assert [one.uci for one in lichess.sent_twice()] == ["e2e4"]
    assert [(one.carried_out, one.fault) for one in lichess.log.of("move")] == [
        *((False, Kind.DROP), (True, Kind.LOSE_ANSWER), (False, None)),
    ]


def test_a_move_played_again_after_a_takeback_was_not_sent_twice(lichess: StandIn) -> None:
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, "e2e4", "e7e5", "g1f3")
    lichess.rewind(game.id, 1)
    lichess.move(game.id, "g1f3", "b8c6", "f3g1", "c6b8", "g1f3")
    assert lichess.sent_twice() == []


def test_slow_answers_and_spoilt_ones(lichess: StandIn, anna: Visitor) -> None:
    slow = [Fault(kind, seconds=0.05, account="anna") for kind in (Kind.SLOW, Kind.LATE_ANSWER)]
    lichess.break_(*slow, Fault(Kind.SPOIL_ANSWER, body=b"<html>"))
    assert [anna.get("/api/account")[0] for _ in slow] == [200, 200]
    assert [one.struck for one in slow] == [1, 1]
    assert anna.response("GET", "/api/account").read() == b"<html>"


def test_requests_beside_each_other_are_counted_and_refused_if_wanted(lichess: StandIn, anna: Visitor) -> None:
    lichess.behaviour.one_at_a_time = True
    lichess.break_(Fault(Kind.LATE_ANSWER, seconds=3600))

    def waits_for_ever() -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            anna.get("/api/account")

    threading.Thread(target=waits_for_ever, daemon=True).start()
    lichess.until(lambda: lichess.most_at_once("anna") == 1)
    assert anna.get("/api/account")[0] == 429
    assert lichess.most_at_once("anna") == 2


STREAM = "GET */game/stream/*"


@pytest.mark.parametrize("kind", [Kind.CUT, Kind.END, Kind.SILENCE, Kind.ENDLESS])
def test_streams_that_stop(lichess: StandIn, anna: Visitor, kind: Kind) -> None:
    game = lichess.play("Anna", "Bert")
    stream = anna.watch(game.id)
    stream.next()
    lichess.break_(fault := Fault(kind, STREAM))
    lichess.move(game.id, "e2e4")
    if kind is Kind.SILENCE:
        lichess.until(lambda: lichess.do(lambda world: world.times) and True)
        # It stands, and says nothing; only the end of the connection is an end.
        lichess.until(lambda: fault.struck)
        lichess.disconnect()
        lichess.connect()
    assert stream.next() == (OVER if kind is Kind.END else BROKEN)
    assert anna.watch(game.id).next()["state"]["moves"] == "e2e4"


def test_lines_that_are_wrong(lichess: StandIn, anna: Visitor) -> None:
    game = lichess.play("Anna", "Bert")
    stream = anna.watch(game.id)
    stream.next()
    lichess.break_(Fault(Kind.GARBAGE, STREAM))
    assert stream.raw() in GARBAGE_LINES
    lichess.move(game.id, "e2e4")
    assert stream.next()["moves"] == "e2e4"
    lichess.break_(Fault(Kind.WRONG_TYPES, STREAM))
    lichess.move(game.id, "e7e5")
    if FOLDER.is_dir():
        with pytest.raises(Invalid):
            Description().schema("GameStateEvent", json.loads(bytes(stream.raw())))  # type: ignore[arg-type]
    else:
        stream.raw()
    lichess.break_(Fault(Kind.STALE, STREAM))
    lichess.move(game.id, "g1f3", "b8c6")
    assert [len(stream.next()["moves"].split()) for _ in range(2)] != [3, 4]
    assert stream.next()["moves"] == "e2e4 e7e5 g1f3 b8c6"


def test_keep_alive_lines_come_and_can_break_off(lichess: StandIn, anna: Visitor) -> None:
    stream = anna.events()
    stream.alive()
    lichess.break_(Fault(Kind.CUT, "GET /api/stream/event"))
    assert stream.next() == BROKEN


def test_the_server_may_have_had_other_moves(lichess: StandIn, anna: Visitor) -> None:
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, *RUY_LOPEZ)
    stream = anna.watch(game.id)
    stream.next()
    lichess.rewind(game.id, 3)
    assert stream.next()["moves"] == "e2e4 e7e5 g1f3"
    lichess.rewrite(game.id, ("d2d4", "d7d5"))
    assert stream.next()["moves"] == "d2d4 d7d5"


def test_a_token_revoked_in_mid_game(lichess: StandIn, anna: Visitor) -> None:
    game = lichess.play("Anna", "Bert")
    stream = anna.watch(game.id)
    stream.next()
    lichess.revoke(anna.token, cut=True)
    assert stream.next() == BROKEN
    assert anna.move(game.id, "e2e4") == (401, {"error": "No such token"})


def test_faults_by_lot_are_the_same_for_the_same_seed() -> None:
    def statuses(seed: int) -> list[int]:
        with StandIn(seed=seed) as lichess:
            anna = Visitor(lichess, "Anna")
            lichess.break_(refusal(500, "x", share=0.5, times=None))
            return [anna.get("/api/account")[0] for _ in range(20)]

    assert statuses(7) == statuses(7)
    assert set(statuses(7)) == {200, 500}


def test_names_and_chat_may_hold_anything(lichess: StandIn, anna: Visitor) -> None:
    lichess.account("evil").name = TERMINAL_ESCAPES
    game = lichess.play("Anna", "evil")
    assert anna.watch(game.id).next()["black"]["name"] == TERMINAL_ESCAPES


def test_the_clock_may_run_faster() -> None:
    with StandIn(WallClock(speed=100_000)) as lichess:
        game = lichess.play("Anna", "Bert", Terms(600))
        lichess.move(game.id, "e2e4", "e7e5")
        lichess.until(lambda: game.status == "outoftime")


def test_it_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "tests.drivers.lichess", "--port", "0", "--account", "Anna", "--robot", "Robin"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        token = process.stdout.readline().split()[1]
        url = process.stdout.readline().strip()
        with pytest.raises(OSError, match="401"):
            urlopen(f"{url}/api/account")
        assert token.startswith("lip_anna")
        process.terminate()
        assert process.wait(60) == (0 if sys.platform != "win32" else 1)  # there no program is told of its end
