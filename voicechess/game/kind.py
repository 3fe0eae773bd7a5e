"""What differs between kinds of game: at the board, against an engine, on a server, by correspondence.

A game asks its kind and never which kind it is. The defaults here are those of two people at one board; each kind
overrides what differs. Kinds that need more than a board and an engine are defined above this room
(`online.on_server`, `correspondence.by_post`) and passed to the session.
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
    """Columns of the table of `commands`; every game is in one of them. A finished game counts as a casual one at the
    board, except by correspondence, where lines can still be written and received."""

    CASUAL = "casual"  # two people at one board
    CASUAL_ENGINE = "casual_engine"
    TOURNAMENT = "tournament"  # two people at one board; the arbiter can be called
    TOURNAMENT_ENGINE = "tournament_engine"  # without an arbiter
    SERVER = "server"
    SERVER_OVER = "server_over"  # as CASUAL_ENGINE, but the opponent may still be connected
    POST = "post"


class HasTurn(Protocol):
    """The part of the table that this file needs."""

    @property
    def turn(self) -> chess.Color:
        """Whose move it is."""


T = TypeVar("T", bound=HasTurn)

Own = Mapping[str, tuple[Callable[..., None], Callable[..., None] | None]]
"""Command -> its function, and that of a confirmed one (None if it needs no confirmation)."""


class Kind(ABC, Generic[T]):
    """One kind of game. `T` is the table it is played at."""

    own: ClassVar[Own] = {}
    """Commands that only this kind has. Their rows are in `commands`, like all others."""

    # --- who speaks for whom -----------------------------------------------------------------------------------

    opponent: chess.Color | None
    """The side whose moves come from an engine or a server; None where both sides' moves are announced here."""

    @property
    def announces_both(self) -> bool:
        """Whether both sides' moves are announced here: by two people, or read from letters."""
        return self.opponent is None

    @property
    def both_here(self) -> bool:
        """Whether two people share the microphone, each speaking for themselves."""
        return self.is_here(chess.WHITE) and self.is_here(chess.BLACK)

    @abstractmethod
    def is_here(self, colour: chess.Color) -> bool:
        """Whether this side's player is here, hears what is said and answers it."""

    @property
    def side_here(self) -> chess.Color:
        """The side of the player here, from which the board is shown; White if both are here."""
        return chess.WHITE if self.is_here(chess.WHITE) else chess.BLACK

    @abstractmethod
    def speaker(self, turn: chess.Color) -> chess.Color:
        """The side whose words are heard while `turn` is to move."""

    def speaks_for(self, colour: chess.Color) -> bool:
        """Whether commands here can be given for this side ("Schwarz gibt auf")."""
        return colour != self.opponent

    def names_side(self, colour: chess.Color) -> bool:
        """Whether a confirmation names this side."""
        return self.announces_both

    def offerer(self, turn: chess.Color) -> chess.Color | None:
        """The side named when a draw offer is announced to its recipient; None: neither."""
        return not turn

    def agreeing(self, by: chess.Color, offer: DrawOffer) -> chess.Color:
        """The side that agrees to a draw when `by` said so."""
        return by

    # --- commands and sentences ------------------------------------------------------------------------

    @abstractmethod
    def games(self, casual: bool, over: bool) -> Games:
        """Its column in the table of commands."""

    over_first: bool = False
    """Whether a finished game is refused for being over, before any other reason."""

    others_words: str = "command.machines"
    """Key: nobody here speaks for that side."""

    @property
    def answers_over(self) -> frozenset[str]:
        """Commands that mean something else once the game is over, so that they are not refused for that."""
        return frozenset()

    leaving: str = ""
    """Key: confirmation of leaving the game; "": the usual one."""

    flag_told: str = "claim.flag"
    """Key: answer to a claim on time."""

    corrected_late: str = "correct.too_late"
    """Key: the move is final unless a takeback is requested, in a casual game."""

    tournament: str = "start.tournament_people"
    """Key: how commands work in a tournament; "": part of the greeting."""

    def nothing_to_take_back(self, made: bool) -> str:
        """Key: why no move can be taken back. `made`: some were made."""
        return "take_back.nothing"

    def help_key(self, phase: Phase) -> str:
        """Key: what the game is waiting for."""
        return f"help.{phase.value}"

    @property
    def waits_for(self) -> str:
        """Key: what it is waiting for, if that does not follow from the phase; "" otherwise."""
        return ""

    def tags(self, settings: GameSettings) -> tuple[tuple[str, str], ...]:
        """Additional PGN tags of its score."""
        return ()

    # --- overrides: True if this kind has handled it -----------------------------------------------------

    def take_back(self, table: T, command: Command) -> bool:
        """ "Zug zurück" """
        return False

    def accept(self, table: T, command: Command) -> bool:
        """ "Angenommen", when no draw is on offer to the speaker."""
        return False

    def decline(self, table: T) -> bool:
        """ "Abgelehnt" """
        return False

    def claim(self, table: T, command: Command) -> bool:
        """A draw claim."""
        return False

    def claim_time(self, table: T, command: Command) -> bool:
        """ "Zeit abgelaufen" """
        return False

    def agree(self, table: T) -> bool:
        """Agreement to a draw."""
        return False

    def resign(self, table: T) -> bool:
        """A confirmed resignation."""
        return False

    def offer(self, table: T, by: chess.Color) -> bool:
        """A confirmed draw offer."""
        return False

    def drop_unsent(self, table: T) -> bool:
        """ "Korrektur" of a move that was made but not sent."""
        return False

    def tell_time(self, table: T) -> bool:
        """ "Wie viel Zeit" """
        return False

    def unsent(self, table: T) -> int | None:
        """Number of plies that "Zug zurück" undoes, if that depends on what was sent; None if not."""
        return None

    def proposes(self, table: T) -> bool:
        """Whether the opponent elsewhere waits for an answer."""
        return False

    # --- making moves ---------------------------------------------------------------------------

    @property
    def sends_at_once(self) -> bool:
        """Whether a move is made while it is still being repeated."""
        return False

    against_engine: bool = False
    """Whether an engine provides the opponent's moves, and may judge claims and draws."""

    decided_here: bool = True
    """Whether laws, clock and result are determined here; otherwise only a server affects the clock or ends the
    game."""

    runs_clock: bool = True
    """Whether a clock runs, here or elsewhere; otherwise days are counted."""

    def repeating(self) -> None:
        """A move was announced and is about to be repeated."""

    def send(self, table: T, at_ms: int) -> bool:
        """Send the repeated move for confirmation by a server; False if this kind of game has none."""
        return False

    def dates(self, mover: chess.Color, arrived: date | None) -> tuple[Replied | None, date | None]:
        """Dates of a move by `mover` now, and when the other side receives it. `arrived`: when the previous move
        arrived."""
        return None, None

    # --- start, resumption, events ----------------------------------------------------------------------------------

    def agreed(self, settings: GameSettings) -> GameSettings:
        """The terms of a game as stored by this kind."""
        return settings

    @abstractmethod
    def greeting(self, table: T, introduced: bool) -> tuple[Phrase, ...]:
        """The greeting after the unusual terms; never empty. `introduced`: the terms are known."""

    def begun(self, table: T) -> None:
        """The game has begun; its greeting is queued."""

    def come_back(self, table: T) -> bool:
        """The game is resumed after a restart. True if this kind has announced that."""
        return False

    def report(self, table: T) -> tuple[Phrase, ...]:
        """State of a resumed game after its last move; (): the side to move."""
        return ()

    def put_back(self) -> None:
        """The moves were set to those of the journal."""

    def slept(self, table: T, at_ms: int, gap_ms: int) -> bool:
        """The computer slept for `gap_ms`. True if this kind has handled it."""
        return False

    def take(self, table: T, event: Event) -> bool:
        """An event that this kind handles, or that does not concern it. True if nothing else is to be done."""
        return False

    def follow(self, table: T) -> None:
        """After every event: consequences of a move made in it."""

    def pass_time(self, table: T) -> None:
        """After every event: consequences of time alone."""

    @property
    def awaits_news(self) -> bool:
        """Whether the game's state has not been received yet."""
        return False

    def repeats_when_told(self, news: ServerState, plies: int) -> bool:
        """Whether a move is repeated aloud on this news from a server. `plies`: number made here."""
        return False

    def reminders(self, table: T) -> tuple[Phrase, ...]:
        """Reminders of the time limit on the current date."""
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
    """One person against an engine, which plays the side `opponent`."""

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
    """The side whose moves are not announced here; None if both are."""
    players = {chess.WHITE: settings.white, chess.BLACK: settings.black}
    return next((colour for colour in chess.COLORS if players[colour] is not Player.VOICE), None)


def kind_here(settings: GameSettings) -> Kind[T]:
    """The kind of a game with just a board, and perhaps an engine."""
    assert Player.SERVER not in (settings.white, settings.black), "a game on a server is handed its kind"
    assert settings.correspondence is None, "a game by letter is handed its kind"
    opponent = opponent_in(settings)
    return AtBoard() if opponent is None else AgainstEngine(opponent)
