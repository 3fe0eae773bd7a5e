"""A server that does not answer: the player is listened to meanwhile, and can leave (issue 49, 23)."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import cast

import pytest

from tests.drivers.virtual_sound import until
from voicechess.app import online
from voicechess.app.around import Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.inbox import Inbox
from voicechess.app.loop import Loop
from voicechess.app.online import OnlineRoom
from voicechess.app.wiring import Program
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.messages import Failure
from voicechess.online import reaching

GIVE_UP_S = 60


class Player:
    """Somebody at the keyboard of a program that has nothing but a loop."""

    def __init__(self) -> None:
        self.told: list[str] = []
        clock, self.inbox = EventClock(), Inbox()
        self.loop = Loop(
            Wording("de"), Hearing(load("de")), clock, inbox=self.inbox, terminal=Terminal(self.told.append)
        )
        program = SimpleNamespace(loop=self.loop, inbox=self.inbox, clock=clock, microphone_there=False)
        self.room = OnlineRoom(cast(Program, program), "http://127.0.0.1:1")


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> Player:
    monkeypatch.setattr(online, "AT_ONCE_S", 0.0)
    return Player()


@pytest.mark.parametrize(("said", "code"), [("ende", 0), ("abbrechen", None), ("zurück", None)])
def test_who_does_not_want_to_wait_may_leave(player: Player, said: str, code: int | None) -> None:
    answered, dropped = threading.Event(), list[str]()

    def ask() -> str:
        answered.wait(GIVE_UP_S)
        return "late"

    player.inbox.type_line(said)
    assert player.room._waited_for(ask, dropped.append) is None
    assert player.loop.exit_code == code
    answered.set()
    until(lambda: dropped == ["late"], GIVE_UP_S)


def test_the_player_is_told_what_is_waited_for(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "PATIENCE_MS", 0)
    answered = threading.Event()

    def ask() -> str:
        answered.wait(GIVE_UP_S)
        return "there"

    def told() -> None:
        until(lambda: "Ich warte noch auf Lichess." in player.told, GIVE_UP_S)
        answered.set()

    threading.Thread(target=told, daemon=True).start()
    assert player.room._waited_for(ask) == "there"
    assert player.loop.exit_code is None


def test_what_goes_wrong_is_told(player: Player) -> None:
    def ask() -> str:
        raise Failure("online.failed.network")

    with pytest.raises(Failure, match=r"online\.failed\.network"):
        player.room._waited_for(ask)
