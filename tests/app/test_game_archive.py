"""The player's finished games of the journal and of PGN files, and how the command line tells of them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import chess
import pytest

from tests.app.test_games import MATE, said
from voicechess.app import game_archive
from voicechess.app.game_archive import GameArchive, Stopped
from voicechess.app.games import Recording
from voicechess.app.kinds import session_of
from voicechess.cli import main
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import GameEnded
from voicechess.game.events import Spoken, Started
from voicechess.messages import Failure
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

OWN = """[Date "2025.11.03"]
[White "Anna Meier"]
[Black "Bert"]
[Result "1-0"]

1. e4 c5 2. Nf3 d6 1-0

[White "Bert"]
[Black "Carla"]
[Date "2026.11.20"]
[ECO "C60"]
[Opening "Ruy Lopez"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2

[White "Bert"]
[Black "Dora"]
[Result "*"]

1. e4 *

[White "Bert"]
[Black "Emil"]
[Result "0-1"]

1. e4 e4 0-1
"""


def played(journal: Journal, over: bool = True, **settings: Any) -> None:
    """A game in the journal, with a mate if it is `over`."""
    agreed = GameSettings(white=Player.VOICE, black=Player.VOICE, **settings)
    session = session_of(agreed, "2026.11.01")
    recording = Recording(journal.begin(agreed, datetime(2026, 11, 1, 12, tzinfo=UTC)), session)
    events = [Started(at_ms=0), *(said(uci, 10_000 * (n + 1)) for n, uci in enumerate(MATE if over else MATE[:2]))]
    for event in events:
        effects = session.handle(event)
        recording.keep(event)
        number = next((effect.utterance.number for effect in effects if hasattr(effect, "utterance")), None)
        for later in (*([Spoken(at_ms=event.at_ms, number=number)] if number is not None else []),):
            session.handle(later)
            recording.keep(later)
    if over:
        recording.end(GameEnded("0-1", "normal"))
    recording.release()


@pytest.fixture
def archive(tmp_path: Path) -> GameArchive:
    file = tmp_path / "own.pgn"
    file.write_text(OWN, "utf-8")
    journal = Journal(journal_file())
    played(journal, white_name="Fritz", black_name="Gina")
    played(journal, over=False)
    journal.close()
    return GameArchive(lambda: Journal(journal_file(), looking=True), [file], ["bert"])


def test_the_latest_comes_first_and_what_goes_on_is_left_out(archive: GameArchive) -> None:
    games = archive.games()
    assert [(game.opponent, game.played) for game in games] == [
        ("Carla", "2026.11.20"),
        ("Fritz – Gina", "2026.11.01"),
        ("Anna Meier", "2025.11.03"),
    ]
    assert [phrase.key for phrase in archive.told] == ["practice.find.unread"], "Emil's"
    assert [game.colour for game in games] == [chess.WHITE, None, chess.BLACK]
    names = [game.opening.by_language["de"].split(",")[0] for game in games if game.opening is not None]
    assert names[0] == "Spanische Partie" and names[-1] == "Sizilianische Verteidigung"


def test_the_games_that_came_to_a_position(archive: GameArchive) -> None:
    board = chess.Board()
    for san in ("e4", "c5"):
        board.push_san(san)
    games = archive.games()
    assert [game.opponent for game in archive.holding(board.epd(), games)] == ["Anna Meier"]
    assert len(archive.holding(chess.STARTING_BOARD_FEN + " w KQkq -", games)) == 3


def test_a_game_is_read_again(archive: GameArchive) -> None:
    carla = archive.games()[0]
    assert [entry.move.uci() for entry in archive.score(carla).entries][-1] == "f1b5"


def test_it_stops_where_nobody_wants_to_know(archive: GameArchive) -> None:
    with pytest.raises(Stopped):
        archive.games(lambda _: False)


def test_a_file_that_is_not_there_is_told_and_the_others_are_looked_at(tmp_path: Path, archive: GameArchive) -> None:
    gone = GameArchive(lambda: Journal(journal_file(), looking=True), [tmp_path / "gone.pgn", tmp_path], ["Bert"])
    assert len(gone.games()) == 3
    assert gone.told[0].key == "cli.unreadable"
    with pytest.raises(Failure):
        game_archive.pgn_files(tmp_path / "nothing")


def test_what_is_too_much_is_counted(archive: GameArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_archive, "MOST_GAMES", 1)
    assert len(archive.games()) == 2
    assert ("practice.find.left_out", 3) in [(told.key, told.slots.get("count")) for told in archive.told]


def test_the_command_line_tells_games_and_why_there_are_none(
    archive: GameArchive, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find = ["game", "find", "--file", str(tmp_path), "--name", "Bert"]
    assert main(find) == 0
    assert capsys.readouterr().out.startswith("3 Partien.\n1: am ")
    assert main([*find, "--against", "anna", "--result", "lost"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "Eine Partie: gegen Anna Meier, verloren."
    assert main(["game", "find", "1", *find[2:]]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    for wanted, reason in (
        (["--against", "Xaver"], "Keine Partie: gegen Xaver."),
        (["--opening", "Königsindisch"], "Keine Partie: Eröffnung Königsindisch."),
        (["--since", "2027-01-01"], "Keine Partie: seit dem "),
        (["--fen", "8/8/8/8/8/4k3/8/4K2R w - - 0 1"], "Keine Partie kam zu dieser Stellung."),
        (["--against", "Carla", "--result", "lost"], "Keine Partie: gegen Carla, verloren; jedes für sich kommt vor."),
    ):
        assert main([*find, *wanted]) == 1
        assert reason in capsys.readouterr().err
    assert main(["game", "find", "--file", str(tmp_path), "--result", "lost"]) == 1
    assert "own_names" in capsys.readouterr().err
    assert main([*find, "--since", "gestern"]) == 2
    assert "2026-11-01" in capsys.readouterr().err
