"""Arrows and marked squares: those of a study, those drawn by voice, and how long they stay."""

from __future__ import annotations

import chess
import chess.pgn
import pytest

from tests.drivers.exercising import Room, analysed, built
from voicechess.game.effects import ShowBoard
from voicechess.language.wording import Wording
from voicechess.practice.exercises.analysis import Analysis
from voicechess.practice.exercises.building import Building
from voicechess.practice.exercises.drawings import MOST_DRAWN, drawings_told, drawn_at

STUDY = ["{ Wer zieht? [%csl Ge4] } 1. e4 { [%cal Re7e5] } e5 *"]


def commented(comment: str) -> chess.pgn.GameNode:
    game = chess.pgn.Game()
    game.comment = comment
    return game


def drawn(analysis: Analysis) -> tuple[str, ...]:
    assert analysis.scene is not None
    return analysis.scene.drawn


def test_what_a_study_has_drawn_is_told() -> None:
    wording = Wording("de", strict=True)
    told = drawings_told(drawn_at(commented("Halt! [%csl Rd5] [%cal Ge3e4,Rd3d5,Ye2e4]")))
    assert [wording.say(one) for one in told] == [
        "Eingezeichnet: David fünf, Eva drei nach Eva vier, David drei nach David fünf, Eva zwei nach Eva vier."
    ]
    assert drawings_told(drawn_at(commented("[%csl ] [%cal Gx9]"))) == ()
    room, _ = analysed(STUDY)
    assert room.said[1:3] == ["Eingezeichnet: Eva vier.", "Kommentar: Wer zieht?"]
    assert room.hear("vor") == ["Eins: Eva vier.", "Eingezeichnet: Eva sieben nach Eva fünf."]


def test_what_the_study_has_drawn_is_seen_with_its_colours_and_not_without_end() -> None:
    room, analysis = analysed(STUDY)
    assert drawn(analysis) == ("Ge4",)
    room.hear("vor")
    assert drawn(analysis) == ("Re7e5",)
    assert len(drawn_at(commented(f"[%csl {','.join(['Ge4'] * 5_000)}]"))) == MOST_DRAWN


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", ["pfeil gustav eins felix drei", "markiere eva vier", "markierungen weg"]),
        ("en", ["arrow gustav one felix three", "mark eva four", "clear marks"]),
    ],
)
def test_it_is_drawn_by_voice_and_kept_nowhere(language: str, lines: list[str]) -> None:
    room, analysis = analysed(["1. e4 *"], language)
    found = []
    for line in lines:
        assert room.hear(line)
        found.append(drawn(analysis))
    assert found == [("Gg1f3",), ("Gg1f3", "Ge4"), ()]
    assert not room.kept


@pytest.mark.parametrize(
    "typed", ["pfeil g1 f3", "pfeil von g1 nach f3", "arrow g1 f3", "Pfeil Gustav eins Felix drei"]
)
def test_it_is_typed_as_squares_are(typed: str) -> None:
    room, analysis = analysed(["1. e4 *"])
    room.type(typed)
    assert drawn(analysis) == ("Gg1f3",)


@pytest.mark.parametrize("move", ["vor", "david vier", "zug eins"])
def test_it_vanishes_with_the_next_move(move: str) -> None:
    room, analysis = analysed(["1. e4 *"])
    room.hear("markiere eva vier")
    room.hear(move)
    assert drawn(analysis) == ()
    room.hear("zurück")
    assert drawn(analysis) == ()


def test_what_the_file_has_drawn_is_there_again_after_it_was_cleared() -> None:
    room, analysis = analysed(STUDY)
    assert room.hear("markierungen weg") == ["Markierungen weg."]
    assert drawn(analysis) == ()
    assert "Eingezeichnet: Eva vier." not in room.hear("wiederholen")
    room.hear("vor")
    assert "Eingezeichnet: Eva vier." in room.hear("zurück")
    assert drawn(analysis) == ("Ge4",)


def test_a_correction_takes_the_last_arrow_away_and_no_move() -> None:
    """An arrow that was misheard must cost no variation."""
    room, analysis = analysed(["1. e4 *"])
    room.hear("david vier")
    room.hear("markiere eva vier")
    room.hear("pfeil gustav eins felix drei")
    assert room.hear("korrektur") == ["Die Zeichnung ist wie zuvor.", "Eingezeichnet: Eva vier."]
    assert room.hear("korrektur") == ["Die Zeichnung ist wie zuvor."]
    assert drawn(analysis) == ()
    assert room.hear("korrektur")[0] == "Gestrichen: David vier."


def test_a_correction_after_the_next_move_is_about_that() -> None:
    room, _ = analysed(["1. e4 *"])
    room.hear("markiere eva vier")
    room.hear("david vier")
    assert room.hear("korrektur")[0] == "Gestrichen: David vier."
    assert room.hear("korrektur") == ["Nichts zu korrigieren."]


def test_the_same_again_changes_nothing() -> None:
    room, analysis = analysed(["1. e4 *"])
    for _ in range(2):
        assert room.hear("markiere eva vier") == ["Eingezeichnet: Eva vier."]
    assert drawn(analysis) == ("Ge4",)
    room.hear("korrektur")
    assert room.hear("markierungen weg") == ["Es ist nichts eingezeichnet."]


def test_the_pupil_moves_only_where_a_move_is_waited_for() -> None:
    room, analysis = analysed(["1. e4 *"])
    assert analysis.scene is not None and analysis.scene.here
    room.type("kommentar")
    assert not analysis.scene.here, "the move would become the comment"
    room.type("abbrechen")
    assert analysis.scene.here
    several, choosing = analysed(["1. e4 *", "", "1. d4 *"])
    assert choosing.scene is None
    several.hear("zwei")
    assert choosing.scene is not None and choosing.scene.here


@pytest.mark.parametrize("room", [analysed(["1. e4 *"])[0], built()], ids=["analysis", "setting up"])
@pytest.mark.parametrize(("line", "wanted"), [("brett zeigen", True), ("brett schließen", False)])
def test_the_board_is_shown_and_closed_on_request(room: Room, line: str, wanted: bool) -> None:
    room.hear(line)
    assert ShowBoard(wanted) in room.effects


def test_a_position_is_seen_while_it_is_set_up() -> None:
    room = built()
    assert isinstance(room.machine, Building)
    room.hear("weiß könig gustav eins")
    scene = room.machine.scene
    assert scene.board.board_fen() == "8/8/8/8/8/8/8/6K1" and not scene.here
