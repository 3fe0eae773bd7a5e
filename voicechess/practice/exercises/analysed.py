"""Types and vocabulary of an analysis: the opened game, commands, steps and changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import chess
import chess.pgn

from voicechess.game import queries, two_forms
from voicechess.game.commands import COMMANDS
from voicechess.game.effects import VOICE_CHANGES
from voicechess.messages import Phrase, Slot, Text
from voicechess.practice.exercises.drawings import DRAWS
from voicechess.score.score import Score

QUERIES = frozenset(
    name
    for name, row in COMMANDS.items()
    if row.do.__module__ in (queries.__name__, two_forms.__name__) and name not in ("time", "move_times")
)
"""Queries about a position, shared with games."""

WAYS = frozenset(
    {
        *("forward", "forward_moves", "back_moves", "next", "take_back", "goto", "retrace", "beginning", "end"),
        *("variation", "leave_variation", "to_game", "to_place", "next_game", "previous_game", "other_game", "game"),
    }
)
"""Ways through a game and a file; after one of them "weiter" is a single move again."""

PLACES = frozenset({"keep_place", "to_place", "places", "strike_place"})

OWN = frozenset(
    {
        *WAYS,
        *PLACES,
        *DRAWS,
        *("show_board", "hide_board"),
        *("resume", "read_on", "evaluation", "evaluation_exact", "best_move", "best_line", "standings"),
        *("time", "move_times", "mistake", "hint", "find_games", "set_up", "played_here", "endgame_table"),
        *("comment", "strike_comment", "correct", "show_game", "board_keys", "save"),
        *("repeat", "help", "stop", *VOICE_CHANGES),
    }
)
CONTROLS = OWN | QUERIES
CHOOSING = frozenset(["repeat", "help", "stop", "end", *VOICE_CHANGES])
CHOOSING_GAME = CHOOSING | {"game", "to_place", "places", "take_back"}


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game opened for analysis."""

    score: Score  # as it was played
    text: str  # its PGN, including earlier additions if `kept`
    path: str  # file in which the analysis is stored, for a sentence
    kept: bool = False  # whether there are earlier additions


FITTING: tuple[Slot, ...] = tuple(Phrase(f"not_understood.thing.{name}") for name in ("resume", "take_back", "help"))
"""Suggestions after an utterance that points to no command."""


class AnalysisStep(Enum):
    """What the analysis is waiting for."""

    WAITING = "waiting"
    CHOOSING = "choosing"  # the number of a game
    LOOKING = "looking"
    COMMENTING = "commenting"  # the next typed line is a comment
    ENDING = "ending"  # really?
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Change:
    """An undoable change at `node`: its comment was changed from `comment`, what is drawn there was changed from
    `drawn`, or, with neither, it was added."""

    node: chess.pgn.GameNode
    comment: str | None = None
    drawn: tuple[str, ...] | None = None


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
    """The sentence that a game is open; `title` "": unnamed."""
    if not title:
        return Phrase("practice.analysis.opened_unnamed")
    return Phrase("practice.analysis.opened", {"title": Text(title)})


def title_told(title: str) -> Slot:
    """A game's title in a list; `title` "": unnamed."""
    return Text(title) if title else Phrase("practice.analysis.unnamed")
