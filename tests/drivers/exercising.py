"""An exercise played by ear or by keyboard in a test: words in, sentences out, as in the program."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

import chess

from voicechess.app.game_archive import GameArchive
from voicechess.app.hearing import Hearing
from voicechess.app.practising import PracticeMachine
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.effects import Announcer
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Command, Expectation, Hypothesis, RecognisedUtterance, Word
from voicechess.messages import Failure
from voicechess.practice.bookmarks import Place
from voicechess.practice.courses import EXERCISES, Material
from voicechess.practice.drill import Drill
from voicechess.practice.effects import (
    FIRST_NUMBER,
    FetchPuzzles,
    FindLive,
    FollowLive,
    Keep,
    KeepAnalysis,
    KeepPlaces,
    Mark,
    PlayFrom,
    PracticeEffect,
    SearchGames,
)
from voicechess.practice.exercises.analysed import AnalysedGame
from voicechess.practice.exercises.analysis import Analysis
from voicechess.practice.exercises.building import Building
from voicechess.practice.exercises.comparing import Reference
from voicechess.practice.exercises.consulting import TableVerdict
from voicechess.practice.exercises.fetched import FetchedPuzzles
from voicechess.practice.exercises.finding import Finding
from voicechess.practice.exercises.puzzles import Puzzles
from voicechess.practice.exercises.watching import Watching
from voicechess.practice.puzzle_lines import Wanted, puzzles_in
from voicechess.practice.schedule import Answered, Bookmark, Deck
from voicechess.practice.task import Course, Task
from voicechess.score.known_games import KnownGame
from voicechess.score.opening_moves import PlayedMove
from voicechess.score.pgn import read_games, write_pgn
from voicechess.score.score import Score
from voicechess.storage.journal import Journal

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
AT_EVERY_LEVEL = [
    (key, level)
    for key, row in EXERCISES.items()
    if row.course is not None and key != "puzzles"
    for level in range(1, row.levels + 1)
]
"""The exercises that need no file, each at every level."""


OWN_PUZZLES = (
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags",
    "own1,6k1/5ppp/2n5/8/8/7P/5PP1/R5K1 b - - 0 1,c6d4 a1a8,900,80,90,10,mateIn1 short,,",
    "own2,r5k1/6pp/8/6N1/2Q5/8/6PP/6K1 b - - 0 1,g8h8 g5f7 h8g8 f7h6 g8h8 c4g8 a8g8 h6f7,1500,80,90,10,mateIn4 long,,",
)
"""A file of puzzles made for the tests."""


def course(key: str, level: int, language: str = "de", lines: Sequence[str] = OWN_PUZZLES) -> Course:
    """The course of an exercise; `lines`: of the file of puzzles."""
    made = EXERCISES[key].course
    assert made is not None
    return made(level, Material(load(language), Deck(), find=lambda: puzzles_in(lines, Wanted())))


class Room:
    """Runs a practice machine, and collects its effects as the program would perform them."""

    def __init__(self, machine: PracticeMachine, language: str = "de") -> None:
        self.machine, self.now = machine, 0
        self.lexicon, self.wording = load(language), Wording(language, strict=True)
        self.expectation = Expectation()
        self.answers: list[Answered] = []
        self.bookmark: Bookmark | None = None
        self.effects: list[PracticeEffect] = []
        self.keys: list[str] = []
        self.said: list[str] = []
        self.kept: dict[int, str] = {}  # analyses
        self.places: tuple[Place, ...] = ()  # bookmarks
        self.fetches: list[FetchPuzzles] = []
        self.live = 0  # number of the last request for live games
        self.archive: GameArchive | None = None
        self.searches: list[SearchGames] = []

    def begin(self) -> list[str]:
        return self.event(ev.Started(at_ms=self.now))

    def event(self, event: ev.Event) -> list[str]:
        """Handle an event; returns the sentences said, each of which ends at once, and other effects in words."""
        said, self.keys, self.effects = [], [], list(self.machine.handle(event))
        for effect in self.effects:
            match effect:
                case ef.Say(utterance):
                    said.append(self.wording.say(utterance))
                    self.keys.append(utterance.key)
                    self.effects += self.machine.handle(ev.Spoken(at_ms=self.now, number=utterance.number))
                case ef.Listen(expectation):
                    self.expectation = expectation
                case Keep(answer, _):
                    self.answers.append(answer)
                case Mark(bookmark):
                    self.bookmark = bookmark
                case KeepAnalysis(game, pgn, told):
                    self.kept[game] = pgn
                    said += [self.wording.say(told)] if told is not None else []
                case KeepPlaces(places, told):
                    self.places = places
                    said.append(self.wording.say(told))
                case FetchPuzzles(theme):
                    self.fetches.append(effect)
                    said.append(f"fetches {theme}")
                case SearchGames():
                    self.searches.append(effect)
                    said.append("looks for a position" if effect.position else "looks for all games")
                case FindLive(number):
                    self.live = number
                    said.append("asks what can be followed")
                case FollowLive(address, number):
                    self.live = number
                    said.append(f"follows {address or 'nothing'}")
                case PlayFrom(fen, people):
                    against = {None: "a game", True: "two people", False: "the machine"}[people]
                    said.append(f"plays {fen}, {against}")
                case ef.UseBoardKeys():
                    said.append("keys walk over the board")
                case ef.ShowText(lines):
                    said += [f"| {line}" for line in lines]
        self.said = said
        return said

    def type(self, line: str) -> list[str]:
        """Type a line; returns what is said."""
        return self.hear(line, source=ev.Source.KEYBOARD)

    def hear(
        self, *lines: str, gap: float = 0.0, source: ev.Source = ev.Source.VOICE, after_ms: int = 3000
    ) -> list[str]:
        """Hear hypotheses, best first, each with a log-likelihood lower by `gap`; returns what is said."""
        self.now += after_ms
        hypotheses = [
            Hypothesis(tuple(Word(word, self.now, self.now) for word in line.split()), -gap * index)
            for index, line in enumerate(lines)
        ]
        said = RecognisedUtterance(tuple(hypotheses), self.now, self.now)
        return self.event(Hearing(self.lexicon).understood(said, self.expectation, self.now, source))


def drilled(
    key: str,
    level: int,
    seed: int = 0,
    language: str = "de",
    bookmark: Bookmark | None = None,
    deck: Deck | None = None,
    lines: Sequence[str] = OWN_PUZZLES,
) -> tuple[Room, Drill]:
    """An exercise with its first question asked."""
    made = course(key, level, language, lines)
    drill = Drill(made, deck or Deck(), Random(seed), Announcer(FIRST_NUMBER), BEGAN, bookmark)
    room = Room(drill, language)
    room.begin()
    return room, drill


def online(seed: int, language: str = "de", theme: str = "") -> Room:
    """Puzzles over the network, with the question for a theme asked."""
    speaker = Announcer(FIRST_NUMBER)

    def begin(lines: tuple[str, ...]) -> Drill | None:
        made = Puzzles(Deck(), lambda: puzzles_in(lines, Wanted()))
        return None if made.empty else Drill(made, Deck(), Random(seed), speaker, BEGAN)

    room = Room(FetchedPuzzles(begin, speaker, theme), language)
    room.begin()
    return room


def watched(language: str = "de") -> Room:
    """Following a live game, with the request for offers sent."""
    room = Room(Watching(Announcer(FIRST_NUMBER)), language)
    room.begin()
    return room


TODAY = date(2026, 11, 29)
SICILIAN = ("e2e4", "c7c5", "g1f3")


def sought(lines: Sequence[str], language: str = "de") -> Room:
    """The search for games, just begun: Bert's among those in these lines, after a game with the moves `SICILIAN`."""

    def opened(game: KnownGame) -> Analysis:
        score = archive.score(game)
        return Analysis([""], lambda _: AnalysedGame(score, write_pgn(score), "1.pgn"), speaker)

    file = Path(tempfile.mkdtemp()) / "own.pgn"
    file.write_text("\n".join(lines), "utf-8")
    archive = GameArchive(lambda: Journal(None), [file] if lines else [], ["Bert"])
    board = chess.Board()
    for uci in SICILIAN:
        board.push_uci(uci)
    speaker = Announcer(FIRST_NUMBER)
    room = Room(Finding(Command("find_games"), opened, speaker, TODAY, board), language)
    room.archive = archive
    room.begin()
    return room


def built(language: str = "de", against: Callable[[], Reference | None] = lambda: None) -> Room:
    """Setting up a position, with the explanation said. `against`: what it is compared with."""

    def analysis(board: chess.Board) -> Analysis:
        score = Score(fen=board.fen())
        return Analysis([""], lambda _: AnalysedGame(score, write_pgn(score), "1.pgn"), speaker)

    speaker = Announcer(FIRST_NUMBER)
    room = Room(Building(analysis, speaker, against), language)
    room.begin()
    return room


class OnTheShelf:
    """A collection of three games, and endgame tables of rook against king, in which White wins."""

    GAMES = (("1-0", "e4 c5 Nf3 d6"), ("0-1", "e4 c5 Nc3"), ("1/2-1/2", "e4 e5 Nf3"))

    def played(self, board: chess.Board) -> tuple[PlayedMove, ...]:
        counts: dict[chess.Move, list[int]] = {}
        for result, sans in self.GAMES:
            at = chess.Board()
            for san in sans.split():
                move = at.parse_san(san)
                if at.epd() == board.epd():
                    counts.setdefault(move, [0, 0, 0])[("1-0", "1/2-1/2", "0-1").index(result)] += 1
                at.push(move)
        found = (PlayedMove(move, *of_each) for move, of_each in counts.items())
        return tuple(sorted(found, key=lambda one: -one.count))

    def verdict(self, board: chess.Board) -> TableVerdict:
        if chess.popcount(board.occupied) > 3:
            raise Failure("tables.missing", {"count": chess.popcount(board.occupied)})
        if not board.rooks:
            return TableVerdict(0, None)
        return TableVerdict(2 if board.turn == chess.WHITE else -2, next(iter(board.legal_moves)), 21)


def analysed(
    lines: Sequence[str],
    language: str = "de",
    kept: Mapping[int, str] | None = None,
    chosen: int | None = None,
    places: Sequence[Place] = (),
    first: Command | None = None,
) -> tuple[Room, Analysis]:
    """An analysis of the games in these lines; `kept`, `places`: analyses and bookmarks stored before; `first`: what
    was asked when it began."""
    games = read_games("\n".join(lines))

    def opened(number: int) -> AnalysedGame:
        score, text = games[number - 1]
        before = (kept or {}).get(number)
        return AnalysedGame(score, before or text, f"{number}.pgn", before is not None)

    def of_position(board: chess.Board) -> Analysis:
        score = Score(fen=board.fen())
        return Analysis([""], lambda _: AnalysedGame(score, write_pgn(score), "built.pgn"), speaker)

    def build(board: chess.Board) -> Building:
        return Building(of_position, speaker, lambda: Reference(board, "analysis"))

    titles = [" – ".join(score.players) for score, _ in games]
    speaker, library = Announcer(FIRST_NUMBER), OnTheShelf()
    analysis = Analysis(titles, opened, speaker, chosen, library=library, build=build, first=first, places=places)
    room = Room(analysis, language)
    room.kept.update(kept or {})
    room.places = tuple(places)
    room.begin()
    return room, analysis


def open_task(drill: Drill) -> Task:
    """The open task."""
    assert drill.task is not None
    return drill.task
