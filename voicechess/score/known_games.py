"""Searching for games by opponent, result, day, opening or position.

A `KnownGame` is a game's metadata; a `GameQuery` is a search whose parts can also be matched one by one, so that "none"
can be given with its reason.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import IntEnum
from functools import lru_cache

import chess

from voicechess.meaning import Command
from voicechess.messages import Name
from voicechess.score.openings import table
from voicechess.score.score import UNKNOWN_TAG, Score


class OwnResult(IntEnum):
    """A game's result for the player; the values are those of the slot {result} in the language files."""

    LOST = 0
    DRAWN = 1
    WON = 2


@dataclass(frozen=True, slots=True)
class KnownGame:
    """Metadata of a finished game."""

    source: str  # path of the PGN file; "": the journal
    number: int  # in the source, from 1
    played: str  # "2026.11.29" as in PGN, with "?" for what is unknown
    white: str  # "": unknown
    black: str
    result: str  # as in PGN
    colour: chess.Color | None = None  # the player's; None: unknown, or both sides were played here
    machine: bool = False  # whether the machine was the opponent
    opening: Name | None = None  # "Sicilian Defense, Najdorf Variation"; None: unknown
    eco: str = ""

    @property
    def opponent(self) -> str:
        """The opponent's name; both names if the player's colour is unknown; "" if unknown."""
        if self.colour is None:
            return " – ".join(filter(None, (self.white, self.black)))
        return self.black if self.colour else self.white

    @property
    def outcome(self) -> OwnResult | None:
        """The result for the player; None if unfinished, or if the player's colour is unknown in a decided game."""
        if self.result == "1/2-1/2":
            return OwnResult.DRAWN
        if self.colour is None or self.result not in ("1-0", "0-1"):
            return None
        return OwnResult.WON if (self.result == "1-0") is self.colour else OwnResult.LOST

    @property
    def day(self) -> date | None:
        """The date; None if it is incomplete."""
        try:
            return date.fromisoformat(self.played.replace(".", "-"))
        except ValueError:
            return None

    @property
    def month(self) -> tuple[int, int] | None:
        """Year and month (1 to 12); None if unknown."""
        parts = self.played.split(".")
        if len(parts) < 2 or not (parts[0].isdecimal() and parts[1].isdecimal()) or not 1 <= int(parts[1]) <= 12:
            return None
        return int(parts[0]), int(parts[1])


@dataclass(frozen=True, slots=True)
class GameQuery:
    """A search; every part that is not empty must match."""

    against: str = ""  # prefixes of words of the opponent's name: "anna", "a"
    machine: bool = False  # against the machine
    outcome: OwnResult | None = None
    since: date | None = None  # first day, inclusive
    until: date | None = None  # last day, inclusive
    month: int = 0  # 1 to 12, of any year; 0: any
    year: int = 0  # 0: any
    opening: str = ""  # prefixes of words of its name in any language, or of its ECO code
    position: str = ""  # EPD of a position of the game

    @property
    def parts(self) -> tuple[GameQuery, ...]:
        """Queries with one part each, except the position, in the order in which a reason is sought."""
        whole = GameQuery()
        groups = (("machine",), ("against",), ("opening",), ("outcome",), ("since", "until", "month", "year"))
        found = (replace(whole, **{name: getattr(self, name) for name in names}) for names in groups)
        return tuple(part for part in found if part != whole)

    def fits(self, game: KnownGame) -> bool:
        """Whether a game matches all parts but the position."""
        names = (game.opponent,) if game.colour is not None else (game.white, game.black)
        return (
            (not self.machine or game.machine)
            and (not self.against or any(begin_so(self.against, name) for name in names))
            and (self.outcome is None or game.outcome is self.outcome)
            and (not self.opening or _is_opening(self.opening, game))
            and self._fits_day(game)
        )

    def _fits_day(self, game: KnownGame) -> bool:
        if self.since is not None or self.until is not None:
            day = game.day
            if day is None or (self.since or day) > day or (self.until or day) < day:
                return False
        if not self.month:
            return not self.year or game.played.startswith(f"{self.year:04}")
        month = game.month
        return month is not None and month[1] == self.month and self.year in (0, month[0])


def narrowed(query: GameQuery, command: Command, today: date) -> GameQuery:
    """The query refined by a command; its slots are those of [typed.search] in the language files. The slot for the
    current position ("mit dieser Stellung") is left to the caller."""
    slot = command.slot
    letters = "".join(str(slot(name)) for name in ("letter", "letter2", "letter3") if slot(name) is not None)
    against = str(slot("against") or letters)
    found = replace(query, against=against, machine=False) if against else query
    if slot("machine"):
        found = replace(found, against="", machine=True)
    result, ago, days = slot("result"), slot("ago"), slot("days") if slot("days") is not None else slot("number")
    if result is not None:
        found = replace(found, outcome=OwnResult(int(result)))
    if slot("opening"):
        found = replace(found, opening=str(slot("opening")))
    month, year = int(slot("month") or 0), int(slot("year") or 0)
    if ago is not None or days is not None or month or year:
        found = replace(found, since=None, until=None, month=month, year=year)
    if ago is not None:
        day = today - timedelta(days=int(ago))
        found = replace(found, since=day, until=day)
    elif days is not None:
        found = replace(found, since=today - timedelta(days=int(days)))
    return found


def why_none(games: Sequence[KnownGame], query: GameQuery) -> GameQuery | None:
    """The first part of the query that no game matches; None if each is matched by some game, but not all by one."""
    return next((part for part in query.parts if not any(map(part.fits, games))), None)


def was_there(score: Score, epd: str) -> bool:
    """Whether the position with this EPD occurred in the game, start and end included."""
    return any(board.epd() == epd for board in _positions(score))


def _positions(score: Score) -> Iterator[chess.Board]:
    board = score.start()
    yield board
    for entry in score.entries:
        board.push(entry.move)
        yield board


# --- names ---


def known_name(name: str) -> str:
    """A name from a PGN tag; "" for PGN's placeholders of an unknown player."""
    return "" if name.strip() in ("", UNKNOWN_TAG, "-") else name.strip()


_DIAERESIS = "\N{COMBINING DIAERESIS}"
"""Transcribed as an e after its letter."""


def plain(text: str) -> str:
    """Lower case without accents, for comparing names: "Kádas" equals "kadas", "Grünfeld" equals "Gruenfeld"."""
    apart = unicodedata.normalize("NFKD", text.casefold()).replace(_DIAERESIS, "e")
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def begin_so(asked: str, name: str) -> bool:
    """Whether each word of `asked` is a prefix of a word of `name`: "anna", "a" and "meier an" of "Anna Meier"."""
    words = _words(name)
    return all(any(word.startswith(one) for word in words) for one in _words(asked))


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() else " " for sign in plain(text)).split()


def family(opening: Name) -> Name:
    """The opening's name without the variation: "Sicilian Defense"."""
    return Name({code: name.partition(", ")[0] for code, name in opening.by_language.items()})


def _is_opening(asked: str, game: KnownGame) -> bool:
    if game.opening is None:
        return bool(game.eco) and begin_so(asked, game.eco)
    whole = game.opening if not _names_family(asked) else family(game.opening)
    return any(begin_so(asked, name) for name in (*whole.by_language.values(), game.eco))


@lru_cache(maxsize=64)
def _names_family(asked: str) -> bool:
    """Whether the words name an opening's family; then they do not stand for a variation of another opening."""
    families = (name for one in table() for name in family(one.spoken).by_language.values())
    return any(begin_so(asked, name) for name in families)


# --- lists to choose from ---


def opponents(games: Sequence[KnownGame]) -> list[tuple[str, int]]:
    """The named human opponents with their numbers of games, most frequent first."""
    named = (game.opponent for game in games if game.colour is not None and not game.machine and game.opponent)
    return Counter(named).most_common()


def openings(games: Sequence[KnownGame]) -> list[tuple[Name, int]]:
    """The openings played, without variations, with their numbers of games, most frequent first."""
    named = [family(game.opening) for game in games if game.opening is not None]
    by_name = {name.by_language["en"]: name for name in named}
    counted = Counter(name.by_language["en"] for name in named)
    return [(by_name[name], count) for name, count in counted.most_common()]


def months(games: Sequence[KnownGame]) -> list[tuple[tuple[int, int], int]]:
    """The months (year, 1 to 12) with their numbers of games, latest first."""
    counted = Counter(month for game in games if (month := game.month) is not None)
    return sorted(counted.items(), reverse=True)
