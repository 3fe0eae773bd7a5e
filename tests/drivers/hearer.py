"""A game that hears given hypotheses, with given log-likelihoods, fit and levels."""

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
"""Doubt of a speech model (`LikelihoodScaling`) with which every move is asked about, however well it fits."""


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
        wider: tuple[str, float] | None = None,
        voice_db: int | None = None,
        doubt: float = 0.0,
    ) -> list[str]:
        """Hear hypotheses; returns the keys of the sentences said, each with its move in UCI, if any.

        Args:
            heard: words and log-likelihood of each hypothesis.
            again: speed -> words recognised when decoded again at that speed.
            fit: of all hypotheses; None: not measured.
            snr_db: signal-to-noise ratio, decibels; None: not measured.
            softer: words that are 6 dB softer than the others.
            led_db: decibels by which the sound just before the words was softer than they.
            wider: words with softer ones before them, and how far below the loudest word these are.
            voice_db: level of the loudest word, decibels below full scale.
            doubt: of the speech model.
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
        if wider is not None:
            words = tuple(Word(word, 0, 0) for word in wider[0].split())
            hypotheses.append(Hypothesis(words, heard[0][1], edge_below_db=wider[1]))
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
