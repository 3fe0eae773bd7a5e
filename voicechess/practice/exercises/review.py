"""After the game: the engine looks through it, the moments that mattered are told, and each can be played again.

Looking through takes a while: it says how far it is, and "stop" ends it with what has been seen until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import chess

from voicechess.game import events as ev
from voicechess.game.effects import Hush, Listen
from voicechess.language.thresholds import THRESHOLDS
from voicechess.meaning import Command, Expectation, Meaning, Question, Unclear
from voicechess.messages import Phrase, Side
from voicechess.moves.saying import said_move
from voicechess.practice.answers import yes_said
from voicechess.practice.describing import position_told
from voicechess.practice.effects import Examine, Examined, ExaminingFailed, PracticeEffect, StopExamining
from voicechess.practice.exercises.mates import announced_move
from voicechess.practice.exercises.moments import Evaluation, Moment, expected_points, find_moments, settled
from voicechess.practice.speaking import Speaker
from voicechess.practice.task import Judgement

Effects = tuple[PracticeEffect, ...]

TOLD_EVERY = 25
"""Progress is said in steps of so many percent."""

AS_GOOD = 0.03
"""A move is good too when it gives away no more than this of the points to be expected."""

CONTROLS = frozenset(
    ["repeat", "help", "stop", "end", "position", "next", "skip", "hint", "louder", "softer", "faster", "slower"]
)


class Step(Enum):
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
        self, start: chess.Board, moves: Sequence[chess.Move], speaker: Speaker, colour: chess.Color | None = None
    ) -> None:
        self.step = Step.WAITING
        self.correctable = False
        self.moments: tuple[Moment, ...] = ()
        self._start, self._moves, self._colour, self._speaker = start.copy(stack=False), tuple(moves), colour, speaker
        self._boards = _positions(self._start, self._moves)
        self._evaluations: list[Evaluation | None] = [settled(board) for board in self._boards]
        self._asked = [index for index, known in enumerate(self._evaluations) if known is None]
        self._told_percent = 0
        self._at = 0
        self._tried: chess.Move | None = None

    @property
    def busy(self) -> bool:
        """Whether the engine is looking at something."""
        return self.step in (Step.EXAMINING, Step.CHECKING)

    @property
    def over(self) -> bool:
        """Whether everything has been told."""
        return self.step is Step.DONE

    def handle(self, event: ev.Event) -> Effects:
        """What an event changes and what is to be done about it. Never raises."""
        match event:
            case ev.Started() if self.step is Step.WAITING:
                return self._begin()
            case Examined() if self.step is Step.EXAMINING:
                return self._examined(event)
            case Examined() if self.step is Step.CHECKING:
                return self._checked(event)
            case ExaminingFailed(reason=reason) if self.step in (Step.EXAMINING, Step.CHECKING):
                self.step = Step.DONE
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
            self.step = Step.DONE
            return self._speaker.say(Phrase("practice.review.no_game"))
        self.step = Step.EXAMINING
        counted = Phrase("practice.review.examining", {"count": len(self._asked)})
        return (
            *self._speaker.say(Phrase("practice.review.explain"), counted),
            Listen(Expectation(question=Question.EXERCISE, commands=CONTROLS)),
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
            self.step = Step.DONE
            return self._speaker.say(Phrase("practice.review.nothing_found"))
        return self._offer(0)

    # --- the moments ---------------------------------------------------------------------------------------------

    def _offer(self, number: int) -> Effects:
        """Tell a moment and offer to try again from there; behind the last one, end."""
        if number >= len(self.moments):
            self.step = Step.DONE
            return self._speaker.say(Phrase("practice.review.done"))
        self._at, self.step = number, Step.OFFERING
        return self._offer_again()

    def _offer_again(self) -> Effects:
        said = self._speaker.say(self.moments[self._at].told(self._at + 1), Phrase("practice.review.try_from"))
        return (*said, Listen(Expectation(question=Question.YES_NO, commands=CONTROLS)))

    def _ask_move(self) -> Effects:
        self.step = Step.TRYING
        board = self.moments[self._at].board
        said = self._speaker.say(*position_told(board), Phrase("practice.review.your_move", {"side": Side(board.turn)}))
        return (*said, Listen(Expectation(board, Question.EXERCISE, commands=CONTROLS)))

    def _tries(self, move: chess.Move) -> Effects:
        moment = self.moments[self._at]
        if move == moment.best:
            return (*self._speaker.say(Phrase("practice.review.best")), *self._offer(self._at + 1))
        if move == moment.played:
            return self._not_better(Phrase("practice.review.as_before"))
        board = moment.board
        board.push(move)
        self._tried, self.step = move, Step.CHECKING
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
        best = event.readings[0]
        close = [reading for reading in event.readings if reading.cost < best.cost + THRESHOLDS.margin]
        rivals = [r for r in close if r.words != best.words and not isinstance(r.meaning, Unclear)]
        if rivals or best.cost > THRESHOLDS.clean:
            return self._again(Phrase("practice.once_more"))
        for reading in close:
            done = self._command(reading.meaning) if isinstance(reading.meaning, Command) else None
            done = done if done is not None else self._answer(reading.meaning)
            if done is not None:
                return done
        if self.step is Step.OFFERING:
            return self._speaker.say(Phrase("practice.nothing_heard"), Phrase("practice.yes_or_no"))
        return self._again(Phrase("practice.nothing_heard"))

    def _command(self, command: Command) -> Effects | None:
        match command.name:
            case "stop" if self.step is Step.EXAMINING:
                return (StopExamining(), *self._speaker.say(Phrase("practice.review.stopped")), *self._tell())
            case "stop":
                return self._speaker.stop()
            case "end":
                self.step = Step.DONE
                return (StopExamining(), Hush(), *self._speaker.say(Phrase("practice.summary_none")))
            case "louder" | "softer" | "faster" | "slower":
                return self._speaker.adjust(command.name)
            case "next" | "skip" if self.step in (Step.OFFERING, Step.TRYING):
                return self._offer(self._at + 1)
            case "hint" if self.step is Step.TRYING:
                return self._not_better()
            case "help":
                return self._again(Phrase("practice.review.help"), Phrase("practice.help_also"))
            case "repeat" | "position":
                return self._again()
        return None

    def _answer(self, meaning: Meaning) -> Effects | None:
        if isinstance(meaning, Unclear):
            return None
        match self.step:
            case Step.OFFERING:
                yes = yes_said(meaning)
                if yes is None:
                    return None
                return self._ask_move() if yes else self._offer(self._at + 1)
            case Step.TRYING:
                move = announced_move(self.moments[self._at].board, meaning)
                if isinstance(move, Judgement):
                    return self._again(*(move.say or (Phrase("practice.expects.move"),)))
                return self._tries(move)
        return None

    def _again(self, *first: Phrase) -> Effects:
        """The open question once more."""
        match self.step:
            case Step.EXAMINING:
                percent = Phrase("practice.review.progress", {"percent": self._told_percent})
                return self._speaker.say(*first, percent)
            case Step.OFFERING:
                return (*self._speaker.say(*first), *self._offer_again())
            case Step.TRYING:
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
