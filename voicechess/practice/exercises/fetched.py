"""Puzzles over the network: which are wanted is asked, they are fetched, and then they are a file's like any other.

What fetches them is outside (`FetchPuzzles`), so that somebody can leave while nothing comes.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from voicechess.game import events as ev
from voicechess.game.commands import told_elsewhere
from voicechess.game.effects import VOICE_CHANGES, Announcer, Hush, Listen
from voicechess.language.thresholds import close
from voicechess.meaning import Command, Expectation, QuestionKind
from voicechess.messages import Listing, Phrase, Text
from voicechess.practice.answers import expected, number_said
from voicechess.practice.drill import Drill
from voicechess.practice.effects import FetchPuzzles, PracticeEffect, PuzzlesFetched, PuzzlesNotFetched

THEMES = ("daily", "mix", "mateIn1", "mateIn2", "mateIn3", "fork", "pin", "sacrifice", "endgame")
"""What can be asked for by its number, in Lichess' words; "daily" is the puzzle of the day."""

PATIENCE_MS = 5_000
"""After so long without an answer it is told that nothing has come, and again after as long."""

CONTROLS = frozenset({"repeat", "help", "stop", "end", "practise", "take_back", *VOICE_CHANGES})

Effects = tuple[PracticeEffect, ...]


class FetchingStep(Enum):
    """What is waited for."""

    CHOOSING = "choosing"
    FETCHING = "fetching"
    SOLVING = "solving"
    DONE = "done"


class FetchedPuzzles:
    """Puzzles of a theme. `begin` makes the exercise of their lines, in Lichess' format; None: there is no puzzle
    among them. `theme`: what is wanted, in Lichess' words; "" asks for it."""

    def __init__(self, begin: Callable[[tuple[str, ...]], Drill | None], speaker: Announcer, theme: str = "") -> None:
        self.step = FetchingStep.CHOOSING
        self._begin, self._speaker, self._theme = begin, speaker, theme
        self._number = 0  # of what is asked for
        self._since_ms = 0
        self._drill: Drill | None = None

    @property
    def expectation(self) -> Expectation:
        """A number; while nothing has come, only what leaves; then what the exercise expects."""
        if self._drill is not None:
            return self._drill.expectation
        waits = self.step is FetchingStep.FETCHING
        return expected(CONTROLS, QuestionKind.WAITING if waits else QuestionKind.NUMBER)

    @property
    def over(self) -> bool:
        """Whether it has ended and said so."""
        return self.step is FetchingStep.DONE or (self._drill is not None and self._drill.over)

    @property
    def busy(self) -> bool:
        """Whether they are being fetched, or the engine looks for what is wrong with a move."""
        return self.step is FetchingStep.FETCHING or (self._drill is not None and self._drill.busy)

    def handle(self, event: ev.Event) -> Effects:
        """Answer one event. Never raises."""
        if self._drill is not None:
            return self._drill.handle(event)
        match event:
            case ev.Started():
                if self._theme:
                    return self._fetch(self._theme, event.at_ms)
                return self._ask(Phrase("practice.online.explain"))
            case ev.Tick(at_ms=now) if self.step is FetchingStep.FETCHING and now - self._since_ms >= PATIENCE_MS:
                self._since_ms = now
                return self._speaker.say(Phrase("practice.online.waiting"))
            case PuzzlesFetched(number=number, lines=lines) if self._waits_for(number):
                return self._fetched(lines, event.at_ms)
            case PuzzlesNotFetched(number=number, reason=reason) if self._waits_for(number):
                return self._ended(reason)
            case ev.Heard() if event.readings and not self.over:
                done = self._heard(event)
                return done if self.over or self._drill is not None else (*done, Listen(self.expectation))
        return ()

    def leave(self) -> Effects:
        """What the exercise still has to keep."""
        return () if self._drill is None else self._drill.leave()

    def _waits_for(self, number: int) -> bool:
        return self.step is FetchingStep.FETCHING and number == self._number

    # --- asking and fetching -------------------------------------------------------------------------------------

    def _ask(self, *first: Phrase) -> Effects:
        self.step = FetchingStep.CHOOSING
        numbered = tuple(
            Phrase("practice.numbered", {"number": number, "exercise": Phrase(f"practice.online.theme.{theme}")})
            for number, theme in enumerate(THEMES, 1)
        )
        asked = Phrase("practice.online.which", {"themes": Listing(numbered, "")})
        return (*self._speaker.say(*first, asked), Listen(self.expectation))

    def _fetch(self, theme: str, at_ms: int) -> Effects:
        self.step, self._since_ms = FetchingStep.FETCHING, at_ms
        said = self._speaker.say(Phrase("practice.online.fetching"))
        self._number = self._speaker.last_number
        return (*said, FetchPuzzles(theme, self._number), Listen(self.expectation))

    def _fetched(self, lines: tuple[str, ...], at_ms: int) -> Effects:
        begun = self._begin(lines)
        if begun is None:
            return self._ended(Phrase("practice.online.none"))
        self.step, self._drill = FetchingStep.SOLVING, begun
        return begun.handle(ev.Started(at_ms=at_ms))

    def _ended(self, *told: Phrase) -> Effects:
        self.step = FetchingStep.DONE
        return (Hush(), *self._speaker.say(*told))

    # --- hearing -------------------------------------------------------------------------------------------------

    def _heard(self, event: ev.Heard) -> Effects:
        heard = close(event.readings)
        waits = self.step is FetchingStep.FETCHING
        for meaning in heard.meanings if heard.sure else ():
            number = number_said(meaning)
            if number is not None and 1 <= number <= len(THEMES) and not waits:
                return self._fetch(THEMES[number - 1], event.at_ms)
            match meaning:
                case Command("stop"):
                    return self._speaker.stop()
                case Command("end" | "practise"):
                    return self._ended(Phrase("practice.summary_none"))
                case Command("cancel" | "take_back") if waits:
                    return self._ask()
                case Command("take_back"):
                    return self._ended(Phrase("practice.summary_none"))
                case Command("repeat") if not waits:
                    return self._ask()
                case Command("help"):
                    which = "waiting" if waits else "choosing"
                    return self._speaker.say(Phrase(f"practice.online.help_{which}"), Phrase("practice.help_also"))
                case Command(name) if name in VOICE_CHANGES:
                    return self._speaker.adjust_voice(name)
        if waits:
            return self._speaker.say(Phrase("practice.online.waiting"))
        told = told_elsewhere(heard.likeliest) if heard.sure else None
        words = Phrase("practice.heard_otherwise", {"words": Text(event.words)})
        return self._speaker.say(words, told or Phrase("practice.online.number"))
