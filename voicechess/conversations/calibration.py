"""The calibration as a conversation: phrases are read out, repeated by the player, and compared.

A small state machine with the same events and effects as `game.session`. It ends with `over`; `learnt` then says what
this speaker's words are taken for, None when it was broken off, `level` how loud they usually speak, and `fit` how well
their speech fits at least, where that is less than usual.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from voicechess.game import events as ev
from voicechess.game.effects import VOICE_CHANGES, Announcer, Effect, Hush, Listen, Say
from voicechess.language.confusions import Confusions
from voicechess.language.lexicon import Lexicon
from voicechess.language.personal import learn, least_fit
from voicechess.meaning import Command, Expectation, Question, QuestionKind, SpeakingLevel, typical_level
from voicechess.messages import Listing, Phrase, Slot, Text

SILENCE_MS = 9_000
"""Milliseconds of silence after which the phrase is read out again. Larger: longer silences."""

MISSES = 3
"""Consecutive silences or empty results after which the calibration is aborted. Larger: later."""

RIGHT = 0.5
"""Least share of phrases recognised correctly, 0 to 1; below it what was recognised may not have been speech. Larger:
less is learnt."""


@dataclass
class Calibrating:
    """Reads out `phrases` one by one. `heard`: the phrases so far with what was heard for each.

    `levels`, `fits`: tell the levels of what was heard from the microphone until now, and how well it fitted its words.
    """

    phrases: Sequence[str]
    lexicon: Lexicon
    over: bool = False
    learnt: Confusions | None = None
    level: SpeakingLevel | None = None
    fit: float | None = None
    levels: Callable[[], Sequence[SpeakingLevel]] = tuple
    fits: Callable[[], Sequence[float]] = tuple
    heard: list[tuple[str, str]] = field(default_factory=list)
    _announcer: Announcer = field(default_factory=Announcer)
    _helped: int = 0  # parts of the help told in a row
    _misses: int = 0
    _asked_at: int = 0

    @property
    def expectation(self) -> Expectation:
        """What can be said to a phrase that was read out."""
        return Expectation(asked=Question(QuestionKind.TRY_MICROPHONE))

    def handle(self, event: ev.Event) -> tuple[Effect, ...]:
        """Handle one event. Never raises; irrelevant events are ignored."""
        if self.over:
            return ()
        match event:
            case ev.Started():
                self._asked_at = event.at_ms
                intro = self._say("calibrate.intro", count=len(self.phrases))
                return (intro, self._read_out(), Listen(self.expectation))
            case ev.Heard():
                self._asked_at = event.at_ms
                return self._heard(event)
            case ev.Spoken():
                self._asked_at = event.at_ms
            case ev.Tick() if event.at_ms - self._asked_at >= SILENCE_MS:
                self._asked_at = event.at_ms
                return self._missed()
            case ev.DeviceLost() | ev.DeviceFound() | ev.Trouble():
                return (self._say(event.key),)
        return ()

    def _heard(self, event: ev.Heard) -> tuple[Effect, ...]:
        meaning = event.readings[0].meaning
        if meaning == Command("help"):
            return (*self._help(), self._read_out())
        self._helped = 0
        if isinstance(meaning, Command) and meaning.name in ("end", "stop"):
            self.over = True
            return (Hush(), self._say("calibrate.broken_off"))
        if isinstance(meaning, Command) and meaning.name == "repeat":
            return (self._read_out(),)
        if isinstance(meaning, Command) and meaning.name in ("take_back", "correct"):
            told = () if self.heard else (self._say("calibrate.no_way_back"),)
            del self.heard[-1:]
            return (*told, self._read_out())
        if isinstance(meaning, Command) and meaning.name in VOICE_CHANGES:
            return (*self._announcer.adjust_voice(meaning.name), self._read_out())
        if not event.words:
            return self._missed()
        self._misses = 0
        self.heard.append((self.phrases[len(self.heard)], event.words))
        if len(self.heard) < len(self.phrases):
            return (self._read_out(),)
        return self._finish()

    def _help(self) -> tuple[Say, ...]:
        """What is wanted; said again, what else there is."""
        self._helped += 1
        keys = ("calibrate.help", "help.more") if self._helped % 2 else ("calibrate.help_also",)
        return tuple(map(self._say, keys))

    def _missed(self) -> tuple[Effect, ...]:
        self._misses += 1
        if self._misses < MISSES:
            return (self._say("calibrate.again"), self._read_out())
        self.over = True
        return (self._say("calibrate.broken_off"),)

    def _finish(self) -> tuple[Effect, ...]:
        self.over = True
        self.learnt = learn(self.heard, self.lexicon)
        right = sum(said == heard for said, heard in self.heard)
        self.level = typical_level(self.levels())
        said = [self._say("calibrate.done", right=right, count=len(self.phrases))]
        if self.level is not None:
            said.append(self._say(f"calibrate.level_{self.level.advice}", above=self.level.snr_db))
        if right >= len(self.phrases) * RIGHT:
            self.fit = least_fit(self.fits())
        if self.fit is not None:
            said.append(self._say("calibrate.fit"))
        found = [(heard, said) for heard, words in self.learnt.exchanged.items() for said in words]
        if not found:
            return (*said, self._say("calibrate.nothing_learnt"))
        items = tuple(
            Phrase("calibrate.pair", {"said": Text(said), "heard": Text(heard)}) for heard, said in sorted(found)
        )
        said.append(self._say("calibrate.learnt", pairs=Listing(items)))
        two = next((words for words in self.lexicon.heard.ranks if len(words) > 1), None)
        if two is not None and any(two[0] in pair for pair in found):
            said.append(self._say("calibrate.other_word", word=Text(two[0]), other=Text(two[1])))
        return tuple(said)

    def _read_out(self) -> Say:
        return self._say("calibrate.read", words=Text(self.phrases[len(self.heard)].title()))

    def _say(self, key: str, **slots: Slot) -> Say:
        return Say(self._announcer.utterance(key, slots))
