"""Festival's voices say German, the same every time; without them there is a sentence."""

from __future__ import annotations

import random

import pytest

np = pytest.importorskip("numpy")

from models.bench import festival, flite, natural  # noqa: E402
from models.bench.diphones import LEAD_S, PEOPLE, Plan, plan  # noqa: E402
from models.bench.synthesis import SAMPLE_RATE, Voice, synthesise  # noqa: E402
from models.languages.voices import voices  # noqa: E402
from voicechess.messages import Failure  # noqa: E402

if not festival.available(festival.PACKAGES):
    pytest.skip("needs festival and its voices, packages of the system", allow_module_level=True)

VOICES = voices("de")
LINE = "springer gustav fünf felix acht schach"


@pytest.mark.parametrize("voice", [*VOICES.festival.test, *VOICES.festival.tuning])
def test_voices_that_measure_say_every_announced_word(voice: str) -> None:
    said = synthesise(LINE, Voice(natural=voice))
    assert np.array_equal(said, synthesise(LINE, Voice(natural=voice)))
    assert 1.0 < len(said) / SAMPLE_RATE < 4.5
    assert float(np.abs(said).max()) > 0.05


def test_a_vowel_that_ends_no_word_of_a_voice_has_another_one() -> None:
    """The word "to" before a vowel: the American was recorded saying a short u before consonants only, and the whole
    measurement ended with that."""
    assert len(synthesise("knight to anna one", Voice(natural="ked_diphone", language="en")))


def test_the_sound_is_as_long_as_planned_and_utterances_keep_their_order() -> None:
    eva, turm = [("'e:", "v", "a")], [("t", "'U", "r", "m")] * 3
    plans = [
        plan(words, voice, festival.recorded(voice), random.Random(1))
        for words, voice in ((turm, "czech_machac"), (eva, "pc_diphone"), (turm, "czech_machac"))
    ]
    assert all(plans)
    whole = [one for one in plans if one]
    sounds = festival.speak(whole)
    for one, sound in zip(whole, sounds, strict=True):
        assert len(sound) / SAMPLE_RATE == pytest.approx(sum(piece.seconds for piece in one.pieces), abs=0.06)
    loud = np.flatnonzero(np.abs(sounds[1]) > 0.05 * np.abs(sounds[1]).max()) / SAMPLE_RATE
    assert loud[0] == pytest.approx(LEAD_S, abs=0.03)


def test_one_that_festival_dies_of_does_not_take_the_others_with_it() -> None:
    good = plan([("'e:", "v", "a")], "pc_diphone", festival.recorded("pc_diphone"), random.Random(1))
    assert good is not None
    bad = Plan("pc_diphone", (), ())
    first, none, last = festival.speak([good, bad, good])
    assert len(none) <= SAMPLE_RATE // 10 and np.array_equal(first, last) and len(first) > SAMPLE_RATE // 4


def test_no_voice_serves_two_ends() -> None:
    learnt = set(VOICES.festival.learnt)
    kinds = [learnt, set(VOICES.flite.learnt), set(VOICES.festival.test), set(VOICES.festival.tuning)]
    assert sum(map(len, kinds)) == len(set().union(*kinds)) == len(PEOPLE)
    assert PEOPLE.keys() == festival.PACKAGES.keys() | set(flite.VOICES) and festival.LICENCES.keys() == learnt


def test_without_the_program_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert not natural.available("czech_dita")
    assert "Czech woman" in natural.missing(VOICES.test)
    with pytest.raises(Failure) as failure:
        synthesise(LINE, Voice(natural="czech_dita"))
    assert failure.value.key == "bench.natural_missing"
