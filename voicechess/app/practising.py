"""Practice in the running program: every exercise of this player, from the menu to the end.

An engine analyses positions one by one on its own thread and reports by events. Effects of practice that no game has
are performed between the loop and the pure machine: progress is stored, the engine asked, the game within an exercise
recorded. Failures are announced once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Protocol

import chess

from voicechess.app import games
from voicechess.app.analysis_file import AnalysisFile
from voicechess.app.around import Hooks
from voicechess.app.game_archive import GameArchive
from voicechess.app.game_search import GameSearch
from voicechess.app.kinds import session_of
from voicechess.app.last_game import last_finished, last_position
from voicechess.app.library import Library
from voicechess.app.practice_server import PracticeServer
from voicechess.app.practice_store import PracticeStore
from voicechess.app.puzzle_file import PuzzleFile
from voicechess.app.wiring import Program, tell_notices
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import Announcer
from voicechess.game.events import Event
from voicechess.meaning import Command, Expectation
from voicechess.messages import Failure, Phrase
from voicechess.opponents import discovery
from voicechess.opponents.discovery import EngineSpec
from voicechess.opponents.engine import plain_board
from voicechess.opponents.lichess.login import LICHESS
from voicechess.opponents.uci import EngineProcess, EngineTimeouts, OpponentError
from voicechess.practice.after_game import FIND
from voicechess.practice.courses import EXERCISES, Material
from voicechess.practice.drill import Drill
from voicechess.practice.effects import (
    FIRST_NUMBER,
    Examine,
    Examined,
    ExaminingFailed,
    FetchPuzzles,
    FindLive,
    FollowLive,
    Keep,
    KeepAnalysis,
    KeepMove,
    KeepPlaces,
    Mark,
    PlayFrom,
    PracticeEffect,
    SearchGames,
    StopExamining,
    StopSearching,
)
from voicechess.practice.exercises.analysis import Analysis
from voicechess.practice.exercises.blindfold import FADING, Blindfold
from voicechess.practice.exercises.building import Building
from voicechess.practice.exercises.comparing import Reference
from voicechess.practice.exercises.consulting import CONSULTS
from voicechess.practice.exercises.fetched import FetchedPuzzles
from voicechess.practice.exercises.finding import Finding
from voicechess.practice.exercises.puzzles import Find, Puzzles
from voicechess.practice.exercises.review import Review
from voicechess.practice.exercises.watching import Watching
from voicechess.practice.menu import Exercise, ExerciseOffer, Practice
from voicechess.practice.puzzle_lines import Wanted, puzzles_in
from voicechess.practice.schedule import PUZZLE, Bookmark, Deck
from voicechess.practice.task import Course
from voicechess.score.known_games import KnownGame
from voicechess.score.score import Score
from voicechess.storage.database import JournalError
from voicechess.storage.journal import Journal
from voicechess.storage.places import journal_file

# --- The analysing engine ---

log = logging.getLogger(__name__)

SECONDS = 0.3
"""Search time in seconds for each position of a review: half a minute for forty moves. Larger: deeper, and a longer
wait."""

ASKED_SECONDS = 1.0
"""Search time in seconds for a position that the player asks about. Larger: deeper, and a longer wait."""

_TABLE_ENTRIES = 100_000  # sunfish takes 300 MB with its default


class Examiner:
    """Analyses positions with a UCI engine. `post` gets `Examined` and `ExaminingFailed` on the engine's thread.

    `now`: event time in milliseconds. `seconds`: search time per position.
    """

    def __init__(
        self,
        spec: EngineSpec,
        post: Callable[[Event], None],
        now: Callable[[], int],
        *,
        seconds: float = SECONDS,
        patience: EngineTimeouts | None = None,
    ) -> None:
        self._spec, self._post, self._now, self._seconds = spec, post, now, seconds
        self._patience = patience or EngineTimeouts()
        self._thread: threading.Thread | None = None
        self._cancel = threading.Event()

    @property
    def busy(self) -> bool:
        """Whether an analysis is running."""
        return self._thread is not None and self._thread.is_alive()

    def examine(self, boards: Sequence[chess.Board], number: int = 0) -> None:
        """Start analysing these positions in order, replacing the previous request. `number`: of the events posted."""
        self.stop()
        self._cancel = threading.Event()
        arguments = (tuple(board.copy() for board in boards), self._cancel, number)
        self._thread = threading.Thread(target=self._run, args=arguments, name="examiner", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel: nothing more is posted; the engine ends within about a second."""
        self._cancel.set()

    def close(self) -> None:
        """Ends the engine; may be called twice."""
        self.stop()
        if self._thread is not None:
            self._thread.join(2 * self._patience.end + self._seconds + 2)

    # -- in the thread --------------------------------------------------------------------------------------------

    def _run(self, boards: tuple[chess.Board, ...], cancel: threading.Event, number: int) -> None:
        try:
            asyncio.run(self._look(boards, cancel, number))
        except OpponentError as fault:
            log.info("examining: %s", fault.reason)
            if not cancel.is_set():
                self._post(ExaminingFailed(at_ms=self._now(), reason=fault.reason, number=number))

    async def _look(self, boards: tuple[chess.Board, ...], cancel: threading.Event, number: int) -> None:
        process = await EngineProcess.start(self._spec, self._patience)
        try:
            if "TABLE_SIZE" in process.offered:
                await process.configure({"TABLE_SIZE": _TABLE_ENTRIES})
            for index, board in enumerate(boards):
                if cancel.is_set():
                    return
                plain = plain_board(board, process.plays_chess960)
                thought = await process.think(plain, self._seconds, None, game=boards)
                if cancel.is_set():
                    return
                best = board.uci(thought.move)
                self._post(
                    Examined(at_ms=self._now(), index=index, centipawns=thought.centipawns, best=best, number=number)
                )
        finally:
            with contextlib.suppress(OpponentError):
                await process.quit()


# --- Effects that only practice has ---


class PracticeMachine(Protocol):
    """A pure machine of practice. `expectation`: what can be said to it now."""

    @property
    def expectation(self) -> Expectation: ...
    def handle(self, event: ev.Event) -> tuple[PracticeEffect, ...]:
        """Handle one event."""

    def leave(self) -> tuple[PracticeEffect, ...]:
        """What is still to be stored when the program ends meanwhile."""


class GameInside:
    """The recording of the game within an exercise, if there is one; one game at a time."""

    def __init__(self) -> None:
        self._recording: games.Recording | None = None

    def begin(self, recording: games.Recording) -> None:
        """Record this game from now on; the previous one has been released."""
        self._recording = recording

    def keep(self, event: Event) -> None:
        """As `Recording.keep`."""
        if self._recording is not None:
            self._recording.keep(event)

    def end(self, ended: ef.GameEnded) -> None:
        """As `Recording.end`."""
        if self._recording is not None:
            self._recording.end(ended)

    def release(self) -> None:
        """Stop recording; other programs can resume the game."""
        if self._recording is not None:
            self._recording.release()
        self._recording = None


class Performing:
    """A practice machine as the loop runs it. `game`: records the game within an exercise. `analyses` stores analyses,
    `server` has puzzles and running games, `search` finds games of the player's own. None: there is no network, no
    archive, no engine (`examiner`). `books`: names the file of a number for its bookmarks."""

    def __init__(
        self,
        machine: PracticeMachine,
        store: PracticeStore,
        speaker: Announcer,
        game: GameInside,
        examiner: Examiner | None = None,
        analyses: Callable[[KeepAnalysis], None] = lambda _: None,
        server: PracticeServer | None = None,
        search: GameSearch | None = None,
        books: Callable[[int], str] = str,
    ) -> None:
        self._machine, self._store, self._speaker = machine, store, speaker
        self._game, self._examiner, self._analyses = game, examiner, analyses
        self._server, self._search, self._books = server, search, books
        self.wanted: PlayFrom | None = None  # the game to play next
        self._said: set[str] = set()

    def close(self) -> None:
        """Store what is still to be stored, and let other programs resume the game within an exercise."""
        for effect in self._machine.leave():
            with contextlib.suppress(Failure):  # there is no player left to hear it
                self._done(effect, ev.Tick(at_ms=0))
        self._game.release()

    @property
    def expectation(self) -> Expectation:
        """What can be said to the machine now."""
        return self._machine.expectation

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        """Handle an event: performs the effects of practice and returns the others. Never raises for disk errors."""
        left: list[ef.Effect] = []
        for effect in self._machine.handle(event):
            try:
                left += self._done(effect, event)
            except Failure as failure:
                asked = isinstance(effect, KeepAnalysis | KeepPlaces) and effect.told is not None
                if asked or failure.key not in self._said:
                    self._said.add(failure.key)
                    left += self._speaker.say(failure.phrase)
        return tuple(left)

    def _done(self, effect: PracticeEffect, event: ev.Event) -> tuple[ef.Effect, ...]:
        match effect:
            case Keep(answer, cards):
                self._store.keep(answer, cards)
            case Mark(bookmark):
                self._store.mark(bookmark)
            case KeepMove(moved):
                self._game.keep(moved)
            case KeepAnalysis(told=told):
                self._analyses(effect)
                return () if told is None else self._speaker.say(told)
            case KeepPlaces(places, told, file):
                self._store.keep_places(self._books(file), places)
                return self._speaker.say(told)
            case FetchPuzzles() | FindLive() if self._server is not None:
                self._server.ask(effect)
            case FollowLive() if self._server is not None:
                self._server.follow(effect)
            case FetchPuzzles() | FindLive() | FollowLive():
                pass  # there is no network
            case SearchGames():
                assert self._search is not None, "only a search for games asks for it"
                self._search.search(effect)
            case StopSearching():
                if self._search is not None:
                    self._search.stop()
            case PlayFrom():
                self.wanted = effect
            case Examine(boards, number):
                if self._examiner is not None:
                    self._examiner.examine(boards, number)
                else:
                    return self.handle(ExaminingFailed(at_ms=event.at_ms, reason="missing", number=number))
            case StopExamining():
                if self._examiner is not None:
                    self._examiner.stop()
            case ef.GameEnded():
                self._game.end(effect)
            case _:
                return (effect,)
        return ()


# --- The practice room ---

ANALYSIS = "analysis"
"""Not in the menu: it is asked for after a game, or with a file."""

LIVE = "live"
"""Not in the menu: following games played elsewhere."""

SET_UP = "set_up"
"""Not in the menu: setting up a position."""

_EXAMINING_LEVEL = 10


NOTHING_SAID = Command("")
"""Where no command led to practice."""


@dataclass(frozen=True, slots=True)
class PracticeWish:
    """What was asked for on the command line; see the options of `voicechess practise`."""

    exercise: str | None = None
    level: int | None = None
    scores: tuple[Score, ...] = ()
    puzzles: PuzzleFile | None = None
    theme: str = ""  # theme of `server`'s puzzles; "": the player is asked
    server: str = LICHESS
    address: str = ""  # address of the game to follow; "": the player is asked
    strength: int = 3
    analysis: AnalysisFile | None = None
    game: int | None = None  # number of the game in that file
    said: Command = NOTHING_SAID  # what asked for it, with its slots
    board: chess.Board | None = None  # the position at the end of the game before


def practise(program: Program, wish: PracticeWish) -> None:
    """Practise in the running program until the player ends it. A position set up for play is left in
    `Program.to_play`."""
    room = PracticeRoom(program, wish)
    if wish.puzzles is not None and not wish.puzzles.wanted.everything:
        program.notices.append(Phrase("practice.puzzles.searching"))  # reading a long file takes seconds
    if wish.analysis is not None and wish.analysis.games.long and wish.game is None:
        program.notices.append(Phrase("practice.analysis.counting"))
    try:
        tell_notices(program)
        room.run()
    finally:
        program.to_play = room.wanted or program.to_play
        room.close()


class PracticeRoom:
    """Practice in the running program, to be closed. Raises JournalError only if not even memory can be used."""

    def __init__(self, program: Program, wish: PracticeWish) -> None:
        self._house, self._wish, self._speaker = program, wish, Announcer(FIRST_NUMBER)
        self.store = _store(program)
        self._deck = Deck(self.store.cards())
        spec = discovery.choose(_EXAMINING_LEVEL)
        seconds = ASKED_SECONDS if wish.exercise in (ANALYSIS, LIVE, SET_UP, FIND) else SECONDS
        self._examiner = (
            None if spec is None else Examiner(spec, program.inbox.post, program.clock.now, seconds=seconds)
        )
        offered = [key for key in EXERCISES if key != Puzzles.key or wish.puzzles or self._deck.known(PUZZLE)]
        if wish.exercise is not None and wish.exercise not in offered:
            offered.append(wish.exercise)  # it reports what is missing
        levels = {key: row.levels for key, row in EXERCISES.items()}
        entries = [ExerciseOffer(key, levels.get(key, 1), self._beginning(key), key in EXERCISES) for key in offered]
        self.practice = Practice(
            entries,
            self._speaker,
            answers=self.store.answers(),
            bookmark=self.store.bookmark(),
            chosen=wish.exercise,
            level=wish.level,
        )
        self._game = GameInside()
        self._analyses: list[AnalysisFile] = []
        tables = program.context.preferences.games.tables
        self._library = Library(Path(tables).expanduser() if tables else None)
        archive = _archive(program)
        post, now = program.inbox.post, program.clock.now
        self._archive, self._search = archive, GameSearch(archive, post, now, program.journal.path is not None)
        self._server = PracticeServer(wish.server, post, now)
        self._performing = Performing(
            self.practice,
            self.store,
            self._speaker,
            self._game,
            self._examiner,
            self._keep_analysis,
            self._server,
            self._search,
            lambda file: self._analyses[file].book,
        )

    @property
    def wanted(self) -> PlayFrom | None:
        """The game to play next, if any."""
        return self._performing.wanted

    @property
    def _answers(self) -> str:
        """The forms of answers that the player wants now."""
        return self._house.context.preferences.answers

    def run(self) -> None:
        """Practise until the end."""
        loop = self._house.loop
        hooks = Hooks(busy=lambda: self.practice.busy, scene=lambda: self.practice.scene)
        try:
            loop.converse(self._performing, ev.Started(at_ms=loop.now()), lambda: self.practice.over, hooks)
        finally:
            self._performing.close()

    def close(self) -> None:
        """Ends the engine and closes the database."""
        if self._examiner is not None:
            self._examiner.close()
        self._server.close()
        self._search.stop()
        self._library.close()
        self.store.close()

    # --- the exercises -------------------------------------------------------------------------------------------

    def _beginning(self, key: str) -> Callable[[int, Bookmark | None], Exercise | Phrase]:
        """The function that starts an exercise. Raises KeyError for one with neither tasks nor a function."""
        row = EXERCISES.get(key)
        if row is not None and row.course is not None:
            return partial(self._drill, row.course)
        ways = {"blindfold": self._blindfold, "review": self._review, "online": self._online, ANALYSIS: self._analyse}
        ways[LIVE] = lambda level, bookmark: Watching(self._speaker, self._wish.address, self._answers)
        ways[SET_UP] = lambda level, bookmark: Building(self._analysis_of, self._speaker, self._before, self._answers)
        ways[FIND] = lambda level, bookmark: self._find(self._wish.said, self._wish.board)
        return ways[key]

    def _drill(
        self, course_of: Callable[[int, Material], Course], level: int, bookmark: Bookmark | None
    ) -> Drill | Phrase:
        file = self._wish.puzzles
        find = None if file is None else file.find
        made = self._drill_of(course_of, level, self._deck, find, bookmark)
        return made or Phrase("practice.puzzles.none" if find is None else "practice.puzzles.none_fitting")

    def _drill_of(
        self,
        course_of: Callable[[int, Material], Course],
        level: int,
        known: Deck,
        find: Find | None,
        bookmark: Bookmark | None = None,
    ) -> Drill | None:
        """The drill of these puzzles. `known`: repeats mixed with new ones. None: there are no puzzles."""
        seen = (skill for answer in self.practice.answers for skill in answer.skills)
        course = course_of(level, Material(self._house.context.lexicon, known, self._wish.scores, find, tuple(seen)))
        if isinstance(course, Puzzles) and course.empty:
            return None
        program = self._house
        began = datetime.now(UTC) - timedelta(milliseconds=program.loop.now())
        return Drill(course, self._deck, program.random, self._speaker, began, bookmark)

    def _online(self, level: int, bookmark: Bookmark | None) -> Exercise | Phrase:
        """Puzzles of the server; those not solved are repeated among the player's own."""
        course_of = EXERCISES[Puzzles.key].course
        assert course_of is not None, "puzzles are tasks"

        def begin(lines: tuple[str, ...]) -> Drill | None:
            return self._drill_of(course_of, 1, Deck(), lambda: puzzles_in(lines, Wanted()))

        return FetchedPuzzles(begin, self._speaker, self._wish.theme)

    def _review(self, level: int, bookmark: Bookmark | None) -> Exercise | Phrase:
        if self._examiner is None:
            return Phrase("practice.review.no_engine")
        found = (self._wish.scores[0], None) if self._wish.scores else last_finished(self._house.journal)
        if found is None or not found[0].entries:
            return Phrase("practice.review.no_game")
        score, colour = found
        return Review(score.start(), [entry.move for entry in score.entries], self._speaker, colour)

    def _analyse(self, level: int, bookmark: Bookmark | None) -> Exercise | Phrase:
        if self._wish.analysis is not None:
            return self._analysis_in(self._wish.analysis, self._wish.game)
        found = last_finished(self._house.journal)
        if found is None or not found[0].entries:
            return Phrase("practice.review.no_game")
        said = self._wish.said if self._wish.said.name in CONSULTS else None
        return self._analysis_in(AnalysisFile.of(found[0]), self._wish.game, said)

    def _analysis_of(self, board: chess.Board) -> Analysis:
        """Analysis of a position."""
        return self._analysis_in(AnalysisFile.of(Score(fen=board.fen(), chess960=board.chess960)))

    def _analysis_in(self, file: AnalysisFile, game: int | None = None, first: Command | None = None) -> Analysis:
        """Analysis of a file, inside those already open, which continue after it."""
        self._analyses.append(file)
        number = len(self._analyses) - 1
        return Analysis(
            file.games,
            file.opened,
            self._speaker,
            game,
            file=number,
            search=self._find,
            library=self._library,
            build=self._build_beside,
            first=first,
            places=self.store.places(file.book),
            answers=self._answers,
        )

    def _build_beside(self, board: chess.Board) -> Building:
        """Setting up a position to be compared with that of an analysis."""
        return Building(self._analysis_of, self._speaker, lambda: Reference(board, "analysis"), self._answers)

    def _before(self) -> Reference | None:
        """The position of the game before, otherwise of the newest one played here."""
        board = self._wish.board or last_position(self._house.journal)
        return None if board is None else Reference(board, "game")

    def _find(self, said: Command, board: chess.Board | None) -> Finding:
        """Games of the player's own; one that is opened is analysed."""

        def opened(game: KnownGame) -> Analysis:
            return self._analysis_in(AnalysisFile.of(self._archive.score(game)), 1)

        return Finding(said, opened, self._speaker, date.today(), board)

    def _keep_analysis(self, kept: KeepAnalysis) -> None:
        self._analyses[kept.file].keep(kept)

    def _blindfold(self, level: int, bookmark: Bookmark | None) -> Exercise | Phrase:
        """A new blindfold game, or the bookmarked one. It is in the journal like every game."""
        program = self._house
        self._game.release()  # before resuming it
        level = min(max(level, 1), len(FADING))
        if bookmark is not None:
            try:
                continued = games.resume(program.journal, bookmark.seed)
            except JournalError as error:
                return error.phrase
            self._game.begin(games.Recording(continued.recorder, continued.session))
            program.clock.restart(max(continued.last_ms, program.clock.now()))  # a game's time never decreases
            program.invite(continued.session.settings)
            return Blindfold(continued.session, self._speaker, bookmark, begun=True)
        white = program.random.random() < 0.5
        settings = program.context.preferences.announced(
            GameSettings(
                white=Player.VOICE if white else Player.ENGINE,
                black=Player.ENGINE if white else Player.VOICE,
                level=self._wish.strength,
            )
        )
        session = session_of(settings, games.day_of())
        recording = games.Recording(program.journal.begin(settings), session)
        self._game.begin(recording)
        program.invite(settings)
        return Blindfold(session, self._speaker, Bookmark("blindfold", level, "", recording.game_id))


def _store(program: Program) -> PracticeStore:
    """The store of progress: beside the games, or in memory if those are, or if it is damaged."""
    path = program.journal.path
    try:
        return PracticeStore(journal_file(), copied=True) if path is None else PracticeStore(path)
    except JournalError as error:
        if path is not None:  # otherwise it was already said about the games
            program.notices.append(error.phrase)
        return PracticeStore(None)


def _archive(program: Program) -> GameArchive:
    """The player's games: those of the journal, and of the files that the settings name."""
    preferences, path = program.context.preferences.games, program.journal.path
    journal = (lambda: program.journal) if path is None else (lambda: Journal(path, looking=True))
    places = [Path(preferences.own_games).expanduser()] if preferences.own_games else []
    return GameArchive(journal, places, preferences.own_names.split(","))
