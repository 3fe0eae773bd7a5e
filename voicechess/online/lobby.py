"""Events and requests at a server outside a game: seeks, challenges, games in progress.

`opponents` posts the events and performs the requests, `online.online` holds the conversation; neither knows the other.
A request has a number and is answered by one event with the same number: `LobbyDone`, `ChallengeSent`, `GamesListed`,
`FriendsListed` or `LobbyRefused`. Everything else is unsolicited.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import chess

from voicechess.game.effects import LobbyRequest
from voicechess.game.events import Event
from voicechess.laws.time_controls import UNTIMED, Bonus, Period, TimeControl

PLAYABLE = frozenset({"standard", "chess960", "fromPosition"})
"""Variants that this program plays, by Lichess' names."""

DAYS = (1, 2, 3, 5, 7, 10, 14)
"""Days per move possible at Lichess."""

COMPUTER_LEVELS = range(1, 9)

KNOCKS = "lobby.knocks"
"""Key of the sentence that a challenge waits."""


class Speed(Enum):
    """Lichess' classes of time controls, by the estimated duration of forty moves. Seeks have to be RAPID or slower."""

    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"
    UNLIMITED = "unlimited"


_SPEEDS = ((180, Speed.BULLET), (480, Speed.BLITZ), (1_500, Speed.RAPID))
"""Upper limits of the classes, in seconds for forty moves."""


@dataclass(frozen=True, slots=True)
class OnlineTime:
    """`seconds` for the game and `increment` a move, or `days` a move; neither: there is no clock."""

    seconds: int | None = None
    increment: int = 0
    days: int | None = None

    @property
    def speed(self) -> Speed:
        """Its class."""
        if self.days is not None:
            return Speed.CORRESPONDENCE
        if self.seconds is None:
            return Speed.UNLIMITED
        forty_moves = self.seconds + 40 * self.increment
        return next((speed for below, speed in _SPEEDS if forty_moves < below), Speed.CLASSICAL)

    @property
    def control(self) -> TimeControl:
        """The time control; untimed also for days per move."""
        if self.seconds is None:
            return UNTIMED
        bonus = Bonus.FISCHER if self.increment else Bonus.NONE
        period = Period(1_000 * max(1, self.seconds), bonus=bonus, bonus_ms=1_000 * self.increment)
        return TimeControl((period,), (period,))


@dataclass(frozen=True, slots=True)
class OnlineTerms:
    """Terms of a game at a server."""

    time: OnlineTime = field(default_factory=OnlineTime)
    rated: bool = False
    variant: str = "standard"
    """Lichess' name ("standard", "chess960", "fromPosition"; others arrive, but are not PLAYABLE)."""
    colour: chess.Color | None = None  # of the player here; None: random
    fen: str = ""  # initial position; "": unknown, or that of the variant
    ratings: tuple[int, int] | None = None
    """Of a seek: lowest and highest rating of an opponent; None: any."""


@dataclass(frozen=True, slots=True)
class OnlinePlayer:
    """A player at the server; texts are verbatim and may contain anything."""

    name: str  # "": hidden
    title: str = ""
    rating: int | None = None  # None: unknown
    provisional: bool = False
    level: int | None = None  # of the server's computer, 1 to 8; None: a person
    online: bool | None = None  # None: unknown


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A game in progress at the server."""

    id: str
    opponent: OnlinePlayer
    terms: OnlineTerms  # `terms.colour` is never None
    fen: str = ""
    site: str = ""  # address of its page
    my_turn: bool = False
    moved: bool = False  # this player has made a move
    last_move: str = ""  # in UCI; "" before the first
    seconds_left: int | None = None  # this player's time for the next move; None: unknown
    speed: Speed | None = None  # all that is known of the time control until the game is entered; None: unknown


# --- What happens ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeArrived(Event):
    """An incoming challenge. Pending ones are sent again whenever the event stream is opened.

    `rematch_of`: id of the previous game, "" for none.
    """

    id: str
    challenger: OnlinePlayer
    terms: OnlineTerms
    rematch_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeGone(Event):
    """A challenge, one's own or another's, was closed without a game.

    `reason`: a key below [sentences.lobby.gone]: "cancelled", "expired", or why it was declined, in Lichess' terms
    ("generic", "later", "toofast", "tooslow", "timecontrol", "rated", "casual", "standard", "variant", "nobot",
    "onlybot").
    """

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened(Event):
    """A game is in progress. Running ones are sent again whenever the event stream is opened."""

    game: OnlineGame


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClosed(Event):
    """A game has ended."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyLink(Event):
    """The event stream is `up` or lost. `reason`: as in `LobbyRefused`, "" while up."""

    up: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekEnded(Event):
    """The server has closed a real-time seek: a game opens now, or it has expired. `request`: the seek's number."""

    request: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyDone(Event):
    """Request `request` was performed. A real-time seek is then open, one for days is stored at the server."""

    request: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeSent(Event):
    """The challenge was created with this id, which the game will share."""

    request: int
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesListed(Event):
    """The games in progress, most urgent first."""

    request: int
    games: tuple[OnlineGame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FriendsListed(Event):
    """The players whom the account follows, those online first."""

    request: int
    friends: tuple[OnlinePlayer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyRefused(Event):
    """Request `request` was not performed; `request` 0: none will be.

    `reason`: a key below [sentences.lobby.refused]: "network" (no answer), "token" (not or no longer valid), "scope"
    (it does not allow this), "busy" (too many requests: `wait_s` until the next), "unknown_player", "gone" (no such
    challenge or game any more), "server" (an answer that makes no sense), "too_fast", "untimed" (no such seeks);
    "other": `detail` has the server's words.
    """

    request: int
    reason: str
    detail: str = ""
    wait_s: int = 0


LobbyEvent = (
    ChallengeArrived
    | ChallengeGone
    | GameOpened
    | GameClosed
    | LobbyLink
    | SeekEnded
    | LobbyDone
    | ChallengeSent
    | GamesListed
    | FriendsListed
    | LobbyRefused
)


# --- What is asked ---


@dataclass(frozen=True, slots=True)
class Seek(LobbyRequest):
    """Seek an opponent. A real-time seek is open as long as its connection; a new one replaces it."""

    terms: OnlineTerms


@dataclass(frozen=True, slots=True)
class CancelSeek(LobbyRequest):
    """Close the real-time seek."""


@dataclass(frozen=True, slots=True)
class ChallengePlayer(LobbyRequest):
    """Challenge a player by name; the challenge stays open until answered or withdrawn. Also used for rematches, for
    which the Board API has nothing else."""

    name: str
    terms: OnlineTerms


@dataclass(frozen=True, slots=True)
class WithdrawChallenge(LobbyRequest):
    """Withdraw one's own challenge."""

    id: str


@dataclass(frozen=True, slots=True)
class ChallengeComputer(LobbyRequest):
    """Play the server's computer of this level, 1 to 8."""

    level: int
    terms: OnlineTerms


@dataclass(frozen=True, slots=True)
class AcceptChallenge(LobbyRequest):
    """Accept it; the game opens with the same id."""

    id: str


@dataclass(frozen=True, slots=True)
class DeclineChallenge(LobbyRequest):
    """Decline it. `why`: in Lichess' words, as in `ChallengeGone`."""

    id: str
    why: str = "generic"


@dataclass(frozen=True, slots=True)
class ListGames(LobbyRequest):
    """Request the games in progress."""


@dataclass(frozen=True, slots=True)
class ListFriends(LobbyRequest):
    """Request the players whom the account follows."""
