"""Training speech by SVOX Pico, whose voices were made from recordings of people.

The synthesiser gives no times of its phones, so its speech is aligned like a recording (`align`), with a net trained on
espeak-ng.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from models.bench import pico
from models.training import align, corpus, human, lexicon
from models.training.features import RATE, Floats
from models.training.language import language
from models.training.speech import Script, Utterance, resample
from models.training.train import load_network


class NaturalSpeaker(Script):
    """Says sentences of players, and other words, with random tempo, pitch and vocal tract length.

    Args:
        seed: equal seeds give equal speech.
        language: whose words.
    """

    def draw(self) -> tuple[list[str], Floats]:
        """Words and their sound at 16 kHz, without labels."""
        choice = self.choice
        while True:
            words = self.draw_words()
            shares = self.language.voices.shares
            voice = choice.choices(list(shares), list(shares.values()))[0]
            marked = [self._marked(word, voice) for word in words]
            if None in marked:
                continue
            tempo, tract = choice.triangular(0.6, 1.8, 1.05), choice.triangular(0.78, 1.28, 1.0)
            text = "".join(f"{part}{',' if choice.random() < 0.12 else ''} " for part in marked)
            samples = pico.speak(text, voice, round(100 * tempo / tract), choice.randint(60, 150))
            if len(samples) > RATE // 8:
                return words, resample(samples.astype(np.float32), round(len(samples) / tract))

    def _marked(self, word: str, voice: str) -> str | None:
        """Markup of a word; None if it has phones that the synthesiser cannot be given."""
        language = self.language
        if voice in language.voices.reads and self.choice.random() < language.voices.read_share:
            return pico.spoken(lexicon.spelling(language, word) if word in self.known else word, voice, language.code)
        try:
            readings = lexicon.variants(language, word) if word in self.known else (lexicon.read(language, word),)
        except ValueError:
            return None
        reading = readings[0] if self.choice.random() < 0.5 else self.choice.choice(readings)
        return pico.spoken(reading, voice, language.code)


def natural_part(path: str, seed: int, minutes: float, model: str, code: str) -> None:
    """Make one part of the corpus: speech by SVOX Pico with reverberation, aligned. The worst fitting share
    (`human.WORST`) is dropped.

    Args:
        model: checkpoint of the net that aligns.
        code: of the language.
    """

    def make() -> dict[str, np.ndarray]:
        # One thread, since parts run in parallel: threads of several processes wait for each other forty times longer.
        torch.set_num_threads(1)
        torch.set_flush_denormal(True)
        spoken = language(code)
        speaker, rng = NaturalSpeaker(seed, spoken), np.random.default_rng(seed)
        network = load_network(Path(model))
        found: list[tuple[float, Utterance]] = []
        length = 0.0
        while length < minutes * 60 / (1 - human.WORST):
            words, samples = speaker.draw()
            try:
                score, placed = align.fitted(spoken, network, samples, words, speaker.known, rng)
            except ValueError:
                continue
            found.append((score, corpus.staged(human.labelled(samples, words, placed, speaker.known), rng)))
            length += len(found[-1][1].samples) / RATE
        limit = np.quantile([score for score, _ in found], human.WORST)
        return vars(corpus.frames((utterance for score, utterance in found if score >= limit), spoken.sounds))

    corpus.keep(Path(path), make)
