"""What is kept of practising, the report on it, the engine's thread, and the command as a whole."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import os
import queue
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import chess
import pytest

from tests.drivers.exercising import BEGAN, course
from tests.drivers.lichess.spectator_endpoints import puzzle
from tests.drivers.lichess.standin import StandIn
from tests.storage.test_journal import read_only
from voicechess.app.context import Context
from voicechess.app.games import Recording
from voicechess.app.hearing import Hearing
from voicechess.app.practice_store import PracticeStore
from voicechess.app.practising import Examiner, GameInside, Performing, PracticeRoom, PracticeWish
from voicechess.app.puzzle_file import PuzzleFile
from voicechess.app.simulation import Simulation
from voicechess.app.wiring import Program, WantedDevices
from voicechess.cli import main
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Announcer
from voicechess.game.session import Session
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.messages import Duration, Failure, Phrase, Text
from voicechess.opponents.discovery import EngineSpec, sunfish
from voicechess.practice.bookmarks import Place
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FIRST_NUMBER, Examined, ExaminingFailed
from voicechess.practice.exercises.blindfold import Blindfold
from voicechess.practice.puzzle_lines import Broken, Fault, Puzzle, Wanted
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


def test_bookmarks_are_kept_for_each_book(tmp_path: Path) -> None:
    path = tmp_path / "practice.sqlite"
    places = (Place(3, ("e2e4", "0000"), 1, False), Place(1))
    store = PracticeStore(path)
    store.keep_places("/a/book", places)
    store.keep_places("/another", ())
    store.close()
    again = PracticeStore(path)
    assert again.places("/a/book") == places
    assert again.places("/another") == again.places("/unknown") == ()
    again.close()
    with sqlite3.connect(path) as database:
        for nonsense in (
            "",
            "[1]",
            '[{"game": 1}]',
            '[{"game": 1, "moves": ["x"], "number": 1, "white": true}]',
            "[" * 9999,
        ):
            database.execute("UPDATE practice_book SET places = ?", (nonsense,))
            database.commit()
            broken = PracticeStore(path)
            assert broken.places("/a/book") == ()
            broken.close()


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
    for language in LANGUAGES:
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
    conversation.type("eva vier", 3000)
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
            assert isinstance(room._blindfold(1, place), Blindfold)
            assert released == so_far
        room.close()


@pytest.mark.parametrize("language", LANGUAGES)
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


def test_the_report_tells_how_long_an_answer_takes_if_that_was_measured() -> None:
    told = "practice.report.answer_time"
    assert [line.slots["duration"] for line in report_lines(ANSWERS) if line.key == told] == [Duration(1_800)]
    assert told not in [line.key for line in report_lines(ANSWERS[1:])]


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


def test_an_engine_without_chess960_is_asked_nothing_that_it_cannot_know() -> None:
    spec = sunfish()
    assert spec is not None
    posted: queue.Queue[ev.Event] = queue.Queue()
    examiner = Examiner(spec, posted.put, lambda: 17, seconds=0.3)
    examiner.examine((chess.Board.from_chess960_pos(100),))
    told = posted.get(timeout=60)
    assert isinstance(told, ExaminingFailed) and told.reason == "chess960"
    examiner.close()


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
    "arguments", [["--level", "13"], ["squares", "--level", "0"], ["--strength", "11"], ["singing"]]
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


# --- puzzles of one's own --------------------------------------------------------------------------------------------

MATE = "own1,6k1/5ppp/2n5/8/8/7P/5PP1/R5K1 b - - 0 1,c6d4 a1a8,900,80,90,10,mateIn1,,"
FORK = "r3k3/8/8/3N4/8/8/8/4K3 w - - bm Nc7+;"


def test_puzzles_of_ones_own_with_a_real_engine_and_what_was_not_known_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "own.epd"
    file.write_text(f"{FORK}\nnonsense\n{MATE}\n")
    status, said, told = run(
        ["--puzzles", str(file), *KEYBOARD], ["springer eva sieben", "lösung", "turm anna acht", "ende"]
    )
    assert (status, told) == (0, "")
    # The fork is not found: the engine says what is wrong with the first try. Then the mate.
    refuted, again = said.index("Darauf König schlägt Springer Eva sieben."), said.index("Noch ein Versuch.")
    solution, skipped = said.index("Die Lösung: Springer Cesar sieben, Schach."), said.index("Zeile zwei übersprungen")
    assert refuted < again < solution < skipped < said.index("Schwarz zieht: Springer David vier.")
    assert "Fertig. Eins von zwei auf Anhieb richtig." in said
    store = PracticeStore(journal_file())
    assert [answer.right for answer in store.answers()] == [False, True]
    ((skill, card),) = store.cards().items()
    store.keep(store.answers()[0], {skill: json.dumps(json.loads(card) | {"due": BEGAN.isoformat()})})
    store.close()
    _, said, _ = run(["puzzles", *KEYBOARD], ["springer cesar sieben", "ende"])  # the file is not needed for it
    assert said.index("Noch einmal.") < said.index("Springer David fünf") < said.index("Richtig.")
    _, said, _ = run(KEYBOARD, ["nein", "eigene aufgaben", "wie gut bin ich", "ende", "ende"])
    assert "zehn: Eigene Aufgaben" in said
    status, said, _ = run(["--report", "--out", str(tmp_path / "page.html")])
    assert "Eigene Aufgaben" in said


def test_who_has_no_file_of_puzzles_is_told_how_to_give_one() -> None:
    _, said, _ = run(["puzzles", *KEYBOARD], [])
    assert "voicechess practise --puzzles" in said
    _, said, _ = run(KEYBOARD, ["ende"])
    assert "Eigene Aufgaben" not in said


@pytest.mark.parametrize("pack", [bz2.compress, gzip.compress], ids=["bz2", "gz"])
def test_compressed_files_are_read_and_torn_ones_as_far_as_they_go(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    file = PuzzleFile(tmp_path / f"own.csv.{'bz2' if pack is bz2.compress else 'gz'}", Wanted())
    whole = pack("".join(f"{MATE.replace('0 1', f'0 {n}')}\n" for n in range(1, 4000)).encode())
    file.path.write_bytes(whole)
    file.check()
    assert sum(isinstance(one, Puzzle) for one in file.find()) == 3999
    file.path.write_bytes(whole[:-20])
    *found, last = file.find()
    assert last == Broken(len(found) + 1, Fault.TORN)
    assert (len(found) > 3000) is (pack is gzip.compress)  # bz2 has this much in one block
    file.path.write_bytes(b"not compressed")
    with pytest.raises(Failure) as caught:
        file.check()
    assert caught.value.key == "cli.unreadable"


def test_zstandard_is_read_where_python_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PuzzleFile(tmp_path / "own.csv.zst", Wanted())
    file.path.write_bytes(bz2.compress(MATE.encode()))
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(Failure) as caught:
        file.check()
    assert caught.value.key == "cli.practise.zst"
    monkeypatch.setitem(sys.modules, "compression.zstd", bz2)  # it opens files by the same call
    monkeypatch.setitem(sys.modules, "compression", bz2)
    file.check()


@pytest.mark.parametrize(
    ("name", "content", "key"),
    [
        ("game.pgn", b"1. e4 e5 *\n" * 9, "no_puzzles"),
        ("empty.csv", b"", "no_puzzles"),
        ("picture.csv", bytes(range(256)) * 4000, "no_puzzles"),
        ("zeros.csv", bytes(9_000_000), "no_puzzles"),
        ("heading.csv", b"PuzzleId,FEN,Moves\n", "no_puzzles"),
        ("late.csv", b"x\n" * 1000 + MATE.encode(), "no_puzzles"),
        ("missing.csv", None, "unreadable"),
        ("own.csv.zst", MATE.encode(), "zst"),
    ],
)
def test_files_that_are_no_puzzles_get_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, content: bytes | None, key: str
) -> None:
    if key == "zst" and sys.version_info >= (3, 14):
        key = "unreadable"
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert main(["practise", "--puzzles", str(tmp_path / name), *KEYBOARD]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    expected = Phrase(f"cli.practise.{key}" if key != "unreadable" else "cli.unreadable", {"path": Text("@")})
    assert told.strip() == Wording("de").say(expected).replace("@", str(tmp_path / name))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rating", "1-2"],
        ["--theme", "fork"],
        ["online", "--theme", "../fork"],
        ["online", "--rating", "1200-"],
        ["online", "--server", "http://lichess.example"],
        *(["--puzzles", "@", "--rating", r] for r in ("", "-", "9", "a-b", "1-99999")),
    ],
)
def test_a_choice_of_puzzles_that_is_none_gets_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "own.csv").write_text(MATE)
    given = [str(tmp_path / "own.csv") if argument == "@" else argument for argument in arguments]
    assert main(["practise", *given, *KEYBOARD]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_puzzles_come_over_the_network_and_what_was_not_known_comes_back_without_it() -> None:
    with StandIn() as lichess:
        found = puzzle("fool1", "f3 e5 g4", ["d8h4"], ["mateIn1"])
        lichess.do(lambda world: world.puzzles.update(daily=[found]))
        status, said, _ = run(
            ["--server", lichess.url, *KEYBOARD], ["Aufgaben von Lichess", "eins", "Lösung", "Ende", "Ende"]
        )
    assert status == 0
    assert "Ich hole sie." in said
    assert "Die Lösung: Dame Hector vier" in said
    status, said, _ = run(KEYBOARD, ["nein", "eigene Aufgaben", "Ende", "Ende"])
    assert "Weiß zieht: Gustav vier." in said
    gone = [*KEYBOARD, "--server", lichess.url]
    status, said, _ = run(["online", "--theme", "fork", *gone], [])
    assert (status, said.splitlines()) == (
        0,
        ["Ich hole sie.", "Der Server ist nicht zu erreichen: dort nimmt niemand an."],
    )


def test_where_no_puzzle_is_of_the_kind_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(MATE)
    status, said, _ = run(["--puzzles", str(tmp_path / "own.csv"), "--rating", "1500-", *KEYBOARD], [])
    assert status == 0
    assert said.splitlines() == [
        "Ich suche passende Aufgaben.",
        "In der Datei ist keine Aufgabe, wie Sie sie wünschen.",
    ]
