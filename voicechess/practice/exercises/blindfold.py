"""A blindfold game against the engine with fading help.

At first all queries about the position are answered, then only the one for the last move, then none. The game itself is
`game.session`; this wraps it and filters queries.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.game.commands import TELL_POSITION
from voicechess.game.effects import Announcer
from voicechess.game.session import Session
from voicechess.language.thresholds import contenders
from voicechess.meaning import Command, Expectation
from voicechess.messages import Phrase
from voicechess.practice.effects import KeepMove, Mark, PracticeEffect
from voicechess.practice.schedule import Bookmark

Effects = tuple[PracticeEffect, ...]

LAST_MOVE = "last_move"

ABOUT_THE_POSITION = TELL_POSITION | {"moves"}
"""Commands that reveal where pieces stand."""

FADING = {1: (20, 40), 2: (10, 20), 3: (5, 10)}
"""Level -> last move number at which the position is told on request, and last one at which the last move is."""


class Help(Enum):
    """The help available on request."""

    POSITION = "position"
    ONLY_LAST_MOVE = "only_last_move"
    NOTHING = "nothing_more"


def help_at(level: int, move_number: int) -> Help:
    """The help available at this move number, from 1."""
    whole, last = FADING[min(max(level, 1), len(FADING))]
    if move_number <= whole:
        return Help.POSITION
    return Help.ONLY_LAST_MOVE if move_number <= last else Help.NOTHING


class Blindfold:
    """One game. `place`: its number in the journal and counts (see `Bookmark`); `begun`: resumed after an
    interruption."""

    def __init__(self, session: Session, speaker: Announcer, place: Bookmark, begun: bool = False) -> None:
        self.over = False
        self._session, self._speaker, self._place, self._begun = session, speaker, place, begun
        self._help = self._current()

    @property
    def expectation(self) -> Expectation:
        """The game's expectation."""
        return self._session.expectation

    @property
    def busy(self) -> bool:
        """Whether a repeated move can still be corrected."""
        return self._session.correctable

    @property
    def asked(self) -> int:
        """Number of requests for help."""
        return self._place.asked

    @property
    def given(self) -> int:
        """Number of requests granted."""
        return self._place.right

    def handle(self, event: ev.Event) -> Effects:
        """Handle an event. Never raises."""
        if self.over:
            return ()
        if isinstance(event, ev.Started):
            return self._start(event)
        wanted = _help_wanted(event) if isinstance(event, ev.Heard) else None
        if wanted is None:
            also = Phrase("practice.help_also")
            return (*self._pass_on(event), *(self._speaker.say(also) if _asks_for_help(event) else ()))
        refusal = self._refusal(wanted)
        self._place = replace(self._place, asked=self.asked + 1, right=self.given + (refusal is None))
        if refusal is not None:
            return (*self._speaker.say(refusal), ef.Listen(self.expectation), Mark(self._place))
        return (*self._pass_on(event), Mark(self._place))

    def leave(self) -> Effects:
        """Nothing: every move is stored when it is made."""
        return ()

    def _start(self, event: ev.Started) -> Effects:
        said = (Phrase("practice.blindfold.explain"), Phrase(f"practice.blindfold.level_{self._place.level}"))
        first = ev.Resumed(at_ms=event.at_ms) if self._begun else event
        return (*self._speaker.say(*said), Mark(self._place), *self._pass_on(first))

    def _current(self) -> Help:
        return help_at(self._place.level, len(self._session.plies) // 2 + 1)

    def _refusal(self, command: str) -> Phrase | None:
        if self._help is Help.POSITION or (command == LAST_MOVE and self._help is Help.ONLY_LAST_MOVE):
            return None
        key = "refused_position" if self._help is Help.ONLY_LAST_MOVE else "refused_all"
        return Phrase(f"practice.blindfold.{key}")

    def _pass_on(self, event: ev.Event) -> Effects:
        """Pass an event to the game; the end of the game ends the exercise."""
        done = self._session.handle(event)
        kept = () if isinstance(event, ev.Tick) and not done else (KeepMove(event),)
        effects: list[PracticeEffect] = [*kept]
        ended = False
        for effect in done:
            if isinstance(effect, ef.End | ef.NewGame):
                ended = True
            elif isinstance(effect, ef.Say) and effect.utterance.key == "over.what_now":
                continue  # the menu of exercises follows instead
            else:
                ended = ended or isinstance(effect, ef.GameEnded)
                effects.append(effect)
        if ended:
            self.over = True
            finished = Mark(None) if self._session.over else Mark(self._place)
            return (*effects, finished, *self._speaker.say(self._told()))
        faded = self._current()
        if faded is not self._help:
            self._help = faded
            effects += self._speaker.say(Phrase(f"practice.blindfold.{faded.value}"))
        return tuple(effects)

    def _told(self) -> Phrase:
        if not self.asked:
            return Phrase("practice.blindfold.unused")
        return Phrase("practice.blindfold.used", {"count": self.asked, "refused": self.asked - self.given})


def _help_wanted(event: ev.Heard) -> str | None:
    """The query about the position if it is the only contender; ambiguity is left to the game."""
    said = contenders(event.readings).only
    return said.name if isinstance(said, Command) and said.name in ABOUT_THE_POSITION | {LAST_MOVE} else None


def _asks_for_help(event: ev.Event) -> bool:
    return isinstance(event, ev.Heard) and bool(event.readings) and event.readings[0].meaning == Command("help")
