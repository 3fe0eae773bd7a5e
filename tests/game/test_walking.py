"""Walking over the board from rank to rank: after a "Stopp" it goes on with the first rank that was not heard whole."""

from __future__ import annotations

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Effect, Say
from voicechess.game.session import Session
from voicechess.meaning import Command, Reading
from voicechess.messages import Rank


def ranks(effects: tuple[Effect, ...]) -> list[tuple[int, object]]:
    """The ranks told, each with the number of its utterance."""
    said = [effect.utterance for effect in effects if isinstance(effect, Say)]
    return [(one.number, one.slots["rank"]) for one in said if "rank" in one.slots]


def test_after_a_stop_the_next_rank_is_the_first_that_was_not_heard_whole() -> None:
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    at_ms = 0

    def hear(name: str) -> tuple[Effect, ...]:
        nonlocal at_ms
        at_ms += 1_000
        reading = Reading(Command(name))
        return session.handle(
            ev.Heard(at_ms=at_ms, readings=(reading,), words=name, began_ms=at_ms - 500, ended_ms=at_ms - 100)
        )

    for effect in session.handle(ev.Started(at_ms=0)):
        if isinstance(effect, Say):
            session.handle(ev.Spoken(at_ms=1, number=effect.utterance.number))
    told = ranks(hear("position_ranks"))
    assert [rank for _, rank in told] == [Rank(rank) for rank in range(8)]
    for number, _ in told[:3]:
        session.handle(ev.Spoken(at_ms=at_ms, number=number))
    hear("stop")
    for number, _ in told[3:]:
        session.handle(ev.Spoken(at_ms=at_ms, number=number, completed=False))
    assert [rank for _, rank in ranks(hear("rank_next"))] == [Rank(3)]
    assert [rank for _, rank in ranks(hear("rank_next"))] == [Rank(4)]
    assert [rank for _, rank in ranks(hear("rank_back"))] == [Rank(3)]
