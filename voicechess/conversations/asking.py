"""What conversations outside a game have in common: one question at a time, repeated, explained, and answered by word.

A subclass defines the open question and the effects of answers. Its sentences are in one table: the question itself, a
short form below `again`, an explanation below `help`. Sentences shared by all conversations: "welcome".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import chess

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Effect, Hush, Listen, Say, Sound
from voicechess.game.leafing import Leafing
from voicechess.language.folders import SWITCHES
from voicechess.language.thresholds import contenders
from voicechess.language.understanding import CHOICES
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
    Unclear,
)
from voicechess.messages import Phrase, Slot, Text, Tone
from voicechess.moves.decisions import NotUnderstood

SILENCE_MS = 9_000
"""Milliseconds of silence after which the question is repeated. Larger: longer silences."""

MISSES = 3
"""Misses or silences after which help is given; at the microphone check the keyboard is mentioned. Larger: later
help."""

BACK = ("take_back", "correct")
"""Commands that go back one question."""

AMONG_TALK = frozenset({"help", "repeat", "stop", "simul", *VOICE_CHANGES}) - {"sound_off"}
"""Commands recognised among bystanders' words, besides answers to the open question."""

MAXIMUM_MINUTES = 600
LONGEST_WORDS = 80


def awaited(
    question: QuestionKind, board: chess.Board | None = None, earlier: tuple[QuestionKind, ...] = ()
) -> Expectation:
    """What can be said to a question; `board`: including the moves that can be announced instead. `earlier`: previous
    questions, whose answers can be corrected."""
    return Expectation(board, Question(question, earlier=earlier), among_talk=AMONG_TALK)


CORRECTABLE = (
    *(QuestionKind.OPPONENT, QuestionKind.COLOUR, QuestionKind.LEVEL, QuestionKind.TIME, QuestionKind.DAYS),
    *(QuestionKind.ONLINE, QuestionKind.ONLINE_TIME, QuestionKind.RATED),
)
"""Questions that can be recognised by their answers, which can therefore be corrected later."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer. `before`: the state of the conversation when its `question` was open."""

    before: Mapping[str, object]
    question: QuestionKind
    meaning: Meaning
    event: ev.Heard


@dataclass
class Conversation(ABC):
    """A conversation. `by_voice`: the player speaks, so silence is noticed.

    If a subclass lists its state (`REMEMBERED`, first the attribute with the open question), "zurück" goes back one
    question, and an answer to an earlier question corrects that one: all later answers are then repeated, as far as
    they are asked for again.
    """

    REMEMBERED: ClassVar[tuple[str, ...]] = ()

    by_voice: bool = True
    _announcer: Announcer = field(default_factory=Announcer)
    _misses: int = 0
    _noisy: bool = False  # an utterance was not understood since the question was last asked
    _asked_at: int = 0
    _unsaid: set[int] = field(default_factory=set)
    _parts_told: int = 0  # of the help, one after the other
    _last: tuple[tuple[str, Mapping[str, Slot]], ...] = ()
    _trail: list[Given] = field(default_factory=list)
    _handbook: Leafing = field(default_factory=Leafing)
    _perhaps: tuple[Reading, ...] = ()  # suggestions being asked about, from words without a meaning

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Handle one event. Never raises; irrelevant events are ignored."""
        match event:
            case ev.Started():
                return self._begin(event.at_ms)
            case ev.Heard() if not self.over and self._handbook.open:
                self._asked_at = event.at_ms
                return self._leafed(event)
            case ev.Heard() if not self.over and self._is_only_noise(event):
                self._noisy = True
                return (Sound(Tone.NOT_UNDERSTOOD, alone=True),)
            case ev.Heard() if not self.over:
                self._asked_at = event.at_ms
                return self._heard(event)
            case ev.Spoken():
                self._asked_at = event.at_ms
                self._unsaid.discard(event.number)
            # Speech is not recognised while the program speaks, however long that takes.
            case ev.Tick() if not self.over and not self._unsaid:
                return self._tick(event.at_ms)
            case ev.DeviceLost() | ev.DeviceFound() | ev.Trouble():
                return (self._say(event.key),)
        return ()

    # --- what a subclass says ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether it is over."""

    @abstractmethod
    def _key(self, part: str = "") -> str:
        """Key of the open question; with `part` "again." its short form, with "help." its explanation."""

    @property
    @abstractmethod
    def _question(self) -> QuestionKind:
        """The kind of answer expected."""

    @abstractmethod
    def _begin(self, at_ms: int) -> tuple[Effect, ...]:
        """The first sentences."""

    @abstractmethod
    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        """Effect of this answer to the open question; None if it is no answer."""

    @abstractmethod
    def _end(self) -> tuple[Effect, ...]:
        """The player wants to quit."""

    def _slots(self) -> Mapping[str, Slot]:
        """Slots of the open question."""
        return {}

    # --- asking --------------------------------------------------------------------------------------------------

    def _ask_anew(self, at_ms: int) -> tuple[Effect, ...]:
        """Ask the new open question, and listen for its answer."""
        self._misses, self._asked_at = 0, at_ms
        return (*self._ask(), self._listen())

    @property
    def expectation(self) -> Expectation:
        """What can be said to the open question."""
        return awaited(self._question, earlier=self._earlier)

    def _listen(self) -> Listen:
        return Listen(awaited(QuestionKind.YES_NO) if self._handbook.open else self.expectation)

    def _ask(self) -> tuple[Effect, ...]:
        slots = dict(self._slots())
        self._last = ((self._key(), slots),)
        return (self._say(self._key(), **slots),)

    def _ask_again(self) -> tuple[Effect, ...]:
        """Ask the open question in short; "Wiederholen" repeats it in full."""
        return (self._say(self._key("again.")),)

    def _help(self) -> tuple[tuple[str, ...], ...]:
        """The keys of what "Hilfe" tells, part by part: what is waited for, then what else there is."""
        return (self._key("help."),), ("welcome.help.also",)

    def _helped(self) -> tuple[Effect, ...]:
        """The next part of it. A whole help takes a third of a minute."""
        parts = self._help()
        told = parts[self._parts_told % len(parts)]
        more = ("help.more",) if len(parts) > 1 and not self._parts_told else ()
        self._parts_told += 1
        return (*(self._say(key) for key in (*told, *more)), *self._ask_again())

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> tuple[Effect, ...]:
        offered, self._perhaps = self._perhaps, ()
        meaning = _of_these(offered, event.readings[0].meaning)
        doubted = isinstance(meaning, Command) and not contenders(event.readings).sure
        if event.perhaps and (doubted or isinstance(meaning, Unclear)):
            if doubted or len(event.perhaps) > 1 or event.perhaps[0].cost or event.perhaps[0].meaning == Command("end"):
                return self._ask_about(event.perhaps)
            meaning = event.perhaps[0].meaning  # all its words, in another order
        if meaning != Command("help"):
            self._parts_told = 0
        if meaning == Answer(AnswerKind.YES) and offered:
            return self._ask_about(offered)  # "ja" to "A oder B?" selects neither
        if meaning == Answer(AnswerKind.NO) and offered:
            return self._ask_again()
        if meaning == Command("end") and not contenders(event.readings).sure:
            return self._miss(event)  # a bystander's word must not end the conversation
        if isinstance(meaning, Command) and meaning.name in BACK and self.REMEMBERED:
            return self._back(event.at_ms)
        done = self._answered(meaning, event)
        if done is None:
            done = self._corrected(meaning, event)
        return done if done is not None else self._miss(event)

    def _answered(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        """Effect of this at the open question, which is remembered if another one is open afterwards."""
        given = Given(self._remembered(), self._question, meaning, event)
        self._trail.append(given)  # the next question offers corrections
        done = self._common(meaning, event.at_ms) if isinstance(meaning, Command) else None
        if done is None:
            done = self._answer(meaning, event)
        if done is None or not given.before or not self._worth_going_back_to(given.before):
            self._trail = [one for one in self._trail if one is not given]
        return done

    def _ask_about(self, pointed: tuple[Reading, ...]) -> tuple[Effect, ...]:
        """Ask whether one of these suggestions, from words without a meaning, is meant."""
        self._perhaps = pointed
        words = {name: Text(one.words) for name, one in zip(("words", "other"), pointed, strict=False)}
        return (self._say("confirm.meant" if len(pointed) == 1 else "confirm.either", **words),)

    def _common(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        """Handle what is the same at every question; None if this is not."""
        match command.name:
            case "help":
                return self._helped()
            case "repeat":
                return tuple(self._say(key, **slots) for key, slots in self._last)
            case "stop":
                return self._waited_for(self._announcer.stop())
            case name if name in SWITCHES:
                return (VOICE_CHANGES[name], self._say("welcome.language"), *self._ask(), self._listen())
            case name if name in VOICE_CHANGES:
                return self._waited_for(self._announcer.adjust_voice(name))
            case "handbook":
                return (*self._told(self._handbook.begin()), self._listen())
            case "end":
                return self._end()
        return None

    def _leafed(self, event: ev.Heard) -> tuple[Effect, ...]:
        """Handle a command during the handbook. Any other command closes it, and is obeyed."""
        self._misses = 0
        meaning = event.readings[0].meaning
        told = self._handbook.answer(meaning)
        if told is not None:
            closed = () if self._handbook.open else self._ask_anew(event.at_ms)
            return (Hush(), *self._told(told), *closed)
        if isinstance(meaning, Command) and meaning.name in SWITCHES:
            again = self._handbook.answer(Command("repeat")) or ()
            return (Hush(), VOICE_CHANGES[meaning.name], self._say("welcome.language"), *self._told(again))
        if isinstance(meaning, Command) and meaning.name in VOICE_CHANGES:
            return self._waited_for(self._announcer.adjust_voice(meaning.name))
        if not isinstance(meaning, Command):
            return (self._otherwise(event), *self._told((self._handbook.asks,)))
        self._handbook.open = False
        return (Hush(), self._say("leafing.closed"), *self._heard(event), self._listen())

    def _told(self, phrases: tuple[Phrase, ...]) -> tuple[Effect, ...]:
        return tuple(self._say(phrase.key, **phrase.slots) for phrase in phrases)

    # --- going back ----------------------------------------------------------------------------------------------

    def _remembered(self) -> Mapping[str, object]:
        return {name: getattr(self, name) for name in self.REMEMBERED}

    def _recall(self, known: Mapping[str, object]) -> None:
        for name, value in known.items():
            setattr(self, name, value)

    def _worth_going_back_to(self, before: Mapping[str, object]) -> bool:
        """Whether the open question differs from that in `before`."""
        return self._remembered()[self.REMEMBERED[0]] != before[self.REMEMBERED[0]]

    @property
    def _earlier(self) -> tuple[QuestionKind, ...]:
        """Kinds of the answered questions, latest first; without yes-no questions, which nothing else answers."""
        return tuple(dict.fromkeys(one.question for one in reversed(self._trail) if one.question in CORRECTABLE))

    def _back(self, at_ms: int) -> tuple[Effect, ...]:
        """Go back one question."""
        if not self._trail:
            return (self._say("welcome.no_way_back"), *self._ask_again())
        self._recall(self._trail.pop().before)
        return self._ask_anew(at_ms)

    def _corrected(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        """Correct the answer to an earlier question. "Nein" goes back."""
        if meaning == Answer(AnswerKind.NO) and self._trail:
            return self._back(event.at_ms)
        if not isinstance(meaning, Command) or not contenders(event.readings).sure:
            return None
        if meaning.slot("number") is not None and len(event.readings[0].words.split()) < 2:
            return None  # a lone number answers only the open question
        places = [
            place
            for place, one in enumerate(self._trail)
            if one.question in self._earlier
            and one.question is not self._question
            and meaning.name in CHOICES[one.question]
        ]
        return self._answered_instead(places[-1], meaning, event) if places else None

    def _answered_instead(self, place: int, meaning: Command, event: ev.Heard) -> tuple[Effect, ...] | None:
        """Replace the answer at `place` of the trail; then repeat the later ones, as far as they are asked for
        again."""
        now, trail, unsaid = self._remembered(), list(self._trail), set(self._unsaid)
        self._recall(trail[place].before)
        del self._trail[place:]
        done = self._answered(meaning, event)
        if done is None:
            self._recall(now)
            self._trail = trail
            return None
        told, question = self._chosen_instead(trail[place]), self.REMEMBERED[0]
        for given in () if self.over else trail[place + 1 :]:
            again = (
                self._answered(given.meaning, given.event)
                if given.before[question] == getattr(self, question)
                else None
            )
            if again is None:
                break
            done = again
        said = {effect.utterance.key for effect in done if isinstance(effect, Say)}
        first = () if told is None or self.over or told.key in said else (self._say(told.key, **told.slots),)
        self._unsaid, self._asked_at = unsaid, event.at_ms  # repeated answers are not asked for again
        return (*first, *self._waited_for(done))

    def _chosen_instead(self, given: Given) -> Phrase | None:
        """Announcement of a replaced answer; None: nothing."""
        return None

    def _is_only_noise(self, event: ev.Heard) -> bool:
        """Whether this, in a noisy room, is no reason to repeat the question once more."""
        return event.in_noise and self._misses > 0 and isinstance(event.readings[0].meaning, Unclear)

    def _miss(self, event: ev.Heard) -> tuple[Effect, ...]:
        self._misses += 1
        if self._misses % MISSES == 0:
            return self._give_up(event.at_ms)
        told = told_elsewhere(event.readings[0].meaning) if contenders(event.readings).sure else None
        if told is None:
            return (self._otherwise(event), *self._ask_again())
        heard = (self._otherwise(event),) if event.source is ev.Source.VOICE else ()
        return (*heard, self._say(told.key), *self._ask_again())

    def _otherwise(self, event: ev.Heard) -> Say:
        """Read back what was heard instead of an answer."""
        if not event.whole:
            return self._say("welcome.not_understood")
        meaning = event.readings[0].meaning
        if isinstance(meaning, Unclear) and meaning.reason.answered:
            return self._say(NotUnderstood(meaning.reason).phrase.key)
        return self._say("welcome.heard_otherwise", words=Text(event.words[:LONGEST_WORDS]))

    def _tick(self, at_ms: int) -> tuple[Effect, ...]:
        if not self.by_voice or at_ms - self._asked_at < SILENCE_MS:
            return ()
        self._asked_at = at_ms
        self._misses += 1
        if self._handbook.open:
            return self._told((self._handbook.asks,)) if self._misses == 1 else ()
        return self._silence(at_ms)

    def _silence(self, at_ms: int) -> tuple[Effect, ...]:
        if self._misses > MISSES:
            return ()  # the keyboard was mentioned; further silence is up to the player
        told = "welcome.not_understood" if self._noisy else "welcome.silence"
        self._noisy = False
        return (self._say(told), *self._ask_again())

    def _give_up(self, at_ms: int) -> tuple[Effect, ...]:
        return (*(self._say(key) for key in self._help()[0]), *self._ask_again())

    # --- speaking ------------------------------------------------------------------------------------------------

    def _say(self, key: str, **slots: Slot) -> Say:
        said = self._announcer.utterance(key, slots)
        self._unsaid.add(said.number)
        return Say(said)

    def _waited_for(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Count silence from the end of these utterances."""
        self._unsaid.update(effect.utterance.number for effect in effects if isinstance(effect, Say))
        return effects


def _of_these(offered: tuple[Reading, ...], said: Meaning) -> Meaning:
    """The suggestion, if the answer accepts it."""
    if said == Answer(AnswerKind.YES) and len(offered) == 1:
        return offered[0].meaning
    if isinstance(said, Answer) and said.choice is not None and said.choice <= len(offered):
        return offered[said.choice - 1].meaning
    return said


def number_in(meaning: Meaning, *names: str) -> int | None:
    """The number in a meaning, as the choice of one of these names, or as a rank."""
    if isinstance(meaning, Command):
        number = meaning.slot("number")
        return int(number) if number is not None and meaning.name in names else None
    if isinstance(meaning, SpokenMove) and meaning.to_rank is not None and meaning.to_file is None:
        return meaning.to_rank + 1
    return None


def ordinal_in(meaning: Meaning) -> int | None:
    """The number of an ordinal, from 1: "the second"."""
    return meaning.choice if isinstance(meaning, Answer) and meaning.kind is AnswerKind.CHOICE else None


def minutes_in(meaning: Meaning, *names: str) -> tuple[int, int] | None:
    """Minutes and increment in seconds in a meaning. None if it is no time control, or too long."""
    minutes = number_in(meaning, "minutes", "hours", *names)
    hours = isinstance(meaning, Command) and meaning.name == "hours"
    increment = int(meaning.slot("number2") or 0) if isinstance(meaning, Command) else 0
    if hours and minutes is not None:
        minutes, increment = 60 * minutes + increment, 0
    if minutes is None or not 1 <= minutes <= MAXIMUM_MINUTES:
        return None
    return minutes, increment
