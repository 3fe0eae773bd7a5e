"""After the game: the engine looks through it, the moments that mattered are told, and each can be played again.

Looking through takes a while: it says how far it is, and "stop" ends it with what has been seen until then.

The moments are where a move gave away the most. What an evaluation is worth is measured as the share of points to be
expected, not in pawns: a pawn lost in an even game matters, one lost with a queen more does not. The curve is the one
Lichess publishes for its accuracy figures (https://lichess.org/page/accuracy).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import chess

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen
from voicechess.game.queries import opening_told
from voicechess.language.thresholds import contenders, load_thresholds
from voicechess.meaning import Command, Expectation, Meaning, QuestionKind, Unclear
from voicechess.messages import Ordinal, Phrase, Pieces, Side
from voicechess.moves.saying import said_move
from voicechess.practice.answers import expected, yes_said
from voicechess.practice.effects import Examine, Examined, ExaminingFailed, PracticeEffect, StopExamining
from voicechess.practice.exercises.mates import announced_move
from voicechess.practice.positions import position_in_short, position_told
from voicechess.practice.task import Assessment

# --- The moments that mattered ---

MATE = 20_000
"""Centipawns from here on mean mate: Sunfish calls it about 50 000, python-chess 100 000 here; no position has more."""

LEAST_LOSS = 0.08
"""A move that gives away less of the points to be expected (0 to 1) is no moment."""

MOST_MOMENTS = 3


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An engine's view of a position: centipawns for the side to move, and the best move (None: there is none)."""

    centipawns: int
    best: chess.Move | None


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A move that gave something away. `ply` counts from 0; `before`, `after`: centipawns for who made it."""

    ply: int
    fen: str
    played: chess.Move
    best: chess.Move
    before: int
    after: int

    @property
    def loss(self) -> float:
        """What was given away of the points to be expected, 0 to 1."""
        return expected_points(self.before) - expected_points(self.after)

    @property
    def board(self) -> chess.Board:
        """The position in which it was played."""
        return chess.Board(self.fen)

    def told(self, number: int) -> Phrase:
        """The moment in words, as the `number`-th."""
        board = self.board
        return Phrase(
            "practice.review.moment",
            {
                "which": Ordinal(number),
                "number": board.fullmove_number,
                "side": Side(board.turn),
                "played": said_move(board, self.played),
                "assessment": self.assessment(),
            },
        )

    def assessment(self) -> Phrase:
        """What it cost."""
        if self.before >= MATE > self.after:
            return Phrase("practice.review.lost_mate")
        if self.after <= -MATE < self.before:
            return Phrase("practice.review.allowed_mate")
        pawns = round((self.before - self.after) / 100)
        return (
            Phrase("practice.review.cost_pawns", {"pawns": Pieces(chess.PAWN, pawns)})
            if pawns
            else Phrase("practice.review.cost_little")
        )


def expected_points(centipawns: int) -> float:
    """The share of points to be expected, 0 to 1, for the side the centipawns are for."""
    return 1 / (1 + math.exp(-0.00368208 * max(-2000, min(2000, centipawns))))


def settled(board: chess.Board) -> Evaluation | None:
    """The evaluation of a position without moves or with a mate at once; None where an engine has to look.

    A mate at once is looked for here because an engine on a busy machine may run out of time before it sees it.
    """
    if not any(board.legal_moves):
        return Evaluation(-100_000 if board.is_check() else 0, None)
    mate = next((move for move in board.legal_moves if _mates(board, move)), None)
    return None if mate is None else Evaluation(99_999, mate)


def _mates(board: chess.Board, move: chess.Move) -> bool:
    if not board.gives_check(move):
        return False
    board.push(move)
    mated = board.is_checkmate()
    board.pop()
    return mated


def find_moments(
    start: chess.Board,
    moves: Sequence[chess.Move],
    evaluations: Sequence[Evaluation | None],
    colour: chess.Color | None = None,
) -> tuple[KeyMoment, ...]:
    """At most three moments, in the order of the game.

    `evaluations[i]` is of the position before move `i`, the last one of the end; None and missing ones are passed over.
    `colour`: whose moves are looked at, None for both.
    """
    board = start.copy(stack=False)
    found = []
    for ply, move in enumerate(moves):
        before = evaluations[ply] if ply < len(evaluations) else None
        after = evaluations[ply + 1] if ply + 1 < len(evaluations) else None
        looked_at = colour in (None, board.turn)
        best = before.best if before is not None else None
        if looked_at and before is not None and after is not None and best is not None and best != move:
            found.append(KeyMoment(ply, board.fen(), move, best, before.centipawns, -after.centipawns))
        board.push(move)
    worst = sorted(found, key=lambda moment: -moment.loss)[:MOST_MOMENTS]
    return tuple(sorted((m for m in worst if m.loss >= LEAST_LOSS), key=lambda moment: moment.ply))


MATE_SCORE = 100_000
"""Centipawns of a mate; in so many moves less than that."""

SURE_MATE = MATE_SCORE - 1_000

WORTH = ((30, "level"), (80, "slightly"), (200, "clearly"))
"""Below so many centipawns a position is called so, above them won: about where annotators write =, += and +-."""


def worth_told(board: chess.Board, centipawns: int, exactly: bool = False) -> Phrase:
    """What an engine's evaluation for the side to move says."""
    better, size = Side(board.turn == (centipawns > 0)), abs(centipawns)
    if size >= SURE_MATE:
        moves = MATE_SCORE - size
        key, slots = ("mate_next", {}) if moves <= 1 else ("mate", {"count": moves})
        return Phrase(f"practice.analysis.worth.{key}", {"side": better, **slots})
    if size >= MATE:
        return Phrase("practice.analysis.worth.mates", {"side": better})
    if exactly and size:
        return Phrase("practice.analysis.worth.exact", {"side": better, "count": size})
    key = next((key for below, key in WORTH if size < below), "won")
    return Phrase(f"practice.analysis.worth.{key}", {} if key == "level" else {"side": better})


# --- The conversation about them ---

Effects = tuple[PracticeEffect, ...]

TOLD_EVERY = 25
"""The step, in percent, in which progress is said."""

AS_GOOD = 0.03
"""A move is good too when it gives away no more than this of the points to be expected."""

CONTROLS = frozenset(
    [
        "repeat",
        "help",
        "stop",
        "end",
        "position",
        "position_whole",
        "next",
        "skip",
        "hint",
        "solution",
        "opening",
        *VOICE_CHANGES,
    ]
)


class ReviewStep(Enum):
    """What the review is doing."""

    WAITING = "waiting"
    EXAMINING = "examining"
    OFFERING = "offering"  # try again from this moment?
    TRYING = "trying"
    CHECKING = "checking"  # the engine looks at the move tried
    DONE = "done"


class Review:
    """One finished game: `start`, its `moves`, and whose mistakes are looked for (None: both sides')."""

    def __init__(
        self, start: chess.Board, moves: Sequence[chess.Move], speaker: Announcer, colour: chess.Color | None = None
    ) -> None:
        self.step = ReviewStep.WAITING
        self.moments: tuple[KeyMoment, ...] = ()
        self._start, self._moves, self._colour, self._speaker = start.copy(stack=False), tuple(moves), colour, speaker
        self._boards = _positions(self._start, self._moves)
        self._evaluations: list[Evaluation | None] = [settled(board) for board in self._boards]
        self._asked = [index for index, known in enumerate(self._evaluations) if known is None]
        self._told_percent = 0
        self._at = 0
        self._helped = False  # whether "Hilfe" has told what answers the open question
        self._tried: chess.Move | None = None

    @property
    def expectation(self) -> Expectation:
        """What can be said: a yes or no to the offer, a move in the position of the moment, else commands."""
        match self.step:
            case ReviewStep.OFFERING:
                return expected(CONTROLS, QuestionKind.YES_NO)
            case ReviewStep.TRYING | ReviewStep.CHECKING:
                return expected(CONTROLS, QuestionKind.EXERCISE, self.moments[self._at].board)
        return expected(CONTROLS, QuestionKind.EXERCISE)

    @property
    def busy(self) -> bool:
        """Whether the engine is looking at something."""
        return self.step in (ReviewStep.EXAMINING, ReviewStep.CHECKING)

    @property
    def over(self) -> bool:
        """Whether everything has been told."""
        return self.step is ReviewStep.DONE

    def handle(self, event: ev.Event) -> Effects:
        """What an event changes and what is to be done about it. Never raises."""
        match event:
            case ev.Started() if self.step is ReviewStep.WAITING:
                return self._begin()
            case Examined() if self.step is ReviewStep.EXAMINING:
                return self._examined(event)
            case Examined() if self.step is ReviewStep.CHECKING:
                return self._checked(event)
            case ExaminingFailed(reason=reason) if self.step in (ReviewStep.EXAMINING, ReviewStep.CHECKING):
                self.step = ReviewStep.DONE
                slots = {"reason": Phrase(f"opponent.{reason}")}
                return (StopExamining(), *self._speaker.say(Phrase("practice.review.failed", slots)))
            case ev.Heard() if not self.over and event.readings:
                return self._heard(event)
        return ()

    def leave(self) -> Effects:
        """The engine need not go on."""
        return (StopExamining(),)

    # --- looking through -----------------------------------------------------------------------------------------

    def _begin(self) -> Effects:
        if not self._moves:
            self.step = ReviewStep.DONE
            return self._speaker.say(Phrase("practice.review.no_game"))
        self.step = ReviewStep.EXAMINING
        counted = Phrase("practice.review.examining", {"count": len(self._asked)})
        return (
            *self._speaker.say(Phrase("practice.review.explain"), counted),
            Listen(self.expectation),
            Examine(tuple(self._boards[index] for index in self._asked)),
        )

    def _examined(self, event: Examined) -> Effects:
        index = self._asked[event.index]
        board = self._boards[index]
        best = _legal(board, event.best)
        if event.centipawns is not None and best is not None:
            self._evaluations[index] = Evaluation(event.centipawns, best)
        if event.index + 1 == len(self._asked):
            return self._tell()
        percent = 100 * (event.index + 1) // len(self._asked) // TOLD_EVERY * TOLD_EVERY
        if percent <= self._told_percent:
            return ()
        self._told_percent = percent
        return self._speaker.say(Phrase("practice.review.progress", {"percent": percent}))

    def _tell(self) -> Effects:
        self.moments = find_moments(self._start, self._moves, self._evaluations, self._colour)
        if not self.moments:
            self.step = ReviewStep.DONE
            return self._speaker.say(Phrase("practice.review.nothing_found"))
        count = len(self.moments)
        found = Phrase(
            "practice.review.found" if count > 1 else "practice.review.found_one", {"count": count} if count > 1 else {}
        )
        return (*self._speaker.say(found), *self._offer(0))

    # --- the moments ---------------------------------------------------------------------------------------------

    def _offer(self, number: int) -> Effects:
        """Tell a moment and offer to try again from there; behind the last one, end."""
        if number >= len(self.moments):
            self.step = ReviewStep.DONE
            return self._speaker.say(Phrase("practice.review.done"))
        self._at, self.step, self._helped = number, ReviewStep.OFFERING, False
        return self._offer_again()

    def _offer_again(self) -> Effects:
        said = self._speaker.say(self.moments[self._at].told(self._at + 1), Phrase("practice.review.try_from"))
        return (*said, Listen(self.expectation))

    def _ask_move(self) -> Effects:
        self.step = ReviewStep.TRYING
        board = self.moments[self._at].board
        said = self._speaker.say(
            *position_in_short(board), Phrase("practice.review.your_move", {"side": Side(board.turn)})
        )
        return (*said, Listen(self.expectation))

    def _tries(self, move: chess.Move) -> Effects:
        moment = self.moments[self._at]
        if move == moment.best:
            return (*self._speaker.say(Phrase("practice.review.best")), *self._offer(self._at + 1))
        if move == moment.played:
            return self._not_better(Phrase("practice.review.as_before"))
        board = moment.board
        board.push(move)
        self._tried, self.step = move, ReviewStep.CHECKING
        known = settled(board)
        if known is not None:
            return self._weighed(known.centipawns)
        return (*self._speaker.say(Phrase("practice.review.thinking")), Examine((board,)))

    def _checked(self, event: Examined) -> Effects:
        return self._weighed(event.centipawns or 0)

    def _weighed(self, centipawns_after: int) -> Effects:
        """Judge the tried move by what the other side has after it."""
        moment = self.moments[self._at]
        if expected_points(moment.before) - expected_points(-centipawns_after) <= AS_GOOD:
            return (*self._speaker.say(Phrase("practice.review.good")), *self._offer(self._at + 1))
        return self._not_better(Phrase("practice.review.not_better"))

    def _not_better(self, *verdict: Phrase) -> Effects:
        moment = self.moments[self._at]
        better = Phrase("practice.review.better_was", {"move": said_move(moment.board, moment.best)})
        return (*self._speaker.say(*verdict, better), *self._offer(self._at + 1))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> Effects:
        heard = contenders(event.readings)
        if not heard.meanings or heard.cost > load_thresholds().clean:
            return self._again(Phrase("practice.once_more"))
        for meaning in heard.meanings:
            done = self._command(meaning) if isinstance(meaning, Command) else None
            done = done if done is not None else self._answer(meaning)
            if done is not None:
                return done
        told = told_elsewhere(heard.likeliest) or Phrase("practice.nothing_heard")
        if self.step is ReviewStep.OFFERING:
            return self._speaker.say(told, Phrase("practice.yes_or_no"))
        return self._again(told)

    def _command(self, command: Command) -> Effects | None:
        match command.name:
            case "stop" if self.step is ReviewStep.EXAMINING:
                return (StopExamining(), *self._speaker.say(Phrase("practice.review.stopped")), *self._tell())
            case "stop":
                return self._speaker.stop()
            case "end":
                self.step = ReviewStep.DONE
                return (StopExamining(), Hush(), *self._speaker.say(Phrase("practice.summary_none")))
            case name if name in VOICE_CHANGES:
                return self._speaker.adjust_voice(name)
            case "next" | "skip" if self.step in (ReviewStep.OFFERING, ReviewStep.TRYING):
                return self._offer(self._at + 1)
            case "hint" | "solution" if self.step in (ReviewStep.OFFERING, ReviewStep.TRYING):
                return self._not_better()
            case "help":
                return self._help()
            case "opening":
                return self._again(opening_told(self._boards[-1]))
            case "position_whole" if self.step is ReviewStep.TRYING:
                return self._again(*position_told(self.moments[self._at].board))
            case "position" if self.step is ReviewStep.OFFERING:
                return self._again(*position_in_short(self.moments[self._at].board))
            case "position_whole" if self.step is ReviewStep.OFFERING:
                return self._again(*position_told(self.moments[self._at].board))
            case "repeat" | "position" | "position_whole":
                return self._again()
        return None

    def _help(self) -> Effects:
        """What answers the question; said again, what else there is."""
        self._helped = not self._helped
        if self.step is ReviewStep.OFFERING and self._helped:
            return (*self._speaker.say(Phrase("practice.review.help_offering"), Phrase("practice.review.try_from")),)
        return self._again(Phrase("practice.review.help"), Phrase("practice.help_also"))

    def _answer(self, meaning: Meaning) -> Effects | None:
        if isinstance(meaning, Unclear):
            return None
        match self.step:
            case ReviewStep.OFFERING:
                yes = yes_said(meaning)
                if yes is None:
                    return None
                return self._ask_move() if yes else self._not_better()
            case ReviewStep.TRYING:
                move = announced_move(self.moments[self._at].board, meaning)
                if isinstance(move, Assessment):
                    return self._again(*(move.say or (Phrase("practice.expects.move"),)))
                return self._tries(move)
        return None

    def _again(self, *first: Phrase) -> Effects:
        """The open question once more."""
        match self.step:
            case ReviewStep.EXAMINING:
                percent = Phrase("practice.review.progress", {"percent": self._told_percent})
                return self._speaker.say(*first, percent)
            case ReviewStep.OFFERING:
                return (*self._speaker.say(*first), *self._offer_again())
            case ReviewStep.TRYING:
                return (*self._speaker.say(*first), *self._ask_move())
        return self._speaker.say(*first, Phrase("practice.review.thinking"))


def _positions(start: chess.Board, moves: Sequence[chess.Move]) -> tuple[chess.Board, ...]:
    """The position before each move, and the last one; each with its moves, so that engines see repetitions."""
    board = start.copy()
    boards = [board.copy()]
    for move in moves:
        board.push(move)
        boards.append(board.copy())
    return tuple(boards)


def _legal(board: chess.Board, uci: str | None) -> chess.Move | None:
    try:
        move = board.parse_uci(uci or "")
    except ValueError:
        return None
    return move
