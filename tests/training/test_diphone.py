"""Speech of diphone voices comes with labels that fit it, and voices for measuring are not in it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="needs the training extra")
from models.bench import festival, flite

if not festival.available(festival.PACKAGES) or not flite.available():
    pytest.skip("needs festival, its voices and flite, packages of the system", allow_module_level=True)

from models.languages.voices import voices as voices_of
from models.training.check import natural_announcements
from models.training.diphone import DiphoneSpeaker
from models.training.features import RATE
from models.training.language import language

pytestmark = pytest.mark.training
GERMAN, VOICES = language("de"), voices_of("de")
FURTHER = (*VOICES.festival.further, *VOICES.flite.learnt)


@pytest.mark.parametrize("voices", [VOICES.festival.training, FURTHER, VOICES.flite.further])
def test_what_is_said_is_labelled_from_beginning_to_end(voices: tuple[str, ...]) -> None:
    said = DiphoneSpeaker(3, GERMAN, voices).draw(30)
    assert len(said) >= 28
    for one in said:
        assert {segment.phone for segment in one.segments} <= set(GERMAN.sounds.names[2:])
        assert one.segments[0].begin > 0 and one.segments[-1].end <= len(one.samples) / RATE
        assert all(segment.begin < segment.end for segment in one.segments)
        inside = one.samples[int(one.segments[0].begin * RATE) : int(one.segments[-1].end * RATE)]
        assert float((inside**2).sum()) > 0.95 * float((one.samples**2).sum())
    assert any("[unk]" in one.words for one in said) and any("[unk]" not in one.words for one in said)
    marked = [segment for one in said for segment in one.segments if segment.garbage]
    assert marked and len(marked) < sum(len(one.segments) for one in said)


def test_equal_seeds_give_equal_speech() -> None:
    first, again = (DiphoneSpeaker(4, GERMAN, FURTHER).draw(6) for _ in range(2))
    assert [one.words for one in first] == [one.words for one in again]
    assert all((a.samples == b.samples).all() for a, b in zip(first, again, strict=True))


def test_the_check_has_a_voice_of_its_own() -> None:
    assert not set(VOICES.festival.tuning) & set(VOICES.festival.learnt)
    spoken = natural_announcements(GERMAN, 4)
    assert len(spoken) == 4
    assert all(words and len(samples) > RATE // 4 for samples, words in spoken)
    assert [words for _, words in natural_announcements(GERMAN, 4)] == [words for _, words in spoken]
