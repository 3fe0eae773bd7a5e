"""Progress in exercises: answers, cards and the bookmark, in tables of the journal's database."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import get_type_hints

from voicechess.messages import Text
from voicechess.own_files import parse_json
from voicechess.practice.bookmarks import Place, place_of
from voicechess.practice.schedule import Answered, Bookmark
from voicechess.storage.database import JournalError, check_tables, connect, connect_copy, spoken_errors, transaction

_SCHEMA = """
CREATE TABLE IF NOT EXISTS practice_answer (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  exercise TEXT NOT NULL,
  level INTEGER NOT NULL,
  skills TEXT NOT NULL,
  correct INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  hints INTEGER NOT NULL,
  answer_ms INTEGER
);
CREATE TABLE IF NOT EXISTS practice_card (skill TEXT PRIMARY KEY, card TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS practice_bookmark (id INTEGER PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS practice_book (book TEXT PRIMARY KEY, places TEXT NOT NULL) WITHOUT ROWID;
"""


_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "practice_answer": ("id", "at", "exercise", "level", "skills", "correct", "tries", "hints", "answer_ms"),
    "practice_card": ("skill", "card"),
    "practice_bookmark": ("id", "place"),
    "practice_book": ("book", "places"),
}


class PracticeStore:
    """Open progress; belongs to one thread. Any method raises JournalError.

    `path`: the journal's database, created if missing; None: in memory, lost with the program. `copied`: a copy of that
    database in memory, so that nothing need be written.
    """

    def __init__(self, path: Path | None, *, copied: bool = False) -> None:
        self.path = path
        self._database = connect_copy(path) if copied and path is not None else connect(path)
        try:
            with spoken_errors(path, copied):
                for statement in _SCHEMA.split(";")[:-1]:
                    self._database.execute(statement)
                check_tables(self._database, {"path": Text(str(path))}, _COLUMNS)
        except JournalError:
            self._database.close()
            raise

    def close(self) -> None:
        """Closes the database. May be called twice."""
        self._database.close()

    def keep(self, answer: Answered, cards: Mapping[str, str]) -> None:
        """Store an answer with the cards it has changed: both or neither."""
        row = (
            answer.at.astimezone(UTC).isoformat(timespec="milliseconds"),
            *(answer.exercise, answer.level, " ".join(answer.skills)),
            *(int(answer.right), answer.tries, answer.hints, answer.answer_ms),
        )
        with spoken_errors(self.path), transaction(self._database):
            self._database.execute(
                "INSERT INTO practice_answer (at, exercise, level, skills, correct, tries, hints, answer_ms)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            self._database.executemany("INSERT OR REPLACE INTO practice_card VALUES (?, ?)", list(cards.items()))

    def answers(self) -> tuple[Answered, ...]:
        """All readable answers, oldest first."""
        with spoken_errors(self.path):
            rows = self._database.execute(
                "SELECT at, exercise, level, skills, correct, tries, hints, answer_ms FROM practice_answer ORDER BY id"
            ).fetchall()
        return tuple(answer for answer in map(_answered, rows) if answer is not None)

    def cards(self) -> dict[str, str]:
        """The card of each skill, as JSON."""
        with spoken_errors(self.path):
            rows = self._database.execute("SELECT skill, card FROM practice_card").fetchall()
        return {skill: card for skill, card in rows if isinstance(skill, str) and isinstance(card, str)}

    def mark(self, bookmark: Bookmark | None) -> None:
        """Store the place to resume from; None: there is none."""
        with spoken_errors(self.path):
            if bookmark is None:
                self._database.execute("DELETE FROM practice_bookmark")
            else:
                text = json.dumps(asdict(bookmark))
                self._database.execute("INSERT OR REPLACE INTO practice_bookmark VALUES (1, ?)", (text,))

    def bookmark(self) -> Bookmark | None:
        """The stored bookmark; None if there is none, or it cannot be read."""
        with spoken_errors(self.path):
            row = self._database.execute("SELECT place FROM practice_bookmark").fetchone()
        try:
            found = None if row is None else Bookmark(**parse_json(row[0]))
        except (ValueError, TypeError):
            return None
        return found if found is not None and _is_place(found) else None

    def keep_places(self, book: str, places: Sequence[Place]) -> None:
        """Store the bookmarks of a file; `book` identifies it."""
        text = json.dumps([asdict(one) for one in places])
        with spoken_errors(self.path):
            self._database.execute("INSERT OR REPLACE INTO practice_book VALUES (?, ?)", (book, text))

    def places(self, book: str) -> tuple[Place, ...]:
        """The bookmarks of a file, oldest first; () if there are none, or they cannot be read."""
        with spoken_errors(self.path):
            row = self._database.execute("SELECT places FROM practice_book WHERE book = ?", (book,)).fetchone()
        try:
            kept = [] if row is None else json.loads(row[0])
            return tuple(place_of(one["game"], one["moves"], one["number"], one["white"]) for one in kept)
        except (ValueError, TypeError, KeyError, RecursionError):
            return ()


def _answered(row: Sequence[object]) -> Answered | None:
    """The answer in a row; None for anything that `keep` never wrote."""
    at, exercise, level, skills, right, tries, hints, answer_ms = row
    if not (isinstance(at, str) and isinstance(exercise, str) and isinstance(skills, str)):
        return None
    if not (isinstance(level, int) and isinstance(right, int) and isinstance(tries, int) and isinstance(hints, int)):
        return None
    if not (answer_ms is None or isinstance(answer_ms, int)):
        return None
    try:
        when = datetime.fromisoformat(at).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return Answered(when, exercise, level, tuple(skills.split()), bool(right), tries, hints, answer_ms)


def _is_place(found: Bookmark) -> bool:
    """Whether its fields have the right types, which JSON does not guarantee."""
    return all(type(getattr(found, name)) is kind for name, kind in get_type_hints(Bookmark).items())
