"""The kind of a correspondence game: days instead of a clock, lines instead of an opponent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

import chess

from voicechess.correspondence import days, lines
from voicechess.correspondence.post import Post, Posted
from voicechess.game import events as ev
from voicechess.game import questions
from voicechess.game.agreement import GameSettings
from voicechess.game.kind import Games, Own
from voicechess.game.state import Table
from voicechess.laws.draws import DrawOffer
from voicechess.laws.reflection import Replied
from voicechess.meaning import Command
from voicechess.messages import Phrase, Side


@dataclass
class ByPost(Posted):
    """One person here, who announces both sides' moves: their own, and those received."""

    opponent = None

    own: ClassVar[Own] = {
        "line": (lines.line, None),
        "line_numeric": (lines.line, None),
        "line_german": (lines.line, None),
        "line_san": (lines.line, None),
        "suppose": (lines.suppose, lines.supposed),
        "leave": (days.leave, days.leave_taken),
        "claim_flag": (days.claim_time, days.time_claimed),
    }
    runs_clock = False

    def is_here(self, colour: chess.Color) -> bool:
        return colour == self.post.own

    def speaker(self, turn: chess.Color) -> chess.Color:
        return self.post.own

    def names_side(self, colour: chess.Color) -> bool:
        return colour != self.post.own

    def agreeing(self, by: chess.Color, offer: DrawOffer) -> chess.Color:
        """Perhaps the other side, to one's own offer."""
        return by if offer.can_answer(by) else not by

    def games(self, casual: bool, over: bool) -> Games:
        return Games.POST

    def nothing_to_take_back(self, made: bool) -> str:
        return "post.out" if made else super().nothing_to_take_back(made)

    def accept(self, table: Table, command: Command) -> bool:
        """The other side accepts, in a letter that is read out."""
        other = not self.post.own
        if not table.offer.can_answer(other):
            return False
        questions.confirm(table, command, {"side": Side(other)}, "confirm.draw_accept_side")
        return True

    def claim_time(self, table: Table, command: Command) -> bool:
        days.claim_time(table, command)
        return True

    def tell_time(self, table: Table) -> bool:
        return days.tell_time(table)

    def unsent(self, table: Table) -> int | None:
        return lines.unsent(table)

    def dates(self, mover: chess.Color, arrived: date | None) -> tuple[Replied | None, date | None]:
        return self.post.stamp(mover, arrived)

    def greeting(self, table: Table, introduced: bool) -> tuple[Phrase, ...]:
        return lines.greeting(table, introduced)

    def report(self, table: Table) -> tuple[Phrase, ...]:
        return lines.report(table)

    def take(self, table: Table, event: ev.Event) -> bool:
        match event:
            case ev.DayCame(day=day):
                days.day_came(table, day)
            case ev.LetterCame(letter=letter):
                lines.letter_came(table, letter)
            case _:
                return False
        return True

    def follow(self, table: Table) -> None:
        lines.follow(table)

    def reminders(self, table: Table) -> tuple[Phrase, ...]:
        return days.reminders(table)


def by_post(settings: GameSettings) -> ByPost:
    """The kind of a game with these terms, which name its correspondence."""
    terms = settings.correspondence
    assert terms is not None, "it is a correspondence game"
    return ByPost(Post(terms, key=terms.key))
