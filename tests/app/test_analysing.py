"""`voicechess analyse`: where analyses are kept, what survives, the engine, and files that are none."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import chess
import pytest

from tests.app.test_practising import KEYBOARD, ROOT
from tests.drivers.exercising import analysed
from voicechess.app.analysis_file import AnalysisFile
from voicechess.app.hearing import Hearing
from voicechess.app.pgn_file import PgnFile
from voicechess.app.practice_store import PracticeStore
from voicechess.app.practising import GameInside, Performing
from voicechess.cli import main
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import Announcer
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, RecognisedUtterance
from voicechess.messages import Failure, Phrase, Text
from voicechess.practice.effects import Examine, Examined, ExaminingFailed, KeepAnalysis, StopExamining
from voicechess.score.pgn import MAX_CHARACTERS, read_pgn
from voicechess.storage.places import data_folder, settings_path

GAME = '[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Qh5 (2. Nf3 {besser}) 2... Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
OTHER = '[White "Clara"]\n\n1. d4 d5 *\n'


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "voicechess", *arguments, *KEYBOARD]


def run(arguments: list[str], lines: list[str]) -> list[str]:
    """What a session by keyboard says."""
    given = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(
        command(*arguments), input=given, capture_output=True, cwd=ROOT, encoding="utf-8", timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    path = tmp_path / "partie.pgn"
    path.write_text(GAME, "utf-8")
    return path


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_engine_is_asked_about_a_position(pgn: Path) -> None:
    said = run(["analyse", str(pgn)], ["zug 3 schwarz", "bewertung", "bester zug", "zug 3", "bewertung", "bester zug"])
    assert "Weiß setzt im nächsten Zug matt." in said
    assert "Am besten: Dame schlägt Felix sieben, matt." in said
    view = said[said.index("Moment.") + 1 :]
    assert any(word in view[0] for word in (" besser.", " ausgeglichen.", " auf Gewinn."))
    assert view[1].startswith("Am besten: ")
    assert not (pgn.parent / "partie.analysis.pgn").exists()  # nothing was changed


def test_a_game_that_was_found_is_analysed_inside_and_each_change_goes_to_its_own_file(
    pgn: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own.pgn").write_text('[White "Emil"]\n[Black "Fritz"]\n\n1. d4 d5 1-0\n', "utf-8")
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(f"[games]\nown_games = {json.dumps(str(folder))}\n", "utf-8")
    lines = ["a3", "partien suchen", "eins", "b3", "ende", "ja", "ende", "zug 1", "h3", "ende", "ja"]
    said = run(["analyse", str(pgn)], lines)
    assert "Eine Partie." in said and "Wieder in der Analyse." in said
    outer = (tmp_path / "partie.analysis.pgn").read_text("utf-8")
    (inner,) = (path.read_text("utf-8") for path in (data_folder() / "analyses").glob("*.pgn"))
    assert "a3" in outer and "b3" not in outer and "Emil" not in outer
    assert "b3" in inner and "a3" not in inner and "Emil" in inner


def test_what_was_typed_survives_being_killed(pgn: Path) -> None:
    going_on = subprocess.Popen(
        command("analyse", str(pgn)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, encoding="utf-8"
    )
    assert going_on.stdin is not None and going_on.stdout is not None
    going_on.stdin.write("zug 2\nspringer f6\nkommentar\nAuch möglich.\n")
    going_on.stdin.flush()
    while going_on.stdout.readline() not in ("Kommentar steht.\n", ""):
        pass
    going_on.kill()
    going_on.wait(60)
    said = run(["analyse", str(pgn)], ["zug 2", "variante"])
    assert said[1] == "Ihre Analyse geht weiter."
    assert said[-3:-1] == ["Springer Felix sechs.", "Kommentar: Auch möglich."]
    assert pgn.read_text("utf-8") == GAME


def test_a_game_that_was_played_here_is_analysed_when_it_is_over() -> None:
    moves = ["f3", "e5", "g4", "Dh4"]
    said = run(["play", "--both", "--opponent", "person"], [*moves, "analyse", "zug 1 schwarz", "d4", "speichern"])
    assert "Neue Variante." in said
    (kept,) = (data_folder() / "analyses").glob("*.analysis.pgn")
    assert f"Sie steht in {kept}." in said
    assert "( 2. d4 )" in kept.read_text("utf-8")
    said = run(["analyse"], ["zug 1 schwarz", "variante"])
    assert "Zwei: David vier." in said


def test_a_game_is_chosen_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "zwei.pgn"
    path.write_text(GAME + OTHER, "utf-8")
    said = run(["analyse", str(path), "--game", "2"], ["vor"])
    assert said[0] == "Analyse: Clara."
    assert run(["analyse", str(path)], ["zwei", "vor"])[:2] == [
        "Zwei Partien. Eins: Anna – Bert, zwei: Clara. Welche Nummer?",
        "Analyse: Clara.",
    ]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        (None, Phrase("cli.unreadable", {"path": Text("@")})),
        ("", Phrase("pgn.error.empty", {"game": 1})),
        ("1. e4 e5 2. Ke3 *", Phrase("pgn.error.move", {"game": 1, "move": 2, "text": Text("Ke3")})),
        ("1. e4 (1. d4 *", Phrase("pgn.error.variation", {"game": 1})),
        ("\0\x01" * 1000, Phrase("pgn.error.empty", {"game": 1})),
        ("1. e4 {" + "x" * MAX_CHARACTERS + "} *", Phrase("pgn.error.too_large", {"game": 1})),
    ],
    ids=["missing", "empty", "illegal", "bracket", "no text", "too long"],
)
def test_a_file_that_is_none_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, phrase: Phrase | None
) -> None:
    path = tmp_path / "partie.pgn"
    if text is not None:
        path.write_text(text, "utf-8")
    assert main(["analyse", str(path), *KEYBOARD]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    if phrase is not None:
        assert said.strip() == Wording("de").say(phrase).replace("@", str(path))


def test_a_number_that_no_game_has(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(pgn), "--game", "2", *KEYBOARD]) == 2
    assert capsys.readouterr().err == "--game muss zwischen eins und eins liegen.\n"


# --- where it is kept ------------------------------------------------------------------------------------------------


def test_nothing_but_an_analysis_of_this_game_is_written_over(pgn: Path) -> None:
    foreign = pgn.with_name("partie.analysis.pgn")
    foreign.write_text(OTHER, "utf-8")
    file = AnalysisFile.at(pgn)
    opened = file.opened(1)
    assert (opened.path, opened.kept) == (str(pgn.with_name("partie.analysis (2).pgn")), False)
    file.keep(KeepAnalysis(1, GAME))
    assert AnalysisFile.at(pgn).opened(1).kept
    assert foreign.read_text("utf-8") == OTHER
    assert sorted(path.name for path in pgn.parent.iterdir()) == [
        "partie.analysis (2).pgn",
        "partie.analysis.pgn",
        "partie.pgn",
    ]


def test_an_analysis_goes_on_in_its_own_file(pgn: Path) -> None:
    kept = pgn.with_name("partie.analysis.pgn")
    kept.write_text(GAME, "utf-8")
    assert AnalysisFile.at(kept).opened(1).path == str(kept)


def test_games_of_one_file_have_a_file_each(tmp_path: Path) -> None:
    file = AnalysisFile(PgnFile(io.BytesIO((GAME + OTHER).encode())), tmp_path, "zwei")
    assert [Path(file.opened(number).path).name for number in (1, 2)] == ["zwei.analysis-1.pgn", "zwei.analysis-2.pgn"]
    file.keep(KeepAnalysis(2, OTHER))
    assert [file.opened(number).kept for number in (1, 2)] == [False, True]


def test_a_folder_that_takes_no_files_is_told_and_named_again_when_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = AnalysisFile(PgnFile(io.BytesIO(GAME.encode())), tmp_path / "file", "partie")
    opened = file.opened(1)
    with pytest.raises(Failure) as caught:
        file.keep(KeepAnalysis(1, GAME))
    assert caught.value.key == "cli.unwritable"
    _, analysis = analysed(GAME.splitlines())
    performing = Performing(analysis, PracticeStore(None), Announcer(), GameInside(), analyses=file.keep)
    hearing, now = Hearing(load("de")), 0

    def said(words: str) -> list[str]:
        heard = hearing.understood(
            RecognisedUtterance.typed(words, now), Expectation(chess.Board()), now, ev.Source.KEYBOARD
        )
        return [effect.utterance.key for effect in performing.handle(heard) if isinstance(effect, ef.Say)]

    assert opened.path.endswith(".analysis.pgn")
    assert "cli.unwritable" in said("d4")
    assert "cli.unwritable" not in (said("korrektur") + said("d4"))
    assert said("speichern") == ["cli.unwritable"]


# --- the engine's answers --------------------------------------------------------------------------------------------


def test_a_late_answer_of_the_engine_is_not_taken_for_another_position() -> None:
    room, analysis = analysed(GAME.splitlines())
    room.type("bewertung")
    (late,) = [effect.number for effect in room.effects if isinstance(effect, Examine)]
    assert analysis.busy
    room.type("vor")
    assert any(isinstance(effect, StopExamining) for effect in room.effects)
    assert not analysis.busy
    room.type("bewertung")
    assert room.event(Examined(at_ms=room.now, index=0, centipawns=900, best="e2e4", number=late)) == []
    assert room.event(ExaminingFailed(at_ms=room.now, reason="gone", number=late)) == []
    assert analysis.busy
    assert room.event(Examined(at_ms=room.now, index=0, centipawns=-900, best="e7e5", number=late + 1)) == [
        "Weiß steht auf Gewinn."
    ]


@pytest.mark.parametrize(
    ("centipawns", "sentence"),
    [
        (0, "Die Stellung ist ausgeglichen."),
        (-29, "Die Stellung ist ausgeglichen."),
        (30, "Weiß steht etwas besser."),
        (-80, "Schwarz steht deutlich besser."),
        (200, "Weiß steht auf Gewinn."),
        (49_990, "Weiß setzt matt."),
        (-99_999, "Schwarz setzt im nächsten Zug matt."),
        (99_997, "Weiß setzt in drei Zügen matt."),
        (None, "Die Maschine weiß dazu nichts."),
    ],
)
def test_an_evaluation_in_words(centipawns: int | None, sentence: str) -> None:
    room, _ = analysed(GAME.splitlines())
    room.type("bewertung")
    assert room.event(Examined(at_ms=room.now, index=0, centipawns=centipawns, best="e2e4", number=1)) == [sentence]


@pytest.mark.parametrize(
    ("centipawns", "sentence"),
    [(1, "Weiß steht ein Hundertstel Bauern besser."), (-1, "Schwarz steht ein Hundertstel Bauern besser.")],
)
def test_the_smallest_advantage_is_of_the_right_side(centipawns: int, sentence: str) -> None:
    room, _ = analysed(GAME.splitlines())
    room.type("genaue bewertung")
    assert room.event(Examined(at_ms=room.now, index=0, centipawns=centipawns, best="e2e4", number=1)) == [sentence]


def test_what_was_asked_after_a_game_is_answered_for_its_last_position() -> None:
    room, _ = analysed(GAME.splitlines(), first=Command("endgame_table"))
    assert room.said[-1] == "Schwarz ist matt."


def test_stopping_ends_the_engine_at_once() -> None:
    room, analysis = analysed(GAME.splitlines())
    room.type("beste variante")
    assert room.hear("stopp") == ["Gestoppt."]
    assert any(isinstance(effect, StopExamining) for effect in room.effects)
    assert not analysis.busy


def test_what_is_kept_is_a_pgn_that_others_read() -> None:
    room, _ = analysed(GAME.splitlines())
    for line in ("d4", "kommentar", 'Mit "Zeichen" { } ; % und \\', "anfang", "kommentar", "(nur) 1. so"):
        room.type(line)
    (score,) = read_pgn(room.kept[1])
    assert (score.comment, len(score.entries)) == ("(nur) 1. so", 7)
    again, _ = analysed(room.kept[1].splitlines())
    assert again.type("variante") == ["Eins: David vier.", 'Kommentar: Mit "Zeichen" ; % und \\']
