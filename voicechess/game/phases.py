"""The phases of a game and the one table of what may follow on what.

Which event is answered in which phase is the other table, in `Session`. It does not say what follows: that depends on
what was understood, and on the position. Two rules: the phase changes only to one that stands in its row
(`Table.enter`), and another one is a bug (`IllegalTransition`), never something a player did. What a player does at the
wrong moment is answered with a sentence and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


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
    JUDGING = "judging"  # the engine judges a claim; nobody's time runs
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
        Phase.OVER,
    }),
    Phase.DRAW_OFFERED: frozenset({
        Phase.REPEATING,            # a move declines the offer
        *QUESTIONS,
        Phase.CONFIRMING,
        Phase.LISTENING,            # declined in words
        Phase.PAUSED,
        Phase.ANNOUNCING,
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
        Phase.OVER,
    }),
    Phase.ANNOUNCING: frozenset({
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.THINKING,
        Phase.ECHOING,
        Phase.PAUSED,
        Phase.ANNOUNCING,
        Phase.OVER,
    }),
    Phase.ECHOING: frozenset({
        Phase.LISTENING,
        Phase.DRAW_OFFERED,
        Phase.CONFIRMING,
        Phase.PAUSED,
        Phase.ANNOUNCING,
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
        Phase.OVER,
    }),
    Phase.OVER: frozenset({
        Phase.ANNOUNCING,           # the journal says that the game went on
    }),
}
# fmt: on


def check(phase: Phase, following: Phase) -> None:
    """Raises IllegalTransition where the table has no way from `phase` to `following`."""
    if following not in TRANSITIONS[phase]:
        raise IllegalTransition(f"{phase.value} to {following.value}")
