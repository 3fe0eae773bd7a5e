"""A position that is set up, compared with a game's, an analysis', or a FEN."""

from __future__ import annotations

import chess
import pytest

from tests.drivers.exercising import Room, analysed, built
from voicechess.game import events as ev
from voicechess.game.effects import Say
from voicechess.language.folders import LANGUAGES
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Reading
from voicechess.practice.exercises.building import Building
from voicechess.practice.exercises.comparing import MOST_TOLD, Comparison, Reference, empty_squares, wrong_squares

PAWN_ENDING = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"


def against(fen: str) -> Room:
    return built(against=lambda: Reference(chess.Board(fen), "game"))


def said(built_fen: str, right_fen: str) -> list[str]:
    wording = Wording("de", strict=True)
    boards = chess.Board(built_fen), chess.Board(right_fen)
    return [wording.say(phrase) for phrase in (*wrong_squares(*boards), *empty_squares(*boards))]


def test_each_square_that_differs_is_told() -> None:
    assert said("4k3/8/8/3p4/8/5b2/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/5N2/8/4K3 w - - 0 1") == [
        "Auf Felix drei steht ein schwarzer Läufer, richtig ist ein weißer Springer.",
        "Auf David fünf steht ein schwarzer Bauer zu viel.",
        "Auf Eva vier fehlt ein weißer Bauer.",
    ]
    assert said(PAWN_ENDING, PAWN_ENDING) == []


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_told_twice_and_nothing_is_left_out(seed: int) -> None:
    one, other = (chess.Board.from_chess960_pos(seed * n) for n in (7, 13))
    differing = sum(one.piece_at(square) != other.piece_at(square) for square in chess.SQUARES)
    assert len(wrong_squares(one, other)) + len(empty_squares(one, other)) == differing


def test_it_is_compared_as_it_grows() -> None:
    room = against(PAWN_ENDING)
    assert room.hear("vergleichen") == [
        "Verglichen mit der letzten Partie.",
        "Es fehlen: vier.",
        "Auf Eva eins fehlt ein weißer König.",
        "Auf Eva vier fehlt ein weißer Bauer.",
        "Auf David fünf fehlt ein schwarzer Bauer.",
        "Auf Eva acht fehlt ein schwarzer König.",
    ]
    room.hear("weiß könig eva eins bauer eva vier schwarz könig eva acht")
    assert room.hear("vergleichen")[1:] == [
        "Was steht, stimmt.",
        "Es fehlen: eins.",
        "Auf David fünf fehlt ein schwarzer Bauer.",
    ]
    room.hear("schwarzer bauer felix fünf")
    assert room.hear("vergleichen")[1:] == [
        "Falsch: eins.",
        "Es fehlen: eins.",
        "Auf Felix fünf steht ein schwarzer Bauer zu viel.",
        "Auf David fünf fehlt ein schwarzer Bauer.",
    ]
    room.hear("lösche felix fünf")
    room.hear("schwarzer bauer david fünf")
    assert room.hear("vergleichen")[1:] == ["Kein Unterschied."]
    room.hear("schwarz am zug")
    assert room.hear("vergleichen")[1:] == ["Am Zug ist dort Weiß."]


def test_many_differences_come_in_parts_which_end_with_the_next_change() -> None:
    room = against(chess.STARTING_FEN)
    told = room.hear("vergleichen")
    assert len(told) == 2 + MOST_TOLD + 1 and told[-1] == "Mehr mit weiter."
    found = [line for line in told if "fehlt" in line]
    for _ in range(32 // MOST_TOLD):
        found += [line for line in room.hear("weiter") if "fehlt" in line]
    assert len(set(found)) == 32
    assert room.hear("weiter") == ["Zum Beispiel: Weiß König Gustav eins. Oder: fertig."]
    room.hear("vergleichen")
    room.hear("weiß könig eva eins")
    assert room.hear("weiter") == ["Zum Beispiel: Weiß König Gustav eins. Oder: fertig."]


def test_what_was_cut_short_is_told_again() -> None:
    """After a "Stopp" nothing may be missing."""
    building = built(against=lambda: Reference(chess.Board(PAWN_ENDING), "game")).machine
    told = [effect.utterance for effect in building.handle(command("compare")) if isinstance(effect, Say)]
    for at, one in enumerate(told):
        building.handle(ev.Spoken(at_ms=0, number=one.number, completed=at < 3))
    again = [effect.utterance for effect in building.handle(command("resume")) if isinstance(effect, Say)]
    assert [(one.key, one.slots["square"]) for one in again] == [(one.key, one.slots["square"]) for one in told[3:]]


def command(name: str) -> ev.Heard:
    return ev.Heard(at_ms=0, readings=(Reading(Command(name), 0.0, name),), words=name, began_ms=0, ended_ms=0)


def test_without_a_game_a_fen_is_asked_for_and_compared_with_from_then_on() -> None:
    room = built()
    room.hear("weiß könig eva eins schwarz könig eva acht")
    assert room.hear("vergleichen") == ["Womit? Bitte eine FEN tippen."]
    assert room.type(PAWN_ENDING)[:3] == ["Verglichen mit der FEN.", "Was steht, stimmt.", "Es fehlen: zwei."]
    assert isinstance(room.machine, Building) and room.machine.scene.board.board_fen() == "4k3/8/8/8/8/8/8/4K3"
    room.hear("weißer bauer eva vier")
    assert room.hear("vergleichen")[:3] == ["Verglichen mit der FEN.", "Was steht, stimmt.", "Es fehlen: eins."]


def test_a_fen_is_taken_over_unless_it_comes_right_after_comparing() -> None:
    room = against(PAWN_ENDING)
    room.hear("vergleichen")
    room.hear("weiß könig eva eins")
    assert room.type(PAWN_ENDING)[0] == "Stellung übernommen."
    assert room.hear("vergleichen") == ["Verglichen mit der letzten Partie.", "Kein Unterschied."]


def test_a_wrong_fen_leaves_the_question_open() -> None:
    room = built()
    room.hear("vergleichen")
    assert "FEN" in " ".join(room.type("x/x/x/x/x/x/x/x w - - 0 1"))
    assert room.type(PAWN_ENDING)[0] == "Verglichen mit der FEN."


def test_a_position_in_mind_is_compared_with_that_of_an_analysis() -> None:
    room, analysis = analysed(["1. e4 d5 *"])
    room.hear("vor")
    assert room.hear("stellung aufbauen")[0].startswith("Leeres Brett.")
    room.hear("grundstellung")
    assert room.hear("vergleichen") == [
        "Verglichen mit der Analyse.",
        "Falsch: eins.",
        "Es fehlen: eins.",
        "Auf Eva zwei steht ein weißer Bauer zu viel.",
        "Am Zug ist dort Schwarz.",
        "Auf Eva vier fehlt ein weißer Bauer.",
    ]
    room.hear("ende")
    assert room.hear("ja")[-2:] == ["Wieder in der Analyse.", "Zug eins, Weiß: Eva vier."]
    assert room.hear("vor") == ["David fünf."]
    assert not analysis.over


def test_a_game_from_a_position_ends_the_analysis_in_which_it_was_set_up() -> None:
    room, analysis = analysed(["1. e4 *"])
    room.hear("stellung aufbauen")
    room.type(PAWN_ENDING)
    room.hear("fertig")
    assert any(line.startswith(f"plays {PAWN_ENDING}") for line in room.hear("gegen die maschine"))
    assert analysis.over


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there(language: str) -> None:
    wording = Wording(language, strict=True)
    comparison = Comparison(lambda: Reference(chess.Board(PAWN_ENDING), "analysis"))
    board = chess.Board("8/8/8/4P3/4p3/8/8/8 b - - 0 1")
    assert len([wording.say(phrase) for phrase in comparison.begin(board)]) == 9
