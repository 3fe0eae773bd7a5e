"""A game's state of its server connection: what was received last, what was sent, what the opponent proposes.

Data only, and the numbers of requests; its logic is in `served`.
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
    """Key of the reason for a lost connection, below [sentences.server.link]. Reasons that the player cannot act on
    share one."""
    reason = _SAME.get(reason, reason)
    return reason if reason in _LINK_REASONS else "server"


def refusal_key(reason: str) -> str:
    """Key of the reason for a refusal, below [sentences.server.refused]."""
    return reason if reason in _REFUSALS else "server"


LONGEST_NAME = 30
LONGEST_LINE = 200
"""Most characters of foreign text that is spoken."""


def harmless(text: str, most: int) -> str:
    """Foreign text made safe for display and speech: letters, digits and punctuation on one line, at most one combining
    accent each, no emoji or control characters; at most `most` characters."""
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

    claim_at_ms: int | None = None  # when the win can be claimed; None: unknown
    told: bool = False  # that was announced


@dataclass(slots=True)
class Link:
    """State of the server connection. `quick`, `chat`: as in the settings, until the player changes them."""

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
    resumed: bool = False  # resumed after a restart, without the state so far
    offered: bool = False  # the opponent's draw offer was announced
    takes_back: bool = False  # the opponent's takeback proposal is unanswered
    gone: Gone | None = None  # None: the opponent is present
    first_told: bool = False  # the deadline of the first move was announced
    clocked: int = 0  # number of moves at the last clock update
    lines: list[int] = field(default_factory=list)  # times of the last chat lines read out
    wishes: dict[int, Wish] = field(default_factory=dict)
    asides: dict[int, SendChat | GiveTime | LookUpOpponent] = field(default_factory=dict)  # may be refused
    premoves: tuple[Premove, ...] = ()
    reply: chess.Move | None = None  # the opponent's reply to the last position announced
    premoving: bool = False  # a premove is being made, which was read back and is sent at once
    profile: ServerProfile | None = None  # the opponent's profile, if requested
    _last: int = 0

    def move(self, uci: str, offers_draw: bool) -> SendMove:
        """The request that sends the last move on the board."""
        assert self.waits, "a move is sent once"
        self._last += 1
        self.number = self._last
        return SendMove(uci, offers_draw, self._last)

    def wish(self, wish: Wish) -> SendWish:
        """The request that sends this wish."""
        self._last += 1
        self.wishes[self._last] = wish
        return SendWish(wish, self._last)

    def aside(self, request: SendChat | GiveTime | LookUpOpponent) -> SendChat | GiveTime | LookUpOpponent:
        """Number a request that does not affect the game."""
        self._last += 1
        self.asides[self._last] = replace(request, number=self._last)
        return self.asides[self._last]

    @property
    def waits(self) -> bool:
        """Whether the last move waits for the connection, and can still be taken back."""
        return self.outgoing and self.number is None

    def settled(self) -> None:
        """No move is in transit any more."""
        self.outgoing, self.number, self.lost = False, None, False


@dataclass
class Linked(Kind[Table]):
    """What the parts of a game on a server share."""

    link: Link


def link_of(table: Table) -> Link:
    """The server of a game that is on one."""
    assert isinstance(table.kind, Linked), "the game is on a server"
    return table.kind.link
