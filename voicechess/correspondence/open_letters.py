"""Unfinished correspondence games, for the conversation before a game."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from voicechess.messages import Listing, Phrase, Side, Slot, Text


@dataclass(frozen=True, slots=True)
class OpenCorrespondence:
    """A correspondence game in progress."""

    id: int  # its id in the journal
    opponent: str
    colour: chess.Color
    number: int  # number of the next move
    yours: bool  # the player here is to move
    reminders: tuple[Phrase, ...] = ()  # reminders of the time

    @property
    def waits(self) -> bool:
        """Whether the player has something to do about it."""
        return self.yours or bool(self.reminders)

    def told(self, place: int) -> Phrase:
        """The game in a list."""
        slots: dict[str, Slot] = {"place": place, "side": Side(self.colour), "number": self.number}
        if self.opponent:
            slots["name"] = Text(self.opponent)
        key = "welcome.letter.named" if self.opponent else "welcome.letter.game"
        return Phrase("welcome.letter.with", {"game": Phrase(key, slots), "rest": self._rest})

    @property
    def _rest(self) -> Phrase:
        turn = Phrase("welcome.letter.yours" if self.yours else "welcome.letter.theirs")
        if not self.reminders:
            return turn
        return Phrase("welcome.letter.reminded", {"turn": turn, "reminders": Listing(self.reminders, "row")})
