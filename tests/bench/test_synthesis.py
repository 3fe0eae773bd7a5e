"""Synthetic speech is the same every time, and says what it was told to."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from models.bench.synthesis import (  # noqa: E402  # noqa: E402  # noqa: E402
    HEARING_TEST,
    MODEL_TEST,
    SAMPLE_RATE,
    TUNING,
    Voice,
    accented,
    accents,
    respelled,
    synthesise,
)
from voicechess.messages import Failure  # noqa: E402
from voicechess.sound.voices import resampled, trimmed  # noqa: E402

LINE = "springer gustav eins felix drei"


@pytest.mark.parametrize("variant", ["", "f4", "Alicia", "sandro", "klatt5"])
def test_an_utterance_depends_on_nothing_said_before(variant: str) -> None:
    first = synthesise(LINE, Voice(variant))
    synthesise("dame hector acht schach", Voice("m7", rate=230))
    assert np.array_equal(first, synthesise(LINE, Voice(variant)))


def test_voices_rates_pitches_and_accents_differ() -> None:
    made = [
        synthesise(LINE, voice)
        for voice in (
            Voice(),
            Voice("f4"),
            Voice(rate=240),
            Voice(pitch=90),
            *(Voice(accent=name) for name in accents()),
        )
    ]
    assert len({sound.tobytes() for sound in made}) == len(made)
    assert all(1.0 < len(sound) / SAMPLE_RATE < 4.0 for sound in made)
    assert len(synthesise(LINE, Voice(rate=240))) < 0.8 * len(synthesise(LINE, Voice(rate=140)))


@pytest.mark.parametrize("variant", sorted(MODEL_TEST | HEARING_TEST | TUNING))
def test_every_reserved_voice_speaks(variant: str) -> None:
    sound = synthesise("eva vier", Voice(variant))
    assert len(sound) > 0.3 * SAMPLE_RATE
    assert float(np.abs(sound).max()) > 0.02


def test_an_unknown_voice_is_a_sentence() -> None:
    with pytest.raises(Failure) as failure:
        synthesise("eva", Voice("nobody-of-this-name"))
    assert failure.value.key == "bench.voice_missing"
    with pytest.raises(ValueError):
        synthesise("  ", Voice())


def test_words_that_espeak_says_wrongly_are_respelled() -> None:
    assert respelled("Kurze Rochade") == "kurze ro-schade"
    assert not np.array_equal(synthesise("remis", Voice()), synthesise("remies", Voice()))


def test_accents_exchange_phonemes() -> None:
    assert accented("k_'Y:_n_I_C", accents()["it"]) == "k'enik"
    assert accented("_!_'a_x_t h_'E_k_t_o:_r", accents()["fr"]) == "'akt 'Ektor"


def test_resampling_keeps_a_tone_and_its_length() -> None:
    seconds, frequency = 0.5, 1000.0
    tone = np.sin(2 * np.pi * frequency * np.arange(round(22050 * seconds)) / 22050).astype(np.float32)
    out = resampled(tone, 22050, SAMPLE_RATE)
    assert len(out) == round(SAMPLE_RATE * seconds)
    wanted = np.sin(2 * np.pi * frequency * np.arange(len(out)) / SAMPLE_RATE)
    middle = slice(len(out) // 4, 3 * len(out) // 4)
    assert float(np.abs(out[middle] - wanted[middle]).max()) < 0.02


def test_trimming_takes_the_silence_and_nothing_else() -> None:
    sound = np.concatenate([np.zeros(100), np.full(50, 0.5), np.zeros(30), np.full(50, 0.5), np.zeros(70)])
    assert len(trimmed(sound.astype(np.float32))) == 130
    assert len(trimmed(np.zeros(10, dtype=np.float32))) == 10
