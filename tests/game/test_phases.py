"""The table of transitions is whole: every phase has its row, is reached, and can end."""

from __future__ import annotations

import chess
import pytest

from voicechess.game.agreement import GameSettings
from voicechess.game.commands import SAYABLE
from voicechess.game.phases import QUESTIONS, TRANSITIONS, IllegalTransition, Phase, check
from voicechess.game.state import Repeating, Table


def reachable(start: Phase) -> set[Phase]:
    found, waiting = {start}, [start]
    while waiting:
        for phase in TRANSITIONS[waiting.pop()]:
            if phase not in found:
                found.add(phase)
                waiting.append(phase)
    return found


def test_every_phase_has_a_row_and_its_commands() -> None:
    assert set(TRANSITIONS) == set(SAYABLE) == set(Phase)


def test_every_phase_is_reached_and_every_game_can_end() -> None:
    assert reachable(Phase.NOT_STARTED) == set(Phase)
    assert all(Phase.OVER in reachable(phase) for phase in Phase)


def test_every_question_can_be_left_without_a_move() -> None:
    assert all(Phase.LISTENING in TRANSITIONS[phase] for phase in QUESTIONS)


def test_a_transition_that_is_not_in_the_table_is_a_bug() -> None:
    with pytest.raises(IllegalTransition):
        check(Phase.OVER, Phase.REPEATING)


def test_what_belonged_to_a_phase_is_gone_with_it() -> None:
    table = Table(GameSettings())
    table.enter(Phase.ANNOUNCING)
    table.enter(Phase.LISTENING)
    table.enter(Repeating(chess.Move.from_uci("e2e4"), ended_ms=1))
    table.wait_for(table.say("stopped"))
    assert table.pending is not None and table.awaited is not None
    table.enter(Phase.LISTENING)
    assert table.pending is None and table.awaited is None and table.open is None
