"""Decisions on an utterance: play, ask, refuse, obey …; and the decision on a single meaning taken as certain.

`matching` chooses among several readings by their costs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import chess

from voicechess.meaning import (
    CASTLING_CHOICES,
    Answer,
    Castling,
    CheckWord,
    Command,
    Meaning,
    Missing,
    Question,
    QuestionKind,
    SpokenMove,
    Unclear,
    UnclearReason,
)
from voicechess.messages import Phrase, Piece, Slot, Square, Text
from voicechess.moves.fitting import answers_question, fits, merge, missing_part, without
from voicechess.moves.refusals import Refusal, one_or_many, why_illegal

# --- The decisions ---


@dataclass(frozen=True, slots=True)
class Play:
    """This move was said, clearly."""

    move: chess.Move


@dataclass(frozen=True, slots=True)
class Ask:
    """One to three moves may have been meant. With one: "did you mean …?"."""

    moves: tuple[chess.Move, ...]  # the moves meant, likeliest first
    doubt: Refusal | None = None  # why it is asked
    rest: tuple[chess.Move, ...] = ()  # proposed one by one when `moves` are declined


@dataclass(frozen=True, slots=True)
class Complete:
    """A part of a move was said."""

    partial: SpokenMove
    missing: Missing  # what to ask for next


@dataclass(frozen=True, slots=True)
class AskPromotion:
    """The pawn's move is clear, but not its promotion piece."""

    moves: tuple[chess.Move, ...]  # they differ only in the promotion


@dataclass(frozen=True, slots=True)
class Refuse:
    """Clearly said, not legal."""

    refusal: Refusal
    spoken: SpokenMove


@dataclass(frozen=True, slots=True)
class Act:
    """A command."""

    command: Command
    trimmed: bool = field(default=False, compare=False)  # as `Reading.trimmed`


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer such as "ja" or "die zweite"."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """No meaning, or too many."""

    reason: UnclearReason
    text: str = ""  # the letter or sign that `reason` is about

    @property
    def phrase(self) -> Phrase:
        """The reason as a sentence of its own."""
        return Phrase(f"not_understood.{self.reason.value}", {"text": Text(self.text)})


Decision = Play | Ask | Complete | AskPromotion | Refuse | Act | Reply | NotUnderstood


# --- One meaning, taken as certain, in the position and the open question ---

MAX_CHOICES = 3
"""Most moves in one question: a listener cannot remember more."""


def moves_of(decision: Decision) -> tuple[chess.Move, ...]:
    """The moves that this decision plays or asks about."""
    match decision:
        case Play(move):
            return (move,)
        case Ask(moves) | AskPromotion(moves):
            return moves
    return ()


def decide_one(board: chess.Board, meaning: Meaning, asked: Question) -> Decision:
    """What to do if `meaning` is certain."""
    match meaning:
        case Unclear(reason, text):
            return NotUnderstood(reason, text)
        case Command():
            part = _part_named(meaning, asked)
            return Act(meaning) if part is None else decide_one(board, part, asked)
        case Answer():
            return Reply(meaning)
        case SpokenMove():
            return _in_question(board, meaning, asked) or _decide_move(board, meaning)


def _part_named(command: Command, asked: Question) -> SpokenMove | None:
    """ "Reihe eins" asks for a rank to be read out, but not as the answer to "Turm von der Reihe eins oder …?"."""
    if asked.kind not in (QuestionKind.WHICH_MOVE, QuestionKind.COMPLETE):
        return None
    if command.name in CASTLING_CHOICES:
        return SpokenMove(castling=CASTLING_CHOICES[command.name])
    file, rank = command.slot("file"), command.slot("rank")
    if command.name == "file" and isinstance(file, int):
        return SpokenMove(to_file=file)
    if command.name == "rank" and isinstance(rank, int):
        return SpokenMove(to_rank=rank)
    return None


def _in_question(board: chess.Board, spoken: SpokenMove, asked: Question) -> Decision | None:
    """`spoken` as an answer to the open question; None when it is none and stands for itself."""
    if asked.kind is QuestionKind.PROMOTION:
        named = spoken.promotion or (spoken.piece if spoken.to_file is None and spoken.to_rank is None else None)
        chosen = tuple(move for move in asked.candidates if move.promotion == named)
        if named is not None:
            return Play(chosen[0]) if chosen else NotUnderstood(UnclearReason.NO_SENSE)
    elif asked.kind is QuestionKind.COMPLETE and asked.partial is not None:
        if not _whole(spoken):
            return _decide_move(board, merge(asked.partial, spoken, asked.missing))
    elif asked.candidates:
        everything = (*asked.candidates, *asked.rest)
        chosen = answers_question(board, everything, spoken)
        if not chosen or (chosen == asked.candidates and len(chosen) == 1):
            chosen = answers_question(board, asked.candidates, spoken)
        if chosen:
            elsewhere = [move for move in fits(board, spoken) if move not in everything] if _whole(spoken) else []
            if elsewhere:
                # The words are also another whole move: which of the two?
                return Ask((*chosen, *elsewhere)[:MAX_CHOICES])
            return Play(chosen[0]) if len(chosen) == 1 else _narrowed(chosen)
        if _whole(spoken) and spoken.piece is None and spoken.castling is None and spoken.from_file is None:
            # A lone square after a question is likelier a misheard answer than a new pawn move: ask.
            whole = _decide_move(board, spoken)
            return Ask((whole.move,)) if isinstance(whole, Play) else whole
        if not spoken.complete and (spoken.piece is None or len(asked.candidates) > 1):
            return NotUnderstood(UnclearReason.NO_SENSE)
    return None


def _whole(spoken: SpokenMove) -> bool:
    """Whether this stands for itself: with a target, and more than a bare square."""
    return spoken.castling is not None or (spoken.complete and (spoken.piece or spoken.from_file) is not None)


def _decide_move(board: chess.Board, spoken: SpokenMove) -> Decision:
    found = fits(board, spoken)
    if not spoken.complete:
        return _partial(board, spoken, found)
    if spoken.castling is Castling.UNSPECIFIED and len(found) == 1:
        return Ask(found)
    if found:
        return _several(spoken, found)
    return _contradiction(board, spoken) or _other_pieces(board, spoken) or Refuse(why_illegal(board, spoken), spoken)


def _several(spoken: SpokenMove, found: tuple[chess.Move, ...]) -> Decision:
    if len(found) == 1:
        return Play(found[0])
    if len({(move.from_square, move.to_square) for move in found}) == 1:
        return AskPromotion(found)
    if any(move.promotion for move in found):
        # Which pawn first; the new piece is asked for when that is known.
        return Complete(spoken, Missing.FROM_FILE)
    if len(found) <= MAX_CHOICES:
        return Ask(found)
    # At most three pieces on one file reach a square, so naming the file suffices.
    return Complete(spoken, Missing.FROM_FILE)


def _narrowed(chosen: tuple[chess.Move, ...]) -> Decision:
    """What to do about the moves that an answer leaves of those asked about."""
    same = len({(move.from_square, move.to_square) for move in chosen}) == 1
    return AskPromotion(chosen) if same else Ask(chosen)


def _partial(board: chess.Board, spoken: SpokenMove, found: tuple[chess.Move, ...]) -> Decision:
    """A partial move. It is asked about even if only one legal move has that part."""
    if not found and spoken.to_file is not None and spoken.from_file is None:
        # "Dame Anna" can also name the queen that stands there.
        origin = replace(spoken, from_file=spoken.to_file, to_file=None)
        if fits(board, origin):
            return Complete(origin, Missing.TO_FILE)
    if not found and spoken.to_rank is not None and spoken.from_rank is None:
        origin = replace(spoken, from_rank=spoken.to_rank, to_rank=None)
        if fits(board, origin):
            return Complete(origin, Missing.TO_FILE)
    if not found:
        if spoken.en_passant and spoken.captures:
            return Refuse(Refusal("en_passant_nowhere"), spoken)
        if spoken.captured is not None and spoken == SpokenMove(captures=True, captured=spoken.captured):
            return Refuse(Refusal("cannot_capture", {"piece": Piece(spoken.captured)}), spoken)
        if spoken == SpokenMove(captures=True):
            return Refuse(Refusal("capture_nowhere"), spoken)
        if spoken.piece is not None:
            if not board.pieces_mask(spoken.piece, board.turn):
                return Refuse(Refusal("no_such_piece", {"piece": Piece(spoken.piece)}), spoken)
            if spoken == SpokenMove(piece=spoken.piece):
                # Ask for the target even if the piece has no move, to explain then why not.
                return Complete(spoken, Missing.TO_FILE)
            if spoken == SpokenMove(piece=spoken.piece, captures=True):  # "die Dame schlagen" names what is captured
                captured = SpokenMove(captures=True, captured=spoken.piece)
                if taken := fits(board, captured):
                    return _partial(board, captured, taken)
            key = one_or_many("cannot_move_like_that", board, spoken.piece)
            return Refuse(Refusal(key, {"piece": Piece(spoken.piece)}), spoken)
        return NotUnderstood(UnclearReason.NO_SENSE)
    if spoken == SpokenMove(captures=True, captured=spoken.captured):
        # "Nimm ihn": likelier the piece that has just moved.
        last = board.peek().to_square if board.move_stack else None
        found = tuple(move for move in found if move.to_square == last) or found
        if len(found) <= MAX_CHOICES and not any(move.promotion for move in found):
            return Ask(found)
    if len(found) == 1:
        return Ask(found)
    return Complete(spoken, missing_part(spoken))


def _contradiction(board: chess.Board, spoken: SpokenMove) -> Decision | None:
    """The decision if the announcement fits a legal move except for one part: "schlägt", the captured piece, "Schach",
    "matt" or a promotion; None if it does not."""
    for said, dropped in (
        (spoken.check is CheckWord.MATE, "no_mate"),
        (spoken.check is CheckWord.CHECK, "no_check"),
        (spoken.en_passant, "no_en_passant"),
        (spoken.captured is not None and _standing_on_target(board, spoken) is not None, "other_piece"),
        (spoken.captures or spoken.captured is not None, "nothing_to_capture"),
        (spoken.promotion is not None, "promotion_too_early"),
    ):
        if not said:
            continue
        plainer = without(spoken, dropped)
        found = fits(board, plainer)
        if found:
            decision = _several(plainer, found)
            moves = moves_of(decision)
            return Ask(moves[:MAX_CHOICES], _not_so(board, spoken, dropped)) if moves else decision
        if plainer != spoken:
            deeper = _contradiction(board, plainer)
            if deeper is not None:
                return deeper
    return None


def _not_so(board: chess.Board, spoken: SpokenMove, dropped: str) -> Refusal:
    slots: dict[str, Slot] = {}
    standing = _standing_on_target(board, spoken)
    if dropped in ("nothing_to_capture", "other_piece") and spoken.target is not None:
        slots["square"] = Square(spoken.target)
    if dropped == "other_piece" and standing is not None:
        slots["piece"] = Piece(standing)
    return Refusal(dropped, slots)


def _standing_on_target(board: chess.Board, spoken: SpokenMove) -> chess.PieceType | None:
    return None if spoken.target is None else board.piece_type_at(spoken.target)


def _other_pieces(board: chess.Board, spoken: SpokenMove) -> Decision | None:
    """Ask about other pieces that can go to a square said alone, which means a pawn; they are never played.

    Also asks about castling for "König Gustav eins".
    """
    assert spoken.to_file is not None or spoken.castling is not None
    if spoken.piece == chess.KING and spoken.castling is None and spoken.from_file is None and spoken.from_rank is None:
        castling = tuple(
            move
            for side in (Castling.KINGSIDE, Castling.QUEENSIDE)
            for move in fits(board, SpokenMove(castling=side))
            if chess.square_file(6 if side is Castling.KINGSIDE else 2) == spoken.to_file
        )
        if castling and spoken.to_rank == (0 if board.turn == chess.WHITE else 7):
            return Ask(castling)
    if spoken.piece is not None or spoken.castling is not None or spoken.target is None:
        return None
    others = tuple(
        move
        for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)
        for move in fits(board, replace(spoken, piece=kind))
    )
    if not others or len(others) > MAX_CHOICES:
        return None
    return Ask(others, Refusal("no_pawn", {"square": Square(spoken.target)}))
