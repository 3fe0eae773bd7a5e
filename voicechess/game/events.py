"""What happens to a game. Every event carries its time; the session asks no clock.

Times are integer milliseconds since the game began, from a clock that never goes back.
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
    """The game begins: players are told the first things and the clock starts.

    `introduced`: they have just agreed on its terms by word of mouth and need not hear them again. `three_words`: they
    have to be told the words that always work; those who were introduced have been. `voice_db`: how loud they were when
    they were understood lately, as in `Heard`.
    """

    introduced: bool = False
    three_words: bool = True
    voice_db: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """The game goes on after the program had ended; the time between is charged to no side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Event):
    """Somebody spoke or typed. Times are those of the words, not of our computing: a move's time is `ended_ms` (Laws,
    Appendix D: a clock stops with the announcement)."""

    readings: tuple[Reading, ...]
    """What it may mean, lowest cost first, never empty."""
    words: str
    """The best hypothesis, as it can be read back."""
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
    """Said before the next announcement could be heard, by somebody who went on speaking."""
    fits_badly: bool = False
    """The words fit the sound so badly that the room is hardly quiet, whatever its SNR."""
    partly: bool = False
    """The words would mean something but for a sound beside them that is no word."""
    perhaps: tuple[Reading, ...] = ()
    """Where the words mean nothing: the commands and choices they point to, likeliest first, as they are usually said.
    One of cost 0 has all the words, in another order: before a game it is taken, in one it is asked about."""
    torn: bool = False
    """The microphone lost sound in it or shortly before, so that a word may be missing."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", known_words(self.words))

    @property
    def in_noise(self) -> bool:
        """Whether the room was loud, or others spoke, as far as can be told."""
        return is_noisy(self.snr_db) or self.fits_badly

    @property
    def whole(self) -> str:
        """The words, to tell what was heard instead of an answer. That "hell" was heard, and is no answer to "hell oder
        dunkel?", helps nobody: it was not all that was heard."""
        return "" if self.partly else self.words

    def softer_db(self, voice_db: int | None) -> int | None:
        """How many decibels softer than `voice_db` its loudest word was; None where either was not measured."""
        return None if voice_db is None or self.voice_db is None else voice_db - self.voice_db


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Event):
    """Time has passed. How often this comes changes no result, but a move that has been repeated is made with it.
    `speaking`: somebody speaks at this moment, or has spoken and what was said has not been looked at."""

    speaking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentMoved(Event):
    """The engine's move in UCI, or its resignation (`uci` None), perhaps a draw offer. `ended_ms`: when it decided.

    `request`, here and in its other answers: the number of what it was asked; 0 in journals from before there were any.
    `game`: that of the request, where several are played at once; 0 in each game itself.
    """

    uci: str | None
    offers_draw: bool = False
    claims_draw: bool = False
    ended_ms: int | None = None
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentAnswered(Event):
    """The engine's answer to a draw offer."""

    accepts: bool
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimJudged(Event):
    """The engine has played a claimed position out, or looked at what was played. `scores`: the advantage of the
    claimant's opponent in centipawns at each ply, None for a mate in sight; `scores` itself None: nobody could tell."""

    scores: tuple[int | None, ...] | None = None
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HintFound(Event):
    """The engine's best move for the player to move, in UCI; None: there is no engine, or it found none."""

    uci: str | None = None
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed(Event):
    """A move was announced for the envelope. Only the seal comes here; the move and its words do not.

    `ended_ms`: the end of the words. `resumes`: when play is to go on, as in `adjournment.Envelope`. `clear`: whether
    the announcement means exactly one legal move.
    """

    sealed: str
    ended_ms: int
    resumes: str = ""
    clear: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvelopeOpened(Event):
    """What lay in the envelope (`key`), in hexadecimal digits, "" when there is none, or it was not asked for, or it
    is before the agreed time. `late_ms`: how late the resumption is, `early_ms`: how much too early."""

    key: str = ""
    late_ms: int = 0
    early_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentFailed(Event):
    """The engine is silent, gone or talks nonsense. `reason`: a key below [sentences.opponent]; `final`: the last.

    `request` 0: there is none to be asked.
    """

    reason: str
    final: bool = False
    request: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken(Event):
    """Utterance `number` has been said, or was cut short (`completed` False). `listening`: nothing else is to be said,
    and a microphone listens from now on; False in journals from before it was told."""

    number: int
    completed: bool = True
    listening: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLost(Event):
    """The microphone or loudspeaker does not answer. `device`: "microphone" or "loudspeaker".

    `was_there`: it did answer before, in this program.
    """

    device: str
    was_there: bool = True

    @property
    def key(self) -> str:
        """The sentence that says so."""
        return f"device.{self.device}_lost" if self.was_there else self.missing(self.device)

    @staticmethod
    def missing(device: str) -> str:
        """The sentence that says of a device that it has not answered yet."""
        return f"device.{device}_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFound(Event):
    """It answers now, again or for the first time."""

    device: str

    @property
    def key(self) -> str:
        """The sentence that says so."""
        return f"device.{self.device}_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspended(Event):
    """The machine slept for `gap_ms` before this event; nobody's clock runs for that."""

    gap_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Event):
    """So the game stood after the event before: its moves in UCI, and both sides' time as of `at_ms`.

    Nothing that happens, but what the journal keeps of it, so that a later version of the program, which would make
    something else of the same words, comes to the same game (`standing`).
    """

    moves: tuple[str, ...]
    white: SideTime
    black: SideTime


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCame(Event):
    """It is this day, an ISO date, where the player lives. Told when a correspondence game is opened."""

    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterCame(Event):
    """A line of the other side's was typed or pasted, as it stands."""

    letter: Letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble(Event):
    """Something else failed and must be said: `key` names the sentence (a full disk, a lost voice)."""

    key: str
    detail: str = ""


# --- A game on a server ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState(Event):
    """So the game stands at the server, which is always right.

    `moves`: all of them in UCI, as the server has them (castling may come as king takes rook). Clocks in milliseconds
    as of `at_ms`, None when untimed. `status`: Lichess' name of it (created, started, mate, resign, stalemate, timeout,
    draw, outoftime, aborted, noStart, cheat, unknownFinish, variantEnd, insufficientMaterialClaim). `winner`: the
    colour, None while there is none. `…_draws`, `…_takes_back`: that side proposes it. `expires_ms`: the first move
    is due in so many milliseconds. `first`: the first line of a stream that was just opened.
    """

    moves: tuple[str, ...] = ()
    white_ms: int | None = None
    black_ms: int | None = None
    white_increment_ms: int = 0
    black_increment_ms: int = 0
    status: str = "started"
    winner: bool | None = None
    white_draws: bool = False
    black_draws: bool = False
    white_takes_back: bool = False
    black_takes_back: bool = False
    expires_ms: int | None = None
    first: bool = False
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPresence(Event):
    """The opponent is `gone` or back. `claim_ms`: in so many milliseconds the game can be claimed, None if never.

    That somebody is back may never be told; a move of theirs says it too.
    """

    gone: bool
    claim_ms: int | None = None
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChat(Event):
    """`name` has written `text`: strangers' letters, as they came."""

    name: str
    text: str
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLink(Event):
    """The connection to the server is `up` again or lost. `reason`: a key below [sentences.server.link], "" when up."""

    up: bool
    reason: str = ""
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRefused(Event):
    """The server does not do what was asked by `request`. `reason`: a key below [sentences.server.refused].

    "lost": nobody knows whether it was received, and the next ServerState tells.
    """

    request: int
    reason: str
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRated(Event):
    """What the game has changed in the player's rating, None where it cannot be told."""

    change: int | None
    game: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerProfile(Event):
    """Who the opponent is, as far as the server tells: texts are as they came.

    `title`: as the server abbreviates it ("GM", "WIM"), "" for none. `country`: ISO 3166 code or another name of a
    flag, "" where it is not told. `games`: so many have been played against each other, None where it is not told;
    `half_points`: what the player here and the opponent have made in them, in half points.
    """

    title: str = ""
    country: str = ""
    games: int | None = None
    half_points: tuple[int, int] = (0, 0)
    game: int = 0


ServerEvent = ServerState | ServerPresence | ServerChat | ServerLink | ServerRefused | ServerRated | ServerProfile
"""What a server tells of a game. `game`: the number of its board, where several are played at once; 0 in each game."""
