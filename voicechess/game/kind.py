"""What differs between kinds of game: at the board, against an engine, on a server, by correspondence.

A game asks its kind and never which kind it is. What is asked here is answered for a game at one board by two people;
each kind says where it is otherwise. Kinds that need more than a board and an engine stand above this room
(`online.on_server`, `correspondence.by_post`) and are handed to the session.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import ClassVar, Generic, Protocol, TypeVar

import chess

from voicechess.game.agreement import GameSettings, Player
from voicechess.game.events import Event, ServerState
from voicechess.game.phases import Phase
from voicechess.laws.draws import DrawOffer
from voicechess.laws.reflection import Replied
from voicechess.meaning import Command
from voicechess.messages import Phrase, Side


class Games(Enum):
    """The kinds of games that the rows of `commands` tell apart; every game is of one of them. One that is over is as
    good as a casual one at the board, unless it was by post: its lines can still be written and taken."""

    CASUAL = "casual"  # two people at one board
    CASUAL_ENGINE = "casual_engine"
    TOURNAMENT = "tournament"  # two people at one board; the arbiter can be called
    TOURNAMENT_ENGINE = "tournament_engine"  # there is no arbiter to be called
    SERVER = "server"
    SERVER_OVER = "server_over"  # as CASUAL_ENGINE, and the opponent may still be there
    POST = "post"


class HasTurn(Protocol):
    """What this file knows of the table, which knows its kind."""

    @property
    def turn(self) -> chess.Color:
        """Whose move it is."""


T = TypeVar("T", bound=HasTurn)

Own = Mapping[str, tuple[Callable[..., None], Callable[..., None] | None]]
"""Command -> what it does with the table and the command; what a yes does, None if it does not ask back."""


class Kind(ABC, Generic[T]):
    """One kind of game. `T` is the table it is played at."""

    own: ClassVar[Own] = {}
    """Commands that only this kind has. Their rows stand in `commands` as all others do."""

    # --- whose words count for whom -----------------------------------------------------------------------------------

    opponent: chess.Color | None
    """The side whose moves come from an engine or a server; None where both sides' moves are announced here."""

    @property
    def announces_both(self) -> bool:
        """Whether the moves of both sides are announced here: by two people, or read out from letters."""
        return self.opponent is None

    @property
    def both_here(self) -> bool:
        """Whether two people at one microphone speak for themselves."""
        return self.is_here(chess.WHITE) and self.is_here(chess.BLACK)

    @abstractmethod
    def is_here(self, colour: chess.Color) -> bool:
        """Whether the player of this side sits here, hears what is said and answers it."""

    @property
    def side_here(self) -> chess.Color:
        """The side of the player here, from which the board is seen; White's where both are."""
        return chess.WHITE if self.is_here(chess.WHITE) else chess.BLACK

    @abstractmethod
    def speaker(self, turn: chess.Color) -> chess.Color:
        """Whose words are heard while `turn` is to move."""

    def speaks_for(self, colour: chess.Color) -> bool:
        """Whether what is said here can be said for this side ("Schwarz gibt auf")."""
        return colour != self.opponent

    def names_side(self, colour: chess.Color) -> bool:
        """Whether a question about what this side does says which side it is."""
        return self.announces_both

    def offerer(self, turn: chess.Color) -> chess.Color | None:
        """The side that is named when a draw offer is told to who can answer it; None: none is."""
        return not turn

    def agreeing(self, by: chess.Color, offer: DrawOffer) -> chess.Color:
        """Who agrees to a draw when `by` was said to."""
        return by

    # --- what it is for commands and sentences ------------------------------------------------------------------------

    @abstractmethod
    def games(self, casual: bool, over: bool) -> Games:
        """Its column in the table of commands."""

    over_first: bool = False
    """Whether a game that is over refuses with that rather than with what a machine cannot do."""

    others_words: str = "command.machines"
    """Says that nobody here speaks for that side."""

    leaving: str = ""
    """Asks whether the game is to be left; "": as other commands ask."""

    flag_told: str = "claim.flag"
    """Answers a claim on time."""

    corrected_late: str = "correct.too_late"
    """Says that a move stands before its takeback is asked for, in a casual game."""

    tournament: str = "start.tournament_people"
    """Says how commands go in a tournament; "": it is said with the greeting."""

    def nothing_to_take_back(self, made: bool) -> str:
        """Says why no move can be taken back. `made`: some have been made."""
        return "take_back.nothing"

    def help_key(self, phase: Phase) -> str:
        """Says what the game waits for."""
        return f"help.{phase.value}"

    @property
    def waits_for(self) -> str:
        """Says what it waits for, where that is not the phase's; "" if it is."""
        return ""

    def tags(self, settings: GameSettings) -> tuple[tuple[str, str], ...]:
        """More PGN tags of its score."""
        return ()

    # --- what is done otherwise: True where this kind has done it -----------------------------------------------------

    def take_back(self, table: T, command: Command) -> bool:
        """ "Zug zurück" """
        return False

    def accept(self, table: T, command: Command) -> bool:
        """ "Angenommen", which is not about a draw that stands for who has said it."""
        return False

    def decline(self, table: T) -> bool:
        """ "Abgelehnt" """
        return False

    def claim(self, table: T, command: Command) -> bool:
        """A draw is claimed."""
        return False

    def claim_time(self, table: T, command: Command) -> bool:
        """ "Zeit abgelaufen" """
        return False

    def agree(self, table: T) -> bool:
        """A yes to a draw."""
        return False

    def resign(self, table: T) -> bool:
        """A yes to giving up."""
        return False

    def offer(self, table: T, by: chess.Color) -> bool:
        """A yes to offering a draw."""
        return False

    def drop_unsent(self, table: T) -> bool:
        """ "Korrektur" of a move that has been made and not been sent."""
        return False

    def tell_time(self, table: T) -> bool:
        """ "Wie viel Zeit" """
        return False

    def unsent(self, table: T) -> int | None:
        """How many plies "Zug zurück" undoes where that depends on what was sent; None: it does not."""
        return None

    def proposes(self, table: T) -> bool:
        """Whether somebody elsewhere waits for an answer."""
        return False

    # --- what a move needs before it counts ---------------------------------------------------------------------------

    @property
    def sends_at_once(self) -> bool:
        """Whether a move is made while it is still being repeated."""
        return False

    against_engine: bool = False
    """Whether an engine is asked for the opponent's moves, and may be about claims and draws."""

    decided_here: bool = True
    """Whether laws, clock and result are this program's; else nothing but a server's word moves the clock or ends the
    game."""

    runs_clock: bool = True
    """Whether a clock runs, here or elsewhere; else days are counted."""

    def repeating(self) -> None:
        """A move was announced and is about to be repeated."""

    def send(self, table: T, at_ms: int) -> bool:
        """The move that was repeated goes to somebody who decides whether it stands. Whether it does."""
        return False

    def dates(self, mover: chess.Color, arrived: date | None) -> tuple[Replied | None, date | None]:
        """The days of a move that `mover` makes now, and when the other side has it. `arrived`: when the move before
        did."""
        return None, None

    # --- beginning, resuming, events ----------------------------------------------------------------------------------

    def agreed(self, settings: GameSettings) -> GameSettings:
        """The terms of a game as this kind keeps them."""
        return settings

    @abstractmethod
    def greeting(self, table: T, introduced: bool) -> tuple[Phrase, ...]:
        """The first sentences, after those that tell what is not as usual; never none. `introduced`: the terms were
        told before."""

    def begun(self, table: T) -> None:
        """The game has begun and its greeting is being said."""

    def come_back(self, table: T) -> bool:
        """The program was away, and the game goes on. Whether this has told it."""
        return False

    def report(self, table: T) -> tuple[Phrase, ...]:
        """Where a resumed game stands, after its last move; (): whose turn it is."""
        return ()

    def put_back(self) -> None:
        """The moves have been set to what the journal says."""

    def slept(self, table: T, at_ms: int, gap_ms: int) -> bool:
        """The machine slept for `gap_ms`. Whether this has dealt with it."""
        return False

    def take(self, table: T, event: Event) -> bool:
        """Something happened that this kind answers, or that cannot concern it. Whether there is nothing else to do."""
        return False

    def follow(self, table: T) -> None:
        """After every event: what follows from a move that was made in it."""

    def pass_time(self, table: T) -> None:
        """After every event: what time alone brings."""

    @property
    def awaits_news(self) -> bool:
        """Whether it has not been told yet how the game stands."""
        return False

    def repeats_when_told(self, news: ServerState, plies: int) -> bool:
        """Whether a move is repeated aloud when a server tells this. `plies`: so many have been made here."""
        return False

    def reminders(self, table: T) -> tuple[Phrase, ...]:
        """What a player has to be told of the time on the day that it is."""
        return ()


@dataclass
class AtBoard(Kind[T]):
    """Two people at one board."""

    opponent = None

    def is_here(self, colour: chess.Color) -> bool:
        return True

    def speaker(self, turn: chess.Color) -> chess.Color:
        return turn

    def games(self, casual: bool, over: bool) -> Games:
        return Games.CASUAL if over or casual else Games.TOURNAMENT

    def greeting(self, table: T, introduced: bool) -> tuple[Phrase, ...]:
        return (Phrase("start.two_players", {"side": Side(table.turn)}),)


@dataclass
class AgainstEngine(Kind[T]):
    """One person, and an engine that has the side `opponent`."""

    opponent: chess.Color

    against_engine = True
    tournament = "start.tournament"

    def is_here(self, colour: chess.Color) -> bool:
        return colour != self.opponent

    def speaker(self, turn: chess.Color) -> chess.Color:
        return not self.opponent

    def offerer(self, turn: chess.Color) -> chess.Color | None:
        return None

    def games(self, casual: bool, over: bool) -> Games:
        return Games.CASUAL_ENGINE if over or casual else Games.TOURNAMENT_ENGINE

    def greeting(self, table: T, introduced: bool) -> tuple[Phrase, ...]:
        begins = "start.machine_begins" if table.turn == self.opponent else "start.you_begin"
        return (Phrase(begins, {"side": Side(not self.opponent)}),)


def opponent_in(settings: GameSettings) -> chess.Color | None:
    """The side that is not announced here; None where both are."""
    players = {chess.WHITE: settings.white, chess.BLACK: settings.black}
    return next((colour for colour in chess.COLORS if players[colour] is not Player.VOICE), None)


def kind_here(settings: GameSettings) -> Kind[T]:
    """The kind of a game that needs nothing but a board, and perhaps an engine."""
    assert Player.SERVER not in (settings.white, settings.black), "a game on a server is handed its kind"
    assert settings.correspondence is None, "a game by letter is handed its kind"
    opponent = opponent_in(settings)
    return AtBoard() if opponent is None else AgainstEngine(opponent)
