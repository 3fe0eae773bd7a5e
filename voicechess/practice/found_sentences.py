"""Sentences about the result of a search for games, for conversation and command line alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from voicechess.messages import CalendarDay, Listing, Phrase, Slot, Text
from voicechess.score.known_games import GameQuery, KnownGame, begin_so, family, why_none

MOST_LETTERS = 3
"""Largest number of letters of a name that is told as a prefix ("begins with"), since it was spelled."""


def game_told(game: KnownGame, number: int, today: date) -> Phrase:
    """A game in one short sentence, with its number in the list, from 1."""
    parts: list[Slot] = []
    year = game.played.split(".")[0].strip("?")
    if game.day is not None:
        parts.append(Phrase("practice.find.played", {"day": _day(game.day, today)}))
    elif year:
        parts.append(Text(year))
    if game.machine:
        parts.append(Phrase("practice.find.against_machine"))
    elif game.opponent:
        key = "against" if game.colour is not None else "between"
        parts.append(Phrase(f"practice.find.{key}", {"name": Text(game.opponent)}))
    if game.outcome is not None:
        parts.append(Phrase(f"practice.find.{game.outcome.name.lower()}"))
    elif game.result in ("1-0", "0-1"):
        parts.append(Phrase(f"practice.find.{'white_won' if game.result == '1-0' else 'black_won'}"))
    if game.opening is not None:
        parts.append(family(game.opening))
    return Phrase("practice.find.line", {"number": number, "parts": Listing(tuple(parts), "")})


def found_told(
    count: int, query: GameQuery, games: Sequence[KnownGame], today: date, opening: Slot | None = None
) -> Phrase:
    """The number of games found, at least one, with the query in words; `opening`: see `asked_told`."""
    if query == GameQuery():
        return Phrase("practice.find.all", {"count": count}) if count > 1 else Phrase("practice.find.all_one")
    what = asked_told(query, games, today, opening)
    if count == 1:
        return Phrase("practice.find.found_one", {"what": what})
    return Phrase("practice.find.found", {"count": count, "what": what})


def asked_told(query: GameQuery, games: Sequence[KnownGame], today: date, opening: Slot | None = None) -> Slot:
    """The query in words: "gegen Anna, verloren". `opening`: the opening's full name, None: use the words said."""
    told: list[Phrase] = []
    if query.machine:
        told.append(_what("machine"))
    if query.against:
        name = _as_written(query.against, games)
        told.append(_what("begins" if len(name) <= MOST_LETTERS else "against", name=Text(name)))
    if query.outcome is not None:
        told.append(_what(query.outcome.name.lower()))
    if query.opening:
        told.append(_what("opening", name=Text(query.opening.title()) if opening is None else opening))
    if query.month:
        month = month_told(query.year, query.month)
        told.append(_what("month", month=month))
    elif query.year:
        told.append(_what("year", year=Text(str(query.year))))
    if query.since is not None and query.since == query.until:
        told.append(_what("on", day=_day(query.since, today)))
    else:
        if query.since is not None:
            told.append(_what("since", day=_day(query.since, today)))
        if query.until is not None:
            told.append(_what("until", day=_day(query.until, today)))
    if query.position:
        told.append(_what("position"))
    return Listing(tuple(told), "")


def none_told(
    games: Sequence[KnownGame],
    holding: Sequence[KnownGame],
    query: GameQuery,
    today: date,
    opening: Slot | None = None,
) -> Phrase:
    """Why no game matches: the part of the query that matches none, or that no game matches all parts. `holding`: the
    games in which its position occurred."""
    alone = why_none(games, query)
    if alone is None and not holding:
        return Phrase("practice.find.none_there")
    if alone is None:
        return Phrase("practice.find.none_together", {"what": asked_told(query, games, today, opening)})
    if alone.outcome is not None and all(game.colour is None for game in games):
        return Phrase("practice.find.who_are_you")
    return Phrase("practice.find.none", {"what": asked_told(alone, games, today, opening)})


def month_told(year: int, month: int) -> Phrase:
    """A month, 1 to 12, with its year; year 0: any."""
    slots: Mapping[str, Slot] = {"month": Phrase(f"practice.find.month.{month}")}
    if not year:
        return Phrase("practice.find.some_month", slots)
    return Phrase("practice.find.month_of", {**slots, "year": Text(str(year))})


def _what(key: str, **slots: Slot) -> Phrase:
    return Phrase(f"practice.find.what.{key}", slots)


def _day(day: date, today: date) -> Phrase:
    said = CalendarDay(day.month, day.day)
    if day.year == today.year:
        return Phrase("practice.find.day", {"day": said})
    return Phrase("practice.find.day_of", {"day": said, "year": Text(str(day.year))})


def _as_written(asked: str, games: Sequence[KnownGame]) -> str:
    """The full name of the only opponent that matches; otherwise the words asked for, in title case."""
    names = {game.opponent for game in games if game.colour is not None and begin_so(asked, game.opponent)}
    return names.pop() if len(names) == 1 else asked.title()
