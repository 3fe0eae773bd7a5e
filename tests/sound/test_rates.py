"""Sound of every rate from 8 to 192 kHz is understood: what a recogniser gets is always what its model takes."""

from __future__ import annotations

import math
from array import array
from pathlib import Path

import pytest

from tests.sound.fakes import ScriptedModel
from voicechess.sound.devices.miniaudio import own_rate
from voicechess.sound.model import MODEL_RATE, VoskModel
from voicechess.sound.pcm import Resampler, as_bytes, converted, level_db, samples, silenced
from voicechess.sound.recogniser import Recogniser, recognise
from voicechess.sound.speech import Speech, VoiceSettings

RATES = (8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000)


def sine(hertz: float, rate: int, ms: int = 1000, amplitude: float = 8000.0) -> bytes:
    step = 2 * math.pi * hertz / rate
    return array("h", [round(amplitude * math.sin(step * index)) for index in range(rate * ms // 1000)]).tobytes()


def resampled(pcm: bytes, rate: int, block_ms: int = 20) -> bytes:
    resampler = Resampler(rate, MODEL_RATE)
    size = 2 * (rate * block_ms // 1000)
    return b"".join(resampler.push(pcm[at : at + size]) for at in range(0, len(pcm), size))


@pytest.mark.parametrize("rate", RATES)
def test_a_tone_stays_the_tone_it_is(rate: int) -> None:
    """As loud, and nothing beside it: what is left when the same tone is taken away is 40 dB softer."""
    made = samples(resampled(sine(1000, rate), rate))
    pure = samples(sine(1000, MODEL_RATE))
    assert len(pure) - 16 * 25 <= len(made) <= len(pure)
    rest = array("h", [a - b for a, b in zip(made[1600:14_000], pure[1600:14_000], strict=True)])
    assert level_db(rest.tobytes()) < level_db(pure.tobytes()) - 40


@pytest.mark.parametrize("rate", [44_100, 48_000, 96_000, 192_000])
@pytest.mark.parametrize("hertz", [8800, 9000, 12_000, 15_000])
def test_what_the_model_cannot_hear_does_not_fold_into_what_it_can(rate: int, hertz: int) -> None:
    assert level_db(resampled(sine(hertz, rate), rate)[3200:]) < level_db(sine(hertz, rate)) - 70


@pytest.mark.parametrize("rate", [8000, 11_025, 12_000])
def test_no_mirror_image_above_what_was_there(rate: int) -> None:
    """A tone just below half the rate would come back as its image just above."""
    made = samples(resampled(sine(rate * 0.4, rate), rate))[1600:14_000]
    image = rate * 0.6
    step = 2 * math.pi * image / MODEL_RATE
    there = math.hypot(
        sum(value * math.cos(step * index) for index, value in enumerate(made)),
        sum(value * math.sin(step * index) for index, value in enumerate(made)),
    )
    assert 2 * there / len(made) < 8000 / 1000


@pytest.mark.parametrize("rate", RATES)
def test_pieces_of_any_length_make_the_same_sound_and_the_lag_is_told(rate: int) -> None:
    pcm = sine(440, rate, 300)
    whole = resampled(pcm, rate, 300)
    assert resampled(pcm, rate, 7)[:6400] == whole[:6400]
    resampler = Resampler(rate, MODEL_RATE)
    out_ms = 1000 * (len(resampler.push(pcm)) // 2) / MODEL_RATE
    assert out_ms + resampler.lag_ms == pytest.approx(300, abs=0.2)
    assert 0 <= resampler.lag_ms <= 25
    resampler.reset()
    assert resampler.lag_ms == 0
    assert resampler.push(pcm) == whole


@pytest.mark.parametrize("rate", RATES)
def test_words_have_the_times_at_which_they_were_said(rate: int) -> None:
    def loud(ms: int) -> bytes:
        return sine(400, rate, ms)

    def hush(ms: int) -> bytes:
        return sine(100, rate, ms, 1.0)

    model = ScriptedModel(["turm", "eva", "zwei"])
    recogniser = Recogniser(model, rate)
    recogniser.expect(["turm", "eva", "zwei"])
    sound = hush(1000) + loud(600) + hush(1500)
    (utterance,) = recognise(recogniser, sound, began_ms=50_000)
    assert utterance.hypotheses[0].text == "turm eva zwei"
    assert utterance.began_ms == pytest.approx(51_000, abs=60)
    assert utterance.ended_ms == pytest.approx(51_600, abs=60)
    fed_ms = 1000 * sum(len(piece) // 2 for piece in model.decoders[0].fed) / MODEL_RATE
    assert fed_ms == pytest.approx(utterance.endpoint_ms - utterance.began_ms + 160, abs=140)


@pytest.mark.parametrize("rate", RATES)
def test_a_voice_is_understood_at_every_rate(model_path: Path, rate: int) -> None:
    speech = Speech(VoiceSettings(rate=140))
    try:
        spoken = speech.sound("Springer Gustav eins Felix drei.")
    finally:
        speech.close()
    pcm = converted(spoken.pcm, spoken.rate, rate, 1)
    recogniser = Recogniser(VoskModel(model_path), rate)
    recogniser.expect(["springer gustav eins felix drei", "springer gustav eins felix zwei", "läufer felix vier"])
    silence = bytes(2 * (rate // 2))
    (utterance,) = recognise(recogniser, silence + pcm + silence * 3)
    assert utterance.hypotheses[0].text.replace("[unk]", "").strip() == "springer gustav eins felix drei"
    assert utterance.began_ms == pytest.approx(500, abs=250)
    assert utterance.ended_ms == pytest.approx(500 + 1000 * (len(pcm) // 2) / rate, abs=300)


@pytest.mark.parametrize(("index", "left"), [(None, [1, 2, 3, 4]), (0, [0, 2, 0, 4]), (1, [1, 0, 3, 0])])
def test_a_channel_is_silenced(index: int | None, left: list[int]) -> None:
    pcm = as_bytes(array("h", [1, 2, 3, 4]))
    assert list(samples(silenced(pcm, 2, index))) == left
    assert silenced(pcm, 1, index) == pcm, "the only one"


def test_a_microphone_is_opened_at_a_rate_it_has() -> None:
    """Or the library would convert, with a filter that lets through what the model must not get."""
    assert own_rate([8000]) == 8000
    assert own_rate([44_100, 48_000, 96_000]) == 44_100
    assert own_rate([8000, 16_000, 48_000]) == 16_000
    assert own_rate([8000, 11_025]) == 11_025
    assert own_rate([]) == own_rate([0]) == own_rate([0, 0]) == 16_000
    assert own_rate([0, 48_000]) == 48_000
