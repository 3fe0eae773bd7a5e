"""What an analysis is about: the game as it is opened, what can be said, what is waited for, what was changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import chess
import chess.pgn

from voicechess.game import queries
from voicechess.game.commands import COMMANDS
from voicechess.game.effects import VOICE_CHANGES
from voicechess.messages import Phrase, Slot, Text
from voicechess.score.score import Score

QUERIES = frozenset(
    name
    for name, row in COMMANDS.items()
    if row.do.__module__ == queries.__name__ and name not in ("time", "move_times")
)
"""What can be asked of a position in a game is asked here with the same words."""

OWN = frozenset(
    {
        *("forward", "forward_moves", "back_moves", "next", "resume", "take_back", "goto", "retrace", "beginning"),
        *(
            "variation",
            "leave_variation",
            "to_game",
            "evaluation",
            "evaluation_exact",
            "best_move",
            "best_line",
            "standings",
        ),
        *("time", "move_times", "mistake", "hint", "find_games", "played_here", "endgame_table"),
        *("comment", "strike_comment", "correct", "show_game", "save", "repeat", "help", "stop", "end", *VOICE_CHANGES),
    }
)
CONTROLS = OWN | QUERIES
CHOOSING = frozenset(["repeat", "help", "stop", "end", *VOICE_CHANGES])


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game to look through."""

    score: Score  # as it was played
    text: str  # its PGN, with what was added to it before if `kept`
    path: str  # where it is kept, as it is said
    kept: bool = False


FITTING: tuple[Slot, ...] = tuple(Phrase(f"not_understood.thing.{name}") for name in ("resume", "take_back", "help"))
"""What is named after words that point nowhere."""


class AnalysisStep(Enum):
    """What is waited for."""

    WAITING = "waiting"
    CHOOSING = "choosing"  # the number of a game
    LOOKING = "looking"
    COMMENTING = "commenting"  # the next typed line is a comment
    ENDING = "ending"  # really?
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed last at `node`: it was added (`comment` None), or its comment was another one before."""

    node: chess.pgn.GameNode
    comment: str | None = None


def line_through(node: chess.pgn.GameNode) -> list[chess.pgn.GameNode]:
    """The nodes from the first move through this one to the end of its line."""
    line = [node]
    while (above := line[-1].parent) is not None:
        line.append(above)
    line.reverse()
    while line[-1].variations:
        line.append(line[-1].variations[0])
    return line


def opened_told(title: str) -> Phrase:
    """That a game of this name is open; "": it has none."""
    if not title:
        return Phrase("practice.analysis.opened_unnamed")
    return Phrase("practice.analysis.opened", {"title": Text(title)})


def title_told(title: str) -> Slot:
    """Its name in a list."""
    return Text(title) if title else Phrase("practice.analysis.unnamed")
