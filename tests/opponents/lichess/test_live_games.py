"""Games followed at the stand-in: what there is, a round's PGN, a game's moves, and what goes wrong on the way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import chess
import pytest

from tests.drivers.lichess.faults import Fault, Kind
from tests.drivers.lichess.spectator_endpoints import Round
from tests.drivers.lichess.standin import StandIn
from voicechess.opponents.lichess.fields import NonsenseError
from voicechess.opponents.lichess.live_games import (
    Followable,
    GameLines,
    GameTold,
    LiveFeed,
    PgnLines,
    address_of,
    on_now,
)
from voicechess.opponents.lichess.transport import ServerFault, Transport
from voicechess.score.pgn import read_game

OPENING = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        standin.do(lambda world: world.rounds.update(round001=Round("round001", "Cup", "Round 3")))
        yield standin


def play(lichess: StandIn, board: int, moves: str) -> None:
    lichess.do(lambda world: world.rounds["round001"].play(board, "Ada", "Bo, B", moves))


@contextmanager
def following(lichess: StandIn, address: str) -> Iterator[tuple[list[GameTold], list[tuple[bool, str]]]]:
    told: list[GameTold] = []
    links: list[tuple[bool, str]] = []
    transport = Transport(lichess.url)
    feed = LiveFeed(
        transport,
        address,
        told.append,
        lambda up, reason: links.append((up, reason)),
        time.monotonic,
        pause=lambda seconds, wake: wake.wait(min(seconds, 0.05)),
    )
    feed.start()
    try:
        yield told, links
    finally:
        feed.stop()
        transport.close()


def moves(told: GameTold) -> list[str]:
    return [made.move.uci() for made in read_game(told.pgn).entries]


def test_what_can_be_followed_is_what_goes_on(lichess: StandIn) -> None:
    later = Round("round002", "Cup", "Round 4", ongoing=False)
    lichess.do(lambda world: world.rounds.update(round002=later))
    for white in ("Anna", "Cem", "Eli"):
        lichess.play(white, "Bert")
    with closing(Transport(lichess.url)) as transport:
        found = on_now(transport)
    ids = [game.id for game in lichess.games()]
    assert found == (
        Followable("round:round001", "Cup, Round 3"),
        Followable(f"game:{ids[1]}", "Cem", player=True),
        Followable(f"game:{ids[2]}", "Eli", player=True),
    )


def test_the_games_of_a_round_come_whole_and_again_when_they_change(lichess: StandIn) -> None:
    play(lichess, 1, "1. e4 e5 *")
    play(lichess, 2, "1. d4 { [%clk 1:00:00] } *")
    with following(lichess, "round:round001") as (told, links):
        lichess.until(lambda: len(told) == 2)
        assert [one.title for one in told] == ["Ada – Bo, B"] * 2
        assert told[0].key != told[1].key
        play(lichess, 1, "1. e4 e5 2. Nf3 *")
        lichess.until(lambda: len(told) == 3)
        assert (told[2].key, moves(told[2])) == (told[0].key, ["e2e4", "e7e5", "g1f3"])
        lichess.disconnect()
        lichess.until(lambda: links[:1] and not links[0][0])
        play(lichess, 2, "1. d4 d5 1-0")
        lichess.connect()
        lichess.until(lambda: len(told) == 4)
        assert links[-1] == (True, "")
        assert read_game(told[3].pgn).pgn_result == "1-0", "what has not changed is not told again"
    assert not any(exchange.account for exchange in lichess.log.exchanges)


def test_a_running_game_comes_late_and_at_its_end_whole(lichess: StandIn) -> None:
    game = lichess.play("Anna", "Bert")
    lichess.move(game.id, *OPENING[:4])
    with following(lichess, f"game:{game.id}") as (told, links):
        lichess.until(lambda: told and moves(told[-1]) == OPENING[:1])
        assert told[-1].title == "Anna – Bert"
        lichess.move(game.id, *OPENING[4:])
        lichess.until(lambda: moves(told[-1]) == OPENING[:3])
        lichess.break_(Fault(Kind.CUT, "GET /api/stream/game/*", times=1))
        lichess.move(game.id, "b5a4")
        lichess.until(lambda: moves(told[-1]) == OPENING[:4])
        lengths = [len(moves(one)) for one in told]
        assert lengths == sorted(lengths), "a stream that was opened again tells nothing twice"
        lichess.end(game.id, "resign", chess.WHITE)
        lichess.until(lambda: "1-0" in told[-1].pgn)
        assert moves(told[-1]) == [*OPENING, "b5a4"]
        assert read_game(told[-1].pgn).entries[0].move.uci() == "e2e4"
    assert [up for up, _ in links] in ([], [False, True])


@pytest.mark.parametrize("address", ["round:nothing1", "game:nothing1", "game:../x", "round:"])
def test_what_is_not_there_is_told(lichess: StandIn, address: str) -> None:
    with following(lichess, address) as (told, links):
        lichess.until(lambda: links)
    assert (told, links) == ([], [(False, "gone")])


def test_an_answer_without_sense_is_a_fault(lichess: StandIn) -> None:
    lichess.break_(Fault(Kind.SPOIL_ANSWER, "GET /api/tv/channels", body=b"[1]"))
    with closing(Transport(lichess.url)) as transport, pytest.raises(ServerFault) as fault:
        on_now(transport)
    assert fault.value.reason == "garbage"


# --- lines ------------------------------------------------------------------------------------------------------


def test_a_comment_ends_no_game() -> None:
    lines = PgnLines()
    assert lines.take('[White "A \\"B\\" C"]') is None
    assert lines.take("1. e4 { so far 1-0") is None
    assert lines.take("and 0-1 } e5") is None
    found = lines.take("2. Nf3 *")
    assert found is not None
    assert found.title == 'A "B" C'
    assert moves(found) == ["e2e4", "e7e5", "g1f3"]


def test_a_game_without_an_end_is_no_sense_and_the_next_is_read() -> None:
    lines = PgnLines()
    lines.take("1. e4 e5")
    with pytest.raises(NonsenseError):
        lines.take('[White "A"]')
    lines.take('[White "A"]')
    assert lines.take("1. d4 *") is not None


@pytest.mark.parametrize(
    "lines",
    [
        ['{"fen": "8/8/8/8/8/8/8/8 w", "lm": "e2e4"}'],
        ['{"id": "abcdefgh", "initialFen": "nonsense"}'],
        ['{"id": "abcdefgh"}', '{"fen": "x", "lm": "e2e5"}'],
        ['{"id": "abcdefgh"}', '{"fen": "8/8/8/8/8/8/8/8 b", "lm": "e2e4"}'],
        ['{"id": "../../x"}'],
        ["[]"],
        ["\xff"],
    ],
)
def test_lines_without_sense(lines: list[str]) -> None:
    game = GameLines()
    with pytest.raises(NonsenseError):
        for line in lines:
            game.take(line.encode("latin-1"))


def test_a_game_from_a_position_and_of_chess960_is_told_as_such() -> None:
    fen = chess.Board.from_chess960_pos(1).fen()
    game = GameLines()
    game.take(json.dumps({"id": "abcdefgh", "initialFen": fen, "variant": {"key": "chess960"}}).encode())
    board = chess.Board(fen, chess960=True)
    move = next(iter(board.legal_moves))
    board.push(move)
    found = game.take(json.dumps({"fen": board.fen(), "lm": board.uci(move), "wc": 5, "bc": 7}).encode())
    assert found is not None
    assert read_game(found.pgn).chess960
    with pytest.raises(ServerFault):
        GameLines().take(b'{"id": "abcdefgh", "variant": {"key": "atomic"}}')


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("abcdefgh", "game:abcdefgh"),
        ("abcdefghijkl", "game:abcdefgh"),
        ("https://lichess.org/abcdefgh", "game:abcdefgh"),
        ("https://lichess.org/abcdefgh/black#12", "game:abcdefgh"),
        ("https://lichess.org/broadcast/cup/round-3/round001", "round:round001"),
        ("https://lichess.org/broadcast/cup/round-3/round001/board001", "round:round001"),
        ("https://lichess.org/broadcast/cup", None),
        ("https://lichess.org/@/someone", None),
        ("abc", None),
        ("../../etc", None),
        ("", None),
    ],
)
def test_a_game_is_named_by_its_page_or_its_id(text: str, address: str | None) -> None:
    assert address_of(text) == address
