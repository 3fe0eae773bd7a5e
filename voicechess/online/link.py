"""What a game on a server knows of the server: what it told last, what was sent, what the other player proposes.

Only data, and the numbers of requests; what is done with it stands in `served`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace

import chess

from voicechess.game.effects import GiveTime, LookUpOpponent, SendChat, SendMove, SendWish, Wish
from voicechess.game.events import ServerProfile, ServerState
from voicechess.game.kind import Kind
from voicechess.game.state import Table
from voicechess.messages import SaidMove, one_line

_SAME = {"silent": "network", "lost": "network", "closed": "network"}
_LINK_REASONS = frozenset({"network", "token", "scope", "busy", "gone", "server"})
_REFUSALS = frozenset({"move", "wish", "lost", "token", "gone", "no_server", "server"})


def link_key(reason: str) -> str:
    """Why the connection is not there, as it is told: a key below [sentences.server.link]. What somebody at the board
    can do nothing about is one and the same."""
    reason = _SAME.get(reason, reason)
    return reason if reason in _LINK_REASONS else "server"


def refusal_key(reason: str) -> str:
    """Why a request is refused, as it is told: a key below [sentences.server.refused]."""
    return reason if reason in _REFUSALS else "server"


LONGEST_NAME = 30
LONGEST_LINE = 200
"""In characters: what others have written is no longer when it is said."""


def harmless(text: str, most: int) -> str:
    """What somebody elsewhere has written, as it can be shown and said: letters, digits and signs on one line, with at
    most one accent each and no pictures; nothing that a terminal obeys; at most `most` characters."""
    kept = ""
    for character in unicodedata.normalize("NFKC", one_line(text[: 4 * most])):
        kind = unicodedata.category(character)
        if (
            kind[0] in "LNP"
            or kind in ("Sm", "Sc")
            or (kind == "Mn" and kept and unicodedata.category(kept[-1]).startswith("L"))
        ):
            kept += character
        else:
            kept += " "
    return " ".join(kept.split())[:most].rstrip()


@dataclass(frozen=True, slots=True)
class Premove:
    """A move to be made as soon as the opponent has moved."""

    move: chess.Move
    said: SaidMove  # as it was read back
    number: int = 0  # of the utterance that read it back
    told_ms: int | None = None  # when that ended; None: not yet
    answers: chess.Move | None = None  # only in reply to this move; None: to any
    captures: bool = False  # it was announced as a capture, and is only made as one


@dataclass(slots=True)
class Gone:
    """The opponent has left the game."""

    claim_at_ms: int | None = None  # when the game can be claimed for it; None: the server has not said
    told: bool = False  # that it can be claimed has been told


@dataclass(slots=True)
class Link:
    """The server as this game knows it. `quick`, `chat`: as in the settings, until the player wants it otherwise."""

    quick: bool = False
    chat: bool = False
    state: ServerState | None = None
    up: bool = False  # the state of the game was received since connecting, so moves can be sent
    down: str = ""  # why the server is unreachable, as announced
    unreadable: bool = False  # it was announced that the server's moves are invalid
    outgoing: bool = False  # the last move on the board is not confirmed
    number: int | None = None  # of the request that sent it; None while it waits for the connection
    lost: bool = False  # it is unknown whether it arrived
    again: str = ""  # a move that was being repeated when the program ended or the computer fell asleep
    began: bool = False  # the state of the game was received at least once
    resumed: bool = False  # the program has come back, and it has not been told how the game stands
    offered: bool = False  # that the opponent offers a draw has been told
    takes_back: bool = False  # the opponent proposes a takeback, and it has not been answered
    gone: Gone | None = None  # None: the opponent is there
    first_told: bool = False  # when the first move is due
    clocked: int = 0  # so many moves were made when the server told the last one's clocks
    lines: list[int] = field(default_factory=list)  # when the last lines of the chat were read out
    wishes: dict[int, Wish] = field(default_factory=dict)
    asides: dict[int, SendChat | GiveTime | LookUpOpponent] = field(default_factory=dict)  # that may still be refused
    premoves: tuple[Premove, ...] = ()
    reply: chess.Move | None = None  # what the opponent has answered to the last position that was told
    premoving: bool = False  # a premove is being made: it was told back, and is sent at once
    profile: ServerProfile | None = None  # who the opponent is, where that was asked for
    _last: int = 0

    def move(self, uci: str, offers_draw: bool) -> SendMove:
        """The request that sends the last move on the board."""
        assert self.waits, "a move is sent once"
        self._last += 1
        self.number = self._last
        return SendMove(uci, offers_draw, self._last)

    def wish(self, wish: Wish) -> SendWish:
        """The request that tells the server what the player wants."""
        self._last += 1
        self.wishes[self._last] = wish
        return SendWish(wish, self._last)

    def aside(self, request: SendChat | GiveTime | LookUpOpponent) -> SendChat | GiveTime | LookUpOpponent:
        """The request with its number: what is asked besides the game."""
        self._last += 1
        self.asides[self._last] = replace(request, number=self._last)
        return self.asides[self._last]

    @property
    def waits(self) -> bool:
        """Whether the last move on the board waits for the connection, and can still be taken back."""
        return self.outgoing and self.number is None

    def settled(self) -> None:
        """No move is on its way."""
        self.outgoing, self.number, self.lost = False, None, False


@dataclass
class Linked(Kind[Table]):
    """What the parts of a game on a server share."""

    link: Link


def link_of(table: Table) -> Link:
    """The server of a game that is on one."""
    assert isinstance(table.kind, Linked), "the game is on a server"
    return table.kind.link
