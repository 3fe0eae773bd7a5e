"""Speaks and types to a conversation outside games, and collects its requests to a server."""

from __future__ import annotations

from typing import Protocol

from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.game.effects import Effect, Listen, LobbyRequest, Say, SpeakLanguage
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Hypothesis, RecognisedUtterance, Word


class Answering(Protocol):
    """A conversation."""

    def handle(self, event: ev.Event) -> tuple[Effect, ...]: ...


class Talking:
    """A conversation with a player.

    Args:
        heard_out: whether sentences end at once.

    Attributes:
        asked: requests to the server that were not looked at yet (`request`).
    """

    def __init__(self, conversation: Answering, language: str = "de", heard_out: bool = True) -> None:
        self.conversation, self.heard_out = conversation, heard_out
        self.wording, self.lexicon = Wording(language, strict=True), load(language)
        self.expectation = Expectation()
        self.now = 0
        self.asked: list[LobbyRequest] = []
        self.said = self.tell(ev.Started(at_ms=0))

    def tell(self, event: ev.Event) -> list[str]:
        """Handle an event; returns what is said."""
        return self.spoken(self.conversation.handle(event))

    def spoken(self, effects: tuple[Effect, ...]) -> list[str]:
        """Perform effects; returns what is said."""
        said = []
        for effect in effects:
            match effect:
                case SpeakLanguage():
                    self.wording, self.lexicon = Wording(effect.code, strict=True), load(effect.code)
                case Listen():
                    self.expectation = effect.expectation
                case Say():
                    said.append(self.wording.say(effect.utterance))
                    if self.heard_out:
                        self.conversation.handle(ev.Spoken(at_ms=self.now, number=effect.utterance.number))
                case _ if isinstance(effect, LobbyRequest):
                    self.asked.append(effect)
        return said

    def say(self, words: str, source: ev.Source = ev.Source.VOICE) -> list[str]:
        """Say this; returns what is said."""
        self.now += 1000
        hypothesis = Hypothesis(tuple(Word(word, self.now, self.now) for word in words.split()))
        said = RecognisedUtterance((hypothesis,), self.now, self.now)
        return self.tell(Hearing(self.lexicon).understood(said, self.expectation, self.now, source))

    def type(self, words: str) -> list[str]:
        """Type this; returns what is said."""
        return self.say(words, ev.Source.KEYBOARD)

    def wait(self, ms: int) -> list[str]:
        """Let time pass; returns what is said."""
        self.now += ms
        return self.tell(ev.Tick(at_ms=self.now))

    def request(self) -> LobbyRequest:
        """The only request to the server since the last call."""
        (asked,) = self.asked
        self.asked.clear()
        return asked
