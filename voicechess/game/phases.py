"""The phases of a game, what belongs to each, and the one table of what may follow on what.

An open question (`state.Asking`) stands beside the table it is about, for its answers do something there.

Which event is answered in which phase is the other table, in `Session`. It does not say what follows: that depends on
what was understood, and on the position. Two rules: the phase changes only to one that stands in its row
(`Table.enter`), and another one is a bug (`IllegalTransition`), never something a player did. What a player does at the
wrong moment is answered with a sentence and changes nothing.
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
    LISTENING = "listening"  # a player at the microphone is to move
    DRAW_OFFERED = "draw_offered"  # the same, and the opponent's draw offer stands
    REPEATING = "repeating"  # the move is being repeated; until that has ended it can be corrected
    CHOOSING = "choosing"  # which of these moves?
    COMPLETING = "completing"  # a part of a move is known, the next part is asked for
    PROMOTING = "promoting"  # which new piece?
    CONFIRMING = "confirming"  # really? Only "ja" is yes; anything else and silence are no
    THINKING = "thinking"  # the engine is to move
    ANNOUNCING = "announcing"  # somebody is told something that does not run on their clock
    ECHOING = "echoing"  # the player is to repeat the opponent's announcement first (Laws, Appendix D; tournaments)
    JUDGING = "judging"  # the engine, or the arbiter, judges a claim; nobody's time runs
    SEALING = "sealing"  # the player is to announce the move to be sealed, unheard by the game
    ADJOURNED = "adjourned"  # the envelope is closed and the clocks stand
    PAUSED = "paused"
    OVER = "over"


class IllegalTransition(Exception):
    """A transition that the table does not have: a bug in the game, not in what was said."""


QUESTIONS = frozenset({Phase.CHOOSING, Phase.COMPLETING, Phase.PROMOTING})
"""A question about the move of the player to move is open."""

PLAYERS_TURN = frozenset({Phase.LISTENING, Phase.DRAW_OFFERED}) | QUESTIONS
"""A move may be announced now."""

# fmt: off
TRANSITIONS: Mapping[Phase, frozenset[Phase]] = {
    Phase.NOT_STARTED: frozenset({
        Phase.ANNOUNCING,
        Phase.OVER,                 # the position set up is already decided
    }),
    Phase.LISTENING: frozenset({
        Phase.REPEATING,
        *QUESTIONS,
        Phase.CONFIRMING,
        Phase.PAUSED,
        Phase.ANNOUNCING,           # going on after the program had ended
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
        Phase.LISTENING,            # corrected, or the person beside is to move
        Phase.DRAW_OFFERED,
        Phase.THINKING,
        Phase.CHOOSING,             # another move was said into it: which of the two?
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
    """Raises IllegalTransition where the table has no way from `phase` to `following`."""
    if following not in TRANSITIONS[phase]:
        raise IllegalTransition(f"{phase.value} to {following.value}")


# --- what belongs to each ---------------------------------------------------------------------------------------------


class Pause(Enum):
    """Why the game is paused, also while a question is open in the pause."""

    STOPPED = "stopped"  # goes on when somebody says so
    LEFT = "left"  # the player went; coming back ends it


@dataclass(frozen=True, slots=True)
class Waiting:
    """A phase that has nothing of its own."""

    phase: Literal[Phase.NOT_STARTED, Phase.LISTENING, Phase.DRAW_OFFERED, Phase.ECHOING]


@dataclass(frozen=True, slots=True)
class Awaited:
    """The utterance whose end moves the game on, and when it counts as said without a report."""

    number: int
    until_ms: int


@dataclass(frozen=True, slots=True)
class CorrectionWindow:
    """The time after the repetition `number` in which the move can still be corrected by voice: until `until_ms`, and
    while somebody speaks until `latest_ms`."""

    number: int
    until_ms: int
    latest_ms: int


@dataclass(frozen=True, slots=True)
class Repeating:
    """A move is being repeated and not made yet. `ended_ms`: the end of its words, when its clock stops.

    `awaited`: the end of the repetition, and then that of the time for a correction. `unclear`: how often somebody has
    spoken meanwhile who was not understood. `asked_ms`: since when the engine thinks about the answer; None: it does
    not yet.
    """

    phase: ClassVar[Phase] = Phase.REPEATING
    move: chess.Move
    ended_ms: int
    awaited: Awaited | CorrectionWindow | None = None
    unclear: int = 0
    asked_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Announcing:
    """A player is told something that does not run on their clock."""

    phase: ClassVar[Phase] = Phase.ANNOUNCING
    awaited: Awaited | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """The engine is to move. `considering`: it is asked about a draw first."""

    phase: ClassVar[Phase] = Phase.THINKING
    considering: bool = False


@dataclass(frozen=True, slots=True)
class Judging:
    """The engine judges this claim, or the arbiter (`by_arbiter`). `flagged`: the claimant's flag has fallen since the
    arbiter postponed it (2009: 10.2 b)."""

    phase: ClassVar[Phase] = Phase.JUDGING
    claim: Command
    by_arbiter: bool = False
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Sealing:
    """A move is to be announced for the envelope, or has been and may still be changed. `resumes_in_ms`: how long
    after that the game goes on, if that was agreed."""

    phase: ClassVar[Phase] = Phase.SEALING
    adjournment: Adjournment
    resumes_in_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Adjourned:
    """The envelope is closed. `considering`: the engine is asked about a draw. `settled`: the player who was late to
    this resumption has been dealt with."""

    phase: ClassVar[Phase] = Phase.ADJOURNED
    adjournment: Adjournment
    considering: bool = False
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Paused:
    """The clocks stand until the game goes on."""

    phase: ClassVar[Phase] = Phase.PAUSED
    why: Pause


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended so."""

    phase: ClassVar[Phase] = Phase.OVER
    ending: Ending


Lasting = Thinking | Judging | Sealing | Adjourned | Paused | Over
"""What is not ended by a "really?": the game returns to it as it was."""


QuestionPhase = Literal[Phase.CHOOSING, Phase.COMPLETING, Phase.PROMOTING, Phase.CONFIRMING]
