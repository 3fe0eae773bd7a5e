"""The table of transitions is whole: every phase has its row, is reached, and can end."""

from __future__ import annotations

import chess
import pytest

from voicechess.game import questions
from voicechess.game.agreement import GameSettings
from voicechess.game.commands import SAYABLE
from voicechess.game.kind import Games
from voicechess.game.phases import (
    QUESTIONS,
    TRANSITIONS,
    Announcing,
    IllegalTransition,
    Pause,
    Paused,
    Phase,
    Repeating,
    check,
)
from voicechess.game.state import Table
from voicechess.meaning import Command


def reachable(start: Phase) -> set[Phase]:
    found, waiting = {start}, [start]
    while waiting:
        for phase in TRANSITIONS[waiting.pop()]:
            if phase not in found:
                found.add(phase)
                waiting.append(phase)
    return found


def test_every_phase_has_a_row_and_its_commands() -> None:
    assert set(TRANSITIONS) == set(SAYABLE[Games.CASUAL]) == set(Phase)


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
    table.enter(Announcing())
    table.step_to_turn()
    table.enter(Repeating(chess.Move.from_uci("e2e4"), ended_ms=1))
    table.wait_for(table.say("stopped"))
    assert table.pending is not None and table.awaited is not None
    table.step_to_turn()
    assert table.phase is Phase.LISTENING
    assert table.pending is None and table.awaited is None and table.open is None


def paused() -> Table:
    table = Table(GameSettings())
    table.enter(Announcing())
    table.step_to_turn()
    table.enter(Paused(Pause.LEFT))
    return table


def test_a_question_leads_back_to_what_lasts_with_its_data() -> None:
    table = paused()
    questions.confirm(table, Command("resign"))
    questions.confirm(table, Command("end"))
    assert (table.phase, table.base_phase, table.paused) == (Phase.CONFIRMING, Phase.PAUSED, Pause.LEFT)
    table.step_to_base()
    assert table.state == Paused(Pause.LEFT) and table.open is None


def test_what_becomes_of_a_phase_behind_a_question_stays_with_it() -> None:
    table = paused()
    questions.confirm(table, Command("resign"))
    table.amend(Paused(Pause.STOPPED))
    assert table.phase is Phase.CONFIRMING
    table.step_to_base()
    assert table.state == Paused(Pause.STOPPED)


def test_the_side_to_move_goes_on_whatever_lasted() -> None:
    table = paused()
    questions.confirm(table, Command("resign"))
    table.step_to_turn()
    assert (table.phase, table.paused) == (Phase.LISTENING, None)


def test_nothing_else_changes_the_phase() -> None:
    table = paused()
    with pytest.raises(AssertionError):
        table.amend(Announcing())
