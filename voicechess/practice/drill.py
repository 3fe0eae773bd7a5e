"""An exercise in progress: asks, assesses, helps, and records answers. Events and effects as in a game.

The next task is the follow-up of the last, otherwise one for a skill most in need of practice; no question comes twice
in a row. A task is determined by a skill and a random seed, so a bookmark can recreate it.

A doubtful answer is never counted: if rival readings would be assessed differently, the player is asked to repeat it,
and the second time it is read back for confirmation; "correction" withdraws the last wrong answer. For that, an answer
is scheduled only when the next task is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from statistics import median

import chess

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen
from voicechess.language.thresholds import contenders, load_thresholds
from voicechess.meaning import Command, Expectation, Meaning, QuestionKind, Reading, Unclear, UnclearReason
from voicechess.messages import Duration, Phrase, Slot, Text
from voicechess.moves.decisions import NotUnderstood
from voicechess.moves.saying import said_move
from voicechess.practice.answers import asked_about, expected, yes_said
from voicechess.practice.effects import Examine, Examined, ExaminingFailed, Keep, Mark, PracticeEffect, StopExamining
from voicechess.practice.schedule import Answered, Bookmark, Deck, Grade, grade
from voicechess.practice.task import MISFIT, AnswerVerdict, Assessment, Course, Task, level_told, same_question

# --- The next task ---

_DRAWS = 50
"""Attempts to draw a task that differs from the last. Larger: fewer repetitions, more computation."""


class TaskSequence:
    """The sequence of tasks of one course and those it leads to."""

    def __init__(self, course: Course, deck: Deck, random: Random) -> None:
        self.course = course
        self._deck, self._random = deck, random
        self._skill, self._seed, self._depth = "", 0, 0
        self._just_trained: tuple[str, ...] = ()

    def again(self, mark: Bookmark) -> Task | None:
        """Recreate the task at a bookmark; None if it is not of this course."""
        course = self.course
        if (mark.exercise, mark.level) != (course.key, course.level) or mark.skill not in course.skills():
            return None
        task: Task | None = course.task(mark.skill, Random(mark.seed))
        for _ in range(mark.depth):
            task = task.follow_up() if task is not None else None
        self._skill, self._seed, self._depth = mark.skill, mark.seed, mark.depth
        return task

    def after(self, last: Task | None, now: datetime) -> Task:
        """The task after `last`; None: the first one. `now` (UTC) decides what is due."""
        follow_up = last.follow_up() if last is not None else None
        if follow_up is not None:
            self._depth += 1
            return follow_up
        following = self.course.leads_to() if last is not None else None
        if following is not None:
            self.course = following
        self._just_trained = (*(last.skills if last is not None else ()), self._skill)
        task = self._drawn(now)
        for _ in range(_DRAWS):
            if not same_question(last, task):
                break
            self._just_trained = (*self._just_trained, self._skill)
            task = self._drawn(now)
        return task

    def _drawn(self, now: datetime) -> Task:
        self._skill = self._deck.pick(self.course.skills(), now, self._random, without=self._just_trained)
        self._seed, self._depth = self._random.getrandbits(48), 0
        return self.course.task(self._skill, Random(self._seed))

    def bookmark(self, asked: int, right: int) -> Bookmark:
        """A bookmark at the task made last, with the session's counts."""
        return Bookmark(self.course.key, self.course.level, self._skill, self._seed, self._depth, asked, right)


# --- The count of a session, and answers not yet scheduled ---


class Tally:
    """Counts the answers of one exercise and rates them in the deck. `level`: of the open task."""

    def __init__(self, deck: Deck, exercise: str, level: int, asked: int = 0, right: int = 0) -> None:
        self.asked, self.right, self.level = asked, right, level
        self._deck, self._exercise = deck, exercise
        self._pending: tuple[Answered, Grade] | None = None
        self._times: list[int] = []

    @property
    def median_ms(self) -> int | None:
        """Median time of this session's right answers in milliseconds; None without any."""
        return round(median(self._times)) if self._times else None

    def close(
        self,
        task: Task,
        at: datetime,
        *,
        solved: bool,
        tries: int,
        hints: int,
        answer_ms: int | None = None,
        imperfect: bool = False,
    ) -> tuple[Keep, ...]:
        """Count the answer of a closed task, and schedule and store the one before it."""
        kept = self.flush()
        clean = solved and tries == 1 and not hints and not imperfect
        mark = grade(solved, tries + imperfect, hints, answer_ms)
        self._pending = Answered(at, self._exercise, self.level, task.skills, clean, tries, hints, answer_ms), mark
        self.asked += 1
        self.right += clean
        if clean and answer_ms is not None:
            self._times.append(answer_ms)
        return kept

    def withdraw(self) -> bool:
        """Withdraw the last answer if it was wrong; returns whether there was one."""
        if self._pending is None or self._pending[0].right:
            return False
        self._pending = None
        self.asked -= 1
        return True

    def flush(self) -> tuple[Keep, ...]:
        """Schedule and store the last answer, which can then no longer be withdrawn."""
        if self._pending is None:
            return ()
        answer, mark = self._pending
        self._pending = None
        return (Keep(answer, self._deck.rate(answer.skills, mark, answer.at)),)


# --- The exercise: asking, recognising, assessing ---

Effects = tuple[PracticeEffect, ...]

REPORT_EVERY = 10
"""Number of tasks after which the count is announced. Larger: less often."""

GOOD_TOO = 200
"""Evaluation in centipawns, for the player, from which a wrong move is called good too instead of being refuted.
Larger: more are refuted."""

CONTROLS = frozenset(
    {
        *(
            "repeat",
            "help",
            "hint",
            "solution",
            "next",
            "skip",
            "correct",
            "take_back",
            "position",
            "position_whole",
            "ready",
            "how_good",
            "practise",
        ),
        *("stop", "end", "pause", "resume", *VOICE_CHANGES),
    }
)
"""Commands valid in every drill."""


def _lets_wait(meaning: Meaning | None) -> bool:
    """Whether a running refutation goes on: nothing was understood, or only a command to the voice."""
    if isinstance(meaning, Command):
        return meaning.name in ("stop", *VOICE_CHANGES)
    return meaning is None or isinstance(meaning, Unclear)


class Drill:
    """One exercise, beginning at one level. `began`: the wall-clock time (UTC) at `at_ms` 0; `random`: source of the
    tasks.

    With a `bookmark` of the same course it resumes there.
    """

    def __init__(
        self,
        course: Course,
        deck: Deck,
        random: Random,
        speaker: Announcer,
        began: datetime,
        bookmark: Bookmark | None = None,
    ) -> None:
        self.over = False
        self._speaker, self._began = speaker, began
        self._sequence = TaskSequence(course, deck, random)
        self._task: Task | None = None
        self._tally = Tally(deck, course.key, course.level)
        self._tries = self._hints = self._hints_told = self._helped = self._doubts = 0
        self._stepped = self._paused = False
        self._refuting: tuple[chess.Board, int] | None = None
        self._to_confirm: tuple[Meaning, str] | None = None
        self._question_number, self._question_ms = 0, 0
        self._now_ms = 0
        self._bookmark = bookmark
        self._controls: Mapping[str, Callable[[Task], Effects]] = {
            "repeat": self._repeat,
            "help": self._help,
            "hint": self._hint,
            "solution": self._give_up,
            "next": self._skip,
            "skip": self._skip,
            "unknown": self._give_up,
            "correct": self._correct,
            "take_back": self._take_back,
            "position": self._position,
            "position_whole": self._position,
            "ready": self._not_ready,
            "pause": self._pause,
            "resume": self._repeat,
            "end": self._end,
            "practise": self._end,
        }

    @property
    def course(self) -> Course:
        """The course of the open task."""
        return self._sequence.course

    @property
    def expectation(self) -> Expectation:
        """The expectation for the open task, or for the confirmation of an answer."""
        if self._to_confirm is not None:
            return expected(CONTROLS, QuestionKind.YES_NO)
        return expected(CONTROLS, QuestionKind.EXERCISE, None if self._task is None else self._task.board())

    @property
    def busy(self) -> bool:
        """Whether the engine is refuting a move."""
        return self._refuting is not None

    @property
    def task(self) -> Task | None:
        """The open task; None before the start."""
        return self._task

    @property
    def score(self) -> tuple[int, int]:
        """Numbers of tasks closed in this session, and of those right at the first try without help."""
        return self._tally.asked, self._tally.right

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises; ignores events that do not concern it."""
        self._now_ms = max(self._now_ms, event.at_ms)
        if self.over:
            return ()
        match event:
            case ev.Started() | ev.Resumed() if self._task is None:
                return self._begin()
            case ev.Heard() if self._task is not None:
                return self._heard(self._task, event)
            case ev.Spoken(number=number) if number == self._question_number:
                self._question_ms = event.at_ms
            case Examined(best=best, centipawns=centipawns) if self._task is not None:
                return self._refuted(self._task, best, centipawns)
            case ExaminingFailed() if self._task is not None:
                return self._refuted(self._task)
        return ()

    def leave(self) -> Effects:
        """Store the answer that could still have been withdrawn."""
        return self._tally.flush()

    # --- asking --------------------------------------------------------------------------------------------------

    def _begin(self) -> Effects:
        mark, course = self._bookmark, self.course
        task = self._sequence.again(mark) if mark is not None else None
        if mark is not None and task is not None:
            self._tally.asked, self._tally.right = mark.asked, mark.right
            name = Phrase(f"practice.exercise.{course.key}")
            going_on = Phrase("practice.going_on", {"exercise": name, "level": course.level})
            return (*self._speaker.say(going_on, *task.recap()), *self._put(task))
        explained = (Phrase(f"practice.{course.key}.explain"), level_told(course))
        return (*self._speaker.say(*explained), *self._next())

    def _next(self) -> Effects:
        last, level = self._task, self.course.level
        if last is not None and last.follow_up() is None and self.course.finished():
            return (Mark(None), *self._speaker.say(*self.course.finished()), *self._finish())
        task = self._sequence.after(self._task, self._now())
        self._tally.level = self.course.level
        led_on = () if self.course.level == level else self._speaker.say(level_told(self.course))
        return (*led_on, *self._put(task))

    def _put(self, task: Task) -> Effects:
        self._task = task
        self._tries = self._hints = self._hints_told = self._helped = 0
        self._stepped, self._doubts, self._to_confirm, self._refuting = False, 0, None, None
        said = (*task.preface(), *task.ask())
        return (Mark(self._sequence.bookmark(*self.score)), *self._asking(task, said))

    def _asking(self, task: Task, phrases: Sequence[Phrase]) -> Effects:
        said = self._speaker.say(*phrases)
        self._question_number, self._question_ms = self._speaker.last_number, self._now_ms
        return (*said, Listen(self.expectation))

    def _now(self) -> datetime:
        return self._began + timedelta(milliseconds=self._now_ms)

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, task: Task, event: ev.Heard) -> Effects:
        heard = contenders(event.readings)
        cost, first = heard.cost, heard.likeliest
        if self._refuting is not None and not _lets_wait(first):  # the player does not wait for the engine
            (_, began_ms), self._refuting = self._refuting, None
            goes_on = self._tries < task.tries or first == Command("correct")
            after = self._heard(task, event) if goes_on else self._was_wrong(task, began_ms, ())
            return (StopExamining(), *after)
        if isinstance(first, Unclear) and (first.text or first.reason.answered):
            told = NotUnderstood(first.reason, first.text).phrase
            return self._speaker.say(told)
        if first is None or isinstance(first, Unclear):
            if self._paused:
                return self._speaker.say(Phrase("practice.paused"))
            if self._to_confirm is not None:
                return self._confirmed(task, Unclear(UnclearReason.NO_SENSE), event)
            near = self._answer_near(task, heard.readings)
            if near is not None:
                return self._doubted(*near)
            asked = self._pointed_at(event.perhaps)
            return asked if asked is not None else self._missed(task, event.whole)
        clear = heard.sure and heard.agreed
        if isinstance(first, Command):
            # A control is not obeyed if an answer may have been said instead.
            done = self._command(task, first) if clear or first.name not in self._controls else self._once_more()
            if done is not None:
                return done
        if self._paused:
            return self._speaker.say(Phrase("practice.paused"))
        if self._to_confirm is not None:
            return self._confirmed(task, first if clear else Unclear(UnclearReason.NO_SENSE), event)
        found = self._assessed(task, heard.readings, event.words)
        if not found or cost > load_thresholds().ask:
            where = told_elsewhere(first) if clear else None
            words = Phrase("practice.heard_otherwise", {"words": Text(event.words)})
            return self._missed(task, event.words) if where is None else self._speaker.say(words, where)
        meaning, assessment = found[0]
        if cost > load_thresholds().clean or any(other != assessment for _, other in found[1:]):
            return self._doubted(meaning, event.words)
        return self._answered(task, assessment, event)

    def _once_more(self) -> Effects:
        return (*self._speaker.say(Phrase("practice.once_more")), Listen(self.expectation))

    def _command(self, task: Task, command: Command) -> Effects | None:
        match command.name:
            case "stop":
                return self._speaker.stop()
            case name if name in VOICE_CHANGES:
                return self._speaker.adjust_voice(name)
            case "resume" if self._paused:
                self._paused = False
            case name if self._paused and name != "end":
                return self._speaker.say(Phrase("practice.paused"))
        control = self._controls.get(command.name)
        return control(task) if control is not None else None

    @staticmethod
    def _assessed(task: Task, readings: Sequence[Reading], words: str) -> list[tuple[Meaning, Assessment]]:
        """The contenders with their assessments, without misfits if there is an answer among them."""
        assessed = [(reading.meaning, task.assess(reading.meaning, words)) for reading in readings]
        fitting = [pair for pair in assessed if pair[1].verdict is not AnswerVerdict.MISFIT]
        return fitting or [pair for pair in assessed if pair[1] != MISFIT][:1]

    @staticmethod
    def _answer_near(task: Task, readings: Sequence[Reading]) -> tuple[Meaning, str] | None:
        """An answer with its words among the readings when the likeliest has no meaning; None if there is none."""
        if task.board() is not None:  # nearly every sound resembles some move
            return None
        for one in readings:
            if one.words and task.assess(one.meaning, one.words).verdict is not AnswerVerdict.MISFIT:
                return one.meaning, one.words
        return None

    def _pointed_at(self, perhaps: Sequence[Reading]) -> Effects | None:
        """Ask about the commands that the words point to; None if they point to none. Answers are never guessed."""
        known = CONTROLS & self._controls.keys()
        found = [one for one in perhaps if isinstance(one.meaning, Command) and one.meaning.name in known]
        if not found:
            return None
        if len(found) == 1:
            self._to_confirm = (found[0].meaning, found[0].words)
        return (*self._speaker.say(asked_about(found)), Listen(self.expectation))

    def _doubted(self, meaning: Meaning, words: str) -> Effects:
        """Ask for a repetition because the contenders differ in assessment; the second time read the answer back."""
        self._doubts += 1
        if self._doubts == 1:
            return self._once_more()
        self._to_confirm = (meaning, words)
        said = self._speaker.say(Phrase("practice.did_you_say", {"words": Text(words)}))
        return (*said, Listen(self.expectation))

    def _confirmed(self, task: Task, meaning: Meaning, event: ev.Heard) -> Effects:
        yes = yes_said(meaning)
        doubted, words = self._to_confirm or (meaning, event.words)
        if yes is None:
            again = Phrase("practice.did_you_say", {"words": Text(words)})
            return (*self._speaker.say(again, Phrase("practice.yes_or_no")), Listen(self.expectation))
        self._to_confirm, self._doubts = None, 0
        if not yes:
            return (*self._speaker.say(Phrase("practice.then_again")), Listen(self.expectation))
        if isinstance(doubted, Command) and (done := self._command(task, doubted)) is not None:
            return done
        return self._answered(task, task.assess(doubted, words), event)

    def _missed(self, task: Task, words: str) -> Effects:
        heard = (
            Phrase("practice.heard_otherwise", {"words": Text(words)}) if words else Phrase("practice.nothing_heard")
        )
        return (*self._speaker.say(heard, task.expects()), Listen(self.expectation))

    # --- assessing -------------------------------------------------------------------------------------------------

    def _answered(self, task: Task, assessment: Assessment, event: ev.Heard) -> Effects:
        self._doubts = 0
        match assessment.verdict:
            case AnswerVerdict.MISFIT:
                return (*self._speaker.say(*(assessment.say or (task.expects(),))), Listen(self.expectation))
            case AnswerVerdict.GOES_ON:
                self._task, self._stepped, self._hints_told = assessment.task or task, True, 0
                return (*self._speaker.say(*assessment.say), Listen(self.expectation))
            case AnswerVerdict.RIGHT:
                return self._closed(
                    task, True, event.began_ms, (Phrase("practice.right"), *assessment.say), assessment.imperfect
                )
        self._tries += 1
        heard = Phrase("practice.wrong", {"words": Text(event.words)})
        if assessment.refute is None:
            return self._was_wrong(task, event.began_ms, (heard, *assessment.say))
        self._refuting = assessment.refute, event.began_ms
        return (*self._speaker.say(heard), Examine((assessment.refute,)))

    def _was_wrong(self, task: Task, began_ms: int, said: tuple[Phrase, ...]) -> Effects:
        if self._tries < task.tries:
            return (*self._speaker.say(*said, Phrase("practice.try_again")), Listen(self.expectation))
        self._tries -= 1  # `_closed` counts the last try
        return self._closed(task, False, began_ms, (*said, *task.solution()))

    def _refuted(self, task: Task, best: str | None = None, centipawns: int | None = None) -> Effects:
        """Explain a wrong move by the engine's reply `best` and its evaluation for the replying side; None:
        unavailable."""
        if self._refuting is None:
            return ()
        (board, began_ms), self._refuting = self._refuting, None
        if centipawns is not None and centipawns <= -GOOD_TOO:
            return self._was_wrong(task, began_ms, (Phrase("practice.good_too"),))
        try:
            answer = said_move(board, board.parse_uci(best or ""), names_captured=True)
        except ValueError:
            return self._was_wrong(task, began_ms, ())
        return self._was_wrong(task, began_ms, (Phrase("practice.refuted", {"move": answer}),))

    def _closed(
        self, task: Task, solved: bool, began_ms: int, said: tuple[Phrase, ...], imperfect: bool = False
    ) -> Effects:
        kept = self._tally.close(
            task,
            self._now(),
            solved=solved,
            tries=self._tries + 1,
            hints=self._hints,
            answer_ms=None if self._stepped else max(0, began_ms - self._question_ms),
            imperfect=imperfect,
        )
        report: tuple[Phrase, ...] = ()
        if self._tally.asked % REPORT_EVERY == 0:
            report = (Phrase("practice.so_far", self._counts()),)
        return (*kept, *self._speaker.say(*said, *report), *self._next())

    def _counts(self) -> dict[str, Slot]:
        return {"count": self._tally.asked, "right": self._tally.right}

    # --- commands ------------------------------------------------------------------------------------------------

    def _repeat(self, task: Task) -> Effects:
        if self._to_confirm is not None:
            again = Phrase("practice.did_you_say", {"words": Text(self._to_confirm[1])})
            return (*self._speaker.say(again), Listen(self.expectation))
        return self._asking(task, task.repeated())

    def _help(self, task: Task) -> Effects:
        """Explain the task; the following times the next part of the help."""
        explained = Phrase(f"practice.{self.course.key}.explain")
        parts = (
            (explained, task.expects(), Phrase("help.more")),
            (Phrase("practice.help"),),
            (Phrase("practice.help_also"),),
        )
        self._helped += 1
        said = self._speaker.say(*parts[(self._helped - 1) % len(parts)])
        return (*said, Listen(self.expectation))

    def _hint(self, task: Task) -> Effects:
        """The next hint, or the solution after the last one."""
        self._hints += 1
        hints = task.hints()
        if self._hints_told == len(hints):
            return self._give_up(task)
        self._hints_told += 1
        return (*self._speaker.say(*hints[self._hints_told - 1]), Listen(self.expectation))

    def _give_up(self, task: Task) -> Effects:
        return self._closed(task, False, self._now_ms, task.solution())

    def _skip(self, task: Task) -> Effects:
        """The next task, without counting this one."""
        said = self._speaker.say(*task.solution())
        return (*self._tally.flush(), *said, *self._next())

    def _correct(self, task: Task) -> Effects:
        """Withdraw the last wrong answer, which was misrecognised."""
        if self._tries:
            self._tries -= 1
        elif not self._tally.withdraw():
            return (*self._speaker.say(Phrase("practice.nothing_to_correct")), Listen(self.expectation))
        return (*self._speaker.say(Phrase("practice.corrected")), *self._asking(task, task.ask()))

    def _take_back(self, task: Task) -> Effects:
        before = task.take_back()
        if before is None:
            return (*self._speaker.say(Phrase("practice.nothing_to_take_back")), Listen(self.expectation))
        self._task = before
        return self._asking(before, before.ask())

    def _position(self, task: Task) -> Effects:
        told = task.position() or (Phrase("practice.no_position"),)
        return (*self._speaker.say(*told), Listen(self.expectation))

    def _not_ready(self, task: Task) -> Effects:
        return self._asking(task, (Phrase("practice.not_ready"), *task.ask()))

    def _pause(self, task: Task) -> Effects:
        self._paused = True
        return self._speaker.say(Phrase("practice.paused"))

    def _end(self, task: Task) -> Effects:
        return (Hush(), *self._finish())

    def _finish(self) -> Effects:
        kept = self._tally.flush()
        self.over = True
        key = "practice.summary" if self._tally.asked else "practice.summary_none"
        told = [Phrase(key, self._counts())]
        if self._tally.median_ms is not None:
            told.append(Phrase("practice.summary_time", {"duration": Duration(self._tally.median_ms)}))
        return (*kept, *self._speaker.say(*told))
