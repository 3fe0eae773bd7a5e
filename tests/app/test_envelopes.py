"""A sealed move through the real command line: not on the screen, not in the journal, only under its key."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import chess

from voicechess.app.envelopes import Envelopes
from voicechess.game import events as ev
from voicechess.game.effects import KeepPrivate, OpenEnvelope
from voicechess.laws.adjournment import Envelope, open_envelope
from voicechess.laws.clock import Clock
from voicechess.laws.time_controls import UNTIMED
from voicechess.meaning import Answer, AnswerKind, Meaning, Reading, SpokenMove, Unclear
from voicechess.storage.places import data_folder

ENVELOPE = Envelope("A", "B", chess.STARTING_FEN, False, 0, 0, True, 1, False, "")
SECRET = "springer cesar drei"
NOW = datetime(2026, 11, 21, 18, 0)


def heard(meaning: Meaning, words: str = SECRET) -> ev.Heard:
    return ev.Heard(at_ms=10, readings=(Reading(meaning),), words=words, began_ms=0, ended_ms=5)


def private(hours: int | None = None) -> KeepPrivate:
    return KeepPrivate(ENVELOPE, Clock.new(UNTIMED), None if hours is None else hours * 3_600_000)


def test_every_seal_has_its_own_key(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "1.json"
    envelopes = Envelopes(path, lambda: NOW)
    knight = SpokenMove(piece=chess.KNIGHT, to_file=2, to_rank=2)
    first, second = (envelopes.seal(heard(knight), private(2)) for _ in range(2))
    assert isinstance(first, ev.Sealed)
    assert isinstance(second, ev.Sealed)
    assert first.sealed != second.sealed
    assert second.resumes == "2026-11-21T20:00"
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = json.loads(path.read_text())
    found = open_envelope(Envelope.from_text(kept["envelope"]), second.sealed, bytes.fromhex(kept["key"]))
    assert found.move == chess.Move.from_uci("b1c3")
    assert not envelopes.unkept
    late = Envelopes(path, lambda: datetime(2026, 11, 21, 21, 30))
    envelope = Envelope.from_text(kept["envelope"])
    assert late.open(OpenEnvelope(envelope), 7) == ev.EnvelopeOpened(at_ms=7, key=kept["key"], late_ms=5_400_000)
    # What the journal could tell before the resumption it is not told.
    early = Envelopes(path, lambda: datetime(2026, 11, 21, 19, 30))
    assert early.open(OpenEnvelope(envelope), 7) == ev.EnvelopeOpened(at_ms=7, early_ms=1_800_000)
    assert early.open(OpenEnvelope(envelope, anyway=True), 7) == ev.EnvelopeOpened(at_ms=7, key=kept["key"])
    assert late.open(OpenEnvelope(envelope, wanted=False), 7) == ev.EnvelopeOpened(at_ms=7, late_ms=5_400_000)
    nearly = Envelopes(path, lambda: datetime(2026, 11, 21, 19, 59, 30))
    assert nearly.open(OpenEnvelope(envelope), 7) == ev.EnvelopeOpened(at_ms=7, key=kept["key"])


def test_what_is_no_move_tells_nothing_of_one() -> None:
    envelopes = Envelopes()
    part = envelopes.seal(heard(SpokenMove(piece=chess.KNIGHT), "springer"), private())
    assert isinstance(part, ev.Heard)
    assert part.words == ""
    assert all(isinstance(reading.meaning, Unclear) for reading in part.readings)
    two = ev.Heard(
        at_ms=1,
        readings=(Reading(Answer(AnswerKind.NO)), Reading(SpokenMove(to_file=4, to_rank=3), 5.0)),
        words="nein",
        began_ms=0,
        ended_ms=1,
    )
    kept = envelopes.seal(two, private())
    assert isinstance(kept, ev.Heard)
    assert [reading.meaning for reading in kept.readings] == [Answer(AnswerKind.NO)]


def test_a_disk_that_refuses_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    envelopes = Envelopes(tmp_path / "file" / "1.json")
    event = envelopes.seal(heard(SpokenMove(piece=chess.KNIGHT, to_file=2, to_rank=2)), private())
    assert isinstance(event, ev.Sealed)
    assert envelopes.unkept
    assert (
        open_envelope(ENVELOPE, event.sealed, bytes.fromhex(envelopes.open(OpenEnvelope(ENVELOPE), 0).key)).move
        is not None
    )
    assert Envelopes(tmp_path / "missing.json").open(OpenEnvelope(ENVELOPE), 0).key == ""


def run(lines: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "voicechess", *arguments, "--input", "keyboard", "--output", "text"],
        input=lines.encode(),
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert not done.stderr
    return done.stdout.decode()


def test_adjourned_and_resumed_by_the_command_line() -> None:
    said = run(f"eva vier\nhängepartie\nja\n{SECRET[:-4]}sechs\nja\nende\n", "play", "--both", "--time", "90")
    assert "Die Partie ist unterbrochen." in said
    database = sqlite3.connect(data_folder() / "games.sqlite")
    bodies = [body for (body,) in database.execute("SELECT body FROM event")]
    database.close()
    assert any('"Sealed"' in body for body in bodies)
    # A seal in hexadecimal letters spells any four of them sooner or later, so what is sealed is left out.
    unsealed, sealed = re.subn(r'"sealed":"[0-9a-f]+"', "", "".join(bodies))
    assert sealed
    plain = said + unsealed
    for telling in ("cesar sechs", "springer", "b8c6", "Cesar sechs", json.loads(_envelope().read_text())["key"]):
        assert telling not in plain.lower()
    resumed = run("david vier\n", "game", "resume")
    assert "Der Umschlag ist offen. Schwarz: Springer Cesar sechs." in resumed
    assert "Bauer David zwei David vier." in resumed


def _envelope() -> Path:
    return data_folder() / "envelopes" / "1.json"
