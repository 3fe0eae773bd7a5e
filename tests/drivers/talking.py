"""Speaks and types to a conversation outside a game, and keeps what it says and what it asks of a server."""

from __future__ import annotations

from typing import Protocol

from voicechess.app.hearing import Hearing
from voicechess.game import events as ev
from voicechess.game.effects import Effect, Listen, LobbyRequest, Say, SpeakLanguage
from voicechess.language.lexicon import load
from voicechess.language.wording import Wording
from voicechess.meaning import Expectation, Hypothesis, RecognisedUtterance, Word


class Answering(Protocol):
    """A conversation, or one inside another."""

    def handle(self, event: ev.Event) -> tuple[Effect, ...]: ...


class Talking:
    """`heard_out`: what is said takes no time. `asked`: the requests to the server that nobody has looked at yet."""

    def __init__(self, conversation: Answering, language: str = "de", heard_out: bool = True) -> None:
        self.conversation, self.heard_out = conversation, heard_out
        self.wording, self.lexicon = Wording(language, strict=True), load(language)
        self.expectation = Expectation()
        self.now = 0
        self.asked: list[LobbyRequest] = []
        self.said = self.tell(ev.Started(at_ms=0))

    def tell(self, event: ev.Event) -> list[str]:
        """What is said to an event."""
        return self.spoken(self.conversation.handle(event))

    def spoken(self, effects: tuple[Effect, ...]) -> list[str]:
        """Take what the conversation wants done; what is said of it."""
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
        """What is said to these words."""
        self.now += 1000
        hypothesis = Hypothesis(tuple(Word(word, self.now, self.now) for word in words.split()))
        said = RecognisedUtterance((hypothesis,), self.now, self.now)
        return self.tell(Hearing(self.lexicon).understood(said, self.expectation, self.now, source))

    def type(self, words: str) -> list[str]:
        """What is said to this typed line."""
        return self.say(words, ev.Source.KEYBOARD)

    def wait(self, ms: int) -> list[str]:
        """What is said after so long."""
        self.now += ms
        return self.tell(ev.Tick(at_ms=self.now))

    def request(self) -> LobbyRequest:
        """What was asked of the server since the last look: one thing."""
        (asked,) = self.asked
        self.asked.clear()
        return asked
