"""Forms of answers chosen in an analysis are remembered, as in a game."""

from __future__ import annotations

import chess

from voicechess.game.effects import Announcer, Effect, KeepChoice, Say
from voicechess.meaning import Command
from voicechess.messages import Rank
from voicechess.practice.exercises.position_queries import PositionQueries


def keys(effects: tuple[Effect, ...]) -> list[str]:
    return [effect.utterance.key for effect in effects if isinstance(effect, Say)]


def test_a_form_is_kept_for_this_query_and_for_the_next_start() -> None:
    board, queries = chess.Board(), PositionQueries(Announcer())
    long = keys(queries.answer(board, Command("material")))
    changed = queries.answer(board, Command("shorter"))
    assert [one.values for one in changed if isinstance(one, KeepChoice)] == [{"answers": "material short"}]
    short = keys(queries.answer(board, Command("material")))
    assert short != long
    again = PositionQueries(Announcer(), "material short")
    assert keys(again.answer(board, Command("material"))) == short
    assert keys(again.answer(board, Command("usual_form"))) == ["answers.usual_form"]
    assert keys(again.answer(board, Command("material"))) == long


def test_what_is_said_has_the_numbers_of_the_conversation() -> None:
    """So that walking goes on behind the rank that was heard last."""
    speaker = Announcer(100)
    queries = PositionQueries(speaker)
    told = queries.answer(chess.Board(), Command("position_ranks"))
    numbers = [effect.utterance.number for effect in told if isinstance(effect, Say)]
    assert numbers == list(range(101, 109))
    queries.heard_whole(numbers[2])
    walked = queries.answer(chess.Board(), Command("rank_next"))
    assert [effect.utterance.slots["rank"] for effect in walked if isinstance(effect, Say)] == [Rank(3)]
