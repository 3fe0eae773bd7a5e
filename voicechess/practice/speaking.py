"""Utterances of practice: numbered so that they never meet the numbers of a game that is played inside an exercise."""

from __future__ import annotations

from voicechess.game.effects import Say
from voicechess.game.messages import Phrase, Priority, Utterance

FIRST_NUMBER = 1_000_000


class Speaker:
    """Numbers what is said, and remembers the last of it for "repeat"."""

    def __init__(self) -> None:
        self.last_number = FIRST_NUMBER
        self.last: tuple[Phrase, ...] = ()

    def say(self, *phrases: Phrase, priority: Priority = Priority.NORMAL) -> tuple[Say, ...]:
        """These sentences, one utterance each."""
        said = []
        for phrase in phrases:
            self.last_number += 1
            said.append(Say(Utterance(phrase.key, phrase.slots, priority, self.last_number)))
        if phrases:
            self.last = phrases
        return tuple(said)
