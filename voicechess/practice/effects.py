"""Effects and events of practice besides those of a game; `app.practising` performs the effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.messages import Phrase
from voicechess.practice.bookmarks import Place
from voicechess.practice.schedule import Answered, Bookmark
from voicechess.score.known_games import KnownGame


@dataclass(frozen=True, slots=True)
class Keep:
    """Store an answer, and the cards that it changed (skill -> JSON)."""

    answer: Answered
    cards: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """Store the bookmark; None: delete it."""

    bookmark: Bookmark | None


@dataclass(frozen=True, slots=True)
class Examine:
    """Have the engine analyse these positions. Answered by an `Examined` for each, in order, or by `ExaminingFailed`,
    with the same `number`."""

    boards: tuple[chess.Board, ...]
    number: int = 0


@dataclass(frozen=True, slots=True)
class StopExamining:
    """Cancel the analysis."""


@dataclass(frozen=True, slots=True)
class KeepAnalysis:
    """Write this analysis, a PGN game, replacing the version stored before.

    `told` is said when it has been written; a failure is said instead.
    """

    game: int  # its number in the file, from 1
    pgn: str
    told: Phrase | None = None
    file: int = 0  # which of the open files, see `Analysis`


@dataclass(frozen=True, slots=True)
class KeepPlaces:
    """Store all bookmarks of a file. `told` is said when that has been done; a failure is said instead."""

    places: tuple[Place, ...]
    told: Phrase
    file: int = 0  # as in `KeepAnalysis`


@dataclass(frozen=True, slots=True)
class KeepMove:
    """Write an event of the game within the exercise to its journal."""

    event: ev.Event


@dataclass(frozen=True, slots=True)
class FetchPuzzles:
    """Request puzzles of a theme (Lichess' key) from the server. Answered by `PuzzlesFetched` or `RequestFailed`
    with the same `number`."""

    theme: str
    number: int


@dataclass(frozen=True, slots=True)
class FindLive:
    """Request the games in progress and broadcasts. Answered by `LiveFound` or `RequestFailed` with the same `number`.
    `address`: only this one, as given by the player; "": all."""

    number: int
    address: str = ""


@dataclass(frozen=True, slots=True)
class FollowLive:
    """Follow a game or round, instead of any followed before; reported by `LiveGame` and `LiveLink` with this `number`.
    `address`: as in `LiveOffer`; "": stop following."""

    address: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class SearchGames:
    """Request all of the player's finished games; with a `position` (EPD) those of `among` in which it occurred.
    Answered by `SearchedSoFar` events and a `GamesFound` or `RequestFailed` with the same `number`."""

    number: int
    position: str = ""
    among: tuple[KnownGame, ...] = ()


@dataclass(frozen=True, slots=True)
class StopSearching:
    """Cancel the search."""


@dataclass(frozen=True, slots=True)
class PlayFrom:
    """End practice and play a game from this position (FEN). `people`: True: two people at this board, False: against
    the engine, None: not said."""

    fen: str
    people: bool | None = None


PracticeEffect = (
    ef.Effect
    | (FetchPuzzles | FindLive | FollowLive | KeepMove | KeepAnalysis | KeepPlaces | SearchGames | StopSearching)
    | (Keep | Mark | Examine | StopExamining | PlayFrom)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined(ev.Event):
    """The engine's evaluation of position `index` of an `Examine`.

    `centipawns` is for the side to move (mate: close to 100 000), None if unknown; `best` is UCI, None if there is
    none.
    """

    index: int
    centipawns: int | None
    best: str | None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminingFailed(ev.Event):
    """The engine cannot analyse. `reason` is a key in [sentences.opponent]."""

    reason: str
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFailed(ev.Event):
    """A `FetchPuzzles`, `FindLive` or `SearchGames` has failed, for this reason."""

    number: int  # of the request
    reason: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlesFetched(ev.Event):
    """Puzzles in Lichess' CSV format, one a line; () if there are none of this theme."""

    number: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedSoFar(ev.Event):
    """Progress of a search."""

    number: int
    percent: int  # 0 to 99


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesFound(ev.Event):
    """The games, latest first. `told`: sentences about files that could not be searched."""

    number: int
    games: tuple[KnownGame, ...]
    told: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveOffer:
    """Something to follow: a broadcast round with its title or, if `player`, the game of the player named by
    `title`."""

    address: str
    title: str
    player: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFound(ev.Event):
    """The games and broadcasts that can be followed, most watched first."""

    number: int
    offers: tuple[LiveOffer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveGame(ev.Event):
    """The whole PGN of a followed game. `key` identifies the game; new games come in the order of their boards.
    `title`: the players, "" if unknown."""

    number: int
    key: str
    title: str
    pgn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLink(ev.Event):
    """The connection of a followed game is restored, or lost for `reason`, a key in [sentences.online.failed]."""

    number: int
    up: bool
    reason: str = ""


FIRST_NUMBER = 1_000_000
"""First number of practice's utterances, so that they never clash with those of a game within an exercise."""
