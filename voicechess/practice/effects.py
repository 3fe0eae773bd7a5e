"""Effects of practice besides those of a game, performed by `app.practising`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.messages import Phrase
from voicechess.practice.schedule import Answered, Bookmark
from voicechess.score.known_games import KnownGame


@dataclass(frozen=True, slots=True)
class Keep:
    """Store this answer, and the cards it has changed (skill -> JSON)."""

    answer: Answered
    cards: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """Store the bookmark; None: there is nothing to resume."""

    bookmark: Bookmark | None


@dataclass(frozen=True, slots=True)
class Examine:
    """Have the engine analyse these positions, each for a while. Answered by one `Examined` each, in order, with the
    same `number`."""

    boards: tuple[chess.Board, ...]
    number: int = 0


@dataclass(frozen=True, slots=True)
class StopExamining:
    """Cancel the analysis."""


@dataclass(frozen=True, slots=True)
class KeepAnalysis:
    """Write this analysis, a PGN game, over what was kept of it before.

    `told` is said when it has been written; where it cannot be, that is said instead.
    """

    game: int  # its number in the file, from 1
    pgn: str
    told: Phrase | None = None
    file: int = 0  # which of the files that are open, see `Analysis`


@dataclass(frozen=True, slots=True)
class KeepMove:
    """Write this event of the game within the exercise to its journal."""

    event: ev.Event


@dataclass(frozen=True, slots=True)
class FetchPuzzles:
    """Request puzzles of this theme (Lichess' term) over the network. Answered by `PuzzlesFetched` or
    `PuzzlesNotFetched` with the same `number`."""

    theme: str
    number: int


@dataclass(frozen=True, slots=True)
class FindLive:
    """Request running games and broadcasts. Answered by `LiveFound` or `LiveNotFound` with the same `number`.
    `address`: only this one, as the player gave it; "": all."""

    number: int
    address: str = ""


@dataclass(frozen=True, slots=True)
class FollowLive:
    """Follow this game or round, reported by `LiveGame` and `LiveLink` with this `number`, instead of any other.
    `address`: as in `LiveOffer`; "": stop following."""

    address: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class SearchGames:
    """All of the player's finished games are wanted; with a `position` (EPD) only those `among` them in which it was on
    the board. Answered by `SearchedSoFar` and one `GamesFound` or `GamesNotFound` with the same `number`."""

    number: int
    position: str = ""
    among: tuple[KnownGame, ...] = ()


@dataclass(frozen=True, slots=True)
class StopSearching:
    """Cancel the search."""


@dataclass(frozen=True, slots=True)
class PlayFrom:
    """Play a game from this position (FEN) after practice. `people`: between two people here, or against the computer;
    None: not said."""

    fen: str
    people: bool | None = None


PracticeEffect = (
    ef.Effect
    | (FetchPuzzles | FindLive | FollowLive | KeepMove | KeepAnalysis | SearchGames | StopSearching)
    | (Keep | Mark | Examine | StopExamining | PlayFrom)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined(ev.Event):
    """The engine's view of the position `index` of an `Examine`.

    `centipawns` for the side to move (mate: close to 100 000), None when it was not told; `best` in UCI, None where
    there is no move.
    """

    index: int
    centipawns: int | None
    best: str | None
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminingFailed(ev.Event):
    """The engine cannot analyse. `reason` is a key below [sentences.opponent]."""

    reason: str
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlesFetched(ev.Event):
    """Puzzles in Lichess' format, one per line; () if there are none of this theme."""

    number: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlesNotFetched(ev.Event):
    """Puzzles are not available, for this reason."""

    number: int
    reason: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedSoFar(ev.Event):
    """The search is in progress."""

    number: int
    percent: int  # 0 to 99


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesFound(ev.Event):
    """The games, latest first. `told`: a sentence for what was not looked at."""

    number: int
    games: tuple[KnownGame, ...]
    told: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesNotFound(ev.Event):
    """The search failed, for this reason."""

    number: int
    reason: Phrase


@dataclass(frozen=True, slots=True)
class LiveOffer:
    """Something that can be followed: a round of a broadcast by its title, or (`player`) one game of this player."""

    address: str
    title: str
    player: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFound(ev.Event):
    """What can be followed, most watched first."""

    number: int
    offers: tuple[LiveOffer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveNotFound(ev.Event):
    """Nothing can be followed, for this reason."""

    number: int
    reason: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveGame(ev.Event):
    """How a game that is followed stands: the whole of its PGN. `key` is the same as long as it lasts; games come in
    the order of their boards. `title`: who plays, "" where that is not told."""

    number: int
    key: str
    title: str
    pgn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLink(ev.Event):
    """The connection is there again, or gone for `reason`, a key below [sentences.online.failed]."""

    number: int
    up: bool
    reason: str = ""


FIRST_NUMBER = 1_000_000
"""Utterances of practice are numbered above this, so that they never clash with those of a game within an exercise."""
