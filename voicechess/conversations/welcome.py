"""The conversation before a game: is the microphone heard, who plays, how strong, how long.

A second small state machine with the same events and effects as `game.session`. It ends with `outcome` set: settings
for a new game, "go on with the unfinished one", or the end. It keeps no state that outlives it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

import chess

from voicechess.game import events as ev
from voicechess.game.agreement import GameSettings, Player
from voicechess.game.effects import VOICE_CHANGES, Announcer, Effect, Listen, Say, SpeakLanguage
from voicechess.laws.time_controls import describe, parse_time
from voicechess.meaning import Answer, AnswerKind, Asked, Command, Expectation, Meaning, Question, SpokenMove
from voicechess.messages import Phrase, Side, Slot, Text

SILENCE_MS = 9_000
"""After this long without a word the question is asked once more."""

MISSES = 3
"""The number of misses or silences after which help is given; at the microphone check the keyboard is named."""

LANGUAGES = {"english": "en", "german": "de"}
"""Command -> the language that it asks for."""

MAXIMUM_MINUTES = 600
LEVELS = range(1, 11)


class WelcomeStep(Enum):
    """Which question is open."""

    MICROPHONE = "microphone"
    REMATCH = "rematch"
    UNFINISHED = "unfinished"
    USUAL = "usual"
    SETTINGS = "settings"
    OPPONENT = "opponent"
    COLOUR = "colour"
    LEVEL = "level"
    TIME = "time"
    DONE = "done"


class WelcomeOutcome(Enum):
    """How the conversation ended."""

    NEW_GAME = "new_game"
    GO_ON = "go_on"
    END = "end"


_QUESTIONS = {
    WelcomeStep.MICROPHONE: Question.TRY_MICROPHONE,
    WelcomeStep.REMATCH: Question.YES_NO,
    WelcomeStep.UNFINISHED: Question.YES_NO,
    WelcomeStep.USUAL: Question.YES_NO,
    WelcomeStep.SETTINGS: Question.YES_NO,
    WelcomeStep.OPPONENT: Question.OPPONENT,
    WelcomeStep.COLOUR: Question.COLOUR,
    WelcomeStep.LEVEL: Question.LEVEL,
    WelcomeStep.TIME: Question.TIME,
}


def description(settings: GameSettings) -> Phrase:
    """The settings in one sentence, as `welcome.description.*`."""
    time = parse_time(settings.time)
    slots: dict[str, Slot] = {"time": describe(time)}
    if settings.white is settings.black is Player.VOICE:
        return Phrase("welcome.description.person", slots)
    slots["side"] = Side(settings.white is Player.VOICE)
    slots["level"] = settings.level
    return Phrase("welcome.description.machine", slots)


@dataclass
class Welcome:
    """Asks what is needed for a game. `coin` decides "random" (True: White); `usual` are last time's terms.

    `settings`: the terms that hold where nothing else is agreed; in the end those of the game.

    `rematch`: the settings of the game before in this program, where there was one: a player who has just played is
    neither greeted nor is their microphone tried again. `three_words`: they have to be told the words that always work.
    """

    usual: GameSettings | None = None
    rematch: GameSettings | None = None
    three_words: bool = True
    unfinished: bool = False
    by_voice: bool = True
    coin: Callable[[], bool] = lambda: True
    settings: GameSettings = field(default_factory=GameSettings)
    outcome: WelcomeOutcome | None = None
    step: WelcomeStep = WelcomeStep.MICROPHONE
    _announcer: Announcer = field(default_factory=Announcer)
    _misses: int = 0
    _asked_at: int = 0
    _unsaid: set[int] = field(default_factory=set)
    _last: tuple[tuple[str, dict[str, Slot]], ...] = ()

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Answer one event. Never raises; anything that is not for this conversation is passed over."""
        match event:
            case ev.Started():
                return (*self._introduction(), *self._enter(self._first_step(), event.at_ms))
            case ev.Heard() if self.outcome is None:
                self._asked_at = event.at_ms
                return self._heard(event)
            case ev.Spoken():
                self._asked_at = event.at_ms
                self._unsaid.discard(event.number)
            # No player can be heard while the program speaks, however long that takes.
            case ev.Tick() if self.outcome is None and self.by_voice and not self._unsaid:
                return self._tick(event.at_ms)
            case ev.DeviceLost() | ev.DeviceFound() | ev.Trouble():
                return (self._say(event.key),)
        return ()

    # --- steps ---------------------------------------------------------------------------------------------------

    def _introduction(self) -> tuple[Effect, ...]:
        if self.rematch is not None:
            return ()
        greeting = self._say("welcome.greeting" if self.by_voice else "welcome.greeting_text")
        if not self.three_words:
            return (greeting,)
        return (greeting, self._say("welcome.other_language"), self._say("welcome.three_words"))

    def _first_step(self) -> WelcomeStep:
        if self.rematch is not None:
            return WelcomeStep.REMATCH
        return WelcomeStep.MICROPHONE if self.by_voice else self._after_microphone()

    def _after_microphone(self) -> WelcomeStep:
        if self.unfinished:
            return WelcomeStep.UNFINISHED
        return self._after_unfinished()

    def _after_unfinished(self) -> WelcomeStep:
        # A player who does not want the same again does not want it as always either.
        return WelcomeStep.USUAL if self.usual is not None and self.usual != self.rematch else self._after_usual()

    def _after_usual(self) -> WelcomeStep:
        # What the settings file says is offered where it says anything of its own, and nothing was offered like it.
        offered = (GameSettings(), *(terms for terms in (self.rematch, self.usual) if terms is not None))
        return WelcomeStep.OPPONENT if description(self.settings) in map(description, offered) else WelcomeStep.SETTINGS

    def _enter(self, step: WelcomeStep, at_ms: int) -> tuple[Effect, ...]:
        self.step, self._misses, self._asked_at = step, 0, at_ms
        if step is WelcomeStep.DONE:
            self.outcome = self.outcome or WelcomeOutcome.NEW_GAME
            return ()
        return (*self._ask(), Listen(Expectation(asked=Asked(_QUESTIONS[step]))))

    def _ask(self) -> tuple[Effect, ...]:
        slots: dict[str, Slot] = {}
        proposed = self._proposed
        if proposed is not None:
            slots = {"description": description(proposed)}
        self._last = ((f"welcome.{self.step.value}", slots),)
        return (self._say(f"welcome.{self.step.value}", **slots),)

    def _ask_again(self) -> tuple[Effect, ...]:
        """The open question in short; "Wiederholen" says it in full."""
        return (self._say(f"welcome.again.{self.step.value}"),)

    @property
    def _proposed(self) -> GameSettings | None:
        """The settings that the open question offers."""
        return {
            WelcomeStep.REMATCH: self.rematch,
            WelcomeStep.USUAL: self.usual,
            WelcomeStep.SETTINGS: self.settings,
        }.get(self.step)

    def _start(self, settings: GameSettings, at_ms: int) -> tuple[Effect, ...]:
        self.settings = settings
        self.outcome = WelcomeOutcome.NEW_GAME
        return (self._say("welcome.starting", description=description(settings)), *self._enter(WelcomeStep.DONE, at_ms))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> tuple[Effect, ...]:
        meaning = event.readings[0].meaning
        if isinstance(meaning, Command):
            common = self._common(meaning, event.at_ms)
            if common is not None:
                return common
        answer = self._answer(meaning, event)
        if answer is not None:
            return answer
        return self._miss(event)

    def _common(self, command: Command, at_ms: int) -> tuple[Effect, ...] | None:
        match command.name:
            case "help":
                told = (self._say(f"welcome.help.{self.step.value}"), self._say("welcome.help.also"))
                return (*told, *self._ask_again())
            case "repeat":
                return tuple(self._say(key, **slots) for key, slots in self._last)
            case "stop":
                return self._waited_for(self._announcer.stop())
            case name if name in VOICE_CHANGES:
                return self._waited_for(self._announcer.adjust_voice(name))
            case "english" | "german":
                changed: list[Effect] = [SpeakLanguage(LANGUAGES[command.name]), self._say("welcome.language")]
                if self.by_voice and command.name == "english":
                    changed.append(self._say("program.hears_german"))
                return (*changed, *self._ask(), Listen(Expectation(asked=Asked(_QUESTIONS[self.step]))))
            case "end":
                self.outcome = WelcomeOutcome.END
                return (self._say("welcome.end"),)
            case "usual" if self.usual is not None:
                return self._start(self.usual, at_ms)
        return None

    def _answer(self, meaning: Meaning, event: ev.Heard) -> tuple[Effect, ...] | None:
        at_ms = event.at_ms
        yes = meaning.kind is AnswerKind.YES if isinstance(meaning, Answer) else None
        match self.step:
            case WelcomeStep.MICROPHONE:
                typed = event.source is ev.Source.KEYBOARD
                if typed or (isinstance(meaning, SpokenMove) and (meaning.to_file, meaning.to_rank) == (0, 0)):
                    good = self._say("welcome.typed" if typed else "welcome.heard_well")
                    return (good, *self._enter(self._after_microphone(), at_ms))
            case WelcomeStep.UNFINISHED if isinstance(meaning, Answer):
                if yes:
                    self.outcome = WelcomeOutcome.GO_ON
                    return self._enter(WelcomeStep.DONE, at_ms)
                return self._enter(self._after_unfinished(), at_ms)
            case WelcomeStep.REMATCH | WelcomeStep.USUAL | WelcomeStep.SETTINGS if isinstance(meaning, Answer):
                if yes and self._proposed is not None:
                    self.settings, self.outcome = self._proposed, WelcomeOutcome.NEW_GAME
                    return self._enter(WelcomeStep.DONE, at_ms)  # its description was the question
                following = {WelcomeStep.REMATCH: self._after_microphone, WelcomeStep.USUAL: self._after_usual}.get(
                    self.step
                )
                return self._enter(WelcomeStep.OPPONENT if following is None else following(), at_ms)
            case WelcomeStep.OPPONENT if isinstance(meaning, Command) and meaning.name in ("machine", "person"):
                if meaning.name == "person":
                    self.settings = replace(self.settings, white=Player.VOICE, black=Player.VOICE)
                    return self._enter(WelcomeStep.TIME, at_ms)
                return self._enter(WelcomeStep.COLOUR, at_ms)
            case WelcomeStep.COLOUR:
                colour = self._colour(meaning)
                if colour is not None:
                    sides = (Player.VOICE, Player.ENGINE) if colour else (Player.ENGINE, Player.VOICE)
                    self.settings = replace(self.settings, white=sides[0], black=sides[1])
                    return (self._say("welcome.your_colour", side=Side(colour)), *self._enter(WelcomeStep.LEVEL, at_ms))
            case WelcomeStep.LEVEL:
                level = _number(meaning, "level")
                if level is not None and level in LEVELS:
                    self.settings = replace(self.settings, level=level)
                    return self._enter(WelcomeStep.TIME, at_ms)
            case WelcomeStep.TIME:
                time = _time(meaning)
                if time is not None:
                    return self._start(replace(self.settings, time=time), at_ms)
        return None

    def _colour(self, meaning: Meaning) -> chess.Color | None:
        if not isinstance(meaning, Command):
            return None
        if meaning.name == "random":
            return self.coin()
        colour = meaning.slot("colour")
        return bool(colour) if meaning.name == "colour" and colour is not None else None

    def _miss(self, event: ev.Heard) -> tuple[Effect, ...]:
        self._misses += 1
        if self._misses >= MISSES:
            return self._give_up(event.at_ms)
        if not event.words:
            return (self._say("welcome.not_understood"), *self._ask_again())
        return (self._say("welcome.heard_otherwise", words=Text(event.words[:80])), *self._ask_again())

    def _tick(self, at_ms: int) -> tuple[Effect, ...]:
        if at_ms - self._asked_at < SILENCE_MS:
            return ()
        self._asked_at = at_ms
        self._misses += 1
        if self._misses >= MISSES and self.step is WelcomeStep.MICROPHONE:
            return self._give_up(at_ms)
        if self._misses > MISSES:
            return ()  # the keyboard has been named; from here silence is the player's
        return (self._say("welcome.silence"), *self._ask_again())

    def _give_up(self, at_ms: int) -> tuple[Effect, ...]:
        if self.step is WelcomeStep.MICROPHONE:
            return (self._say("welcome.use_keyboard"), *self._enter(self._after_microphone(), at_ms))
        return (self._say(f"welcome.help.{self.step.value}"), *self._ask_again())

    def _say(self, key: str, **slots: Slot) -> Say:
        said = self._announcer.utterance(key, slots)
        self._unsaid.add(said.number)
        return Say(said)

    def _waited_for(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Silence is counted from the end of what these say."""
        self._unsaid.update(effect.utterance.number for effect in effects if isinstance(effect, Say))
        return effects


def _number(meaning: Meaning, *names: str) -> int | None:
    """A number, however it was understood: as the choice of one of these names, or as a rank."""
    if isinstance(meaning, Command):
        number = meaning.slot("number")
        return int(number) if number is not None and meaning.name in names else None
    if isinstance(meaning, SpokenMove) and meaning.to_rank is not None and meaning.to_file is None:
        return meaning.to_rank + 1
    return None


def _time(meaning: Meaning) -> str | None:
    """The clock's notation for what was said: "5", "5+3", "" for none. None when it is no time."""
    if isinstance(meaning, Command) and meaning.name == "untimed":
        return ""
    minutes = _number(meaning, "minutes", "hours")
    hours = isinstance(meaning, Command) and meaning.name == "hours"
    increment = meaning.slot("number2") if isinstance(meaning, Command) else None
    if hours and minutes is not None:
        minutes, increment = 60 * minutes + int(increment or 0), None
    if minutes is None or not 1 <= minutes <= MAXIMUM_MINUTES:
        return None
    return f"{minutes}+{int(increment)}" if increment else str(minutes)
