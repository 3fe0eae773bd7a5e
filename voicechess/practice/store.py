"""Progress on disk: answers, cards and the bookmark, in tables of their own in the database of the games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from voicechess.journal_file import JournalError, connect, spoken_errors
from voicechess.practice.records import Answered, Bookmark

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
"""


class PracticeStore:
    """Open progress; use it from one thread. Raises JournalError everywhere.

    `path`: the journal's database, made when there is none; None: in memory, gone with the program.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._database = connect(path)
        try:
            with spoken_errors(path):
                for statement in _SCHEMA.split(";")[:-1]:
                    self._database.execute(statement)
        except JournalError:
            self._database.close()
            raise

    def close(self) -> None:
        """Closes the database. May be called twice."""
        self._database.close()

    def keep(self, answer: Answered, cards: Mapping[str, str]) -> None:
        """Keeps an answer with the cards it has changed: both or neither."""
        row = (
            answer.at.astimezone(UTC).isoformat(timespec="milliseconds"),
            *(answer.exercise, answer.level, " ".join(answer.skills)),
            *(int(answer.right), answer.tries, answer.hints, answer.answer_ms),
        )
        with spoken_errors(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.execute(
                    "INSERT INTO practice_answer (at, exercise, level, skills, correct, tries, hints, answer_ms)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
                self._database.executemany("INSERT OR REPLACE INTO practice_card VALUES (?, ?)", list(cards.items()))
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def answers(self) -> tuple[Answered, ...]:
        """Everything kept, oldest first."""
        with spoken_errors(self.path):
            rows = self._database.execute(
                "SELECT at, exercise, level, skills, correct, tries, hints, answer_ms FROM practice_answer ORDER BY id"
            ).fetchall()
        return tuple(
            Answered(
                datetime.fromisoformat(at), exercise, level, tuple(skills.split()), bool(right), tries, hints, answer_ms
            )
            for at, exercise, level, skills, right, tries, hints, answer_ms in rows
        )

    def cards(self) -> dict[str, str]:
        """The card of each skill, as JSON."""
        with spoken_errors(self.path):
            return dict(self._database.execute("SELECT skill, card FROM practice_card").fetchall())

    def mark(self, bookmark: Bookmark | None) -> None:
        """Keeps the place to go on from; None: there is none."""
        with spoken_errors(self.path):
            if bookmark is None:
                self._database.execute("DELETE FROM practice_bookmark")
            else:
                text = json.dumps(asdict(bookmark))
                self._database.execute("INSERT OR REPLACE INTO practice_bookmark VALUES (1, ?)", (text,))

    def bookmark(self) -> Bookmark | None:
        """The place that was kept; None where there is none, or none that can be read."""
        with spoken_errors(self.path):
            row = self._database.execute("SELECT place FROM practice_bookmark").fetchone()
        try:
            return None if row is None else Bookmark(**json.loads(row[0]))
        except (ValueError, TypeError):
            return None
