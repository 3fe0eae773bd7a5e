"""Puzzles from a server: a theme is chosen, puzzles are fetched, and then used like those of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from voicechess.game import events as ev
from voicechess.game.effects import Announcer, Listen
from voicechess.messages import Listing, Phrase
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FetchPuzzles, PuzzlesFetched, RequestFailed
from voicechess.practice.exercises.over_network import Effects, NetworkStep, OverNetwork

THEMES = ("daily", "mix", "mateIn1", "mateIn2", "mateIn3", "fork", "pin", "sacrifice", "endgame")
"""Themes offered by number, as Lichess' keys; "daily" is the puzzle of the day."""


class FetchedPuzzles(OverNetwork):
    """Puzzles of a theme. `begin` makes the exercise from lines in Lichess' format, None if they have no valid puzzle.
    `theme`: Lichess' key; "" asks for it."""

    KEY: ClassVar[str] = "online"

    def __init__(self, begin: Callable[[tuple[str, ...]], Drill | None], speaker: Announcer, theme: str = "") -> None:
        super().__init__(speaker)
        self._drill_of, self._theme = begin, theme

    @property
    def _choices(self) -> int:
        return len(THEMES)

    def _begin(self, at_ms: int) -> Effects:
        return self._fetch_theme(self._theme, at_ms) if self._theme else self._ask(Phrase("practice.online.explain"))

    def _ask(self, *first: Phrase) -> Effects:
        self.step = NetworkStep.CHOOSING
        numbered = tuple(
            Phrase("practice.numbered", {"number": number, "exercise": Phrase(f"practice.online.theme.{theme}")})
            for number, theme in enumerate(THEMES, 1)
        )
        asked = Phrase("practice.online.which", {"themes": Listing(numbered, "")})
        return (*self._speaker.say(*first, asked), Listen(self.expectation))

    def _take(self, number: int, at_ms: int) -> Effects:
        return self._fetch_theme(THEMES[number - 1], at_ms)

    def _fetch_theme(self, theme: str, at_ms: int) -> Effects:
        said = self._fetch(at_ms)
        return (*said, FetchPuzzles(theme, self._number), Listen(self.expectation))

    def _came(self, event: ev.Event) -> Effects | None:
        match event:
            case PuzzlesFetched(number=self._number, lines=lines):
                begun = self._drill_of(lines)
                return (
                    self._ended(Phrase("practice.online.none"))
                    if begun is None
                    else self._give_floor(begun, event.at_ms)
                )
            case RequestFailed(number=self._number, reason=reason):
                return self._ended(reason)
        return None
