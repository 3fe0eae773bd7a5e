"""A simultaneous display with its journal: cut off at any moment, it goes on with all its games."""

from __future__ import annotations

import contextlib
import queue
import sqlite3
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from io import StringIO
from random import Random

import chess
import chess.pgn
import pytest

from voicechess.app.displaying import begun, games_of, resumed
from voicechess.app.games import replay
from voicechess.cli import main
from voicechess.display.boards import agreed
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings
from voicechess.online.lobby import GameClosed, LobbyLink
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

QUIET = ["--input", "keyboard", "--output", "text"]
GIVE_UP_S = 120


def run(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The program with these lines on standard input."""
    command = [sys.executable, "-m", "voicechess", *arguments, *QUIET]
    return subprocess.run(command, input=lines, capture_output=True, check=False, timeout=GIVE_UP_S, encoding="utf-8")


@dataclass
class Running:
    """The program as it runs; `lines` are what it says."""

    arguments: tuple[str, ...]
    lines: queue.Queue[str] = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        command = [sys.executable, "-m", "voicechess", *self.arguments, *QUIET]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def say(self, words: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def hear(self, beginning: str) -> str:
        """The next line that begins so."""
        while not (line := self.lines.get(timeout=GIVE_UP_S)).startswith(beginning):
            pass
        return line

    def kill(self) -> None:
        """Without a goodbye: kill -9."""
        self.process.kill()
        self.process.wait()


def boards() -> list[list[str]]:
    """The moves of every board of the display, as they are replayed from the journal."""
    journal = Journal(journal_file(), looking=True)
    try:
        found = []
        for game in sorted(journal.games(), key=lambda game: game.settings.board):
            session = replay(journal.game(game.id))
            found.append([ply.move.uci() for ply in session.plies])
        return found
    finally:
        journal.close()


def test_a_display_is_played_and_every_game_is_in_the_journal(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["e4", "d4", "weiter", "brett 3", "c4", "brett 2", "aufgeben", "ja", "stand", "ende", "ja"]
    done = run("play", "--simul", "3", "--level", "2,2,3", "--people", "3", lines="\n".join(lines))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Eine Niederlage. Es laufen: Brett eins und drei." in done.stdout
    assert main(["game", "export", "--display"]) == 0
    read = StringIO(capsys.readouterr().out)
    games = [game for _ in range(3) if (game := chess.pgn.read_game(read)) is not None]
    assert [game.headers["Board"] for game in games] == ["1", "2", "3"]
    assert [game.headers["Event"] for game in games] == ["Simultan"] * 3
    assert [game.headers["Result"] for game in games] == ["*", "0-1", "*"]
    assert [game.next().san() for game in games if game.next() is not None] == ["e4", "d4", "c4"]  # type: ignore[union-attr]
    assert [game.headers["Black"] for game in games] == ["Maschine, Stufe 2", "Maschine, Stufe 2", "?"]
    assert main(["game", "list"]) == 0
    assert "Simultan, Brett 3, zwei Menschen, nicht zu Ende." in capsys.readouterr().out


def test_end_of_input_keeps_everything_and_the_welcome_goes_on_with_it() -> None:
    assert run("play", "--simul", "2", lines="e4\n").returncode == 0
    before = boards()
    assert before[0][0] == "e2e4"
    done = run("game", "resume", lines="stand\nd4\n")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "Das Simultan geht weiter."
    assert boards()[1][0] == "d2d4"


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment_the_whole_display_goes_on(seed: int) -> None:
    draw = Random(seed)
    program = Running(("play", "--simul", "4", "--level", "1", "--time", ["", "30+10"][seed % 2]))
    known: list[list[str]] = [[]] * 4
    program.hear("Brett eins.")
    program.say("e4")
    program.hear("Bauer")
    for _ in range(4):
        said = draw.randint(1, 6)
        for _ in range(said):
            program.say(draw.choice(["e4", "d4", "c4", "Nf3", "Nc3", "a3", "h3", "weiter", "brett 2", "remis"]))
        for _ in range(draw.randint(0, said)):  # each is answered by a line at least
            program.lines.get(timeout=GIVE_UP_S)
        program.kill()
        now = boards()
        assert len(now) == 4
        assert all(after[: len(before)] == before for before, after in zip(known, now, strict=True)), "a move is gone"
        known = now
        program = Running(("game", "resume"))
        program.hear("Brett")
    program.kill()
    for moves in boards():
        position = chess.Board()
        for uci in moves:
            position.push(position.parse_uci(uci))


def test_a_damaged_game_is_told_and_the_others_go_on() -> None:
    assert run("play", "--simul", "3", "--level", "1", lines="e4\nd4\n").returncode == 0
    with contextlib.closing(sqlite3.connect(journal_file())) as database:
        database.execute("UPDATE event SET body = 'no event' WHERE game = 1 AND number = 2")
        database.commit()
    done = run("game", "resume", lines="brett 1\nstand\n")
    assert done.returncode == 0
    assert "Partie Nummer eins ist beschädigt und lässt sich nicht lesen." in done.stdout
    assert "Noch kein Ergebnis. Es laufen zwei Bretter." in done.stdout


def test_what_happens_in_the_lobby_of_a_server_stands_in_no_game() -> None:
    """An event that was still on the queue when the display began; with it a game could not be read any more."""
    journal = Journal(journal_file())
    try:
        recorded = begun(journal, agreed(GameSettings(), "x", [1, 1]))
        recorded.handle(ev.Started(at_ms=1))
        for event in (LobbyLink(at_ms=2, up=True), GameClosed(at_ms=2, id="x")):
            recorded.handle(event)
        kept = [type(one) for game in journal.games() for one in journal.game(game.id).events]
        assert ev.Started in kept and {LobbyLink, GameClosed}.isdisjoint(kept)
    finally:
        journal.close()


def test_a_display_that_is_played_is_not_gone_on_with_twice() -> None:
    program = Running(("play", "--simul", "2"))
    program.hear("Brett eins.")
    program.say("e4")
    program.hear("Brett zwei.")
    journal = Journal(journal_file())
    try:
        key = journal.games()[0].settings.display
        assert [game.settings.board for game in games_of(journal, key)] == [1, 2]
        with pytest.raises(JournalError) as refused:
            resumed(journal, key)
        assert refused.value.key == "journal.taken"
    finally:
        journal.close()
        program.kill()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--simul", "0"], "--simul muss zwischen zwei und achtundvierzig liegen."),
        (["--simul", "500"], "--simul muss zwischen zwei und achtundvierzig liegen."),
        (["--simul", "3", "--level", "2,3"], "für alle drei Bretter, oder eine für jedes"),
        (["--simul", "3", "--level", "2,3,11"], "--level muss zwischen eins und zehn liegen."),
        (["--simul", "2", "--level", "2,,"], "Diese Angabe verstehe ich nicht: 2,,."),
        (["--simul", "3", "--people", "4"], "--people muss zwischen eins und drei liegen."),
        (["--level", "2,3"], "--level geht nur mit --simul."),
        (["--alternate"], "--alternate geht nur mit --simul."),
        (["--people", "2"], "--people geht nur mit --simul."),
    ],
)
def test_wrong_options_are_told_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments, *QUIET]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_twenty_boards_share_one_engine() -> None:
    done = run("play", "--simul", "20", "--level", "1", lines="e4\n" * 20 + "stand\nende\nja\n")
    assert done.returncode == 0
    assert "Noch kein Ergebnis. Es laufen zwanzig Bretter." in done.stdout
    played = boards()
    assert len(played) == 20
    assert all(moves[0] == "e2e4" for moves in played)
    assert all(len(moves) == 1 for moves in played[1:]), "their answers wait"
    assert len(played[0]) == 2, "the first board is come round to"
