"""What is kept of practising, the report on it, the engine's thread, and the command as a whole."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import chess
import pytest

from tests.drivers.exercising import BEGAN, course
from tests.storage.test_journal import read_only
from voicechess.app.context import Context
from voicechess.app.games import Recording
from voicechess.app.hearing import Hearing, Recognised
from voicechess.app.practice_store import PracticeStore
from voicechess.app.practising import Examiner, GameInside, Performing, PracticeRoom, PracticeWish
from voicechess.app.simulation import Simulation
from voicechess.app.wiring import Program, WantedDevices
from voicechess.cli import main
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Announcer
from voicechess.game.session import Session
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.opponents.discovery import EngineSpec, sunfish
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FIRST_NUMBER, Examined, ExaminingFailed
from voicechess.practice.exercises.blindfold import Blindfold
from voicechess.practice.report import page, report_lines
from voicechess.practice.schedule import Answered, Bookmark, Deck, Grade
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

ROOT = Path(__file__).parent.parent.parent

ANSWERS = (
    Answered(BEGAN, "notation", 1, ("file.2", "rank.4"), True, 1, 0, 1800),
    Answered(BEGAN + timedelta(days=1), "notation", 1, ("file.2", "rank.1"), False, 2, 1, None),
    Answered(BEGAN + timedelta(days=3), "mates", 3, ("mate.2",), True),
)


def test_progress_lies_beside_the_games_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Journal(path).close()
    store = PracticeStore(path)
    for answer in ANSWERS:
        store.keep(answer, {"file.2": "{}"})
    place = Bookmark("follow", 2, "follow.where", 123456789012345, 4, 7, 5)
    store.mark(place)
    store.close()
    again = PracticeStore(path)
    assert again.answers() == ANSWERS
    assert again.cards() == {"file.2": "{}"}
    assert again.bookmark() == place
    again.mark(None)
    assert again.bookmark() is None
    again.close()
    journal = Journal(path)
    assert journal.games() == ()
    journal.close()


def test_an_unreadable_bookmark_is_none() -> None:
    store = PracticeStore(None)
    store._database.execute('INSERT INTO practice_bookmark VALUES (1, \'{"exercise": 1, "what": 2}\')')
    assert store.bookmark() is None


@pytest.mark.parametrize("place", ['{"exercise":1,"level":1,"skill":"","seed":1}', "[]", "7", '{"level":null}'])
def test_a_bookmark_with_what_none_has_is_none(place: str) -> None:
    store = PracticeStore(None)
    store._database.execute("INSERT INTO practice_bookmark VALUES (1, ?)", (place,))
    assert store.bookmark() is None


@pytest.mark.parametrize(
    "change",
    [
        *("at = x'ff'", "at = 'yesterday'", "at = 7", "exercise = x'ff'", "level = 'x'", "level = x'ff'"),
        *("skills = x'ff'", "correct = 'x'", "tries = 1.5", "hints = 'x'", "answer_ms = 'x'", "answer_ms = x'ff'"),
    ],
)
def test_an_answer_with_what_none_has_is_passed_over(change: str) -> None:
    store = PracticeStore(None)
    for answer in ANSWERS:
        store.keep(answer, {})
    store._database.execute(f"UPDATE practice_answer SET {change} WHERE id = 2")
    kept = store.answers()
    assert kept == (ANSWERS[0], ANSWERS[2])
    for language in ("de", "en"):
        page(kept, Wording(language, strict=True).say, language)


@pytest.mark.parametrize("card", ["x'ff'", "7", "'[]'", "'null'", "'{}'", "'{\"card_id\": 1}'"])
def test_a_card_that_is_none_begins_anew(card: str) -> None:
    store = PracticeStore(None)
    store._database.execute(f"INSERT INTO practice_card VALUES ('file.2', {card})")
    assert set(Deck(store.cards()).rate(["file.2"], Grade.GOOD, BEGAN)) == {"file.2"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("due", "2026-01-01"), ("stability", "x"), ("difficulty", "x"), ("last_review", "2026-01-01"), ("step", "x")],
)
def test_a_card_with_what_none_has_begins_anew(name: str, value: object) -> None:
    deck = Deck()
    text = deck.rate(["file.2"], Grade.GOOD, BEGAN)["file.2"]
    broken = Deck({"file.2": json.dumps(json.loads(text) | {name: value})})
    assert broken.rate(["file.2"], Grade.GOOD, BEGAN) == {"file.2": text}
    assert broken.pick(["file.2"], BEGAN, Random(1)) == "file.2"


def test_progress_in_tables_that_are_not_ours_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    PracticeStore(path).close()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE practice_card")
        database.execute("CREATE TABLE practice_card (what INTEGER)")
    for copied in (False, True):
        with pytest.raises(JournalError) as caught:
            PracticeStore(path, copied=copied)
        assert caught.value.key == "journal.damaged"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions and links")
def test_progress_is_reported_where_nothing_can_be_written_to_the_games(tmp_path: Path) -> None:
    store = PracticeStore(journal_file())
    store.keep(ANSWERS[0], {})
    store.close()
    read_only(journal_file())
    status, said, told = run(["--report", "--out", str(tmp_path / "page.html")])
    assert (status, told) == (0, "")
    assert "Bisher 100 % von 1 auf Anhieb richtig." in said


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("earlier", [False, True])
def test_nobody_else_can_read_the_report(earlier: bool) -> None:
    page_file = journal_file().with_name("practice.html")
    page_file.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    if earlier:
        page_file.write_text("")
        page_file.chmod(0o644)
    assert main(["practise", "--report"]) == 0
    assert stat.S_IMODE(page_file.stat().st_mode) == 0o600


def test_a_foreign_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"not a database, whatever it says" * 100)
    with pytest.raises(JournalError):
        PracticeStore(tmp_path / "games.sqlite")


class _FullDisk(PracticeStore):
    def keep(self, answer: Answered, cards: object) -> None:
        raise JournalError("journal.busy", {})

    def mark(self, bookmark: Bookmark | None) -> None:
        raise JournalError("journal.busy", {})


def test_a_disk_that_refuses_is_said_once_and_practice_goes_on() -> None:
    speaker = Announcer(FIRST_NUMBER)
    drill = Drill(course("squares", 1), Deck(), Random(1), speaker, BEGAN)
    performing = Performing(drill, _FullDisk(None), speaker, GameInside())
    said = [e.utterance.key for e in performing.handle(ev.Started(at_ms=0)) if isinstance(e, ef.Say)]
    assert said.count("journal.busy") == 1
    assert "practice.squares.shade" in said
    performing.close()


def test_where_a_blindfold_game_stands_is_kept_with_its_events(tmp_path: Path) -> None:
    """A version that makes something else of the same words comes to the same game."""
    journal = Journal(tmp_path / "games.sqlite")
    settings = GameSettings(white=Player.VOICE, black=Player.ENGINE)
    session, speaker = Session(settings), Announcer(FIRST_NUMBER)
    recorder = journal.begin(settings)
    blindfold = Blindfold(session, speaker, Bookmark("blindfold", 1, "", recorder.game_id))
    game = GameInside()
    game.begin(Recording(recorder, session))
    performing = Performing(blindfold, PracticeStore(None), speaker, game)
    conversation = Simulation(performing, Hearing(load("de")))
    conversation.happen(ev.Started(at_ms=0))
    conversation.hear(Recognised.typed("eva vier", 3000), ev.Source.KEYBOARD)
    conversation.happen(ev.OpponentMoved(at_ms=4000, uci="e7e5"))
    performing.close()
    stood = [event.moves for event in journal.game(recorder.game_id).events if isinstance(event, ev.Stood)]
    assert stood == [(), ("e2e4",), ("e2e4", "e7e5")]
    journal.close()


def test_a_blindfold_game_can_go_on_elsewhere_once_the_next_exercise_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    with Program(Context.create("de"), WantedDevices(voice_input=False, voice_output=False)) as program:
        room = PracticeRoom(program, PracticeWish())
        released: list[int] = []
        monkeypatch.setattr(program.journal, "release", released.append)
        bookmark = Bookmark("blindfold", 1, "", 1)
        for place, so_far in ((None, []), (None, [1]), (bookmark, [1, 2]), (bookmark, [1, 2, 1])):
            assert isinstance(room._begin("blindfold", 1, place), Blindfold)
            assert released == so_far
        room.close()


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_page_can_be_read_without_seeing_it(language: str) -> None:
    wording = Wording(language, strict=True)
    text = page(ANSWERS, wording.say, language)
    tree = ElementTree.fromstring(re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", text))
    assert tree.get("lang") == language
    (plot,) = tree.iter("{http://www.w3.org/2000/svg}svg")
    assert plot.get("role") == "img"
    named = {element.get("id"): element.text for element in plot.iter() if element.get("id")}
    assert set((plot.get("aria-labelledby") or "").split()) == set(named)
    assert all(named.values())
    described = named["plot-text"] or ""
    assert described in "".join("".join(p.itertext()) for p in tree.iter("p"))
    assert len(list(plot.iter("{http://www.w3.org/2000/svg}circle"))) == 3
    points = plot.find("{http://www.w3.org/2000/svg}polyline")
    assert points is not None
    assert [float(pair.split(",")[1]) for pair in str(points.get("points")).split()] == [12.0, 216.0, 12.0]
    headings = [element.text for element in tree.iter() if element.tag in ("h1", "h2")]
    assert len(headings) == 5
    assert all(row.find("th") is not None for body in tree.iter("tbody") for row in body)


def test_the_page_of_somebody_who_has_not_practised() -> None:
    text = page((), Wording("de", strict=True).say, "de")
    assert "<svg" not in text
    assert Wording("de").say(report_lines(())[0]) in text


def test_names_in_the_page_are_escaped() -> None:
    text = page((replace(ANSWERS[0], skills=("file.1",)),), lambda _phrase: "<b>&", "de")
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;" in text


# --- the engine's thread ---------------------------------------------------------------------------------------------


def test_the_engine_sees_the_mate() -> None:
    spec = sunfish()
    assert spec is not None
    posted: queue.Queue[ev.Event] = queue.Queue()
    examiner = Examiner(spec, posted.put, lambda: 17, seconds=0.3)
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    examiner.examine((board, board.mirror()))
    answers = [posted.get(timeout=60) for _ in range(2)]
    assert all(isinstance(answer, Examined) for answer in answers)
    assert [(a.index, a.best) for a in answers if isinstance(a, Examined)] == [(0, "a1a8"), (1, "a8a1")]
    assert all(a.centipawns is not None and a.centipawns > 1000 for a in answers if isinstance(a, Examined))
    examiner.close()
    examiner.close()
    assert posted.empty()


def test_an_engine_that_is_none_is_told() -> None:
    posted: queue.Queue[ev.Event] = queue.Queue()
    examiner = Examiner(EngineSpec("none", (sys.executable, "-c", "print('hello')")), posted.put, lambda: 0)
    examiner.examine((chess.Board(),))
    assert isinstance(posted.get(timeout=60), ExaminingFailed)
    examiner.close()


# --- the command -----------------------------------------------------------------------------------------------------


def run(arguments: list[str], lines: list[str] | None = None) -> tuple[int, str, str]:
    """The command in a process of its own: exit status, output, errors."""
    done = subprocess.run(
        [sys.executable, "-m", "voicechess", "practise", *arguments],
        input="".join(f"{line}\n" for line in lines or []),
        capture_output=True,
        cwd=ROOT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


KEYBOARD = ["--input", "keyboard", "--output", "text"]


def test_a_session_by_keyboard_kept_and_reported(tmp_path: Path) -> None:
    status, said, _ = run(KEYBOARD, ["felder", "eins", "hell", "hell", "hell", "ende", "ende"])
    assert status == 0
    assert " von drei auf Anhieb richtig." in said
    questions = [line for line in said.splitlines() if line.endswith("hell oder dunkel?")]
    assert len(questions) == 4
    status, said, _ = run(KEYBOARD, ["ja", "hell"])  # the input ends in the middle: no answer is lost
    assert questions[-1] in said
    page_file = tmp_path / "page.html"
    status, said, _ = run(["--report", "--out", str(page_file)])
    assert status == 0
    assert " % von 4 auf Anhieb richtig." in said
    assert "<svg" in page_file.read_text("utf-8")
    store = PracticeStore(journal_file())
    assert len(store.answers()) == len(store.cards()) == 4


def test_a_blindfold_game_is_in_the_journal_and_goes_on() -> None:
    _, said, _ = run(["blindfold", "--level", "3", *KEYBOARD], ["stellung"])
    assert "Sie haben" in said
    _, said, _ = run(KEYBOARD, ["ja", "aufgeben", "ja", "ende"])
    assert "Es geht weiter." in said
    assert "Um Hilfe gebeten haben Sie" in said
    journal = Journal(journal_file())
    (summary,) = journal.games()
    assert summary.result in ("0-1", "1-0")
    assert any(isinstance(event, ev.Stood) for event in journal.game(summary.id).events)
    journal.close()
    status, said, _ = run(["review", *KEYBOARD], [])
    assert status == 0
    assert said


@pytest.mark.parametrize(
    "arguments", [["--level", "9"], ["squares", "--level", "0"], ["--strength", "11"], ["singing"]]
)
def test_wrong_arguments_get_a_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["practise", *arguments, *KEYBOARD]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert told.strip().endswith(".")


def test_files_that_are_no_games_get_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.pgn").write_text("1. e4 Qh8 *")
    (tmp_path / "empty.pgn").write_text("")
    for name in ("bad.pgn", "empty.pgn", "missing.pgn"):
        assert main(["practise", "follow", "--pgn", str(tmp_path / name), *KEYBOARD]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_ones_own_game_is_followed(tmp_path: Path) -> None:
    (tmp_path / "own.pgn").write_text('[White "Ada"]\n[Black "Bo"]\n\n1. e4 e5 2. Nf3 *')
    _, said, _ = run(["follow", "--level", "1", "--pgn", str(tmp_path / "own.pgn"), *KEYBOARD], ["ende"])
    assert "Ihre Partie: Ada – Bo." in said
    assert "Eva vier, Eva fünf." in said
    (tmp_path / "own.pgn").write_text("1. e4 e5 2. Nf3 *")
    _, said, _ = run(["follow", "--level", "1", "--pgn", str(tmp_path / "own.pgn"), *KEYBOARD], ["ende"])
    assert "Ihre Partie." in said
