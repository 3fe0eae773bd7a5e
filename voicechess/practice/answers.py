"""Expectations in practice, and meanings as answers: a square, a piece, a colour, yes or no, a number.

Words are ambiguous ("drei" is a number and a rank), so each function interprets a meaning as one kind of answer and
returns None if it is not of that kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from voicechess.game.effects import VOICE_CHANGES
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Meaning,
    Question,
    QuestionKind,
    Reading,
    SpokenMove,
)
from voicechess.messages import Phrase, Text

AMONG_TALK = frozenset({"repeat", "help", "position", "position_whole", "how_good", "stop", *VOICE_CHANGES})
"""Commands obeyed amid other speech: they neither answer a task nor give one away."""


def expected(
    commands: frozenset[str],
    question: QuestionKind | None,
    board: chess.Board | None = None,
    earlier: tuple[QuestionKind, ...] = (),
) -> Expectation:
    """The expectation with these commands and this question; `earlier`: see `Question`."""
    return Expectation(board, Question(question, earlier=earlier), commands, among_talk=commands & AMONG_TALK)


def asked_about(pointed: Sequence[Reading]) -> Phrase:
    """The question which of one or two commands was meant by words that point to them."""
    words = {name: Text(one.words) for name, one in zip(("words", "other"), pointed, strict=False)}
    return Phrase("confirm.meant" if len(pointed) == 1 else "confirm.either", words)


@dataclass(frozen=True, slots=True)
class NamedPiece:
    """A named piece; `colour` None: not said."""

    kind: chess.PieceType
    colour: chess.Color | None = None


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A named piece on its square; `colour` None: not said."""

    kind: chess.PieceType
    colour: chess.Color | None
    square: chess.Square


def square_said(meaning: Meaning) -> chess.Square | None:
    """A square alone ("Eva vier"), or the target of a move without an origin ("Springer Eva vier")."""
    if not isinstance(meaning, SpokenMove) or meaning.castling is not None:
        return None
    return meaning.target if meaning.from_file is None and meaning.from_rank is None else None


def squares_said(meaning: Meaning) -> tuple[chess.Square, ...]:
    """One square, or two said as origin and target; () if none."""
    one = square_said(meaning)
    if one is not None:
        return (one,)
    if not isinstance(meaning, SpokenMove):
        return ()
    files, ranks = (meaning.from_file, meaning.to_file), (meaning.from_rank, meaning.to_rank)
    return tuple(chess.square(f, r) for f, r in zip(files, ranks, strict=True) if f is not None and r is not None)


def piece_said(meaning: Meaning) -> NamedPiece | None:
    """A piece with or without its colour, but without a square."""
    match meaning:
        case Command(name="piece"):
            kind, colour = meaning.slot("piece"), meaning.slot("colour")
            return None if kind is None else NamedPiece(int(kind), None if colour is None else bool(colour))
        case SpokenMove() if meaning.piece is not None and meaning == SpokenMove(piece=meaning.piece):
            return NamedPiece(meaning.piece)
    return None


def placed_said(meaning: Meaning) -> PlacedPiece | None:
    """A piece on a square ("Weiß Turm Anna eins")."""
    if isinstance(meaning, Command) and meaning.name == "placed":
        kind, colour, square = meaning.slot("piece"), meaning.slot("colour"), meaning.slot("square")
        if kind is not None and square is not None:
            return PlacedPiece(int(kind), None if colour is None else bool(colour), int(square))
    square = square_said(meaning)
    if square is not None and isinstance(meaning, SpokenMove) and meaning.piece is not None:
        return PlacedPiece(meaning.piece, None, int(square))
    return None


@dataclass(frozen=True, slots=True)
class Placement:
    """A square, and the piece to be put on it; None: it is to be empty."""

    square: chess.Square
    piece: NamedPiece | None


def placements_said(meaning: Meaning) -> tuple[Placement, ...]:
    """The placements in the order in which they were said; () if none."""
    if not isinstance(meaning, Command) or meaning.name != "placed":
        return ()
    found: list[Placement] = []
    while (square := meaning.slot(f"square{_nth(found)}")) is not None:
        kind, colour = meaning.slot(f"piece{_nth(found)}"), meaning.slot(f"colour{_nth(found)}")
        piece = None if kind is None else NamedPiece(int(kind), None if colour is None else bool(colour))
        found.append(Placement(int(square), piece))
    return tuple(found)


def _nth(before: Sequence[Placement]) -> str:
    """The suffix of the slots of the next placement."""
    return str(len(before) + 1) if before else ""


def yes_said(meaning: Meaning) -> bool | None:
    """True for yes, False for no."""
    if isinstance(meaning, Answer) and meaning.kind in (AnswerKind.YES, AnswerKind.NO):
        return meaning.kind is AnswerKind.YES
    return None


def shade_said(meaning: Meaning) -> bool | None:
    """True for "light" or "white", False for "dark" or "black"."""
    if isinstance(meaning, Command) and meaning.name in ("light", "dark"):
        return meaning.name == "light"
    return colour_said(meaning)


def colour_said(meaning: Meaning) -> chess.Color | None:
    """The colour, White or Black."""
    if isinstance(meaning, Command) and meaning.name == "colour":
        colour = meaning.slot("colour")
        return None if colour is None else bool(colour)
    return None


def number_said(meaning: Meaning) -> int | None:
    """A number understood as a number, a level, an exercise or a rank."""
    if isinstance(meaning, Command) and meaning.name in ("number", "level", "exercise"):
        number = meaning.slot("number")
        return None if number is None else int(number)
    if isinstance(meaning, SpokenMove) and meaning.to_rank is not None:
        return meaning.to_rank + 1 if meaning == SpokenMove(to_rank=meaning.to_rank) else None
    return None


def empty_said(meaning: Meaning) -> bool:
    """Whether "empty" or "none" was said."""
    return (isinstance(meaning, Command) and meaning.name == "empty") or (
        isinstance(meaning, Answer) and meaning.kind is AnswerKind.NONE
    )
