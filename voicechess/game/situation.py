"""Parts of a game's state besides board and clock: moves made, missing players, obligations, what was heard and said so
far. Data only; the table is in `state`."""

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
    """A move made."""

    move: chess.Move
    clock: Clock  # after the move
    clock_before: Clock
    ended_ms: int  # end of its words
    draw_offered: bool = False  # with it, or after it before the opponent moved
    notes: tuple[Note, ...] = ()  # incidents before it, since the previous move
    answered: Replied | None = None  # its dates, in a correspondence game
    arrived: date | None = None  # when the other side received it, in a correspondence game


@dataclass(frozen=True, slots=True)
class Absent:
    """The missing sides."""

    colours: tuple[chess.Color, ...]
    loses_at_ms: int | None = None  # end of their default time (None: unknown, or never)
    turn_ms: int = 0  # time used by the side to move when the missing side's clock was started instead
    over: bool = False  # the default time is over, and it is being checked whether the sealed move ended the game


@dataclass(frozen=True, slots=True)
class Announced:
    """An announcement for reading back."""

    words: str  # as recognised; "": a piece, a castling or the clock is asked about instead
    pieces: tuple[chess.Square, ...] = ()  # the pieces that it names
    castling: Castling | None = None  # the castling that it names
    illegal: bool = True  # it was no legal move


@dataclass(frozen=True, slots=True)
class Bound:
    """Obligations of the player to move since the last move."""

    touched: tuple[chess.Square, ...] = ()  # pieces touched, in order
    castling: Castling | None = None  # an illegal castling that was announced
    adjusts: bool = False  # "j'adoube" was said
    announced: Announced | None = None  # an announcement that may still be penalised
    claim: Command | None = None  # a draw claim to be made good by the next announced move
    repeats: bool = False  # the engine's last announcement has to be repeated first


@dataclass(frozen=True, slots=True)
class Unsure:
    """Readings of a move that were too uncertain to make it; cheapest first."""

    plies: int  # number of plies made then
    ended_ms: int  # end of the words
    readings: tuple[Reading, ...] = ()
    mistaken: frozenset[chess.Move] = frozenset()  # moves recognised but not meant
    unheard: bool = False  # nothing was understood


@dataclass(frozen=True, slots=True)
class Denial:
    """A "no" to a proposal or a confirmation."""

    commands: frozenset[str]  # those whose words name what was declined
    ended_ms: int  # end of the "no"


@dataclass
class Hint:
    """A hint for a position."""

    fen: str  # the position
    uci: str | None = None  # the engine's move; None: still searching
    told: int = 0  # number of steps given, 0 to `hints.MOST_STEPS`


@dataclass
class HeardSoFar:
    """What was heard, and how well, of the next move and around it."""

    misses: int = 0  # consecutive utterances for the program that were not understood
    refused: tuple[int, Phrase] | None = None  # the last refusal, with the number of plies then
    unsure: Unsure | None = None  # readings of the next move so far
    denial: Denial | None = None  # the last "no" to a proposal or a confirmation
    corrected: chess.Move | None = None  # a move recognised in place of the next one, and corrected
    in_noise: bool = False  # whether the room was loud during the last utterance
    quiet: bool = False  # not listening until "weiter"
    rank_doubts: int = 0  # number of questions about similar-sounding ranks
    words_ended_ms: int = 0  # end of the words being answered
    perhaps: tuple[Command, ...] = ()  # suggested after the game, where no question can be open


@dataclass
class ToldSoFar:
    """What was said to the players, as utterance numbers, and what they have been told."""

    said: tuple[Utterance, ...] = ()  # repeated by "repeat"
    spoken: int = 0  # the last utterance said or cancelled; likewise below
    news: int = 0  # the last that was not a reply
    denied: int = 0  # the last that was a refusal, or said that nothing was understood
    quiet: bool = False  # whether it was said that the clock runs while not listening
    position: tuple[int, str] | None = None  # position last read: number of plies, and FEN
    refused_queries: int = 0
    rank: int | None = None  # the last rank told, 0 to 7; None: none was
    file: int | None = None  # likewise the last file
    piece: tuple[int, ...] | None = None  # likewise the last piece, by its place in the order of `queries.walk`
    reading: tuple[tuple[int, int | tuple[int, ...]], ...] = ()
    """Of the last reading of all ranks or pieces: utterance numbers, each with the rank, or the place among the
    pieces, from which to walk on once it was heard."""
    query: Command | None = None  # the last one that has two forms (`two_forms`)
    forms: dict[str, str] = field(default_factory=dict)  # as `read_answers`
    handbook: Leafing = field(default_factory=Leafing)
    helped: tuple[Phase, int] | None = None  # phase of the last help, and which part was given


@dataclass
class TimesToTell:
    """Announcements of remaining time."""

    wanted_ms: tuple[int, ...] | None = None  # as `PersonalChoices.thresholds_ms`
    looked_ms: int = 0  # time up to which thresholds were checked
    told: set[tuple[chess.Color, int, int]] = field(default_factory=set)  # side, period, remaining time


@dataclass
class FromEngine:
    """What the engine has sent."""

    held: OpponentMoved | None = None  # a move that could not be made yet
    failures: int = 0  # consecutive illegal moves
    hint: Hint | None = None
    hints: int = 0  # number of hints given


@dataclass
class Outbox:
    """Effects of the current event, and the last values of those sent only on a change."""

    announcer: Announcer = field(default_factory=Announcer)
    effects: list[Effect] = field(default_factory=list)
    listened: Expectation | None = None
    private: KeepPrivate = field(default_factory=lambda: KeepPrivate(None))
