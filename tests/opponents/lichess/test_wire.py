"""What the server sends, in the published form and in every other."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import chess
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.drivers.lichess.schemas import FOLDER
from tests.opponents.lichess.doubles import SERVER, game_full, game_state
from voicechess.game.events import Event, ServerChat, ServerPresence, ServerState
from voicechess.online.lobby import ChallengeArrived, ChallengeGone, GameOpened, OnlinePlayer, OnlineTime, Speed
from voicechess.opponents.lichess import wire
from voicechess.opponents.lichess.wire import FullGame, GameFinished, NoEvent


def line(found: object) -> bytes:
    return json.dumps(found).encode()


def in_game(found: object) -> object:
    return wire.game_line(found if isinstance(found, bytes) else line(found), 9, "anna", SERVER)


def outside(found: object) -> object:
    return wire.event_line(found if isinstance(found, bytes) else line(found), 9, "anna", SERVER)


def state(**more: Any) -> ServerState:
    found = in_game(game_state(**more))
    assert isinstance(found, ServerState), found
    return found


def full(**more: Any) -> FullGame:
    found = in_game(game_full(**more))
    assert isinstance(found, FullGame), found
    return found


# --- a game ---


def test_how_a_game_stands() -> None:
    assert state(
        moves="e2e4 e7e8q", wtime=1, btime=2_147_483_646, winc=3, binc=4, status="mate", winner="black", wdraw=True
    ) == ServerState(
        at_ms=9,
        moves=("e2e4", "e7e8q"),
        white_ms=1,
        black_ms=2_147_483_646,
        white_increment_ms=3,
        black_increment_ms=4,
        status="mate",
        winner=chess.BLACK,
        white_draws=True,
    )


def test_without_a_clock_the_server_shows_its_largest_number() -> None:
    found = state(wtime=2_147_483_647, btime=2_147_483_647)
    assert (found.white_ms, found.black_ms) == (None, None)


def test_proposals_are_there_only_if_they_say_so() -> None:
    found = state(wdraw=False, bdraw=None, wtakeback=1, btakeback=True)
    assert (found.white_draws, found.black_draws, found.white_takes_back, found.black_takes_back) == (
        *(False, False, False),
        True,
    )


@pytest.mark.parametrize(("idle", "to_move", "left"), [(5_000, 30_000, 25_000), (40_000, 30_000, 0)])
def test_when_the_first_move_is_due(idle: int, to_move: int, left: int) -> None:
    assert state(expiration={"idleMillis": idle, "millisToMove": to_move}).expires_ms == left


@pytest.mark.parametrize("expiration", [None, [], {}, {"idleMillis": 5}, {"idleMillis": "5", "millisToMove": 9}, 7])
def test_a_wrong_deadline_is_none(expiration: object) -> None:
    assert state(expiration=expiration).expires_ms is None


def test_a_status_that_came_later_is_an_end_of_some_kind() -> None:
    assert state(status="somethingNew").status == "unknownFinish"
    assert wire.is_over(state(status="somethingNew"))
    assert not wire.is_over(state(status="created")) and not wire.is_over(state())


@pytest.mark.parametrize(
    "wrong",
    [
        {"moves": None},
        {"moves": ["e2e4"]},
        {"moves": "e2e4 x"},
        {"moves": "0000"},
        {"moves": "e2e9"},
        {"moves": "P@e4"},
        {"moves": "e7e8Q"},
        {"wtime": -1},
        {"wtime": 2_147_483_648},
        {"wtime": 10**5000},
        {"btime": "600"},
        {"btime": 1.5},
        {"btime": True},
        {"status": 20},
        {"status": None},
        {"status": "resign", "winner": None},
        {"status": "resign", "winner": "red"},
        {"status": "mate", "winner": True},
    ],
)
def test_a_state_that_makes_no_sense_is_garbage(wrong: dict[str, Any]) -> None:
    text = json.dumps(game_state(**{**wrong, **({"wtime": 1} if wrong.get("wtime", 0) == 10**5000 else {})}))
    if wrong.get("wtime") == 10**5000:  # Python itself writes no such number
        text = text.replace('"wtime": 1', '"wtime": 1' + "0" * 5000)
    assert in_game(text.encode()) is NoEvent.GARBAGE


def test_a_whole_game() -> None:
    found = full(moves="e2e4", colour="black", daysPerTurn=None)
    assert found.state == ServerState(at_ms=9, moves=("e2e4",), white_ms=600_000, black_ms=600_000, first=True)
    game = found.game
    assert game.opponent == OnlinePlayer("Bert", "FM", 1600, provisional=True)
    assert (game.terms.time, game.speed) == (OnlineTime(600, 5), Speed.RAPID)
    assert (game.my_turn, game.moved, game.last_move, game.seconds_left) == (True, False, "e2e4", 600)
    assert game.site == f"{SERVER}/abcd1234"


@pytest.mark.parametrize(
    ("colour", "fen", "moves", "mine", "moved"),
    [
        ("white", "startpos", "", True, False),
        ("white", "startpos", "e2e4", False, True),
        ("black", "startpos", "e2e4", True, False),
        ("black", "startpos", "e2e4 e7e5", False, True),
        ("black", "4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", "", True, False),
        ("white", "4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", "e8d8", True, False),
        ("black", "4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", "e8d8", False, True),
    ],
)
def test_whose_turn_it_is(colour: str, fen: str, moves: str, mine: bool, moved: bool) -> None:
    game = full(colour=colour, initialFen=fen, moves=moves).game
    assert (game.my_turn, game.moved) == (mine, moved)
    assert game.terms.fen == ("" if fen == "startpos" else fen)


def test_days_and_no_clock() -> None:
    assert full(clock=None, daysPerTurn=3, speed="correspondence").game.terms.time == OnlineTime(days=3)
    assert full(clock=None, speed="correspondence").game.terms.time == OnlineTime()


def test_the_servers_computer() -> None:
    found = full(black={"aiLevel": 4, "id": None, "name": None}).game.opponent
    assert (found.level, found.name) == (4, "")


@pytest.mark.parametrize(
    "wrong",
    [{"white": {"id": "carl", "name": "Carl"}}, {"black": None}, {"state": None}, {"id": "../../x"}, {"id": None}],
)
def test_a_game_that_makes_no_sense_is_garbage(wrong: dict[str, Any]) -> None:
    assert in_game(game_full(**wrong)) is NoEvent.GARBAGE


@pytest.mark.parametrize(
    ("gone", "claim"),
    [({"gone": True, "claimWinInSeconds": 8}, 8_000), ({"gone": True}, None), ({"gone": False}, None)],
)
def test_presence(gone: dict[str, Any], claim: int | None) -> None:
    found = in_game({"type": "opponentGone", **gone})
    assert found == ServerPresence(at_ms=9, gone=gone["gone"], claim_ms=claim)


def test_chat_comes_without_what_a_terminal_obeys() -> None:
    text = "\x1b[2J\x1b]0;gotcha\x07 hi\r\n\u202ethere" + "x" * 5_000
    found = in_game({"type": "chatLine", "room": "player", "username": "Be\x1b[31mrt\ud800", "text": text})
    assert isinstance(found, ServerChat)
    assert found.name == "Bert" and found.text.isprintable() and len(found.text) <= 500
    found.text.encode()
    assert in_game({"type": "chatLine", "room": "spectator", "username": "x", "text": "y"}) is NoEvent.NOTHING


@pytest.mark.parametrize("text", [b"", b"   ", b"\r", b'{"type":"comingSoon"}'])
def test_what_is_of_no_interest(text: bytes) -> None:
    assert in_game(text) is NoEvent.NOTHING and outside(text) is NoEvent.NOTHING


@pytest.mark.parametrize(
    "text", [b"{", b"[]", b"3", b"null", b"{}", b'{"type":7}', b"\xff\xfe", b"[" * 100_000, b'"x"']
)
def test_what_makes_no_sense(text: bytes) -> None:
    assert in_game(text) is NoEvent.GARBAGE and outside(text) is NoEvent.GARBAGE


# --- outside a game ---


def challenge(**more: Any) -> dict[str, Any]:
    told = {
        "id": "qhFWCaaa",
        "challenger": {"id": "bert", "name": "Bert", "rating": 1500, "title": "IM", "online": True},
        "destUser": {"id": "anna", "name": "Anna"},
        "variant": {"key": "chess960"},
        "rated": True,
        "speed": "rapid",
        "timeControl": {"type": "clock", "limit": 600, "increment": 5},
        "color": "white",
        "status": "created",
        **more,
    }
    return {"type": "challenge", "challenge": told}


def test_a_challenge() -> None:
    found = outside(challenge(rematchOf="abcd1234"))
    assert isinstance(found, ChallengeArrived)
    assert (found.id, found.rematch_of) == ("qhFWCaaa", "abcd1234")
    assert found.challenger == OnlinePlayer("Bert", "IM", 1500, online=True)
    terms = found.terms
    assert (terms.time, terms.rated, terms.variant) == (OnlineTime(600, 5), True, "chess960")
    assert terms.colour is chess.BLACK, "the challenger wants White"


@pytest.mark.parametrize(
    ("control", "time"),
    [
        ({"type": "correspondence", "daysPerTurn": 3}, OnlineTime(days=3)),
        ({"type": "unlimited"}, OnlineTime()),
        ({"type": "clock", "limit": 0, "increment": 1}, OnlineTime(0, 1)),
    ],
)
def test_times_of_challenges(control: dict[str, Any], time: OnlineTime) -> None:
    found = outside(challenge(timeControl=control, color="random"))
    assert isinstance(found, ChallengeArrived)
    assert found.terms.time == time and found.terms.colour is None


def test_ones_own_challenges_are_no_news() -> None:
    assert outside(challenge(challenger={"id": "anna", "name": "Anna"})) is NoEvent.NOTHING
    assert outside(challenge(direction="out")) is NoEvent.NOTHING


@pytest.mark.parametrize(
    ("kind", "more", "reason"),
    [
        ("challengeCanceled", {}, "cancelled"),
        ("challengeDeclined", {"declineReasonKey": "tooFast"}, "toofast"),
        ("challengeDeclined", {"declineReasonKey": "x\x1b[2J"}, "generic"),
        ("challengeDeclined", {}, "generic"),
    ],
)
def test_a_challenge_is_gone(kind: str, more: dict[str, Any], reason: str) -> None:
    found = outside({**challenge(**more), "type": kind})
    assert found == ChallengeGone(at_ms=9, id="qhFWCaaa", reason=reason)


def started(**more: Any) -> dict[str, Any]:
    told = {
        "gameId": "abcd1234",
        "fullId": "abcd1234wxyz",
        "color": "black",
        "fen": chess.STARTING_FEN,
        "lastMove": "e2e4",
        "hasMoved": False,
        "isMyTurn": True,
        "secondsLeft": 600,
        "speed": "classical",
        "rated": True,
        "variant": {"key": "standard"},
        "opponent": {"id": "bert", "username": "Bert", "rating": 1600},
        **more,
    }
    return {"type": "gameStart", "game": told}


def test_a_game_begins() -> None:
    found = outside(started())
    assert isinstance(found, GameOpened)
    game = found.game
    assert (game.id, game.opponent.name, game.terms.colour, game.terms.rated) == ("abcd1234", "Bert", chess.BLACK, True)
    assert (game.my_turn, game.last_move, game.seconds_left, game.speed) == (True, "e2e4", 600, Speed.CLASSICAL)
    computer = outside(started(opponent={"id": None, "username": "Stockfish level 1", "ai": 1}))
    assert isinstance(computer, GameOpened) and computer.game.opponent.level == 1


def test_a_game_ends() -> None:
    finished = {**started(ratingDiff=-9), "type": "gameFinish"}
    assert outside(finished) == GameFinished("abcd1234", rated=True, change=-9)
    assert outside({**started(rated=False), "type": "gameFinish"}) == GameFinished("abcd1234")


@pytest.mark.parametrize("wrong", [{"gameId": "a/b"}, {"gameId": "x" * 50}, {"color": "red"}, {"gameId": None}])
def test_a_game_without_an_id_or_a_colour_is_garbage(wrong: dict[str, Any]) -> None:
    assert outside(started(**wrong)) is NoEvent.GARBAGE


# --- answers ---


def test_the_list_of_games_leaves_out_what_makes_no_sense() -> None:
    listed = wire.games(line({"nowPlaying": [started()["game"], 7, {"gameId": "x"}], "nbMyTurn": 1}), SERVER)
    assert listed is not None and [game.id for game in listed] == ["abcd1234"]
    assert wire.games(b"{}", SERVER) is None and wire.games(b"<html>", SERVER) is None


def test_the_account() -> None:
    assert wire.account(b'{"id":"anna","username":"Anna"}') == wire.Account("anna", "Anna")
    assert wire.account(b'{"id":"../x"}') is None and wire.account(b"[]") is None


def test_friends() -> None:
    lines = [
        b'{"id":"bert","username":"Bert","title":"FM"}',
        b"",
        b"x",
        b'{"id":7}',
        b'{"id":"closed","disabled":true}',
    ]
    assert wire.friends(lines) == {"bert": OnlinePlayer("Bert", "FM")}
    assert wire.online_ids(b'[{"id":"bert","online":true},{"id":"carl"},7]') == {"bert"}
    assert wire.online_ids(b"{}") == frozenset()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"error":"No"}', "No"),
        (b'{"error":{"days":["Invalid","x"]}}', "Invalid"),
        (b'{"error":["a"]}', "a"),
        (b'{"error":{}}', ""),
        (b'{"error":[[[[["deep"]]]]]}', ""),
        (b"<html>", ""),
    ],
)
def test_the_servers_words(body: bytes, text: str) -> None:
    assert wire.error_text(body) == text


@pytest.mark.parametrize(
    ("name", "known"), [("Anna", True), ("a-b_9", True), ("a", False), ("..", False), ("Jürgen", False), ("a/b", False)]
)
def test_names_that_players_have(name: str, known: bool) -> None:
    assert wire.is_player_name(name) is known


# --- total ---

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=12,
)
NAMES = sorted(
    {*game_full(), *game_state(), *challenge()["challenge"], *started()["game"], "game", "challenge", "error"}
)
KINDS = [
    "gameFull",
    "gameState",
    "chatLine",
    "opponentGone",
    "gameStart",
    "gameFinish",
    "challenge",
    "challengeDeclined",
]
READERS: list[Callable[[bytes], object]] = [
    in_game,
    outside,
    lambda body: wire.games(body, SERVER),
    wire.account,
    wire.made_id,
    wire.done_reason,
    wire.error_text,
    wire.access_token,
    wire.online_ids,
    lambda body: wire.friends([body]),
    lambda body: wire.scopes(body, "x"),
]


@given(st.binary(max_size=60))
def test_no_bytes_raise(text: bytes) -> None:
    for read in READERS:
        read(text)


@given(
    st.sampled_from(KINDS), st.sampled_from([game_full("e2e4"), challenge()["challenge"], started()["game"]]), st.data()
)
def test_no_wrong_values_raise(kind: str, good: dict[str, Any], data: st.DataObject) -> None:
    """Good lines with some values replaced by anything, at any depth."""
    told: Any = {"type": kind, "game": good, "challenge": good, **{name: good[name] for name in good if name != "type"}}
    told = json.loads(json.dumps(told))
    for _ in range(data.draw(st.integers(1, 4))):
        place: Any = told
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = data.draw(st.sampled_from(keys))
            if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
                place = place[key]
                continue
            place[key] = data.draw(JSON)
            break
    text = json.dumps(told).encode()
    for read in READERS:
        found = read(text)
        if isinstance(found, Event):
            assert found.at_ms == 9


@pytest.mark.shared
def test_the_published_examples_are_understood() -> None:
    folder = FOLDER / "examples"
    if not folder.is_dir():
        pytest.skip("the published description is not here")
    examples = {
        path.name: yaml.safe_load(path.read_text(encoding="utf-8"))["value"] for path in folder.glob("stream-*")
    }
    assert len(examples) >= 7
    for name, example in examples.items():
        me = example.get("challenge", {}).get("destUser", {}).get("id", "anna")
        found = wire.event_line(line(example), 9, me, SERVER)
        assert not isinstance(found, NoEvent), name
    for name, reads in {
        "challenges-createChallenge.json.yaml": wire.made_id,
        "challenges-challengeAi.json.yaml": wire.made_id,
        "account-getMyProfile.json.yaml": wire.account,
    }.items():
        example = yaml.safe_load((folder / name).read_text(encoding="utf-8"))["value"]
        assert reads(line(example)) is not None, name


# --- who somebody is ---


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"title": "GM", "profile": {"flag": "GB-ENG"}}', wire.Profile("GM", "GB-ENG")),
        (b'{"profile": {"flag": "_pirate"}}', wire.Profile()),
        (b'{"title": 7, "profile": []}', wire.Profile()),
        (b"{}", wire.Profile()),
        (b"[]", None),
        (b"<html>", None),
    ],
)
def test_a_profile(body: bytes, found: wire.Profile | None) -> None:
    assert wire.profile(body) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"users": {"anna": 3.5, "bert": 1.5}, "nbGames": 5}', (5, (7, 3))),
        (b'{"users": {"BERT": 1, "Anna": 0}, "nbGames": 1}', (1, (0, 2))),
        (b'{"users": {}, "nbGames": 0}', (0, (0, 0))),
        (b'{"users": {"anna": -1, "bert": 0}, "nbGames": 1}', None),
        (b'{"users": {"anna": "3", "bert": 0}, "nbGames": 1}', None),
        (b'{"users": {"anna": 1e99, "bert": 0}, "nbGames": 1}', None),
        (b'{"users": [], "nbGames": 1}', None),
        (b'{"users": {"anna": 1, "bert": 0}}', None),
        (b"", None),
    ],
)
def test_what_two_players_made_against_each_other(body: bytes, found: object) -> None:
    assert wire.crosstable(body, "anna", "Bert") == found
