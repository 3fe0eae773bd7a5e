"""The phases of a game and the one table of steps between them.

Two rules: the phase changes only by a step that stands in this table, and a step that does not stand there is a bug
(`IllegalStep`), never something a player did. What a player does at the wrong moment is answered with a sentence and
changes nothing.
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


class Step(Enum):
    """Why the phase changes."""

    ANNOUNCED = "announced"
    PLAYER_TO_MOVE = "player_to_move"
    OPPONENT_TO_MOVE = "opponent_to_move"
    OFFER_STANDS = "offer_stands"
    TO_BE_REPEATED = "to_be_repeated"
    MOVE_SAID = "move_said"
    SEVERAL_FIT = "several_fit"
    PART_SAID = "part_said"
    PROMOTION_UNNAMED = "promotion_unnamed"
    ASKED_BACK = "asked_back"
    CLAIM_JUDGED = "claim_judged"
    TO_BE_SEALED = "to_be_sealed"
    SEALED = "sealed"
    CLOCK_STOPPED = "clock_stopped"
    ENDED = "ended"


class IllegalStep(Exception):
    """A step that the table does not have: a bug in the game, not in what was said."""


# fmt: off
TRANSITIONS: Mapping[Phase, Mapping[Step, Phase]] = {
    Phase.NOT_STARTED: {
        Step.ANNOUNCED: Phase.ANNOUNCING,
        Step.ENDED: Phase.OVER,                     # the position set up is already decided
    },
    Phase.LISTENING: {
        Step.MOVE_SAID: Phase.REPEATING,
        Step.SEVERAL_FIT: Phase.CHOOSING,
        Step.PART_SAID: Phase.COMPLETING,
        Step.PROMOTION_UNNAMED: Phase.PROMOTING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ANNOUNCED: Phase.ANNOUNCING,           # going on after the program had ended
        Step.ENDED: Phase.OVER,
    },
    Phase.DRAW_OFFERED: {
        Step.MOVE_SAID: Phase.REPEATING,            # a move declines the offer
        Step.SEVERAL_FIT: Phase.CHOOSING,
        Step.PART_SAID: Phase.COMPLETING,
        Step.PROMOTION_UNNAMED: Phase.PROMOTING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.PLAYER_TO_MOVE: Phase.LISTENING,       # declined in words
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ANNOUNCED: Phase.ANNOUNCING,
        Step.ENDED: Phase.OVER,
    },
    Phase.REPEATING: {
        Step.ANNOUNCED: Phase.ANNOUNCING,           # a claim was made with the move, and was wrong
        Step.PLAYER_TO_MOVE: Phase.LISTENING,       # corrected, or the person beside is to move
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.OPPONENT_TO_MOVE: Phase.THINKING,
        Step.SEVERAL_FIT: Phase.CHOOSING,           # another move was said into it: which of the two?
        Step.ENDED: Phase.OVER,
    },
    Phase.CHOOSING: {
        Step.MOVE_SAID: Phase.REPEATING,
        Step.SEVERAL_FIT: Phase.CHOOSING,
        Step.PART_SAID: Phase.COMPLETING,
        Step.PROMOTION_UNNAMED: Phase.PROMOTING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.COMPLETING: {
        Step.MOVE_SAID: Phase.REPEATING,
        Step.SEVERAL_FIT: Phase.CHOOSING,
        Step.PART_SAID: Phase.COMPLETING,
        Step.PROMOTION_UNNAMED: Phase.PROMOTING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.PROMOTING: {
        Step.MOVE_SAID: Phase.REPEATING,
        Step.SEVERAL_FIT: Phase.CHOOSING,
        Step.PART_SAID: Phase.COMPLETING,
        Step.PROMOTION_UNNAMED: Phase.PROMOTING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.CONFIRMING: {
        Step.ANNOUNCED: Phase.ANNOUNCING,           # a claim was wrong; its clock stands until that has been told
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.OPPONENT_TO_MOVE: Phase.THINKING,
        Step.TO_BE_REPEATED: Phase.ECHOING,
        Step.CLAIM_JUDGED: Phase.JUDGING,
        Step.TO_BE_SEALED: Phase.SEALING,
        Step.SEALED: Phase.ADJOURNED,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.THINKING: {
        Step.ANNOUNCED: Phase.ANNOUNCING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.ANNOUNCING: {
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.OPPONENT_TO_MOVE: Phase.THINKING,
        Step.TO_BE_REPEATED: Phase.ECHOING,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ANNOUNCED: Phase.ANNOUNCING,
        Step.ENDED: Phase.OVER,
    },
    Phase.ECHOING: {
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ANNOUNCED: Phase.ANNOUNCING,
        Step.ENDED: Phase.OVER,
    },
    Phase.JUDGING: {
        Step.ANNOUNCED: Phase.ANNOUNCING,           # refused, or nobody could tell
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.TO_BE_REPEATED: Phase.ECHOING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.SEALING: {
        Step.PLAYER_TO_MOVE: Phase.LISTENING,       # no adjournment after all
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.ASKED_BACK: Phase.CONFIRMING,          # sealed: are the clocks to be stopped?
        Step.CLOCK_STOPPED: Phase.PAUSED,
        Step.ENDED: Phase.OVER,
    },
    Phase.ADJOURNED: {
        Step.ANNOUNCED: Phase.ANNOUNCING,           # opened: the sealed move is told
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.ENDED: Phase.OVER,
    },
    Phase.PAUSED: {
        Step.TO_BE_REPEATED: Phase.ECHOING,
        Step.PLAYER_TO_MOVE: Phase.LISTENING,
        Step.OFFER_STANDS: Phase.DRAW_OFFERED,
        Step.OPPONENT_TO_MOVE: Phase.THINKING,
        Step.ASKED_BACK: Phase.CONFIRMING,
        Step.ANNOUNCED: Phase.ANNOUNCING,           # back after leaving
        Step.ENDED: Phase.OVER,
    },
    Phase.OVER: {},
}
# fmt: on

QUESTIONS = frozenset({Phase.CHOOSING, Phase.COMPLETING, Phase.PROMOTING})
"""A question about the move of the player to move is open."""

PLAYERS_TURN = frozenset({Phase.LISTENING, Phase.DRAW_OFFERED}) | QUESTIONS
"""A move may be announced now."""


def after(phase: Phase, step: Step) -> Phase:
    """The phase after `step`. Raises `IllegalStep` where the table has none."""
    try:
        return TRANSITIONS[phase][step]
    except KeyError:
        raise IllegalStep(f"{step.value} in {phase.value}") from None
