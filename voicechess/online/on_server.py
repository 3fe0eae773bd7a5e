"""The kind of a game on a server, which owns clock, laws and result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import chess

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Preset
from voicechess.game.effects import NewGame
from voicechess.game.kind import Games, Own, opponent_in
from voicechess.game.phases import Phase
from voicechess.game.state import Table
from voicechess.meaning import Command
from voicechess.messages import Phrase, Side, Text
from voicechess.online import courtesies, premoves, served, wishes
from voicechess.online.link import LONGEST_NAME, Link, Linked, harmless
from voicechess.online.lobby import KNOCKS

_HERE = (
    ev.OpponentMoved,
    ev.OpponentAnswered,
    ev.OpponentFailed,
    ev.ClaimJudged,
    ev.HintFound,
    ev.Sealed,
    ev.EnvelopeOpened,
)
"""Events of games played locally only."""

_ANSWERS = frozenset({"draw_accept", "draw_decline"})
"""Commands that mean that challenge after the game."""


@dataclass
class OnServer(Linked):
    """One person here against somebody elsewhere, who has the side `opponent`."""

    opponent: chess.Color
    knocked: bool = False  # it was told that a challenge waits

    own: ClassVar[Own] = {
        "abort": (wishes.abort, wishes.aborted),
        "berserk": (wishes.berserk, wishes.went_berserk),
        "claim_victory": (wishes.claim_absent, None),
        "quick_on": (wishes.quick, None),
        "quick_off": (wishes.quick, None),
        "chat_on": (wishes.chat, None),
        "chat_off": (wishes.chat, None),
        "premove": (premoves.premove, None),
        "no_premove": (premoves.no_premove, None),
        "suppose": (premoves.suppose, premoves.supposed),
        "opponent": (courtesies.opponent, None),
        "give_time": (courtesies.give_time, None),
        **dict.fromkeys((*courtesies.LINES, "say_text"), (courtesies.write, None)),
    }
    over_first = True
    others_words = "command.others"
    leaving = "confirm.leave_online"
    flag_told = "server.flag"
    corrected_late = "server.correct_late"
    tournament = ""
    decided_here = False

    def is_here(self, colour: chess.Color) -> bool:
        return colour != self.opponent

    def speaker(self, turn: chess.Color) -> chess.Color:
        return not self.opponent

    def offerer(self, turn: chess.Color) -> chess.Color | None:
        return self.opponent  # either side may offer at any time

    def games(self, casual: bool, over: bool) -> Games:
        return Games.SERVER_OVER if over else Games.SERVER

    def help_key(self, phase: Phase) -> str:
        if phase is not Phase.THINKING:
            return super().help_key(phase)
        return self.waits_for or "help.thinking_online"

    @property
    def waits_for(self) -> str:
        return "help.kept" if self.link.waits else ""

    def tags(self, settings: GameSettings) -> tuple[tuple[str, str], ...]:
        """As Lichess writes them."""
        ratings = (("WhiteElo", settings.white_rating), ("BlackElo", settings.black_rating))
        return (
            ("Event", "Rated game" if settings.rated else "Casual game"),
            ("Site", settings.site or "?"),
            *((name, str(rating)) for name, rating in ratings if rating is not None),
        )

    # --- what is only asked for, and answered by the server's next state ----------------------------------------------

    def take_back(self, table: Table, command: Command) -> bool:
        wishes.take_back(table, command)
        return True

    @property
    def answers_over(self) -> frozenset[str]:
        return _ANSWERS if self.knocked else frozenset()

    def accept(self, table: Table, command: Command) -> bool:
        if self._to_the_door(table):
            return True
        if not self.link.takes_back:
            return False
        wishes.accept_takeback(table)
        return True

    def decline(self, table: Table) -> bool:
        if self._to_the_door(table):
            return True
        if table.offer.can_answer(table.speaker):
            wishes.draw_declined(table)
        elif self.link.takes_back:
            wishes.decline_takeback(table)
        else:
            return False
        return True

    def _to_the_door(self, table: Table) -> bool:
        """Lead to the challenge that waits; there its player and terms are told and asked about."""
        if not self.knocked or table.base_phase is not Phase.OVER:
            return False
        table.do(NewGame())
        return True

    def claim(self, table: Table, command: Command) -> bool:
        wishes.claim(table, command)
        return True

    def agree(self, table: Table) -> bool:
        wishes.draw_agreed(table)
        return True

    def resign(self, table: Table) -> bool:
        wishes.resigned(table)
        return True

    def offer(self, table: Table, by: chess.Color) -> bool:
        """The offer of the side to move is sent with its move."""
        if by != table.turn:
            wishes.offered(table)
        return by != table.turn

    def drop_unsent(self, table: Table) -> bool:
        return premoves.dropped(table) or wishes.drop_unsent(table)

    def proposes(self, table: Table) -> bool:
        return self.link.takes_back or table.offer.can_answer(table.speaker)

    # --- what a move needs --------------------------------------------------------------------------------------------

    @property
    def sends_at_once(self) -> bool:
        return self.link.quick or self.link.premoving

    def repeating(self) -> None:
        self.link.again = ""

    def send(self, table: Table, at_ms: int) -> bool:
        served.send(table, at_ms)
        return True

    # --- beginning, resuming, events ----------------------------------------------------------------------------------

    def agreed(self, settings: GameSettings) -> GameSettings:
        """The server decides what is illegal, late or lost."""
        return replace(settings, touch_move=False, penalties=False, default_minutes=None)

    def greeting(self, table: Table, introduced: bool) -> tuple[Phrase, ...]:
        """The players; the side to move follows with the first state."""
        settings = table.settings
        name = harmless(settings.white_name if self.opponent else settings.black_name, LONGEST_NAME)
        known = Text(name) if name else Phrase("server.somebody")
        against = Phrase("server.against", {"name": known, "side": Side(not self.opponent)})
        tournament = [Phrase("server.tournament")] if settings.preset is Preset.TOURNAMENT else []
        return (*tournament, against, *([Phrase("server.rated")] if settings.rated else []))

    def begun(self, table: Table) -> None:
        served.begin(table)

    def come_back(self, table: Table) -> bool:
        served.come_back(table)
        return True

    def put_back(self) -> None:
        self.link.settled()

    def slept(self, table: Table, at_ms: int, gap_ms: int) -> bool:
        served.slept(table, at_ms, gap_ms)
        return True

    def take(self, table: Table, event: ev.Event) -> bool:
        if isinstance(event, ev.ServerEvent):
            served.told(table, event)
            return True
        if isinstance(event, ev.Trouble) and event.key == KNOCKS:
            self.knocked = True  # told as any other
        if isinstance(event, ev.Spoken) and event.completed:
            premoves.told(table, self.link, event.number)
        return isinstance(event, _HERE)

    def pass_time(self, table: Table) -> None:
        served.pass_time(table)

    @property
    def awaits_news(self) -> bool:
        return self.link.state is None

    def repeats_when_told(self, news: ev.ServerState, plies: int) -> bool:
        """A move that was never sent, or did not arrive."""
        return bool(self.link.again) or (self.link.lost and len(news.moves) < plies)


def on_server(settings: GameSettings) -> OnServer:
    """The kind of a game with these terms, nothing known of its server yet."""
    opponent = opponent_in(settings)
    assert opponent is not None, "somebody plays elsewhere"
    return OnServer(Link(quick=settings.personal.quick, chat=settings.personal.chat), opponent)
