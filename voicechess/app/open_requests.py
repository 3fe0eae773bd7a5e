"""Pending requests to opponents.

A file of its own although short: only its number tells a late answer from one still wanted.
"""

from __future__ import annotations

from itertools import count


class OpenRequests:
    """Numbers of pending requests, never reused, and the game each belongs to."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._games: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._games)

    def next_number(self) -> int:
        """A new number."""
        return next(self._numbers)

    def add(self, number: int, game: int) -> None:
        """Note that this game waits for the answer with this number."""
        self._games[number] = game

    def wants(self, number: int) -> bool:
        """Whether the answer with this number is still wanted; 0: unsolicited, so always."""
        return number == 0 or number in self._games

    def answered(self, number: int) -> None:
        """Note that the answer has arrived."""
        self._games.pop(number, None)

    def drop(self, game: int) -> None:
        """Cancel this game's requests."""
        self._games = {number: asking for number, asking in self._games.items() if asking != game}

    def clear(self) -> None:
        """Cancel all requests: the floor has changed."""
        self._games.clear()
