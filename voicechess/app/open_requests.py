"""Requests to opponents that have not been answered yet.

By itself although it is short: a late answer is told from one that is still wanted by its number alone.
"""

from __future__ import annotations

from itertools import count


class OpenRequests:
    """Their numbers, never the same twice, and the game that each belongs to."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._games: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._games)

    def next_number(self) -> int:
        """A number that no request had before."""
        return next(self._numbers)

    def add(self, number: int, game: int) -> None:
        """This game waits for an answer with this number."""
        self._games[number] = game

    def wants(self, number: int) -> bool:
        """Whether an answer with this number is still wanted; 0: nobody asked for it, so nobody can have changed their
        mind."""
        return number == 0 or number in self._games

    def answered(self, number: int) -> None:
        """The answer has come."""
        self._games.pop(number, None)

    def drop(self, game: int) -> None:
        """What this game has asked is not wanted any more."""
        self._games = {number: asking for number, asking in self._games.items() if asking != game}

    def clear(self) -> None:
        """Nothing is wanted any more: the floor has changed."""
        self._games.clear()
