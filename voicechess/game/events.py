"""Events of a game. Every event carries its time; the session reads no clock.

Times are integer milliseconds since the game began, from a monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from voicechess.laws.clock import SideTime
from voicechess.meaning import Reading, is_noisy, known_words
from voicechess.score.letters import Letter


class Source(Enum):
    """Where words came from."""

    VOICE = "voice"
    KEYBOARD = "keyboard"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at `at_ms`."""

    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """The game begins: the greeting is said and the clock starts."""

    introduced: bool = False  # the players have just agreed on the terms orally and need not hear them again
    three_words: bool = True  # they have to be told the words that always work, unless introduced
    voice_db: int | None = None  # their level when they were last understood, as in `Heard`


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """The game is resumed after a restart; the time between is charged to neither side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Event):
    """Somebody spoke or typed. Times are those of the words, not of their recognition: a move's time is `ended_ms`
    (Laws, Appendix D: a clock stops with the announcement)."""

    readings: tuple[Reading, ...]
    """Its readings, lowest cost first, never empty."""
    words: str
    """The best hypothesis, for reading back."""
    began_ms: int
    ended_ms: int
    source: Source = Source.VOICE
    snr_db: int | None = None
    """Signal-to-noise ratio of the speech, decibels; None: not measured."""
    voice_db: int | None = None
    """Level of its loudest word, decibels below full scale; None: not measured."""
    cut_in: bool = False
    """A barge-in: said into an announcement, with headphones, or one of the few words that count without."""
    ahead: bool = False
    """Said before the next announcement was heard, by somebody who went on speaking."""
    fits_badly: bool = False
    """The fit is so bad that the room is hardly quiet, whatever the SNR."""
    partly: bool = False
    """The words would have a meaning without an adjacent sound that is no word."""
    perhaps: tuple[Reading, ...] = ()
    """For words without a meaning: the commands and choices they suggest, likeliest first, in their usual wording. One
    of cost 0 has all the words in another order: before a game it is accepted, during one it is asked about."""
    torn: bool = False
    """The microphone, or the program's own voice, swallowed sound in it or shortly before: a word may be missing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", known_words(self.words))

    @property
    def in_noise(self) -> bool:
        """Whether the room was loud or others spoke, as far as known."""
        return is_noisy(self.snr_db) or self.fits_badly

    @property
    def whole(self) -> str:
        """The words for reading back what was heard instead of an answer; empty if `partly`, since "hell" as no answer
        to "hell oder dunkel?" would confuse: there was more."""
        return "" if self.partly else self.words

    def softer_db(self, voice_db: int | None) -> int | None:
        """Decibels by which its loudest word was softer than `voice_db`; None if either is unknown."""
        return None if voice_db is None or self.voice_db is None else voice_db - self.voice_db


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Event):
    """Time has passed. Its frequency affects no result, except that a repeated move is made with it."""

    speaking: bool = False  # somebody is speaking, or has spoken and was not processed yet


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentMoved(Event):
    """The engine's move, or its resignation, perhaps with a draw offer."""

    uci: str | None  # None: it resigns
    offers_draw: bool = False
    claims_draw: bool = False
    ended_ms: int | None = None  # time of its decision
    request: int = 0  # number of the request, as in its other answers; 0 in older journals
    game: int = 0  # that of the request, if several are in progress; 0 within each game


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentAnswered(Event):
    """The engine's answer to a draw offer."""

    accepts: bool
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimJudged(Event):
    """The engine has judged a claim by playing on, or from the moves made."""

    scores: tuple[int | None, ...] | None = None
    """Evaluations for the claimant's opponent at each ply, in centipawns, None for a forced mate; None instead of all:
    no verdict."""
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HintFound(Event):
    """The engine's best move for the player to move, in UCI; None: no engine, or none found."""

    uci: str | None = None
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed(Event):
    """A move was announced for the envelope. Only the seal is in this event, not the move or its words."""

    sealed: str
    ended_ms: int  # end of the words
    resumes: str = ""  # when play resumes, as in `adjournment.Envelope`
    clear: bool = True  # whether the announcement means exactly one legal move


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvelopeOpened(Event):
    """The answer to `OpenEnvelope`."""

    key: str = ""  # in hexadecimal digits; "": there is none, it was not requested, or it is too early
    late_ms: int = 0  # delay of the resumption
    early_ms: int = 0  # time until the agreed resumption


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentFailed(Event):
    """The engine is silent, gone or sends invalid output."""

    reason: str  # a key below [sentences.opponent]
    final: bool = False  # no further attempt
    request: int = 0  # 0: there is no engine
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken(Event):
    """An utterance was said, or cut short."""

    number: int  # of the utterance
    completed: bool = True  # False: cut short
    listening: bool = False  # nothing else is queued and a microphone is active; False in older journals


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLost(Event):
    """The microphone or loudspeaker does not respond."""

    device: str  # "microphone" or "loudspeaker"
    was_there: bool = True  # it responded before, in this run of the program

    @property
    def key(self) -> str:
        """Key of its sentence."""
        return f"device.{self.device}_lost" if self.was_there else self.missing(self.device)

    @staticmethod
    def missing(device: str) -> str:
        """Key of the sentence that a device has not responded yet."""
        return f"device.{device}_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFound(Event):
    """A device responds, again or for the first time."""

    device: str

    @property
    def key(self) -> str:
        """Key of its sentence."""
        return f"device.{self.device}_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended(Event):
    """The computer slept before this event."""

    gap_ms: int  # for how long; charged to nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Event):
    """The state of the game after the previous event.

    Not something that happens, but stored in the journal so that a later version of the program, which would understand
    the same words differently, comes to the same game (`standing`).
    """

    moves: tuple[str, ...]  # in UCI
    white: SideTime  # White's time as of `at_ms`
    black: SideTime  # likewise Black's


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCame(Event):
    """The player's local date, sent when a correspondence game is opened."""

    day: str  # ISO 8601: "2026-11-29"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterCame(Event):
    """The other side's line was typed or pasted, verbatim."""

    letter: Letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble(Event):
    """Some other failure to announce: a full disk, a lost voice."""

    key: str  # of its sentence
    detail: str = ""  # the slot {detail} of the sentence


# --- A game on a server ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState(Event):
    """The state of the game at the server, which is always right."""

    moves: tuple[str, ...] = ()  # all of them in UCI, as the server has them (castling may be king takes rook)
    white_ms: int | None = None  # White's clock at `at_ms`; None: untimed
    black_ms: int | None = None  # likewise Black's
    white_increment_ms: int = 0
    black_increment_ms: int = 0
    status: str = "started"
    """Lichess' name (created, started, mate, resign, stalemate, timeout, draw, outoftime, aborted, noStart,
    cheat, unknownFinish, variantEnd, insufficientMaterialClaim)."""
    winner: bool | None = None  # the colour; None: none, or not yet
    white_draws: bool = False  # White offers a draw
    black_draws: bool = False  # likewise Black
    white_takes_back: bool = False  # White proposes a takeback
    black_takes_back: bool = False  # likewise Black
    expires_ms: int | None = None  # time until which the first move is due
    first: bool = False  # the first line of a newly opened stream
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPresence(Event):
    """The opponent has left or come back. A return may go unreported; the opponent's next move implies it."""

    gone: bool  # False: is back
    claim_ms: int | None = None  # time until the win can be claimed; None: never
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChat(Event):
    """A chat line of the opponent, verbatim."""

    name: str  # who wrote it
    text: str
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLink(Event):
    """The connection to the server was lost or is back."""

    up: bool
    reason: str = ""  # a key below [sentences.server.link]; "": up
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRefused(Event):
    """The server refuses a request."""

    request: int  # its number
    reason: str
    """A key below [sentences.server.refused]. "lost": it is unknown until the next ServerState whether the request was
    received."""
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRated(Event):
    """The rating has changed by the game."""

    change: int | None  # None: unknown
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerProfile(Event):
    """The opponent's profile; texts are verbatim."""

    title: str = ""  # the server's abbreviation ("GM", "WIM"), "" for none
    country: str = ""  # ISO 3166 code or another name of a flag, "" if unknown
    games: int | None = None  # number of games against each other, None if unknown
    half_points: tuple[int, int] = (0, 0)  # the player's and the opponent's score in them, in half points
    game: int = 0


ServerEvent = ServerState | ServerPresence | ServerChat | ServerLink | ServerRefused | ServerRated | ServerProfile
"""Events from a server. `game`: board number, if several are in progress; 0 within each game."""
