"""What can be done about words: the answers that `matching.decide` chooses from."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from voicechess.meaning import Answer, Command, SpokenMove, UnclearReason
from voicechess.moves.fitting import Missing
from voicechess.moves.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Play:
    """This move was said, clearly."""

    move: chess.Move


@dataclass(frozen=True, slots=True)
class Ask:
    """One to three moves that may have been meant, most likely first. With one: "did you mean …?" `doubt` says why.

    `rest`: moves to be proposed, one by one, when these are declined.
    """

    moves: tuple[chess.Move, ...]
    doubt: Refusal | None = None
    rest: tuple[chess.Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Complete:
    """A part of a move was said; `missing` is to be asked for next."""

    partial: SpokenMove
    missing: Missing


@dataclass(frozen=True, slots=True)
class AskPromotion:
    """The pawn move is clear, the new piece was not named. `moves` differ in the promotion only."""

    moves: tuple[chess.Move, ...]


@dataclass(frozen=True, slots=True)
class Refuse:
    """Clearly said, not legal."""

    refusal: Refusal
    spoken: SpokenMove


@dataclass(frozen=True, slots=True)
class Act:
    """A command."""

    command: Command


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer such as "ja" or "die zweite"."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """No meaning, or too many."""

    reason: UnclearReason


Decision = Play | Ask | Complete | AskPromotion | Refuse | Act | Reply | NotUnderstood
