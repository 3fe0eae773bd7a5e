"""Review of a finished game: the engine analyses it, the key moments are told, and each can be tried again.

The analysis takes a while: progress is reported, and "stop" ends it with the results so far.

Key moments are the moves that lost the most expected points, not pawns: a pawn lost in an even game matters, one lost
when a queen up does not. The curve is the one that Lichess publishes for its accuracy figures
(https://lichess.org/page/accuracy).
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
from voicechess.game.sight import Scene
from voicechess.language.thresholds import contenders, load_thresholds
from voicechess.meaning import Command, Expectation, Meaning, QuestionKind, Unclear
from voicechess.messages import Ordinal, Phrase, Pieces, Side
from voicechess.moves.saying import said_move
from voicechess.practice.answers import expected, yes_said
from voicechess.practice.effects import Examine, Examined, ExaminingFailed, PracticeEffect, StopExamining
from voicechess.practice.exercises.mates import announced_move
from voicechess.practice.positions import position_in_short, position_told
from voicechess.practice.task import Assessment

# --- Key moments ---

MATE = 20_000
"""Centipawns from which an evaluation means mate: Sunfish gives about 50 000, python-chess 100 000, and no material
advantage reaches it."""

LEAST_LOSS = 0.08
"""Smallest loss of expected points, 0 to 1, of a key moment. Larger: fewer moments."""

MOST_MOMENTS = 3  # told of a game


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An engine's evaluation: centipawns for the side to move, and the best move (None: there is none)."""

    centipawns: int
    best: chess.Move | None


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """A move that lost expected points.

    ply: from 0.
    fen: the position before it.
    before, after: evaluations in centipawns for the side that made it.
    """

    ply: int
    fen: str
    played: chess.Move
    best: chess.Move
    before: int
    after: int

    @property
    def loss(self) -> float:
        """The loss of expected points, 0 to 1."""
        return expected_points(self.before) - expected_points(self.after)

    @property
    def board(self) -> chess.Board:
        """The position before the move."""
        return chess.Board(self.fen)

    def told(self, number: int) -> Phrase:
        """The moment in a sentence; `number` from 1."""
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
        """What the move cost, in words."""
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
    """The expected share of points, 0 to 1, at an evaluation in centipawns."""
    return 1 / (1 + math.exp(-0.00368208 * max(-2000, min(2000, centipawns))))


def settled(board: chess.Board) -> Evaluation | None:
    """The evaluation of a position without moves or with a mate in one; None if the engine is needed.

    Mates in one are searched here because an engine on a busy machine may run out of time before finding them.
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
    """The key moments, at most `MOST_MOMENTS`, in the order of the game.

    `evaluations[i]` is of the position before move `i`, the last one of the final position; None and missing ones are
    skipped. `colour`: the side whose moves are considered, None for both.
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
"""Centipawns of a mate, less one for each move until it."""

SURE_MATE = MATE_SCORE - 1_000  # centipawns from which the distance to mate is known

WORTH = ((30, "level"), (80, "slightly"), (200, "clearly"))
"""Upper bounds in centipawns of the names of an advantage, winning beyond the last: about where annotators change from
= to += and +-."""


def worth_told(board: chess.Board, centipawns: int, exactly: bool = False) -> Phrase:
    """An evaluation for the side to move in words; `exactly`: with centipawns."""
    better, size = Side(board.turn == (centipawns > 0)), abs(centipawns)
    if size >= SURE_MATE:
        moves = MATE_SCORE - size
        key, slots = ("mate_next", {}) if moves <= 1 else ("mate", {"count": moves})
        return Phrase(f"practice.analysis.worth.{key}", {"side": better, **slots})
    if size >= MATE:
        return Phrase("practice.analysis.worth.mates", {"side": better})
    if exactly and size:
        key, slots = ("exact", {"count": size}) if size > 1 else ("exact_one", {})
        return Phrase(f"practice.analysis.worth.{key}", {"side": better, **slots})
    key = next((key for below, key in WORTH if size < below), "won")
    return Phrase(f"practice.analysis.worth.{key}", {} if key == "level" else {"side": better})


# --- The conversation ---

Effects = tuple[PracticeEffect, ...]

TOLD_EVERY = 25
"""Interval of progress reports in percent. Larger: rarer."""

AS_GOOD = 0.03
"""Largest loss of expected points, 0 to 1, of a tried move that is called good. Larger: more are."""

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
    """The state of the review."""

    WAITING = "waiting"
    EXAMINING = "examining"
    OFFERING = "offering"  # asks whether to try again from this moment
    TRYING = "trying"  # waits for a move
    CHECKING = "checking"  # the engine analyses the move tried
    DONE = "done"


class Review:
    """The review of one game: its `start`, its `moves`, and the side whose mistakes are sought (`colour` None:
    both)."""

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
        self._helped = False  # whether help on the open question has been given
        self._tried: chess.Move | None = None

    @property
    def expectation(self) -> Expectation:
        """Yes or no to an offer, a move in the position of the moment, otherwise commands."""
        match self.step:
            case ReviewStep.OFFERING:
                return expected(CONTROLS, QuestionKind.YES_NO)
            case ReviewStep.TRYING | ReviewStep.CHECKING:
                return expected(CONTROLS, QuestionKind.EXERCISE, self.moments[self._at].board)
        return expected(CONTROLS, QuestionKind.EXERCISE)

    @property
    def busy(self) -> bool:
        """Whether the engine is analysing."""
        return self.step in (ReviewStep.EXAMINING, ReviewStep.CHECKING)

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is ReviewStep.DONE

    @property
    def scene(self) -> Scene | None:
        """The position of the moment, once there are any."""
        if self.step in (ReviewStep.OFFERING, ReviewStep.TRYING, ReviewStep.CHECKING):
            return Scene(self.moments[self._at].board, here=self.step is ReviewStep.TRYING)
        return None

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
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
        """Stop the engine."""
        return (StopExamining(),)

    # --- analysis ------------------------------------------------------------------------------------------------

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
        """Tell a moment and offer to try again from there; end after the last one."""
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
        """Assess the tried move by the opponent's evaluation after it."""
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
        """Help on the open question; the second time on everything else."""
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
        """Repeat the open question, after the sentences `first`."""
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
    """All positions of the game, each with its move stack, so that engines see repetitions."""
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
