"""Which of many games are meant: by the opponent, the result, the day, the opening or a position.

A `KnownGame` is what can be told of a game without its moves; a `GameQuery` is what is asked, and says of each part by
itself whether a game fits it, so that "none" can be told with its reason.
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
    """How a game ended for the player; the numbers are those of the slot {result} in the language files."""

    LOST = 0
    DRAWN = 1
    WON = 2


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A finished game, as far as it can be told and searched without its moves."""

    source: str  # path of a PGN file; "": the journal
    number: int  # in it, from 1
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
        """The other's name; where nobody knows which side the player had, both; "": unknown."""
        if self.colour is None:
            return " – ".join(filter(None, (self.white, self.black)))
        return self.black if self.colour else self.white

    @property
    def outcome(self) -> OwnResult | None:
        """None where nobody knows which side the player had."""
        if self.result == "1/2-1/2":
            return OwnResult.DRAWN
        if self.colour is None or self.result not in ("1-0", "0-1"):
            return None
        return OwnResult.WON if (self.result == "1-0") is self.colour else OwnResult.LOST

    @property
    def day(self) -> date | None:
        """None where it is not known to the day."""
        try:
            return date.fromisoformat(self.played.replace(".", "-"))
        except ValueError:
            return None

    @property
    def month(self) -> tuple[int, int] | None:
        """The year and the month from 1; None where they are not known."""
        parts = self.played.split(".")
        if len(parts) < 2 or not (parts[0].isdecimal() and parts[1].isdecimal()) or not 1 <= int(parts[1]) <= 12:
            return None
        return int(parts[0]), int(parts[1])


@dataclass(frozen=True, slots=True)
class GameQuery:
    """What is asked; every part that is not empty must fit."""

    against: str = ""  # words with which the opponent's names begin: "anna", "a"
    machine: bool = False  # against the machine
    outcome: OwnResult | None = None
    since: date | None = None  # the first day
    until: date | None = None  # the last day
    month: int = 0  # 1 to 12, of any year; 0: any
    year: int = 0  # 0: any
    opening: str = ""  # words with which those of its names begin, in any language, or its ECO code
    position: str = ""  # EPD of a position that was on the board

    @property
    def parts(self) -> tuple[GameQuery, ...]:
        """Each of its parts alone, but for the position, in the order in which a reason is looked for."""
        whole = GameQuery()
        groups = (("machine",), ("against",), ("opening",), ("outcome",), ("since", "until", "month", "year"))
        found = (replace(whole, **{name: getattr(self, name) for name in names}) for names in groups)
        return tuple(part for part in found if part != whole)

    def fits(self, game: KnownGame) -> bool:
        """Whether a game does, its position left aside."""
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
    """The query with what was said besides; see [typed.search] in the language files for its slots. What has to be
    looked up in the open position ("mit dieser Stellung") is left to the caller."""
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
    """The part of the query that no game fits by itself; None where each fits one and together they do not."""
    return next((part for part in query.parts if not any(map(part.fits, games))), None)


def was_there(score: Score, epd: str) -> bool:
    """Whether the game came to this position, at its start and end as well."""
    return any(board.epd() == epd for board in _positions(score))


def _positions(score: Score) -> Iterator[chess.Board]:
    board = score.start()
    yield board
    for entry in score.entries:
        board.push(entry.move)
        yield board


# --- names ---


def known_name(name: str) -> str:
    """As it is shown: "" where PGN has a sign for nobody."""
    return "" if name.strip() in ("", UNKNOWN_TAG, "-") else name.strip()


_DIAERESIS = "\N{COMBINING DIAERESIS}"
"""Written as an e behind its letter where there is none."""


def plain(text: str) -> str:
    """In small letters without accents, as names are compared: "Kádas" and "kadas", "Grünfeld" and "Gruenfeld"."""
    apart = unicodedata.normalize("NFKD", text.casefold()).replace(_DIAERESIS, "e")
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def begin_so(asked: str, name: str) -> bool:
    """Whether each word that was asked for begins a word of the name: "anna", "a" and "meier an" of "Anna Meier"."""
    words = _words(name)
    return all(any(word.startswith(one) for word in words) for one in _words(asked))


def _words(text: str) -> list[str]:
    return "".join(sign if sign.isalnum() else " " for sign in plain(text)).split()


def family(opening: Name) -> Name:
    """What its variations have in common: "Sicilian Defense"."""
    return Name({code: name.partition(", ")[0] for code, name in opening.by_language.items()})


def _is_opening(asked: str, game: KnownGame) -> bool:
    if game.opening is None:
        return bool(game.eco) and begin_so(asked, game.eco)
    whole = game.opening if not _names_family(asked) else family(game.opening)
    return any(begin_so(asked, name) for name in (*whole.by_language.values(), game.eco))


@lru_cache(maxsize=64)
def _names_family(asked: str) -> bool:
    """Whether the words name a family of openings: then no variation of another one is meant by them."""
    families = (name for one in table() for name in family(one.spoken).by_language.values())
    return any(begin_so(asked, name) for name in families)


# --- what there is, to be chosen from ---


def opponents(games: Sequence[KnownGame]) -> list[tuple[str, int]]:
    """Who was played against and how often, most often first; without the machine and those nobody knows."""
    named = (game.opponent for game in games if game.colour is not None and not game.machine and game.opponent)
    return Counter(named).most_common()


def openings(games: Sequence[KnownGame]) -> list[tuple[Name, int]]:
    """Which openings were played and how often, most often first."""
    named = [family(game.opening) for game in games if game.opening is not None]
    by_name = {name.by_language["en"]: name for name in named}
    counted = Counter(name.by_language["en"] for name in named)
    return [(by_name[name], count) for name, count in counted.most_common()]


def months(games: Sequence[KnownGame]) -> list[tuple[tuple[int, int], int]]:
    """The months (year and number from 1) in which games were played and how many, latest first."""
    counted = Counter(month for game in games if (month := game.month) is not None)
    return sorted(counted.items(), reverse=True)
