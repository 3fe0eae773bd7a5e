"""Words joined from a person's sounds: labelled as they sound, whole where they were said whole."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the training extra")
pytest.importorskip("soundfile", reason="needs the training extra")
pytest.importorskip("scipy", reason="needs the training extra")

from models.training.features import RATE
from models.training.human import Aligned
from models.training.language import language
from models.training.pieces import FADE, JoinedSpeaker, Pieces
from models.training.speech import Segment, Speaker, Utterance

pytestmark = pytest.mark.training


def tone(phones: str, hertz: float) -> Utterance:
    """A recording: each sound a tone of a tenth of a second, in a person's pitch."""
    time = np.arange(int(RATE * 0.1 * len(phones))) / RATE
    pitch = hertz * (1 + np.array([ord(phone) % 7 for phone in phones]))[(time * 10).astype(int)]
    samples = (3000 * np.sin(2 * np.pi * pitch * time)).astype(np.float32)
    return Utterance(samples, [Segment(n / 10, (n + 1) / 10, phone) for n, phone in enumerate(phones)])


def test_what_was_said_whole_is_taken_whole() -> None:
    person = Pieces([tone("dabat", 100), tone("tnanda", 100)])
    said = person.say("nan", np.random.default_rng(1))
    assert said is not None
    whole = person.samples[1][int(0.1 * RATE) : int(0.4 * RATE)]
    assert np.array_equal(said.samples[2 * FADE : -2 * FADE], whole[FADE:-FADE])
    assert [segment.phone for segment in said.segments] == ["n", "a", "n"]


def test_joined_sounds_are_labelled_where_they_are() -> None:
    person = Pieces([tone("dabat", 100), tone("tnanda", 100)])
    said = person.say("ban", np.random.default_rng(1))
    assert said is not None
    assert [segment.phone for segment in said.segments] == ["b", "a", "n"]
    assert all(a.end == b.begin for a, b in zip(said.segments, said.segments[1:], strict=False))
    assert said.segments[-1].end <= len(said.samples) / RATE
    for segment in said.segments:
        inside = said.samples[int((segment.begin + 0.02) * RATE) : int((segment.end - 0.02) * RATE)]
        crossings = (np.diff(np.sign(inside)) != 0).sum() / 2 / (len(inside) / RATE)
        assert crossings == pytest.approx(100 * (1 + ord(segment.phone) % 7), rel=0.1)


def test_nobody_says_a_sound_they_never_made() -> None:
    assert Pieces([tone("dabat", 100)]).say("ban", np.random.default_rng(1)) is None


def test_the_words_of_players_and_others_are_said_and_marked() -> None:
    espeak = Speaker(3, language("de"), ("m3",))
    recorded = [Aligned(name, espeak.draw()) for name in ("one", "other") for _ in range(60)]
    speaker, again = JoinedSpeaker(5, language("de"), recorded), JoinedSpeaker(5, language("de"), recorded)
    assert len(speaker.people) == 2
    said = [speaker.draw() for _ in range(20)]
    assert [again.draw().words for _ in range(20)] == [one.words for one in said]
    assert any("[unk]" in one.words for one in said) and any("[unk]" not in one.words for one in said)
    for one in said:
        assert one.segments[-1].end <= len(one.samples) / RATE
        assert all(segment.begin < segment.end for segment in one.segments)
        assert ("[unk]" in one.words) == any(segment.garbage for segment in one.segments)
