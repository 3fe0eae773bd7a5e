"""From the welcome: practice and the analysis of the last game, with no game begun; and back."""

from __future__ import annotations

import io

import pytest

from voicechess.app.context import Context
from voicechess.app.games import day_of
from voicechess.app.playing import welcome
from voicechess.app.wiring import Program, WantedDevices

PLAYED = ["nein", "mensch", "ohne uhr", "f3", "e5", "g4", "Dh4", "neue partie"]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Program:
    """The program, into which these lines are typed."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(request.param).encode())))
    return Program(Context.create("de"), WantedDevices(voice_input=False, voice_output=False))


@pytest.mark.parametrize("program", [["üben", "felder", "stufe eins", "ende", "ende"]], indirect=True)
def test_practice_begins_at_the_welcome_and_comes_back_to_it(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    with program:
        welcome(program)
        assert list(program.journal.games()) == []
    said = capsys.readouterr().out
    assert "Willkommen beim Üben." in said
    assert said.count("einverstanden?") == 2


@pytest.mark.parametrize("program", [["analyse", "ende"]], indirect=True)
def test_without_a_game_the_analysis_says_what_it_needs(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
    assert "Dazu braucht es eine Partie, die zu Ende gespielt ist." in capsys.readouterr().out


@pytest.mark.parametrize("program", [[*PLAYED, "analyse", "vor", "ende", "ende"]], indirect=True)
def test_the_last_game_is_analysed(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
    said = capsys.readouterr().out.splitlines()
    analysed = said[next(place for place, line in enumerate(said) if "Revanche" in line) :]
    assert any("Felix drei" in line for line in analysed), analysed


@pytest.mark.parametrize("program", [[*PLAYED[:4], "partie zeigen", "ende", "ja"]], indirect=True)
def test_the_score_that_is_shown_has_its_day(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
        (game,) = program.journal.games()
    assert f'[Date "{day_of(game.started)}"]' in capsys.readouterr().out
