"""Through a loudspeaker who goes on speaking is heard until the program's first sound, and not beyond what they mean.

The clock is turned by hand; who is heard when is in tests/sound/test_talked_over.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.app.test_correcting import Ear
from tests.app.test_headphones import QUIET_MS, Room, Voice
from voicechess.app.around import Hooks, Machine, Terminal
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation
from voicechess.messages import Utterance


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicechess.app.loop.TICK_S", 0.001)  # time passes by itself here


def converse(machine: Machine, hooks: Hooks, *script: tuple[int, str], until_ms: int = 15_000) -> Voice:
    """Have a machine hear these words; the times are those at which they are understood."""
    inbox = Inbox()
    clock = Room(list(script), inbox)
    voice = Voice(clock, headphones=False)
    loop = Loop(
        *(Wording("de"), Hearing(load("de")), clock),
        inbox=inbox,
        voice=voice,
        speech_input=Ear(clock),
        terminal=Terminal(lambda _: None),
    )
    loop.converse(machine, ev.Started(at_ms=0), lambda: clock.now_ms > until_ms, hooks)
    return voice


def test_what_a_player_goes_on_to_say_is_judged_before_the_refusal_is_said() -> None:
    session, kept = Session(GameSettings(white=Player.VOICE, black=Player.VOICE)), list[ev.Event]()
    said = ((QUIET_MS, "turm eva vier"), (QUIET_MS + 500, "springer felix drei"))
    voice = converse(session, Hooks(keep=kept.append, tells_speakers=True), *said)
    assert [ply.move.uci() for ply in session.plies] == ["g1f3"]
    assert voice.hushed == ["Kein Turm kann nach Eva vier."]
    again = Session(session.settings)
    for event in kept:
        again.handle(event)
    assert (again.plies, again.phase) == (session.plies, session.phase)


def test_it_does_not_agree_to_a_question_that_nobody_has_heard() -> None:
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE))
    voice = converse(session, Hooks(tells_speakers=True), (QUIET_MS, "aufgeben"), (QUIET_MS + 500, "ja"))
    assert voice.said.count("Gibt Weiß wirklich auf?") == 2 and not session.over


@dataclass
class Asking:
    """Asks when it begins, and notes what reaches it."""

    expectation = Expectation()
    heard: list[str] = field(default_factory=list)

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        if isinstance(event, ev.Heard):
            best = event.readings[0].meaning
            self.heard.append(best.name if isinstance(best, Command) else event.words)
        return (ef.Say(Utterance("confirm.resign", number=1)),) if isinstance(event, ev.Started) else ()


def test_outside_a_game_only_commands_are_obeyed_before_a_question_is_heard() -> None:
    asking = Asking()
    converse(asking, Hooks(), (500, "ja"), (1_000, "stopp"), (3_000, "ja"))
    assert asking.heard == ["stop", "ja"]
