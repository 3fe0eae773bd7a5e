"""Walking over the board from rank to rank: after a "Stopp" it goes on with the first rank that was not heard whole."""

from __future__ import annotations

import chess
import pytest

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, Say
from voicechess.game.session import Session
from voicechess.meaning import Command, Reading
from voicechess.messages import Rank, Side


def ranks(effects: tuple[Effect, ...]) -> list[tuple[int, object]]:
    """The ranks told, each with the number of its utterance."""
    said = [effect.utterance for effect in effects if isinstance(effect, Say)]
    return [(one.number, one.slots["rank"]) for one in said if "rank" in one.slots]


class Walk:
    """A game of two people, begun, to which commands are said."""

    def __init__(self) -> None:
        self.session, self.at_ms = Session(GameSettings(white=Player.VOICE, black=Player.VOICE)), 0
        started = self.session.handle(ev.Started(at_ms=0))
        self.spoken([effect.utterance.number for effect in started if isinstance(effect, Say)])

    def hear(self, name: str) -> tuple[Effect, ...]:
        self.at_ms += 1_000
        began_ms, ended_ms = self.at_ms - 500, self.at_ms - 100
        reading = Reading(Command(name))
        return self.session.handle(
            ev.Heard(at_ms=self.at_ms, readings=(reading,), words=name, began_ms=began_ms, ended_ms=ended_ms)
        )

    def spoken(self, numbers: list[int], completed: bool = True) -> None:
        for number in numbers:
            self.session.handle(ev.Spoken(at_ms=self.at_ms, number=number, completed=completed))


def test_after_a_stop_the_next_rank_is_the_first_that_was_not_heard_whole() -> None:
    walk = Walk()
    hear = walk.hear
    told = ranks(hear("position_ranks"))
    assert [rank for _, rank in told] == [Rank(rank) for rank in range(8)]
    walk.spoken([number for number, _ in told[:3]])
    hear("stop")
    walk.spoken([number for number, _ in told[3:]], completed=False)
    assert [rank for _, rank in ranks(hear("rank_next"))] == [Rank(3)]
    assert [rank for _, rank in ranks(hear("rank_next"))] == [Rank(4)]
    assert [rank for _, rank in ranks(hear("rank_back"))] == [Rank(3)]


@pytest.mark.parametrize(("heard", "side"), [(0, chess.WHITE), (1, chess.BLACK)])
def test_after_a_stop_the_next_piece_is_the_first_of_the_side_that_was_not_heard_whole(
    heard: int, side: chess.Color
) -> None:
    walk = Walk()
    told = [effect.utterance.number for effect in walk.hear("position_whole") if isinstance(effect, Say)]
    walk.spoken(told[:heard])
    walk.hear("stop")
    walk.spoken(told[heard:], completed=False)
    said = [effect.utterance for effect in walk.hear("piece_next") if isinstance(effect, Say)]
    assert [one.slots["side"] for one in said] == [Side(side)]
