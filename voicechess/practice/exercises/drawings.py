"""Arrows and marked squares of a position: those in the comments of a study, and those drawn by voice.

They are kept as PGN writes them in [%cal] and [%csl], by colour, origin and target: "Gg1f3", "Re4". What is drawn by
voice is green, is not stored, and vanishes with the next move.
"""

from __future__ import annotations

import chess
import chess.pgn

from voicechess.meaning import Command
from voicechess.messages import Listing, Phrase, Slot, Square

DRAWS = frozenset({"arrow", "mark", "clear_marks"})
"""The commands."""

MOST_TOLD = 8
"""Arrows and squares told of one position. Larger: a longer sentence."""

MOST_DRAWN = 64
"""Arrows and squares taken from one comment. Larger: more to draw at every move of a bad file."""


_GREEN = "G"  # PGN's letter of the colour


def drawn_at(node: chess.pgn.GameNode) -> tuple[str, ...]:
    """What the file has drawn at a node."""
    return tuple(arrow.pgn() for arrow in node.arrows()[:MOST_DRAWN])


def drawn_with(drawn: tuple[str, ...], command: Command) -> tuple[str, ...]:
    """What is drawn after one of the commands `DRAWS`."""
    origin, target = command.slot("square"), command.slot("square2")
    if command.name == "clear_marks" or origin is None:
        return ()
    ends = [int(origin)] if target in (None, origin) else [int(origin), int(target or 0)]
    shape = "".join(chess.square_name(square) for square in ends)
    return (*(one for one in drawn if one[1:] != shape), f"{_GREEN}{shape}")


def drawings_told(drawn: tuple[str, ...]) -> tuple[Phrase, ...]:
    """What is drawn, in one sentence; () if nothing is."""
    told: list[Slot] = []
    for one in drawn[:MOST_TOLD]:
        origin, target = Square(chess.parse_square(one[1:3])), one[3:]
        ends: dict[str, Slot] = {"origin": origin, "target": Square(chess.parse_square(target or one[1:3]))}
        told.append(Phrase("practice.analysis.arrow", ends) if target else origin)
    return (Phrase("practice.analysis.drawn", {"drawn": Listing(tuple(told), "")}),) if told else ()


def drawing_told(before: tuple[str, ...], command: Command) -> Phrase:
    """What one of the commands `DRAWS` did. `before`: what was drawn until then."""
    if command.name == "clear_marks":
        return Phrase("practice.analysis.undrawn" if before else "practice.analysis.nothing_drawn")
    (told,) = drawings_told(drawn_with((), command))
    return told
