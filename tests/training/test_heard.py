"""What the committed model hears from voices it was not trained on, and when."""

from pathlib import Path

import numpy as np
import pytest
import vosk

pytest.importorskip("scipy", reason="needs the training extra")
pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")

from models.bench.synthesis import RESERVED, TUNING
from models.training import check, speech
from models.training.language import language
from models.training.rooms import loudness
from models.training.vocabulary import words

pytestmark = pytest.mark.training
FOLDER = Path(__file__).resolve().parents[2] / "models" / "starter-de"


def test_no_reserved_voice_is_trained_on() -> None:
    assert not set(speech.training_voices()) & RESERVED
    assert len(speech.training_voices()) > 40


def test_words_begin_and_end_where_they_are_said() -> None:
    vosk.SetLogLevel(-1)
    ear = check.Ear(vosk.Model(model_path=str(FOLDER)), words(language("de")))
    speaker = speech.Speaker(3, language("de"), tuple(sorted(TUNING)))
    errors: list[float] = []
    for _ in range(20):
        said = speaker.say(["springer", "gustav", "eins", "felix", "drei"], natural=True)
        assert said is not None
        samples = said.samples / loudness(said.samples) * 2000
        heard = ear.hear(np.asarray(samples, np.float32))
        if [word["word"] for word in heard] == said.words:
            errors += [abs(word["start"] - true) for word, true in zip(heard, said.begins, strict=True)]
    assert len(errors) >= 75
    assert np.quantile(errors, 0.95) <= 0.05
