"""While the silence after a move is waited for, the voice gets ready to repeat it: word for word what will be said."""

from __future__ import annotations

import pytest

from tests.app.test_headphones import QUIET_MS, Room, Voice
from voicechess.app.around import Hooks, Terminal
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, PersonalChoices, Player
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.messages import Priority, Whose

GAME = ("eva vier", "david fünf", "eva vier david fünf", "dame david fünf", "springer cesar drei")


@pytest.mark.parametrize("captured", [True, False])
@pytest.mark.parametrize("brisk", [True, False])
def test_the_repetition_that_is_foreseen_is_the_one_that_is_said(
    captured: bool, brisk: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voicechess.app.loop.TICK_S", 0.001)  # time passes by itself here
    session = Session(GameSettings(white=Player.VOICE, black=Player.VOICE, personal=PersonalChoices(captured=captured)))
    inbox = Inbox()
    clock = Room([(QUIET_MS * number, words) for number, words in enumerate(GAME, 1)], inbox)
    foreseen: list[tuple[str, bool] | None] = []
    said: list[tuple[object, bool]] = []

    class Foreseeing(Voice):
        def say(
            self, number: int, text: object, priority: Priority, quick: bool = False, whose: Whose = Whose.PROGRAM
        ) -> None:
            super().say(number, str(text), priority, quick)
            if str(text).endswith(".") and session.phase.name == "REPEATING":
                said.append((text, quick))

    loop = Loop(
        *(Wording("de").briskly(brisk), Hearing(load("de")), clock),
        inbox=inbox,
        voice=Foreseeing(clock, headphones=False),
        terminal=Terminal(lambda _: None),
    )
    handle = session.handle

    def foreseeing(event: ev.Event) -> object:
        if isinstance(event, ev.Heard):
            foreseen.append(loop.foreseen(event.words))
        return handle(event)

    monkeypatch.setattr(session, "handle", foreseeing)
    over = QUIET_MS * (len(GAME) + 1)
    loop.converse(session, ev.Started(at_ms=0), lambda: clock.now_ms > over, Hooks(game=lambda: session))
    assert len(session.plies) == len(GAME)
    assert foreseen == said
    assert any(quick for _, quick in said) is brisk
    assert loop.foreseen("uhr") is None and loop.foreseen("turm eva vier") is None and loop.foreseen("") is None
