"""A tone that stands for a whole answer reaches a player who cannot hear tones as a word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from voicechess.app.around import Terminal
from voicechess.app.event_clock import EventClock
from voicechess.app.hearing import Hearing
from voicechess.app.loop import Loop
from voicechess.game import effects as ef
from voicechess.game import events as ev
from voicechess.language.folders import LANGUAGES
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation
from voicechess.messages import Priority, Tone, Whose

WORD = {"de": "Bitte?", "en": "Pardon?"}


@dataclass
class Listening:
    """A voice that keeps what it is to say and play."""

    tones: bool
    said: list[str] = field(default_factory=list)
    played: list[Tone] = field(default_factory=list)
    headphones: bool = False

    def say(
        self,
        number: int,
        text: str | Callable[[], str],
        priority: Priority,
        quick: bool = False,
        whose: Whose = Whose.PROGRAM,
    ) -> None:
        self.said.append(text if isinstance(text, str) else text())

    def tone(self, tone: Tone) -> bool:
        self.played += [tone] * self.tones
        return self.tones

    def hush(self) -> None: ...

    def adjust(self, rate: int, volume: int) -> None: ...

    def mute(self, on: bool) -> None: ...


@dataclass
class Noisy:
    """A machine that hears nothing but noise, and ends."""

    expectation = Expectation()
    alone: bool

    def handle(self, event: ev.Event) -> tuple[ef.Effect, ...]:
        return (ef.Sound(Tone.NOT_UNDERSTOOD, self.alone), ef.End(0))


def shown(voice: Listening | None, alone: bool = True, language: str = "de") -> list[str]:
    lines: list[str] = []
    loop = Loop(Wording(language), Hearing(load(language)), EventClock(), voice=voice, terminal=Terminal(lines.append))
    loop.converse(Noisy(alone), ev.Tick(at_ms=0), lambda: False)
    return lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_voice_it_is_a_line(language: str) -> None:
    assert shown(None, language=language) == [WORD[language]]


def test_heard_it_is_enough() -> None:
    voice = Listening(tones=True)
    assert shown(voice) == []
    assert (voice.played, voice.said) == ([Tone.NOT_UNDERSTOOD], [])


def test_switched_off_it_is_a_word() -> None:
    voice = Listening(tones=False)
    assert shown(voice) == [WORD["de"]]
    assert len(voice.said) == 1


def test_beside_a_sentence_it_is_none() -> None:
    assert shown(None, alone=False) == []
