"""Utterances of practice: numbered so that they never meet the numbers of a game that is played inside an exercise."""

from __future__ import annotations

from voicechess.game.effects import AdjustVoice, Hush, Say
from voicechess.messages import Phrase, Priority, Utterance

FIRST_NUMBER = 1_000_000


class Speaker:
    """Numbers what is said. What every exercise answers alike is answered here."""

    def __init__(self) -> None:
        self.last_number = FIRST_NUMBER

    def stop(self) -> tuple[Hush | Say, ...]:
        """ "Stopp": silence now, and the word that says that it was heard."""
        return (Hush(), *self.say(Phrase("stopped"), priority=Priority.NOW))

    def adjust(self, name: str) -> tuple[AdjustVoice | Say, ...]:
        """ "Lauter", "leiser", "schneller", "langsamer": from the word that tells it on."""
        rate = {"faster": 1, "slower": -1}.get(name, 0)
        volume = {"louder": 1, "softer": -1}.get(name, 0)
        return (AdjustVoice(rate, volume), *self.say(Phrase(f"voice.{name}")))

    def say(self, *phrases: Phrase, priority: Priority = Priority.NORMAL) -> tuple[Say, ...]:
        """These sentences, one utterance each."""
        said = []
        for phrase in phrases:
            self.last_number += 1
            said.append(Say(Utterance(phrase.key, phrase.slots, priority, self.last_number)))
        return tuple(said)
