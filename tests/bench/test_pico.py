"""The second synthesiser says German in every voice, the same every time."""

from __future__ import annotations

import sys

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("ttspico", reason="needs the extra natural")

from models.bench import model_sets, natural, pico  # noqa: E402
from models.bench.hearing_sets import QUICK, TEST, TUNE, Sets  # noqa: E402
from models.bench.samples import Spoken  # noqa: E402
from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise  # noqa: E402
from models.bench.vocabulary import Vocabulary  # noqa: E402
from models.languages.voices import voices  # noqa: E402
from voicechess.messages import Failure  # noqa: E402

pytestmark = pytest.mark.training
VOICES = voices("de")
LINE = "springer gustav eins felix drei"


@pytest.mark.parametrize("voice", [*VOICES.pico.training, *VOICES.pico.test])
def test_an_utterance_depends_on_nothing_said_before(voice: str) -> None:
    first = synthesise(LINE, Voice(natural=voice))
    synthesise("dame hector acht schach", Voice(natural=voice, rate=230))
    assert np.array_equal(first, synthesise(LINE, Voice(natural=voice)))
    assert 1.0 < len(first) / SAMPLE_RATE < 4.0
    assert float(np.abs(first).max()) > 0.05


def test_the_rate_is_heard() -> None:
    fast, slow = (len(synthesise(LINE, Voice(natural="de-DE", rate=rate))) for rate in (240, 140))
    assert fast < 0.8 * slow


def test_german_sounds_become_those_of_the_voice() -> None:
    koenig = ("k", "'Y:", "n", "I", "C")
    assert [pico.x_sampa(koenig, voice) for voice in ("de-DE", "fr-FR", "it-IT", "es-ES")] == [
        'k"2:nIC', 'k"2niS', 'k"enik', 'k"enix',
    ]  # fmt: skip
    assert pico.x_sampa(("|", "!", "aI", "n", "s", ":", ":"), "de-DE") == "aIns"


def test_letters_are_not_read_as_markup() -> None:
    assert pico.spoken("a<b", "de-DE") == "a&lt;b"


def test_the_voice_for_measuring_is_not_trained_on() -> None:
    assert not set(VOICES.pico.test) & set(VOICES.pico.learnt)


def test_announcements_are_said_again_word_for_word() -> None:
    spoken = model_sets.announced([("springer", "felix", "drei"), ("dame", "anna", "acht")], "seed", "de")
    for samples in model_sets.natural(spoken, "de").values():
        assert [one.words for one in samples] == [one.words for one in spoken]
        assert all(part.voice.natural for one in samples for part in one.parts if isinstance(part, Spoken))


@pytest.mark.shared
def test_it_measures_hearing_with_one_voice_and_chooses_with_another() -> None:
    said = {}
    for ground in (TEST, TUNE):
        try:
            sets = Sets(ground, QUICK, Vocabulary("de")).all()
        except Failure:
            pytest.skip("the recordings beside the project are not here (VOICECHESS_SHARED)")
        items = [item for name in sets if name.startswith("g ") for item in sets[name]]
        said[ground.name] = {item.voice.natural for item in items if item.voice}
        assert len(items) == QUICK.natural * len(said[ground.name])
    assert set(VOICES.pico.test) <= said["test"] and "de-DE" in said["tuning"]
    assert not said["test"] & (said["tuning"] | set(VOICES.pico.learnt) | set(VOICES.festival.learnt))


def test_without_it_there_is_a_sentence_and_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ttspico", None)
    assert not pico.available()
    assert "natural, Spanish woman" not in model_sets.natural([], "de")
    assert "Spanish woman" in natural.missing(VOICES.test)
    with pytest.raises(Failure) as failure:
        synthesise(LINE, Voice(natural="de-DE"))
    assert failure.value.key == "bench.natural_missing"
