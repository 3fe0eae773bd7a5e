"""Speech of Festival's and Flite's voices, made out of recordings of people: the words of the game by more people.

What each voice says is planned sound by sound (`models.bench.diphones`), so this speech comes labelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.bench import festival, flite
from models.bench.diphones import LEAD_S, Plan, Said, plan
from models.training import corpus, lexicon
from models.training.features import RATE, Floats
from models.training.language import Language, language
from models.training.speech import Script, Segment, Utterance, resample

TOGETHER = 200
"""Utterances that Festival is given at once: it takes a moment to start and to load a voice."""


@dataclass(frozen=True)
class Drawn:
    """What one utterance shall be: words, sounds, pace and pitch, and the vocal tract: 1 is the voice's own."""

    words: list[str]
    plan: Plan
    pace: float
    pitch: float
    tract: float


class DiphoneSpeaker(Script):
    """Says what players say, and other words: the voice, its pace, pitch and vocal tract are drawn.

    Args:
        seed: equal seeds give equal speech.
        language: whose words.
        voices: Festival's or Flite's.
    """

    def __init__(self, seed: int, language: Language, voices: Sequence[str]) -> None:
        super().__init__(seed, language)
        self.voices = voices

    def _readings(self, words: list[str]) -> list[lexicon.Pronunciation]:
        found = []
        for word in words:
            readings = (
                lexicon.variants(self.language, word) if word in self.known else (lexicon.read(self.language, word),)
            )
            found.append(readings[0] if self.choice.random() < 0.6 else self.choice.choice(readings))
        return found

    def _draw(self) -> Drawn:
        choice = self.choice
        while True:
            words = self.draw_words()
            voice, tract = choice.choice(self.voices), choice.triangular(0.78, 1.26, 1.0)
            recorded = flite.Everything() if voice in flite.VOICES else festival.recorded(voice)
            try:
                readings = self._readings(words)
                pace = choice.triangular(0.65, 1.8, 1.05) / tract
                pitch = choice.triangular(0.7, 1.5, 1.0) / tract
                planned = plan(
                    readings, voice, recorded, choice, self.language.code, pace=pace,
                    pitch=pitch, pauses=0.12, freedom=choice.choice((0.0, 0.5, 2.0)),
                    spread=choice.uniform(0.05, 0.3),
                )  # fmt: skip
            except (ValueError, KeyError):  # a borrowed word with sounds of its own language
                continue
            if planned is not None and all(one.phone in self.language.sounds.index for one in planned.said):
                return Drawn(words, planned, pace, pitch, tract)

    def draw(self, count: int) -> list[Utterance]:
        """So many utterances, but for those that a synthesiser dies of; labelled, at 16 kHz and full scale 32768."""
        drawn = [self._draw() for _ in range(count)]
        by_festival = [one for one in drawn if one.plan.voice not in flite.VOICES]
        spoken = zip(by_festival, festival.speak([one.plan for one in by_festival]), strict=True)
        found = [(one, samples, one.plan.said) for one, samples in spoken]
        for one in drawn:
            if one.plan.voice in flite.VOICES:
                found.append((one, *flite.speak(one.plan, one.pace, one.pitch)))
        return [self._labelled(*one) for one in found if len(one[1]) > RATE // 8]

    def _labelled(self, drawn: Drawn, samples: Floats, said: Sequence[Said]) -> Utterance:
        heard, tract = self.heard(drawn.words), drawn.tract
        segments = [
            Segment(
                (one.begin + LEAD_S) / tract, (one.end + LEAD_S) / tract, one.phone,
                heard[one.word] == "[unk]",
            )
            for one in said
        ]  # fmt: skip
        return Utterance(resample(samples * np.float32(32768), round(len(samples) / tract)), segments, heard)


def diphone_part(path: str, seed: int, minutes: float, voices: Sequence[str], code: str) -> None:
    """Speech of Festival's or Flite's voices in rooms: one part of the corpus."""

    def make() -> dict[str, np.ndarray]:
        speaker, rng = DiphoneSpeaker(seed, language(code), voices), np.random.default_rng(seed)
        said: list[Utterance] = []
        length = 0.0
        while length < minutes * 60:
            for utterance in speaker.draw(TOGETHER):
                said.append(corpus.staged(utterance, rng))
                length += len(said[-1].samples) / RATE
        return vars(corpus.frames(said, speaker.language.sounds))

    corpus.keep(Path(path), make)
