"""What a player may ask for at a server, how the conversation there ended, and descriptions of its games, players and
names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import chess

from voicechess.messages import Duration, Listing, Phrase, Slot, Text
from voicechess.online.challenges import player
from voicechess.online.lobby import OnlineGame, OnlinePlayer, OnlineTerms, OnlineTime, Speed

_UNITS_S = (86_400, 3_600, 60)


class OnlineOutcome(Enum):
    """How a conversation with a server ended."""

    GAME = "game"
    BACK = "back"
    END = "end"


class Mode(Enum):
    """Kinds of opponents."""

    SEEK = "seek"
    CHALLENGE = "challenge"
    COMPUTER = "computer"


@dataclass(frozen=True, slots=True)
class OnlineWish:
    """What the player wants, given beforehand or during the conversation. None: not yet known."""

    mode: Mode | None = None
    name: str = ""
    level: int | None = None
    time: OnlineTime | None = None
    rated: bool | None = None
    colour: chess.Color | None = None
    lot: bool = False  # the colour is drawn
    variant: str = "standard"
    simul: bool = False  # the games in progress, as boards of a display
    ratings: tuple[int, int] | None = None  # of an opponent who is looked for

    @property
    def terms(self) -> OnlineTerms:
        """The terms for the request."""
        ratings = self.ratings if self.mode is Mode.SEEK else None
        return OnlineTerms(self.time or OnlineTime(), bool(self.rated), self.variant, self.colour, ratings=ratings)


REFUSED = frozenset(
    {"network", "token", "scope", "busy", "unknown_player", "gone", "server", "other", "too_fast", "untimed"}
)
"""Keys below [sentences.lobby.refused]."""

GONE = frozenset(
    {"cancelled", "expired", "generic", "later", "toofast", "tooslow", "timecontrol", "rated", "casual"}
    | {"standard", "variant", "nobot", "onlybot"}
)
"""Keys below [sentences.lobby.gone]."""


def how_many_wait(games: Sequence[OnlineGame]) -> Phrase:
    """Number of games in which the opponent waits for the player."""
    count = sum(game.my_turn for game in games)
    if count < 2:
        return Phrase("lobby.waiting.one" if count else "lobby.waiting.none")
    return Phrase("lobby.waiting.many", {"count": count})


def standing(game: OnlineGame) -> Phrase:
    """A game in progress as a list item: the opponent, and the side to move."""
    slots: dict[str, Slot] = {"player": player(game.opponent)}
    if not game.my_turn:
        return Phrase("lobby.standing.theirs", slots)
    if game.seconds_left is None or game.speed is Speed.UNLIMITED:
        return Phrase("lobby.standing.yours", slots)
    unit = next((unit for unit in _UNITS_S if game.seconds_left >= unit), 1)
    left = Duration(1_000 * (game.seconds_left - game.seconds_left % unit))  # rounded for a list
    return Phrase("lobby.standing.yours_left", {**slots, "left": left})


def friend_told(friend: OnlinePlayer) -> Slot:
    """A friend as a list item: name and presence."""
    return Phrase("lobby.friend_here", {"name": player(friend)}) if friend.online else player(friend)


def letters_of(name: str) -> Listing:
    """A name, letter by letter."""
    signs = {"_": Phrase("lobby.letter.underscore"), "-": Phrase("lobby.letter.hyphen")}
    return Listing(tuple(signs.get(letter) or Text(letter.upper()) for letter in name), "")


def swapped(terms: OnlineTerms) -> OnlineTerms:
    """The terms of a rematch, with colours swapped."""
    return replace(terms, colour=None if terms.colour is None else not terms.colour, fen="")


def once_more(game: OnlineGame) -> OnlineWish:
    """The same terms against the same opponent, with colours swapped."""
    computer = game.opponent.level
    return OnlineWish(
        Mode.CHALLENGE if computer is None else Mode.COMPUTER,
        game.opponent.name,
        computer,
        game.terms.time,
        game.terms.rated,
        None if game.terms.colour is None else not game.terms.colour,
        lot=game.terms.colour is None,
        variant=game.terms.variant if game.terms.variant != "fromPosition" else "standard",
    )
