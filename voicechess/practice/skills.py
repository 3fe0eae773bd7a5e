"""The things that are learnt, each with its own place in the schedule: a file's name, a rank, the colour of a square.

A skill is a short text, "file.2" or "mate.1": the kind before the first dot, and what it is about behind it.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess

from voicechess.messages import File, Man, Phrase, Rank, Slot, Square

FILES = tuple(f"file.{file}" for file in range(8))
RANKS = tuple(f"rank.{rank}" for rank in range(8))
PIECES = tuple(f"piece.{piece}" for piece in chess.PIECE_TYPES)

_ABOUT_SQUARES = frozenset({"shade", "knight"})
_ABOUT_NUMBERS = frozenset({"recall", "set_up", "mate"})


def kind_of(skill: str) -> str:
    """What stands before the first dot."""
    return skill.partition(".")[0]


def about(skill: str) -> str:
    """What stands behind the first dot, "" if nothing does."""
    return skill.partition(".")[2]


def skill_phrase(skill: str) -> Phrase:
    """The skill in words: a sentence below [sentences.practice.skill]."""
    kind, what = kind_of(skill), about(skill)
    slots: Mapping[str, Slot] = {}
    key = kind
    match kind:
        case "file":
            slots = {"file": File(int(what))}
        case "rank":
            slots = {"rank": Rank(int(what))}
        case "piece" | "path":
            slots = {"man": Man(int(what))}
        case _ if kind in _ABOUT_SQUARES:
            slots = {"square": Square(int(what))}
        case _ if kind in _ABOUT_NUMBERS:
            slots = {"count": int(what)}
        case _:
            key = skill
    return Phrase(f"practice.skill.{key}", slots)
