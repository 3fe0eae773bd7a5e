"""From the welcome: practice and the analysis of the last game, with no game begun; and back."""

from __future__ import annotations

import io
from pathlib import Path

import chess
import pytest

from voicechess.app.context import Context
from voicechess.app.games import day_of
from voicechess.app.library import index_path
from voicechess.app.opening_index import build
from voicechess.app.playing import welcome
from voicechess.app.wiring import Program, WantedDevices
from voicechess.game.agreement import Player
from voicechess.storage.places import data_folder

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


@pytest.mark.parametrize("program", [["partien suchen", "ende"]], indirect=True)
def test_without_a_game_a_search_says_that_there_is_none(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
    assert "Es gibt noch keine Partie, die zu Ende ist." in capsys.readouterr().out


@pytest.mark.parametrize(
    "program",
    [[*PLAYED, "Partien mit Barnes", "öffne eins", "vor", "partien mit dieser stellung", *["ende"] * 3, "ja", "ende"]],
    indirect=True,
)
def test_a_game_is_found_again_by_its_opening_and_its_position(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    with program:
        welcome(program)
    said = capsys.readouterr().out
    for sentence in ("Eine Partie: Eröffnung Barnes.", "Eins: Felix drei.", "Eine Partie: mit dieser Stellung."):
        assert sentence in said, said
    assert said.count("Suche beendet.") == 2
    kept = (data_folder() / "analyses").glob("*.pgn")
    assert not list(kept), "nothing was changed"


@pytest.mark.parametrize(
    "program", [["nein", "mensch", "ohne uhr", "f3", "e5", "g4", "partien suchen", "ende", "ja"]], indirect=True
)
def test_a_game_that_goes_on_is_none_that_is_found(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
    assert "Das geht nach der Partie." in capsys.readouterr().out


@pytest.mark.parametrize("program", [[*PLAYED[:-1], "was wird hier gespielt", "ende", "ja", "ende"]], indirect=True)
def test_after_the_game_the_collection_is_asked_about_its_end(
    program: Program, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "games.pgn").write_text('[Result "1-0"]\n\n1. f3 e5 2. Kf2 1-0\n', "utf-8")
    build([tmp_path / "games.pgn"], index_path())
    with program:
        welcome(program)
    said = capsys.readouterr().out
    assert "Die Sammlung endet vor Zug zwei, Weiß: Gustav vier. Dort am häufigsten: König Felix zwei." in said, said


SET_UP = ["stellung aufbauen", "weiß könig gustav eins dame david eins schwarz könig gustav acht", "fertig"]


@pytest.mark.parametrize("program", [[*SET_UP, "maschine", "ja", "dame david acht", "ende", "ja"]], indirect=True)
def test_a_game_begins_from_a_position_that_was_set_up(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
        (game,) = program.journal.games()
        usual = program.journal.usual()
    assert game.settings.fen == "6k1/8/8/8/8/8/8/3Q2K1 w - - 0 1"
    assert usual is not None and usual.fen == chess.STARTING_FEN, "the position is for this time"
    assert "Mit Weiß, Stufe drei, ohne Uhr: einverstanden?" in capsys.readouterr().out


@pytest.mark.parametrize("program", [[*PLAYED, *SET_UP, "mensch", "ohne uhr", "ende", "ja"]], indirect=True)
def test_a_position_is_set_up_after_a_game(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
        newest, *_ = program.journal.games()
    assert newest.settings.fen.startswith("6k1/")
    assert newest.settings.white is newest.settings.black is Player.VOICE
    capsys.readouterr()


@pytest.mark.parametrize("program", [[*SET_UP, "analyse", "dame david acht", "ende", "ja", "ende"]], indirect=True)
def test_a_position_that_was_set_up_is_analysed(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    with program:
        welcome(program)
        assert not program.journal.games()
    said = capsys.readouterr().out
    assert "Dame David acht" in said and "Analyse beendet." in said
    (kept,) = (data_folder() / "analyses").glob("*.analysis.pgn")
    assert '[FEN "6k1/8/8/8/8/8/8/3Q2K1 w - - 0 1"]' in kept.read_text(encoding="utf-8")
