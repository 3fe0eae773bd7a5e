"""Levels, noise, rooms and telephones do what their decibels say."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from models.bench.listening import delivered  # noqa: E402
from models.bench.samples import LEAD_S, TAIL_S, Conditions, Pause, Sample, Spoken, render  # noqa: E402
from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise  # noqa: E402
from voicechess.sound import mixing  # noqa: E402

SPEECH = synthesise("dame schlägt hector acht schach", Voice())


def test_pauses_do_not_change_the_level_of_speech() -> None:
    loud = mixing.at_level(SPEECH, -26.0)
    assert mixing.active_dbfs(loud) == pytest.approx(-26.0, abs=0.01)
    paused = mixing.padded(loud, 1.0, 2.0)
    assert mixing.active_dbfs(paused) == pytest.approx(-26.0, abs=0.3)
    assert mixing.active_dbfs(np.zeros(8000, dtype=np.float32)) == -120.0


@pytest.mark.parametrize("snr_db", [20.0, 0.0])
def test_noise_is_as_loud_as_it_should_be(snr_db: float) -> None:
    rng = np.random.default_rng(1)
    speech = mixing.at_level(SPEECH, -26.0)
    noise = rng.standard_normal(20_000).astype(np.float32)
    mixed = mixing.with_noise(speech, noise, snr_db, -26.0, rng)
    added = 10 * np.log10(np.mean((mixed - speech) ** 2))
    assert added == pytest.approx(-26.0 - snr_db, abs=0.3)


def test_a_room_rings_as_long_as_it_should() -> None:
    click = np.zeros(100, dtype=np.float32)
    click[0] = 1.0
    wet = mixing.reverberated(click, 0.5, np.random.default_rng(1))
    early = np.mean(wet[800:1600] ** 2)
    late = np.mean(wet[800 + 3200 : 1600 + 3200] ** 2)
    assert 10 * np.log10(late / early) == pytest.approx(-24.0, abs=3.0)  # 0.2 s of 60 dB in 0.5 s


def test_a_telephone_has_nothing_above_3400_hz() -> None:
    spectrum = np.abs(np.fft.rfft(mixing.telephone(mixing.at_level(SPEECH, -26.0)))) ** 2
    frequencies = np.fft.rfftfreq(len(SPEECH), 1 / SAMPLE_RATE)
    assert spectrum[frequencies > 4100].sum() < 1e-3 * spectrum.sum()


def test_what_is_too_loud_is_clipped_and_not_wrapped() -> None:
    assert list(mixing.as_int16(np.array([2.0, -2.0, 0.0], dtype=np.float32))) == [32767, -32768, 0]


def test_a_sample_sounds_the_same_again_and_knows_where_its_speech_is() -> None:
    parts = (Spoken("eva zwei", Voice("m7")), Pause(0.3), Spoken("eva vier", Voice("m7")))
    sample = Sample("one", parts, conditions=Conditions(level_db=-20.0, rt60_s=0.4))
    first, again = render(sample), render(sample)
    assert np.array_equal(first.samples, again.samples)
    speech = first.samples[round(first.began_s * SAMPLE_RATE) : round(first.ended_s * SAMPLE_RATE)]
    rest = np.concatenate([first.samples[: round(first.began_s * SAMPLE_RATE)], first.samples[-1600:]])
    assert np.std(speech.astype(float)) > 10 * np.std(rest.astype(float))
    other = render(Sample("two", parts, conditions=sample.conditions))
    assert not np.array_equal(first.samples, other.samples)


def test_a_telephone_gives_the_recogniser_its_own_rate() -> None:
    sample = Sample("call", (Pause(1.0),), conditions=Conditions(telephone=True))
    pcm, rate = delivered(render(sample), sample)
    assert (rate, len(pcm)) == (8000, 2 * round(8000 * (LEAD_S + 1.0 + TAIL_S)))
    near = Sample("near", sample.parts)
    assert delivered(render(near), near) == (render(near).samples.tobytes(), 16_000)
