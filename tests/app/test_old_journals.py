"""Journals that earlier versions wrote: each game is exported as it was, and goes on where it stood.

`tests/journals/NAME.sql` is the dump of a journal, written once and never again; `NAME.txt` beside it is what comes
of it now: every format it can be exported in, and the dialogue in which it goes on (the language of `dialogues`).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.drivers.dialogues import Dialogue, Play
from voicechess.app.games import Format, replay, score_of, write
from voicechess.language.wording import Wording
from voicechess.storage.journal import Journal

FOLDER = Path(__file__).parent.parent / "journals"
FILES = sorted(FOLDER.glob("*.sql"))
GOES_ON = "== goes on"
FORMATS = [form for form in Format if form is not Format.RECORDING]


def _journal(dump: Path, folder: Path) -> Journal:
    """The journal of this dump, in a file of its own."""
    path = folder / "games.sqlite"
    database = sqlite3.connect(path)
    database.executescript(dump.read_text(encoding="utf-8"))
    database.close()
    return Journal(path)


def _now(dump: Path, folder: Path) -> str:
    """What this version makes of the journal, in the form of the file beside it."""
    journal = _journal(dump, folder)
    stored = journal.game(1)
    language = "en" if dump.stem == "english" else "de"
    known = dump.with_suffix(".txt").read_text(encoding="utf-8")
    about, wording = known.splitlines()[0], Wording(language)
    blocks = [f"== {form.value}\n{write(score_of(stored), form, wording)}" for form in FORMATS]
    goes_on = [line for line in known.partition(GOES_ON)[2].splitlines() if line.strip()]
    play = Play(Dialogue(about, {"lang": language}, goes_on), replay(stored), max(one.at_ms for one in stored.events))
    journal.close()
    return "\n".join([about, "", *blocks, GOES_ON, *play.run(), ""]).replace("\r\n", "\n")


def test_there_are_journals() -> None:
    assert len(FILES) >= 10


@pytest.mark.parametrize("dump", FILES, ids=lambda path: path.stem)
def test_what_an_earlier_version_wrote_is_exported_and_goes_on(
    dump: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    now = _now(dump, tmp_path)
    if request.config.getoption("--rewrite-dialogues"):
        dump.with_suffix(".txt").write_text(now, encoding="utf-8")
    assert dump.with_suffix(".txt").read_text(encoding="utf-8") == now
