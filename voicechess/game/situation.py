"""What lies on the table beside board and clock: moves made, who is missing, what binds a player, what was heard and
told so far. Only data; `state` has the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

import chess

from voicechess.game.effects import Announcer, Effect, KeepPrivate
from voicechess.game.events import OpponentMoved
from voicechess.game.leafing import Leafing
from voicechess.game.phases import Phase
from voicechess.laws.clock import Clock
from voicechess.laws.reflection import Replied
from voicechess.meaning import Castling, Command, Expectation, Reading
from voicechess.messages import Phrase, Utterance
from voicechess.score.score import Note


@dataclass(frozen=True, slots=True)
class Ply:
    """One move made, with the clock after it (and before it, for taking back) and when its words ended."""

    move: chess.Move
    clock: Clock
    clock_before: Clock
    ended_ms: int
    draw_offered: bool = False
    notes: tuple[Note, ...] = ()
    answered: Replied | None = None  # its days, in a correspondence game; and when the other side has it
    arrived: date | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """The sides that are missing. `loses_at_ms`: when their default time is over (None: not known, or never).

    `turn_ms`: what the move of the side to move had taken when the clock of the missing side was started instead.
    `over`: the default time is over, and it is looked at whether the sealed move had ended the game.
    """

    colours: tuple[chess.Color, ...]
    loses_at_ms: int | None = None
    turn_ms: int = 0
    over: bool = False


@dataclass(frozen=True, slots=True)
class Announced:
    """What was announced, as it would be read back: the words, the pieces it names, the castling it wants."""

    words: str
    pieces: tuple[chess.Square, ...] = ()
    castling: Castling | None = None
    illegal: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """What binds the player to move since the last move: pieces touched in their order, an illegal castling announced.

    `adjusts`: "j'adoube" was said. `announced`: what may still have to be answered for. `claim`: a draw claim that the
    next announced move is to make good. `repeats`: the engine's last announcement is to be repeated before all else.
    """

    touched: tuple[chess.Square, ...] = ()
    castling: Castling | None = None
    adjusts: bool = False
    announced: Announced | None = None
    claim: Command | None = None
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Unsure:
    """How what was heard of a move could be taken, and not surely enough to make it; cheapest first.

    `plies`: how many had been made. `ended_ms`: when the words ended. `mistaken`: moves that were heard and not meant.
    `unheard`: nothing was understood.
    """

    plies: int
    ended_ms: int
    readings: tuple[Reading, ...] = ()
    mistaken: frozenset[chess.Move] = frozenset()
    unheard: bool = False


@dataclass(frozen=True, slots=True)
class Denial:
    """A "no" to what was proposed or asked back.

    `commands`: those whose words name it once more. `ended_ms`: when the "no" ended.
    """

    commands: frozenset[str]
    ended_ms: int


@dataclass
class Hint:
    """A hint for this position: the engine's move in UCI (None: it is looking), and how many steps of it were told."""

    fen: str
    uci: str | None = None
    told: int = 0


@dataclass
class HeardSoFar:
    """What was heard, and how well, of the move that is to come and of what stands beside it."""

    misses: int = 0  # how often in a row nothing was understood that was meant
    refused: tuple[int, Phrase] | None = None  # what was refused last, and after how many plies
    unsure: Unsure | None = None  # what was heard of the move that is to come
    denial: Denial | None = None  # the last "no" to a proposal or a "really?"
    corrected: chess.Move | None = None  # what was heard in place of the move that is to come
    in_noise: bool = False  # whether the room was loud when the last words were spoken
    quiet: bool = False  # whether nothing that is said is answered, until "weiter"
    rank_doubts: int = 0  # how often two ranks that sound alike had to be told apart
    words_ended_ms: int = 0  # when the words that are being answered had been said
    perhaps: tuple[Command, ...] = ()  # asked about after the game, where no question can be open


@dataclass
class ToldSoFar:
    """What was said to the players, by the numbers of utterances, and how far they have been told something."""

    said: tuple[Utterance, ...] = ()  # what "repeat" repeats
    spoken: int = 0  # the last utterance that has been said, or will not be; and so the following
    news: int = 0  # the last that answered nobody's words
    denied: int = 0  # the last that refused words, or told that they were not understood
    quiet: bool = False  # whether it has been said that the clock runs while nobody is answered
    position: tuple[int, str] | None = None  # after how many plies it was told last, and which, in FEN
    refused_queries: int = 0
    handbook: Leafing = field(default_factory=Leafing)
    helped: tuple[Phase, int] | None = None  # where help was asked for last, and which part of it was told


@dataclass
class TimesToTell:
    """The remaining times that are announced. `wanted_ms`: None: the usual ones."""

    wanted_ms: tuple[int, ...] | None = None
    looked_ms: int = 0  # until when it has been looked whether one was crossed
    told: set[tuple[chess.Color, int, int]] = field(default_factory=set)  # side, period, remaining time


@dataclass
class FromEngine:
    """What an engine has sent."""

    held: OpponentMoved | None = None  # its move that came while it could not be made
    failures: int = 0  # its illegal moves, one after the other
    hint: Hint | None = None
    hints: int = 0  # how many steps of hints were told


@dataclass
class Outbox:
    """What is to be done about the event at hand, and what was told last where only changes are."""

    announcer: Announcer = field(default_factory=Announcer)
    effects: list[Effect] = field(default_factory=list)
    listened: Expectation | None = None
    private: KeepPrivate = field(default_factory=lambda: KeepPrivate(None))
