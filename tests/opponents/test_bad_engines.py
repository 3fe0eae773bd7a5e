"""Engines that are silent, gone, illegal, garbled or flooding are survived: reported, restarted once, then final."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import chess
import pytest

from tests.drivers.virtual_sound import until
from voicechess.game.effects import ConsiderDraw, JudgeClaim, Think
from voicechess.game.events import ClaimJudged, OpponentAnswered, OpponentFailed, OpponentMoved
from voicechess.opponents.discovery import EngineSpec

from .conftest import (
    BAD_ENGINE,
    GIVE_UP_S,
    IMPATIENT_AT_START,
    PATIENT,
    SOON_GIVEN_UP,
    SOON_TOLD_TO_STOP,
    Listener,
    Start,
)

LEVEL = 9  # never careless


def think(listener: Listener, board: chess.Board | None = None, number: int = 0) -> None:
    """Asks with so little on the clock that engines are given 0.05 seconds."""
    listener.opponent.ask(Think(board or chess.Board(), 1000, 1000, level=LEVEL, number=number))


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("silent", "silent"),
        ("silent_at_start", "silent"),
        ("gone", "gone"),
        ("gone_at_start", "gone"),
        ("illegal", "illegal"),
        ("garbled", "illegal"),
        ("contradicts", "start"),
        ("null", "illegal"),
        ("none", "no_move"),
        ("flood", "flood"),
        ("flood_empty", "flood"),
        ("flood_endless_line", "flood"),
        ("flood_stderr", "silent"),
        ("flood_at_start", "flood"),
    ],
)
def test_failing_engine_is_restarted_once_and_then_given_up(start: Start, mode: str, reason: str) -> None:
    patience = SOON_GIVEN_UP if reason == "silent" else PATIENT
    listener = start(mode, patience=IMPATIENT_AT_START if mode == "silent_at_start" else patience)
    think(listener)
    assert listener.next() == OpponentFailed(at_ms=4711, reason=reason, final=False)
    assert listener.next() == OpponentFailed(at_ms=4711, reason=reason, final=True)
    # It stays given up, and says so every time it is asked.
    think(listener)
    assert listener.next() == OpponentFailed(at_ms=4711, reason=reason, final=True)
    assert listener.events.empty()


def test_an_engine_that_dies_is_told_to_the_game_that_asked_and_the_others_are_answered(start: Start) -> None:
    listener = start("once_gone")
    for game in (1, 2, 3):
        listener.opponent.ask(Think(chess.Board(), 1000, 1000, level=LEVEL, number=10 + game, game=game))
    told = [listener.next() for _ in range(4)]
    assert told[0] == OpponentFailed(at_ms=4711, reason="gone", request=11, game=1)
    for game, answer in enumerate(told[1:], 1):
        assert isinstance(answer, OpponentMoved)
        assert (answer.game, answer.request) == (game, 10 + game)


@pytest.mark.parametrize("mode", ["once_gone", "once_illegal", "once_silent", "once_flood", "once_none"])
def test_the_restarted_engine_is_asked_again(start: Start, mode: str) -> None:
    listener = start(mode, patience=SOON_GIVEN_UP if mode == "once_silent" else PATIENT)
    think(listener)
    failed = listener.next()
    assert isinstance(failed, OpponentFailed)
    assert not failed.final
    assert listener.next() == OpponentMoved(at_ms=4711, uci="e2e4", ended_ms=4711)


@pytest.mark.parametrize("mode", ["noisy", "waits_for_stop", "good"])
def test_engines_that_only_talk_too_much_or_too_late_are_no_failure(start: Start, mode: str) -> None:
    listener = start(mode, patience=SOON_TOLD_TO_STOP)
    think(listener)
    assert listener.next() == OpponentMoved(at_ms=4711, uci="e2e4", ended_ms=4711)


@pytest.mark.parametrize("command", [("/nonexistent/engine",), (str(Path(__file__)),), (sys.prefix,)])
def test_a_program_that_cannot_be_started(start: Start, command: tuple[str, ...]) -> None:
    listener = start(spec=EngineSpec("None", command))
    think(listener)
    assert [listener.next(), listener.next()] == [
        OpponentFailed(at_ms=4711, reason="start", final=False),
        OpponentFailed(at_ms=4711, reason="start", final=True),
    ]


def test_a_program_that_is_no_engine(start: Start) -> None:
    listener = start(spec=EngineSpec("None", (sys.executable, "-c", "print('hello')")))
    think(listener)
    assert listener.next() == OpponentFailed(at_ms=4711, reason="gone", final=False)


def test_a_stopped_thought_is_not_answered_and_the_next_one_is(start: Start) -> None:
    listener = start("waits_for_stop", "e2e4", patience=SOON_TOLD_TO_STOP)
    think(listener, number=1)
    listener.opponent.stop()
    think(listener, number=2)
    event = listener.next()
    assert isinstance(event, OpponentMoved)
    assert event.request == 2
    assert listener.events.empty()


def test_every_answer_has_the_number_of_its_request(start: Start) -> None:
    listener = start("waits_for_stop", "e2e4", patience=SOON_TOLD_TO_STOP)
    think(listener, number=7)
    listener.opponent.ask(ConsiderDraw(chess.Board(), LEVEL, number=8))
    assert listener.next() == OpponentAnswered(at_ms=4711, accepts=False, request=8)
    assert listener.next() == OpponentMoved(at_ms=4711, uci="e2e4", ended_ms=4711, request=7)
    listener.opponent.ask(JudgeClaim(chess.Board(), chess.WHITE, 1, number=9))
    judged = listener.next()
    assert isinstance(judged, ClaimJudged) and judged.request == 9
    broken = start("illegal")
    think(broken, number=3)
    found = [broken.next(), broken.next()]
    assert [event.request for event in found if isinstance(event, OpponentFailed)] == [3, 3]


def test_a_draw_offer_interrupts_thinking_and_thinking_goes_on(start: Start) -> None:
    listener = start("waits_for_stop", "e2e4", patience=SOON_TOLD_TO_STOP)
    think(listener)
    listener.opponent.ask(ConsiderDraw(chess.Board(), LEVEL))
    assert listener.next() == OpponentAnswered(at_ms=4711, accepts=False)
    assert listener.next() == OpponentMoved(at_ms=4711, uci="e2e4", ended_ms=4711)


@pytest.mark.parametrize(
    ("fen", "accepts"), [("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", False), ("4k3/8/8/8/8/8/8/qq2K3 b - - 0 1", True)]
)
def test_a_broken_engine_still_answers_a_draw_offer_by_material(start: Start, fen: str, accepts: bool) -> None:
    listener = start("gone_at_start")
    listener.opponent.ask(ConsiderDraw(chess.Board(fen), LEVEL))
    assert listener.next() == OpponentAnswered(at_ms=4711, accepts=accepts)


def test_closing_twice_and_asking_afterwards_does_nothing(start: Start) -> None:
    listener = start("deaf")
    think(listener)
    listener.opponent.close()
    listener.opponent.close()
    think(listener)
    listener.opponent.stop()
    assert listener.events.empty()


def test_the_board_asked_about_is_left_alone(start: Start) -> None:
    board = chess.Board()
    board.push_uci("g1f3")
    before = board.copy()
    listener = start(move="e7e5")
    think(listener, board)
    assert listener.next() == OpponentMoved(at_ms=4711, uci="e7e5", ended_ms=4711)
    assert board == before
    assert board.move_stack == before.move_stack


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name != "posix", reason="only POSIX can ask for a process by signal 0")
@pytest.mark.parametrize("mode", ["good", "deaf", "ignores_quit"])
def test_no_engine_outlives_its_opponent(start: Start, tmp_path: Path, mode: str) -> None:
    listener = start(mode)
    think(listener)
    if mode != "deaf":
        listener.next()
    file = tmp_path / "starts.pid"
    while not (file.exists() and file.read_text()):  # it is being started
        time.sleep(0.01)
    pid = int(file.read_text())
    listener.opponent.close()
    until(lambda: not _lives(pid), GIVE_UP_S)  # `close` waits some seconds for its end; a busy machine takes longer
    assert not _lives(pid)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has process groups")
@pytest.mark.parametrize("mode", ["wrapper", "wrapper_deaf", "wrapper_ignores_quit"])
def test_what_an_engine_has_started_ends_with_it(start: Start, tmp_path: Path, mode: str) -> None:
    os.mkfifo(tmp_path / "starts.child")
    listener = start(mode)  # which starts the engine
    with (tmp_path / "starts.child").open("rb", buffering=0) as child:
        assert child.read(1) == b"!"
        think(listener)
        if mode != "wrapper_deaf":
            listener.next()
        listener.opponent.close()
        # Whoever has ended has closed it.
        assert select.select([child], [], [], GIVE_UP_S)[0] == [child]
        assert child.read(1) == b""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process is ended by its handle")
@pytest.mark.parametrize("mode", ["good", "deaf", "ignores_quit", "gone", "flood"])
def test_nobody_but_asyncio_waits_for_an_engine(start: Start, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """Whoever polls may take its exit status away, and asyncio then warns of an unknown child on standard error."""
    polled: list[int] = []
    poll = subprocess.Popen.poll

    def watched(child: subprocess.Popen[bytes]) -> int | None:
        """Threads of other tests may still wait for children of theirs, which is not looked at here."""
        if str(BAD_ENGINE) in child.args:  # type: ignore[operator]
            polled.append(child.pid)
        return poll(child)

    monkeypatch.setattr("subprocess.Popen.poll", watched)
    listener = start(mode)
    think(listener)
    if mode != "deaf":
        listener.next()
    listener.opponent.close()
    assert not polled
