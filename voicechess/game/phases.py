"""The phases of a game with their data, and the table of transitions.

An open question (`state.Asking`) is in the file of the table, since its answers act on that.

Which event is handled in which phase is the other table, in `Session`. Its result depends on what was understood, and
on the position. Two rules: the phase changes only along this table (`Table.enter`), and any other change is a bug
(`IllegalTransition`), never a player's fault. A player's action at the wrong moment is answered with a sentence and
changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal

import chess

from voicechess.laws.adjournment import Adjournment
from voicechess.laws.results import Ending
from voicechess.meaning import Command


class Phase(Enum):
    """What the game is waiting for."""

    NOT_STARTED = "not_started"
    LISTENING = "listening"  # for a move of a player at the microphone
    DRAW_OFFERED = "draw_offered"  # for a move, or an answer to the opponent's draw offer
    REPEATING = "repeating"  # a move is being repeated, and can be corrected until that has ended
    CHOOSING = "choosing"  # which of these moves?
    COMPLETING = "completing"  # for the next part of a partial move
    PROMOTING = "promoting"  # for the promotion piece
    CONFIRMING = "confirming"  # for a confirmation; anything but "ja", and silence, is a no
    THINKING = "thinking"  # for the engine's move
    ANNOUNCING = "announcing"  # an announcement that is not on anybody's clock
    ECHOING = "echoing"  # for the player's repetition of the opponent's move (Laws, Appendix D; tournaments)
    JUDGING = "judging"  # for the engine's or arbiter's verdict on a claim; no clock runs
    SEALING = "sealing"  # for the move to be sealed, which the game does not see
    ADJOURNED = "adjourned"  # the envelope is closed and the clocks stand
    PAUSED = "paused"
    OVER = "over"


class IllegalTransition(Exception):
    """A transition outside the table: a bug in the game, not in what was said."""


QUESTIONS = frozenset({Phase.CHOOSING, Phase.COMPLETING, Phase.PROMOTING})
"""Phases with a question about the move of the player to move."""

PLAYERS_TURN = frozenset({Phase.LISTENING, Phase.DRAW_OFFERED}) | QUESTIONS
"""Phases in which a move may be announced."""

# fmt: off
TRANSITIONS: Mapping[Phase, frozenset[Phase]] = {
    Phase.NOT_STARTED: frozenset({
        Phase.ANNOUNCING,
        Phase.OVER,                 # the initial position is already decided
    }),
    Phase.LISTENING: frozenset({
        Phase.REPEATING,
        *QUESTIONS,
        Phase.CONFIRMING,
        Phase.PAUSED,
        Phase.ANNOUNCING,           # resumed after a restart
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
    }),
    Phase.DRAW_OFFERED: frozenset({
        Phase.REPEATING,            # a move declines the offer
        *QUESTIONS,
        Phase.CONFIRMING,
        Phase.LISTENING,            # declined in words
        Phase.PAUSED,
        Phase.ANNOUNCING,
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
    }),
    Phase.REPEATING: frozenset({
        Phase.ANNOUNCING,           # a claim was made with the move, and was wrong
        Phase.LISTENING,            # corrected, or the other person is to move
        Phase.DRAW_OFFERED,
        Phase.THINKING,
        Phase.CHOOSING,             # a barge-in with another move: which of the two?
        Phase.OVER,
    }),
    **dict.fromkeys(QUESTIONS, frozenset({
        Phase.REPEATING,
        *QUESTIONS,
        Phase.CONFIRMING,
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.PAUSED,
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
        Phase.ANNOUNCING,           # the journal says that the game stood otherwise
    })),
    Phase.CONFIRMING: frozenset({
        Phase.CONFIRMING,           # another question takes its place
        Phase.ANNOUNCING,           # a claim was wrong; its clock stands until that has been told
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.THINKING,
        Phase.ECHOING,
        Phase.JUDGING,
        Phase.SEALING,
        Phase.ADJOURNED,
        Phase.PAUSED,
        Phase.OVER,
    }),
    Phase.THINKING: frozenset({
        Phase.ANNOUNCING,
        Phase.CONFIRMING,
        Phase.PAUSED,
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
    }),
    Phase.ANNOUNCING: frozenset({
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.THINKING,
        Phase.ECHOING,
        Phase.PAUSED,
        Phase.ANNOUNCING,
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
    }),
    Phase.ECHOING: frozenset({
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.CONFIRMING,
        Phase.PAUSED,
        Phase.ANNOUNCING,
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
    }),
    Phase.JUDGING: frozenset({
        Phase.ANNOUNCING,           # refused, or nobody could tell
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.ECHOING,
        Phase.CONFIRMING,
        Phase.PAUSED,
        Phase.OVER,
    }),
    Phase.SEALING: frozenset({
        Phase.LISTENING,            # no adjournment after all
        Phase.DRAW_OFFERED,
        Phase.CONFIRMING,           # sealed: are the clocks to be stopped?
        Phase.PAUSED,
        Phase.OVER,
        Phase.ANNOUNCING,           # the journal says that the game stood otherwise
    }),
    Phase.ADJOURNED: frozenset({
        Phase.ANNOUNCING,           # opened: the sealed move is told
        Phase.CONFIRMING,
        Phase.OVER,
    }),
    Phase.PAUSED: frozenset({
        Phase.ECHOING,
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.THINKING,
        Phase.CONFIRMING,
        Phase.ANNOUNCING,           # back after leaving
        Phase.JUDGING,              # a flag falls, and the arbiter had postponed a claim
        Phase.OVER,
    }),
    Phase.OVER: frozenset({
        Phase.ANNOUNCING,           # the journal says that the game went on
        Phase.CONFIRMING,           # the arbiter decides otherwise (8.7 in 2009)
    }),
}
# fmt: on


def check(phase: Phase, following: Phase) -> None:
    """Raises IllegalTransition for a transition outside the table."""
    if following not in TRANSITIONS[phase]:
        raise IllegalTransition(f"{phase.value} to {following.value}")


# --- data of the phases ---------------------------------------------------------------------------------------------


class Pause(Enum):
    """Why the game is paused, also while a question is open during a pause."""

    STOPPED = "stopped"  # until somebody resumes it
    LEFT = "left"  # the player left; coming back resumes it


@dataclass(frozen=True, slots=True)
class Waiting:
    """A phase without data."""

    phase: Literal[Phase.NOT_STARTED, Phase.LISTENING, Phase.DRAW_OFFERED, Phase.ECHOING]


@dataclass(frozen=True, slots=True)
class Awaited:
    """The utterance whose end continues the game."""

    number: int
    until_ms: int  # when it counts as said without a report


@dataclass(frozen=True, slots=True)
class CorrectionWindow:
    """The time after a repetition in which the move can still be corrected by voice."""

    number: int  # utterance number of the repetition
    until_ms: int  # its end
    latest_ms: int  # its end while somebody speaks


@dataclass(frozen=True, slots=True)
class Repeating:
    """A move is being repeated and not made yet."""

    phase: ClassVar[Phase] = Phase.REPEATING
    move: chess.Move
    ended_ms: int  # end of its words, when its clock stops
    awaited: Awaited | CorrectionWindow | None = None  # the end of the repetition, then of the time for a correction
    unclear: int = 0  # number of utterances since that were not understood
    asked_ms: int | None = None  # since when the engine has been thinking about the reply; None: not yet


@dataclass(frozen=True, slots=True)
class Announcing:
    """An announcement that is not on a player's clock."""

    phase: ClassVar[Phase] = Phase.ANNOUNCING
    awaited: Awaited | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """The engine is to move."""

    phase: ClassVar[Phase] = Phase.THINKING
    considering: bool = False  # it is considering a draw first


@dataclass(frozen=True, slots=True)
class Judging:
    """The engine or the arbiter judges a claim."""

    phase: ClassVar[Phase] = Phase.JUDGING
    claim: Command
    by_arbiter: bool = False  # False: by the engine
    flagged: bool = False  # the claimant's flag has fallen since the arbiter postponed it (2009: 10.2 b)


@dataclass(frozen=True, slots=True)
class Sealing:
    """A move is to be sealed, or was and may still be changed."""

    phase: ClassVar[Phase] = Phase.SEALING
    adjournment: Adjournment
    resumes_in_ms: int | None = None  # time until play resumes; None: not agreed


@dataclass(frozen=True, slots=True)
class Adjourned:
    """The envelope is closed."""

    phase: ClassVar[Phase] = Phase.ADJOURNED
    adjournment: Adjournment
    considering: bool = False  # the engine is considering a draw
    settled: bool = False  # lateness at this resumption has been handled


@dataclass(frozen=True, slots=True)
class Paused:
    """The clocks stand until the game is resumed."""

    phase: ClassVar[Phase] = Phase.PAUSED
    why: Pause


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended this way."""

    phase: ClassVar[Phase] = Phase.OVER
    ending: Ending


Lasting = Thinking | Judging | Sealing | Adjourned | Paused | Over
"""Phases that outlast a confirmation: the game returns to them unchanged."""


QuestionPhase = Literal[Phase.CHOOSING, Phase.COMPLETING, Phase.PROMOTING, Phase.CONFIRMING]
