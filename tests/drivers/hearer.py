"""A game whose player says what a test wants, with the scores and the noise it wants."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from types import MappingProxyType

import chess

from tests.drivers.levels import level_with
from voicechess.app.hearing import Hearing
from voicechess.app.simulation import session_at
from voicechess.game import events as ev
from voicechess.game.effects import Effect, Say, Sound
from voicechess.game.session import Session
from voicechess.language.confusions import NO_CONFUSIONS, Confusions
from voicechess.language.lexicon import load
from voicechess.language.thresholds import load_thresholds
from voicechess.meaning import Hypothesis, RecognisedUtterance, Word
from voicechess.messages import SaidMove, Utterance

LEXICON = load("de")

DOUBT = (load_thresholds().clean + load_thresholds().ask) / 2
"""So doubtful is what was heard that it is asked about, however well it fits."""


class Hearer:
    """A game at the microphone."""

    def __init__(self, board: chess.Board, confusions: Confusions = NO_CONFUSIONS) -> None:
        self.session: Session = session_at(board)
        self.hearing = Hearing(LEXICON, confusions)
        self.now_ms = 0
        self.told: Utterance | None = None  # what was said last
        self.tone = False  # whether a tone was sounded with it

    def hear(
        self,
        *heard: tuple[str, float],
        again: Mapping[float, str] = MappingProxyType({}),
        source: ev.Source = ev.Source.VOICE,
        fit: float | None = None,
        snr_db: int | None = None,
        softer: Container[str] = (),
        led_db: float | None = None,
        voice_db: int | None = None,
        doubt: float = 0.0,
    ) -> list[str]:
        """The keys of what is said to these words with their scores; an announcement is followed by its move.

        `again`: what the same sound is at other speeds. `fit`: how well it fits those words. `snr_db`: how far
        it was above the noise of the room. `led_db`: how much softer than they what sounded right before them was.
        `voice_db`: how loud their loudest word was. `doubt`: of the model that hears.
        """
        self.now_ms += 10_000
        hypotheses = [
            Hypothesis(
                tuple(Word(word, 0, 0, below_db=6.0 if word in softer else 0.0) for word in text.split()),
                score,
                fit=fit,
                lead_in_below_db=led_db,
            )
            for text, score in heard
        ]
        hypotheses += [
            Hypothesis(tuple(Word(word, 0, 0) for word in text.split()), 0.0, speed) for speed, text in again.items()
        ]
        recognised = RecognisedUtterance(
            tuple(hypotheses), self.now_ms - 1000, self.now_ms, level_with(snr_db), voice_db
        )
        event = replace(self.hearing, doubt=doubt).understood(recognised, self.session.expectation, self.now_ms, source)
        effects = self.session.handle(event)
        self.tone = any(isinstance(one, Sound) for one in effects)
        self.told = next((one.utterance for one in reversed(effects) if isinstance(one, Say)), None)
        return said(effects)


def said(effects: tuple[Effect, ...]) -> list[str]:
    found = []
    for effect in effects:
        if isinstance(effect, Say):
            move = effect.utterance.slots.get("move")
            found.append(effect.utterance.key + (f" {move.uci}" if isinstance(move, SaidMove) else ""))
    return found
