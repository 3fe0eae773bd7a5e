"""Comparing a position that is being set up with a known one, square by square.

What is wrong comes first, then what is missing, which is much while the position grows. Told in parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess

from voicechess.messages import Phrase, Piece, Side, Slot, Square

MOST_TOLD = 6
"""Squares told at a time, about twenty seconds. Larger: longer parts."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The position that counts as right. `name`: which it is, an entry of [sentences.practice.compare.with]."""

    board: chess.Board
    name: str


def _said(key: str, slots: dict[str, Slot] | None = None) -> Phrase:
    return Phrase(f"practice.compare.{key}", slots or {})


def wrong_squares(built: chess.Board, right: chess.Board) -> tuple[Phrase, ...]:
    """A sentence for each piece of `built` that does not stand there in `right`, in the order of the squares."""
    told = []
    for square, piece in sorted(built.piece_map().items()):
        wanted = right.piece_at(square)
        slots: dict[str, Slot] = {"square": Square(square), "piece": Piece(piece.piece_type, piece.color)}
        if wanted is None:
            told.append(_said("too_many", slots))
        elif wanted != piece:
            told.append(_said("other", {**slots, "wanted": Piece(wanted.piece_type, wanted.color)}))
    return tuple(told)


def empty_squares(built: chess.Board, right: chess.Board) -> tuple[Phrase, ...]:
    """A sentence for each piece of `right` whose square is empty in `built`, in the order of the squares."""
    return tuple(
        _said("missing", {"square": Square(square), "piece": Piece(piece.piece_type, piece.color)})
        for square, piece in sorted(right.piece_map().items())
        if built.piece_at(square) is None
    )


class Comparison:
    """Compares with what `against` gives, or with a position typed instead; None: there is none."""

    def __init__(self, against: Callable[[], Reference | None]) -> None:
        self.awaits_fen = False  # a FEN typed now is compared with, not taken over
        self._against = against
        self._typed: Reference | None = None
        self._rest: list[Phrase] = []  # differences not heard yet
        self._numbers: list[int] = []  # of the utterances of the first of them, which are being told

    def end(self) -> None:
        """The position was changed, so the rest of the differences may be no longer true."""
        self.awaits_fen, self._rest, self._numbers = False, [], []

    def typed(self, board: chess.Board) -> None:
        """Compare with this position from now on."""
        self._typed = Reference(board, "fen")

    def begin(self, built: chess.Board) -> tuple[Phrase, ...]:
        """The first part of the differences, or the question with what to compare."""
        reference = self._typed or self._against()
        self.end()
        self.awaits_fen = True
        if reference is None:
            return (_said("with_what"),)
        right = reference.board
        wrong, empty = wrong_squares(built, right), empty_squares(built, right)
        counted = [_said("wrong", {"count": len(wrong)})] if wrong else []
        if empty:
            counted += [] if wrong or not built.occupied else [_said("right_so_far")]
            counted.append(_said("lacking", {"count": len(empty)}))
        turn = () if built.turn == right.turn else (_said("turn", {"side": Side(right.turn)}),)
        told = _said(f"with.{reference.name}")
        if not counted:
            return (told, *(turn or (_said("same"),)))
        self._rest = [*wrong, *turn, *empty]
        return (told, *counted, *self.next_part())

    def next_part(self) -> tuple[Phrase, ...]:
        """The next part of the differences, and whether there is more; () if all were heard."""
        more = (Phrase("practice.analysis.comment_goes_on"),) if len(self._rest) > MOST_TOLD else ()
        return (*self._rest[:MOST_TOLD], *more)

    def numbered(self, last: int) -> None:
        """The next part is being told; `last`: the number of its last utterance."""
        part = len(self._rest[:MOST_TOLD])
        first = last - (len(self._rest) > MOST_TOLD) - part + 1
        self._numbers = list(range(first, first + part))

    def heard(self, number: int) -> None:
        """The utterance with this number was heard to its end; what is cut short is told again."""
        if number in self._numbers:
            at = self._numbers.index(number)
            del self._numbers[at], self._rest[at]
