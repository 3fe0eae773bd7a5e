"""The player's finished games in the journal and in PGN files: metadata and scores.

Games in progress are excluded, since analysing one with an engine would be help.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import chess

from voicechess.app.games import day_of, score_of
from voicechess.app.pgn_file import PgnFile
from voicechess.game.agreement import GameSettings, Player, start_board
from voicechess.game.events import Stood
from voicechess.laws.results import Worth
from voicechess.messages import Failure, Name, Phrase, Text
from voicechess.score.known_games import KnownGame, known_name, plain, was_there
from voicechess.score.openings import NamedOpening, named, opening_of
from voicechess.score.score import Score
from voicechess.storage.journal import GameSummary, Journal, StoredGame

MOST_GAMES = 20_000
"""Largest number of games considered, of the journal and of each file: about 10 MB in memory, and minutes for games
without opening tags. Larger: more of both."""

MOST_FILES = 100
"""PGN files of a folder that are read. Larger: longer searches."""

Progress = Callable[[int], bool]
"""Called with the percentage done; returns whether to continue."""


def pgn_files(path: Path) -> tuple[Path, ...]:
    """The PGN file, or those of the folder in order of name. Raises `Failure` if there is none."""
    found = tuple(sorted(path.glob("*.[pP][gG][nN]")))[:MOST_FILES] if path.is_dir() else (path,)
    if not found or not all(one.is_file() for one in found):
        raise Failure("cli.unreadable", {"path": Text(str(path))})
    return found


class Stopped(Exception):
    """The search was cancelled."""


class GameArchive:
    """The archive. Not thread-safe.

    journal: opens the journal on the calling thread.
    places: the player's PGN files, or folders of them.
    names: the player's names in these files.
    """

    def __init__(self, journal: Callable[[], Journal], places: Sequence[Path] = (), names: Sequence[str] = ()) -> None:
        self._journal, self._places = journal, tuple(places)
        self._names = frozenset(plain(name.strip()) for name in names) - {""}
        self._files: dict[str, PgnFile] = {}
        self._known: tuple[KnownGame, ...] | None = None
        self._unread = self._left_out = 0
        self._faults: list[Phrase] = []

    @property
    def told(self) -> tuple[Phrase, ...]:
        """Sentences about what `games` left out: unreadable files and games, and those beyond `MOST_GAMES`."""
        unread = [Phrase("practice.find.unread", {"count": self._unread})] if self._unread else []
        left_out = [Phrase("practice.find.left_out", {"count": self._left_out})] if self._left_out else []
        return (*self._faults, *unread, *left_out)

    def games(self, progress: Progress = lambda _: True) -> tuple[KnownGame, ...]:
        """All finished games, latest first. Raises `Failure` if the journal cannot be read, and `Stopped`."""
        if self._known is None:
            self._unread, self._left_out, self._faults = 0, 0, []
            found = [*self._in_journal(progress), *self._in_files(progress)]
            found.sort(key=lambda game: game.played.replace("?", "0"), reverse=True)
            self._known = tuple(found)
        return self._known

    def holding(
        self, epd: str, among: Sequence[KnownGame], progress: Progress = lambda _: True
    ) -> tuple[KnownGame, ...]:
        """The games of `among` in which this position (EPD) occurred. Raises as `games`."""
        found = []
        for place, game in enumerate(among):
            _tell(progress, place, len(among))
            try:
                if was_there(self.score(game), epd):
                    found.append(game)
            except Failure:
                continue  # already reported by `games`
        return tuple(found)

    def score(self, game: KnownGame) -> Score:
        """The score of a game. Raises `Failure` with the reason if it cannot be read."""
        if game.source:
            return self._file(game.source).score(game.number)
        with self._open_journal() as journal:
            return score_of(journal.game(game.number))

    @contextlib.contextmanager
    def _open_journal(self) -> Iterator[Journal]:
        """The journal, closed afterwards unless it is in memory."""
        journal = self._journal()
        try:
            yield journal
        finally:
            if journal.path is not None:
                journal.close()

    # --- metadata ---

    def _in_journal(self, progress: Progress) -> Iterator[KnownGame]:
        with self._open_journal() as journal:
            over = [one for one in journal.games() if one.result not in (None, Worth.NONE.value)]
            self._left_out += max(len(over) - MOST_GAMES, 0)
            for place, summary in enumerate(over[:MOST_GAMES]):
                _tell(progress, place, len(over))
                try:
                    yield _of_journal(summary, journal.game(summary.id))
                except Failure:  # from a newer program, or damaged
                    self._unread += 1

    def _in_files(self, progress: Progress) -> Iterator[KnownGame]:
        for place in self._places:
            try:
                for path in pgn_files(place):
                    yield from self._in_file(str(path), self._file(str(path)), progress)
            except Failure as failure:
                self._faults.append(failure.phrase)

    def _in_file(self, path: str, file: PgnFile, progress: Progress) -> Iterator[KnownGame]:
        number = 0
        while file.has(number := number + 1):
            if number > MOST_GAMES:
                self._left_out += len(file) - MOST_GAMES
                return
            _tell(progress, number % 100, 100)  # the number of games is unknown until the end
            try:
                known = self._of_file(path, number, file)
            except Failure:
                self._unread += 1
                continue
            if known is not None:
                yield known

    def _file(self, path: str) -> PgnFile:
        if path not in self._files:
            self._files[path] = PgnFile.at(Path(path))
        return self._files[path]

    def _of_file(self, path: str, number: int, file: PgnFile) -> KnownGame | None:
        """The metadata of a game; None if it is unfinished."""
        tags = file.tags(number)
        white, black = known_name(tags.get("White", "")), known_name(tags.get("Black", ""))
        own = [colour for colour, name in ((True, white), (False, black)) if plain(name) in self._names]
        game = KnownGame(path, number, tags.get("Date", ""), white, black, tags.get("Result", "*"))
        game = replace(game, colour=own[0] if len(own) == 1 else None)
        if "ECO" in tags and "Opening" in tags and game.result != "*":
            foreign = tags["Opening"]
            return _opened(game, named(foreign), Name({"en": foreign.replace(": ", ", ")}), tags["ECO"])
        score = file.score(number)
        if score.pgn_result == "*":
            return None
        game = replace(game, result=score.pgn_result)
        return _opened(game, opening_of(score.board()))


def _tell(progress: Progress, done: int, of: int) -> None:
    """Report progress, every twentieth time. Raises `Stopped` if cancelled."""
    if done % 20 == 0 and not progress(100 * done // max(of, 1)):
        raise Stopped


def _opened(game: KnownGame, found: NamedOpening | None, foreign: Name | None = None, eco: str = "") -> KnownGame:
    if found is None:
        return replace(game, opening=foreign, eco=eco)
    return replace(game, opening=found.spoken, eco=eco or found.eco)


def _of_journal(summary: GameSummary, stored: StoredGame) -> KnownGame:
    settings = summary.settings
    game = KnownGame(
        source="",
        number=summary.id,
        played=day_of(summary.started),
        white=known_name(settings.white_name),
        black=known_name(settings.black_name),
        result=_in_pgn(summary.result or ""),
        colour=_colour(settings),
        machine=Player.ENGINE in (settings.white, settings.black),
    )
    return _opened(game, opening_of(_board(stored)))


def _colour(settings: GameSettings) -> chess.Color | None:
    """The player's colour; None for two people at one board."""
    if settings.correspondence is not None:
        return settings.correspondence.colour
    return None if settings.white is settings.black else settings.white is Player.VOICE


def _in_pgn(result: str) -> str:
    """The nearest result that PGN has, for one that it does not ("1/2-0")."""
    return {"1/2-0": "1-0", "0-1/2": "0-1", "1-1/2": "1-0", "1/2-1": "0-1"}.get(result, result)


def _board(stored: StoredGame) -> chess.Board:
    """The final position with its move stack: as recorded, or by a replay for old journals that do not record it."""
    stood = next((event for event in reversed(stored.events) if isinstance(event, Stood)), None)
    if stood is not None:
        board = start_board(stored.summary.settings)
        with contextlib.suppress(ValueError):  # invalid moves: use a replay
            for uci in stood.moves:
                board.push_uci(uci)
            return board
    return score_of(stored).board()
