"""Flite says a plan's sounds at its own pace, and tells when each was."""

from __future__ import annotations

import random

import pytest

np = pytest.importorskip("numpy")

from models.bench import flite  # noqa: E402
from models.bench.diphones import LEAD_S, Plan, plan  # noqa: E402
from voicechess.messages import Failure  # noqa: E402

ANNA_SIEBEN = [("'a", "n", "a"), ("z", "'i:", "b", "@", "n")]


def planned(voice: str) -> Plan:
    found = plan(ANNA_SIEBEN, voice, flite.Everything(), random.Random(1))
    assert found is not None
    return found


def test_without_the_program_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Failure) as failure:
        flite.speak(planned("slt"))
    assert failure.value.key == "bench.natural_missing"


@pytest.mark.skipif(not flite.available(), reason="needs flite, a package of the system")
@pytest.mark.parametrize("voice", flite.VOICES)
def test_sounds_are_where_it_says_and_slower_speech_is_longer(voice: str) -> None:
    samples, said = flite.speak(planned(voice))
    slow, slowly = flite.speak(planned(voice), pace=0.5)
    assert [(one.phone, one.word) for one in said] == [
        (sound.strip("'"), n) for n, w in enumerate(ANNA_SIEBEN) for sound in w
    ]
    assert len(slow) == pytest.approx(2 * len(samples), rel=0.05)
    assert slowly[-1].end - slowly[0].begin == pytest.approx(2 * (said[-1].end - said[0].begin), rel=0.1)
    begin, end = (round((moment + LEAD_S) * 16_000) for moment in (said[0].begin, said[-1].end))
    assert float((samples[begin:end] ** 2).sum()) > 0.95 * float((samples**2).sum())
    # The s is a hiss, the a before it a tone: that is where they must be.
    middle = [round(((one.begin + one.end) / 2 + LEAD_S) * 16_000) for one in said]
    vowel, hiss = (samples[at - 300 : at + 300] for at in (middle[0], middle[3]))
    crossings = [int((np.diff(np.signbit(part))).sum()) for part in (vowel, hiss)]
    assert crossings[1] > 2 * crossings[0]


@pytest.mark.skipif(not flite.available(), reason="needs flite, a package of the system")
def test_a_sound_that_it_does_not_have_is_silence() -> None:
    good = planned("slt")
    wrong = Plan("slt", (good.pieces[0], type(good.pieces[0])("no such sound", 0.1, None)), ())
    samples, said = flite.speak(wrong)
    assert not len(samples) and not said
