"""Speech of Festival's diphone voices, cut out of recordings of people: the words of the game by more people.

What each voice says is planned sound by sound (`voicechess.bench.diphones`), so this speech comes labelled.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.training import corpus, lexicon
from models.training.features import RATE, Floats
from models.training.phones import INDEX
from models.training.speech import Script, Segment, Utterance, resample
from voicechess.bench import festival
from voicechess.bench.diphones import LEAD_S, Plan, plan
from voicechess.bench.festival import TRAINING

TOGETHER = 200
"""Utterances that Festival is given at once: it takes a moment to start and to load a voice."""


class DiphoneSpeaker(Script):
    """Says what players say, and other words: the voice, its pace, pitch and vocal tract are drawn.

    Args:
        seed: equal seeds give equal speech.
    """

    def _readings(self, words: list[str]) -> list[lexicon.Pronunciation]:
        found = []
        for word in words:
            readings = lexicon.variants(word) if word in self.known else (lexicon.read(word),)
            found.append(readings[0] if self.choice.random() < 0.6 else self.choice.choice(readings))
        return found

    def _draw(self) -> tuple[list[str], Plan, float]:
        """Words, what is said for them, and the length of the vocal tract: 1 is the voice's own."""
        choice = self.choice
        while True:
            words = self.draw_words()
            voice, tract = choice.choice(TRAINING), choice.triangular(0.78, 1.26, 1.0)
            try:
                readings = self._readings(words)
                planned = plan(
                    readings, voice, festival.recorded(voice), choice, pace=choice.triangular(0.65, 1.8, 1.05) / tract,
                    pitch=choice.triangular(0.7, 1.5, 1.0) / tract, pauses=0.12, freedom=choice.choice((0.0, 0.5, 2.0)),
                    spread=choice.uniform(0.05, 0.3),
                )  # fmt: skip
            except (ValueError, KeyError):  # a borrowed word with sounds that are not German
                continue
            if planned is not None and all(one.phone in INDEX for one in planned.said):
                return words, planned, tract

    def draw(self, count: int) -> list[Utterance]:
        """So many utterances, but for those that Festival dies of; labelled, at 16 kHz and full scale 32768."""
        drawn = [self._draw() for _ in range(count)]
        spoken = festival.speak([planned for _, planned, _ in drawn])
        return [
            self._labelled(words, planned, tract, samples)
            for (words, planned, tract), samples in zip(drawn, spoken, strict=True)
            if len(samples) > RATE // 8
        ]

    def _labelled(self, words: list[str], planned: Plan, tract: float, samples: Floats) -> Utterance:
        heard = self.heard(words)
        segments = [
            Segment(
                (one.begin + LEAD_S) / tract, (one.end + LEAD_S) / tract, one.phone,
                heard[one.word] == "[unk]",
            )
            for one in planned.said
        ]  # fmt: skip
        return Utterance(resample(samples * np.float32(32768), round(len(samples) / tract)), segments, heard)


def diphone_part(path: str, seed: int, minutes: float) -> None:
    """Speech of diphone voices in rooms: one part of the corpus."""

    def make() -> dict[str, np.ndarray]:
        speaker, rng = DiphoneSpeaker(seed), np.random.default_rng(seed)
        said: list[Utterance] = []
        length = 0.0
        while length < minutes * 60:
            for utterance in speaker.draw(TOGETHER):
                said.append(corpus.staged(utterance, rng))
                length += len(said[-1].samples) / RATE
        return vars(corpus.frames(said))

    corpus.keep(Path(path), make)
