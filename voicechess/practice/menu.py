"""The conversation of practice: a menu that hands the floor to one exercise at a time.

It asks for exercise and level, or offers to resume at the bookmark; "end" leaves an exercise, and the conversation if
none is open. It has the same events and effects as a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol, runtime_checkable

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen
from voicechess.game.sight import Scene
from voicechess.language.thresholds import contenders
from voicechess.meaning import (
    Answer,
    AnswerKind,
    Command,
    Expectation,
    Meaning,
    QuestionKind,
    Unclear,
)
from voicechess.messages import Listing, Phrase, Text
from voicechess.moves.decisions import NotUnderstood
from voicechess.practice.answers import asked_about, expected, number_said, yes_said
from voicechess.practice.effects import Keep, Mark, PracticeEffect
from voicechess.practice.report import how_good
from voicechess.practice.schedule import Answered, Bookmark

# --- The conversation around the exercises ---

Effects = tuple[PracticeEffect, ...]

CONTROLS = frozenset(
    {
        *("repeat", "help", "stop", "end", "how_good", "practise", "take_back", "correct", "resume", "next", "skip"),
        *VOICE_CHANGES,
    }
)
"""Commands valid in the menu."""

MISSES = 3
"""Utterances not understood after which the exercises are read out again; before that the question is short. Larger:
later."""


class Exercise(Protocol):
    """An exercise in progress: `Drill`, `Blindfold`, `Review` and others."""

    @property
    def expectation(self) -> Expectation:
        """What can be said now."""

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""

    @property
    def busy(self) -> bool:
        """Whether no answer is expected now: it is computing, or a move can still be corrected."""

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""

    def leave(self) -> Effects:
        """The effects needed before it is abandoned, such as storing an answer."""


@runtime_checkable
class Visible(Protocol):
    """An exercise that sighted spectators can follow; others train what is seen without a board."""

    @property
    def scene(self) -> Scene | None:
        """What they see now; None: nothing."""


def scene_of(exercise: Exercise | None) -> Scene | None:
    """What spectators see of an exercise; None: nothing."""
    return exercise.scene if isinstance(exercise, Visible) else None


@dataclass(frozen=True, slots=True)
class ExerciseOffer:
    """An exercise on offer: its name in the language files, its number of levels (1: not asked for) and its
    constructor.

    `begin` takes the level and the bookmark to resume at; it returns a sentence if the exercise is not possible.
    `listed`: whether the menu names it; from one that it does not name nothing leads to the menu.
    """

    key: str
    levels: int
    begin: Callable[[int, Bookmark | None], Exercise | Phrase]
    listed: bool = True


class MenuStep(Enum):
    """The open question."""

    GO_ON = "go_on"
    EXERCISE = "exercise"
    LEVEL = "level"
    RUNNING = "running"
    DONE = "done"


class Practice:
    """The conversation.

    answers: all answers stored so far, oldest first.
    bookmark: the task at which an earlier session stopped.
    chosen: an exercise chosen beforehand; with `level` nothing is asked at all.
    """

    def __init__(
        self,
        entries: Sequence[ExerciseOffer],
        speaker: Announcer,
        *,
        answers: Sequence[Answered] = (),
        bookmark: Bookmark | None = None,
        chosen: str | None = None,
        level: int | None = None,
    ) -> None:
        self.step = MenuStep.DONE if not entries else MenuStep.EXERCISE
        self.exercise: Exercise | None = None
        self._entries: Mapping[str, ExerciseOffer] = {entry.key: entry for entry in entries}
        self._speaker = speaker
        self._answers = list(answers)
        self._bookmark = bookmark if bookmark is not None and bookmark.exercise in self._entries else None
        self._chosen = self._entries.get(chosen or "")
        self._level = level
        self._alone = self._chosen is not None
        self._running: ExerciseOffer | None = None  # that of `exercise`
        self._running_level = 1
        self._helped = 0  # number of help parts told in a row
        self._misses = 0  # since the question was asked in full
        self._perhaps: Command | None = None  # the command pointed to, which was asked about

    @property
    def expectation(self) -> Expectation:
        """The expectation of the exercise that has the floor, or for the open question."""
        if self.exercise is not None:
            return _with_how_good(self.exercise.expectation)
        if self._perhaps is not None:
            return expected(CONTROLS, QuestionKind.YES_NO, earlier=(QuestionKind.EXERCISE,))
        questions = {MenuStep.GO_ON: QuestionKind.YES_NO, MenuStep.LEVEL: QuestionKind.LEVEL}
        earlier = (QuestionKind.EXERCISE,) if self.step is MenuStep.LEVEL else ()  # another exercise can still be named
        return expected(CONTROLS, questions.get(self.step, QuestionKind.EXERCISE), earlier=earlier)

    @property
    def over(self) -> bool:
        """Whether the conversation has ended."""
        return self.step is MenuStep.DONE

    @property
    def busy(self) -> bool:
        """Whether the exercise that has the floor is busy."""
        return self.exercise is not None and self.exercise.busy

    @property
    def scene(self) -> Scene | None:
        """What sighted spectators see; None: nothing."""
        return scene_of(self.exercise)

    @property
    def answers(self) -> tuple[Answered, ...]:
        """All answers stored, including this session's."""
        return tuple(self._answers)

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        match event:
            case ev.DeviceLost() | ev.DeviceFound() | ev.Trouble():
                return self._trouble(event)
            case ev.Started() if self.exercise is None:
                welcome = () if self._alone else self._speaker.say(Phrase("practice.welcome"))
                return (*welcome, *self._first())
            case ev.Heard() if self._asks_how_good(event):
                return (*self._speaker.say(*how_good(self._answers)), Listen(self.expectation))
        if self.exercise is not None and self.step is MenuStep.RUNNING:
            other = self._another_level(event) if isinstance(event, ev.Heard) else None
            return other if other is not None else self._passed_on(self.exercise, event)
        if isinstance(event, ev.Heard) and not self.over:
            return self._heard(event)
        return ()

    def leave(self) -> Effects:
        """The effects needed before the exercise is abandoned."""
        return self.exercise.leave() if self.exercise is not None else ()

    def _trouble(self, event: ev.DeviceLost | ev.DeviceFound | ev.Trouble) -> Effects:
        """Announce trouble with a device, unless the exercise's game does so itself."""
        effects = self._passed_on(self.exercise, event) if self.exercise is not None else ()
        if effects:
            return effects
        if isinstance(event, ev.Trouble):
            return self._speaker.say(Phrase(event.key, {"detail": Text(event.detail)}))
        return self._speaker.say(Phrase(event.key))

    # --- the exercise that has the floor -------------------------------------------------------------------------

    def _passed_on(self, exercise: Exercise, event: ev.Event) -> Effects:
        effects = tuple(
            Listen(_with_how_good(effect.expectation)) if isinstance(effect, Listen) else effect
            for effect in exercise.handle(event)
        )
        self._answers += [effect.answer for effect in effects if isinstance(effect, Keep)]
        for effect in effects:
            if isinstance(effect, Mark) and effect.bookmark is not None:
                self._running_level = effect.bookmark.level
        if not exercise.over:
            return effects
        self.exercise = None
        if isinstance(event, ev.Heard) and contenders(event.readings).only == Command("practise"):
            self._leave_alone()
        if self._alone:
            self.step = MenuStep.DONE
            return effects
        self._bookmark = None
        return (*effects, *self._ask_exercise())

    def _leave_alone(self) -> None:
        """Go on in the menu, though an exercise was chosen beforehand."""
        self._alone = self._alone and self._running is not None and not self._running.listed

    def _another_level(self, event: ev.Heard) -> Effects | None:
        """The same exercise at another level; None if none was asked for."""
        running, heard = self._running, contenders(event.readings)
        if running is None or self.exercise is None or running.levels == 1 or not heard.sure or not heard.agreed:
            return None
        level = level_said(heard.likeliest, self._running_level)
        if level is None:
            return None
        if not 1 <= level <= running.levels:
            told = Phrase("practice.levels", {"levels": running.levels})
            return (*self._speaker.say(told), Listen(self.expectation))
        left = self.exercise.leave()
        self._answers += [effect.answer for effect in left if isinstance(effect, Keep)]
        return (Hush(), *left, *self._begin(running, level, None, event.at_ms))

    def _asks_how_good(self, event: ev.Heard) -> bool:
        best = event.readings[0].meaning if event.readings else None
        return isinstance(best, Command) and best.name == "how_good"

    # --- asking --------------------------------------------------------------------------------------------------

    def _first(self) -> Effects:
        if self._chosen is not None:
            return self._choose(self._chosen)
        if self._bookmark is not None:
            self.step = MenuStep.GO_ON
            return self._ask()
        return self._ask_exercise()

    def _ask_exercise(self) -> Effects:
        self.step = MenuStep.EXERCISE
        return self._ask()

    def _question(self) -> Phrase:
        match self.step:
            case MenuStep.GO_ON if self._bookmark is not None:
                name = Phrase(f"practice.exercise.{self._bookmark.exercise}")
                return Phrase("practice.go_on", {"exercise": name, "level": self._bookmark.level})
            case MenuStep.LEVEL if self._chosen is not None:
                name = Phrase(f"practice.exercise.{self._chosen.key}")
                return Phrase("practice.which_level", {"exercise": name, "levels": self._chosen.levels})
        return Phrase("practice.which_exercise", {"exercises": self._numbered()})

    def _numbered(self) -> Listing:
        """ "Eins: Notation, zwei: Felder, …"."""
        items = tuple(
            Phrase("practice.numbered", {"number": number, "exercise": Phrase(f"practice.exercise.{key}")})
            for number, key in enumerate(self._listed, 1)
        )
        return Listing(items, "")

    @property
    def _listed(self) -> list[str]:
        return [key for key, entry in self._entries.items() if entry.listed]

    def _ask(self) -> Effects:
        self._misses = 0
        return (*self._speaker.say(self._question()), Listen(self.expectation))

    def _choose(self, entry: ExerciseOffer) -> Effects:
        self._chosen = entry
        if self._level is None and entry.levels > 1:
            self.step = MenuStep.LEVEL
            return self._ask()
        return self._begin(entry, min(self._level or 1, entry.levels), None)

    def _begin(self, entry: ExerciseOffer, level: int, bookmark: Bookmark | None, at_ms: int = 0) -> Effects:
        begun = entry.begin(level, bookmark)
        if isinstance(begun, Phrase):
            self._chosen = None
            if self._alone:
                self.step = MenuStep.DONE
                return self._speaker.say(begun)
            return (*self._speaker.say(begun), *self._ask_exercise())
        self.exercise, self.step, self._level = begun, MenuStep.RUNNING, None
        self._running, self._running_level = entry, level
        return self._passed_on(begun, ev.Started(at_ms=at_ms))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> Effects:
        heard, offered = contenders(event.readings), self._perhaps
        self._perhaps = None
        if heard.only != Command("help"):
            self._helped = 0
        if isinstance(heard.likeliest, Unclear) and heard.likeliest.reason.answered:
            return self._speaker.say(NotUnderstood(heard.likeliest.reason).phrase)
        answer = heard.likeliest if heard.sure else None
        yes = yes_said(answer) if answer is not None else None
        if offered is not None and yes is not None:
            done = (self._command(offered) or self._answer(offered, event.at_ms)) if yes else self._ask()
            return done if done is not None else self._missed(event.whole)
        commands = [one for one in event.perhaps if isinstance(one.meaning, Command)]
        pointed = [one for one in commands if number_said(one.meaning) is None]  # "Ein?" asks nothing
        if not heard.sure and pointed:
            self._perhaps = (
                pointed[0].meaning if len(pointed) == 1 and isinstance(pointed[0].meaning, Command) else None
            )
            return (*self._speaker.say(asked_about(pointed)), Listen(self.expectation))
        if not heard.sure:
            return self._missed(event.whole)
        for meaning in heard.meanings:
            done = self._command(meaning) if isinstance(meaning, Command) else None
            done = done if done is not None else self._answer(meaning, event.at_ms)
            if done is not None:
                return done
        told = told_elsewhere(heard.likeliest)
        if told is None:
            return self._missed(event.whole)
        words = Phrase("practice.heard_otherwise", {"words": Text(event.words)})
        return (*self._speaker.say(words, told), *self._ask())

    def _command(self, command: Command) -> Effects | None:
        match command.name:
            case "stop":
                return self._speaker.stop()
            case "repeat":
                return self._ask()
            case "practise":
                self._leave_alone()
                return self._ask_exercise() if not self._alone else None
            case "unknown" if self.step is MenuStep.EXERCISE:
                return self._speaker.say(Phrase("practice.begin_with", {"exercise": self._first_exercise}))
            case "take_back" | "correct":
                return self._back()
            case "help":
                return self._help()
            case name if name in VOICE_CHANGES:
                return self._speaker.adjust_voice(name)
            case "end":
                self.step = MenuStep.DONE
                return (Hush(), *self._speaker.say(Phrase("practice.goodbye")))
        return None

    @property
    def _first_exercise(self) -> Phrase:
        return Phrase(f"practice.exercise.{self._listed[0]}")

    def _help(self) -> Effects:
        """What answers the question, which is put again; said again, what else there is."""
        self._helped += 1
        if self._helped % 2:
            told = Phrase(f"practice.help_{self.step.value}"), Phrase("help.more")
            return (*self._speaker.say(*told), *self._ask())
        return (*self._speaker.say(Phrase("practice.help_also")), Listen(self.expectation))

    def _answer(self, meaning: Meaning, at_ms: int) -> Effects | None:
        match self.step:
            case MenuStep.GO_ON:
                yes = yes_said(meaning) if meaning != Command("resume") else True  # "Weitermachen?"
                if yes is None:
                    return None
                mark = self._bookmark
                if yes and mark is not None:
                    return self._begin(self._entries[mark.exercise], mark.level, mark, at_ms)
                return self._ask_exercise()
            case MenuStep.EXERCISE if (wanted := level_said(meaning)) is not None:
                self._level = wanted
                told = Phrase("practice.level_first", {"level": wanted})
                return self._speaker.say(told, Phrase("practice.which_exercise_again"))
            case MenuStep.EXERCISE:
                entry = self._named(meaning)
                return None if entry is None else self._choose(entry)
            case MenuStep.LEVEL if yes_said(meaning) is False:
                return self._back()
            case MenuStep.LEVEL if self._chosen is not None:
                level = number_said(meaning) if level_said(meaning) is None else level_said(meaning)
                another = self._named(meaning) if level is None else None
                if another is not None:
                    return self._choose(another)
                if meaning == Command("unknown"):
                    level = 1
                if level is None or not 1 <= level <= self._chosen.levels:
                    return None
                return self._begin(self._chosen, level, None, at_ms)
        return None

    def _back(self) -> Effects:
        """Return to the previous question."""
        if self.step is MenuStep.LEVEL and not self._alone:
            return self._ask_exercise()
        if self.step is MenuStep.EXERCISE and self._bookmark is not None:
            self.step = MenuStep.GO_ON
            return self._ask()
        return (*self._speaker.say(Phrase("practice.no_way_back")), *self._ask())

    def _named(self, meaning: Meaning) -> ExerciseOffer | None:
        if isinstance(meaning, Command) and meaning.name.startswith("exercise_"):
            return self._entries.get(meaning.name.removeprefix("exercise_"))
        number = number_said(meaning)
        if isinstance(meaning, Answer) and meaning.kind is AnswerKind.CHOICE:  # "die erste"
            number = meaning.choice
        keys = self._listed
        return self._entries[keys[number - 1]] if number is not None and 1 <= number <= len(keys) else None

    def _missed(self, words: str) -> Effects:
        heard = (
            Phrase("practice.heard_otherwise", {"words": Text(words)}) if words else Phrase("practice.nothing_heard")
        )
        self._misses += 1
        if self.step is MenuStep.GO_ON:
            return self._speaker.say(heard, Phrase("practice.yes_or_no"))
        if self.step is MenuStep.EXERCISE and self._misses < MISSES:
            return self._speaker.say(heard, Phrase("practice.which_exercise_again"))
        return (*self._speaker.say(heard), *self._ask())


def level_said(meaning: Meaning | None, running: int | None = None) -> int | None:
    """The level asked for; `running`: the present one, to which "the next level" refers. None: no level was said."""
    match meaning:
        case Command("set_level"):
            number = meaning.slot("number")
            return None if number is None else int(number)
        case Command("next_level") if running is not None:
            return running + 1
    return None


def _with_how_good(expectation: Expectation) -> Expectation:
    """The expectation with "Wie gut bin ich", which is answered during every exercise."""
    if expectation.commands is None:
        return expectation
    return replace(expectation, commands=expectation.commands | {"how_good"})
