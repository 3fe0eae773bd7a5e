"""Puzzles over the network: what Lichess answers becomes lines as in a file, and what fails a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.drivers.lichess.faults import Fault, Kind
from tests.drivers.lichess.spectator_endpoints import puzzle
from tests.drivers.lichess.standin import StandIn
from voicechess.messages import Failure
from voicechess.opponents.lichess.puzzle_answers import fetched, lines_of
from voicechess.practice.puzzle_lines import Goal, Puzzle, Wanted, puzzles_in

FOOL = puzzle("fool1", "f3 e5 g4", ["d8h4"], ["mateIn1"])
LEGAL = puzzle("legal", "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6", ["f3e5", "g4d1", "c4f7", "e8e7", "c3d5"], ["mateIn3"])


@pytest.fixture
def lichess() -> Iterator[StandIn]:
    with StandIn() as standin:
        standin.do(lambda world: world.puzzles.update(daily=[FOOL], mix=[LEGAL, FOOL], mateIn3=[LEGAL]))
        yield standin


def read(lines: tuple[str, ...]) -> list[Puzzle]:
    found = [one for one in puzzles_in(lines, Wanted()) if isinstance(one, Puzzle)]
    assert len(found) == len(lines)
    return found


def test_the_puzzle_of_the_day_begins_with_the_opponents_move_and_others_follow(lichess: StandIn) -> None:
    today, *after = read(fetched(lichess.url, "daily"))
    assert (today.goal, today.moves) == (Goal.LINE, ("g2g4", "d8h4"))
    assert today.fen.startswith("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w ")
    assert [one.moves[0] for one in after] == ["g7g6", "g2g4"]
    assert [one.account for one in lichess.log.exchanges] == [None, None], "nobody is told who solves them"


def test_a_theme_is_asked_for_with_one_request(lichess: StandIn) -> None:
    (found,) = read(fetched(lichess.url, "mateIn3"))
    assert found.moves == ("g7g6", "f3e5", "g4d1", "c4f7", "e8e7", "c3d5")
    assert len(lichess.log.exchanges) == 1
    assert fetched(lichess.url, "noSuchTheme") == ()


def test_the_puzzle_of_the_day_comes_though_the_others_do_not(lichess: StandIn) -> None:
    lichess.break_(Fault(Kind.ANSWER, "GET /api/puzzle/batch/*", status=500))
    assert len(fetched(lichess.url, "daily")) == 1


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (Fault(Kind.ANSWER, "GET /api/puzzle/*", status=429), "online.failed.busy"),
        (Fault(Kind.SPOIL_ANSWER, "GET /api/puzzle/*", body=b"[]"), "online.failed.server"),
        (Fault(Kind.ANSWER, "GET /api/puzzle/*", status=404), "online.failed.gone"),
    ],
)
def test_what_fails_is_told(lichess: StandIn, fault: Fault, key: str) -> None:
    lichess.break_(fault)
    with pytest.raises(Failure) as failed:
        fetched(lichess.url, "daily")
    assert failed.value.key == key


def test_without_a_network_the_reason_is_told(lichess: StandIn) -> None:
    lichess.disconnect()
    with pytest.raises(Failure) as failed:
        fetched(lichess.url, "mix")
    assert failed.value.key == "online.failed.unreached"


def test_nothing_but_a_theme_goes_into_the_address(lichess: StandIn) -> None:
    for theme in ("", "../account", "mix?x=1", "a b"):
        with pytest.raises(Failure):
            fetched(lichess.url, theme)
    assert not lichess.log.exchanges


def spoilt(**puzzle_fields: object) -> bytes:
    return json.dumps({**FOOL, "puzzle": {**FOOL["puzzle"], **puzzle_fields}}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"{}",
        b'{"puzzle": 3, "game": []}',
        spoilt(solution="d8h4"),
        spoilt(solution=["d8h4;x"]),
        spoilt(id="a,b"),
        json.dumps({**FOOL, "game": {"pgn": ""}}).encode(),
        json.dumps({**FOOL, "game": {"pgn": "e4 e5 Ke3"}}).encode(),
    ],
)
def test_what_makes_no_sense_is_none(body: bytes) -> None:
    assert lines_of(body) is None


def test_a_puzzle_without_sense_is_left_out_of_several() -> None:
    assert lines_of(json.dumps({"puzzles": [{"puzzle": {}}, FOOL, 7]}).encode()) == lines_of(json.dumps(FOOL).encode())
    assert lines_of(b'{"puzzles": []}') == ()
