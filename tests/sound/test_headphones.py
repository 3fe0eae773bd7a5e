"""With headphones the speaker yields to whoever speaks, and says again what was interrupted by no words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.drivers.virtual_sound import until
from tests.sound.stage import Stage
from voicechess.messages import Priority, Tone
from voicechess.sound import speaker as speaker_module
from voicechess.sound.devices.interfaces import monotonic_ms


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Nothing here comes of time passing."""
    monkeypatch.setattr(speaker_module, "HEADPHONES_WAIT_S", 1000.0)
    monkeypatch.setattr(speaker_module, "SETTLED_S", 0.0)
    monkeypatch.setattr(speaker_module, "ALMOST_SAID_S", 0.0)
    stage = Stage()
    stage.speaker.headphones = True
    yield stage
    stage.speaker.close()


LONG = "Weiß: König Eva eins" + 200_000 * "." + "; Dame David eins."  # a part of several seconds


def speak(stage: Stage) -> None:
    """Somebody begins to speak, and goes on."""
    stage.speech_since_ms, stage.barges_in = monotonic_ms() + 1, True


def be_quiet(stage: Stage) -> None:
    stage.speech_since_ms, stage.barges_in = None, False


def test_who_speaks_silences_it_and_noise_brings_the_sentence_back(stage: Stage) -> None:
    stage.speaker.say(1, LONG)
    assert stage.playing(0) == "Weiß:"
    stage.end(0)
    interrupted = stage.playing(1)
    speak(stage)
    until(lambda: stage.loudspeaker.playbacks[1].ended)
    assert stage.spoken == [], "it goes on"
    be_quiet(stage)
    assert stage.playing(2) == interrupted, "from the beginning of the sentence, not of the reading"
    stage.end(2)
    assert stage.playing(3) == "Dame David eins."
    stage.end(3)
    assert stage.has_spoken((1, True))


def test_words_end_it(stage: Stage) -> None:
    stage.speaker.say(1, LONG)
    stage.speaker.say(2, "zwei")
    assert stage.playing(0) == "Weiß:"
    speak(stage)
    until(lambda: stage.loudspeaker.playbacks[0].ended)
    stage.speaker.hush()
    assert stage.has_spoken((1, False), (2, False)) or stage.has_spoken((2, False), (1, False))


def test_a_tap_does_not_interrupt(stage: Stage) -> None:
    stage.speaker.say(1, LONG)
    assert stage.playing(0) == "Weiß:"
    stage.speech_since_ms = monotonic_ms()
    stage.speaker.say(2, "sofort", Priority.NOW)  # the thread has been round
    until(lambda: stage.loudspeaker.playbacks[0].ended)
    assert len(stage.loudspeaker.playbacks) == 1, "but nothing begins over it"
    be_quiet(stage)
    assert stage.playing(1) == "sofort"


def test_nothing_begins_while_somebody_speaks_but_tones(stage: Stage) -> None:
    speak(stage)
    stage.speaker.say(1, "eins")
    until(lambda: stage.speech.rendered == ["eins"])
    stage.speaker.tone(Tone.NOT_UNDERSTOOD)
    until(lambda: len(stage.loudspeaker.playbacks) == 1)
    stage.end(0)
    be_quiet(stage)
    assert stage.playing(1) == "eins"


def test_noise_cannot_keep_a_sentence_away_for_ever(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaker_module, "MOST_YIELDS", 2)
    stage.speaker.say(1, LONG)
    for index in range(2):
        assert stage.playing(index) == "Weiß:"
        speak(stage)
        until(lambda index=index: stage.loudspeaker.playbacks[index].ended)  # type: ignore[misc]
        be_quiet(stage)
    assert stage.playing(2) == "Weiß:"
    speak(stage)
    stage.end(2)
    assert stage.playing(3).startswith("König"), "said through"


def test_what_is_almost_said_is_said_to_its_end(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """People begin to answer before a question is over, and have heard it."""
    monkeypatch.setattr(speaker_module, "ALMOST_SAID_S", 1000.0)
    stage.speaker.say(1, "Wirklich aufgeben?")
    assert stage.playing(0) == "Wirklich aufgeben?"
    speak(stage)
    stage.speaker.say(2, "zwei")
    stage.end(0)
    assert stage.has_spoken((1, True))


def test_without_headphones_nobody_interrupts(stage: Stage) -> None:
    stage.speaker.headphones = False
    stage.speaker.say(1, "eins")
    assert stage.playing(0) == "eins"
    speak(stage)
    stage.end(0)
    assert stage.has_spoken((1, True))
