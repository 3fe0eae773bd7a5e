"""A first move in place of a yes to playing as always is the first move of the game that begins."""

from __future__ import annotations

import io

import pytest

from voicechess.app.context import Context
from voicechess.app.playing import welcome
from voicechess.app.wiring import Program, WantedDevices
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player


def test_a_game_begins_with_the_move_that_was_announced_before_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("eva vier\neva fünf\nende\nja\n".encode())))
    usual = GameSettings(white=Player.VOICE, black=Player.VOICE, time="5+3")
    with Program(Context.create("de"), WantedDevices(voice_input=False, voice_output=False)) as program:
        program.journal.set_usual(usual)
        program.journal.set_preference("three_words_told", "3")
        welcome(program)
        (summary,) = program.journal.games()
        events = program.journal.game(summary.id).events
    heard = [event for event in events if isinstance(event, ev.Heard)]
    assert [event.words for event in heard[:2]] == ["eva vier", "eva fünf"]
    assert heard[0].began_ms == heard[0].ended_ms, "what was said before the game costs no time in it"
    said = capsys.readouterr().out.splitlines()
    assert said[-4:-2] == ["Bauer Eva zwei Eva vier.", "Bauer Eva sieben Eva fünf."]
    stood = [event.moves for event in events if isinstance(event, ev.Stood)]
    assert stood[-1] == ("e2e4", "e7e5")
